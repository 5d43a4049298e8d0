import itertools

import pytest

from pipeline.stages.fuse.reciprocal_rank import ReciprocalRank


def test_by_hand(branch, fuse):
    branches = branch({"a": 9, "b": 7, "c": 5}), branch({"c": 8, "a": 5, "d": 4}, weight=0.5)
    assert fuse(ReciprocalRank(branches=branches)) == pytest.approx(
        {
            "a": 1 / (60 + 1) + 0.5 / (60 + 2),
            "c": 1 / (60 + 3) + 0.5 / (60 + 1),
            "b": 1 / (60 + 2),
            "d": 0.5 / (60 + 3),
        }
    )


def test_k(branch, fuse):
    branches = branch({"a": 9, "b": 7}), branch({"b": 8})
    assert fuse(ReciprocalRank(branches=branches, k=0)) == {"b": 1 / 2 + 1 / 1, "a": 1 / 1}


def test_documents_that_trade_places_tie_exactly(branch, fuse):
    """A sum must not depend on which branch gave which of its parts."""
    ranks = itertools.permutations("abc")
    branches = [branch({docno: 3 - i for i, docno in enumerate(order)}) for order in ranks]
    found = fuse(ReciprocalRank(branches=branches))
    assert len(set(found.values())) == 1
    assert list(found) == ["a", "b", "c"]
