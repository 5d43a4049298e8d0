"""Expanded queries against PyTerrier's own pipeline, and by hand."""

import math

import numpy as np
import pandas as pd
import pytest

from pipeline.analysis.wordlists import WordList
from pipeline.errors import InputError
from pipeline.index.models import BM25, DPH, KL, PL2, RM3, Bo1, DirichletLM, Tf
from pipeline.index.settings import IndexSettings
from pipeline.index.terrier.queries import expanded

pytestmark = pytest.mark.terrier

FEEDBACK = [
    RM3(),
    RM3(fb_docs=10, fb_terms=30, fb_lambda=0.3),
    RM3(fb_lambda=1.0),
    RM3(fb_lambda=0.0),
]
FEEDBACK += [Bo1(), Bo1(fb_docs=7, fb_terms=40), KL(), KL(fb_docs=5, fb_terms=3)]


def by_pyterrier(index, feedback, model, topics):
    """tokenise >> model >> feedback >> model >> reset, as its documentation writes it."""
    import pyterrier as pt

    kinds = {
        RM3: pt.rewrite.RM3,
        Bo1: pt.rewrite.Bo1QueryExpansion,
        KL: pt.rewrite.KLQueryExpansion,
    }
    expand = kinds[type(feedback)](index.java, **feedback.model_dump())
    controls = model.for_terrier([])
    search = pt.terrier.Retriever(
        index.java, wmodel=model.terrier, controls=controls, num_results=1000
    )
    chain = pt.rewrite.tokenise("english") >> search >> expand >> search
    return chain.transform(topics.copy())


@pytest.mark.parametrize("feedback", FEEDBACK, ids=str)
def test_the_ranking_is_that_of_pyterrier(mini, topics, feedback):
    model, topics = PL2(c=2.0), topics[::4]
    search = mini.retriever(model, 1000)
    ours = search.transform(mini.expander(feedback).transform(search.transform(topics)))
    theirs = by_pyterrier(mini, feedback, model, topics)
    assert ours["qid"].nunique() == 13
    titles = dict(zip(topics["qid"], topics["query"], strict=True))
    assert dict(zip(ours["qid"], ours["query"], strict=True)) == titles
    for qid, rows in ours.groupby("qid"):
        expected = theirs[theirs["qid"] == qid]
        assert rows["docno"].tolist() == expected["docno"].tolist()
        assert rows["score"].tolist() == expected["score"].tolist()


def test_the_query_that_comes_out_is_the_topics_own(mini):
    topics = pd.DataFrame({"qid": ["7", "8"], "query": ["Gun laws?", "?!"]})
    ranking = mini.retriever(BM25(), 10).transform(topics)
    queries = mini.expander(RM3()).transform(ranking)
    assert list(queries) == ["qid", "query", "query_terms"]
    assert queries["query"].tolist() == ["Gun laws?"]
    assert {"gun", "law"} < set(queries["query_terms"][0])


def test_rank_says_which_documents_are_the_top_ones(mini, topics):
    ranking = mini.retriever(DPH(), 50).transform(topics[:10])
    before = ranking.copy()
    expand = mini.expander(Bo1())
    expected = expand.transform(ranking)
    pd.testing.assert_frame_equal(ranking, before)
    shuffled = expand.transform(ranking.sample(frac=1, random_state=3))
    shuffled = shuffled.set_index("qid").loc[expected["qid"]].reset_index()
    pd.testing.assert_frame_equal(shuffled, expected)
    assert not expand.transform(ranking[ranking["rank"] > 0]).equals(expected)


def test_topics_without_documents_and_queries_without_words_give_no_row(mini, oracle):
    empty = mini.retriever(BM25(), 10).transform(pd.DataFrame({"qid": ["1"], "query": ["?"]}))
    assert mini.expander(RM3()).transform(empty).empty
    given = pd.DataFrame(
        {"qid": ["1", "2"], "query": ["?!", "school"], "docno": oracle.docnos[:2]}
    ).assign(score=1.0, rank=0)
    assert mini.expander(Bo1()).transform(given)["qid"].tolist() == ["2"]


def test_an_unknown_document_is_named(mini):
    given = pd.DataFrame({"qid": ["1"], "query": ["school"], "docno": ["nobody"]})
    with pytest.raises(InputError, match="nobody"):
        mini.expander(Bo1()).transform(given.assign(score=1.0, rank=0))


def test_equal_expanders_are_equal(mini):
    assert mini.expander(Bo1()) == mini.expander(Bo1())
    assert hash(mini.expander(Bo1())) == hash(mini.expander(Bo1()))
    assert mini.expander(Bo1()) != mini.expander(KL())
    assert mini.expander(Bo1()) != mini.expander(Bo1(fb_terms=11))


# ------------------------------------------------------------------------------------- by hand

TEXTS = {
    "d0": "cat dog dog bird",
    "d1": "cat dog fish",
    **{f"f{number}": "fish" for number in range(20)},
    **{f"b{number}": "bird rock" for number in range(8)},
}
"""30 documents; cat in 2 (cf 2), dog in 2 (cf 3), bird in 9, fish in 21, rock in 8; 43 words."""


