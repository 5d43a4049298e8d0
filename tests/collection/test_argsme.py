import gzip
import json
from functools import partial
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.collection import argsme, window
from pipeline.collection.argsme import Report, read
from pipeline.collection.spans import Spans
from pipeline.errors import InputError


def argument(docno, text="Yes.", **more):
    return {"id": docno, "conclusion": "C", "premises": [{"text": text, "stance": "PRO"}], **more}


@pytest.fixture
def write(tmp_path):
    """Writes a file and gives its path; what is not bytes is dumped as JSON."""

    def run(content, name="a.json"):
        file = tmp_path / name
        content = content if isinstance(content, bytes) else json.dumps(content).encode()
        file.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        return file

    return run


def docnos(*files):
    return [one.docno for one in read(files)]


def test_arguments_come_in_order_with_the_place_of_their_json(write):
    first = write({"arguments": [argument("a"), argument("b")]}, "x.json")
    second = write({"n": 1, "arguments": [argument("c", "\u00e9"), argument("d")]}, "y.json.gz")
    found = list(read([first, second]))
    assert [(one.docno, one.file) for one in found] == [("a", 0), ("b", 0), ("c", 1), ("d", 1)]
    contents = [first.read_bytes(), gzip.decompress(second.read_bytes())]
    for one in found:
        assert json.loads(contents[one.file][one.start : one.end])["id"] == one.docno


def test_report(write):
    first = write({"arguments": [argument("a"), argument("b", " "), argument("a")]}, "x.json")
    second = write({"arguments": [argument(docno) for docno in "cbacb"]}, "y.json")
    report = Report()
    assert [one.docno for one in read([first, second], report=report)] == ["a", "b", "c"]
    assert report.arguments == {"x.json": 3, "y.json": 5}
    assert report.documents == 3
    assert (report.doubled, report.doubled_ids) == (5, ["a", "b", "a"])
    assert report.empty == 1
    assert report.notes == ["1 argument without a word in the premises, kept"]
    assert report.warnings == ["5 arguments with an id met before left out: a, b, a, ..."]


def test_first_of_two_with_the_same_id_is_kept(write):
    file = write({"arguments": [argument("a", "first"), argument("a", "second")]})
    assert [one.premises for one in read([file])] == ["first"]


def test_counts_that_differ_from_a_release_are_a_warning():
    assert Report(arguments={"args-me.json": 300_000}).warnings == [
        "this is not args.me 1.0 as published: args-me.json has 300,000 of 387,692"
    ]


def test_skipped_files_are_noted():
    assert Report(skipped=("metadata.json",)).notes == [
        'metadata.json: skipped, it has no list "arguments"'
    ]


@pytest.mark.parametrize("name", ["a.json", "a.json.gz"])
def test_progress_comes_to_the_bytes_of_the_files(write, name):
    file = write({"arguments": [argument(str(i), "\u00e9" * 500) for i in range(2000)]}, name)
    told = []
    list(read([file], told.append))
    assert sum(told) == file.stat().st_size


def test_reading_may_begin_and_end_at_any_argument(write):
    files = [write({"arguments": [argument(docno) for docno in names], "n": [1]}, f"{names}.json")
             for names in ("abc", "d", "ef")]  # fmt: skip
    every = list(read(files))
    assert [one.docno for one in every] == list("abcdef")
    places = [argsme.Place(one.file, one.start) for one in every]
    for number, place in enumerate(places):
        first, second = Report(), Report()
        begun = list(read(files, None, first, until=place.__le__))
        assert begun == every[:number]
        assert list(read(files, None, second, place)) == every[number:]
        first.extend(second)
        assert first == Report(arguments={"abc.json": 3, "d.json": 1, "ef.json": 2})
    for file, number in ((1, 3), (2, 4)):
        begin = argsme.Place(file, 0)
        assert list(read(files, None, None, begin)) == every[number:]
        assert list(read(files, until=begin.__le__)) == every[:number]


