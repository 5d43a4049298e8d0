from math import isnan, nan

import numpy as np
import pandas as pd
import pytest

from pipeline.errors import InputError
from pipeline.evaluation.significance import interval
from pipeline.experiments.sweep.choose import best, caution, choose, estimate, nested


def frame(rows: dict[int, list[float]], topics: str = "abcd") -> pd.DataFrame:
    return pd.DataFrame(rows, index=list(topics)).T


def test_the_best_point_by_hand():
    scores = frame({1: [0.5, 0.5, 0.5, 0.5], 2: [1, 1, 0.2, 0.2], 3: [0.9, 0.1, 0.9, 0.1]})
    assert best(scores) == 2  # (1 + 1 + 0.2 + 0.2) / 4 = 0.6 against 0.5 and 0.5
    point, in_sample = choose(scores)
    assert point == 2
    assert in_sample.score == pytest.approx((1 + 1 + 0.2 + 0.2) / 4)
    assert in_sample.per_topic == {"a": 1, "b": 1, "c": 0.2, "d": 0.2}
    assert in_sample.interval == interval([1, 1, 0.2, 0.2])


def test_of_equal_points_the_first_is_best():
    assert best(frame({7: [0.1, 0.2, 0.3, 0.4], 3: [0.4, 0.3, 0.2, 0.1], 9: [0, 0, 0, 1.0]})) == 7
    assert 0.1 + 0.2 + 0.3 != 0.3 + 0.2 + 0.1  # the rounding of sums is no reason
    assert best(frame({1: [0.3, 0.2, 0.1, 0], 2: [0.1, 0.2, 0.3, 0]})) == 1
    assert best(frame({1: [0.1, 0.2, 0.3, 0], 2: [0.3, 0.2, 0.1, 0]})) == 1


def test_a_topic_without_a_value_counts_in_no_mean():
    scores = frame({1: [0.9, nan, nan, 0.1], 2: [0.6, 0.6, 0.6, nan], 3: [nan] * 4})
    assert best(scores) == 2  # 0.6 against (0.9 + 0.1) / 2
    point, in_sample = choose(scores)
    assert (point, list(in_sample.per_topic)) == (2, ["a", "b", "c"])
    assert estimate({"a": nan, "b": 0.5}).per_topic == {"b": 0.5}
    assert isnan(estimate({"a": nan}).score)


@pytest.mark.parametrize("scores", [frame({1: [nan] * 4, 2: [nan] * 4}), frame({}), pd.DataFrame()])
def test_nothing_to_choose_by(scores):
    with pytest.raises(InputError, match="no point has a value for any of"):
        best(scores)


def test_nested_leaving_one_topic_out_by_hand():
    scores = frame({1: [0.9, 0.5, 0.1], 2: [0.2, 0.6, 0.6]}, "abc")
    found = nested(scores, folds=3)
    # on all: 1.5 / 3 = 0.5 against 1.4 / 3, so point 1 is best
    assert found.point == 1
    assert found.in_sample.score == pytest.approx((0.9 + 0.5 + 0.1) / 3)
    # without a: 0.6 / 2 against 1.2 / 2, so 2; without b: 1.0 / 2 against 0.8 / 2, so 1;
    # without c: 1.4 / 2 against 0.8 / 2, so 1
    by_topic = {fold.topics: (fold.point, fold.inner, fold.outer) for fold in found.folds}
    assert by_topic == {
        ("a",): (2, pytest.approx((0.6 + 0.6) / 2), 0.2),
        ("b",): (1, pytest.approx((0.9 + 0.1) / 2), 0.5),
        ("c",): (1, pytest.approx((0.9 + 0.5) / 2), 0.1),
    }
    assert found.honest.per_topic == {"a": 0.2, "b": 0.5, "c": 0.1}
    assert found.honest.score == pytest.approx((0.2 + 0.5 + 0.1) / 3)
    assert found.honest.interval == interval([0.2, 0.5, 0.1])
    assert found.optimism == pytest.approx((0.9 + 0.5 + 0.1) / 3 - (0.2 + 0.5 + 0.1) / 3)


