"""The kernels in C, called through ctypes. What each does stands in ``kernels.py``."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Sequence
from ctypes import c_double, c_int, c_int64, c_void_p
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline import native
from pipeline.index.arrays.dtypes import F64, I32, I64, U8, Frequencies, TermMap

NO_MEMORY, OUT_OF_RANGE, TOO_MANY, TOO_LARGE = -1, -2, -3, -4
"""What a function in C gives when it fails."""

ARGUMENTS = {
    "types_new": [c_int64],
    "types_free": [c_void_p],
    "types_count": [c_void_p],
    "types_bytes": [c_void_p],
    "types_names": [c_void_p] * 3,
    "tokenise": [c_void_p, c_void_p, c_void_p, c_int64, c_void_p, c_void_p],
    "count": [c_void_p, c_int64, c_int64] + [c_void_p] * 4,
    "fill": [c_void_p, c_int64, c_int64, c_void_p],
    "scores_add": [c_void_p, c_void_p, c_void_p, c_int64],
    "scores_add_saturated": [
        *[c_void_p] * 3, c_int, c_int64, c_void_p, c_double, c_double, c_double,
    ],
    "scores_best": [c_void_p, c_int64, c_void_p, c_void_p, c_void_p],
    "encoded_bits": [c_void_p, c_int64, c_void_p, c_void_p, c_int, c_int64, c_void_p],
    "encode": [c_void_p, c_int64, c_void_p, c_void_p, c_int, c_int64, c_void_p],
    "transpose": [c_void_p, c_int64, c_void_p, c_void_p, c_int, c_int64] + [c_void_p] * 4,
    "slots": [c_void_p, c_void_p, c_int64, c_void_p, c_void_p, c_int64] + [c_void_p] * 4,
    "turn": [
        *[c_void_p] * 2, c_int64, *[c_void_p] * 2, c_int, *[c_int64] * 3,
        c_void_p, c_int64, *[c_void_p] * 2,
    ],
}  # fmt: skip
RESULTS = {"types_new": c_void_p, "types_free": None, "types_names": None, "encode": None}
"""What is no int64_t."""


@cache
def _library() -> ctypes.CDLL:
    loaded = native.library()
    assert loaded is not None
    for name, arguments in ARGUMENTS.items():
        function = getattr(loaded, name)
        function.argtypes = arguments
        function.restype = RESULTS.get(name, c_int64)
    return loaded


def _done(result: int) -> int:
    """What a function in C gave, if it is none of the failures."""
    if result >= 0:
        return result
    if result == NO_MEMORY:
        raise MemoryError
    if result == TOO_MANY:
        raise OverflowError
    raise ValueError("too long a text" if result == TOO_LARGE else "a number out of range")


def _at(array: npt.NDArray[Any]) -> int:
    return array.ctypes.data


class Types:
    """A hash table that lives in C."""

    def __init__(self, most: int):
        self._c = _library()
        self._types = self._c.types_new(most)
        if not self._types:
            raise MemoryError
        weakref.finalize(self, self._c.types_free, self._types)

    def __len__(self) -> int:
        return int(self._c.types_count(self._types))

    def tokenise(self, text: U8, ends: I64) -> tuple[I32, I64]:
        """As in ``kernels.py``; more types than there may be are an OverflowError."""
        tokens = np.empty((len(text) + len(ends)) // 2, np.int32)
        token_ends = np.empty(len(ends), np.int64)
        given = (_at(text), _at(ends), len(ends), _at(tokens), _at(token_ends))
        return tokens[: _done(self._c.tokenise(self._types, *given))], token_ends

    def names(self) -> tuple[U8, I64]:
        """As in ``kernels.py``."""
        names = np.empty(self._c.types_bytes(self._types), np.uint8)
        starts = np.empty(len(self) + 1, np.int64)
        self._c.types_names(self._types, _at(names), _at(starts))
        return names, starts


class _Stream(ctypes.Structure):
    """``Stream`` of kernels.c."""

    _fields_ = [
        ("tokens", c_void_p), ("tokens_count", c_int64), ("starts", c_void_p), ("parts", c_int64),
        ("fields", c_int64), ("held", c_void_p), ("field_of", c_void_p), ("held_count", c_int64),
        ("first", c_void_p), ("types", c_int64), ("more_starts", c_void_p), ("lists", c_int64),
        ("more", c_void_p), ("more_count", c_int64), ("terms", c_int64),
    ]  # fmt: skip


class _Postings(ctypes.Structure):
    """``Postings`` of kernels.c."""

    _fields_ = [
        ("pointers", c_void_p), ("place", c_void_p), ("seen", c_void_p), ("docs", c_void_p),
        ("postings", c_int64), ("tfs", c_void_p), ("wide", c_int64),
    ]  # fmt: skip


def _stream(
    tokens: I32, starts: I64, fields: Sequence[Sequence[int]], terms_of: TermMap, number: int,
    parts: int,
) -> tuple[_Stream, tuple[I64, I64]]:  # fmt: skip
    """The struct, and arrays that must live as long."""
    held = np.array([part for parts in fields for part in parts], np.int64)
    field_of = np.array([f for f, parts in enumerate(fields) for _ in parts], np.int64)
    stream = _Stream(
        _at(tokens), len(tokens), _at(starts), parts,
        len(fields), _at(held), _at(field_of), len(held),
        _at(terms_of.first), len(terms_of.first),
        _at(terms_of.more_starts), len(terms_of.more_starts) - 1,
        _at(terms_of.more), len(terms_of.more), number,
    )  # fmt: skip
    return stream, (held, field_of)


def count(
    tokens: I32, starts: I64, fields: Sequence[Sequence[int]], terms_of: TermMap, number: int,
    begin: int, end: int, parts: int,
) -> tuple[I32, I64, I32]:  # fmt: skip
    """As in ``kernels.py``."""
    stream, _kept = _stream(tokens, starts, fields, terms_of, number, parts)
    seen = np.full(number, -1, np.int32)
    df, cf = np.zeros(number, np.int32), np.zeros(number, np.int64)
    lengths = np.zeros((len(fields), end - begin), np.int32)
    out = (_at(seen), _at(df), _at(cf), _at(lengths))
    _done(_library().count(ctypes.byref(stream), begin, end, *out))
    return df, cf, lengths


def fill(
    tokens: I32, starts: I64, fields: Sequence[Sequence[int]], terms_of: TermMap, begin: int,
    end: int, place: I64, docs: I32, tfs: Sequence[Frequencies], pointers: I64, parts: int,
) -> bool:  # fmt: skip
    """As in ``kernels.py``."""
    stream, _kept = _stream(tokens, starts, fields, terms_of, len(place), parts)
    seen = np.full(len(place), -1, np.int32)
    rows = (c_void_p * len(tfs))(*map(_at, tfs))
    postings = _Postings(
        _at(pointers), _at(place), _at(seen), _at(docs), len(docs), ctypes.addressof(rows),
        tfs[0].dtype == np.uint32,
    )  # fmt: skip
    result = _library().fill(ctypes.byref(stream), begin, end, ctypes.byref(postings))
    return result != TOO_LARGE and _done(result) == 0


class _Scores(ctypes.Structure):
    """``Scores`` of kernels.c."""

    _fields_ = [
        ("sums", c_void_p), ("touched", c_void_p), ("count", c_int64), ("documents", c_int64),
    ]  # fmt: skip


class Scores:
    """Sums in an array as long as the collection, and a list of the documents added to."""

    def __init__(self, documents: int):
        self._c = _library()
        self._sums = np.full(documents, -0.0)
        self._touched = np.empty(documents, np.int32)
        self._scores = _Scores(_at(self._sums), _at(self._touched), 0, documents)

    def add(self, docs: I32, values: F64) -> None:
        """As in ``kernels.py``."""
        given = (_at(docs), _at(values), len(docs))
        _done(self._c.scores_add(ctypes.byref(self._scores), *given))

    def add_saturated(
        self, docs: I32, tfs: Frequencies, norms: F64, idf: float, gain: float, weight: float
    ) -> None:
        """As in ``kernels.py``."""
        given = (_at(docs), _at(tfs), tfs.dtype == np.uint32, len(docs), _at(norms))
        scores = ctypes.byref(self._scores)
        _done(self._c.scores_add_saturated(scores, *given, idf, gain, weight))

    def best(self, k: int, keep: U8 | None) -> tuple[I32, F64]:
        """As in ``kernels.py``."""
        k = min(k, self._scores.count)
        docs, scores = np.empty(k, np.int32), np.empty(k, np.float64)
        given = (k, None if keep is None else _at(keep), _at(docs), _at(scores))
        found = _done(self._c.scores_best(ctypes.byref(self._scores), *given))
        return docs[:found], scores[:found]


def encode(pointers: I64, ids: I32, tfs: Frequencies, at: int) -> tuple[U8, I64, U8]:
    """As in ``kernels.py``."""
    begins = np.empty(len(pointers) - 1, np.int64)
    given = (_at(pointers), len(begins), _at(ids), _at(tfs), tfs.dtype == np.uint32, at)
    bits = _done(_library().encoded_bits(*given, _at(begins)))
    coded = np.zeros((bits + 7) // 8, np.uint8)
    _library().encode(*given, _at(coded))
    return coded, begins >> 3, (begins & 7).astype(np.uint8)


def transpose(
    pointers: I64, docs: I32, tfs: Frequencies, documents: int
) -> tuple[I64, I32, Frequencies]:
    """As in ``kernels.py``."""
    postings = int(pointers[-1] - pointers[0])
    by_document, place = np.zeros(documents + 1, np.int64), np.empty(documents, np.int64)
    terms, tfs_out = np.empty(postings, np.int32), np.empty(postings, tfs.dtype)
    given = (_at(pointers), len(pointers) - 1, _at(docs), _at(tfs), tfs.dtype == np.uint32)
    out = (documents, _at(by_document), _at(place), _at(terms), _at(tfs_out))
    _done(_library().transpose(*given, *out))
    return by_document, terms, tfs_out


def slots(
    tokens: I32, starts: I64, held: Sequence[int], terms_of: TermMap, parts: int, documents: I64,
    words: I32, sizes: I64,
) -> I32:  # fmt: skip
    """As in ``terrier/numbering.py``.

    Args:
        tokens: as in ``kernels.py``, like ``starts``, ``terms_of`` and ``parts``.
        starts: see there.
        held: the numbers of the parts of the only field.
        terms_of: see there.
        parts: see there.
        documents: those whose tables are filled, ascending.
        words: [terms + 1, 2] hash, and -1 where the first document with the term is one of them,
            else -2; used up.
        sizes: of a table, as it grows; the last is never left.
    """
    number = len(words) - 1
    stream, _kept = _stream(tokens, starts, [held], terms_of, number, parts)
    found = np.zeros(number, np.int32)
    rooms = [np.empty(sizes[-1], np.int32) for _ in range(3)]
    given = (_at(documents), len(documents), _at(words), _at(sizes), len(sizes))
    _done(_library().slots(ctypes.byref(stream), *given, *map(_at, rooms), _at(found)))
    return found


def turn(
    begins: I64, ends: I64, docs: I32, tfs: Frequencies, first: int, last: int, pointers: I64
) -> tuple[I32, Frequencies]:
    """As in ``terrier/direct.py``; ``begins`` are moved on."""
    place = pointers[:-1] - pointers[0]
    postings = int(pointers[-1] - pointers[0])
    terms, tfs_out = np.empty(postings, np.int32), np.empty(postings, tfs.dtype)
    lists = (_at(begins), _at(ends), len(begins), _at(docs), _at(tfs), tfs.dtype == np.uint32)
    out = (_at(place), postings, _at(terms), _at(tfs_out))
    _done(_library().turn(*lists, len(docs), first, last, *out))
    return terms, tfs_out
