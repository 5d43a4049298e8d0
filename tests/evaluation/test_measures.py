"""Held against ir_measures, a reading of the organisers' own, sums by hand, published scores."""

import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.errors import InputError
from pipeline.evaluation.judgements import Judgements, named
from pipeline.evaluation.measures import Scores, parse, score
from pipeline.runs import lenient

LOG2_3 = np.log2(3)


def judged(**topics):
    """Judgements from the grades of each topic's documents."""
    rows = [(qid, docno, grade) for qid, of in topics.items() for docno, grade in of.items()]
    frame = pd.DataFrame(rows, columns=["qid", "docno", "grade"])
    return Judgements("mine", "mine.qrels", "", frame, ())


def ranked(**topics):
    """A ranking from the documents of each topic."""
    rows = [(qid, docno, at) for qid, of in topics.items() for at, docno in enumerate(of)]
    return pd.DataFrame(rows, columns=["qid", "docno", "rank"])


def one(ranking, judgements, measure):
    (scores,) = score(ranking, judgements, [parse(measure)])
    return scores


# by hand


GRADES = judged(a={"x": 2, "y": 1, "z": 0}, b={"x": 1})
FOUND = ranked(a="uyx", b="uvw")


@pytest.mark.parametrize(
    ("measure", "per_topic", "share"),
    [
        ("nDCG@2", {"a": (1 / LOG2_3) / (2 + 1 / LOG2_3), "b": 0}, (1 / 2 + 0) / 2),
        # u is dropped of the first two of a, y closes up; b has nothing judged there
        ("nDCG_organisers@2", {"a": 1 / (2 + 1 / LOG2_3)}, (1 / 2 + 0) / 2),
        # u is dropped of a, and then come y and x
        ("nDCG_condensed@2", {"a": (1 + 2 / LOG2_3) / (2 + 1 / LOG2_3), "b": 0}, (1 / 2 + 0) / 2),
        ("P@3", {"a": 2 / 3, "b": 0}, (2 / 3 + 0) / 2),
        ("RR", {"a": 1 / 2, "b": 0}, (2 / 3 + 0) / 2),
        ("AP", {"a": (1 / 2 + 2 / 3) / 2, "b": 0}, (2 / 3 + 0) / 2),
        ("Judged@2", {"a": 1 / 2, "b": 0}, (1 / 2 + 0) / 2),
        ("Judged", {"a": 2 / 3, "b": 0}, (2 / 3 + 0) / 2),
    ],
)
def test_by_hand(measure, per_topic, share):
    scores = one(FOUND, GRADES, measure)
    assert scores == Scores(measure, pytest.approx(per_topic), pytest.approx(share))
    assert scores.mean == pytest.approx(sum(per_topic.values()) / len(per_topic))


def test_several_at_once_in_their_order():
    names = ["RR", "nDCG_organisers@2", "nDCG@2", "Judged@2", "nDCG@2"]
    scores = score(FOUND, GRADES, [parse(name) for name in names])
    assert [found.measure for found in scores] == names
    assert scores == [one(FOUND, GRADES, name) for name in names]


def test_a_missing_topic_counts_zero_and_an_unjudged_one_nothing():
    scores = one(ranked(b="x", c="xyz"), GRADES, "nDCG@5")
    assert scores.per_topic == {"a": 0, "b": 1}
    assert scores.mean == 1 / 2
    assert one(ranked(b="x", c="xyz"), GRADES, "nDCG_organisers@5").per_topic == {"b": 1}


def test_nothing_found_and_nothing_judged():
    none = ranked(a="x").iloc[:0]
    assert one(none, GRADES, "nDCG@5") == Scores("nDCG@5", {"a": 0, "b": 0}, 0)
    empty = one(none, GRADES, "nDCG_organisers@5")
    assert empty.per_topic == {}
    assert np.isnan(empty.mean)
    assert one(FOUND, GRADES.of([]), "nDCG@5").per_topic == {}


