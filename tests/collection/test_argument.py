import json

import pytest

from pipeline.collection.argument import BadArgumentError, Parsed, parse, parse_plain

WHOLE = {
    "id": "S1-A1",
    "conclusion": "Zoos should be banned",
    "premises": [
        {"text": "Animals suffer.", "stance": "PRO", "annotations": [{"text": 1}]},
        {"text": "Cages are small.", "stance": "CON"},
    ],
    "context": {
        "topic": "Zoos in law",
        "discussionTitle": "Zoos",
        "author": "Ann",
        "sourceDomain": "debate.org",
        "aspects": [{"id": 7}],
    },
}


def changed(**parts):
    """``WHOLE`` as JSON with other values at some keys; ``...`` takes the key away."""
    return json.dumps({k: v for k, v in {**WHOLE, **parts}.items() if v is not ...}).encode()


def record(parsed: Parsed):
    return parsed.argument(3, 10, 99)


def test_parts_of_an_argument():
    argument = record(parse_plain(changed()))
    assert argument.docno == "S1-A1"
    assert argument.conclusion == "Zoos should be banned"
    assert argument.premises == "Animals suffer. Cages are small."
    assert argument.stance == "PRO"
    assert argument.title == "Zoos in law"
    assert argument.author == "Ann"
    assert argument.domain == "debate.org"
    assert (argument.file, argument.start, argument.end) == (3, 10, 99)


@pytest.mark.parametrize(
    ("context", "title"),
    [
        ({"topic": "T", "discussionTitle": "D"}, "T"),
        ({"discussionTitle": "D"}, "D"),
        ({"topic": None, "discussionTitle": "D"}, "D"),
        ({"topic": "", "discussionTitle": "D"}, "D"),
        ({}, ""),
        (None, ""),
        (..., ""),
    ],
)
def test_title_is_the_topic_or_else_the_title_of_the_discussion(context, title):
    assert record(parse_plain(changed(context=context))).title == title


@pytest.mark.parametrize("nothing", [None, ...])
def test_what_need_not_be_there_is_empty(nothing):
    argument = record(
        parse_plain(changed(conclusion=nothing, context=nothing, premises=[{"text": "Yes."}]))
    )
    assert (argument.conclusion, argument.premises, argument.stance) == ("", "Yes.", "")
    assert (argument.title, argument.author, argument.domain) == ("", "", "")


@pytest.mark.parametrize(
    ("premises", "joined"),
    [([], ""), ([{"text": ""}], ""), ([{"text": "a"}, {"text": ""}, {"text": "b"}], "a  b")],
)
def test_empty_premises_are_kept(premises, joined):
    assert record(parse_plain(changed(premises=premises))).premises == joined


@pytest.mark.parametrize(
    ("parts", "error"),
    [
        ({"id": ...}, "id is missing, text expected"),
        ({"id": None}, "id is null, text expected"),
        ({"id": 7}, "id is a number, text expected"),
        ({"id": ""}, "id is empty, one word expected"),
        ({"id": "a b"}, "id 'a b' has a blank or control character, one word expected"),
        ({"id": "a\xa0b"}, "id 'a\\xa0b' has a blank or control character, one word expected"),
        ({"id": "a\n"}, "id 'a\\n' has a blank or control character, one word expected"),
        ({"id": "a\x00"}, "id 'a\\x00' has a blank or control character, one word expected"),
        ({"id": "\ud800"}, "id '\\ud800' has a blank or control character, one word expected"),
        ({"conclusion": 1.5}, "conclusion is a number, text expected"),
        ({"conclusion": ["x"]}, "conclusion is a list, text expected"),
        ({"premises": ...}, "premises is missing, list expected"),
        ({"premises": None}, "premises is null, list expected"),
        ({"premises": "x"}, "premises is text, list expected"),
        ({"premises": ["x"]}, "premises[0] is text, object expected"),
        ({"premises": [{"text": "x"}, {}]}, "premises[1].text is missing, text expected"),
        ({"premises": [{"text": None}]}, "premises[0].text is null, text expected"),
        ({"premises": [{"text": 4}]}, "premises[0].text is a number, text expected"),
        (
            {"premises": [{"text": "x", "stance": True}]},
            "premises[0].stance is true or false, text expected",
        ),
        ({"context": "x"}, "context is text, object expected"),
        ({"context": {"topic": {}}}, "context.topic is an object, text expected"),
        ({"context": {"author": []}}, "context.author is a list, text expected"),
    ],
)
def test_wrong_type_is_named_with_its_place(parts, error):
    with pytest.raises(ValueError):  # noqa: PT011
        parse_plain(changed(**parts))
    with pytest.raises(BadArgumentError) as raised:
        parse(changed(**parts))
    assert raised.value.what == error
    assert raised.value.place is None


@pytest.mark.parametrize(
    ("given", "what", "place", "cut_off"),
    [
        (b'{"id":"x",7}', "broken JSON, expecting property name", 10, False),
        (b'{"id":"x" "premises":[]}', "broken JSON, expecting ',' delimiter", 10, False),
        ('{"id":"é","premises":[tru]}'.encode(), "broken JSON, expecting value", 23, False),
        (b'{"id":"x\ny"}', "broken JSON, invalid control character", 8, False),
        (b'{"id":"x\xffy"}', "broken UTF-8", 8, False),
        (b'{"id":"x","other":"\xed\xa0\x80"}', "broken UTF-8", 19, False),
        (b'{"id":"x","premises":[', "broken JSON, expecting value", 22, True),
        (b'{"id":"x","premises":[{"text":"abc', "broken JSON, unterminated string", 30, True),
        ('{"id":"é'.encode()[:-1], "broken UTF-8", 7, True),
        (b'{"x":' + b"[" * 100_000, "lists or objects nested too deeply", None, False),
    ],
)
def test_what_is_not_json_is_named_with_its_byte(given, what, place, cut_off):
    with pytest.raises(BadArgumentError) as raised:
        parse(given)
    assert raised.value.what.startswith(what)
    assert (raised.value.place, raised.value.cut_off) == (place, cut_off)


@pytest.mark.parametrize(
    ("spelt", "text"),
    [
        (b"\\ud83d\\ude00", "\U0001f600"),
        (b"\\ud83d", "\ufffd"),
        (b"\\ude00\\ud83d", "\ufffd\ufffd"),
        (b"a\\ud83dz", "a\ufffdz"),
    ],
)
def test_half_of_a_surrogate_pair_is_replaced(spelt, text):
    whole = b'{"id":"x","premises":[{"text":"%b"}],"context":{"author":"%b"}}' % (spelt, spelt)
    argument = record(parse(whole))
    assert argument.premises == argument.author == text
    assert argument.premises.encode()


@pytest.mark.parametrize(
    "extra",
    [b'"n":NaN', b'"n":[-Infinity]', b'"n":' + b"9" * 5000, b'"n":"\\ud800"', b'"id":4,"id":"x"'],
)
def test_what_is_odd_and_not_read_passes(extra):
    argument = b'{%b,"id":"x","premises":[{"text":"Yes."}]}' % extra
    assert record(parse(argument)).premises == "Yes."
