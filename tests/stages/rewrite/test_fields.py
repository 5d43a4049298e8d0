import pandas as pd
import pytest
from pydantic import ValidationError

from pipeline.stages.rewrite.fields import Fields

QUERIES = pd.DataFrame(
    {
        "qid": ["1", "2"],
        "query": ["keywords", "zoos"],
        "title": ["A title", "Zoos?"],
        "description": [" Some more.\n", ""],
        "narrative": ["", " "],
    }
)


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, ["A title Some more.", "Zoos?"]),
        ({"use": ["title"]}, ["A title", "Zoos?"]),
        ({"use": ["description", "title"]}, ["Some more. A title", "Zoos?"]),
        ({"use": ["narrative"]}, ["keywords", "zoos"]),
        ({"use": ["title", "title"]}, ["A title A title", "Zoos? Zoos?"]),
    ],
)
def test_parts_are_joined_and_what_has_none_keeps_its_query(parameters, expected):
    new = Fields(**parameters).build(None)(QUERIES)
    assert list(new["query"]) == expected
    assert new.drop(columns="query").equals(QUERIES.drop(columns="query"))
    assert list(QUERIES["query"]) == ["keywords", "zoos"]


def test_no_topics():
    assert list(Fields().build(None)(QUERIES.iloc[:0])) == list(QUERIES)


@pytest.mark.parametrize("use", [[], ["tittle"]])
def test_what_is_no_part(use):
    with pytest.raises(ValidationError):
        Fields(use=use)
