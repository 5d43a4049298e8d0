import math
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest
from pydantic import ValidationError

from pipeline.errors import RunError
from pipeline.index.settings import IndexSettings
from pipeline.stages.rerank.argument_length import ArgumentLength
from pipeline.stages.rerank.base import Reranker

INDEXES = {"": IndexSettings(fields={"text": ("premises",), "short": ("conclusion",)})}


class Given(Reranker):
    """Scores documents by what it is given."""

    name = "given"
    needs_text = False
    by_docno: tuple[tuple[str, Any], ...]

    def score(self, ranking):
        assert "text" not in ranking
        return ranking["docno"].map(dict(self.by_docno))


def given(**parameters):
    scores = {"a": 0.0, "b": 4.0, "c": 1.0}
    return Given(by_docno=tuple(scores.items()), **parameters)


def test_new_and_old_scores_mix_over_the_depth(context, topic):
    new = given(depth=2, weight=0.75).build(context)(topic("a", "b", "c"))
    assert list(new["docno"]) == ["b", "a", "c"]
    assert list(new["score"][:2]) == [0.25 * 0 + 0.75 * 1, 0.25 * 1 + 0.75 * 0]


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"mix": "replace", "scale": "none"}, [0, 4, 1]),
        ({"mix": "product", "scale": "none", "weight": 5}, [3, 2 * (1 + 5 * 4), 1 * (1 + 5 * 1)]),
        ({"mix": "linear", "scale": "sum", "weight": 0.5}, [1 / 3, 1 / 6 + 2 / 5, 1 / 10]),
        (
            {"mix": "sigmoid", "slope": 2, "weight": 1},
            [1 / (1 + math.exp(-2 * s)) for s in (0, 4, 1)],
        ),
        ({"mix": "hybrid", "slope": 2, "weight": 0}, [1, 0.5, 0]),
    ],
)
def test_the_parameters_reach_the_mix(context, topic, parameters, expected):
    new = given(**parameters).build(context)(topic("a", "b", "c"))
    found = new.set_index("docno")["score"]
    assert [found[docno] for docno in "abc"] == pytest.approx(expected)


def test_text_is_read_of_the_documents_within_depth_only_and_dropped(context, index, topic):
    new = ArgumentLength(depth=2).build(context)(topic("a", "b", "c"))
    assert index.asked == ["a", "b"]
    assert "text" not in new


def test_the_field_says_which_text(context, index, topic):
    index.settings = INDEXES[""]
    index.documents = {"a": {"premises": "one two"}, "b": {"conclusion": "one"}}
    by_premises, by_conclusion = ArgumentLength(), ArgumentLength(field="short")
    assert list(by_premises.build(context)(topic("b", "a"))["docno"]) == ["a", "b"]
    assert list(by_conclusion.build(context)(topic("a", "b"))["docno"]) == ["b", "a"]


def test_columns_of_the_ranking_stay(context, topic):
    new = given().build(context)(topic("a", "b", "c").assign(stance=["PRO", "CON", ""]))
    assert dict(zip(new["docno"], new["stance"], strict=True)) == {"a": "PRO", "b": "CON", "c": ""}


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_score_that_is_no_number_names_the_stage(context, topic, bad):
    stage = Given(by_docno=(("a", 1.0), ("b", bad)))
    work = stage.build(replace(context, place="stages[3]"))
    with pytest.raises(RunError, match=r"^stages\[3\]: rerank: given gave document b of topic 1"):
        work(topic("a", "b"))


def test_a_document_without_a_score_is_an_error(context, topic):
    with pytest.raises(RunError, match="document z of topic 1 the score nan"):
        given().build(context)(topic("a", "z"))


def test_doubled_row_labels_do_no_harm(context, topic):
    two = pd.concat([topic("a", "b"), topic("b", "c", qid="2")])
    assert list(given().build(context)(two)["docno"]) == ["b", "a", "b", "c"]
    assert list(given(depth=1).build(context)(two)["docno"]) == ["a", "b", "b", "c"]


class Empty(Reranker):
    """Has neither score nor scorer."""

    name = "empty"


def test_a_reranker_without_score_says_so(context, topic):
    with pytest.raises(NotImplementedError, match="Empty needs score or scorer"):
        Empty().build(context)(topic("a"))


@pytest.mark.parametrize(
    ("parameters", "where", "what"),
    [
        ({"weight": 1.5}, "weight", "1.5 must be at most 1 with mix: linear"),
        ({"weight": 2, "mix": "hybrid"}, "weight", "2 must be at most 1 with mix: hybrid"),
        ({"weight": 0.5, "mix": "replace"}, "weight", "mix: replace takes no weight"),
        (
            {"scale": "z_score", "mix": "product"},
            "scale",
            "mix: product needs scores of at least 0",
        ),
        ({"field": "body"}, "field", "no field 'body'; there is text, short"),
    ],
)
def test_what_does_not_fit_is_a_problem(parameters, where, what):
    [(parameter, message)] = ArgumentLength(**parameters).problems(INDEXES, [])
    assert parameter == where
    assert message.startswith(what)


def test_a_field_is_no_use_to_one_that_reads_no_text():
    assert given(field="text").problems(INDEXES, []) == [("field", "given reads no text")]


@pytest.mark.parametrize("parameters", [{}, {"weight": 5, "mix": "product"}, {"field": "short"}])
def test_what_fits_is_none(parameters):
    assert ArgumentLength(**parameters).problems(INDEXES, []) == []


@pytest.mark.parametrize("weight", [-0.1, math.inf, math.nan])
def test_a_weight_is_a_finite_number_of_at_least_0(weight):
    with pytest.raises(ValidationError):
        ArgumentLength(weight=weight)
