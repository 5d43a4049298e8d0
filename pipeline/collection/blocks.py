"""Rows of bytes in a file, compressed a block at a time, so that each can be read alone."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from pipeline.collection.npy import save

BLOCK = 1 << 13
"""Bytes of rows that are compressed together, about."""

PACKED, STARTS = "blocks.bin", "blocks.npy"


class BlocksWriter:
    """Appends rows. A row's place is the number of bytes of all rows before it."""

    def __init__(self, folder: Path):
        self._folder = folder
        (folder / PACKED).write_bytes(b"")
        self._rows = bytearray()
        self._begun = 0
        self._starts = array("q", [0, 0])  # of each block: its first row's place, its own offset

    def append(self, row: bytes) -> int:
        """Adds a row of at least a byte, and gives its place."""
        place = self._begun + len(self._rows)
        self._rows += row
        if len(self._rows) >= BLOCK:
            self._pack()
        return place

    def close(self) -> None:
        """Writes what is left, and where the blocks are."""
        if self._rows:
            self._pack()
        save(self._folder / STARTS, np.asarray(self._starts, np.int64).reshape(-1, 2))

    def _pack(self) -> None:
        with (self._folder / PACKED).open("ab") as file:
            file.write(zlib.compress(self._rows, 1))
            self._begun += len(self._rows)
            self._starts.extend((self._begun, file.tell()))
        self._rows.clear()


class Blocks:
    """The rows that ``BlocksWriter`` wrote to a folder."""

    def __init__(self, folder: Path):
        self._file = folder / PACKED
        self._starts = np.load(folder / STARTS)

    def rows(self, spans: Iterable[tuple[int, int]]) -> Iterator[bytes]:
        """The rows at these places, each a start and an end; quick if they ascend."""
        block, begin, rows = -1, 0, b""
        with self._file.open("rb", buffering=0) as file:
            for start, end in spans:
                if not begin <= start < begin + len(rows):
                    block = int(np.searchsorted(self._starts[:, 0], start, "right")) - 1
                    begin, offset = self._starts[block].tolist()
                    file.seek(offset)
                    rows = zlib.decompress(file.read(int(self._starts[block + 1, 1]) - offset))
                yield rows[start - begin : end - begin]
