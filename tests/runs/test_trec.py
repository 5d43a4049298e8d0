import math
import re
from pathlib import Path
from typing import NamedTuple

import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import AP, RR, P, nDCG

from pipeline.errors import InputError, RunError
from pipeline.runs import trec


class Topic(NamedTuple):
    number: str


TOPICS = [Topic("10"), Topic("9")]


def frame(*rows: tuple) -> pd.DataFrame:
    """A ranking of rows ``(qid, docno, score, rank)``."""
    return pd.DataFrame(rows, columns=["qid", "docno", "score", "rank"])


def written(ranking: pd.DataFrame, topics=TOPICS, **more) -> tuple[list[list[str]], trec.Summary]:
    """The columns of each line of the run, and its summary."""
    content, summary = trec.lines(ranking, topics, "tag", **more)
    return [line.split(" ") for line in content.decode().splitlines()], summary


def documents(ranking: pd.DataFrame, **more) -> list[str]:
    return [line[2] for line in written(ranking, **more)[0]]


def scores(*given: float) -> list[np.float32]:
    """What float32 makes of the scores written for a topic with these, in order of rank."""
    rows = [("9", f"d{rank}", score, rank) for rank, score in enumerate(given)]
    return [np.float32(line[4]) for line in written(frame(*rows))[0]]


# ------------------------------------------------------------------------------ what stands where


def test_a_line_byte_for_byte():
    ranking = frame(("9", "S1-A1", 2.5, 0), ("9", "S1-A2", 1.0, 1), ("10", "S1-A1", 7.25, 0))
    content, summary = trec.lines(ranking, TOPICS, "my-run_2")
    assert content == (
        b"10 Q0 S1-A1 1 7.25 my-run_2\n9 Q0 S1-A1 1 2.5 my-run_2\n9 Q0 S1-A2 2 1.0 my-run_2\n"
    )
    assert summary == trec.Summary("my-run_2", 2, 3, (), 0, 0, 0)


def test_the_rank_decides_and_neither_score_nor_row():
    ranking = frame(("9", "c", 3.0, 2), ("9", "a", 1.0, 0), ("9", "b", 2.0, 1))
    assert documents(ranking) == ["a", "b", "c"]
    lines, _ = written(ranking)
    assert [line[3] for line in lines] == ["1", "2", "3"]


def test_topics_stand_in_their_order():
    ranking = frame(("9", "a", 1.0, 0), ("10", "b", 1.0, 0))
    assert documents(ranking) == ["b", "a"]
    assert documents(ranking, topics=TOPICS[::-1]) == ["a", "b"]


def test_ranks_have_no_gaps():
    ranking = frame(("9", "a", 3.0, 4), ("9", "b", 2.0, 17), ("9", "c", 1.0, 18))
    assert [line[3] for line in written(ranking)[0]] == ["1", "2", "3"]


def test_the_ranking_is_left_as_it_was():
    ranking = frame(("9", "b", 1.0, 1), ("9", "a", math.nan, 0))
    ranking.index = [5, 5]
    before = ranking.copy()
    assert documents(ranking) == ["b"]
    pd.testing.assert_frame_equal(ranking, before)


# ------------------------------------------------------------------------------- what is left out


def test_scores_that_are_no_numbers_are_left_out_and_counted():
    ranking = frame(
        ("9", "a", math.nan, 0),
        ("9", "b", math.inf, 1),
        ("9", "c", 1.0, 2),
        ("9", "d", -math.inf, 3),
        ("9", "e", 0.5, 4),
    )
    lines, summary = written(ranking)
    assert [(line[2], line[3]) for line in lines] == [("c", "1"), ("e", "2")]
    assert summary.not_finite == 3


def test_a_topic_that_loses_all_fails():
    ranking = frame(("9", "a", math.nan, 0), ("10", "b", 1.0, 0), ("9", "c", math.inf, 1))
    with pytest.raises(RunError, match=r"^topic '9': not one score is a finite number; look"):
        written(ranking)


