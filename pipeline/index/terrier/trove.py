"""Where keys stand in a hash table of Trove, the library in which Terrier counts words.

A table gives its keys from its last slot to its first, and Terrier numbers the terms that are new
to it in the order in which the table of their document gives them. So whoever wants the numbers
that Terrier gives has to know the slot of each term.

A key asks for one slot after the other until one is free: the first is its hash modulo the number
of slots, and it goes down by one more than the hash modulo two slots fewer. A table of which more
than half is full grows to the next prime of twice its slots; its keys ask anew, in the order in
which it gives them.
"""

from __future__ import annotations

import numpy as np

from pipeline.index.arrays.dtypes import I32, I64


def slots(tables: I64, hashes: I32, size: int) -> I64:
    """The slot of each key when all of them are in their tables.

    Args:
        tables: [keys] the number of the table of each, ascending.
        hashes: [keys] from 0 on; those of a table in the order of insertion.
        size: slots that a table begins with.
    """
    taken = np.empty(len(tables), np.int64)
    keys = np.arange(len(tables))
    while len(keys):
        firsts = np.flatnonzero(np.diff(tables[keys], prepend=-1))
        counts = np.diff(firsts, append=len(keys))
        rank = np.arange(len(keys)) - np.repeat(firsts, counts)
        now = rank <= size // 2  # the one too many is inserted, and the table grows
        at = np.repeat(np.arange(len(firsts)), counts)[now]
        taken[keys[now]], holder = _inserted(at, hashes[keys[now]], size)
        full = counts > size // 2
        moved = holder[full, ::-1]
        left = keys[np.repeat(full, counts)]
        left[now[np.repeat(full, counts)]] = keys[now][moved[moved >= 0]]
        keys, size = left, grown(size)
    return taken


def grown(size: int) -> int:
    """The size of a table that has grown once: a prime."""
    size *= 2
    while any(size % divisor == 0 for divisor in range(2, int(size**0.5) + 1)):
        size += 1
    return size


def _inserted(tables: I64, hashes: I32, size: int) -> tuple[I64, I64]:
    """The slot of each key in tables that do not grow, and the key of each slot; -1 for none.

    All ask at once: a slot goes to the first inserted of those that ask for it, and whoever loses
    it asks for his next one. That ends as if they had been inserted one after the other.
    """
    slot, step = hashes.astype(np.int64) % size, 1 + hashes.astype(np.int64) % (size - 2)
    nobody = len(tables)
    holder = np.full((tables[-1] + 1) * size, nobody)
    asking = np.arange(len(tables))
    while len(asking):
        places = tables[asking] * size + slot[asking]
        before = holder[places]
        np.minimum.at(holder, places, asking)
        won = holder[places] == asking
        moved = before[won & (before < nobody)]
        asking = np.concatenate((asking[~won], moved))
        slot[asking] = (slot[asking] - step[asking]) % size
    holder[holder == nobody] = -1
    return slot, holder.reshape(-1, size)
