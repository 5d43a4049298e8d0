"""What holds of every registered fusion. One that needs parameters has them here."""

from dataclasses import replace

import pandas as pd
import pytest

import pipeline.stages  # noqa: F401  (registers them)
from pipeline.errors import InputError
from pipeline.ranking import COLUMNS
from pipeline.stages.base import REGISTRY, Branch
from pipeline.stages.rerank.argument_length import ArgumentLength

PARAMETERS: dict[str, dict[str, object]] = {}


@pytest.fixture(params=sorted(REGISTRY["fuse"]))
def make(request):
    kind = REGISTRY["fuse"][request.param]
    return lambda *branches: kind(branches=branches, **PARAMETERS.get(request.param, {}))


def test_all_documents_of_all_branches_come_out_ranked(make, branch, context, queries):
    stage = make(branch({"a": 3, "b": 1}, {"x": 1}), branch({"c": 9, "a": 7}))
    new = stage.build(context)(queries)
    assert sorted(zip(new["qid"], new["docno"], strict=True)) == [
        ("1", "a"),
        ("1", "b"),
        ("1", "c"),
        ("2", "x"),
    ]
    for _, rows in new.groupby("qid"):
        assert list(rows["rank"]) == list(range(len(rows)))
        assert rows["score"].is_monotonic_decreasing
    assert not new.isna().any(axis=None)


def test_what_came_in_says_the_query(make, branch, context, queries):
    new = make(branch({"a": 3}, {"x": 1}), branch({"c": 9})).build(context)(queries)
    assert list(new) == [*COLUMNS, "title"]
    assert set(zip(new["qid"], new["query"], new["title"], strict=True)) == {
        ("1", "q1", "t1"),
        ("2", "q2", "t2"),
    }


def test_columns_of_documents_stay_whichever_branch_found_them(make, branch, context, queries):
    stage = make(branch({"a": 3}), branch({"b": 9, "a": 7}, stance="PRO"), branch({"c": 1}))
    new = stage.build(context)(queries).set_index("docno")
    assert new["stance"].to_dict() == {"a": "PRO", "b": "PRO", "c": ""}


def test_the_first_branch_says_what_a_document_is(make, branch, context, queries):
    stage = make(branch({"b": 2, "a": 1}, stance="PRO"), branch({"a": 9}, stance="CON"))
    new = stage.build(context)(queries).set_index("docno")
    assert new["stance"].to_dict() == {"a": "PRO", "b": "PRO"}


def test_equal_scores_stand_by_best_rank_then_branch_then_docno(make, branch, fuse):
    even = branch({"d": 5, "c": 5}), branch({"b": 5, "a": 5})
    found = fuse(make(*even))
    assert list(found) in (["d", "b", "c", "a"], ["d", "b", "a", "c"])
    assert next(iter(fuse(make(*reversed(even))))) == "b"


def test_a_branch_without_stages_is_the_ranking_as_it_came(make, context, ranking):
    new = make(Branch()).build(context)(ranking)
    assert list(new["docno"]) == ["short", "long"] * 2
    assert list(new) == COLUMNS


def test_branches_run_apart_and_change_nothing(make, context, ranking):
    before = ranking.copy()
    new = make(Branch(), Branch(stages=(ArgumentLength(),))).build(context)(ranking)
    pd.testing.assert_frame_equal(ranking, before)
    assert len(new) == 4


def test_the_order_of_rows_does_not_matter(make, context, ranking):
    work = make(Branch(), Branch(stages=(ArgumentLength(weight=0.5),))).build(context)
    pd.testing.assert_frame_equal(work(ranking.iloc[[1, 0, 3, 2]]), work(ranking))


def test_empty_in_gives_empty_out(make, context, ranking):
    new = make(Branch(), Branch(stages=(ArgumentLength(),))).build(context)(ranking.iloc[:0])
    assert list(new) == COLUMNS
    assert len(new) == 0


def test_no_branch_found_anything(make, branch, context, queries):
    assert len(make(branch({}), branch({})).build(context)(queries)) == 0


def test_a_branch_that_found_nothing_changes_nothing(make, branch, fuse):
    found = branch({"a": 3, "b": 1})
    assert list(fuse(make(found, branch({})))) == list(fuse(make(found)))


def test_a_branch_of_queries_is_named(make, branch, context, queries):
    work = make(branch({"a": 1}), Branch()).build(replace(context, place="stages[0]"))
    with pytest.raises(InputError, match=r"^stages\[0\].branches\[1\]: only queries"):
        work(queries)


def test_each_stage_of_each_branch_is_carried_out_at_its_place(make, branch, context, queries):
    seen = []

    def carry_out(place, transformer, frame):
        seen.append(place)
        return transformer.transform(frame)

    watched = replace(context, place="stages[2]", carry_out=carry_out)
    make(branch({"a": 1}), branch({"b": 1})).build(watched)(queries)
    places = ["stages[2].branches[0].stages[0]", "stages[2].branches[1].stages[0]"]
    assert seen == places


def test_equal_stages_make_equal_transformers(make, branch, context):
    one, other = branch({"a": 1}), branch({"a": 2})
    assert make(one).build(context) == make(one).build(context)
    assert hash(make(one).build(context)) == hash(make(one).build(context))
    assert make(one).build(context) != make(other).build(context)


def test_another_index_makes_another_transformer(make, context, context_with):
    stage = make(Branch(stages=(ArgumentLength(),)))
    assert stage.build(context) == stage.build(context)
    assert stage.build(context) != stage.build(context_with({}))


def test_it_is_documented(make):
    kind = type(make(Branch()))
    assert kind.__doc__
    assert not [name for name, field in kind.model_fields.items() if not field.description]
