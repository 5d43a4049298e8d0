import errno
import os
from datetime import UTC, datetime
from typing import NamedTuple

import pandas as pd
import pytest
import yaml

from pipeline.errors import InputError, RunError
from pipeline.runs import output, trec
from pipeline.runs.metadata import Metadata
from pipeline.runs.verify import verify


class Topic(NamedTuple):
    number: str


TOPICS = [Topic("2"), Topic("1")]
ABOUT = Metadata(
    tag="bm25",
    description="BM25",
    retrieval=[{"name": "bm25"}],
    tokeniser="english",
    stemmer="porter",
    stopwords="terrier",
    libraries=[],
    toolkit=[],
    command="run",
    collection="tiny",
    topics="topics.xml",
    started=datetime(2026, 1, 1, tzinfo=UTC),
    stopped=datetime(2026, 1, 1, tzinfo=UTC),
    machine={},
)
RANKING = pd.DataFrame(
    [["1", "a", 2.0, 0], ["1", "b", 1.0, 1]], columns=["qid", "docno", "score", "rank"]
)
CONFIG = f"{output.FIRST_LINE}\nname: bm25\n".encode()
OLD = ("run.txt", "run.txt.gz", "ir-metadata.yml")
PARTS = (
    ".run.txt.01234567.part",
    ".ir-metadata.yml.89abcdef.part",
    ".config.yaml.0a1b2c3d.part",
)
WHOLE = ["config.yaml", "ir-metadata.yml", "run.txt"]


@pytest.fixture
def used(tmp_path):
    """An output folder with all that earlier calls can leave, and a file of the user's."""
    for name in (*OLD, *PARTS, "notes.txt"):
        (tmp_path / name).write_text("old")
    (tmp_path / "config.yaml").write_bytes(CONFIG + b"# of an earlier run\n")
    return tmp_path


def left_in(folder) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_old_runs_go_and_nothing_else(used):
    output.remove_old(used)
    assert left_in(used) == ["notes.txt"]
    output.remove_old(used)
    assert left_in(used) == ["notes.txt"]


def test_what_cannot_be_removed_is_named(tmp_path):
    (tmp_path / "run.txt").mkdir()
    with pytest.raises(InputError, match=rf"^{tmp_path}/run.txt: cannot be removed: .*; remove it"):
        output.remove_old(tmp_path)


def test_all_files_and_what_was_left_out(used):
    summary = output.publish(used, RANKING, TOPICS, ABOUT, CONFIG, docnos={"a", "b"})
    assert left_in(used) == sorted([*WHOLE, "notes.txt"])
    assert (used / "config.yaml").read_bytes() == CONFIG
    assert (used / "run.txt").read_bytes() == b"1 Q0 a 1 2.0 bm25\n1 Q0 b 2 1.0 bm25\n"
    assert yaml.safe_load((used / "ir-metadata.yml").read_text())["tag"] == "bm25"
    assert summary == trec.Summary("bm25", 1, 2, ("2",), 0, 0, 0)
    assert verify(used, TOPICS, {"a", "b"}, gaps=False) == []


def test_the_run_gets_its_name_last(tmp_path, monkeypatch):
    named = []
    replace = type(tmp_path).replace

    def record(part, file):
        named.append(file.name)
        return replace(part, file)

    monkeypatch.setattr(type(tmp_path), "replace", record)
    output.publish(tmp_path, RANKING, TOPICS, ABOUT, CONFIG)
    assert named == WHOLE


def test_a_config_of_the_users_stays(used):
    (used / "config.yaml").write_text("stages: [{retrieve: bm25}]\n")
    output.remove_old(used)
    assert left_in(used) == ["config.yaml", "notes.txt"]
    output.publish(used, RANKING, TOPICS, ABOUT, CONFIG)
    assert (used / "config.yaml").read_text() == "stages: [{retrieve: bm25}]\n"
    assert output.users_config(used) == used / "config.yaml"
    assert left_in(used) == sorted([*WHOLE, "notes.txt"])


@pytest.mark.parametrize("failing", [1, 2, 3])
def test_a_full_disk_leaves_none(used, monkeypatch, failing):
    calls = []

    def full(number):
        calls.append(number)
        if len(calls) == failing:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RunError, match="cannot be written: No space left on device; make room"):
        output.publish(used, RANKING, TOPICS, ABOUT, CONFIG)
    assert left_in(used) == ["notes.txt"]


def test_a_ranking_that_cannot_be_written_leaves_none(used):
    with pytest.raises(RunError, match="not one score is a finite number"):
        output.publish(used, RANKING.assign(score=float("nan")), TOPICS, ABOUT, CONFIG)
    assert left_in(used) == ["notes.txt"]


def test_what_breaks_a_rule_once_written_is_not_named(used, monkeypatch):
    monkeypatch.setattr(trec, "decreasing", lambda scores, _: scores.to_numpy()[::-1])
    with pytest.raises(RunError) as raised:
        output.publish(used, RANKING, TOPICS, ABOUT, CONFIG)
    assert str(raised.value) == (
        f"{used / 'run.txt'}:2: score 2.0 is above the one before, scores that fall are expected, "
        "also when rounded to float32; nothing was written"
    )
    assert left_in(used) == ["notes.txt"]


def test_metadata_that_tira_would_refuse_are_not_named(used):
    about = Metadata(**{**vars(ABOUT), "team": None, "stemmer": None})
    with pytest.raises(RunError) as raised:
        output.publish(used, RANKING, TOPICS, about, CONFIG)
    assert str(raised.value) == (
        f"{used / 'ir-metadata.yml'}: actor.team is missing, text is expected (and 1 more); "
        "nothing was written"
    )
    assert left_in(used) == ["notes.txt"]
