"""Expansion as a stage, without Java: what it asks, and where it is refused."""

import pandas as pd
import pyterrier as pt
import pytest

from pipeline.index.models import FEEDBACK, RM3, Bo1
from pipeline.index.settings import IndexSettings
from pipeline.stages.base import REGISTRY, Context

INDEXES = {"": IndexSettings()}


def stage(verb, name, **given):
    return REGISTRY[verb][name](**given)


class Expand(pt.Transformer):
    """Adds the top document's name to the query, as a term."""

    def __init__(self, feedback):
        self.feedback = feedback

    def transform(self, inp):
        top = inp[inp["rank"] == 0]
        terms = [{docno: self.feedback.fb_lambda} for docno in top["docno"]]
        return top[["qid", "query"]].assign(query_terms=terms)


class Retrieve(pt.Transformer):
    """Finds a document named as each term is."""

    def transform(self, inp):
        rows = [
            (qid, query, f"doc of {term}", weight, rank)
            for qid, query, terms in inp.itertuples(index=False)
            for rank, (term, weight) in enumerate(terms.items())
        ]
        return pd.DataFrame(rows, columns=["qid", "query", "docno", "score", "rank"])


class FakeIndex:
    def expander(self, feedback):
        self.asked = feedback
        return Expand(feedback)


def test_each_kind_of_feedback_has_a_stage():
    assert set(REGISTRY["expand"]) >= set(FEEDBACK)
    for name, kind in FEEDBACK.items():
        made = REGISTRY["expand"][name]
        assert made.__doc__ == kind.__doc__
        assert set(made.model_fields) == {*kind.model_fields, "index"}


def test_the_expanded_query_is_retrieved_again_and_the_query_stays(ranking):
    index = FakeIndex()
    expand = stage("expand", "rm3", fb_docs=5, fb_lambda=0.25)
    before = ranking.copy()
    made = expand.build(Context({"": index}, Retrieve())).transform(ranking)
    assert index.asked == RM3(fb_docs=5, fb_lambda=0.25)
    assert made.to_dict("list") == {
        "qid": ["1", "2"],
        "query": ["ban zoos", "tax sugar"],
        "docno": ["doc of short"] * 2,
        "score": [0.25] * 2,
        "rank": [0, 0],
    }
    pd.testing.assert_frame_equal(ranking, before)


def test_feedback_has_the_parameters_of_the_stage():
    assert stage("expand", "bo1", fb_terms=3).feedback() == Bo1(fb_terms=3)
    assert stage("expand", "rm3") == stage("expand", "rm3", fb_docs=3)
    assert stage("expand", "bo1") != stage("expand", "kl")


def test_it_needs_a_retriever_before_it():
    what = "it retrieves again, with the nearest retrieve before it in its list; there is none"
    assert stage("expand", "rm3").problems(INDEXES, []) == [("", what)]
    before = [stage("rerank", "argument_length")]
    assert stage("expand", "kl").problems(INDEXES, before) == [("", what)]


@pytest.mark.parametrize("model", ["dirichlet_lm", "dl", "null"])
@pytest.mark.parametrize("feedback", ["rm3", "bo1", "kl"])
def test_a_model_that_ignores_weights_is_refused(feedback, model):
    before = [stage("retrieve", "bm25"), stage("retrieve", model)]
    ((parameter, what),) = stage("expand", feedback).problems(INDEXES, before)
    assert parameter == ""
    assert what.startswith(f"it repeats retrieve: {model}, which ignores the weights of terms")
    assert stage("expand", feedback).problems(INDEXES, before[::-1]) == []


def test_both_indexes_must_make_the_same_terms():
    indexes = {
        "body": IndexSettings(),
        "title": IndexSettings(fields={"title": ("title",)}),
        "plain": IndexSettings(stemmer="none", stopwords="none"),
    }
    before = [stage("retrieve", "bm25", index="body")]
    assert stage("expand", "rm3", index="title").problems(indexes, before) == []
    found = stage("expand", "rm3", index="plain").problems(indexes, before)
    assert found == [
        (
            "index",
            f"its index and that of retrieve: bm25 differ in {part}; "
            "terms of the one are none of the other",
        )
        for part in ("stopwords", "stemmer")
    ]
