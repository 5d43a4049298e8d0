import pytest
from pydantic import BaseModel, ValidationError

from pipeline.config.topics import Topics


class Holder(BaseModel):
    topics: Topics = Topics()


def named(text) -> Topics:
    return Holder.model_validate_json(f'{{"topics": {text}}}', strict=True).topics


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ('""', ["1", "2", "9", "10", "q-1"]),
        ('"2-9"', ["2", "9"]),
        ('"2 - 9, q-1"', ["2", "9", "q-1"]),
        ('"10,1"', ["1", "10"]),
        ("9", ["9"]),
        ('[1, "9-10"]', ["1", "9", "10"]),
        ('"3-8"', []),
    ],
)
def test_topics_by_ids_and_ranges(text, chosen):
    assert named(text).of(["1", "2", "9", "10", "q-1"]) == chosen


def test_what_names_nothing():
    assert named('"1-3, 5-6, 9, q"').unknown(["1", "9"]) == ["5-6", "q"]
    assert Topics().unknown(["1"]) == []


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        ("", "1", True),
        ("1-25", "26-50", False),
        ("1-25", "25-50", True),
        ("1-25", "7", True),
        ("7, 8", "1-6, 8", True),
        ("q1", "q2, 1-9", False),
        ("q1", "q1", True),
    ],
)
def test_whether_two_name_the_same(one, other, meet):
    assert Topics(one).meet(Topics(other)) == Topics(other).meet(Topics(one)) == meet


@pytest.mark.parametrize("text", ['"5-4"', "true", "{}", "[]", "[[1]]", "1.5", "null"])
def test_what_names_no_topics(text):
    with pytest.raises(ValidationError):
        named(text)


def test_it_is_written_as_text():
    assert Holder(topics=Topics("1-25")).model_dump(mode="json") == {"topics": "1-25"}
