from dataclasses import replace
from datetime import datetime, timedelta, timezone
from enum import StrEnum
from pathlib import Path

import numpy as np
import pytest
import yaml

from pipeline.errors import InputError
from pipeline.runs import metadata
from pipeline.runs.metadata import Metadata

START = datetime(2026, 3, 1, 9, 30, tzinfo=timezone(timedelta(hours=1)))
GIVEN = Metadata(
    tag="dirichlet-length",
    description="Dirichlet LM, then the length: 10 %",
    retrieval=[
        {"name": "dirichlet_lm", "mu": 2500.0, "num_results": 1000},
        {"name": "argument_length", "reranks": "dirichlet_lm", "weight": 0.1, "lexical": False},
    ],
    tokeniser="english",
    stemmer="none",
    stopwords="terrier",
    indexing={"fields": {"text": ("conclusion", "premises")}},
    libraries=["pyterrier==1.1.2", "pandas==3.1.1"],
    toolkit=["terrier==5.11"],
    command="/app/run.sh -i /tira-data/input -o '/tira-data/out put'",
    collection="argsme",
    topics="topics.xml",
    hashes={"config": "00ff", "code": "01fe"},
    started=START,
    stopped=START + timedelta(seconds=83.25),
    parts={"index": {"wall": 70.5, "cpu": 61.0}},
    memory="183 MB",
    machine={"hardware": {"ram": "8 GB"}, "operating system": {"kernel": "6.1"}},
    training=["touche-2020"],
)


def tree(given: Metadata) -> dict:
    return yaml.safe_load(metadata.content(given))


def test_every_value_in_its_place():
    assert tree(GIVEN) == {
        "schema version": "0.2",
        "run version": "1.0",
        "tag": "dirichlet-length",
        "actor": {"team": "anonymous", "role": "experimenter"},
        "research goal": {"description": "Argument retrieval for controversial questions"},
        "platform": {
            "hardware": {"ram": "8 GB"},
            "operating system": {"kernel": "6.1"},
            "software": {
                "libraries": ["pyterrier==1.1.2", "pandas==3.1.1"],
                "retrieval toolkit": ["terrier==5.11"],
            },
        },
        "implementation": {
            "executable": {"cmd": "/app/run.sh -i /tira-data/input -o '/tira-data/out put'"},
            "source": {"lang": ["Python"], "repository": "not published"},
        },
        "resources": {
            "runtime": {
                "start": "2026-03-01T09:30:00+01:00",
                "stop": "2026-03-01T09:31:23+01:00",
                "wallclock": "83.2 s",
            },
            "memory": {"peak": "183 MB"},
            "parts": {"index": {"wall": 70.5, "cpu": 61.0}},
        },
        "data": {
            "test collection": {"name": "argsme", "topics": "topics.xml"},
            "training data": [{"name": "touche-2020"}],
        },
        "method": {
            "name": "dirichlet-length",
            "description": "Dirichlet LM, then the length: 10 %",
            "automatic": True,
            "score ties": metadata.SCORE_TIES,
            "indexing": {
                "tokenizer": "english",
                "stemmer": "none",
                "stopwords": "terrier",
                "fields": {"text": ["conclusion", "premises"]},
            },
            "retrieval": [
                {
                    "name": "dirichlet_lm",
                    "lexical": True,
                    "deep_neural_model": False,
                    "sparse_neural_model": False,
                    "single_stage_retrieval": False,
                    "mu": 2500.0,
                    "num_results": 1000,
                },
                {
                    "name": "argument_length",
                    "lexical": False,
                    "deep_neural_model": False,
                    "sparse_neural_model": False,
                    "single_stage_retrieval": False,
                    "reranks": "dirichlet_lm",
                    "weight": 0.1,
                },
            ],
        },
        "hashes": {"config": "00ff", "code": "01fe"},
    }


def test_one_stage_is_a_single_stage():
    [stage] = tree(replace(GIVEN, retrieval=[{"name": "bm25"}]))["method"]["retrieval"]
    assert stage["single_stage_retrieval"] is True


def test_memory_where_it_is_known():
    assert "memory" not in tree(replace(GIVEN, memory=""))["resources"]


