"""How often two terms stand near each other, counted as Terrier counts.

Positions are those of ``Positions``. Two terms are within a window of n places if they stand less
than n apart.

In their order, a place counts for each first term that has the second one behind it in the window:
of two places, Terrier's ``#1(a b)``. In any order, Terrier's ``#uwN(a b)`` looks from the term that
the document holds less often (from the first one, if equally often), and counts each of its
occurrences that has the other term in the window, however often: so two terms that stand near
one of the other count as two or as one, by which of them is more frequent elsewhere in the text.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pipeline.index.arrays.dtypes import F64, I32, I64
from pipeline.index.arrays.positions import DOCUMENT

Flags = npt.NDArray[np.bool_]

_FAR = np.int64(1 << 62)
"""A position farther from all others than any window."""


def ordered(first: I64, second: I64, window: int) -> tuple[I32, F64]:
    """The documents where ``second`` stands behind ``first`` in the window, and how often.

    Args:
        first: positions of a term.
        second: positions of another, or of the same.
        window: places that both must fit in, at least 2.
    """
    documents, _, near = _by_document(first, _behind(first, second, window))
    return documents[near > 0], near[near > 0].astype(np.float64)


def unordered(first: I64, second: I64, window: int) -> tuple[I32, F64]:
    """The documents where both terms stand in the window in any order, and how often.

    Args:
        first: positions of a term.
        second: positions of another, or of the same.
        window: places that both must fit in, at least 2.
    """
    documents, number, near = _by_document(first, _around(first, second, window))
    its_documents, its_number, its_near = _by_document(second, _around(second, first, window))
    both, mine, its = np.intersect1d(
        documents, its_documents, assume_unique=True, return_indices=True
    )
    counts = np.where(number[mine] <= its_number[its], near[mine], its_near[its])
    return both[counts > 0], counts[counts > 0].astype(np.float64)


def _behind(positions: I64, others: I64, window: int) -> Flags:
    """Which positions have one of the others behind them in the window."""
    place = np.searchsorted(others, positions, side="right")
    flags: Flags = np.append(others, _FAR)[place] - positions < window
    return flags


def _around(positions: I64, others: I64, window: int) -> Flags:
    """Which positions have one of the others, not itself, before or behind them in the window."""
    place = np.searchsorted(others, positions, side="left")
    flags: Flags = positions - np.append(-_FAR, others)[place] < window
    return flags | _behind(positions, others, window)


def _by_document(positions: I64, flags: Flags) -> tuple[I32, I64, I64]:
    """The documents of positions, how many each has, and how many of these are flagged."""
    owners = positions >> DOCUMENT
    begins = np.flatnonzero(np.diff(owners, prepend=-1))
    ends = np.append(begins[1:], len(owners))
    flagged = np.concatenate(([0], np.cumsum(flags)))
    return owners[begins].astype(np.int32), ends - begins, flagged[ends] - flagged[begins]