def test_a_topic_without_relevant_documents():
    """It counts 0 for trec_eval; evaluate.py divides 0 by 0, and its mean passes over that."""
    grades = judged(a={"x": 0}, b={"x": 1})
    assert one(ranked(a="x", b="x"), grades, "nDCG@5").per_topic == {"a": 0, "b": 1}
    assert one(ranked(a="x", b="x"), grades, "nDCG_organisers@5").per_topic == {"b": 1}


def test_ranks_decide_not_rows_nor_scores():
    ranking = ranked(a="xyz").iloc[[2, 0, 1]].assign(score=[3.0, 2.0, 1.0])
    assert one(ranking, GRADES, "RR").per_topic["a"] == 1


def test_a_document_again_counts_at_its_better_rank():
    assert one(ranked(a="uuyyx"), GRADES, "AP").per_topic["a"] == (1 / 2 + 2 / 3) / 2


def test_topics_stand_in_the_order_of_their_numbers():
    grades = judged(**{"10": {"x": 1}, "b": {"x": 1}, "9": {"x": 1}})
    assert list(one(ranked(b="x"), grades, "P@1").per_topic) == ["9", "10", "b"]


def test_the_organisers_go_by_the_rank_in_the_file(tmp_path):
    file = tmp_path / "run.txt"
    file.write_text("a Q0 x 2 2.0 t\na Q0 y 1 1.0 t\n", encoding="utf-8")
    ranking = lenient.read(file).ranking
    assert one(ranking, GRADES, "nDCG@1").per_topic["a"] == 1
    assert one(ranking, GRADES, "nDCG_organisers@1").per_topic["a"] == 1 / 2


def test_images_of_each_stance_are_no_ranking(shared):
    stance = named("touche-2022-images/on-stance", shared / "touche-2022-images")
    with pytest.raises(InputError, match="only a run with a stance in column 2 can be scored"):
        one(FOUND, stance, "P@10")


def test_evaluators_are_kept():
    grades = judged(a={"x": 1})
    one(ranked(a="x"), grades, "nDCG@5")
    (kept,) = grades.kept.values()
    one(ranked(a="yx"), grades, "nDCG@5")
    assert list(grades.kept.values()) == [kept]


# against others


DOCNOS = [f"d{number}" for number in range(12)]
TOPICS = st.sampled_from(["1", "2", "30"])
RANKINGS = st.dictionaries(
    TOPICS, st.lists(st.sampled_from(DOCNOS), unique=True, min_size=1, max_size=12), max_size=3
)
JUDGEMENTS = st.dictionaries(
    TOPICS,
    st.dictionaries(st.sampled_from(DOCNOS), st.integers(0, 3), min_size=1),
    min_size=1,
    max_size=3,
)
STANDARD = [
    "nDCG@1", "nDCG@5", "nDCG@10", "nDCG", "P@3", "P(rel=2)@5", "R@5", "AP", "AP@4", "AP(rel=2)",
    "RR", "RR@3", "Rprec", "Bpref", "Success@2", "IPrec@0.1", "Judged@5", "Judged", "infAP",
    "nDCG(judged_only=True)@3", "Compat(p=0.8)", "SetP", "NumRet",
]  # fmt: skip
"""Of each kind some: with a cutoff, without, and with parameters."""


def theirs(ranking, grades, name):
    """What ir_measures says to the whole ranking, with scores that fall by 1."""
    run = {qid: {docno: 20.0 - at for at, docno in enumerate(of)} for qid, of in ranking.items()}
    measure = ir_measures.parse_measure(name)
    found = ir_measures.iter_calc([measure], grades, run)
    return {metric.query_id: metric.value for metric in found if metric.query_id in grades}


@settings(max_examples=50, deadline=None)
@given(RANKINGS, JUDGEMENTS)
def test_like_ir_measures(ranking, grades):
    found = score(ranked(**ranking), judged(**grades), [parse(name) for name in STANDARD])
    for scores in found:
        assert scores.per_topic == pytest.approx(theirs(ranking, grades, scores.measure))


