"""Terrier's lexicon: its records in the order of the terms, and two ways to find one quickly."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from pipeline.collection.npy import write as write_array
from pipeline.index.arrays.dtypes import I32, I64, U8
from pipeline.index.arrays.postings import Postings
from pipeline.index.arrays.terms import Terms
from pipeline.index.terrier import trove
from pipeline.index.terrier.bits import blocks
from pipeline.index.terrier.numbering import utf16

MOST_BYTES = 60
"""Bytes of a term: Terrier makes room for 20 characters of three bytes.

Its tokens are no longer; in small letters some are, as those with a dotted capital i, but all fit.
"""

MOST_IN_MEMORY = 15_000_000
"""Terms up to which Terrier keeps in memory where each stands by its number."""

_RECORD = np.dtype(
    [
        ("length", "u1"),
        ("term", "u1", MOST_BYTES),  # UTF-8, then zeros
        ("number", ">i4"),
        ("cf", ">i4"),
        ("df", ">i4"),
        ("most", ">i4"),  # of its frequencies in a document
        ("offset", ">i8"),
        ("bit", "u1"),
    ]
)

_SLOTS = 23
"""With which a table of Trove begins that was not told how many keys to expect."""


def write(
    postings: Postings, numbers: I32, begins: tuple[I64, U8], folder: Path
) -> dict[str, object]:
    """Writes the lexicon.

    Args:
        postings: of one field.
        numbers: Terrier's number of each term.
        begins: byte and bit at which the postings of each term begin.
        folder: of the index.

    Returns:
        Properties of the index. There is no file to find a term by its number where the numbers
        follow the order of the terms.
    """
    lengths = np.diff(postings.terms.starts)
    longest = int(lengths.argmax())
    assert lengths.min() > 0, "an empty term"
    assert lengths[longest] <= MOST_BYTES, f"too long for Terrier: {postings.terms.name(longest)}"
    assert postings.cfs.max() < 1 << 31, "a term too frequent for Terrier"
    with (folder / "data.lexicon.fsomapfile").open("wb") as file:
        weights = postings.pointers + 32 * np.arange(len(postings.pointers))  # a record is larger
        for begin, end in blocks(weights):
            write_array(file, _records(postings, numbers, begins, begin, end))
    (folder / "data.lexicon.fsomaphash").write_bytes(_by_first_character(postings.terms))
    if (numbers == np.arange(len(numbers))).all():
        return {"index.lexicon.termids": "aligned"}
    places = np.empty(len(numbers), ">i4")
    places[numbers] = np.arange(len(numbers))
    with (folder / "data.lexicon.fsomapid").open("wb") as file:
        write_array(file, places)
    return {"index.lexicon.termids": "fileinmem" if len(numbers) <= MOST_IN_MEMORY else "file"}


def _records(
    postings: Postings, numbers: I32, begins: tuple[I64, U8], begin: int, end: int
) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    """Those of terms ``begin`` to ``end``."""
    names, starts = postings.terms.names, postings.terms.starts[begin : end + 1]
    pointers = postings.pointers[begin : end + 1]
    records = np.zeros(end - begin, _RECORD)
    lengths = np.diff(starts)
    records["length"] = lengths
    records["term"][np.arange(MOST_BYTES) < lengths[:, None]] = names[starts[0] : starts[-1]]
    records["number"] = numbers[begin:end]
    records["cf"] = postings.cfs[begin:end]
    records["df"] = np.diff(pointers)
    tfs = postings.tfs[0][pointers[0] : pointers[-1]]
    records["most"] = np.maximum.reduceat(tfs, pointers[:-1] - pointers[0])
    records["offset"], records["bit"] = (of_all[begin:end] for of_all in begins)
    return records


def _by_first_character(terms: Terms) -> bytes:
    """From the first character of a term to the places of all terms that begin so.

    It is a map from int to int[2] as Java writes an object: a ``TIntObjectHashMap`` of Trove.
    """
    units, starts = utf16(terms)
    characters, places = np.unique(units[starts[:-1]], return_index=True)
    ends = [*places[1:].tolist(), len(terms)]
    hashes = (characters.astype(np.int64) * 31 & 0x7FFFFFFF).astype(np.int32)
    slots = trove.slots(np.zeros(len(hashes), np.int64), hashes, _SLOTS)
    parts = [_MAP + b"w\x09\0" + struct.pack(">i", len(characters))]
    for entry in np.argsort(-slots).tolist():
        parts.append(b"w\x04" if len(parts) > 1 else b"")
        parts.append(struct.pack(">i", characters[entry]))
        parts.append(b"ur\0\x02[IM\xba`&v\xea\xb2\xa5\x02\0\0xp" if len(parts) == 3 else _AGAIN)
        parts.append(struct.pack(">iii", 2, places[entry], ends[entry]))
    return b"".join(parts) + b"x"


def _class(name: bytes, serial: int, flags: int, fields: bytes = b"\0\0") -> bytes:
    """How Java writes that the class of an object follows, without what it is derived from."""
    return b"r" + struct.pack(">H", len(name)) + name + struct.pack(">QB", serial, flags) + fields


_MAP = (
    b"\xac\xed\0\x05s"
    + _class(b"gnu.trove.TIntObjectHashMap", 1, 0x0C)
    + b"x"
    + _class(
        b"gnu.trove.TIntHash",
        0x493B769FFA631F27,
        2,
        b"\0\x01L\0\x10_hashingStrategyt\0\x1fLgnu/trove/TIntHashingStrategy;",
    )
    + b"xp"
)

_AGAIN = b"uq\0~\0\x04"
"""Another array of the class that was written fourth."""
