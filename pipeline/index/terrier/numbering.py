"""The numbers that Terrier gives to terms.

They follow the first document that holds a term, and in it the slots of a hash table. Terrier's
files would do with any numbers; with these they come out as its own indexer writes them, and what
depends on their order, as sums in floating point do, comes out the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

import numpy as np
import numpy.typing as npt

from pipeline.index.arrays import kernels, kernels_c
from pipeline.index.arrays.dtypes import I32, I64, U16
from pipeline.index.arrays.postings import Postings
from pipeline.index.arrays.terms import Terms
from pipeline.index.arrays.tokens import PARTS, Stream
from pipeline.index.terrier import trove
from pipeline.index.terrier.bits import blocks

Bools = npt.NDArray[np.bool_]

SIZE = 277
"""Slots with which the table of a document begins: room for the 120 words that Terrier expects."""

TOKENS = 1 << 20
"""Of documents whose tables are filled at once in numpy, about."""


def numbers(postings: Postings, stream: Stream, parts: Sequence[str]) -> I32:
    """The number that Terrier gives to each term.

    Args:
        postings: of one field.
        stream: of which they were made.
        parts: of which the field was made.
    """
    firsts = postings.docs[postings.pointers[:-1]]
    new = np.bincount(firsts, minlength=postings.documents)
    hashes = java_hashes(postings.terms)
    held = [PARTS.index(part) for part in parts]
    work = slots_in_c if kernels.IN_USE == "C" else slots_in_numpy
    order = np.lexsort((-work(postings, stream, held, new > 1, hashes, firsts), firsts))
    found = np.empty(len(order), np.int32)
    found[order] = np.arange(len(order), dtype=np.int32)
    return found


def slots_in_c(
    postings: Postings, stream: Stream, held: Sequence[int], wanted: Bools, hashes: I32,
    firsts: I32,
) -> I32:  # fmt: skip
    """The slot of each term in the table of its first document, if that is wanted; else 0.

    Args:
        postings: as of ``numbers``, like ``stream``.
        stream: see there.
        held: the numbers of the parts of a document that are read.
        wanted: [documents] where several terms are new: one alone has its number wherever it is.
        hashes: [terms] from 0 on.
        firsts: [terms] the first document that holds each.
    """
    sizes = [SIZE]
    while sizes[-1] // 2 <= min(len(hashes), int(postings.lengths[0].max())):
        sizes.append(trove.grown(sizes[-1]))
    words = np.empty((len(hashes) + 1, 2), np.int32)
    words[:-1] = np.stack((hashes, np.where(wanted[firsts], -1, -2)), axis=1)
    return kernels_c.slots(
        stream.tokens, stream.starts, held, postings.type_map, len(PARTS),
        np.flatnonzero(wanted), words, np.array(sizes, np.int64),
    )  # fmt: skip


def slots_in_numpy(
    postings: Postings, stream: Stream, held: Sequence[int], wanted: Bools, hashes: I32,
    firsts: I32,
) -> I32:  # fmt: skip
    """As ``slots_in_c``."""
    slots = np.zeros(len(hashes), np.int32)
    for tables, keys in _batches(postings, stream, held, np.flatnonzero(wanted)):
        mine = firsts[keys] == tables
        slots[keys[mine]] = trove.slots(tables, hashes[keys], SIZE)[mine]
    return slots


def _batches(
    postings: Postings, stream: Stream, held: Sequence[int], documents: I64
) -> Iterator[tuple[I64, I32]]:
    """Documents with their different terms, in the order in which they occur."""
    begins = len(PARTS) * documents
    tokens = stream.starts[begins + len(PARTS)] - stream.starts[begins]
    for begin, end in blocks(np.concatenate(([0], np.cumsum(tokens))), TOKENS):
        terms, ends = _terms(postings, stream, held, documents[begin:end])
        listed = terms.tolist()
        rows = [dict.fromkeys(listed[low:high]) for low, high in pairwise(ends.tolist())]
        lengths = list(map(len, rows))
        keys = np.fromiter(chain.from_iterable(rows), np.int32, sum(lengths))
        yield np.repeat(documents[begin:end], lengths), keys


def _terms(
    postings: Postings, stream: Stream, held: Sequence[int], documents: I64
) -> tuple[I32, I64]:
    """All terms of documents, as they occur; and where those of each begin, and the last end."""
    parts = (len(PARTS) * documents[:, None] + np.array(held)).ravel()
    begins, ends = stream.starts[parts], stream.starts[parts + 1]
    first, more_starts, more = postings.type_map
    terms = first[stream.tokens[_ranges(begins, ends)]]
    several = terms < -1
    lists = -2 - terms[several]
    counts = (terms >= 0).astype(np.int64)
    counts[several] = more_starts[lists + 1] - more_starts[lists]
    all_terms = np.repeat(terms, counts)
    all_terms[all_terms < 0] = more[_ranges(more_starts[lists], more_starts[lists + 1])]
    tokens = np.concatenate(([0], np.cumsum(ends - begins)[len(held) - 1 :: len(held)]))
    return all_terms, np.concatenate(([0], np.cumsum(counts)))[tokens]


def _ranges(begins: I64, ends: I64) -> I64:
    """The numbers of all ranges, one range after the other."""
    lengths = ends - begins
    starts = np.cumsum(lengths) - lengths
    numbers: I64 = np.arange(lengths.sum()) + np.repeat(begins - starts, lengths)
    return numbers


def java_hashes(terms: Terms) -> I32:
    """What Java takes for the hash of each term, without its sign.

    It is the sum of the term's units of UTF-16, each times a power of 31, of 32 bits.
    """
    units, starts = utf16(terms)
    lengths = np.diff(starts)
    hashes = np.zeros(len(lengths), np.uint32)
    for place in range(int(lengths.max(initial=0))):
        longer = np.flatnonzero(lengths > place)
        hashes[longer] = hashes[longer] * np.uint32(31) + units[starts[longer] + place]
    return (hashes & np.uint32(0x7FFFFFFF)).astype(np.int32)


def utf16(terms: Terms) -> tuple[U16, I64]:
    """The units of all terms end to end, and [terms + 1] where each begins."""
    units = np.frombuffer(terms.names.tobytes().decode().encode("utf-16-le"), "<u2")
    first = ((terms.names & 0xC0) != 0x80).astype(np.int8)  # byte of a character
    before = np.concatenate(([0], np.cumsum(first + (terms.names >= 0xF0), dtype=np.int64)))
    return units, before[terms.starts]
