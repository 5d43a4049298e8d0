"""The kernels in numpy: what runs where no C compiler was, and what those in C are tested against.

What each function does, and what its arrays are, stands in ``kernels.py``.
"""

from __future__ import annotations

import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from pipeline.index.arrays.dtypes import F64, I32, I64, U8, Frequencies, TermMap

BLOCK = 1 << 21
"""Tokens or postings that are worked on at once, which bounds the memory."""

WORD = bytes(
    byte if byte >= 128 or chr(byte).isalnum() else ord(" ") for byte in range(256)
)  # what is no part of a token becomes a blank, at which bytes.split() splits


class Types:
    """Numbers by a dictionary from bytes."""

    def __init__(self, most: int):
        self._most = most
        self._numbers: defaultdict[bytes, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__  # a new type gets the next number

    def __len__(self) -> int:
        return len(self._numbers)

    def tokenise(self, text: U8, ends: I64) -> tuple[I32, I64]:
        """As in ``kernels.py``; more types than there may be are an OverflowError."""
        tokens = array.array("i")
        token_ends = np.empty(len(ends), np.int64)
        for place, (begin, end) in enumerate(pairwise([0, *ends.tolist()])):
            words = text[begin:end].tobytes().translate(WORD).split()
            tokens.extend(map(self._numbers.__getitem__, words))
            token_ends[place] = len(tokens)
        if len(self._numbers) > self._most:
            raise OverflowError
        return np.frombuffer(tokens, np.int32), token_ends

    def names(self) -> tuple[U8, I64]:
        """As in ``kernels.py``."""
        lengths = np.fromiter(map(len, self._numbers), np.int64, len(self._numbers))
        return np.frombuffer(b"".join(self._numbers), np.uint8), _pointers(lengths)


def count(
    tokens: I32, starts: I64, fields: Sequence[Sequence[int]], terms_of: TermMap, number: int,
    begin: int, end: int, parts: int,
) -> tuple[I32, I64, I32]:  # fmt: skip
    """As in ``kernels.py``."""
    df = np.zeros(number, np.int32)
    cf = np.zeros(number, np.int64)
    lengths = np.zeros((len(fields), end - begin), np.int32)
    for first, last in _blocks(starts, begin, end, parts):
        found = [
            _occurrences(tokens, starts, held, terms_of, first, last, parts) for held in fields
        ]
        for field, (terms, docs) in enumerate(found):
            cf += np.bincount(terms, minlength=number)
            length = np.bincount(docs, minlength=last - first)
            if length.max() > np.iinfo(np.int32).max:
                raise ValueError("too long a text")
            lengths[field, first - begin : last - begin] = length
        terms, _, _ = _postings(found)
        df += np.bincount(terms, minlength=number).astype(np.int32)
    return df, cf, lengths


def fill(
    tokens: I32, starts: I64, fields: Sequence[Sequence[int]], terms_of: TermMap, begin: int,
    end: int, place: I64, docs: I32, tfs: Sequence[Frequencies], pointers: I64, parts: int,
) -> bool:  # fmt: skip
    """As in ``kernels.py``."""
    for first, last in _blocks(starts, begin, end, parts):
        terms, local, counts = _postings(
            [_occurrences(tokens, starts, held, terms_of, first, last, parts) for held in fields]
        )
        df = np.bincount(terms, minlength=len(place))
        if (place < pointers[:-1]).any() or (place + df > pointers[1:]).any():
            raise ValueError("a number out of range")
        slots = np.arange(len(terms)) + (place - (np.cumsum(df) - df))[terms]
        docs[slots] = first + local
        for tf, held in zip(tfs, counts, strict=True):
            if held.max(initial=0) > np.iinfo(tf.dtype).max:
                return False
            tf[slots] = held
        place += df
    return True


def _postings(found: list[tuple[I32, I32]]) -> tuple[I32, I32, list[I64]]:
    """Different pairs of term and document, by term and then document, and how often they are.

    Args:
        found: of each field, the terms and the documents (below 65,536) of what stands in it, by
            ascending document.

    Returns:
        Terms, documents, and of each field how often the pair is in it.
    """
    terms = np.concatenate([terms for terms, _ in found])
    docs = np.concatenate([docs for _, docs in found])
    fields = np.repeat(np.arange(len(found)), [len(terms) for terms, _ in found])
    order = _sorted(docs) if len(found) > 1 else np.arange(len(docs))
    order = order[_sorted(terms[order])]  # equal terms stay in the order of the documents
    terms, docs = terms[order], docs[order]
    new = np.ones(len(terms), bool)
    new[1:] = (terms[1:] != terms[:-1]) | (docs[1:] != docs[:-1])
    heads = np.flatnonzero(new)
    if len(found) == 1:
        return terms[heads], docs[heads], [np.diff(heads, append=len(new))]
    pair, fields = np.cumsum(new) - 1, fields[order]
    counts = [np.bincount(pair[fields == f], minlength=len(heads)) for f in range(len(found))]
    return terms[heads], docs[heads], counts


def _sorted(numbers: I32) -> I64:
    """The order that sorts numbers from 0 on; equal ones stay as they are.

    By 16 bits and then the other 16, since numpy has a radix sort for these alone.
    """
    order = np.argsort(numbers.astype(np.uint16), kind="stable")
    high = (numbers >> 16).astype(np.uint16)
    return order[np.argsort(high[order], kind="stable")] if high.any() else order


def _blocks(starts: I64, begin: int, end: int, parts: int) -> Iterator[tuple[int, int]]:
    """Ranges of documents with no more tokens than are worked on at once, if they are several.

    Their number can be written in 16 bits.
    """
    ends = starts[begin * parts : end * parts + 1 : parts]
    while begin < end:
        room = np.searchsorted(ends, ends[0] + BLOCK, side="right") - 1
        last = begin + min(max(1, int(room)), 1 << 16)
        yield begin, last
        begin, ends = last, ends[last - begin :]


def _occurrences(
    tokens: I32, starts: I64, held: Sequence[int], terms_of: TermMap, first: int, last: int,
    parts: int,
) -> tuple[I32, I32]:  # fmt: skip
    """Term and document, from ``first`` on, of everything that a field of documents holds."""
    low = starts[first * parts : last * parts].reshape(-1, parts)[:, list(held)].ravel()
    high = starts[first * parts + 1 : last * parts + 1].reshape(-1, parts)[:, list(held)].ravel()
    docs = np.repeat(np.arange(last - first, dtype=np.int32), len(held))
    if len(low) and (low.min() < 0 or high.max() > len(tokens) or (high < low).any()):
        raise ValueError("a number out of range")
    types, which = _gather(tokens, low, high)
    if len(types) and types.min() < 0:
        raise ValueError("a number out of range")
    terms, docs = terms_of.first[types], docs[which]
    if len(terms) and terms.min() < -1:
        terms, docs = _listed(terms, docs, terms_of)
    found = terms >= 0
    return terms[found], docs[found]


def _listed(terms: I32, docs: I32, terms_of: TermMap) -> tuple[I32, I32]:
    """The terms with those of a list where a list is named."""
    several = terms < -1
    lists = -2 - terms[several].astype(np.int64)
    starts = terms_of.more_starts
    more, which = _gather(terms_of.more, starts[lists], starts[lists + 1])
    if len(more) and more.min() < 0:
        raise ValueError("a number out of range")
    terms = np.concatenate([terms[~several], more])
    docs = np.concatenate([docs[~several], docs[several][which]])
    order = np.argsort(docs, kind="stable")
    return terms[order], docs[order]


def _gather(values: I32, low: I64, high: I64) -> tuple[I32, I64]:
    """The values of all ranges low..high, end to end, and the number of the range of each."""
    lengths = high - low
    which = np.repeat(np.arange(len(low)), lengths)
    return values[np.arange(len(which)) + (low - (np.cumsum(lengths) - lengths))[which]], which


def _pointers(lengths: I64) -> I64:
    """Where each of the lists of these lengths begins, and the last one ends."""
    pointers = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=pointers[1:])
    return pointers


