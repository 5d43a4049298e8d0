import pandas as pd
import pytest

from pipeline.stages.rewrite.keywords import Keywords


def rewritten(query, **parameters):
    queries = pd.DataFrame({"qid": ["1"], "query": [query], "title": ["A title"]})
    new = Keywords(**parameters).build(None)(queries)
    assert queries["query"].tolist() == [query]
    assert new.drop(columns="query").equals(queries.drop(columns="query"))
    return new["query"].item()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Should teachers get tenure?", "teachers get tenure?"),
        ("Is vaping with e-cigarettes safe?", "vaping e-cigarettes safe?"),
        ("Do  violent video\tgames?", "violent video games?"),
        ("What's a «the» Don\u2019t", "What's a «the» Don\u2019t"),
        ("SHOULD: zoos", "zoos"),
        ("Should the ... ?", "Should the ... ?"),
        ("can-can", "can-can"),
        ("", ""),
    ],
)
def test_words_of_questions_go(query, expected):
    assert rewritten(query) == expected


def test_own_words():
    assert rewritten("Should teachers get tenure?", words=["GET", "tenure"]) == "Should teachers"


def test_empty_in_gives_empty_out():
    empty = pd.DataFrame({"qid": [], "query": []}, dtype=str)
    assert list(Keywords().build(None)(empty)) == ["qid", "query"]


def test_equal_parameters_make_equal_transformers():
    assert Keywords().build(None) == Keywords(words="questions").build(None)
    assert Keywords().build(None) != Keywords(words=["a"]).build(None)
