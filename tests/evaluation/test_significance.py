"""Held against scipy, statsmodels, PyTerrier's experiments, and sums worked by hand."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pipeline.evaluation import significance
from pipeline.evaluation.significance import (
    compare,
    effect_size,
    holm,
    interval,
    paired_t,
    randomisation,
)


def differences(topics: int, seed: int = 0, shift: float = 0.05) -> np.ndarray:
    return np.random.default_rng(seed).normal(shift, 0.2, topics)


FEW = st.lists(st.integers(-10, 10).map(lambda tenths: tenths / 10), min_size=2, max_size=9)


# interval


def test_interval_of_two_topics_by_hand():
    # 0 0, 0 1, 1 0, 1 1: a quarter of the means is 0, half 0.5, a quarter 1
    assert interval([0.0, 1.0]) == (0.0, 1.0)
    assert interval([0.0, 1.0], level=0.4) == (0.5, 0.5)


def test_interval_is_scipys():
    values = np.random.default_rng(3).random(50)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=100_000, method="percentile", rng=1
    ).confidence_interval
    assert interval(values, resamples=100_000) == pytest.approx(tuple(theirs), abs=0.002)


def test_interval_is_the_same_again_and_another_with_another_seed():
    values = differences(50)
    assert interval(values) == interval(values)
    assert interval(values) != interval(values, seed=2)
    assert interval(values, level=0.5).low > interval(values).low


def test_interval_leaves_out_what_has_no_value():
    assert interval([0.2, math.nan, 0.6]) == interval([0.2, 0.6])


@pytest.mark.parametrize("values", [[], [0.7], [0.7, math.nan]])
def test_one_topic_has_no_interval(values):
    assert all(map(math.isnan, interval(values)))


def test_interval_of_equal_values_is_a_point():
    assert interval([0.25] * 7) == (0.25, 0.25)


# paired t test


@pytest.mark.parametrize("topics", [2, 3, 20, 50])
def test_t_is_scipys(topics):
    d = differences(topics)
    assert paired_t(d) == pytest.approx(stats.ttest_rel(d, np.zeros(topics)).pvalue, abs=1e-12)


def test_t_by_hand():
    # differences 1, 2, 3: mean 2, s = 1, t = 2 / (1 / sqrt(3)); with 2 degrees of freedom
    # the distribution of t is 1/2 + t / (2 sqrt(t^2 + 2))
    t = 2 * math.sqrt(3)
    assert paired_t([1, 2, 3]) == pytest.approx(2 * (0.5 - t / (2 * math.sqrt(t * t + 2))))


@pytest.mark.parametrize("test", [paired_t, randomisation])
@pytest.mark.parametrize("d", [[], [0.0], [0.3], [0.0] * 5, [0.0] * 50], ids=len)
def test_no_difference_and_one_topic_have_p_1(test, d):
    assert test(d) == 1.0


def test_equal_differences():
    d = [0.1] * 9
    assert paired_t(d) == 0.0
    assert effect_size(d) == math.inf
    assert effect_size([-0.1] * 9) == -math.inf
    assert randomisation(d) == 2 / 2**9


# randomisation test


@given(FEW)
def test_every_flip_is_tried_for_few_topics(d):
    observed = abs(math.fsum(d))
    flips = itertools.product([-1, 1], repeat=len(d))
    sums = [abs(math.fsum(s * one for s, one in zip(flip, d, strict=True))) for flip in flips]
    expected = sum(one >= observed - 1e-9 for one in sums) / len(sums)
    assert randomisation(d) == pytest.approx(expected)


def test_randomisation_by_hand():
    # of the 8 sums of +-1 +-2 +-3 only 6 and -6 are as far from 0
    assert randomisation([1, 2, 3]) == 2 / 8
    # 0 stays 0 whatever its sign
    assert randomisation([0, 1, 0, 2, 3]) == 2 / 8


def test_randomisation_is_scipys():
    d = differences(50)
    theirs = stats.permutation_test(
        (d,), np.mean, permutation_type="samples", n_resamples=50_000, rng=1
    )
    assert randomisation(d) == pytest.approx(theirs.pvalue, abs=0.01)


def test_random_flips_count_what_was_observed():
    far = np.linspace(0.5, 1.0, 40)  # no flip of 20,000 comes near
    assert randomisation(far) == 1 / (significance.FLIPS + 1)
    assert randomisation(far, flips=99) == 1 / 100


def test_exact_and_random_agree():
    d = differences(significance.EXACT)
    signs = significance._random_signs(len(d), 100_000, 1)
    drawn = (np.abs(signs @ d) >= abs(d.sum())).mean()
    assert randomisation(d) == pytest.approx(drawn, abs=0.005)


# effect size, Holm


def test_effect_size_by_hand():
    assert effect_size([1, 2, 3]) == 2 / 1
    assert effect_size([-0.1, 0.3]) == pytest.approx(0.1 / math.sqrt(0.2**2 + 0.2**2))
    assert effect_size([0.0, 0.0]) == effect_size([0.4]) == effect_size([]) == 0.0


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([3 * 0.01, 2 * 0.03, 2 * 0.03])
    assert holm([0.5, 0.6]) == [1.0, 1.0]
    assert holm([0.02]) == [0.02]
    assert holm([]) == []


def test_holm_is_that_of_statsmodels():
    from statsmodels.stats.multitest import multipletests

    for number in range(1, 20):
        p = np.random.default_rng(number).beta(0.3, 2, number)
        assert holm(p) == pytest.approx(multipletests(p, method="holm")[1], abs=1e-12)


# compare


def runs(**values):
    return {name: dict(zip("abcdefgh", of, strict=False)) for name, of in values.items()}


def test_every_run_is_compared_with_the_first_and_holm_counts_them_all():
    first = runs(base=[0.1, 0.2, 0.3], one=[0.2, 0.4, 0.6], two=[0.1, 0.2, 0.3])
    second = runs(base=[0.5, 0.5, 0.5], one=[0.1, 0.4, 0.3], two=[0.5, 0.6, 0.9])
    found = compare({("j", "P@5"): first, ("j", "P@10"): second})
    assert [(c.run, c.baseline, c.measure) for c in found] == [
        ("one", "base", "P@5"),
        ("two", "base", "P@5"),
        ("one", "base", "P@10"),
        ("two", "base", "P@10"),
    ]
    assert found[0].difference == pytest.approx((0.1 + 0.2 + 0.3) / 3)
    assert found[0].t == pytest.approx(paired_t([0.1, 0.2, 0.3]))
    assert found[1].t == 1.0
    assert [c.t_holm for c in found] == pytest.approx(holm([c.t for c in found]))
    assert [c.randomisation_holm for c in found] == pytest.approx(
        holm([c.randomisation for c in found])
    )
    assert {c.topics for c in found} == {3}


def test_only_topics_with_a_value_for_both_are_compared():
    given = {"base": {"1": 0.1, "2": 0.2, "3": 0.3, "4": math.nan}, "one": {"3": 0.9, "2": 0.3}}
    (found,) = compare({("j", "m"): given})
    assert (found.topics, found.left_out) == (2, 1)
    assert found.difference == pytest.approx((0.6 + 0.1) / 2)


def test_runs_without_a_topic_in_common_are_not_compared():
    given = {"base": {"1": 0.1}, "one": {"2": 0.3}, "two": {"1": 0.3}}
    (found,) = compare({("j", "m"): given})
    assert (found.run, found.t, found.t_holm) == ("two", 1.0, 1.0)
    assert compare({("j", "m"): {"alone": {"1": 0.1}}}) == []
    assert compare({}) == []


def test_mark_says_which_way():
    up = {"base": {str(i): 0.0 for i in range(9)}, "up": {str(i): 0.5 + i / 100 for i in range(9)}}
    (better,) = compare({("j", "m"): up})
    (worse,) = compare({("j", "m"): dict(reversed(up.items()))})
    assert (better.mark(), worse.mark()) == (1, -1)
    assert better.mark(alpha=1e-12) == 0


def test_as_pyterriers_experiment_has_it(shared):
    """The three runs of argq20 against the first, p and Holm, as ``pt.Experiment`` gives them."""
    import ir_measures
    import pyterrier as pt
    from ir_measures import nDCG

    folder = shared / "argq20"
    qrels = pd.DataFrame(ir_measures.read_trec_qrels(str(folder / "relevance.qrels")))
    qrels.columns = ["qid", "docno", "label", "iteration"]
    names = ["BM25", "DPH", "DirichletLM"]
    frames = [pt.io.read_results(str(folder / f"run-{name}.txt")) for name in names]
    topics = frames[0][["qid"]].drop_duplicates().assign(query="")

    given = [topics, qrels, [nDCG @ 5]]
    values = pt.Experiment(frames, *given, names=names, perquery=True)
    per_topic = {
        name: dict(zip(of["qid"], of["value"], strict=True)) for name, of in values.groupby("name")
    }
    expected = pt.Experiment(frames, *given, names=names, baseline=0, test="t", correction="holm")
    found = compare({("argq20", "nDCG@5"): {name: per_topic[name] for name in names}})
    assert [c.t for c in found] == pytest.approx(expected["nDCG@5 p-value"].tolist()[1:])
    assert [c.t_holm for c in found] == pytest.approx(
        expected["nDCG@5 p-value corrected"].tolist()[1:]
    )
    reject = expected["nDCG@5 reject"].tolist()[1:]
    assert [c.mark() != 0 for c in found] == reject
    means = expected["nDCG@5"].tolist()
    assert [c.difference for c in found] == pytest.approx([mean - means[0] for mean in means[1:]])
