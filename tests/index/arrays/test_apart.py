"""Fields searched apart, against an index of each field."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from pipeline.index.apart import Apart
from pipeline.index.arrays.apart import holders
from pipeline.index.models import BM25, DPH, MODELS, LuceneBM25, LuceneDFI, LuceneLMDirichlet, Tf
from pipeline.index.models.base import PerField
from pipeline.index.settings import IndexSettings

FIELDS = {"body": ("premises",), "said": ("conclusion",), "title": ("title",)}
WORDS = ["zoo", "zoos", "ban", "animal", "tax", "sugar", "school", "uniform", "teacher", "gun"]
ALL = IndexSettings(engine="arrays", fields=FIELDS)
ONE = {name: IndexSettings(engine="arrays", fields={name: FIELDS[name]}) for name in FIELDS}
TERRIERS = [
    name
    for name, kind in MODELS.items()
    if "terrier" in kind.engines and not kind.needs_fields and name != "bb2"  # no value here
]
APARTS = [
    Apart(),
    Apart(PerField(body=2.0, said=0.5)),
    Apart(PerField(title=3.0), ("title",)),
    Apart(required=("said",)),
    Apart(PerField(body=1.0, said=0.0, title=7.5), ("body", "said")),
]


@pytest.fixture(scope="module")
def arguments(argument):
    """Sixty arguments of few words; some parts are empty."""
    random = np.random.default_rng(3)

    def text(most):
        return " ".join(random.choice(WORDS, random.integers(0, most)))

    return [argument(f"d{n}", text(40), text(6), text(4)) for n in range(60)]


@pytest.fixture(scope="module")
def together(make_arrays, arguments):
    return make_arrays(arguments, ALL)


@pytest.fixture(scope="module")
def alone(make_arrays, arguments):
    """An index of each field."""
    return {name: make_arrays(arguments, settings) for name, settings in ONE.items()}


@pytest.fixture(scope="module")
def queries():
    random = np.random.default_rng(4)
    texts = [" ".join(random.choice(WORDS, random.integers(1, 5))) for _ in range(25)]
    texts += ["", "the", "xqzzy zoo", "gun gun gun zoo zoos"]
    return pd.DataFrame({"qid": [f"q{n}" for n in range(len(texts))], "query": texts})


def scores_of(index, model, queries):
    """Query and docno -> score, of all that is found."""
    found = index.retriever(model, 1000).transform(queries)
    return dict(zip(zip(found["qid"], found["docno"], strict=True), found["score"], strict=True))


def expected(alone, model, queries, apart):
    """The weighted sum over an index of each field, where every required one finds something."""
    weights = apart.weights or dict.fromkeys(FIELDS, 1.0)
    found = {name: scores_of(alone[name], model, queries) for name in weights}
    pairs = set().union(*found.values())
    return {
        pair: sum(weights[name] * found[name].get(pair, 0.0) for name in weights)
        for pair in pairs
        if all(pair in found[name] for name in apart.required)
    }


@pytest.mark.parametrize("apart", APARTS, ids=["all", "two", "one", "said", "three"])
@pytest.mark.parametrize("name", [*TERRIERS, "lucene_bm25", "lucene_tf_idf", "lucene_dfi"])
def test_it_is_the_weighted_sum_over_an_index_of_each_field(together, alone, queries, name, apart):
    model = MODELS[name]()
    wanted = expected(alone, model, queries, apart)
    ranking = together.retriever(model, 1000, apart).transform(queries)
    found = dict(
        zip(zip(ranking["qid"], ranking["docno"], strict=True), ranking["score"], strict=True)
    )
    assert found.keys() == wanted.keys()
    assert wanted
    for pair, score in wanted.items():
        assert found[pair] == pytest.approx(score, rel=1e-6, abs=1e-9), pair
    for _, rows in ranking.groupby("qid"):
        numbers = rows["docno"].str[1:].astype(int)
        order = np.lexsort((numbers, -rows["score"]))
        assert order.tolist() == rows["rank"].tolist() == list(range(len(rows)))


@pytest.mark.parametrize("model", [BM25(), LuceneLMDirichlet()], ids=repr)
def test_documents_given_are_scored_alike_and_others_0(together, queries, model):
    apart = APARTS[2]
    found = together.retriever(model, 1000, apart).transform(queries)
    docnos = [f"d{n}" for n in range(60)]
    rows = queries.merge(pd.DataFrame({"docno": docnos[::-1]}), how="cross")
    scores = rows.assign(score=together.scores(model, rows, apart))
    known = found.set_index(["qid", "docno"])["score"]
    wanted = known.reindex(pd.MultiIndex.from_frame(rows[["qid", "docno"]])).fillna(0.0)
    assert scores["score"].tolist() == wanted.tolist()
    assert 0 < len(found) < len(rows)


def test_the_best_are_cut_where_scores_are_equal(together, queries):
    every = together.retriever(Tf(), 1000, Apart()).transform(queries)
    few = together.retriever(Tf(), 5, Apart()).transform(queries)
    pd.testing.assert_frame_equal(few, every[every["rank"] < 5].reset_index(drop=True))


def test_weighted_terms_count_as_they_are_for_lucene_and_divided_for_terrier(together):
    weighted = pd.DataFrame(
        {"qid": ["1"], "query": ["?"], "query_terms": [{"zoo": 4.0, "gun": 1.0}]}
    )
    smaller = weighted.assign(query_terms=[{"zoo": 1.0, "gun": 0.25}])
    for model, factor in ((LuceneBM25(), 4), (LuceneDFI(), 4), (BM25(), 1), (DPH(), 1)):
        one = together.retriever(model, 100, Apart()).transform(weighted)
        other = together.retriever(model, 100, Apart()).transform(smaller)
        assert one["docno"].tolist() == other["docno"].tolist()
        np.testing.assert_allclose(one["score"], factor * other["score"], rtol=1e-6)


def test_lucene_counts_a_word_twice_that_is_in_the_query_twice(together):
    texts = ["zoo gun", "zoo zoo gun gun"]
    once, twice = (
        together.retriever(LuceneBM25(), 100).transform(pd.DataFrame({"qid": ["1"], "query": [t]}))
        for t in texts
    )
    np.testing.assert_allclose(2 * once["score"], twice["score"], rtol=1e-6)


def test_a_search_by_fields_equals_another_of_the_same(together):
    one, other = Apart(PerField(body=1.0, title=2.0)), Apart(PerField(title=2.0, body=1.0))
    search = together.retriever(BM25(), 10, one)
    assert search == together.retriever(BM25(), 10, other)
    assert hash(search) == hash(together.retriever(BM25(), 10, other))
    assert search != together.retriever(BM25(), 10)
    assert search != together.retriever(BM25(), 10, Apart(PerField(body=1.0)))


def test_holders_of_some_fields(by_hand):
    postings = by_hand({"a": [["x"], [], ["x", "x"]], "b": [["x"], ["x"], ["y"]]})
    x = postings.terms.find("x")
    for fields, docs, tf in (
        ([0], [0, 2], [1, 2]),
        ([1], [0, 1], [1, 1]),
        ([0, 1], [0, 1, 2], [2, 1, 2]),
    ):
        found = holders(postings, x, fields)
        assert (found[0].tolist(), found[1].tolist()) == (docs, tf)
