"""Fusions by scores, by hand."""

import math

import pytest

from pipeline.stages.fuse.combmax import CombMAX
from pipeline.stages.fuse.combmin import CombMIN
from pipeline.stages.fuse.combmnz import CombMNZ
from pipeline.stages.fuse.weighted_sum import WeightedSum


@pytest.fixture
def branches(branch):
    """In min_max: a 1, b 1/2, c 0; and c 1, a 1/4, d 0, at weight 1/2."""
    return branch({"a": 9, "b": 7, "c": 5}), branch({"c": 8, "a": 5, "d": 4}, weight=0.5)


@pytest.mark.parametrize(
    ("fusion", "expected"),
    [
        (WeightedSum, {"a": 1 + 0.5 * 1 / 4, "b": 1 / 2, "c": 0 + 0.5 * 1, "d": 0.5 * 0}),
        (CombMNZ, {"a": 2 * (1 + 0.5 * 1 / 4), "c": 2 * (0 + 0.5 * 1), "b": 1 * 1 / 2, "d": 0}),
        (CombMAX, {"a": 1, "c": 0.5 * 1, "b": 1 / 2, "d": 0}),
        (CombMIN, {"b": 1 / 2, "a": 0.5 * 1 / 4, "d": 0.5 * 0, "c": 0}),
    ],
)
def test_min_max_by_hand(fusion, expected, branches, fuse):
    found = fuse(fusion(branches=branches))
    assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("fusion", "expected"),
    [
        (WeightedSum, {"a": 9 + 0.5 * 5, "c": 5 + 0.5 * 8, "b": 7, "d": 0.5 * 4}),
        (CombMNZ, {"a": 2 * (9 + 0.5 * 5), "c": 2 * (5 + 0.5 * 8), "b": 7, "d": 0.5 * 4}),
        (CombMAX, {"a": 9, "b": 7, "c": 5, "d": 0.5 * 4}),
        (CombMIN, {"b": 7, "c": 0.5 * 8, "a": 0.5 * 5, "d": 0.5 * 4}),
    ],
)
def test_scores_as_they_are_by_hand(fusion, expected, branches, fuse):
    found = fuse(fusion(branches=branches, normalise="none"))
    assert found == pytest.approx(expected)
    assert list(found) == list(expected)


@pytest.mark.parametrize(
    ("normalise", "expected"),
    [
        ("sum", {"a": 4 / 6 + 1 / 5, "b": 2 / 6, "c": 0 + 4 / 5, "d": 0}),
        (
            "z_score",
            {
                "a": 2 / math.sqrt(8 / 3) + (5 - 17 / 3) / math.sqrt(26 / 9),
                "b": 0,
                "c": -2 / math.sqrt(8 / 3) + (8 - 17 / 3) / math.sqrt(26 / 9),
                "d": (4 - 17 / 3) / math.sqrt(26 / 9),
            },
        ),
    ],
)
def test_normalised_by_hand(normalise, expected, branch, fuse):
    branches = branch({"a": 9, "b": 7, "c": 5}), branch({"c": 8, "a": 5, "d": 4})
    found = fuse(WeightedSum(branches=branches, normalise=normalise))
    assert found == pytest.approx(expected)


def test_topics_are_normalised_apart(branch, context, queries):
    branches = (branch({"a": 9, "b": 1}, {"x": 900, "y": 500, "z": 100}),)
    new = WeightedSum(branches=branches).build(context)(queries)
    assert list(new["score"]) == [1, 0, 1, 0.5, 0]


def test_the_only_document_of_a_branch_is_its_best(branch, fuse):
    branches = branch({"a": 0.1}), branch({"b": 9, "c": 5})
    assert fuse(WeightedSum(branches=branches)) == {"a": 1, "b": 1, "c": 0}
