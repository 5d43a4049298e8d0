"""What holds of every registered order. One that needs parameters has them here."""

import pandas as pd
import pytest

import pipeline.stages  # noqa: F401  (registers them)
from pipeline.ranking import COLUMNS
from pipeline.stages.base import REGISTRY

PARAMETERS = {"cap": {"num": 1}}


@pytest.fixture(params=sorted(REGISTRY["order"]))
def stage(request):
    return REGISTRY["order"][request.param](**PARAMETERS.get(request.param, {}))


def test_nothing_is_invented_or_changed_in_place(stage, context, ranking):
    before = ranking.copy()
    new = stage.build(context)(ranking)
    pd.testing.assert_frame_equal(ranking, before)
    assert list(new) == COLUMNS
    known = set(zip(ranking["qid"], ranking["docno"], strict=True))
    found = list(zip(new["qid"], new["docno"], strict=True))
    assert set(found) <= known
    assert len(set(found)) == len(found)


def test_ranks_count_from_0_and_scores_fall_with_them(stage, context, ranking):
    for _, rows in stage.build(context)(ranking).groupby("qid"):
        assert list(rows["rank"]) == list(range(len(rows)))
        assert rows["score"].is_monotonic_decreasing


def test_the_order_of_rows_does_not_matter(stage, context, ranking):
    work = stage.build(context)
    pd.testing.assert_frame_equal(work(ranking.iloc[[1, 0, 3, 2]]), work(ranking))


def test_empty_in_gives_empty_out(stage, context, ranking):
    new = stage.build(context)(ranking.iloc[:0])
    assert list(new) == COLUMNS
    assert len(new) == 0


def test_equal_stages_make_equal_transformers(stage, context, context_with):
    assert stage.build(context) == stage.model_copy().build(context)
    assert stage.build(context) != stage.build(context_with({}))


def test_it_is_documented(stage):
    assert type(stage).__doc__
    fields = type(stage).model_fields
    assert not [name for name, field in fields.items() if not field.description]
