import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.ranking import COLUMNS, arranged, cut, mix, ranked, rescored, scale

SCORES = st.lists(st.integers(-(10**9), 10**9).map(lambda number: number / 1000), min_size=1)


def frame(*rows):
    return pd.DataFrame(rows, columns=["qid", "query", "docno", "score", "rank"])


@pytest.fixture
def three():
    return frame(
        ["1", "q", "a", 9.0, 0],
        ["1", "q", "b", 5.0, 1],
        ["1", "q", "c", 1.0, 2],
        ["2", "r", "a", 3.0, 0],
    )


def listed(ranking):
    return list(ranking[["qid", "docno", "score", "rank"]].itertuples(index=False, name=None))


@st.composite
def rankings(draw):
    """One to three topics of up to eight documents, rows in any order, scores with ties."""
    rows = []
    for qid in draw(st.lists(st.sampled_from(["1", "2", "10"]), min_size=1, unique=True)):
        scores = sorted(draw(st.lists(st.integers(-3, 3), min_size=1, max_size=8)), reverse=True)
        rows += [[qid, "q", f"d{i}", float(score), i] for i, score in enumerate(scores)]
    return frame(*draw(st.permutations(rows)))


# ranked


def test_the_highest_score_gets_rank_0_in_each_topic(three):
    new = ranked(three.assign(score=[1.0, 3.0, 2.0, 7.0]))
    expected = [("1", "b", 3.0, 0), ("1", "c", 2.0, 1), ("1", "a", 1.0, 2), ("2", "a", 7.0, 0)]
    assert listed(new) == expected


def test_equal_scores_keep_their_old_order(three):
    assert list(ranked(three.assign(score=1.0))["docno"]) == ["a", "b", "c", "a"]


def test_the_order_of_rows_changes_nothing_in_a_topic(three):
    shuffled = three.assign(score=1.0).iloc[[2, 0, 1, 3]]
    pd.testing.assert_frame_equal(ranked(shuffled), ranked(three.assign(score=1.0)))


def test_columns_come_in_one_order_and_others_behind(three):
    mixed = three.assign(stance="PRO")[["rank", "stance", "score", "docno", "query", "qid"]]
    assert list(ranked(mixed)) == [*COLUMNS, "stance"]


@pytest.mark.parametrize("work", [ranked, lambda r: cut(r, 1), lambda r: arranged(r, r["score"])])
def test_nothing_is_changed_in_place(three, work):
    before = three.copy()
    work(three)
    pd.testing.assert_frame_equal(three, before)


def test_an_empty_ranking_stays_one(three):
    empty = three.iloc[:0].drop(columns="rank").assign(rank=pd.Series(dtype=int))
    assert list(ranked(empty)) == COLUMNS
    assert len(ranked(empty)) == 0


# cut and arranged


def test_cut_goes_by_rank_and_topic(three):
    assert listed(cut(three.iloc[::-1], 1)) == [("2", "a", 3.0, 0), ("1", "a", 9.0, 0)]


def test_moved_documents_take_the_scores_of_their_new_places(three):
    place = pd.Series([1.0, 0.0, 0.0, 0.0])
    expected = [("1", "b", 9.0, 0), ("1", "c", 5.0, 1), ("1", "a", 1.0, 2), ("2", "a", 3.0, 0)]
    assert listed(arranged(three, place)) == expected


def test_documents_keep_their_scores_when_others_are_dropped(three):
    place = pd.Series([math.nan, 0.0, 0.0, math.nan])
    assert listed(arranged(three, place)) == [("1", "b", 5.0, 0), ("1", "c", 1.0, 1)]


def test_places_are_matched_by_index_and_not_by_row(three):
    place = pd.Series([0.0, 0.0, 0.0, 1.0], index=[3, 2, 1, 0])
    assert list(arranged(three, place)["docno"]) == ["b", "c", "a", "a"]


# scale

ONE = pd.Series(["1"] * 3)


def scaled(how, *scores):
    return scale(pd.Series([float(s) for s in scores]), pd.Series(["1"] * len(scores)), how)


@pytest.mark.parametrize(
    ("how", "scores", "expected"),
    [
        ("min_max", [9, 5, 1], [(9 - 1) / (9 - 1), (5 - 1) / (9 - 1), 0]),
        ("min_max", [4, 4], [1, 1]),
        ("min_max", [-1, -3], [1, 0]),
        ("z_score", [9, 5, 1], [(9 - 5) / math.sqrt(32 / 3), 0, (1 - 5) / math.sqrt(32 / 3)]),
        ("z_score", [4, 4], [0, 0]),
        ("sum", [9, 5, 1], [(9 - 1) / (8 + 4 + 0), (5 - 1) / (8 + 4 + 0), 0]),
        ("sum", [4, 4], [1 / 2, 1 / 2]),
        ("sum", [0, -2], [1, 0]),
        ("max", [8, 4, -2], [8 / 8, 4 / 8, -2 / 8]),
        ("max", [-2, -4], [-2 / 4, -4 / 4]),
        ("max", [0, 0], [0, 0]),
        ("none", [9, 5, 1], [9, 5, 1]),
    ],
)
def test_scale_by_hand(how, scores, expected):
    assert list(scaled(how, *scores)) == pytest.approx(expected)


def test_topics_are_scaled_apart():
    score = pd.Series([4.0, 30.0, 2.0, 10.0])
    found = scale(score, pd.Series(["1", "2", "1", "2"]), "min_max")
    assert list(found) == [1, 1, 0, 0]


