"""An analysis as a map: from the types of a token stream to the terms of an index.

A type is a run of ASCII letters, ASCII digits and bytes above 127, case kept. No token reaches
across the ends of one, so that the terms of a text are those of its types, one after the other.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import accumulate, chain, count, islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.analysis.tokenisers import MOST_CHARACTERS, MOST_DIGITS, MOST_EQUAL

if TYPE_CHECKING:
    from pipeline.analysis.analyzer import Analyzer

BLOCK = 1 << 16
"""Types at a time. Their terms are kept; their tokens, which take more memory, are not."""

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
    numbers: defaultdict[str | None, int] = defaultdict(count().__next__, {None: -1})
    first = np.full(len(starts) - 1, -1, np.int32)
    several: list[list[int]] = []
    for begin in range(0, len(first), BLOCK):
        ends = starts[begin : begin + BLOCK + 1]
        block = _tokens(analyzer, types[ends[0] : ends[-1]], ends - ends[0])
        tokens = [*block.words, *chain.from_iterable(block.rest.values())]
        found = [*map(numbers.__getitem__, analyzer.terms_of(tokens))]  # a new term gets the next
        first[begin + block.places] = found[: len(block.words)]
        rest = iter(found[len(block.words) :])
        for place, row in block.rest.items():
            terms_of_one = [number for number in islice(rest, len(row)) if number >= 0]
            if len(terms_of_one) > 1:
                several.append(terms_of_one)
                first[begin + place] = -1 - len(several)
            elif terms_of_one:
                first[begin + place] = terms_of_one[0]
    return _sorted(numbers, first, several)


def _sorted(numbers: dict[str | None, int], first: I32, several: list[list[int]]) -> TypeTerms:
    """Numbers terms by their order."""
    terms = sorted(term for term in numbers if term is not None)
    rank = np.empty(len(terms), np.int32)
    rank[[*map(numbers.__getitem__, terms)]] = np.arange(len(terms), dtype=np.int32)
    first[first >= 0] = rank[first[first >= 0]]
    return TypeTerms(
        terms,
        first,
        np.array([0, *accumulate(map(len, several))], np.int64),
        rank[np.array([*chain.from_iterable(several)], np.int64)],
    )


class _Tokens(NamedTuple):
    """The tokens of a block of types."""

    places: I64
    """The types that are one token because all of their characters are ASCII."""
    words: list[str]
    """The token of each."""
    rest: dict[int, list[str]]
    """The tokens of each type that goes beyond ASCII."""


def _tokens(analyzer: Analyzer, types: U8, starts: I64) -> _Tokens:
    """Cuts types as the analyzer does.

    ASCII types, nearly all, are not cut one by one: such a type is a token or none, by rules that
    all tokenisers share.
    """
    plain = _held(types >= 128, starts) == 0
    places = np.flatnonzero(plain & _are_words(types, starts))
    text = types.tobytes()
    small = text.lower().decode("latin-1")  # a character a byte
    begins, ends = starts[:-1].tolist(), starts[1:].tolist()
    return _Tokens(
        places,
        [small[begins[place] : ends[place]] for place in places.tolist()],
        {
            place: analyzer.tokens(text[begins[place] : ends[place]].decode(errors="replace"))
            for place in np.flatnonzero(~plain).tolist()
        },
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
