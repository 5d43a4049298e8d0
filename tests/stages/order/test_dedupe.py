import pandas as pd
import pytest

from pipeline.stages.order.dedupe import Dedupe

PARTS = {
    "a-1": {"conclusion": "Ban zoos", "premises": "They are cruel.", "author": "ann"},
    "b-1": {"conclusion": "BAN  zoos", "premises": "they\nare  cruel. ", "author": "bob"},
    "a-2": {"conclusion": "Keep zoos", "premises": "They are cruel.", "author": "Ann"},
    "c-1": {"author": ""},
    "d-1": {},
}


def kept(context, ranking, **parameters):
    return list(Dedupe(**parameters).build(context)(ranking)["docno"])


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("text", ["a-1", "a-2", "c-1", "d-1"]),
        ("premises", ["a-1", "c-1", "d-1"]),
        ("conclusion", ["a-1", "a-2", "c-1", "d-1"]),
        ("author", ["a-1", "b-1", "c-1", "d-1"]),
        ("debate", ["a-1", "b-1", "c-1", "d-1"]),
    ],
)
def test_the_first_of_a_kind_stays_and_so_does_what_has_none(context_with, topic, by, expected):
    assert kept(context_with(PARTS), topic(*PARTS), by=by) == expected


def test_the_first_is_the_best_by_rank(context_with, topic):
    ranking = topic("b-1", "x", "a-1").iloc[[2, 1, 0]]
    assert kept(context_with(PARTS), ranking) == ["b-1", "x"]


def test_topics_do_not_share_kinds(context_with, topic):
    both = pd.concat([topic("a-1", "b-1"), topic("b-1", "a-1", qid="2")])
    assert kept(context_with(PARTS), both) == ["a-1", "b-1"]


def test_the_kept_keep_their_scores(context_with, topic):
    new = Dedupe().build(context_with(PARTS))(topic("a-1", "b-1", "a-2", scores=[9, 5, 2]))
    assert list(new["score"]) == [9, 2]
