import json
import tempfile
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.collection import spans, window
from pipeline.collection.spans import Spans, string_end, without_page
from pipeline.collection.window import Window

PAGE = 'A page with "quotes", \\ and {braces}, the same in all arguments of the debate. '


def find(content: bytes, *, guess: bool = True, stretch: int = 1 << 19, read=json.loads):
    """What is found in a list that begins at byte 0, and where the window stands then."""
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(window, "STRETCH", stretch):
        file = Path(folder) / "a.json"
        file.write_bytes(content)
        with Window(file) as seen:
            return list(Spans(read, guess=guess).objects(seen)), seen.offset


# Text that looks like structure, if it is not known to stand in quotes.
awkward = st.lists(
    st.sampled_from(
        [
            *'"\\{}[],: \na\u00e9\u2028\U0001f600',
            *('\\"', '\\\\"', "sourceText", '},{"id":"x"', '"sourceText":"', '"sourceText" : "'),
        ]
    ),
    max_size=6,
).map("".join)
names = st.sampled_from(["id", "sourceText", "premises", "context", "text", ""]) | awkward
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | awkward,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)
pages = st.sampled_from([PAGE, PAGE + "Other.", "", '"', "\\", 'a\\"']) | awkward


@st.composite
def arguments(draw):
    """One object with much that is odd, its keys in any order."""
    context = {"sourceText": draw(pages), "discussionTitle": draw(awkward)}
    context |= draw(st.dictionaries(names, values, max_size=2))
    argument = {
        "id": draw(awkward),
        "conclusion": draw(awkward),
        "premises": [{"text": draw(awkward), "stance": "PRO"}] * draw(st.integers(0, 2)),
        "context": draw(st.sampled_from([context, dict(reversed(context.items())), None])),
    }
    argument |= draw(st.dictionaries(names, values, max_size=2))
    if draw(st.booleans()):
        keys = draw(st.permutations(list(argument)))
        argument = {key: argument[key] for key in keys}
    return argument


layouts = st.fixed_dictionaries(
    {
        "ensure_ascii": st.booleans(),
        "indent": st.sampled_from([None, 1, "\t"]),
        "separators": st.sampled_from([(",", ":"), (", ", ": "), (" ,\r\n", " :\t")]),
    }
)


@st.composite
def lists(draw):
    """JSON objects as text, with what stands between them; often all in one layout."""
    objects = draw(st.lists(arguments(), min_size=1, max_size=6))
    one = draw(st.none() | layouts)
    texts = [json.dumps(value, **(one or draw(layouts))).encode() for value in objects]
    comma = draw(st.sampled_from([b",", b", ", b"\n,\n  ", b" \t\r\n, "]))
    return objects, texts, comma


@settings(max_examples=100, deadline=None)
@given(lists(), st.booleans(), st.sampled_from([32, 200, 1 << 19]))
def test_objects_are_found_whatever_they_hold(given_list, guess, stretch):
    objects, texts, comma = given_list
    content = comma.join(texts) + b"\n]"
    found, end = find(content, guess=guess, stretch=stretch)

    assert [content[one.start : one.end] for one in found] == texts
    assert end == len(content) - 2
    for one, value in zip(found, objects, strict=True):
        assert one.value == json.loads(one.json)
        assert one.json == without_page(content[one.start : one.end]).json
        assert without_a_page(one.value, value)


def without_a_page(got, value) -> bool:
    """Whether ``got`` is ``value`` but for texts that are empty where the page of ``value`` is."""
    if isinstance(value, dict):
        return got.keys() == value.keys() and all(
            (key.endswith("sourceText") and got[key] == "") or without_a_page(got[key], value[key])
            for key in value
        )
    if isinstance(value, list):
        return len(got) == len(value) and all(map(without_a_page, got, value))
    return got == value


def arguments_of_a_page(number: int, **layout) -> list[bytes]:
    return [
        json.dumps({"id": f"a{i}", "context": {"sourceText": PAGE, "n": i}}, **layout).encode()
        for i in range(number)
    ]


