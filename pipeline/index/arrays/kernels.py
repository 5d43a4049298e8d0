"""The hot loops over arrays: in C where it was compiled, else in numpy, with the same results.

Every array must be of exactly the kind that is named and lie in one piece (TypeError); it may be a
mapped file. Numbers that contradict each other are a ValueError: nothing outside of an array is
ever read or written. The kernels in C let other threads run.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline import native
from pipeline.errors import RunError
from pipeline.index.arrays import kernels_c, kernels_numpy
from pipeline.index.arrays.checks import check, check_frequencies, check_lists, check_stream
from pipeline.index.arrays.dtypes import I32, I64, U8, Frequencies, TermMap
from pipeline.index.arrays.scores import Scores

__all__ = ["IN_USE", "Scores", "TermMap", "Types", "count", "encode", "fill", "transpose"]

IN_USE = native.in_use()
"""``C`` or ``numpy``."""

_C = IN_USE == "C"


class Types:
    """The different tokens of a collection, numbered in the order in which they first occur.

    A token is a maximal run of ASCII letters, ASCII digits and bytes from 128 on.
    """

    def __init__(self, most: int = (1 << 31) - 1):
        """At most ``most`` types: more are a RunError."""
        self._most = most
        self._types: kernels_c.Types | kernels_numpy.Types
        self._types = kernels_c.Types(most) if _C else kernels_numpy.Types(most)

    def __len__(self) -> int:
        return len(self._types)

    def tokenise(self, text: bytes | bytearray | memoryview, ends: I64) -> tuple[I32, I64]:
        """The types of the tokens of texts that lie end to end.

        Args:
            text: UTF-8.
            ends: [texts], ascending: text i is ``text[ends[i - 1] : ends[i]]``. No token goes on
                beyond its text.

        Returns:
            Type numbers [tokens], and [texts] where in them the tokens of each text end.

        Raises:
            RunError: there are more types than can be numbered; nothing more can be done with them.
            ValueError: the ends are not ascending, or beyond the text.
        """
        check(np.int64, ends=ends)
        whole = np.frombuffer(text, np.uint8)
        if len(ends) and (ends[0] < 0 or ends[-1] > len(whole) or (np.diff(ends) < 0).any()):
            raise ValueError("ends: not ascending, or beyond the text")
        try:
            return self._types.tokenise(whole, ends)
        except OverflowError:
            raise RunError(f"the collection has more than {self._most:,} different words") from None

    def names(self) -> tuple[U8, I64]:
        """The bytes of all types end to end, and [types + 1] where each begins."""
        return self._types.names()


def count(
    tokens: I32, starts: I64, fields: Sequence[Sequence[int]], terms_of: TermMap, number: int,
    begin: int, end: int, parts: int = 6,
) -> tuple[I32, I64, I32]:  # fmt: skip
    """Counts the terms in documents ``begin`` to ``end``.

    Args:
        tokens: types [tokens].
        starts: [documents * parts + 1]: the tokens of part p of document d are
            ``tokens[starts[d * parts + p] : starts[d * parts + p + 1]]``.
        fields: of each field the numbers of its parts; a part may stand in several.
        terms_of: what terms a type stands for.
        number: of terms.
        begin: first document.
        end: document after the last one.
        parts: of a document.

    Returns:
        Documents [number] that hold each term in any field; occurrences [number] of each, those in
        every field summed; and terms [fields, end - begin] that each document has in each field.

    Raises:
        ValueError: the arrays contradict each other, or a length does not fit.
    """
    check_stream(tokens, starts, fields, terms_of, begin, end, parts)
    work = kernels_c.count if _C else kernels_numpy.count
    try:
        return work(tokens, starts, fields, terms_of, number, begin, end, parts)
    except IndexError as error:
        raise ValueError(f"number out of range: {error}") from error


def fill(
    tokens: I32, starts: I64, fields: Sequence[Sequence[int]], terms_of: TermMap, begin: int,
    end: int, place: I64, docs: I32, tfs: Sequence[Frequencies] | Frequencies, pointers: I64,
    parts: int = 6,
) -> bool:  # fmt: skip
    """Writes the postings of documents ``begin`` to ``end``, each term's by ascending document.

    Args:
        tokens: as of ``count``, like all that is not named here.
        starts: see there.
        fields: see there.
        terms_of: see there.
        begin: first document.
        end: document after the last one.
        place: [terms] the slot of the next posting of each term; moved on.
        docs: [postings] written: the document.
        tfs: [fields, postings], or an array a field; written: how often the term stands there.
        pointers: [terms + 1]: the postings of term t lie in slots ``pointers[t]`` up to
            ``pointers[t + 1]``, and nothing is written beyond.
        parts: of a document.

    Returns:
        False if a frequency does not fit: then all that was written is worthless, ``place`` too.

    Raises:
        ValueError: the arrays contradict each other.
    """
    check_stream(tokens, starts, fields, terms_of, begin, end, parts)
    rows = [*tfs]
    check(np.int64, place=place, pointers=pointers)
    check(np.int32, docs=docs)
    check_frequencies(*rows)
    if len({row.dtype for row in rows}) > 1 or {len(row) for row in rows} - {len(docs)}:
        raise ValueError("tfs: not all of one kind, and as long as docs")
    if len(rows) != len(fields) or len(pointers) != len(place) + 1:
        raise ValueError("tfs: not one a field; or pointers: not one more than terms")
    if pointers[-1] > len(docs) or not all(a.flags.writeable for a in (place, docs, *rows)):
        raise ValueError("pointers: beyond docs; or an array that cannot be written")
    work = kernels_c.fill if _C else kernels_numpy.fill
    try:
        return work(
            tokens, starts, fields, terms_of, begin, end, place, docs, rows, pointers, parts
        )
    except IndexError as error:
        raise ValueError(f"number out of range: {error}") from error


def encode(pointers: I64, ids: I32, tfs: Frequencies, at: int = 0) -> tuple[U8, I64, U8]:
    """Lists of postings as Terrier's bits, each list right behind the one before it.

    A posting is the distance of its id from the one before it (the first of a list: from -1) in
    Elias' gamma code, then its tf in unary: ``tf - 1`` zeros and a one. The highest bit of a byte
    is the first.

    Args:
        pointers: [lists + 1]: list i is ``pointers[i]`` up to ``pointers[i + 1]`` of the others.
        ids: [postings] ascending in each list.
        tfs: [postings] from 1 on.
        at: 0 to 7, the bit of the first byte to begin with; those before it are zeros.

    Returns:
        The bytes, the rest of the last one zeros; and of each list the byte and the bit in it where
        it begins.

    Raises:
        ValueError: ids do not ascend, a tf is zero, or a pointer is out of range.
    """
    check_lists(pointers, ids, tfs)
    work = kernels_c.encode if _C else kernels_numpy.encode
    return work(pointers, ids, tfs, at)


def transpose(
    pointers: I64, docs: I32, tfs: Frequencies, documents: int
) -> tuple[I64, I32, Frequencies]:
    """Postings by document, from postings by term.

    Args:
        pointers: [terms + 1]: those of term t are ``pointers[t]`` up to ``pointers[t + 1]``.
        docs: [postings] documents.
        tfs: [postings] how often the term stands in the document.
        documents: how many there are.

    Returns:
        Pointers [documents + 1], terms [postings] ascending in each document, and their tfs.

    Raises:
        ValueError: a document or a pointer is out of range.
    """
    check_lists(pointers, docs, tfs)
    work = kernels_c.transpose if _C else kernels_numpy.transpose
    return work(pointers, docs, tfs, documents)