def test_two_folds_by_hand():
    scores = frame({1: [1, 1, 0, 0], 2: [0, 0, 1, 1], 3: [0.4, 0.4, 0.4, 0.4]})
    found = nested(scores, folds=2, seed=1)
    assert sorted(topic for fold in found.folds for topic in fold.topics) == list("abcd")
    assert [len(fold.topics) for fold in found.folds] == [2, 2]
    for fold in found.folds:
        others = [topic for topic in "abcd" if topic not in fold.topics]
        means = {point: scores.loc[point, others].mean() for point in (1, 2, 3)}
        assert fold.point == max(means, key=means.get)
        assert fold.inner == pytest.approx(means[fold.point])
        assert fold.outer == pytest.approx(scores.loc[fold.point, list(fold.topics)].mean())


@pytest.mark.parametrize(("folds", "sizes"), [(2, [4, 3]), (5, [2, 2, 1, 1, 1]), (99, [1] * 7)])
def test_folds_are_of_equal_size_and_hold_each_topic_once(folds, sizes):
    scores = frame({1: [0.1] * 7, 2: [0.2] * 7}, "abcdefg")
    found = nested(scores, folds=folds)
    assert [len(fold.topics) for fold in found.folds] == sizes
    assert sorted(topic for fold in found.folds for topic in fold.topics) == list("abcdefg")
    assert found.optimism == pytest.approx(0)


def test_folds_follow_from_topics_and_seed_alone():
    scores = pd.DataFrame(np.random.default_rng(0).random((5, 26))).rename(
        columns=lambda i: f"q{i}"
    )
    first = nested(scores, seed=1)
    shuffled = nested(scores[sorted(scores.columns, reverse=True)], seed=1)
    assert first.folds == shuffled.folds
    assert first.honest.score == pytest.approx(shuffled.honest.score)
    assert nested(scores, seed=2).folds != first.folds
    assert list(shuffled.honest.per_topic) == sorted(scores.columns, reverse=True)


def test_a_topic_without_a_value_is_left_out_of_the_honest_score():
    scores = frame({1: [0.9, 0.9, 0.9, nan], 2: [0.1, 0.1, 0.1, 0.5]})
    found = nested(scores, folds=4)
    assert found.honest.per_topic == {"a": 0.9, "b": 0.9, "c": 0.9}
    (last,) = [fold for fold in found.folds if fold.topics == ("d",)]
    assert (last.point, isnan(last.outer)) == (1, True)


def test_choosing_among_noise_is_too_good_in_sample_and_honest_when_nested():
    """A hundred points that are nothing but chance: the honest score is their mean, about 0.5."""
    scores = pd.DataFrame(np.random.default_rng(1).random((100, 50))).rename(columns=str)
    found = nested(scores)
    assert found.in_sample.score > 0.57
    assert found.honest.score == pytest.approx(0.5, abs=0.05)
    assert found.optimism > 0.05


def test_one_topic_is_too_few():
    with pytest.raises(InputError, match="at least 2 topics, there is 1"):
        nested(frame({1: [0.5]}, "a"))


@pytest.mark.parametrize(
    ("by", "judgements", "judged", "said"),
    [
        ("nDCG@5", "touche-2020/relevance", 0.95, "a third to half"),
        ("nDCG", "touche-2020/relevance", 0.5, "a third to half"),
        ("nDCG_condensed@5", "touche-2020/relevance", 0.5, ""),
        ("nDCG@5", "touche-2021/relevance", 0.95, ""),
        ("nDCG@5", "qrels", 0.9, ""),
        ("nDCG@5", "qrels", 0.69, "31% of the first documents of the chosen point"),
        ("nDCG_condensed@5", "qrels", 0.69, ""),
        ("P@5", "qrels", 0.69, ""),
    ],
)
def test_raw_scores_where_little_is_judged_come_with_a_warning(by, judgements, judged, said):
    found = caution(by, judgements, judged)
    assert bool(found) == bool(said)
    assert said in found
    if said:
        assert by.replace("nDCG", "nDCG_condensed") in found
