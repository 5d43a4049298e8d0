"""Terrier's meta index: the docno of each document, and the document of each docno."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np

from pipeline.collection.npy import write as write_array

T = TypeVar("T")

DOCNO_LENGTH = 64
"""Bytes of a docno for which room is made at first; each costs three bytes a document."""

CHUNK = 1 << 13
"""Records that are put together at once."""

MOST_DATA, MOST_OFFSETS = 400 << 20, 100 << 20
"""Bytes of docnos, and of where they stand, up to which Terrier keeps them in memory."""


def length(docnos: Sequence[str]) -> int:
    """Bytes of a docno for which there has to be room: more than usual only where it is needed."""
    most = DOCNO_LENGTH
    for docno in docnos:
        if len(docno) * 4 > most and (found := len(docno.encode())) > most:
            most = max(2 * most, found)
    return most


def write(docnos: Sequence[str], folder: Path) -> dict[str, object]:
    """Writes the docnos of all documents.

    Returns:
        Properties of the index.
    """
    room = length(docnos)
    size = len(_vint(room)) + 3 * room
    rows = [docno.encode() for docno in docnos]
    lengths = set(map(len, rows))
    data = _data(rows, {length: _frame(length, size) for length in lengths}, folder)
    _numbers(rows, {length: _vint(length) for length in lengths}, size, folder)
    units = (docno.encode("utf-16-be") for docno in docnos)  # Java compares strings by these
    ascending = all(one < other for one, other in pairwise(units))
    return {
        "index.meta.data-source": "fileinmem" if data <= MOST_DATA else "file",
        "index.meta.entries": len(rows),
        "index.meta.entry-length": size,
        "index.meta.index-source": "fileinmem" if len(rows) * 8 <= MOST_OFFSETS else "file",
        "index.meta.value-lengths": room,
        "index.meta.value-sorted": "true" if ascending else "false",
    }


def _data(rows: Sequence[bytes], frames: dict[int, tuple[bytes, bytes]], folder: Path) -> int:
    """Writes the docno of each document, and where it stands; gives the bytes."""
    with (folder / "data.meta.zdata").open("wb") as file:
        for chunk in _chunks(rows):
            file.write(b"".join(row.join(frames[len(row)]) for row in chunk))
    lengths = {length: length + len(before + behind) for length, (before, behind) in frames.items()}
    ends = accumulate((lengths[len(row)] for row in rows), initial=0)
    offsets = np.fromiter(ends, ">i8", len(rows) + 1)
    with (folder / "data.meta.idx").open("wb") as file:
        write_array(file, offsets[:-1])
    return int(offsets[-1])


def _numbers(rows: Sequence[bytes], heads: dict[int, bytes], size: int, folder: Path) -> None:
    """Writes the number of the document of each docno, by the order of their bytes."""
    with (folder / "data.meta-0.fsomapfile").open("wb") as file:
        for chunk in _chunks(sorted(range(len(rows)), key=rows.__getitem__)):
            records = (
                (heads[len(rows[number])] + rows[number]).ljust(size, b"\0")
                + number.to_bytes(4, "big")
                for number in chunk
            )
            file.write(b"".join(records))


def _chunks(things: Sequence[T]) -> Iterator[Sequence[T]]:
    return (things[begin : begin + CHUNK] for begin in range(0, len(things), CHUNK))


def _frame(docno: int, size: int) -> tuple[bytes, bytes]:
    """What stands before and behind a docno of so many bytes in a Zstandard frame (RFC 8878).

    The frame holds ``size`` bytes: a raw block, the docno; and one of a single byte repeated, 0.
    """
    if size < 256:
        header = b"\x20" + struct.pack("<B", size)
    elif size < 256 + (1 << 16):
        header = b"\x60" + struct.pack("<H", size - 256)
    else:
        header = b"\xa0" + struct.pack("<I", size)
    raw, repeated = docno << 3, (size - docno) << 3 | 1 << 1 | 1  # its last bit: the last block
    before = b"\x28\xb5\x2f\xfd" + header + raw.to_bytes(3, "little")
    return before, repeated.to_bytes(3, "little") + b"\0"


def _vint(number: int) -> bytes:
    """A number from 0 on, as Hadoop writes it in as few bytes as it can."""
    if number < 128:
        return bytes([number])
    digits = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return bytes([144 - len(digits)]) + digits
