"""Parts of documents, found again by their ids where they stand in the collection's files.

An index keeps no text, only where the JSON of each document begins and ends. Of a ``.gz`` file,
into which one cannot leap, it keeps the parts themselves, compressed in blocks.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt
import xxhash

from pipeline.collection.argument import Argument, BadArgumentError, parse
from pipeline.collection.blocks import Blocks, BlocksWriter
from pipeline.collection.npy import save
from pipeline.collection.spans import without_page
from pipeline.errors import InputError, count

FOLDER = "texts"
"""The folder in an index that holds all of this."""

_FILES, _DOCNOS = "files.json", "docnos.txt"
_BEGINS, _HASHES, _ORDER, _SPANS = "begins.npy", "hashes.npy", "order.npy", "spans.npy"

_Span: TypeAlias = tuple[int, int]

_unpack = msgspec.json.Decoder(Argument).decode


class _File(msgspec.Struct, frozen=True):
    """A file of the collection, as it was when the index was built."""

    name: str
    bytes: int

    @property
    def packed(self) -> bool:
        return self.name.endswith(".gz")


class _Files(msgspec.Struct, frozen=True):
    files: list[_File]
    seed: int
    """Of the hash that tells all ids apart."""


class TextsWriter:
    """Keeps where each document is, while an index is built."""

    def __init__(self, index: Path, files: Sequence[Path]):
        """Begins.

        Args:
            index: the folder of the index.
            files: those of the collection; the ``file`` of an argument is a place in them.
        """
        self._folder = index / FOLDER
        self._folder.mkdir()
        self._files = [_File(file.name, file.stat().st_size) for file in files]
        self.docnos: list[str] = []
        self._spans = array("q")
        packed = any(file.packed for file in self._files)
        self._blocks = BlocksWriter(self._folder) if packed else None

    def append(self, argument: Argument) -> None:
        """Adds the next document; its id is not among those before."""
        start, end = argument.start, argument.end
        if self._blocks is not None and self._files[argument.file].packed:
            row = msgspec.json.encode(argument)
            start = self._blocks.append(row)
            end = start + len(row)
        self.docnos.append(argument.docno)
        self._spans.extend((argument.file, start, end))

    def extend(self, docnos: Sequence[str], spans: npt.NDArray[np.int64]) -> None:
        """Adds documents that stand in files into which one can leap.

        Args:
            docnos: their ids, none of them among those before.
            spans: of each its file, and where it begins and ends there: [documents, 3].
        """
        self.docnos += docnos
        self._spans.frombytes(spans.tobytes())

    def save(self) -> None:
        """Writes all of it."""
        if self._blocks is not None:
            self._blocks.close()
        assert len(set(self.docnos)) == len(self.docnos), "each document has its own id"
        names = [docno.encode() for docno in self.docnos]
        seed = 0
        while len(np.unique(hashes := _hashes(names, seed))) < len(names):
            seed += 1
        order = np.argsort(hashes)
        save(self._folder / _HASHES, hashes[order])
        save(self._folder / _ORDER, order.astype(np.int32))
        save(self._folder / _SPANS, np.asarray(self._spans, np.int64).reshape(-1, 3))
        save(self._folder / _BEGINS, np.cumsum([0] + [len(name) + 1 for name in names]))
        (self._folder / _DOCNOS).write_bytes(b"".join(name + b"\n" for name in names))
        files = msgspec.json.encode(_Files(self._files, seed))
        (self._folder / _FILES).write_bytes(files)


class Texts:
    """The documents of an index: which there are, and parts of each."""

    def __init__(self, index: Path, collection: Path):
        """Opens what ``TextsWriter`` wrote to an index.

        Raises:
            InputError: the collection's files are not those that the index was built on.
        """
        self._folder = index / FOLDER
        self._collection = collection
        listed = msgspec.json.decode((self._folder / _FILES).read_bytes(), type=_Files)
        self._files, self._seed = listed.files, listed.seed
        for file in self._files:
            _check(collection / file.name, file.bytes)
        self._hashes: npt.NDArray[np.uint64] = self._load(_HASHES)
        self._order: npt.NDArray[np.int32] = self._load(_ORDER)
        self._begins: npt.NDArray[np.int64] = self._load(_BEGINS)
        self._spans: npt.NDArray[np.int64] = self._load(_SPANS)
        self._docnos = np.memmap(self._folder / _DOCNOS, np.uint8, "r").view(np.ndarray)

    def __len__(self) -> int:
        return len(self._order)

    def docnos(self, positions: npt.ArrayLike | None = None) -> list[str]:
        """The ids of the documents at these places; of all, in their order, if None."""
        if positions is None:
            return docnos(self._folder.parent)
        places = np.asarray(positions, np.int64)
        begins, ends = self._begins[places].tolist(), (self._begins[places + 1] - 1).tolist()
        return [self._docnos[a:b].tobytes().decode() for a, b in zip(begins, ends, strict=True)]

    def position(self, docnos: Sequence[str]) -> npt.NDArray[np.int64]:
        """The place of each document in the order of the collection, from 0.

        Raises:
            InputError: an id that no document has.
        """
        names = [docno.encode(errors="surrogatepass") for docno in docnos]
        found = np.searchsorted(self._hashes, _hashes(names, self._seed))
        positions = self._order[np.minimum(found, len(self) - 1)].astype(np.int64)
        begins, ends = self._begins[positions].tolist(), self._begins[positions + 1].tolist()
        unknown = [
            docno
            for docno, name, begin, end in zip(docnos, names, begins, ends, strict=True)
            if self._docnos[begin : end - 1].tobytes() != name
        ]
        if unknown:
            more = f", nor {len(unknown) - 1:,} more" if len(unknown) > 1 else ""
            raise InputError(
                f"{self._collection}: no document {unknown[0]!r}{more}; "
                f"the index holds {count(len(self), 'document')}"
            )
        return positions

    def parts(self, docnos: Sequence[str], names: Sequence[str]) -> dict[str, list[str]]:
        """Parts of documents, a list a name, in the order of the ids.

        Args:
            docnos: ids; one may be there several times.
            names: ``conclusion``, ``premises``, ``title``, ``author``, ``domain``, ``stance``.

        Raises:
            InputError: an id that no document has, or files that have changed.
        """
        positions, places = np.unique(self.position(docnos), return_inverse=True)
        texts = [[getattr(one, name) for name in names] for one in self._arguments(positions)]
        return {
            name: [texts[place][column] for place in places.tolist()]
            for column, name in enumerate(names)
        }

    def _arguments(self, positions: npt.NDArray[np.int64]) -> Iterator[Argument]:
        """The documents at these ascending places."""
        rows = self._spans[positions].tolist()
        docnos = iter(self.docnos(positions))
        for number, group in groupby(rows, itemgetter(0)):
            file = self._files[number]
            spans = [(start, end) for _, start, end in group]
            read = self._from_blocks if file.packed else self._from_json
            for argument, (start, _), docno in zip(read(file, spans), spans, docnos, strict=False):
                if argument is None or argument.docno != docno:
                    raise InputError(
                        f"{self._collection / file.name}: argument {docno} is no longer at byte "
                        f"{start:,}: the file has changed, build the index again"
                    )
                yield argument

    def _from_json(self, file: _File, spans: Sequence[_Span]) -> Iterator[Argument | None]:
        path = self._collection / file.name
        _check(path, file.bytes)
        with path.open("rb", buffering=0) as data:
            for start, end in spans:
                json = without_page(os.pread(data.fileno(), end - start, start)).json
                try:
                    yield parse(json).argument(0, start, end)
                except BadArgumentError:
                    yield None

    def _from_blocks(self, file: _File, spans: Sequence[_Span]) -> Iterator[Argument | None]:
        yield from map(_unpack, Blocks(self._folder).rows(spans))

    def _load(self, name: str) -> Any:
        return np.load(self._folder / name, mmap_mode="r")


def docnos(index: Path) -> list[str]:
    """The ids of all documents of an index, in their order."""
    return (index / FOLDER / _DOCNOS).read_bytes().decode().split("\n")[:-1]


def _hashes(names: Sequence[bytes], seed: int) -> npt.NDArray[np.uint64]:
    digests = (xxhash.xxh3_64_intdigest(name, seed) for name in names)
    return np.fromiter(digests, np.uint64, len(names))


def _check(path: Path, size: int) -> None:
    """Raises an error where a file of the collection is not what it was."""
    try:
        now = path.stat().st_size
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read: {error.strerror}; the index was built on it"
        ) from error
    if now != size:
        raise InputError(
            f"{path}: has {now:,} bytes, {size:,} when the index was built; build the index again"
        )