@pytest.fixture(scope="module")
def pets(make, argument):
    plain = IndexSettings(stemmer="none", stopwords="none")
    return make([argument(*pair) for pair in TEXTS.items()], plain)


def terms(index, feedback, scores):
    rows = [("1", "cat", docno, score) for docno, score in scores.items()]
    ranking = pd.DataFrame(rows, columns=["qid", "query", "docno", "score"])
    found = index.expander(feedback).transform(ranking.assign(rank=range(len(rows))))
    return found["query_terms"][0]


def test_rm3_by_hand(pets):
    """Of terms in 2 to int(30 / 10) - 1 = 2 documents: cat and dog."""
    found = terms(pets, RM3(fb_docs=2, fb_terms=5, fb_lambda=0.25), {"d0": 1.0, "d1": 0.0})
    first, second = math.exp(1.0), math.exp(0.0)
    cat, dog = first * 1 / 4 + second * 1 / 3, first * 2 / 4 + second * 1 / 3
    expected = {
        "cat": 0.25 * 1.0 + 0.75 * cat / (cat + dog),
        "dog": 0.75 * dog / (cat + dog),
    }
    assert found == pytest.approx(expected, abs=1e-7)


def test_bo1_by_hand(pets):
    """Terms of two of the documents, and bird, which is in one, with weight 0."""
    found = terms(pets, Bo1(fb_docs=2, fb_terms=4), {"d0": 1.0, "d1": 0.0})

    def weight(x, f):
        return x * math.log2((1 + f) / f) + math.log2(1 + f)

    most = weight(3, 3 / 30)
    expected = {"cat": 1 + weight(2, 2 / 30) / most, "dog": weight(3, 3 / 30) / most}
    assert {term: found[term] for term in expected} == pytest.approx(expected, abs=1e-9)
    assert set(found.values()) - {found["cat"], found["dog"]} <= {0.0}


def test_kl_by_hand(pets):
    found = terms(pets, KL(fb_docs=2, fb_terms=4), {"d0": 1.0, "d1": 0.0})
    most = 3 / 7 * math.log2(43 / 7) / 1
    expected = {
        "cat": 1 + 2 / 7 * math.log2((2 / 7) / (2 / 43)) / most,
        "dog": 3 / 7 * math.log2((3 / 7) / (3 / 43)) / most,
    }
    assert {term: found[term] for term in expected} == pytest.approx(expected, abs=1e-9)


def test_a_term_that_is_written_twice_adds_up():
    text = "applypipeline:off school^0.500000000 uniform^0.25 school^0.125000000"
    assert expanded(text) == {"school": 0.625, "uniform": 0.25}


def test_weights_of_terms_reach_the_second_retrieval(pets):
    """What dirichlet_lm would not do."""
    query = pd.DataFrame({"qid": ["1"], "query": ["x"], "query_terms": [{"cat": 1.0, "dog": 0.5}]})
    scores = pets.retriever(Tf(), 5).transform(query)["score"].tolist()
    assert scores == [1 * 1.0 + 2 * 0.5, 1 * 1.0 + 1 * 0.5]
    weighted = pets.retriever(DirichletLM(), 5).transform(query)["score"]
    plain = pets.retriever(DirichletLM(), 5).transform(query[["qid"]].assign(query="cat dog"))
    np.testing.assert_array_equal(weighted, plain["score"])


def test_an_index_with_its_own_stop_words_keeps_them(make, argument):
    words = WordList(name="list", words=("cat",))
    settings = IndexSettings(stopwords=words, stemmer="none", tokeniser="utf")
    index = make([argument(*pair) for pair in TEXTS.items()], settings)
    given = pd.DataFrame({"qid": ["1"], "query": ["The cat, a dog?"], "docno": ["d0"]})
    found = index.expander(Bo1(fb_docs=1, fb_terms=9)).transform(given.assign(score=1.0, rank=0))
    assert set(found["query_terms"][0]) == {"the", "a", "dog", "bird"}


@pytest.mark.parametrize("feedback", [RM3(), Bo1(), KL()], ids=str)
def test_empty_documents_are_passed_over(make, argument, feedback):
    texts = {**TEXTS, "empty": ""}
    plain = IndexSettings(stemmer="none", stopwords="none")
    index = make([argument(*pair) for pair in texts.items()], plain)
    given = pd.DataFrame({"qid": ["1"] * 2, "query": ["cat"] * 2, "docno": ["empty", "d0"]})
    found = index.expander(feedback).transform(given.assign(score=[2.0, 1.0], rank=[0, 1]))
    without = given[1:].assign(score=1.0, rank=0)
    assert found["query_terms"][0] == index.expander(feedback).transform(without)["query_terms"][0]
    assert index.expander(feedback).transform(given[:1].assign(score=1.0, rank=0)).empty
