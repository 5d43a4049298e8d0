"""One stage a weighting model, to retrieve and to rerank, without Java."""

import pandas as pd
import pytest

from pipeline.index.models import BM25, MODELS, PL2F, DirichletLM
from pipeline.index.settings import IndexSettings
from pipeline.stages.base import REGISTRY, Context

ONE = {"": IndexSettings()}
TWO = {"": IndexSettings(fields={"text": ("premises",), "title": ("title",)})}


class FakeIndex:
    """Answers with what it was asked."""

    def retriever(self, *asked):
        return asked

    def scores(self, model, ranking):
        return ranking["docno"].str.len() * model.mu


CONTEXT = Context({"": FakeIndex()})


def stage(verb, name, **given):
    return REGISTRY[verb][name](**given)


@pytest.mark.parametrize("verb", ["retrieve", "rerank"])
def test_there_is_one_for_every_model_with_its_parameters(verb):
    assert set(MODELS) <= set(REGISTRY[verb])
    for name, kind in MODELS.items():
        made = REGISTRY[verb][name]
        assert made.name == name
        assert made.__doc__ == kind.__doc__
        for parameter, field in kind.model_fields.items():
            own = made.model_fields[parameter]
            assert (own.default, own.description) == (field.default, field.description)
            assert own.metadata == field.metadata


def test_retrieval_asks_the_index_for_the_model():
    asked = stage("retrieve", "dirichlet_lm", mu=500.0, num_results=7).build(CONTEXT)
    assert asked == (DirichletLM(mu=500.0), 7)
    model, number = stage("retrieve", "bm25").build(CONTEXT)
    assert (model, type(model), number) == (BM25(), BM25, 1000)


def test_the_index_that_is_named_is_asked():
    class Other(FakeIndex):
        def retriever(self, *_asked):
            return "other"

    context = Context({"body": FakeIndex(), "title": Other()})
    assert stage("retrieve", "bm25", index="title").build(context) == "other"


def test_reranking_scores_by_the_model(ranking):
    reranker = stage("rerank", "dirichlet_lm", mu=2.0, mix="replace", scale="none")
    expected = pd.Series([5 * 2.0, 4 * 2.0, 5 * 2.0, 4 * 2.0])
    scores = reranker.scorer(CONTEXT)(ranking)
    pd.testing.assert_series_equal(scores, expected, check_names=False)
    reranked = reranker.build(CONTEXT).transform(ranking)
    assert reranked["docno"].tolist() == ["short", "long"] * 2
    assert reranked["score"].tolist() == expected.tolist()


@pytest.mark.parametrize("verb", ["retrieve", "rerank"])
def test_equal_parameters_compare_equal(verb):
    one = stage(verb, "bm25f", weights={"text": 2, "title": 1})
    assert one == stage(verb, "bm25f", weights={"title": 1.0, "text": 2.0})
    assert hash(one) == hash(stage(verb, "bm25f", weights={"title": 1.0, "text": 2.0}))
    assert one != stage(verb, "bm25f")
    assert stage(verb, "dph") != stage(verb, "dfree")


@pytest.mark.parametrize("verb", ["retrieve", "rerank"])
@pytest.mark.parametrize("name", ["bm25f", "pl2f", "ml2", "mdl2"])
def test_a_field_model_needs_several_fields(verb, name):
    ((parameter, what),) = stage(verb, name).problems(ONE, [])
    assert parameter == ""
    assert what == (
        f"{name} weighs the fields of an index apart, and there is text only; "
        "give the index several, as in fields: {text: [premises], title: [title]}"
    )
    assert stage(verb, name).problems(TWO, []) == []


def test_a_field_that_is_not_there_is_named():
    made = stage("retrieve", "pl2f", weights={"titel": 2.0}, c={"title": 2.0, "body": 1.0})
    assert made.problems(TWO, []) == [
        ("weights", "no field 'titel'; there is text, title"),
        ("c", "no field 'body'; there is text, title"),
    ]
    assert made.model() == PL2F(weights={"titel": 2.0}, c={"title": 2.0, "body": 1.0})


def test_other_models_have_nothing_against_any_index():
    for name, kind in MODELS.items():
        if not kind.needs_fields:
            assert stage("retrieve", name).problems(ONE, []) == []
            assert stage("rerank", name).problems(TWO, []) == []
