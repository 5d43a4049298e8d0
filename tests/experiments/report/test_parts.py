"""Whiskers, differences, seconds, names and texts: the small parts of a page."""

import json
import math
from pathlib import Path

import pytest

from pipeline.experiments.entries import Entry
from pipeline.experiments.report import times, whiskers
from pipeline.experiments.report.board import chance, cutoff
from pipeline.experiments.report.differences import differences, rival
from pipeline.experiments.report.model import (
    Column,
    Made,
    Report,
    System,
    number,
    short_names,
    spelled,
)
from pipeline.experiments.report.page import _seconds, embedded
from pipeline.experiments.report.sources import made
from pipeline.experiments.report.texts import SHORTEST, Document, find, limit
from pipeline.experiments.run import run

COLUMN = Column("zoos", "nDCG@5")


def system(name, **scores):
    values = {qid[1:]: value for qid, value in scores.items()}
    entry = Entry(name, "zoos", "", "nDCG@5", sum(values.values()) / len(values), values, 1.0)
    return System(name, Path("run.txt"), entries={COLUMN: entry})


def test_whisker():
    it = whiskers.whisker(0.5, 0.25, 0.75, (0, 1), 0.1)
    assert (it.low, it.at, it.high, it.zero) == (5 + 25, 5 + 50, 5 + 75, 5 + 10)
    alone = whiskers.whisker(0.5, math.nan, math.nan, (0, 1))
    assert (alone.low, alone.high, alone.zero) == (alone.at, alone.at, None)


@pytest.mark.parametrize(
    ("values", "ends"),
    [([0.61, 0.72], (0.6, 0.75)), ([0.6], (0.6, 0.65)), ([0.05, 0.95], (0.05, 0.95)), ([], (0, 1))],
)
def test_scale(values, ends):
    assert whiskers.around(values) == pytest.approx(ends)


def test_differences():
    base, other = (
        system("base", t1=0.5, t2=0.5, t3=0.5, t4=1.0),
        system("other", t1=0.25, t2=1.0, t3=0.5),
    )
    from pipeline.collection.topics import Topic

    report = Report("r", [other, base], [COLUMN], "base", [Topic(str(n), "") for n in range(1, 5)])
    assert rival(report) is other
    it = differences(report, other, COLUMN)
    assert [(bar.qid, bar.value, bar.share) for bar in it.bars] == [
        ("2", 0.5, 1),
        ("3", 0, 0),
        ("1", -0.25, 0.5),
    ]
    assert (it.better, it.equal, it.worse) == (1, 1, 1)


def test_times(tmp_path):
    parts = {
        "topics": (0.1, 0.1), "reading": (1.0, 0.9), "inverting": (0.5, 0.5), "write": (0.2, 0.1),
        "stages[0] retrieve: bm25": (0.25, 0.25), "stages[1] fuse: combmnz": (2.0, 1.5),
        "stages[1].branches[0].stages[0] rerank: sentiment": (1.5, 1.0),
    }  # fmt: skip
    it = times.times(System("s", tmp_path, Made(parts=parts)))
    assert it.seconds == {"topics": 0.1, "index": 1.5, "retrieve": 0.25, "fuse": 2.0, "write": 0.2}
    assert it.total == pytest.approx(0.1 + 1.5 + 0.25 + 2.0 + 0.2)  # branches are in their fusion
    assert it.cpu == pytest.approx(0.1 + 0.9 + 0.5 + 0.1 + 0.25 + 1.5)
    assert [name for _, name in times.used([it])] == [
        "topics",
        "index",
        "retrieve",
        "fuse",
        "write",
    ]


@pytest.mark.parametrize("held", ["", "[1]", "a: [", "resources: 3", "resources: {parts: [1]}"])
def test_records_that_say_nothing(tmp_path, held):
    (tmp_path / "ir-metadata.yml").write_text(held)
    assert made(tmp_path / "run.txt") == Made()


def test_embedded():
    given = {"a": ["</script>", "<!--", "&", "\u2028", "\u00e4", 'q"\\']}
    text = embedded(given)
    assert json.loads(text) == given
    assert not set("<>&\u2028") & set(text)
    assert "\u00e4" in text


def test_words():
    assert short_names(["stages[0].b", "stages[1].b", "index.stemmer"]) == {
        "stages[0].b": "stages[0].b",
        "stages[1].b": "stages[1].b",
        "index.stemmer": "stemmer",
    }
    assert [spelled(one) for one in ("a", 0.5, True, None, [1, "b"], {})] == [
        "a",
        "0.5",
        "true",
        "null",
        '[1, "b"]',
        "",
    ]
    assert [number(-0.25), number(math.nan)] == ["\u22120.250", "\u2013"]
    assert [chance(p) for p in (0.0001, 0.0314, 1.0)] == ["p < .001", "p = .031", "p = 1.000"]
    assert [_seconds(s) for s in (0.0123, 1.234, 12.34, 1234.5)] == [
        "0.012",
        "1.23",
        "12.3",
        "1,234",
    ]
    assert [cutoff("nDCG@5"), cutoff("nDCG_condensed@20"), cutoff("AP")] == [5, 20, 10]


def test_limit():
    documents = {
        str(n): Document("PRO", "", "x" * length) for n, length in enumerate((100, 1000, 5000))
    }
    assert limit(documents, 100 + 400 + 400) == 400
    assert limit(documents, 10_000) == 6000
    assert limit(documents, 0) == SHORTEST
    assert limit({"a": Document("", "", "\u00e4" * 1000)}, 600) == 300  # bytes count


def test_texts(by_hand, collection, tmp_path):
    """Found alike by an index and by reading; ids of another collection are counted."""
    config = tmp_path / "c.yaml"
    config.write_text("index: {engine: arrays}\nstages: [{retrieve: bm25}]\n")
    run(collection, tmp_path / "out", str(config), tmp_path / "indexes", quiet=True)
    expected = {docno: Document(*of) for docno, of in by_hand.DOCUMENTS.items() if docno != "d"}
    for indexes in (tmp_path / "indexes", None, tmp_path / "none"):
        assert find(["a", "b", "c"], collection, indexes) == (expected, "")
        found, note = find(["a", "x"], collection, indexes)
        assert list(found) == ["a"]
        assert note == f"1 document of the rankings not found in {collection}."
    assert find(["a"], None, None) == ({}, "Texts are left out: no input folder was named (-i IN).")
