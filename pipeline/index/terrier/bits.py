"""Terrier's posting lists on the disk: one stream of bits, written a block of lists at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np

from pipeline.collection.npy import write as write_array
from pipeline.index.arrays import kernels
from pipeline.index.arrays.dtypes import I32, I64, U8, Frequencies

BLOCK = 1 << (22 if kernels.IN_USE == "C" else 21)
"""Postings that are worked on at once, at most, but for a longer list; numpy needs more memory."""


class BitFile(AbstractContextManager["BitFile"]):
    """A file of posting lists, each right behind the bit at which the one before it ends."""

    def __init__(self, path: Path):
        self._file = path.open("wb")
        self._bytes, self._bit = 0, 0
        self._last = np.zeros(1, np.uint8)  # the byte in which the next list begins

    def __exit__(self, *error: object) -> None:
        """Writes the byte that was begun, and one of zeros, as Terrier does."""
        with self._file:
            if error[0] is None:
                self._file.write(bytes(self._last[: self._bit]) + b"\0")

    def append(self, pointers: I64, ids: I32, tfs: Frequencies) -> tuple[I64, U8]:
        """Writes lists of postings, as ``kernels.encode`` takes them.

        Returns:
            Of each list the byte of the file and the bit in it where it begins.
        """
        if pointers[0] == pointers[-1]:
            lists = len(pointers) - 1
            return np.full(lists, self._bytes), np.full(lists, self._bit, np.uint8)
        encoded, offsets, bits = kernels.encode(pointers, ids, tfs, self._bit)
        encoded[:1] |= self._last
        offsets += self._bytes
        end = int(encoded[-1])
        self._bit = 8 - ((end & -end).bit_length() - 1)  # the last posting ends with a one
        self._last = encoded[-1:].copy()
        if self._bit == 8:
            self._bit, self._last = 0, np.zeros(1, np.uint8)
        else:
            encoded = encoded[:-1]
        write_array(self._file, encoded)
        self._bytes += len(encoded)
        return offsets, bits


def blocks(pointers: I64, most: int = BLOCK) -> Iterator[tuple[int, int]]:
    """Ranges of lists that have at most so many postings together, or are one list.

    Args:
        pointers: [lists + 1] where the postings of each begin.
        most: postings.
    """
    begin, lists = 0, len(pointers) - 1
    while begin < lists:
        within = int(np.searchsorted(pointers, pointers[begin] + most, side="right")) - 1
        end = max(begin + 1, min(within, lists))
        yield begin, end
        begin = end