@pytest.mark.parametrize("layout", [{}, {"separators": (",", ":")}, {"indent": 3}])
def test_pages_are_not_read(layout):
    """Neither the page met first nor its repetitions reach ``read``."""
    texts = arguments_of_a_page(4, **layout)
    found, _ = find(b",".join(texts) + b"]")
    page = json.dumps(PAGE).encode()
    assert [one.json for one in found] == [text.replace(page, b'""') for text in texts]


def test_even_a_broken_page_is_skipped():
    content = b'{"context":{"sourceText":"\xff \\x \n"},"id":"a"}'
    found, _ = find(content + b"]")
    assert found[0].json == b'{"context":{"sourceText":""},"id":"a"}'


CALLS_AN_OBJECT = 4
"""Up to the brace of the context, up to the page, to the end of the context, of the object."""


def test_end_of_an_object_is_guessed_from_the_one_before():
    """Braces are counted for the first object and the last, behind which no other follows."""
    with mock.patch.object(spans, "_brace_after", wraps=spans._brace_after) as count:
        for number in (2, 20, 200):
            count.reset_mock()
            assert len(find(b",".join(arguments_of_a_page(number)) + b"]")[0]) == number
            assert count.call_count == 2 * CALLS_AN_OBJECT


@pytest.mark.parametrize("guess", [True, False])
def test_object_that_cannot_be_read_has_no_value(guess):
    texts = [b'{"id":1}', b'{"id":tru}', b'{"id":2}', b'{"id":3}']
    found, _ = find(b",".join(texts) + b"]", guess=guess)
    assert [one.value for one in found] == [{"id": 1}, None, {"id": 2}, {"id": 3}]
    assert [one.end - one.start for one in found] == list(map(len, texts))


@pytest.mark.parametrize(
    ("content", "number", "left"),
    [
        (b"]", 0, b"]"),
        (b" \n ]", 0, b"]"),
        (b"7]", 0, b"7]"),
        (b'{"a":1} ]', 1, b" ]"),
        (b'{"a":1},]', 1, b",]"),
        (b'{"a":1}, 7]', 1, b", 7]"),
        (b'{"a":1} {"a":2}]', 1, b' {"a":2}]'),
        (b"", 0, b""),
    ],
)
def test_stops_before_what_is_no_object(content, number, left):
    for stretch in (8, 1 << 19):
        found, end = find(content, stretch=stretch)
        assert len(found) == number
        assert content[end:] == left


@pytest.mark.parametrize(
    "last",
    [b'{"a":2', b'{"a":"2', b'{"sourceText":"2', b'{"sourceText":"2\\', b'{"a":2}', b'{"a":2} ,'],
)
def test_last_object_may_be_cut_off(last):
    for stretch in (8, 1 << 19):
        found, end = find(b'{"a":1},' + last, stretch=stretch)
        assert [one.json for one in found] == [b'{"a":1}', last]
        assert [one.value for one in found] == [{"a": 1}, None]
        assert end == 8 + len(last)


@pytest.mark.parametrize(
    ("inside", "end"),
    [
        (b'"', 0),
        (b'abc"', 3),
        (b'a\\"b"', 4),
        (b'a\\\\"b"', 3),
        (b'a\\\\\\"b"', 6),
        (b'\\"', -1),
        (b'\\\\"', 2),
        (b"abc", -1),
    ],
)
def test_string_ends_at_the_first_quote_that_is_not_escaped(inside, end):
    begun = b'\\"'  # what stands before the text does not matter
    assert string_end(begun + inside, 2, 2 + len(inside)) == (end + 2 if end >= 0 else -1)


def test_offset_behind_the_page_counts_the_page():
    found = without_page(b'{"sourceText":"12345","id":x}', start=100)
    assert found.json == b'{"sourceText":"","id":x}'
    assert found.offset(found.json.index(b"sourceText")) == 100 + 2
    assert found.offset(found.json.index(b'",')) == 100 + 20
    assert found.offset(found.json.index(b"x}")) == 100 + 27