def test_a_document_stands_once_where_it_is_best():
    ranking = frame(("9", "a", 1.0, 0), ("9", "b", 3.0, 1), ("9", "a", 9.0, 2), ("10", "a", 9.0, 0))
    lines, summary = written(ranking)
    assert [(line[0], line[2]) for line in lines] == [("10", "a"), ("9", "a"), ("9", "b")]
    assert summary.doubled == 1


def test_the_better_of_two_counts_only_with_a_finite_score():
    ranking = frame(("9", "a", math.nan, 0), ("9", "b", 3.0, 1), ("9", "a", 2.0, 2))
    assert documents(ranking) == ["b", "a"]


def test_a_topic_is_cut_to_depth():
    ranking = frame(*((qid, f"d{n}", -n, n) for qid in ("9", "10") for n in range(4)))
    lines, summary = written(ranking, depth=3)
    assert [line[2] for line in lines] == ["d0", "d1", "d2"] * 2
    assert summary.too_deep == 2


def test_never_more_than_a_thousand_a_topic():
    ranking = frame(*(("9", f"d{n}", -n, n) for n in range(1002)))
    lines, summary = written(ranking, depth=5000)
    assert (len(lines), summary.lines, summary.too_deep) == (1000, 1000, 2)


def test_a_topic_without_result_gets_no_line_and_is_named():
    lines, summary = written(frame(("9", "a", 1.0, 0)), [Topic("7"), *TOPICS])
    assert [line[0] for line in lines] == ["9"]
    assert (summary.without_result, summary.topics) == (("7", "10"), 1)


# ------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize("tag", ["", "my run", "a\n", "dirichlet/2000", "bm25!", "é", "a b c"])
def test_tags_are_of_letters_digits_and_two_signs(tag):
    with pytest.raises(InputError, match=r"^tag .*: letters, digits, - and _ are allowed$"):
        trec.lines(frame(("9", "a", 1.0, 0)), TOPICS, tag)


def test_a_topic_that_is_none_of_the_input():
    with pytest.raises(RunError, match=r"^topic '8': in the ranking, but not in the topics$"):
        written(frame(("9", "a", 1.0, 0), ("8", "a", 1.0, 0)))


@pytest.mark.parametrize("docno", ["", " ", "a b", "a\t", "\na", "a\u00a0b", "a\0", "\ud800", None])
def test_a_docno_is_one_word(docno):
    with pytest.raises(RunError, match=r"^document .*: a docno is one word without white space$"):
        written(frame(("9", "a", 1.0, 0), ("9", docno, 1.0, 1)))


def test_documents_that_do_not_exist():
    ranking = frame(*(("9", f"d{n}", 1.0, n) for n in range(6)))
    assert documents(ranking, docnos={f"d{n}" for n in range(6)}) == [f"d{n}" for n in range(6)]
    with pytest.raises(RunError, match=r"^documents 'd1', 'd2', 'd3' and 2 more: in the ranking"):
        written(ranking, docnos={"d0"})


@pytest.mark.parametrize("qids", [[], ["9"]])
def test_no_result_at_all_is_no_run(qids):
    ranking = frame(*((qid, "a", 1.0, 0) for qid in qids))
    with pytest.raises(RunError, match="no topic has a result"):
        written(ranking, depth=0)


# ----------------------------------------------------------------------------------------- scores


def below(score: float) -> float:
    return float(np.nextafter(np.float32(score), np.float32(-np.inf)))


def test_scores_that_fall_are_kept():
    assert scores(3.5, 3.25, -1.5) == [3.5, 3.25, -1.5]


def test_ties_fall_by_the_least_that_float32_knows():
    assert scores(1.0, 1.0, 1.0, 0.5) == [1, 1 - 2**-24, 1 - 2**-23, 0.5]


def test_a_tie_in_float32_is_a_tie():
    assert scores(12.0000001, 12.0) == [12, 12 - 2**-20]


def test_scores_against_the_ranks_are_held_down():
    assert scores(1.0, 5.0, 3.0, -2.0) == [1, 1 - 2**-24, 1 - 2**-23, -2]