def test_what_follows_the_list_is_read_from_the_middle_too(write):
    content = json.dumps({"arguments": [argument("a"), argument("b")]}).encode()
    place = argsme.Place(0, content.index(b'{"id": "b"'))
    for wrong in (content[:-2], content[:-1] + b',"arguments":[]}', content + b"x"):
        with pytest.raises(InputError):
            list(read([write(wrong)], begin=place))
    told = []
    assert len(list(read([write(content)], told.append, begin=place))) == 1
    assert sum(told) == len(content) - place.offset


def test_reports_add_up():
    first = Report({"x": 3}, (), 2, ["a", "b"], 1)
    first.extend(Report({"x": 2, "y": 1}, (), 2, ["c", "d"], 4))
    assert first == Report({"x": 5, "y": 1}, (), 4, ["a", "b", "c"], 5)


GOOD = json.dumps(argument("a")).encode()


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (
            b'{"arguments":[%b,{"id":"b","premises":[{"text":4}]}]}' % GOOD,
            "argument 2 (byte 94): premises[0].text is a number, text expected",
        ),
        (
            b'{"arguments":[{"id":"b c","premises":[]}]}',
            "argument 1 (byte 14): id 'b c' has a blank or control character, one word expected",
        ),
        (
            b'{"arguments":[{"context":{"sourceText":"0123456789"},"id":"b","premises":[x]}]}',
            "argument 1 (byte 14): broken JSON, expecting value at byte 74",
        ),
        (
            b'{"arguments":[{"context":{"sourceText":"0123456789"},"id":"\xff"}]}',
            "argument 1 (byte 14): broken UTF-8 at byte 59",
        ),
        (
            b'{"arguments":[%b' % GOOD,
            "',' or ']' expected, found the end of the file (byte 93)",
        ),
        (
            b'{"arguments":[%b,' % GOOD,
            "',' or ']' expected, found the end of the file (byte 94)",
        ),
        (b'{"arguments":[%b,' % GOOD + GOOD[:-9], "argument 2 (byte 94): the file ends inside it"),
        (b'{"arguments":[{"sourceText":"abc', "argument 1 (byte 14): the file ends inside it"),
        (b'{"arguments":[{"id":"a', "argument 1 (byte 14): the file ends inside it"),
        (
            b'{"arguments":[{"id":"a,"premises":[]},%b]}' % GOOD,
            "argument 1 (byte 14): broken JSON, expecting ',' delimiter at byte 24",
        ),
        (b'{"arguments":[%b %b]}' % (GOOD, GOOD), "',' or ']' expected, found '{' (byte 94)"),
        (b'{"arguments":[%b,]}' % GOOD, "argument 2 (byte 94): '{' expected, found ']'"),
        (b'{"arguments":[%b,"x"]}' % GOOD, "argument 2 (byte 94): '{' expected, found '\"'"),
        (b'{"arguments":[null]}', "argument 1 (byte 14): '{' expected, found 'n'"),
        (b'{"arguments":[%b]' % GOOD, "',' or '}' expected, found the end of the file (byte 94)"),
        (b'{"arguments":[%b]}}' % GOOD, "the end of the file expected, found '}' (byte 95)"),
        (b'{"arguments":[]}', "no argument in the list of arguments"),
        (b'{"arguments":[{}]}', "argument 1 (byte 14): id is missing, text expected"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(write, content, error):
    assert len(GOOD) == 94 - 1 - 14
    with pytest.raises(InputError) as raised:
        docnos(write(content))
    assert (
        raised.value.lines[0].replace("a.json (", "a.json: (")
        == f"a.json: {error}; nothing was indexed"
    )


def test_offsets_have_commas_between_thousands(write):
    content = b'{"arguments":[' + b" " * 1_000_000 + b'{"id":7}]}'
    with pytest.raises(InputError, match=r"argument 1 \(byte 1,000,014\): id is a number"):
        docnos(write(content))


def test_argument_without_end_is_not_taken_in_whole(write, monkeypatch):
    monkeypatch.setattr(window, "STRETCH", 64)
    for module in (window, argsme):
        monkeypatch.setattr(module, "LONGEST", 1000)
    content = b'{"arguments":[{"id":"a","x":[' + b"1," * 2000 + b"1]}]}"
    with pytest.raises(InputError, match=r"argument 1 \(byte 14\): no end within 1,000 bytes"):
        docnos(write(content))


@pytest.mark.parametrize(
    "layout",
    [{"separators": (",", ":")}, {}, {"indent": 2}, {"ensure_ascii": False, "indent": "\t"}],
)
def test_every_layout_gives_the_same_records(write, layout):
    page = {"sourceText": 'A "page" \\ \u2013 of {all}. ' * 20, "discussionTitle": "T\u00e9"}
    whole = [argument(f"a{i}", f"No {i}: \u00e9.", context=page) for i in range(40)]
    other = [dict(reversed(one.items())) for one in whole]
    other[7] = {"x": [{"id": "n", "sourceText": ["y"]}], **other[7], "y": {"sourceText": "z"}}
    expected = records(write({"arguments": whole}))
    assert records(write(json.dumps({"arguments": other}, **layout).encode())) == expected
    assert [one[2] for one in expected] == [f"No {i}: \u00e9." for i in range(40)]


def records(file, *, guess=True):
    """What is read of a file but for places, or the error."""
    with mock.patch.object(argsme, "Spans", partial(Spans, guess=guess)):
        try:
            return [
                (a.docno, a.conclusion, a.premises, a.stance, a.title, a.author, a.domain)
                for a in read([file])
            ]
        except InputError as error:
            return error.lines


@settings(max_examples=200, deadline=None)
@given(
    st.data(),
    st.sampled_from([{"separators": (",", ":")}, {}, {"indent": 1}]),
)
def test_damage_is_found_or_does_not_matter(tmp_path_factory, data, layout):
    """A file with one byte changed is read as Python reads it, or there is an error, both ways."""
    page = {"sourceText": 'p\u00e9 "q"', "author": "\u00e4"}
    whole = {"n": [1], "arguments": [argument(f"a{i}", context=page) for i in range(4)], "z": "}"}
    content = bytearray(json.dumps(whole, ensure_ascii=False, **layout).encode())
    place = data.draw(st.integers(0, len(content) - 1))
    stop = place + data.draw(st.sampled_from([0, 1, 1, 5, len(content)]))
    content[place:stop] = data.draw(
        st.sampled_from([b"", b'"', b"\\", b"{", b"}", b"]", b",", b"1"])
    )
    file = tmp_path_factory.mktemp("damage") / "a.json"
    file.write_bytes(content)

    found = records(file)
    assert found == records(file, guess=False)
    try:
        value = json.loads(content)
    except ValueError:
        assert isinstance(found, tuple) or b'"q' in content
        return
    if isinstance(found, list):
        arguments = value["arguments"]
        ids = list(dict.fromkeys(one["id"] for one in arguments))
        assert [one[0] for one in found] == ids


def test_real_arguments_are_read_as_python_reads_them(shared):
    files = sorted((shared / "argsme-mini").glob("*.json"))
    expected = [
        (
            one["id"],
            one["conclusion"],
            " ".join(premise["text"] for premise in one["premises"]),
            one["premises"][0]["stance"],
            one["context"]["discussionTitle"],
        )
        for file in files
        for one in json.loads(file.read_bytes())["arguments"]
    ]
    report = Report()
    found = list(read(files, report=report))
    assert [(a.docno, a.conclusion, a.premises, a.stance, a.title) for a in found] == expected
    assert report.documents == len(expected) == 5110
    assert (report.doubled, report.empty) == (0, 2)
