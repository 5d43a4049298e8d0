"""An index of arrays as stages see it: frames in, frames out."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from pipeline.errors import InputError
from pipeline.index.models import BB2, BM25, DPH, DirichletLM, Null, Tf
from pipeline.index.settings import IndexSettings

PLAIN = IndexSettings(engine="arrays", stemmer="none", stopwords="none")
TEXTS = {
    "a": "school law",
    "b": "school uniform",
    "c": "uniform",
    "d": "uniform school school",
    "e": "",
}
RANKING = {"qid": "str", "query": "str", "docno": "str", "score": "float64", "rank": "int64"}


@pytest.fixture(scope="module")
def index(make_arrays, argument):
    return make_arrays([argument(*pair) for pair in TEXTS.items()], PLAIN)


def rows(texts):
    return pd.DataFrame({"qid": [f"q{n}" for n in range(len(texts))], "query": texts})


# -------------------------------------------------------------------------------- the retriever


def test_a_ranking_has_these_columns_and_the_frame_before_stays(index):
    queries = rows(["School!", "?", "law"]).assign(title="t", description="d", narrative="n")
    before = queries.copy()
    ranking = index.retriever(Tf(), 2).transform(queries)
    pd.testing.assert_frame_equal(queries, before)
    expected = pd.DataFrame(
        [
            ["q0", "School!", "d", 2.0, 0],
            ["q0", "School!", "a", 1.0, 1],
            ["q2", "law", "a", 1.0, 0],
        ],
        columns=list(RANKING),
    ).astype(RANKING)
    pd.testing.assert_frame_equal(ranking, expected)


@pytest.mark.parametrize("texts", [["?!", "", "the"], []])
def test_nothing_found_is_an_empty_ranking(index, texts):
    ranking = index.retriever(BM25(), 5).transform(rows(texts))
    assert ranking.empty
    assert {name: str(kind) for name, kind in ranking.dtypes.items()} == RANKING


def test_equal_qids_are_rows_of_their_own(index):
    queries = pd.DataFrame({"qid": ["1", "1"], "query": ["law", "uniform"]}, index=[7, 7])
    ranking = index.retriever(Tf(), 9).transform(queries)
    assert ranking["docno"].tolist() == ["a", "b", "c", "d"]
    assert ranking["query"].tolist() == ["law", "uniform", "uniform", "uniform"]


def test_ties_go_to_the_document_indexed_first(index):
    ranking = index.retriever(Null(), 2).transform(rows(["uniform school"]))
    assert ranking["docno"].tolist() == ["a", "b"]


@pytest.mark.parametrize("num_results", [1, 4, 100_000])
def test_num_results_may_be_any_number(index, num_results):
    ranking = index.retriever(DPH(), num_results).transform(rows(["uniform school"]))
    assert len(ranking) == min(num_results, 4)
    assert ranking["rank"].tolist() == list(range(len(ranking)))
    assert ranking["score"].is_monotonic_decreasing


def test_weighted_terms_are_searched_and_do_not_come_out(index):
    queries = rows(["?!"]).assign(query_terms=[{"school": 1.0, "law": 4.0}])
    ranking = index.retriever(Tf(), 5).transform(queries)
    assert list(ranking) == list(RANKING)
    assert ranking["docno"].tolist() == ["a", "d", "b"]
    assert ranking["score"].tolist() == [1 / 4 + 1, 2 / 4, 1 / 4]


def test_a_document_without_a_value_is_left_out_and_costs_no_other(make_arrays, argument):
    texts = ["hapax", "school hapaxes uniform", *["school uniform law"] * 30, "school law"]
    documents = [argument(f"d{n}", text) for n, text in enumerate(texts)]
    index = make_arrays(documents, IndexSettings(engine="arrays", stemmer="none"))
    asked = rows(["hapax school uniform"])
    ranking = index.retriever(BB2(c=50.0), 5).transform(asked)
    assert ranking["score"].notna().all()
    assert ranking["rank"].tolist() == list(range(5))
    assert "d0" not in ranking["docno"].tolist()
    given = asked.assign(docno="d0")
    assert index.scores(BB2(c=50.0), given).tolist() == [0.0]


def test_a_search_leaves_nothing_to_those_after_it(index):
    models = [BM25(), BM25(k1=0.1, b=0.0), DPH(), BM25(b=1.0), DirichletLM(mu=1.0), DirichletLM()]
    asked = rows(["school uniform", "law"])
    first = {model: index.retriever(model, 9).transform(asked) for model in models}
    for model in reversed(models):
        pd.testing.assert_frame_equal(index.retriever(model, 9).transform(asked), first[model])


# -------------------------------------------------------------------- scores of given documents


def test_scores_are_those_of_retrieval_in_any_order(index):
    ranking = index.retriever(DPH(), 9).transform(rows(["school uniform", "law school"]))
    shuffled = ranking.sample(frac=1, random_state=1)
    before = shuffled.copy()
    scores = index.scores(DPH(), shuffled)
    pd.testing.assert_series_equal(scores, shuffled["score"], check_names=False)
    pd.testing.assert_frame_equal(shuffled, before)


def test_a_document_without_a_word_of_the_query_scores_0(index):
    ranking = pd.DataFrame(
        {
            "qid": ["7", "8", "7", "9", "7", "7"],
            "query": ["law", "?!", "law", "zebra", "law", "law"],
            "docno": ["c", "a", "a", "a", "e", "a"],
        },
        index=[3, 1, 4, 1, 5, 9],
    )
    scores = index.scores(Tf(), ranking)
    assert scores.tolist() == [0.0, 0.0, 1.0, 0.0, 0.0, 1.0]
    assert scores.index.tolist() == [3, 1, 4, 1, 5, 9]
    assert index.scores(Tf(), ranking[:0]).empty


def test_scores_by_weighted_terms(index):
    given = rows(["?!"]).assign(docno="a", query_terms=[{"school": 1.0, "law": 4.0}])
    assert index.scores(Tf(), given).tolist() == [1 / 4 + 1]


@pytest.mark.parametrize("docno", ["nobody", "", "x" * 500, "Ünbekannt", "1\x00"])
def test_an_unknown_document_is_named(index, docno):
    ranking = pd.DataFrame({"qid": ["1"], "query": ["school"], "docno": [docno]})
    with pytest.raises(InputError, match="no document"):
        index.scores(BM25(), ranking)


# ------------------------------------------------------------------------------------ what it is


def test_an_index_knows_its_size_and_its_documents(index):
    assert len(index) == 5
    assert index.ids(["c", "a", "c"]).tolist() == [2, 0, 2]


def test_equal_retrievers_are_equal(index, arrays_mini):
    one = index.retriever(BM25(), 10)
    assert one == index.retriever(BM25(), 10)
    assert hash(one) == hash(index.retriever(BM25(), 10))
    assert one != index
    others = [(index, BM25(), 11), (index, BM25(b=0.1), 10), (index, DPH(), 10)]
    for other, model, number in [*others, (arrays_mini, BM25(), 10)]:
        assert one != other.retriever(model, number)


def test_the_same_folder_is_the_same_index(index):
    from pipeline.index.arrays.index import ArraysIndex

    again = ArraysIndex(index.folder, index.settings, index.texts, index.stream)
    assert again == index
    assert hash(again) == hash(index)
    assert again.retriever(BM25(), 10) == index.retriever(BM25(), 10)
    assert index != "index"


def test_no_java_is_started():
    code = (
        "import sys\n"
        "from pipeline.index.arrays.index import ArraysIndex\n"
        "import pipeline.index.arrays.feedback\n"
        "print('jnius' in sys.modules or 'pipeline.java' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout == "False\n"


def test_both_engines_share_what_they_are_made_of():
    assert IndexSettings(engine="arrays").key() == IndexSettings().key()
    assert IndexSettings(engine="arrays", stemmer="none").key() != IndexSettings().key()


def test_searches_may_run_side_by_side(arrays_mini, topics):
    from concurrent.futures import ThreadPoolExecutor

    search = arrays_mini.retriever(BM25(), 100)
    expected = search.transform(topics)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(search.transform, [topics] * 8):
            pd.testing.assert_frame_equal(found, expected)
    assert np.isfinite(expected["score"]).all()