def test_the_fast_writer_writes_as_the_other_does(monkeypatch):
    texts = ["no", "012", "1e5", "null", "a: b", "é 'q' \"r\"", "x" * 300, "word " * 40]
    given = replace(GIVEN, libraries=texts, description=" ".join(texts))
    fast = metadata.content(given)
    monkeypatch.setattr(metadata, "DUMPER", yaml.SafeDumper)
    assert yaml.safe_load(metadata.content(given)) == yaml.safe_load(fast)


def test_a_commit_where_there_is_one():
    source = tree(replace(GIVEN, repository="example.org/r", commit="abc"))["implementation"][
        "source"
    ]
    assert source == {"lang": ["Python"], "repository": "example.org/r", "commit": "abc"}


def test_the_same_bytes_for_the_same_run_and_keys_in_order():
    assert metadata.content(GIVEN) == metadata.content(replace(GIVEN))
    lines = metadata.content(GIVEN).decode().splitlines()
    keys = [line.partition(":")[0] for line in lines if line[0] not in " -"]
    assert keys == [
        *("schema version", "run version", "tag", "actor", "research goal", "platform"),
        *("implementation", "resources", "data", "method", "hashes"),
    ]


def test_all_values_become_plain():
    class Kind(StrEnum):
        FAST = "fast"

    step = {
        "name": Kind.FAST,
        "path": Path("words.txt"),
        "words": frozenset({"b", "a"}),
        "weight": np.float64(0.5),
        "number": np.int64(3),
        "nothing": None,
        "yes": True,
        1: ("x", {"y": ()}),
    }
    [stage] = tree(replace(GIVEN, retrieval=[step]))["method"]["retrieval"]
    assert {key: stage[key] for key in list(stage) if key in {*map(str, step)}} == {
        "name": "fast",
        "path": "words.txt",
        "words": ["a", "b"],
        "weight": 0.5,
        "number": "3",
        "nothing": None,
        "yes": True,
        "1": ["x", {"y": []}],
    }


@pytest.mark.parametrize(
    "text", ["no", "012", "1e5", "null", "a: b", "# x", "é 'q' \"r\"", "2020-01-01"]
)
def test_texts_stay_texts(text):
    assert tree(replace(GIVEN, description=text))["method"]["description"] == text


def test_this_machine_can_be_told():
    machine = metadata.this_machine()
    assert machine is metadata.this_machine(), "looked up once"
    assert machine.keys() == {"hardware", "operating system"}
    told = yaml.safe_dump(dict(machine))
    assert "number of cores" in told
    assert " GB" in told


# -------------------------------------------------------------------------------------- problems


@pytest.fixture
def problems(tmp_path):
    def check(content: bytes) -> list[str]:
        file = tmp_path / "ir-metadata.yml"
        file.write_bytes(content)
        lines = metadata.problems(file)
        assert not any("\n" in line for line in lines)
        return [line.replace(str(file), "ir-metadata.yml") for line in lines]

    return check


def test_what_is_written_is_right(problems):
    assert problems(metadata.content(GIVEN)) == []
    assert problems(metadata.content(replace(GIVEN, training=()))) == []


def test_what_is_missing_or_of_another_kind(problems):
    held = tree(GIVEN)
    del held["actor"]["team"]
    held["data"] = ["argsme"]
    held["method"]["automatic"] = "yes"
    held["method"]["indexing"]["stopwords"] = 733
    held["method"]["retrieval"][1]["name"] = None
    held["method"]["retrieval"].append("rm3")
    assert problems(yaml.safe_dump(held).encode()) == [
        "ir-metadata.yml: actor.team is missing, text is expected",
        "ir-metadata.yml: data is ['argsme'], a mapping is expected",
        "ir-metadata.yml: method.automatic is 'yes', true or false is expected",
        "ir-metadata.yml: method.indexing.stopwords is 733, text is expected",
        "ir-metadata.yml: method.retrieval[1].name is missing, text is expected",
        "ir-metadata.yml: method.retrieval[2] is 'rm3', a mapping is expected",
    ]


def test_what_is_no_mapping_or_no_yaml(problems):
    assert problems(b"") == ["ir-metadata.yml: the file is missing, a mapping is expected"]
    [line] = problems(b"tag: [1\nactor: ")
    assert line.startswith("ir-metadata.yml: not YAML: while parsing a flow sequence")
    [line] = problems(b"tag: caf\xe9")
    assert line.startswith("ir-metadata.yml: not YAML: ")


def test_what_is_not_there(tmp_path):
    with pytest.raises(InputError, match="absent: cannot be read: No such file or directory"):
        metadata.problems(tmp_path / "absent")
