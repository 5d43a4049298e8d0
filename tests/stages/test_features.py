"""What rerankers on one ranking have in common, and what not."""

from dataclasses import replace

import pytest

from pipeline.stages.rerank.argument_length import ArgumentLength
from pipeline.stages.rerank.readability import Readability


def features(stage, context):
    """The two steps that a reranker is made of."""
    return stage._features(context).transformers


@pytest.mark.parametrize(
    "mixed",
    [{"weight": 0.3}, {"scale": "z_score"}, {"mix": "product"}, {"mix": "hybrid", "slope": 3}],
)
def test_how_scores_are_mixed_changes_neither_step(context, mixed):
    one, other = (features(stage, context) for stage in (ArgumentLength(), ArgumentLength(**mixed)))
    assert one == other
    assert list(map(hash, one)) == list(map(hash, other))


def test_another_parameter_changes_the_scores(context):
    texts, scores = features(ArgumentLength(), context)
    other_texts, other_scores = features(ArgumentLength(full_at=7), context)
    assert texts == other_texts
    assert scores != other_scores


def test_other_rerankers_read_the_same_texts(context):
    texts, scores = features(ArgumentLength(), context)
    other_texts, other_scores = features(Readability(), context)
    assert texts == other_texts
    assert scores != other_scores


@pytest.mark.parametrize("other", [{"depth": 7}, {"field": "text"}])
def test_other_documents_or_texts(context, other):
    assert features(ArgumentLength(), context)[0] != features(ArgumentLength(**other), context)[0]


def test_another_index_has_other_texts_and_scores(context, context_with):
    one, other = (features(ArgumentLength(), c) for c in (context, context_with({})))
    assert one[0] != other[0]
    assert one[1] != other[1]


def test_both_steps_are_carried_out_at_places_of_their_own(context, topic):
    seen = []

    def carry_out(place, transformer, frame):
        after = transformer.transform(frame)
        seen.append((place, list(after)))
        return after

    watched = replace(context, place="stages[2]", carry_out=carry_out)
    given = topic("a", "b", "c")
    ArgumentLength(depth=2).build(watched)(given)
    assert seen == [
        ("stages[2].texts", [*given, "text"]),
        ("stages[2].scores", ["qid", "docno", "new"]),
    ]
