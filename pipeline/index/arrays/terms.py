"""The terms of an index, by their numbers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.collection.npy import save
from pipeline.index.arrays.dtypes import I64, U8
from pipeline.index.arrays.tokens import mapped

_NAMES, _STARTS = "terms.bin", "terms.npy"


@dataclass(frozen=True, eq=False)
class Terms:
    """Terms by their numbers, which ascend with the bytes of their UTF-8."""

    names: U8
    """The UTF-8 of all terms, end to end."""
    starts: I64
    """Term t is ``names[starts[t]:starts[t + 1]]``."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    def name(self, number: int) -> str:
        """The term with this number."""
        return self._bytes(number).decode()

    def find(self, term: str) -> int:
        """The number of a term; -1 if there is none."""
        wanted = term.encode(errors="surrogatepass")
        place = bisect_left(range(len(self)), wanted, key=self._bytes)
        return place if place < len(self) and self._bytes(place) == wanted else -1

    @classmethod
    def of(cls, terms: Sequence[str]) -> Terms:
        """These terms, given in the order of their bytes."""
        rows = [term.encode() for term in terms]
        starts = np.zeros(len(rows) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, rows), np.int64, len(rows)), out=starts[1:])
        return cls(np.frombuffer(b"".join(rows), np.uint8), starts)

    @classmethod
    def open(cls, folder: Path) -> Terms:
        """The terms that were saved to a folder."""
        return cls(mapped(folder / _NAMES, np.uint8), np.load(folder / _STARTS, mmap_mode="r"))

    def save(self, folder: Path) -> None:
        """Writes them to a folder."""
        (folder / _NAMES).write_bytes(self.names.data)
        save(folder / _STARTS, self.starts)

    def _bytes(self, number: int) -> bytes:
        return self.names[self.starts[number] : self.starts[number + 1]].tobytes()