def test_ties_at_zero_go_through_the_smallest_numbers():
    smallest = 2.0**-149
    assert scores(smallest, 0.0, -0.0, 0.0) == [smallest, 0, -smallest, -2 * smallest]


def test_ties_at_a_power_of_two_change_their_step():
    assert scores(2.0, 2.0, 2.0) == [2, 2 - 2**-23, 2 - 2**-22]
    assert scores(1.0, 1.0) == [1, 1 - 2**-24]
    assert scores(-1.0, -1.0) == [-1, -1 - 2**-23]


def test_no_score_is_lowered_to_infinity():
    largest = float(np.finfo(np.float32).max)
    fallen = scores(-largest, -largest, -1e300)
    assert fallen == sorted(set(fallen), reverse=True)
    assert fallen[2] == -largest


def test_scores_above_float32_are_brought_into_it():
    largest = np.finfo(np.float32).max
    assert scores(1e300, 1e200, 5.0) == [largest, np.nextafter(largest, np.float32(0)), 5]


def test_each_topic_falls_on_its_own():
    ranking = frame(("9", "a", 1.0, 0), ("10", "a", 2.0, 0), ("9", "b", 1.0, 1))
    assert [np.float32(line[4]) for line in written(ranking)[0]] == [2, 1, np.float32(1 - 2**-24)]


def test_a_thousand_ties():
    fallen = scores(*[0.1] * 1000)
    assert fallen == sorted(set(fallen), reverse=True)
    assert fallen[999] == pytest.approx(0.1, rel=1e-4)


@settings(deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=30))
def test_scores_follow_their_recursion(given):
    largest = float(np.finfo(np.float32).max)
    fallen = trec.decreasing(pd.Series(given), pd.Series([0] * len(given)))
    assert np.isfinite(fallen).all()
    assert (np.diff(fallen.astype(np.float64)) < 0).all()
    if max(map(abs, given)) < largest / 2:
        expected = [np.float32(given[0])]
        for score in given[1:]:
            expected.append(min(np.float32(score), np.float32(below(expected[-1]))))
        assert fallen.tolist() == [float(score) for score in expected]


@pytest.mark.parametrize(
    ("score", "digits"),
    [
        (1e-7, "0.0000001"),
        (1e20, "100000000000000000000.0"),
        (16777217.0, "16777216.0"),
        (-0.0, "0.0"),
        (0.1, "0.1"),
        (12, "12.0"),
        (1 / 3, "0.33333334"),
        (-(2.0**-149), f"-0.{'0' * 44}1"),
    ],
)
def test_scores_are_plain_digits(score, digits):
    [line] = written(frame(("9", "a", score, 0)))[0]
    assert line[4] == digits


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), max_size=20, min_size=1)
)
def test_digits_give_the_float32_back(given):
    rows = [("9", f"d{rank}", score, rank) for rank, score in enumerate(given)]
    fallen = trec.decreasing(pd.Series(given), pd.Series([0] * len(given)))
    texts = [line[4] for line in written(frame(*rows))[0]]
    assert [np.float32(text) for text in texts] == fallen.tolist()
    assert all(re.fullmatch(r"-?\d+\.\d+", text) for text in texts)
    numbers = [float(text) for text in texts]
    assert numbers == sorted(set(numbers), reverse=True)


# --------------------------------------------------------------------------------- the evaluators


def by_line(file: Path) -> dict[str, list[str]]:
    """The ranking of an evaluator that goes by the lines of the file."""
    ranked: dict[str, list[str]] = {}
    for line in file.read_text().splitlines():
        qid, _, docno, *_ = line.split()
        ranked.setdefault(qid, []).append(docno)
    return ranked


def by_float64(file: Path) -> dict[str, list[str]]:
    """The ranking of an evaluator that sorts by score in float64, ties by docno descending."""
    held: dict[str, list[tuple[float, str]]] = {}
    for line in file.read_text().splitlines():
        qid, _, docno, _, score, _ = line.split()
        held.setdefault(qid, []).append((float(score), docno))
    return {qid: [docno for _, docno in sorted(rows, reverse=True)] for qid, rows in held.items()}


