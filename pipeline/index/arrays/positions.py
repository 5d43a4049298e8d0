"""Where terms stand in documents, read from the token stream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from pipeline.index.arrays.dtypes import I32, I64, TermMap
from pipeline.index.arrays.tokens import PARTS, Stream

BATCH = 1 << 20
"""Tokens that are looked at together, about."""

DOCUMENT = 32
"""Bits of a position below those of its document."""

_NONE, _SEVERAL = -1, -2
"""Of a type: that none of its terms is wanted, or that one of several is."""


class Positions:
    """Finds positions of terms: ``document << DOCUMENT | place``, ascending as the text goes on.

    A place is how many terms stand before it in the document, whose fields follow each other.

    Args:
        stream: the tokens of the collection.
        terms_of: which terms the types of the stream are.
        fields: which parts each field joins, by their names.
    """

    def __init__(self, stream: Stream, terms_of: TermMap, fields: Sequence[Sequence[str]]):
        self._stream, self._terms_of = stream, terms_of
        self._runs = _runs([PARTS.index(part) for field in fields for part in field])
        lengths = np.diff(terms_of.more_starts).astype(np.int32)
        several = np.flatnonzero(terms_of.first < -1)
        self._number = (terms_of.first >= 0).astype(np.int32)
        self._number[several] = lengths[-2 - terms_of.first[several]]

    def of(self, terms: Sequence[int], documents: I32) -> list[I64]:
        """The positions of each of some terms in documents.

        Args:
            terms: numbers of terms, each once.
            documents: their numbers, ascending.
        """
        slots = self._slots(terms)
        wanted = self._wanted(slots)
        found = [self._in_batch(batch, wanted, slots) for batch in self._batches(documents)]
        slot = np.concatenate([np.empty(0, np.int32), *(slot for slot, _ in found)])
        position = np.concatenate([np.empty(0, np.int64), *(position for _, position in found)])
        order = np.argsort(slot.astype(np.min_scalar_type(len(terms))), kind="stable")
        ends = np.cumsum(np.bincount(slot, minlength=len(terms)))
        return np.split(position[order], ends[:-1])[: len(terms)]

    def _slots(self, terms: Sequence[int]) -> I32:
        """For each term its place among those wanted, else -1; then one more, for no term."""
        first, _, more = self._terms_of
        highest = max(first.max(initial=-1), more.max(initial=-1), *terms, -1)
        slots = np.full(highest + 2, _NONE, np.int32)
        slots[list(terms)] = np.arange(len(terms), dtype=np.int32)
        return slots

    def _wanted(self, slots: I32) -> I32:
        """For each type the slot of its term, ``_NONE`` or ``_SEVERAL``."""
        first, starts, more = self._terms_of
        wanted: I32 = slots[np.maximum(first, -1)]
        some = np.concatenate(([0], np.cumsum(slots[more] >= 0)))[starts]
        several = np.flatnonzero(first < -1)
        here = -2 - first[several]
        wanted[several] = np.where(some[here + 1] > some[here], _SEVERAL, _NONE)
        return wanted

    def _batches(self, documents: I32) -> Iterator[I32]:
        """The documents in groups of about ``BATCH`` tokens."""
        starts, runs = self._stream.starts, len(PARTS) * documents.astype(np.int64)
        lengths = sum(starts[runs + end] - starts[runs + begin] for begin, end in self._runs)
        group = np.cumsum(lengths) // BATCH
        cuts = np.flatnonzero(np.diff(group, prepend=-1, append=-2))
        yield from (documents[begin:end] for begin, end in pairwise(cuts.tolist()))

    def _in_batch(self, documents: I32, wanted: I32, slots: I32) -> tuple[I32, I64]:
        """Slots and positions of what is wanted in documents, in the order of the text."""
        tokens, ends = self._tokens(documents)
        number = self._number[tokens]
        before = np.concatenate(([0], np.cumsum(number, dtype=np.int64)))
        slot = wanted[tokens]
        hits = np.flatnonzero(slot != _NONE)
        owner = np.searchsorted(ends, hits, side="right")
        begin = np.concatenate(([0], ends[:-1]))[owner]
        position = documents[owner].astype(np.int64) << DOCUMENT
        position += before[hits] - before[begin]
        slot = slot[hits]
        if (slot == _SEVERAL).any():
            return self._spread(tokens[hits], slot, position, slots)
        return slot, position

    def _tokens(self, documents: I32) -> tuple[I32, I64]:
        """The tokens of the fields of documents, end to end, and where each document's end."""
        first = len(PARTS) * documents.astype(np.int64)[:, np.newaxis]
        begins = self._stream.starts[first + [begin for begin, _ in self._runs]]
        ends = self._stream.starts[first + [end for _, end in self._runs]]
        spans = zip(begins.ravel().tolist(), ends.ravel().tolist(), strict=True)
        tokens = np.concatenate([self._stream.tokens[begin:end] for begin, end in spans])
        return tokens, np.cumsum((ends - begins).sum(axis=1))

    def _spread(self, tokens: I32, slot: I32, position: I64, slots: I32) -> tuple[I32, I64]:
        """The same, a type that is several terms in as many places, of which the wanted stay."""
        first, starts, more = self._terms_of
        single = slot != _SEVERAL
        lists = -2 - first[tokens[~single]]
        lengths = starts[lists + 1] - starts[lists]
        inside = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        spread = slots[more[np.repeat(starts[lists], lengths) + inside]]
        places = np.repeat(position[~single], lengths) + inside
        slot = np.concatenate([slot[single], spread[spread >= 0]])
        position = np.concatenate([position[single], places[spread >= 0]])
        order = np.argsort(position)
        return slot[order], position[order]


def _runs(parts: Sequence[int]) -> list[tuple[int, int]]:
    """Parts as spans of the stream: neighbours in it are one."""
    runs: list[tuple[int, int]] = []
    for part in parts:
        if runs and runs[-1][1] == part:
            runs[-1] = (runs[-1][0], part + 1)
        else:
            runs.append((part, part + 1))
    return runs
