"""What holds of every registered reranker. One that needs parameters has them here."""

import pandas as pd
import pytest

import pipeline.stages  # noqa: F401  (registers them)
from pipeline.ranking import COLUMNS
from pipeline.stages.base import REGISTRY

PARAMETERS = {"lexicon": {"words": ["because"]}}


@pytest.fixture(params=sorted(REGISTRY["rerank"]))
def make(request):
    kind = REGISTRY["rerank"][request.param]
    return lambda **more: kind(**PARAMETERS.get(request.param, {}), **more)


def pairs(ranking):
    return sorted(zip(ranking["qid"], ranking["docno"], strict=True))


def test_the_same_documents_come_out_ranked_from_0_and_nothing_is_changed(make, context, ranking):
    before = ranking.copy()
    new = make().build(context)(ranking)
    pd.testing.assert_frame_equal(ranking, before)
    assert pairs(new) == pairs(ranking)
    assert list(new) == COLUMNS
    for _, rows in new.groupby("qid"):
        assert list(rows["rank"]) == list(range(len(rows)))
        assert rows["score"].is_monotonic_decreasing


def test_the_order_of_rows_does_not_matter(make, context, ranking):
    work = make().build(context)
    shuffled = work(ranking.iloc[[1, 0, 3, 2]])
    pd.testing.assert_frame_equal(shuffled, work(ranking))


def test_empty_in_gives_empty_out(make, context, ranking):
    new = make().build(context)(ranking.iloc[:0])
    assert list(new) == COLUMNS
    assert len(new) == 0


def test_weight_0_keeps_the_order(make, context, ranking):
    new = make(weight=0).build(context)(ranking)
    assert list(new["docno"]) == ["short", "long"] * 2


def test_depth_1_keeps_the_order(make, context, ranking):
    new = make(depth=1).build(context)(ranking)
    assert list(new["docno"]) == ["short", "long"] * 2
    assert new.groupby("qid")["score"].nunique().tolist() == [2, 2]


def test_equal_parameters_make_equal_transformers(make, context):
    assert make().build(context) == make().build(context)
    assert make().build(context) != make(depth=7).build(context)


def test_it_is_documented(make):
    kind = type(make())
    assert kind.__doc__
    missing = [name for name, field in kind.model_fields.items() if not field.description]
    assert not missing
