"""The token stream of a collection: all parts of all documents as numbers, read from it once.

A token is a maximal run of ASCII letters, ASCII digits or bytes from 128 on in a part's UTF-8; a
type is a token as it is spelt, its case kept. Types are numbered in the order in which they occur
first. What a token means to an index, an analyzer says of its type: so one stream serves them all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pipeline.collection.npy import save
from pipeline.collection.npy import write as write_array
from pipeline.index.arrays.dtypes import I32, I64, U8
from pipeline.index.arrays.kernels import Types

if TYPE_CHECKING:
    from pipeline.collection.argument import Argument

PARTS = ("conclusion", "premises", "title", "author", "domain", "stance")
"""The parts of a document, in their order in the stream."""

BATCH = 1 << 22
"""Characters of text that are cut into tokens at once, about."""

CHUNK = 1 << 20
"""Tokens that are renumbered at once."""

_TOKENS, _STARTS, _TYPES, _TYPE_STARTS = "tokens.i32", "starts.npy", "types.bin", "types.npy"

_parts = attrgetter(*PARTS)


@dataclass(frozen=True, eq=False)
class Stream:
    """What ``StreamWriter`` wrote; its arrays are mapped, and nothing is held in memory."""

    tokens: I32
    """The type of each token, documents in order, in each its parts in order."""
    starts: I64
    """Part p of document d is ``tokens[starts[6 * d + p]:starts[6 * d + p + 1]]``."""
    types: U8
    """The bytes of all types, end to end."""
    type_starts: I64
    """Type t is ``types[type_starts[t]:type_starts[t + 1]]``."""

    @property
    def documents(self) -> int:
        """How many there are."""
        return len(self.starts) // len(PARTS)

    @classmethod
    def open(cls, folder: Path) -> Stream:
        """The stream in a folder.

        Raises:
            OSError, ValueError: there is none, or it is not whole.
        """
        return cls(
            mapped(folder / _TOKENS, np.int32),
            np.load(folder / _STARTS, mmap_mode="r"),
            mapped(folder / _TYPES, np.uint8),
            np.load(folder / _TYPE_STARTS, mmap_mode="r"),
        )


class StreamWriter:
    """Cuts documents into tokens, and writes their stream to a folder as they come.

    What grows in memory are the types, and eight bytes for each part of a document.
    """

    def __init__(self, folder: Path):
        folder.mkdir()
        self._folder = folder
        (folder / _TOKENS).touch()
        self._types = Types()
        self._starts: list[I64] = [np.zeros(1, np.int64)]
        self._written = 0
        self._texts: list[str] = []
        self._characters = 0

    def append(self, argument: Argument) -> None:
        """Adds the next document."""
        texts: tuple[str, ...] = _parts(argument)
        self._texts += texts
        self._characters += sum(map(len, texts))
        if self._characters >= BATCH:
            self._flush()

    def extend(self, other: Stream) -> None:
        """Adds all documents of another stream, as if they had been appended one by one."""
        self._flush()
        numbers, _ = self._types.tokenise(other.types.data, other.type_starts[1:])
        with (self._folder / _TOKENS).open("ab") as file:
            for begin in range(0, len(other.tokens), CHUNK):
                write_array(file, numbers[other.tokens[begin : begin + CHUNK]])
        self._ended(other.starts[1:], len(other.tokens))

    def close(self) -> dict[str, int]:
        """Writes what is left; gives the counts ``documents``, ``tokens`` and ``types``."""
        self._flush()
        starts = np.concatenate(self._starts)
        types, type_starts = self._types.names()
        save(self._folder / _STARTS, starts)
        with (self._folder / _TYPES).open("wb") as file:
            write_array(file, types)
        save(self._folder / _TYPE_STARTS, type_starts)
        return {
            "documents": len(starts) // len(PARTS),
            "tokens": self._written,
            "types": len(self._types),
        }

    def _flush(self) -> None:
        rows = [text.encode("utf-8", "replace") for text in self._texts]
        self._texts, self._characters = [], 0
        ends = np.cumsum(np.fromiter(map(len, rows), np.int64, len(rows)))
        tokens, token_ends = self._types.tokenise(b"".join(rows), ends)
        with (self._folder / _TOKENS).open("ab") as file:
            write_array(file, tokens)
        self._ended(token_ends, len(tokens))

    def _ended(self, ends: I64, tokens: int) -> None:
        self._starts.append(ends + self._written)
        self._written += tokens


def write(arguments: Iterable[Argument], folder: Path) -> dict[str, int]:
    """Writes the stream of arguments to a new folder; gives its counts."""
    writer = StreamWriter(folder)
    for argument in arguments:
        writer.append(argument)
    return writer.close()


def mapped(file: Path, kind: type[np.generic]) -> Any:
    """A file of numbers of this kind as an array that is not in memory."""
    if not file.stat().st_size:
        return np.empty(0, kind)
    return np.asarray(np.memmap(file, kind, "r"))