def ndcg_at_3(ranked: dict[str, list[str]], qrels: dict[str, dict[str, int]]) -> float:
    def dcg(grades: list[int]) -> float:
        return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades[:3], 1))

    values = [
        dcg([grades.get(docno, 0) for docno in ranked[qid]])
        / dcg(sorted(grades.values(), reverse=True))
        for qid, grades in qrels.items()
    ]
    return sum(values) / len(values)


def test_three_evaluators_see_one_ranking(tmp_path):
    qrels = {"10": {"a": 1}, "9": {"b": 2, "c": 1}}
    ranking = frame(
        ("9", "c", 0.5, 2),
        ("9", "d", 0.5, 3),
        ("9", "b", 0.5, 1),
        ("10", "z", 12.0, 1),
        ("9", "a", 0.5, 0),
        ("10", "a", 12.0000001, 0),
    )
    # 10: a z, the first one relevant. 9: a b c d, grades 0 2 1 0.
    worked = (
        1 / 1 + (2 / math.log2(3) + 1 / math.log2(4)) / (2 / math.log2(2) + 1 / math.log2(3))
    ) / 2
    file = tmp_path / "run.txt"
    trec.write(ranking, TOPICS, "tag", file)
    assert by_line(file) == by_float64(file) == {"10": ["a", "z"], "9": ["a", "b", "c", "d"]}
    assert ndcg_at_3(by_line(file), qrels) == pytest.approx(worked)
    assert ndcg_at_3(by_float64(file), qrels) == pytest.approx(worked)
    measured = ir_measures.calc_aggregate(
        [nDCG @ 3, RR, P @ 1], qrels, ir_measures.read_trec_run(str(file))
    )
    assert measured[nDCG @ 3] == pytest.approx(worked)
    assert measured[RR] == pytest.approx((1 / 1 + 1 / 2) / 2)
    assert measured[P @ 1] == pytest.approx((1 + 0) / 2)


@pytest.mark.parametrize(
    ("name", "published"),
    [("ElrondKRun.txt.gz", 0.7198), ("seupd-jpp-dirichlet.txt.gz", 0.6327)],
    ids=["Elrond", "Jean-Pierre Polnareff"],
)
def test_official_runs_score_as_published_before_and_after(shared, tmp_path, name, published):
    folder = shared / "touche-2021"
    qrels = [
        judgement._replace(relevance=max(judgement.relevance, 0))
        for judgement in ir_measures.read_trec_qrels(
            str(folder / "touche-task1-51-100-relevance.qrels")
        )
    ]
    topics = [Topic(str(number)) for number in range(51, 101)]
    measures = [nDCG @ 5, nDCG @ 1000, AP, RR, P @ 10]

    def measured(ranking: pd.DataFrame) -> dict:
        run = ranking.rename(columns={"qid": "query_id", "docno": "doc_id"})
        return ir_measures.calc_aggregate(measures, qrels, run)

    official, _ = trec.read(folder / name)
    before = measured(official)
    assert round(before[nDCG @ 5], 4) == published
    summary = trec.write(official, topics, "again", tmp_path / "run.txt")
    assert (summary.topics, summary.lines) == (50, 50_000)
    again, assumed = trec.read(tmp_path / "run.txt")
    assert assumed == []
    assert measured(again) == before
    assert again["docno"].tolist() == official["docno"].tolist()
    assert np.allclose(again["score"], official["score"], rtol=1e-4, atol=0)


# ------------------------------------------------------------------------------------------ files


def test_write_leaves_the_file_alone_beside_it(tmp_path):
    summary = trec.write(frame(("9", "a", 1.0, 0)), TOPICS, "tag", tmp_path / "run.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["run.txt"]
    assert (tmp_path / "run.txt").read_bytes() == b"9 Q0 a 1 1.0 tag\n"
    assert summary.lines == 1


def test_write_leaves_nothing_of_what_cannot_be_written(tmp_path):
    with pytest.raises(RunError, match=rf"^{tmp_path}/absent/run.txt: cannot be written: No such"):
        trec.write(frame(("9", "a", 1.0, 0)), TOPICS, "tag", tmp_path / "absent" / "run.txt")
