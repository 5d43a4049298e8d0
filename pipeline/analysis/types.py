"""An analysis as a map: from the types of a token stream to the terms of an index.

A type is a run of ASCII letters, ASCII digits and bytes above 127, case kept. No token reaches
across the ends of one, so that the terms of a text are those of its types, one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.analysis.tokenisers import MOST_CHARACTERS, MOST_DIGITS, MOST_EQUAL

if TYPE_CHECKING:
    from pipeline.analysis.analyzer import Analyzer

BLOCK = 1 << 16
"""Types at a time. The bytes of their terms are kept; strings, which take more memory, are not."""

U8 = npt.NDArray[np.uint8]
I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]


@dataclass(frozen=True)
class TypeTerms:
    """The terms of types."""

    terms: list[str]
    """Each once, ascending by their bytes in UTF-8: the number of a term is its place."""
    first: I32
    """For each type: -1 for no term, the number of its only term, or -2-k if it has several."""
    more_starts: I64
    """Those of the k-th type with several terms are ``more[more_starts[k]:more_starts[k + 1]]``."""
    more: I32


def terms_of_types(analyzer: Analyzer, types: U8, starts: I64) -> TypeTerms:
    """The terms that each type comes to, in order.

    Args:
        analyzer: that of the index.
        types: the bytes of all types, end to end.
        starts: where each type begins, and where the last ends [types + 1]. Bytes of a type that
            are not UTF-8 separate.
    """
    places, names = [np.empty(0, np.int64)], [np.empty(0, np.bytes_)]
    for begin in range(0, len(starts) - 1, BLOCK):
        ends = starts[begin : begin + BLOCK + 1]
        block = _tokens(analyzer, types[ends[0] : ends[-1]], ends - ends[0])
        found = analyzer.terms_of(block.words)
        places.append(begin + block.places[[term is not None for term in found]])
        names.append(np.array([term.encode() for term in found if term is not None], np.bytes_))
    terms, numbers = np.unique(np.concatenate(names), return_inverse=True)
    first, more_starts, more = _listed(len(starts) - 1, np.concatenate(places), numbers)
    return TypeTerms([name.decode() for name in terms.tolist()], first, more_starts, more)


def _listed(types: int, places: I64, numbers: I64) -> tuple[I32, I64, I32]:
    """``first``, ``more_starts`` and ``more`` of terms by their numbers, and the type of each.

    Terms of a type that has several stand in order, and behind those of such types before it.
    """
    held = np.bincount(places, minlength=types)
    several = held > 1
    first = np.full(types, -1, np.int32)
    first[places] = numbers
    first[several] = -2 - np.arange(np.count_nonzero(several))
    more_starts = np.concatenate([[0], np.cumsum(held[several], dtype=np.int64)])
    return first, more_starts, numbers[several[places]].astype(np.int32)


class _Tokens(NamedTuple):
    """The tokens of a block of types."""

    places: I64
    """The type of each: first of those that are ASCII, then of the others, ascending in both."""
    words: list[str]


def _tokens(analyzer: Analyzer, types: U8, starts: I64) -> _Tokens:
    """Cuts types as the analyzer does.

    ASCII types, nearly all, are not cut one by one: such a type is a token or none, by rules that
    all tokenisers share.
    """
    plain = _held(types >= 128, starts) == 0
    places = np.flatnonzero(plain & _are_words(types, starts))
    rest = np.flatnonzero(~plain)
    text = types.tobytes()
    small = text.lower().decode("latin-1")  # a character a byte
    begins, ends = starts[:-1].tolist(), starts[1:].tolist()
    words = [small[begins[place] : ends[place]] for place in places.tolist()]
    rows = [
        analyzer.tokens(text[begins[place] : ends[place]].decode(errors="replace"))
        for place in rest.tolist()
    ]
    counts = np.array([*map(len, rows)], np.int64)
    return _Tokens(
        np.concatenate([places, np.repeat(rest, counts)]),
        [*words, *chain.from_iterable(rows)],
    )


def _are_words(types: U8, starts: I64) -> npt.NDArray[np.bool_]:
    """Which types a tokeniser does not drop, if they are ASCII."""
    same = types[1:] == types[:-1]
    same[starts[1:-1] - 1] = False  # the last of a type and the first of the next
    last = len(same) - MOST_EQUAL + 1
    too_same = np.zeros(len(types), bool)
    if last > 0:
        too_same[:last] = np.all([same[i : last + i] for i in range(MOST_EQUAL)], axis=0)
    short = np.diff(starts) <= MOST_CHARACTERS
    few_digits = _held(types <= ord("9"), starts) <= MOST_DIGITS
    words: npt.NDArray[np.bool_] = short & few_digits & (_held(too_same, starts) == 0)
    return words


def _held(marked: npt.NDArray[np.bool_], starts: I64) -> I64:
    """How many marked bytes each type holds."""
    return np.diff(np.concatenate([[0], np.cumsum(marked)])[starts])