class Scores:
    """Sums in an array as long as the collection; what was added to is marked."""

    def __init__(self, documents: int):
        self._sums = np.zeros(documents, np.float64)
        self._added = np.zeros(documents, bool)

    def add(self, docs: I32, values: F64) -> None:
        """As in ``kernels.py``."""
        if len(docs) and docs.min() < 0:
            raise ValueError("a number out of range")
        with np.errstate(all="ignore"):
            self._sums[docs] += values
        self._added[docs] = True

    def add_saturated(
        self, docs: I32, tfs: Frequencies, norms: F64, idf: float, gain: float, weight: float
    ) -> None:
        """As in ``kernels.py``."""
        tf = tfs.astype(np.float64)
        with np.errstate(all="ignore"):
            self.add(docs, idf * (gain * tf / (norms[docs] + tf)) * weight)

    def best(self, k: int, keep: U8 | None) -> tuple[I32, F64]:
        """As in ``kernels.py``."""
        touched = np.flatnonzero(self._added)
        scores = self._sums[touched]
        self._sums[touched] = 0
        self._added[touched] = False
        wanted = ~np.isnan(scores)
        if keep is not None:
            wanted &= keep[touched] != 0
        docs, scores = touched[wanted].astype(np.int32), scores[wanted]
        if 0 < k < len(docs):
            least = np.partition(scores, len(scores) - k)[len(scores) - k]
            above = scores > least
            level = np.flatnonzero(scores == least)[: k - np.count_nonzero(above)]
            above[level] = True
            docs, scores = docs[above], scores[above]
        order = np.argsort(-scores, kind="stable")[:k]
        return docs[order], scores[order]


