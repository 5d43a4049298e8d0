import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from pipeline.collection import topics as topic_files
from pipeline.collection.folder import open_collection
from pipeline.config import catalogue, experiment
from pipeline.errors import InputError
from pipeline.experiments import records
from pipeline.experiments.run import run
from pipeline.runs import output

TINY = Path(__file__).parents[1] / "collection-tiny"

MANY = """
name: many
source: "no: 1e5"
published_as: "012"
indexes:
  body: {engine: arrays, stopwords: [the, "no", "null"]}
  title: {engine: arrays, fields: {title: [title], text: [premises]}, stopwords: words.txt}
stages:
  - rewrite: keywords
  - fuse: weighted_sum
    branches:
      - weight: 1e-7
        stages:
          - {retrieve: bm25f, index: title, weights: {title: 3, text: 1}}
          - expand: rm3
            index: title
      - stages:
          - fuse: reciprocal_rank
            branches: [{stages: [{retrieve: dph, index: body}]}]
  - fuse: reciprocal_rank
    branches: [{}]
  - {rerank: lexicon, words: hedges, index: body}
expected:
  touche-2020/relevance: {nDCG@5: 0.1}
  "no": {P@10: 1}
"""


def test_a_config_loads_to_the_same_anywhere(tmp_path):
    (tmp_path / "words.txt").write_text("# of ours\nwe\n1e5\n", encoding="utf-8")
    given, elsewhere = tmp_path / "many.yaml", tmp_path / "new" / "config.yaml"
    given.write_text(MANY, encoding="utf-8")
    system = experiment.load(given)
    elsewhere.parent.mkdir()
    elsewhere.write_bytes(records.config(system))
    assert experiment.load(elsewhere) == system
    assert records.config(experiment.load(elsewhere)) == elsewhere.read_bytes()


@pytest.mark.parametrize("file", catalogue.shipped(), ids=lambda file: file.stem)
def test_shipped_configs_load_to_the_same(file, tmp_path):
    system, copy = experiment.load(file), tmp_path / "config.yaml"
    copy.write_bytes(records.config(system))
    assert experiment.load(copy) == system


def test_a_config_says_the_same_whether_or_not_it_states_what_goes_without_saying(tmp_path):
    short, long = tmp_path / "a.yaml", tmp_path / "b.yaml"
    short.write_text("name: x\nstages: [{retrieve: bm25}]\n")
    long.write_text("name: x\nindex: {engine: terrier}\nstages: [{b: 0.75, retrieve: bm25}]\n")
    first, second = (records.config(experiment.load(file)) for file in (short, long))
    assert first == second
    assert first.splitlines()[0] == output.FIRST_LINE.encode()


def test_a_config_is_pleasant_to_read(tmp_path):
    file = tmp_path / "x.yaml"
    file.write_text(
        "stages:\n  - fuse: reciprocal_rank\n    branches:\n      - stages: [{retrieve: dph}]\n"
    )
    assert records.config(experiment.load(file)).decode().splitlines()[1:] == [
        "name: x",
        "index:",
        "  engine: terrier",
        "  fields: {text: [conclusion, premises]}",
        "  tokeniser: english",
        "  stopwords: terrier",
        "  stemmer: porter",
        "stages:",
        "  - fuse: reciprocal_rank",
        "    k: 60",
        "    branches:",
        "      - weight: 1",
        "        stages:",
        "          - retrieve: dph",
        "            num_results: 1000",
        "            fields: {}",
        "            required: []",
    ]  # fmt: skip


def test_the_hash_of_topics_is_of_what_they_say(tmp_path):
    topics = topic_files.read(TINY / "topics.xml")
    rows = [{"qid": t.number, **{n: getattr(t, n) for n in ("title", "description", "narrative")}}
            for t in topics]  # fmt: skip
    file = tmp_path / "queries.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert records.of_topics(topic_files.read(file)) == records.of_topics(topics)
    others = [topics[::-1], topics[1:], [replace(topics[0], narrative="x"), *topics[1:]]]
    assert len({records.of_topics(given) for given in (topics, *others)}) == 4


