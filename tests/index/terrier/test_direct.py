"""Postings turned over to documents: in C as in numpy, and as they were."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.index.arrays import kernels, kernels_c
from pipeline.index.terrier import direct
from pipeline.index.terrier.bits import blocks

LISTS = st.lists(st.dictionaries(st.integers(0, 9), st.integers(1, 70_000), max_size=10))
only_c = pytest.mark.skipif(kernels.IN_USE != "C", reason="there are no kernels in C")
TURNS = [pytest.param("turn_in_numpy"), pytest.param("turn", marks=only_c)]


def turned(turn, lists, kind, most):
    """What each of ten documents holds."""
    begins = np.cumsum([0, *map(len, lists)])
    docs = np.array([doc for held in lists for doc in sorted(held)], np.int32)
    tfs = np.array([held[doc] for held in lists for doc in sorted(held)], kind)
    counts = np.bincount(docs, minlength=10)
    held = np.concatenate(([0], np.cumsum(counts)))
    begins, ends = begins[:-1].copy(), begins[1:].copy()
    found = []
    for first, last in blocks(held, most):
        pointers = held[first : last + 1] - held[first]
        numbers, frequencies = turn(begins, ends, docs, tfs, first, last, pointers)
        assert (numbers.dtype, frequencies.dtype) == (np.int32, kind)
        for low, high in pairwise(pointers.tolist()):
            pairs = zip(numbers[low:high].tolist(), frequencies[low:high].tolist(), strict=True)
            found.append(list(pairs))
    assert begins.tolist() == ends.tolist()
    return found


@pytest.mark.parametrize("name", TURNS)
@given(lists=LISTS, most=st.integers(1, 20))
def test_documents_hold_what_lists_said(name, lists, most):
    turn = getattr(direct, name, None) or getattr(kernels_c, name)
    expected = [
        [(n, held[doc]) for n, held in enumerate(lists) if doc in held] for doc in range(10)
    ]
    assert turned(turn, lists, np.uint32, most) == expected


@pytest.mark.parametrize("name", TURNS)
def test_small_frequencies(name):
    turn = getattr(direct, name, None) or getattr(kernels_c, name)
    assert turned(turn, [{3: 65_535}], np.uint16, 5)[3] == [(0, 65_535)]


@only_c
@pytest.mark.parametrize(
    ("begins", "ends", "docs", "pointers"),
    [
        ([-1], [1], [0], [0, 1]),
        ([0], [2], [0], [0, 1]),
        ([0], [1], [-1], [0, 1]),
        ([0], [1], [0], [0, 0]),
    ],
)
def test_damaged_numbers_are_told(begins, ends, docs, pointers):
    with pytest.raises(ValueError, match="out of range"):
        kernels_c.turn(
            np.array(begins), np.array(ends), np.array(docs, np.int32), np.ones(1, np.uint16),
            0, 1, np.array(pointers),
        )  # fmt: skip
