"""Held against sums worked by hand, and scipy's tau."""

import math
import random

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pipeline.evaluation.agreement import (
    Agreement,
    agreement,
    kendall,
    overlap,
    rank_biased_overlap,
)

LISTS = st.lists(st.sampled_from("abcdefghijkl"), unique=True, max_size=12)


def frame(**topics):
    rows = [(qid, docno, rank) for qid, of in topics.items() for rank, docno in enumerate(of)]
    return pd.DataFrame(rows, columns=["qid", "docno", "rank"])


# overlap


def test_overlap_by_hand():
    assert overlap("abcd", "badc", 2) == 2 / 2
    assert overlap("abcd", "bxay", 3) == 2 / 3
    assert overlap("abcd", "wxyz", 4) == 0.0
    assert overlap("abc", "abc", 10) == 1.0  # no more than three there are
    assert overlap("abc", "abcdef", 10) == 3 / 6
    assert overlap("", "abc", 10) == overlap("", "", 10) == 0.0


# RBO


def test_rbo_of_even_lists_by_hand():
    # abc and bcx: X_1 = 0, X_2 = 1, X_3 = 2
    p = 0.9
    seen = 0 / 1 * p + 1 / 2 * p**2 + 2 / 3 * p**3
    assert rank_biased_overlap("abc", "bcx", p) == pytest.approx((1 - p) / p * seen + 2 / 3 * p**3)


def test_rbo_of_uneven_lists_by_hand():
    # ab and bxa: X_1 = 0, X_2 = 1, X_3 = 2; s = 2, l = 3
    p = 0.8
    seen = 0 / 1 * p + 1 / 2 * p**2 + 2 / 3 * p**3
    beyond = 1 * (3 - 2) / (2 * 3) * p**3
    expected = (1 - p) / p * (seen + beyond) + ((2 - 1) / 3 + 1 / 2) * p**3
    assert rank_biased_overlap("ab", "bxa", p) == pytest.approx(expected)
    assert rank_biased_overlap("bxa", "ab", p) == pytest.approx(expected)


def test_rbo_of_the_same_further_down_is_1():
    # what of the longer list the shorter one holds all agrees: extrapolated, it goes on so
    assert rank_biased_overlap("ab", "abcdef") == pytest.approx(1.0)


@given(LISTS, st.floats(0.1, 0.99))
def test_rbo_of_equal_lists_is_1(one, p):
    assert rank_biased_overlap(one, one, p) == pytest.approx(1.0 if one else 0.0)


@given(LISTS, LISTS)
def test_rbo_is_a_share_and_the_same_the_other_way_round(one, other):
    rbo = rank_biased_overlap(one, other)
    assert -1e-9 <= rbo <= 1 + 1e-9
    assert rbo == rank_biased_overlap(other, one)
    if not set(one) & set(other):
        assert rbo == 0.0


@given(LISTS, LISTS)
def test_rbo_counts_what_is_shared_at_each_depth(one, other):
    p, (short, long) = 0.7, sorted((one, other), key=len)
    s, length = len(short), len(long)
    if not s:
        return
    x = [len(set(short[:d]) & set(long[:d])) for d in range(length + 1)]
    seen = sum(x[d] / d * p**d for d in range(1, length + 1))
    beyond = sum(x[s] * (d - s) / (s * d) * p**d for d in range(s + 1, length + 1))
    expected = (1 - p) / p * (seen + beyond) + ((x[length] - x[s]) / length + x[s] / s) * p**length
    assert rank_biased_overlap(one, other, p) == pytest.approx(expected)


# Kendall's tau


def test_tau_by_hand():
    assert kendall("abc", "acb") == 1 - 2 * 1 / 3
    assert kendall("abc", "cba") == -1.0
    assert kendall("axbyc", "abczz") == 1.0  # over a, b, c
    assert math.isnan(kendall("abc", "cxy"))
    assert math.isnan(kendall("", "abc"))


def test_tau_is_scipys():
    draw = random.Random(1)
    documents = [f"d{i}" for i in range(300)]
    for _ in range(20):
        one, other = draw.sample(documents, 200), draw.sample(documents, 150)
        both = sorted(set(one) & set(other))
        theirs = stats.kendalltau([one.index(d) for d in both], [other.index(d) for d in both])
        assert kendall(one, other) == pytest.approx(theirs.statistic)


# rankings


def test_agreement_is_taken_topic_by_topic():
    found = agreement(frame(t1="abc", t2="xy"), frame(t1="acb", t2="yx"), depth=2)
    assert found.per_topic == {
        "t1": Agreement(1 / 2, rank_biased_overlap("abc", "acb"), 1 - 2 / 3),
        "t2": Agreement(1.0, rank_biased_overlap("xy", "yx"), -1.0),
    }
    assert found.mean.overlap == (1 / 2 + 1) / 2
    assert found.mean.tau == pytest.approx((1 / 3 - 1) / 2)


def test_rank_decides_and_not_the_order_of_rows():
    ours = frame(t1="abcdef", t2="uvwxyz")
    found = agreement(ours, ours.sample(frac=1, random_state=1))
    assert found.mean == pytest.approx((1.0, 1.0, 1.0))


def test_a_topic_that_one_lacks_counts_0_and_has_no_tau():
    found = agreement(frame(t1="abc", t2="ab"), frame(t1="abc"))
    assert found.per_topic["t2"][:2] == (0.0, 0.0)
    assert math.isnan(found.per_topic["t2"].tau)
    assert found.mean == pytest.approx((0.5, 0.5, 1.0))


def test_nothing_agrees_with_nothing():
    empty = frame()
    assert all(map(math.isnan, agreement(empty, empty).mean))


def test_two_published_runs(shared):
    """Overlap of the first ten of two official runs, as it was found by other means."""
    from pipeline.runs import lenient

    elrond, other = (
        lenient.read(shared / "touche-2021" / f"{name}.txt.gz").ranking
        for name in ("ElrondKRun", "seupd-jpp-dirichlet")
    )
    mean = agreement(elrond, other).mean
    assert round(mean.overlap, 2) == 0.54
    assert 0 < mean.rbo < 1
