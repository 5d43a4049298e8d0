import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.collection import window as module
from pipeline.collection.toplevel import expect, has_list, lists
from pipeline.collection.window import Window
from pipeline.errors import InputError


@pytest.fixture(params=[4, 1 << 19], ids=["bytewise", "whole"], autouse=True)
def stretch(request, monkeypatch):
    monkeypatch.setattr(module, "STRETCH", request.param)


@pytest.fixture
def stops(tmp_path):
    """Where a file's lists begin; what they hold is passed over, to the next ``]``."""

    def run(content: bytes) -> list[int]:
        file = tmp_path / "a.json"
        file.write_bytes(content)
        offsets = []
        with Window(file) as window:
            for _ in lists(window):
                offsets.append(window.offset)
                while window.peek() != ord("]"):
                    window.at += 1
        return offsets

    return run


@pytest.mark.parametrize(
    ("content", "begin"),
    [
        (b'{"arguments":[]}', b"]"),
        (b' \n{ "arguments" :\t[ 1, 2 ] } \r\n', b" 1"),
        (b'\xef\xbb\xbf{"arguments":[]}', b"]"),
        (b'{"n":-1.5e3,"t":true,"no":null,"arguments":[7]}', b"7"),
        (b'{"arguments":[7],"after":{"arguments":[8]},"x":[[],{}]}', b"7"),
        (b'{"a":{"arguments":[1]},"b":"}\\"]","c":[{"x":"]"}],"arguments":[7]}', b"7"),
        (b'{"\\u0061rguments":[7]}', b"7"),
        (b'{"":"","arguments":[7]}', b"7"),
    ],
)
def test_list_is_found_wherever_it_stands_at_the_top(stops, content, begin):
    assert [content[offset:][: len(begin)] for offset in stops(content)] == [begin]


@pytest.mark.parametrize(
    "content",
    [b"{}", b' { "a" : [{"arguments":[]}] } ', b"[1,[2]]", b'"arguments"', b"12", b"null", b"[]"],
)
def test_json_without_the_list(stops, tmp_path, content):
    assert stops(content) == []
    assert not has_list(tmp_path / "a.json")


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text('"\\{}[],:a\u00e9', max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('a"\\{]'), inner),
        max_leaves=8,
    ),
    st.sampled_from([None, 2]),
    st.booleans(),
)
def test_any_value_is_passed_over(tmp_path_factory, value, indent, ascii_only):
    file = tmp_path_factory.mktemp("any") / "a.json"
    text = json.dumps({"x": value, "arguments": []}, indent=indent, ensure_ascii=ascii_only)
    file.write_text(text, encoding="utf-8")
    assert has_list(file)
    file.write_text(json.dumps([value], indent=indent), encoding="utf-8")
    assert not has_list(file)


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", "JSON expected, found the end of the file (byte 0)"),
        (b"  \n", "JSON expected, found the end of the file (byte 3)"),
        (b"hello", "JSON expected, found 'h' (byte 0)"),
        (b"\xff\xfe{\0", "JSON expected, found 0xff (byte 0)"),
        (b"nul", "JSON expected, found 'n' (byte 0)"),
        (b"01", "JSON expected, found '0' (byte 0)"),
        (b"{", "'\"' expected, found the end of the file (byte 1)"),
        (b'{"a', "a text that has no closing quote (byte 2)"),
        (b'{"a"', "':' expected, found the end of the file (byte 4)"),
        (b'{"a":', "JSON expected, found the end of the file (byte 5)"),
        (b'{"a":[1,2', "JSON expected, found the end of the file (byte 9)"),
        (b'{"a":1', "',' or '}' expected, found the end of the file (byte 6)"),
        (b'{"a":1,}', "'\"' expected, found '}' (byte 7)"),
        (b'{"a" 1}', "':' expected, found '1' (byte 5)"),
        (b"{'a': 1}", "'\"' expected, found \"'\" (byte 1)"),
        (b'{"a\n":1}', "a key that is no JSON text (byte 2)"),
        (b'{"a\xff":1}', "a key that is no JSON text (byte 2)"),
        (b'{"a":1}{"b":1}', "the end of the file expected, found '{' (byte 7)"),
        (b'{"arguments":{}}', "a list as \"arguments\" expected, found '{' (byte 13)"),
        (b'{"arguments":null}', "a list as \"arguments\" expected, found 'n' (byte 13)"),
        (
            b'{"arguments":[],"arguments":[]}',
            "only one \"arguments\" expected, found '[' (byte 28)",
        ),
        (b'{"arguments":[]', "',' or '}' expected, found the end of the file (byte 15)"),
        (b'{"arguments":[]]', "',' or '}' expected, found ']' (byte 15)"),
        (b'{"arguments":[]}x', "the end of the file expected, found 'x' (byte 16)"),
    ],
)
def test_what_is_not_json_is_named_with_its_byte(stops, content, error):
    with pytest.raises(InputError) as raised:
        stops(content)
    assert raised.value.lines == (f"a.json: {error}; nothing was indexed",)


def test_text_without_end_is_not_taken_in_whole(stops, monkeypatch):
    monkeypatch.setattr(module, "STRETCH", 50)
    monkeypatch.setattr(module, "LONGEST", 100)
    with pytest.raises(InputError, match="a text that has no closing quote within"):
        stops(b'{"a":"' + b"x" * 1000 + b'"}')


def test_has_list_reads_no_further_than_to_it(tmp_path):
    file = tmp_path / "a.json"
    file.write_bytes(b'{"arguments":[  broken')
    assert has_list(file)


def test_expect_names_all_that_is_allowed(tmp_path):
    (tmp_path / "a.json").write_bytes(b" ]x")
    with Window(tmp_path / "a.json") as window:
        assert expect(window, ",]") == "]"
        with pytest.raises(InputError, match=r"^a\.json: ',' or '\]' expected, found 'x' \(byte 2"):
            expect(window, ",]")
