"""What the collection written by hand promises to those who run it first."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from pipeline.collection import topics as topic_files

TINY = Path(__file__).parents[1] / "collection-tiny"
PORTALS = {
    "debateorg": "debate.org",
    "debatepedia": "debatepedia",
    "debatewise": "debatewise",
    "idebate": "idebate",
    "parliamentary": "canadian-parliament",
}


@pytest.fixture(scope="module")
def portals():
    files = {path.stem: json.loads(path.read_text("utf-8")) for path in TINY.glob("*.json")}
    return {name: content["arguments"] for name, content in files.items()}


@pytest.fixture(scope="module")
def arguments(portals):
    return [argument for portal in portals.values() for argument in portal]


@pytest.fixture(scope="module")
def judged():
    rows = [line.split(" ") for line in (TINY / "qrels.txt").read_text().splitlines()]
    return [(qid, docno, int(grade)) for qid, zero, docno, grade in rows if zero == "0"]


def test_five_portals_and_nothing_else(portals):
    assert portals.keys() == PORTALS.keys()
    names = {f"{name}.json" for name in PORTALS} | {"topics.xml", "qrels.txt"}
    assert {path.name for path in TINY.iterdir()} == names


def test_at_least_sixty_short_arguments(arguments):
    assert len(arguments) >= 60
    ids = [argument["id"] for argument in arguments]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"S[0-9a-f]{7,8}-A[0-9a-f]{7,8}", docno) for docno in ids)
    words = [len(argument["premises"][0]["text"].split()) for argument in arguments]
    assert max(words) <= 80
    assert sum(number < 15 for number in words) == 6, "a few documents are noise"


def test_the_shape_is_that_of_the_corpus(portals):
    for name, held in portals.items():
        for argument in held:
            assert list(argument) == ["id", "conclusion", "premises", "context"]
            [premise] = argument["premises"]
            assert premise["text"]
            assert premise["stance"] in ("PRO", "CON")
            context = argument["context"]
            assert context["sourceDomain"] == PORTALS[name]
            assert argument["id"].startswith(context["sourceId"] + "-A")
            assert context["topic" if name == "parliamentary" else "discussionTitle"]


def test_source_texts_hold_their_arguments(arguments):
    with_text = [argument for argument in arguments if "sourceText" in argument["context"]]
    assert len(with_text) >= 10
    for argument in with_text:
        context = argument["context"]
        start, end = (context[f"sourceTextPremise{which}"] for which in ("Start", "End"))
        assert context["sourceText"][start:end] == argument["premises"][0]["text"]


def test_a_line_an_argument():
    for name in PORTALS:
        first, *held, last = (TINY / f"{name}.json").read_text("utf-8").splitlines()
        assert (first, last) == ('{"arguments": [', "]}")
        assert all(json.loads(line.rstrip(","))["id"] for line in held)


def test_six_topics_with_every_part():
    topics = topic_files.read(TINY / "topics.xml")
    assert [topic.number for topic in topics] == ["1", "2", "3", "4", "5", "6"]
    assert all(topic.title and topic.description and topic.narrative for topic in topics)


def test_every_topic_is_judged(judged, arguments):
    known = {argument["id"] for argument in arguments}
    pairs = [(qid, docno) for qid, docno, _ in judged]
    assert len(set(pairs)) == len(pairs)
    assert {docno for _, docno in pairs} <= known
    for topic in topic_files.read(TINY / "topics.xml"):
        grades = Counter(grade for qid, _, grade in judged if qid == topic.number)
        assert grades.keys() == {0, 1, 2}
        assert grades[2] >= 5
    assert {qid for qid, _ in pairs} == {"1", "2", "3", "4", "5", "6"}
