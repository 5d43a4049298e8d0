"""The token stream against one made with a pattern."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.collection.argument import Argument
from pipeline.index.arrays import tokens
from pipeline.index.arrays.tokens import PARTS, Stream, StreamWriter

TOKEN = re.compile(rb"[0-9A-Za-z\x80-\xff]+")


def document(*texts):
    parts = dict(zip(PARTS, texts, strict=True))
    return Argument(docno="a", file=0, start=0, end=0, **parts)


def write(documents, folder):
    writer = StreamWriter(folder)
    for texts in documents:
        writer.append(document(*texts))
    counts = writer.close()
    return Stream.open(folder), counts


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def expected(documents):
    """Tokens of every part, each as its bytes."""
    return [[TOKEN.findall(text.encode()) for text in texts] for texts in documents]


def spelt(stream):
    """The same of a stream."""
    names = [
        stream.types[begin:end].tobytes()
        for begin, end in zip(stream.type_starts[:-1], stream.type_starts[1:], strict=True)
    ]
    assert len(set(names)) == len(names)
    parts = [
        [names[number] for number in stream.tokens[begin:end]]
        for begin, end in zip(stream.starts[:-1], stream.starts[1:], strict=True)
    ]
    return [parts[begin : begin + 6] for begin in range(0, len(parts), 6)]


TEXTS = st.text(st.sampled_from("aB1 .\u00e9\u4e2d\U0001f600"), max_size=12)
DOCUMENTS = st.lists(st.tuples(*[TEXTS] * 6), max_size=8)


@settings(max_examples=150, deadline=None)
@given(documents=DOCUMENTS, batch=st.sampled_from([1, 20, 1 << 20]))
def test_a_stream_is_the_tokens_of_all_parts_in_order(tmp_path_factory, documents, batch):
    folder = tmp_path_factory.mktemp("stream") / "tokens"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "BATCH", batch)
        stream, counts = write(documents, folder)
    assert spelt(stream) == expected(documents)
    assert stream.documents == counts["documents"] == len(documents)
    assert counts["tokens"] == len(stream.tokens)
    assert counts["types"] == len(stream.type_starts) - 1


def test_types_are_numbered_as_they_occur(tmp_path):
    stream, _ = write(
        [("b a", "a B b", "", "", "", "c"), ("", "c-d", "", "", "", "")], tmp_path / "t"
    )
    assert stream.tokens.tolist() == [0, 1, 1, 2, 0, 3, 3, 4]
    assert stream.types.tobytes() == b"baBcd"
    assert stream.starts.tolist() == [0, 2, 5, 5, 5, 5, 6, 6, 8, 8, 8, 8, 8]


def test_half_a_surrogate_separates(tmp_path):
    stream, _ = write([("a\ud800b", "", "", "", "", "")], tmp_path / "t")
    assert spelt(stream)[0][0] == [b"a", b"b"]


@settings(max_examples=100, deadline=None)
@given(first=DOCUMENTS, second=DOCUMENTS)
def test_two_streams_joined_are_one(tmp_path_factory, first, second):
    folder = tmp_path_factory.mktemp("stream")
    write([*first, *second], folder / "one")
    other, _ = write(second, folder / "second")
    writer = StreamWriter(folder / "joined")
    for texts in first:
        writer.append(document(*texts))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "CHUNK", 3)
        writer.extend(other)
    writer.close()
    assert content(folder / "joined") == content(folder / "one")


def test_places_of_tokens_may_be_beyond_what_32_bits_hold(tmp_path):
    """The file of 2**31 tokens is a hole; the numbers are those of a collection that large."""
    writer = StreamWriter(tmp_path / "t")
    writer.append(document("a", "", "", "", "", ""))
    writer._flush()
    with (tmp_path / "t" / "tokens.i32").open("r+b") as file:
        file.truncate(4 << 31)
    writer._written = 1 << 31
    writer.append(document("b a", "", "", "", "", ""))
    assert writer.close()["tokens"] == (1 << 31) + 2
    stream = Stream.open(tmp_path / "t")
    assert stream.starts.dtype == np.int64
    begin, end = stream.starts[6:8].tolist()
    assert (begin, end) == (1, (1 << 31) + 2)
    assert stream.tokens[-2:].tolist() == [1, 0]
