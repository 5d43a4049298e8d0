"""A folder a point, whole or not at all."""

import errno
import json
import math
import os
from pathlib import Path

import pytest

from pipeline.errors import InputError, RunError
from pipeline.experiments.entries import Entry
from pipeline.experiments.sweep import folders
from pipeline.index import lock

FILES = {"run.txt": b"run", "scores.json": b"[]"}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folders.prepare(tmp_path / "out")
    return tmp_path / "out"


def held(out: Path) -> dict[str, bytes]:
    return {
        file.relative_to(out).as_posix(): file.read_bytes()
        for file in out.rglob("*")
        if file.is_file()
    }


def entry(judgements: str = "j", measure: str = "nDCG@5", value: float = 0.5) -> Entry:
    return Entry("run", judgements, "md5", measure, value, {"1": value}, 1.0)


def test_a_point_is_there_with_its_files_and_nothing_else(out):
    folders.publish(out, "key", FILES)
    assert held(out) == {"points/key/run.txt": b"run", "points/key/scores.json": b"[]"}
    assert sorted(p.name for p in (out / "points").iterdir()) == ["key"]


def test_the_second_to_do_a_point_drops_what_it_made(out):
    folders.publish(out, "key", FILES)
    folders.publish(out, "key", {"run.txt": b"another", "scores.json": b"another"})
    assert held(out) == {"points/key/run.txt": b"run", "points/key/scores.json": b"[]"}


def test_what_fails_on_the_way_leaves_nothing(out, monkeypatch):
    def full(_file):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    folders.publish(out, "first", FILES)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RunError, match=r"No space left on device; make room there and call again"):
        folders.publish(out, "key", FILES)
    with pytest.raises(RunError, match="No space left"):
        folders.write(out, "table.csv", b"table")
    assert set(held(out)) == {"points/first/run.txt", "points/first/scores.json"}
    assert sorted(p.name for p in (out / "points").iterdir()) == ["first"]


def test_a_file_is_replaced_whole(out):
    folders.write(out, "table.csv", b"old")
    folders.write(out, "table.csv", b"new")
    folders.publish(out, "key", FILES)
    folders.write(out, "points/key/scores.json", b"more")
    assert held(out)["table.csv"] == b"new"
    assert held(out)["points/key/scores.json"] == b"more"


def test_what_killed_processes_left_is_removed_and_nobody_elses(out):
    points = out / "points"
    folders.publish(out, "key", FILES)
    (points / "key" / lock.LOCK).touch()  # killed between its two last steps
    left = points / ".other.00000000.part"
    left.mkdir()
    (left / "run.txt").touch()
    with lock.alone(points / ".alive.00000000.part", lambda: None):
        folders.prepare(out)
        assert sorted(p.name for p in points.iterdir()) == [".alive.00000000.part", "key"]
    assert sorted(p.name for p in (points / "key").iterdir()) == ["run.txt", "scores.json"]


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"file/out: cannot be written: .*needed for the sweep"):
        folders.prepare(tmp_path / "file" / "out")


def test_scores_have_an_order_of_their_own(out):
    some = [entry("b"), entry("a", "P@10"), entry("a", value=math.nan)]
    content = folders.scores(some)
    assert content == folders.scores(some[::-1])
    assert [(one["judgements"], one["measure"]) for one in json.loads(content)] == [
        ("a", "P@10"),
        ("a", "nDCG@5"),
        ("b", "nDCG@5"),
    ]
    folders.publish(out, "key", {"scores.json": content})
    read = folders.entries(out, "key")
    assert read is not None
    assert [one.measure for one in read] == ["P@10", "nDCG@5", "nDCG@5"]
    assert math.isnan(read[1].mean)


def test_a_point_that_is_not_there_has_no_scores(out):
    assert folders.entries(out, "key") is None


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b'[{"run": "x"}]', b"\xff"])
def test_damaged_scores_are_none(out, content):
    folders.publish(out, "key", {"scores.json": content})
    assert folders.entries(out, "key") == []
