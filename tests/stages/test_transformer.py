from dataclasses import replace

import pandas as pd
import pyterrier as pt
import pytest

from pipeline.stages.base import RANKING, Context, Retriever, Stage
from pipeline.stages.rerank.argument_length import ArgumentLength
from pipeline.stages.transformer import StageTransformer, chain


class Found(Retriever):
    """Finds one document, named after the place it was built at."""

    name = "found"

    def build(self, context):
        return StageTransformer(
            self, lambda queries: queries.assign(docno=context.place, score=1.0, rank=0)
        )


class Looks(Stage):
    """Notes what it is lent."""

    verb = "rerank"
    name = "looks"
    takes = RANKING

    def build(self, context):
        return StageTransformer(self, lambda ranking: ranking, context.retriever)


QUERIES = pd.DataFrame({"qid": ["1"], "query": ["q"]})


def test_equal_if_stage_and_index_are(context):
    one, same = ArgumentLength(depth=5).build(context), ArgumentLength(depth=5).build(context)
    assert one == same
    assert hash(one) == hash(same)
    assert one != ArgumentLength(depth=6).build(context)
    assert one != "something else"


def test_another_index_makes_another_transformer(context, context_with):
    assert ArgumentLength().build(context) != ArgumentLength().build(context_with({}))


def test_it_is_shown_by_verb_and_name(context):
    assert repr(ArgumentLength().build(context)) == "<rerank: argument_length>"


def test_a_chain_runs_its_stages_in_order(context):
    assert list(chain([Found(), Looks()], context)(QUERIES)["docno"]) == ["stages[0]"]


def test_a_stage_is_lent_the_nearest_retriever_before_it(context):
    steps = chain([Looks(), Found(), Found(num_results=5), Looks(), Looks()], context).transformers
    assert [step.lent for step in steps if step.stage == Looks()] == [
        (None,),
        (steps[2],),
        (steps[2],),
    ]
    assert steps[1] != steps[2]


def test_an_empty_chain_changes_nothing(context):
    assert chain([], context)(QUERIES) is QUERIES


def test_equal_chains(context):
    assert chain([Found(), Looks()], context) == chain([Found(), Looks()], context)
    assert hash(chain([Found()], context)) == hash(chain([Found()], context))
    assert chain([Found()], context) != chain([Found(num_results=5)], context)
    assert chain([Found()], context) != Found().build(context)
    assert repr(chain([Found(), Looks()], context)) == "(<retrieve: found> >> <rerank: looks>)"


def test_each_stage_is_carried_out_at_its_place(context):
    seen = []

    def carry_out(place, transformer, frame):
        seen.append((place, repr(transformer), list(frame)))
        return transformer.transform(frame)

    chain([Found(), Looks()], replace(context, carry_out=carry_out), "here")(QUERIES)
    found = [*QUERIES, "docno", "score", "rank"]
    assert seen == [
        ("here[0]", "<retrieve: found>", list(QUERIES)),
        ("here[1]", "<rerank: looks>", found),
    ]


def test_who_carries_a_stage_out_says_what_comes_of_it(context):
    given = QUERIES.assign(docno="d", score=1.0, rank=0)
    pipeline = chain([Found(), Looks()], replace(context, carry_out=lambda *_step: given))
    assert pipeline(QUERIES) is given


def test_transformers_join_with_pyterriers_own(context):
    twice = Found().build(context) >> Looks().build(context)
    assert isinstance(twice, pt.Transformer)
    assert len(twice(QUERIES)) == 1


def test_a_context_needs_no_more_than_indexes():
    with pytest.raises(KeyError):
        Context(indexes={}).index("body")
