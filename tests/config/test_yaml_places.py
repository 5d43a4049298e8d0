from pathlib import Path

import pytest

from pipeline.config.routes import spell
from pipeline.config.yaml_places import Places
from pipeline.errors import ConfigError, InputError


def places(tmp_path: Path, text: str) -> Places:
    file = tmp_path / "x.yaml"
    file.write_text(text, encoding="utf-8")
    return Places(file)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("no", "no"),
        ("yes", "yes"),
        ("off", "off"),
        ("true", True),
        ("012", "012"),
        ("2020-04-01", "2020-04-01"),
        ("1e-5", 1e-5),
        ("1.", 1.0),
        (".5", 0.5),
        ("-3", -3),
        ("1_000", "1_000"),
        ("0x10", "0x10"),
        (".inf", ".inf"),
        (".nan", ".nan"),
        (".", "."),
        ("-", [None]),
        ("12:30", "12:30"),
        ("<<", "<<"),
        ("~", None),
    ],
)
def test_scalars_are_those_of_yaml_1_2(tmp_path, written, read):
    value = places(tmp_path, f"key: {written}" if written != "-" else "key:\n-").value["key"]
    assert value == read
    assert type(value) is type(read)


def test_every_value_knows_its_line(tmp_path):
    found = places(tmp_path, "a: 1\nb:\n  - c: 2\n    d: {e: 3}\n")
    where = {
        spelled: (problem.line, problem.column)
        for route in [("a",), ("b",), ("b", 0), ("b", 0, "d"), ("b", 0, "d", "e")]
        for problem in [found.problem(route, "")]
        for spelled in [problem.where]
    }
    assert where == {
        "a": (1, 1),
        "b": (2, 1),
        "b[0]": (3, 5),
        "b[0].d": (4, 5),
        "b[0].d.e": (4, 9),
    }


def test_what_is_not_in_the_file_is_placed_at_the_nearest_that_is(tmp_path):
    problem = places(tmp_path, "a:\n  b: 1\n").problem(("a", "c", 3), "lacks")
    assert (problem.line, problem.column, problem.where) == (1, 1, "a.c[3]")


def test_all_doubled_keys_are_named(tmp_path):
    with pytest.raises(ConfigError) as caught:
        places(tmp_path, "a: 1\na: 2\nb:\n  c: 1\n  c: 2\n  c: 3\n")
    assert [(p.line, p.where) for p in caught.value.problems] == [(2, "a"), (5, "b.c"), (6, "b.c")]


@pytest.mark.parametrize(
    "text", ["a: *b", "a: &b 1", "a: [1", "a: {b: 1", "\ta: 1", "a: !!python/name:os.system x", "? [a]\n: 1\n? {b: c}\n: 1\n---\nb: 1", "a: 'x"]
)  # fmt: skip
def test_what_is_no_plain_yaml_is_one_problem(tmp_path, text):
    with pytest.raises(ConfigError) as caught:
        places(tmp_path, text)
    assert len(caught.value.problems) == 1
    assert caught.value.problems[0].where == "yaml"


def test_a_byte_order_mark_is_no_text(tmp_path):
    assert places(tmp_path, "\ufeffa: 1").value == {"a": 1}


def test_a_control_character_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r":2:1: yaml: character '\\x07' is not allowed"):
        places(tmp_path, "a: 1\nb: \x07\n")


def test_a_folder_is_no_config(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        Places(tmp_path)


def test_spell():
    assert spell(("stages", 0, "branches", 2, "weight")) == "stages[0].branches[2].weight"
    assert spell(()) == "top"