@settings(max_examples=50, deadline=None)
@given(SCORES, st.sampled_from(["min_max", "z_score", "sum", "max", "none"]))
def test_no_scale_turns_the_order_or_loses_a_number(scores, how):
    found = scaled(how, *scores).to_numpy()
    assert np.isfinite(found).all()
    order = np.argsort(scores, kind="stable")
    assert (np.diff(found[order]) >= 0).all()


# mix

OLD, NEW, W = pd.Series([4.0, 2.0, 0.0]), pd.Series([0.0, 1.0, 2.0]), 0.25


def g(x, slope=1.0):
    return 1 / (1 + math.exp(-slope * x))


@pytest.mark.parametrize(
    ("mixing", "slope", "expected"),
    [
        ("linear", 1, [0.75 * 1 + 0.25 * 0, 0.75 * 0.5 + 0.25 * 0.5, 0.75 * 0 + 0.25 * 1]),
        ("product", 1, [1 * (1 + 0.25 * 0), 0.5 * (1 + 0.25 * 0.5), 0 * (1 + 0.25 * 1)]),
        ("replace", 1, [0, 0.5, 1]),
        (
            "sigmoid",
            2,
            [
                0.75 * g(4, 2) + 0.25 * g(0, 2),
                0.75 * g(2, 2) + 0.25 * g(1, 2),
                0.75 * g(0, 2) + 0.25 * g(2, 2),
            ],
        ),
        (
            "hybrid",
            2,
            [0.75 * 1 + 0.25 * g(0, 2), 0.75 * 0.5 + 0.25 * g(1, 2), 0.75 * 0 + 0.25 * g(2, 2)],
        ),
    ],
)
def test_mix_by_hand(mixing, slope, expected):
    found = mix(OLD, NEW, ONE, mixing=mixing, weight=W, scaling="min_max", slope=slope)
    assert list(found) == pytest.approx(expected)


def test_heimdalls_product_takes_scores_as_they_are():
    found = mix(OLD, NEW, ONE, mixing="product", weight=5, scaling="none")
    assert list(found) == [4 * (1 + 5 * 0), 2 * (1 + 5 * 1), 0 * (1 + 5 * 2)]


def test_the_sigmoid_of_a_large_score_does_not_overflow():
    large = pd.Series([1e6, 0.0, -1e6])
    found = mix(large, large, ONE, mixing="sigmoid", weight=1, scaling="none")
    assert list(found) == [1, 0.5, 0]


# rescored


def again(ranking, scores, depth, *, weight=1.0, mixing="linear", scaling="min_max"):
    return rescored(ranking, scores, depth=depth, weight=weight, scaling=scaling, mixing=mixing)


def test_documents_below_depth_follow_in_their_order():
    four = frame(*(["1", "q", docno, 9.0 - i, i] for i, docno in enumerate("abcd")))
    new = again(four, pd.Series([1.0, 3.0]), depth=2)
    expected = [("1", "b", 1.0, 0), ("1", "a", 0.0, 1), ("1", "c", -1 / 2, 2), ("1", "d", -1.0, 3)]
    assert listed(new) == expected


def test_they_stay_below_however_large_the_scores_are():
    four = frame(*(["1", "q", docno, 9.0 - i, i] for i, docno in enumerate("abcd")))
    new = again(four, pd.Series([-1e18, -2e18]), depth=2, mixing="replace", scaling="none")
    assert list(new["docno"]) == ["a", "b", "c", "d"]
    assert (new["score"].diff().dropna() < 0).all()


def test_only_the_rescored_are_scaled():
    four = frame(*(["1", "q", "abcd"[i], s, i] for i, s in enumerate([9.0, 7.0, 5.0, -99.0])))
    new = again(four, pd.Series([0.0, 0.0, 4.0]), depth=3, weight=0.5).set_index("docno")["score"]
    assert new["b"] == 0.5 * (7 - 5) / (9 - 5) + 0.5 * 0 / 4


@settings(max_examples=25, deadline=None)
@given(rankings(), st.integers(1, 9), st.sampled_from(["linear", "product", "sigmoid", "hybrid"]))
def test_weight_0_keeps_the_order(ranking, depth, mixing):
    top = cut(ranking, depth)
    new = again(ranking, -top["score"], depth, weight=0, mixing=mixing)
    assert listed(new)[0][1] == "d0"
    order = ["qid", "docno", "rank"]
    expected = ranking[order].sort_values(order, ignore_index=True)
    pd.testing.assert_frame_equal(new[order].sort_values(order, ignore_index=True), expected)


@settings(max_examples=25, deadline=None)
@given(rankings(), st.integers(1, 9))
def test_scores_fall_with_rank_and_no_document_is_lost(ranking, depth):
    new = again(ranking, -cut(ranking, depth)["score"], depth, weight=0.7)
    for qid, rows in new.groupby("qid"):
        old = ranking[ranking["qid"] == qid]
        assert sorted(rows["docno"]) == sorted(old["docno"])
        assert list(rows["rank"]) == list(range(len(rows)))
        assert (rows["score"].diff().dropna() <= 0).all()
        below = rows[rows["rank"] >= depth]
        assert list(below["docno"]) == [f"d{i}" for i in range(depth, len(rows))]
        if len(below):
            assert below["score"].max() < rows[rows["rank"] < depth]["score"].min()
