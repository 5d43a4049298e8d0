import pytest

from pipeline.config.routes import route_of, spell, with_value


@pytest.mark.parametrize(
    ("spelled", "route"),
    [
        ("stages", ("stages",)),
        ("stages[0].mu", ("stages", 0, "mu")),
        ("index.stemmer", ("index", "stemmer")),
        (
            "stages[1].branches[0].stages[12].weight",
            ("stages", 1, "branches", 0, "stages", 12, "weight"),
        ),
        ("a[0][1]", ("a", 0, 1)),
    ],
)
def test_a_place_is_spelled_and_read_alike(spelled, route):
    assert route_of(spelled) == route
    assert spell(route) == spelled


@pytest.mark.parametrize(
    "spelled",
    [
        "",
        ".",
        "a.",
        ".a",
        "a..b",
        "[0]",
        "a[",
        "a[]",
        "a[-1]",
        "a[01]",
        "a[0]b",
        "a b",
        "a,b",
        "a]",
    ],
)
def test_what_is_no_place(spelled):
    with pytest.raises(ValueError, match="is no place"):
        route_of(spelled)


def test_a_value_is_put_and_nothing_else_changes():
    whole = {"index": None, "stages": [{"b": 1}, {"b": 2}]}
    made = with_value(whole, ("stages", 1, "b"), 3)
    assert made == {"index": None, "stages": [{"b": 1}, {"b": 3}]}
    assert whole == {"index": None, "stages": [{"b": 1}, {"b": 2}]}
    assert made["stages"][0] is whole["stages"][0]
    assert with_value(whole, ("index", "fields", "text"), []) == {
        "index": {"fields": {"text": []}},
        "stages": [{"b": 1}, {"b": 2}],
    }


@pytest.mark.parametrize(
    ("route", "said"),
    [
        (("a", 2), "no a[2]; there is a[0] to a[1]"),
        (("one", 1, "x"), "no one[1]; there is one[0]"),
        (("none", 0), "no none[0]; it is empty"),
        (("b", 0), "b is no list, so there is no b[0]"),
        (("c", 0), "c is not there, so there is no c[0]"),
        (("a", "x"), "a is a list, there is no 'x' in it"),
        (("b", "x", "y"), "b.x is 0.2, there is no 'y' in it"),
    ],
)
def test_no_such_place_says_what_there_is(route, said):
    whole = {"a": [1, 2], "one": [1], "none": [], "b": {"x": 0.2}}
    with pytest.raises(LookupError) as error:
        with_value(whole, route, 1)
    assert error.value.args == (said,)
