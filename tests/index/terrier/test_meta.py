"""Docnos on the disk, read back by the rules of the formats."""

import struct

import numpy as np
import pytest

from pipeline.index.terrier import meta


def frames(folder):
    """What the Zstandard frames hold: blocks that are raw, or one byte repeated."""
    data = (folder / "data.meta.zdata").read_bytes()
    offsets = np.fromfile(folder / "data.meta.idx", ">i8").tolist()
    assert offsets[0] == 0
    for begin, end in zip(offsets, [*offsets[1:], len(data)], strict=True):
        assert data[begin : begin + 4] == b"\x28\xb5\x2f\xfd"
        descriptor = data[begin + 4]
        assert descriptor & 0b00111111 == 0b00100000  # one segment, no checksum, no dictionary
        width, more = {0: ("<B", 0), 1: ("<H", 256), 2: ("<I", 0)}[descriptor >> 6]
        size = struct.unpack_from(width, data, begin + 5)[0] + more
        at, held, last = begin + 5 + struct.calcsize(width), b"", 0
        while not last:
            header = int.from_bytes(data[at : at + 3], "little")
            last, kind, length = header & 1, header >> 1 & 3, header >> 3
            held += data[at + 3 : at + 3 + length] if kind == 0 else data[at + 3 : at + 4] * length
            at += 3 + (length if kind == 0 else 1)
        assert (at, len(held)) == (end, size)
        yield held


def keys(folder, size):
    """Docnos in the order of their file, with the numbers of their documents."""
    data = (folder / "data.meta-0.fsomapfile").read_bytes()
    assert len(data) % (size + 4) == 0
    for begin in range(0, len(data), size + 4):
        length, at = data[begin], begin + 1
        if length > 127:
            digits = 256 - 112 - length  # Hadoop: -113 is one byte, -114 two
            length, at = int.from_bytes(data[at : at + digits], "big"), at + digits
        rest = data[at + length : begin + size]
        assert not rest.strip(b"\0")
        yield data[at : at + length].decode(), int.from_bytes(data[begin + size :][:4], "big")


@pytest.mark.parametrize(
    ("docnos", "room", "size"),
    [
        (["b", "a-1", "ж日\U0001f600\uff21"], 64, 193),
        (["x" * 64], 64, 193),
        (["a", "x" * 65], 128, 386),
        (["b", "x" * 300, "ж" * 200, "a"], 600, 1803),
        (["x" * 22_000], 22_000, 66_003),
    ],
)
def test_docnos_are_read_back(tmp_path, docnos, room, size):
    found = meta.write(docnos, tmp_path)
    assert (found["index.meta.value-lengths"], found["index.meta.entry-length"]) == (room, size)
    assert [held.rstrip(b"\0").decode() for held in frames(tmp_path)] == docnos
    assert {len(held) for held in frames(tmp_path)} == {size}
    expected = sorted(((docno, n) for n, docno in enumerate(docnos)), key=lambda x: x[0].encode())
    assert list(keys(tmp_path, size)) == expected


def test_chunks_leave_nothing_out(tmp_path, monkeypatch):
    docnos = [f"d{number * 7919 % 1000}" for number in range(1000)]
    (tmp_path / "whole").mkdir()
    meta.write(docnos, tmp_path / "whole")
    monkeypatch.setattr(meta, "CHUNK", 3)
    meta.write(docnos, tmp_path)
    for file in (tmp_path / "whole").iterdir():
        assert file.read_bytes() == (tmp_path / file.name).read_bytes()


@pytest.mark.parametrize(
    ("docnos", "ascending"),
    [
        (["a"], "true"),
        (["a", "ab", "b"], "true"),
        (["a", "a"], "false"),
        (["b", "a"], "false"),
        (["\U0001f600", "\uff21"], "true"),  # as Java compares strings: by units of UTF-16
        (["\uff21", "\U0001f600"], "false"),
    ],
)
def test_whether_docnos_ascend(tmp_path, docnos, ascending):
    assert meta.write(docnos, tmp_path)["index.meta.value-sorted"] == ascending
