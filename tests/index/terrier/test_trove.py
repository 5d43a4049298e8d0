"""Hash tables of Trove: against one that is filled key by key, and against Trove itself."""

from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import java
from pipeline.index.terrier import trove


def one_by_one(hashes, size):
    """The slot of each key of one table, as Trove's source has it."""
    table = {}

    def insert(key):
        slot, step = hashes[key] % size, 1 + hashes[key] % (size - 2)
        while slot in table:
            slot = (slot - step) % size
        table[slot] = key

    for key in range(len(hashes)):
        insert(key)
        if len(table) > size // 2:
            keys = [table[slot] for slot in sorted(table, reverse=True)]
            table, size = {}, trove.grown(size)
            for moved in keys:
                insert(moved)
    return {key: slot for slot, key in table.items()}


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 2**31 - 1) | st.integers(0, 40))),
    st.sampled_from([5, 7, 23, 277]),
)
def test_all_at_once_is_one_by_one(keys, size):
    keys.sort(key=lambda key: key[0])
    tables, hashes = (np.array([key[i] for key in keys], np.int64) for i in range(2))
    expected = []
    for _, of_table in groupby(keys, key=lambda key: key[0]):
        slots = one_by_one([key[1] for key in of_table], size)
        expected += [slots[key] for key in range(len(slots))]
    assert trove.slots(tables, hashes.astype(np.int32), size).tolist() == expected


def test_a_table_grows_again_and_again():
    hashes = np.random.default_rng(1).integers(0, 2**31, 3000)
    expected = one_by_one(hashes.tolist(), 23)
    slots = trove.slots(np.zeros(3000, np.int64), hashes.astype(np.int32), 23)
    assert dict(enumerate(slots.tolist())) == expected


def test_sizes():
    assert [trove.grown(23), trove.grown(277), trove.grown(557)] == [47, 557, 1117]


@pytest.mark.terrier
def test_sizes_and_slots_are_those_of_trove():
    import pyterrier as pt

    java.start()
    primes = pt.java.autoclass("gnu.trove.PrimeFinder")
    for size in (23, 277):  # with 1,175,484,103 slots the largest array of Java is near
        while size < 1 << 29:
            assert primes.nextPrime(2 * size) == trove.grown(size)
            size = trove.grown(size)
    table = pt.java.autoclass("gnu.trove.TIntIntHashMap")()
    numbers = np.random.default_rng(1).choice(70_000, 2_000, replace=False).tolist()
    for number in numbers:
        table.put(number, 0)
    hashes = np.array(numbers, np.int64) * 31 & 0x7FFFFFFF
    slots = trove.slots(np.zeros(2_000, np.int64), hashes.astype(np.int32), 23)
    ours = [numbers[key] for key in np.argsort(-slots)]
    assert list(table.keys()) == ours