@settings(deadline=None)
@given(RANKINGS, JUDGEMENTS, st.integers(1, 12))
def test_condensed_like_ir_measures(ranking, grades, k):
    scores = one(ranked(**ranking), judged(**grades), f"nDCG_condensed@{k}")
    expected = theirs(ranking, grades, f"nDCG(judged_only=True)@{k}")
    assert scores.per_topic == pytest.approx(expected)
    assert scores.judged == pytest.approx(
        np.mean([*theirs(ranking, grades, f"Judged@{k}").values()])
    )


@settings(deadline=None)
@given(RANKINGS, JUDGEMENTS, st.integers(1, 12))
def test_the_organisers_reading(ranking, grades, k):
    """As their evaluate.py says it, with frames."""
    run = ranked(**ranking)
    qrels = judged(**grades).grades
    rows = run.sort_values(["qid", "rank"]).groupby("qid").head(k)
    rows = rows.merge(qrels, on=["qid", "docno"], how="left").dropna(subset="grade")

    def dcg(of):
        return sum(grade / np.log2(2 + at) for at, grade in enumerate(of.head(k)))

    with np.errstate(invalid="ignore"):
        expected = {
            qid: np.float64(dcg(found["grade"]))
            / np.float64(dcg(qrels[qrels["qid"] == qid]["grade"].sort_values(ascending=False)))
            for qid, found in rows.groupby("qid")
        }
    expected = {qid: value for qid, value in expected.items() if not np.isnan(value)}
    scores = one(run, judged(**grades), f"nDCG_organisers@{k}")
    assert scores.per_topic == pytest.approx(expected)
    if expected:
        assert scores.mean == pytest.approx(pd.Series(expected).mean())


# published


def of_run(shared, run, name, *measures):
    judgements = named(name, shared / run.split("/")[0])
    ranking = lenient.read(shared / run).ranking
    return [found.mean for found in score(ranking, judgements, [parse(m) for m in measures])]


@pytest.mark.parametrize(
    ("run", "name", "published"),
    [
        ("touche-2021/ElrondKRun.txt.gz", "touche-2021/relevance", 0.7198),
        ("touche-2021/seupd-jpp-dirichlet.txt.gz", "touche-2021/relevance", 0.6327),
        ("argq20/run-BM25.txt", "webis-argquality-20/relevance", 0.7319),
        ("argq20/run-DPH.txt", "webis-argquality-20/relevance", 0.8277),
        ("argq20/run-DirichletLM.txt", "webis-argquality-20/relevance", 0.8497),
    ],
)
def test_published_scores(shared, run, name, published):
    """Both readings are one where all of the first five are judged."""
    trec, organisers, share = of_run(
        shared, run, name, "nDCG@5", "nDCG_organisers@5", "Judged@5"
    )  # fmt: skip
    assert trec == pytest.approx(published, abs=0.00005)
    assert organisers == pytest.approx(trec, abs=1e-12)
    assert share == 1


@pytest.mark.parametrize("name", ["nDCG@5", "AP", "P@10", "nDCG(judged_only=True)@10"])
def test_like_ir_measures_on_a_real_run(shared, name):
    """Told by its own scores, not by ranks."""
    judgements = named("touche-2021/relevance", shared / "touche-2021")
    ranking = lenient.read(shared / "touche-2021" / "ElrondKRun.txt.gz").ranking
    run = ranking.rename(columns={"qid": "query_id", "docno": "doc_id"})
    qrels = judgements.grades.rename(
        columns={"qid": "query_id", "docno": "doc_id", "grade": "relevance"}
    )
    measure = ir_measures.parse_measure(name)
    expected = ir_measures.calc_aggregate([measure], qrels, run)[measure]
    assert one(ranking, judgements, name).mean == pytest.approx(expected, abs=1e-12)
