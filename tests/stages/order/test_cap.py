import pandas as pd
import pytest

from pipeline.stages.order.cap import Cap

DOCS = ["a-1", "a-2", "b-1", "a-3", "b-2", "c"]
PARTS = {"a-1": {"stance": "PRO"}, "b-1": {"stance": "CON"}, "b-2": {"stance": "pro"}}


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"num": 1}, ["a-1", "b-1", "c"]),
        ({"num": 2}, ["a-1", "a-2", "b-1", "b-2", "c"]),
        ({"num": 3}, DOCS),
        ({"num": 1, "surplus": "below"}, ["a-1", "b-1", "c", "a-2", "a-3", "b-2"]),
        ({"num": 1, "by": "stance"}, ["a-1", "a-2", "b-1", "a-3", "c"]),
    ],
)
def test_the_surplus_goes(context_with, topic, parameters, expected):
    new = Cap(**parameters).build(context_with(PARTS))(topic(*DOCS))
    assert list(new["docno"]) == expected


def test_moved_documents_take_the_scores_of_their_places(context, topic):
    ranking = topic("a-1", "a-2", "b-1", scores=[9, 5, 2])
    new = Cap(num=1, surplus="below").build(context)(ranking)
    assert dict(zip(new["docno"], new["score"], strict=True)) == {"a-1": 9, "b-1": 5, "a-2": 2}


def test_the_topics_are_capped_apart(context, topic):
    both = pd.concat([topic("a-1", "a-2"), topic("a-2", "a-1", qid="2")])
    assert list(Cap(num=1).build(context)(both)["docno"]) == ["a-1", "a-2"]


def test_debates_need_no_text(context, index, topic):
    Cap(num=1).build(context)(topic(*DOCS))
    assert index.asked == []