def test_the_code_is_all_that_a_ranking_follows_from(tmp_path, monkeypatch):
    house = Path(shutil.copytree(records.HOUSE, tmp_path / "pipeline"))
    monkeypatch.setattr(records, "HOUSE", house)

    def now() -> str:
        records.code.cache_clear()
        return records.code()

    seen = [now()]
    for apart in ("cli/systems.py", "experiments/check.py", "evaluation/__init__.py"):
        (house / apart).write_text("# changed\n")
    (house / "runs" / "__pycache__").mkdir(exist_ok=True)
    (house / "runs" / "__pycache__" / "x.pyc").write_text("changed")
    assert now() == seen[0]
    counting = ("ranking.py", "runs/trec.py", "index/arrays/kernels.c", "analysis/words/hedges.txt",
                "experiments/assemble.py", "stages/new.py")  # fmt: skip
    for file in counting:
        (house / file).write_text("# changed\n")
        seen.append(now())
    assert len(set(seen)) == len(seen)
    monkeypatch.setattr(records, "LIBRARIES", ("pandas",))
    assert now() != seen[-1]
    records.code.cache_clear()


def test_every_source_that_code_names_is_there():
    assert not [name for name in records.APART if not (records.HOUSE / name).exists()]
    folder = records.HOUSE / "experiments"
    assert not [name for name in records.OF_EXPERIMENTS if not (folder / name).exists()]


ENGINES = ["arrays", pytest.param("terrier", marks=pytest.mark.terrier)]


@pytest.mark.parametrize("engine", ENGINES)
def test_the_same_hashes_the_same_bytes(engine, tmp_path):
    config = tmp_path / "twice.yaml"
    config.write_text(
        f"index: {{engine: {engine}}}\nstages:\n  - retrieve: dph\n  - expand: rm3\n"
        "  - {rerank: readability, weight: 0.1}\n"
    )
    first, second = tmp_path / "first", tmp_path / "second"
    elsewhere = Path(shutil.copytree(TINY, tmp_path / "in"))
    run(TINY, first, str(config), quiet=True)
    run(elsewhere, second, str(first / "config.yaml"), tmp_path / "indexes", quiet=True)
    for name in (output.RUN, output.CONFIG):
        assert (first / name).read_bytes() == (second / name).read_bytes()
    told = [
        yaml.safe_load((out / output.METADATA).read_text())["hashes"] for out in (first, second)
    ]
    assert told[0] == told[1] == {
        "config": hashlib.sha256((first / output.CONFIG).read_bytes()).hexdigest()[:16],
        "code": records.code(),
        "collection": open_collection(TINY).fingerprint(),
        "topics": records.of_topics(topic_files.read(TINY / "topics.xml")),
    }  # fmt: skip


def test_the_config_of_an_output_folder_can_be_run_into_it(tmp_path):
    config = tmp_path / "config.yaml"
    mine = "name: mine\nindex: {engine: arrays}\nstages: [{retrieve: bm25}]  # mine\n"
    config.write_text(mine)
    run(TINY, tmp_path, str(config), quiet=True)
    assert config.read_text() == mine, "the user's own, and it says the same"
    assert (tmp_path / "run.txt").exists()

    first = tmp_path / "first"
    run(TINY, first, str(config), quiet=True)
    kept = (first / "config.yaml").read_bytes()
    run(TINY, first, str(first / "config.yaml"), quiet=True)
    assert (first / "config.yaml").read_bytes() == kept


def test_another_config_of_the_users_is_not_overwritten(tmp_path):
    given = tmp_path / "given.yaml"
    given.write_text("index: {engine: arrays}\nstages: [{retrieve: bm25}]\n")
    for text in ("stages: [{retrieve: dph}]\n", "no config"):
        (tmp_path / "config.yaml").write_text(text)
        (tmp_path / "run.txt").write_text("of an earlier run\n")
        with pytest.raises(InputError, match=r"config.yaml: no run left it, .* move it, or choose"):
            run(TINY, tmp_path, str(given), quiet=True)
        assert (tmp_path / "config.yaml").read_text() == text
        assert (tmp_path / "run.txt").exists()
