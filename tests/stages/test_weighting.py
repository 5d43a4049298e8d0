"""One stage a weighting model, to retrieve and to rerank, without Java."""

import pandas as pd
import pytest
from pydantic import ValidationError

from pipeline.index.apart import Apart
from pipeline.index.models import BM25, MODELS, PL2F, SDM, DirichletLM, Pairs
from pipeline.index.models.base import PerField
from pipeline.index.settings import IndexSettings
from pipeline.stages.base import REGISTRY, Context

ONE = {"": IndexSettings()}
TWO = {"": IndexSettings(fields={"text": ("premises",), "title": ("title",)})}
ARRAYS = {"": IndexSettings(engine="arrays")}
TWO_ARRAYS = {"": TWO[""].model_copy(update={"engine": "arrays"})}


class FakeIndex:
    """Answers with what it was asked."""

    def retriever(self, *asked):
        return asked

    def scores(self, model, ranking, apart=None):
        self.apart = apart
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
    assert asked == (DirichletLM(mu=500.0), 7, None)
    model, number, apart = stage("retrieve", "bm25").build(CONTEXT)
    assert (model, type(model), number, apart) == (BM25(), BM25, 1000, None)


def test_the_index_is_told_which_fields_are_searched_apart(ranking):
    given = {"fields": {"title": 2, "text": 0.5}, "required": ["title"]}
    expected = Apart(PerField(text=0.5, title=2.0), ("title",))
    assert stage("retrieve", "bm25", **given).build(CONTEXT)[2] == expected
    index = FakeIndex()
    made = stage("rerank", "dirichlet_lm", **given, mix="replace")
    made.scorer(Context({"": index}))(ranking)
    assert index.apart == expected
    assert hash(expected) == hash(stage("retrieve", "dph", **given).apart())
    assert stage("retrieve", "dph", required=["title"]).apart() == Apart(required=("title",))


def test_proximity_asks_the_index_for_its_model(ranking):
    asked = stage("retrieve", "sdm", mu=500.0, window=12, num_results=7).build(CONTEXT)
    assert asked == (SDM(mu=500.0, window=12), 7)
    made = stage("rerank", "proximity", pairs="all", by="dirichlet_lm", parameters={"mu": 9})
    assert made.model() == Pairs(pairs="all", by="dirichlet_lm", parameters={"mu": 9.0})
    assert made.model().weighting() == DirichletLM(mu=9.0)
    asked = []
    index = FakeIndex()
    index.scores = lambda *given: asked.append(given)
    made.scorer(Context({"": index}))(ranking)
    assert asked == [(made.model(), ranking)]


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
        ("weights", "no field 'titel', did you mean 'title'?; there is text, title"),
        ("c", "no field 'body'; there is text, title"),
    ]
    assert made.model() == PL2F(weights={"titel": 2.0}, c={"title": 2.0, "body": 1.0})


def test_other_models_have_nothing_against_an_index_of_their_engines():
    for name, kind in MODELS.items():
        for one, two in ((ONE, TWO), (ARRAYS, TWO_ARRAYS)):
            if not kind.needs_fields and one[""].engine in kind.engines:
                assert stage("retrieve", name).problems(one, []) == []
                assert stage("rerank", name).problems(two, []) == []


@pytest.mark.parametrize(
    ("verb", "name"),
    [
        *(("retrieve", name) for name, kind in MODELS.items() if "terrier" not in kind.engines),
        ("rerank", "lucene_bm25"),
        ("retrieve", "sdm"),
        ("rerank", "proximity"),
    ],
)
def test_an_engine_without_the_model_is_named_with_the_one_that_has_it(verb, name):
    what = f"engine terrier has no {name}; give the index engine: arrays"
    assert stage(verb, name).problems(ONE, []) == [("", what)]
    assert stage(verb, name).problems(ARRAYS, []) == []


AS_ONE = "engine terrier searches all fields as one text; give the index engine: arrays"
APART = [
    (TWO, "bm25", {"fields": {"title": 2}}, "fields", AS_ONE),
    (TWO, "dph", {"required": ["title"]}, "required", AS_ONE),
    (TWO, "bm25f", {"fields": {"title": 2}}, "fields", "bm25f weighs fields by parameters of its"),
    (TWO_ARRAYS, "pl2f", {"required": ["text"]}, "required", "pl2f weighs fields by parameters"),
    (
        TWO_ARRAYS,
        "lucene_dfi",
        {"fields": {"titel": 2}},
        "fields",
        "no field 'titel', did you mean 'title'?; there is text, title",
    ),
    (TWO_ARRAYS, "tf", {"required": ["body"]}, "required", "no field 'body'; there is text, title"),
    (
        TWO_ARRAYS,
        "bm25",
        {"fields": {"text": 1}, "required": ["title"]},
        "required",
        "'title' is not searched; fields: has text",
    ),
]


@pytest.mark.parametrize("verb", ["retrieve", "rerank"])
@pytest.mark.parametrize(("indexes", "name", "given", "parameter", "what"), APART)
def test_what_speaks_against_fields_apart(verb, indexes, name, given, parameter, what):
    ((found, said),) = stage(verb, name, **given).problems(indexes, [])
    assert found == parameter
    assert said.startswith(what)


def test_fields_apart_that_fit_are_fine():
    made = stage("retrieve", "bm25", fields={"title": 0.5}, required=["title"])
    assert made.problems(TWO_ARRAYS, []) == []
    assert stage("rerank", "dph", required=["text"]).problems(TWO_ARRAYS, []) == []
    assert stage("rerank", "dph", fields={"text": 2}).problems(ARRAYS, []) == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"by": "bm52"}, "'bm52', did you mean 'bm25'?; there is bb2, bm25, "),
        ({"by": "bm25f"}, "'bm25f', did you mean 'bm25'?"),
        ({"by": "lucene_bm25"}, "'lucene_bm25'"),
        ({"parameters": {"mu": 1}}, "bm25: mu: Extra inputs are not permitted"),
        ({"parameters": {"b": 2}}, "bm25: b: Input should be less than or equal to 1"),
        ({"window": 1}, "greater than or equal to 2"),
    ],
)
def test_a_pair_is_weighed_by_a_model_with_parameters_of_its_own(given, said):
    with pytest.raises(ValidationError) as raised:
        stage("rerank", "proximity", **given)
    assert said in str(raised.value)


def test_nothing_is_expanded_after_sdm():
    ((_, what),) = stage("expand", "rm3").problems(ARRAYS, [stage("retrieve", "sdm")])
    assert what.startswith("it repeats retrieve: sdm, which ignores the weights of terms")
