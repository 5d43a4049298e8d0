"""Terrier's direct index: the terms of each document; and its index of documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pipeline.collection.npy import write as write_array
from pipeline.index.arrays import kernels, kernels_c
from pipeline.index.arrays.dtypes import I32, I64, Frequencies
from pipeline.index.arrays.postings import Postings
from pipeline.index.terrier.bits import BLOCK, BitFile, blocks

SMALL = 5_000
"""Documents below which Terrier keeps all of their index in memory."""

_RECORD = np.dtype([("length", ">i4"), ("offset", ">i8"), ("bit", "u1"), ("terms", ">i4")])


def write(postings: Postings, numbers: I32, folder: Path) -> dict[str, object]:
    """Writes what terms each document holds, and where that stands.

    Args:
        postings: of one field.
        numbers: Terrier's number of each term.
        folder: of the index.

    Returns:
        Properties of the index.
    """
    records = np.zeros(postings.documents, _RECORD)
    records["length"] = postings.lengths[0]
    with BitFile(folder / "data.direct.bf") as file:
        for begin, pointers, terms, tfs in _documents(postings, numbers):
            here = records[begin : begin + len(pointers) - 1]
            offsets, bits = file.append(pointers, terms, tfs)
            held = np.diff(pointers)
            here["terms"] = held
            here["offset"] = np.where(held, offsets, 0)
            here["bit"] = np.where(held, bits, 0)
    with (folder / "data.document.fsarrayfile").open("wb") as out:
        write_array(out, records)
    kind = "FSADocumentIndexInMem" if len(records) < SMALL else "FSADocumentIndex"
    return {"index.document.class": f"org.terrier.structures.{kind}"}


def _documents(postings: Postings, numbers: I32) -> Iterator[tuple[int, I64, I32, Frequencies]]:
    """Postings by document, some documents at a time.

    Yields:
        The first of the documents; where the postings of each begin; the numbers of their terms,
        ascending; and how often each stands there.
    """
    order = np.argsort(numbers)
    begins, ends = postings.pointers[:-1][order], postings.pointers[1:][order]
    docs, tfs, held = postings.docs, postings.tfs[0], _held(postings)
    turn = kernels_c.turn if kernels.IN_USE == "C" else turn_in_numpy
    for first, last in blocks(held):
        pointers = held[first : last + 1] - held[first]
        yield first, pointers, *turn(begins, ends, docs, tfs, first, last, pointers)


def turn_in_numpy(
    begins: I64, ends: I64, docs: I32, tfs: Frequencies, first: int, last: int, pointers: I64
) -> tuple[I32, Frequencies]:
    """What documents ``first`` to ``last`` hold.

    Args:
        begins: [lists] where the documents from ``first`` on begin in each list; moved on to those
            from ``last`` on.
        ends: [lists] where the lists end.
        docs: [postings] documents, ascending in each list.
        tfs: [postings] how often the document holds the term.
        first: a document.
        last: the document after the last one.
        pointers: [last - first + 1] where the postings of each document are to begin.

    Returns:
        The lists in which each document stands, ascending, and how often.
    """
    behind = _first_from(docs, begins, ends, last)
    counts = behind - begins
    starts = np.concatenate(([0], np.cumsum(counts)))
    places = np.arange(starts[-1]) + np.repeat(begins - starts[:-1], counts)
    begins[:] = behind
    here = docs[places] - np.int32(first)
    order = np.argsort(here.astype(np.min_scalar_type(last - first)), kind="stable")
    assert len(order) == pointers[-1]
    return np.repeat(np.arange(len(begins), dtype=np.int32), counts)[order], tfs[places[order]]


def _held(postings: Postings) -> I64:
    """How many terms all documents before each hold; and then all of them."""
    counts = np.zeros(postings.documents + 1, np.int64)
    for begin in range(0, len(postings.docs), BLOCK):
        docs = postings.docs[begin : begin + BLOCK]
        counts[1:] += np.bincount(docs, minlength=postings.documents)
    return np.cumsum(counts)


def _first_from(docs: I32, begins: I64, ends: I64, document: int) -> I64:
    """In each of the lists ``begins`` to ``ends``, the place of the first from a document on."""
    low, high = begins.copy(), ends.copy()
    left = np.flatnonzero(low < high)
    while len(left):
        middle = (low[left] + high[left]) >> 1
        less = docs[middle] < document
        low[left[less]] = middle[less] + 1
        high[left[~less]] = middle[~less]
        left = left[low[left] < high[left]]
    return low