def encode(pointers: I64, ids: I32, tfs: Frequencies, at: int) -> tuple[U8, I64, U8]:
    """As in ``kernels.py``."""
    lists = np.empty(len(pointers) - 1, np.int64)  # the bit at which each list begins
    packed: list[U8] = []
    left = np.zeros(at, np.uint8)  # bits that do not fill a byte yet, one a number
    done = 0  # bytes
    low, last = int(pointers[0]), int(pointers[-1])
    while low < last:
        high = min(low + BLOCK // 2, last)
        gaps = _gaps(pointers, ids, low, high)
        tf = tfs[low:high].astype(np.int64)
        if gaps.min() < 1 or tf.min() < 1:
            raise ValueError("a number out of range")
        width = np.frexp(gaps.astype(np.float64))[1].astype(np.int64) - 1  # floor(log2(gap))
        ends = np.cumsum(2 * width + 1 + tf) + len(left)
        begins = ends - (2 * width + 1 + tf)
        bits = np.zeros(ends[-1], np.uint8)
        bits[: len(left)] = left
        for bit in range(int(width.max()) + 1):
            ones = (gaps >> bit) & 1 == 1
            bits[(begins + 2 * width - bit)[ones]] = 1
        bits[ends - 1] = 1
        here = slice(*np.searchsorted(pointers[:-1], [low, high]))
        lists[here] = done * 8 + begins[pointers[:-1][here] - low]
        packed.append(np.packbits(bits[: len(bits) // 8 * 8]))
        done += len(packed[-1])
        left = bits[len(bits) // 8 * 8 :]
        low = high
    lists[np.searchsorted(pointers[:-1], last) :] = done * 8 + len(left)
    packed.append(np.packbits(left))
    return np.concatenate(packed), lists >> 3, (lists & 7).astype(np.uint8)


def _gaps(pointers: I64, ids: I32, low: int, high: int) -> I64:
    """How far each id of low..high is from the one before it; the first of a list, from -1."""
    before = np.empty(high - low, np.int64)
    before[1:] = ids[low : high - 1]
    before[0] = ids[low - 1] if low else -1
    firsts = pointers[slice(*np.searchsorted(pointers, [low, high]))]
    before[firsts - low] = -1
    return ids[low:high] - before


def transpose(
    pointers: I64, docs: I32, tfs: Frequencies, documents: int
) -> tuple[I64, I32, Frequencies]:
    """As in ``kernels.py``."""
    held = docs[pointers[0] : pointers[-1]]
    if len(held) and (held.min() < 0 or held.max() >= documents):
        raise ValueError("a number out of range")
    order = np.argsort(held, kind="stable")
    terms = np.repeat(np.arange(len(pointers) - 1, dtype=np.int32), np.diff(pointers))[order]
    counts = np.bincount(held, minlength=documents)
    return _pointers(counts), terms, tfs[pointers[0] : pointers[-1]][order]
