"""What the kernels ask of arrays before they work on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline.index.arrays.dtypes import I32, I64, Frequencies, TermMap


def check(kind: type[np.generic], **arrays: npt.NDArray[Any]) -> None:
    """Looks at the kind and the layout of arrays.

    Raises:
        TypeError: one is of another kind, has several dimensions, or does not lie in one piece.
    """
    for name, given in arrays.items():
        whole = given.flags.c_contiguous and given.flags.aligned
        if given.dtype != kind or given.ndim != 1 or not whole:
            raise TypeError(f"{name}: {given.dtype} {given.shape}, wanted {kind.__name__} in a row")


def check_frequencies(*arrays: Frequencies) -> None:
    """As ``check``, for arrays of 16 or 32 bits."""
    for given in arrays:
        check(np.uint32 if given.dtype == np.uint32 else np.uint16, tfs=given)


def check_lists(pointers: I64, ids: I32, tfs: Frequencies) -> None:
    """Looks at lists of postings.

    Raises:
        TypeError: an array is of another kind.
        ValueError: the pointers do not ascend, or lead beyond the postings.
    """
    check(np.int64, pointers=pointers)
    check(np.int32, ids=ids)
    check_frequencies(tfs)
    ascending = len(pointers) and pointers[0] >= 0 and not (np.diff(pointers) < 0).any()
    if not ascending or pointers[-1] > len(ids) or len(ids) != len(tfs):
        raise ValueError("pointers: not ascending, or beyond the postings")


def check_stream(
    tokens: I32, starts: I64, fields: Sequence[Sequence[int]], terms_of: TermMap, begin: int,
    end: int, parts: int,
) -> None:  # fmt: skip
    """Looks at a stream of tokens and the documents of it that are asked for.

    Raises:
        TypeError: an array is of another kind.
        ValueError: there are no such documents or parts, or no field at all.
    """
    check(np.int32, tokens=tokens, first=terms_of.first, more=terms_of.more)
    check(np.int64, starts=starts, more_starts=terms_of.more_starts)
    if not 0 <= begin <= end or end * parts >= len(starts):
        raise ValueError("documents out of range")
    if any(not 0 <= part < parts for held in fields for part in held) or not fields:
        raise ValueError("parts out of range, or no field at all")
