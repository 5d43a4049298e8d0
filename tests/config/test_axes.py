import pytest
from pydantic import ValidationError

from pipeline.config.axes import Range


def span(**given) -> Range:
    return Range(**{"from": given.pop("low"), "to": given.pop("high"), **given})


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ({"low": 0, "high": 1, "steps": 5}, [0, 0.25, 0.5, 0.75, 1]),
        ({"low": 0, "high": 0.3, "steps": 4}, [0, 0.1, 0.2, 0.3]),
        ({"low": 1, "high": 8, "steps": 4, "log": True}, [1, 2, 4, 8]),
        ({"low": 0.5, "high": 8, "steps": 3, "log": True}, [0.5, 2, 8]),
        ({"low": 1, "high": 4, "steps": 7, "whole": True}, [1, 2, 3, 4]),
        ({"low": 10, "high": 1000, "steps": 3, "log": True, "whole": True}, [10, 100, 1000]),
        ({"low": 1, "high": 3, "steps": 2}, [1, 3]),
        ({"low": 0, "high": 1}, [0, 0.381966, 1]),  # open: what is looked at
        ({"low": 1, "high": 3, "whole": True}, [1, 2, 3]),
    ],
)
def test_steps_by_hand(given, values):
    assert span(**given).values() == values


def test_numbers_are_as_one_would_write_them():
    assert list(map(repr, span(low=0, high=1, steps=4).values())) == [
        "0",
        "0.333333",
        "0.666667",
        "1",
    ]
    assert list(map(repr, span(low=0.1, high=12, steps=2).values())) == ["0.1", "12"]
    assert list(map(repr, span(low=0.12345678, high=1.5, steps=2).values())) == [
        "0.12345678",
        "1.5",
    ]
    assert span(low=1, high=9, whole=True).neat(4.7) == 5


def test_whole_numbers_by_chance_are_equally_likely():
    drawn = span(low=3, high=5, whole=True).drawn
    assert [drawn(share / 6) for share in range(6)] == [3, 3, 4, 4, 5, 5]
    assert drawn(0.999999) == 5


@pytest.mark.parametrize(
    "given",
    [
        {"low": 1, "high": 1},
        {"low": 2, "high": 1},
        {"low": 0, "high": 1, "log": True},
        {"low": 0.5, "high": 2, "whole": True},
        {"low": 0, "high": 1, "steps": 1},
        {"low": 0, "high": float("inf")},
    ],
)
def test_what_is_no_range(given):
    with pytest.raises(ValidationError):
        span(**given)
