"""A token stream turned over into postings, by what an analyzer makes of its types."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline.analysis.analyzer import Analyzer
from pipeline.analysis.types import terms_of_types
from pipeline.collection.npy import save
from pipeline.index.arrays import kernels, postings
from pipeline.index.arrays.cores import cores
from pipeline.index.arrays.dtypes import I32, I64, TermMap
from pipeline.index.arrays.postings import Postings
from pipeline.index.arrays.terms import Terms
from pipeline.index.arrays.tokens import PARTS, Stream
from pipeline.index.settings import IndexSettings

ALONE = 1 << 20
"""Of fewer tokens, another thread would cost more than it brings."""

MOST_THREADS = 4
"""Each has counts of its own for every term."""


def invert(
    stream: Stream, settings: IndexSettings, folder: Path, threads: int | None = None
) -> Postings:
    """Writes the postings of a stream to a new folder, and opens them.

    Args:
        stream: the documents.
        settings: which of their parts make the fields, and what their tokens mean.
        folder: made.
        threads: how many, if not as many as help; what is written is the same.

    Raises:
        OSError: the disk is full.
    """
    folder.mkdir()
    if threads is None:
        threads = min(cores(), MOST_THREADS) if len(stream.tokens) >= ALONE else 1
    analyzer = Analyzer(settings.tokeniser, settings.stopwords, settings.stemmer)
    found = terms_of_types(analyzer, stream.types, stream.type_starts)
    every = TermMap(found.first, found.more_starts, found.more)
    fields = [tuple(map(PARTS.index, parts)) for parts in settings.fields.values()]
    with ThreadPoolExecutor(threads) as pool:
        source = _Source(stream, fields, _ranges(stream, threads), pool)
        dfs, cf, lengths = source.count(every, len(found.terms))
        kept = np.any(dfs, axis=0)
        Terms.of([found.terms[number] for number in np.flatnonzero(kept)]).save(folder)
        type_map = _only(every, kept)
        pointers = _starts(dfs.sum(axis=0, dtype=np.int64)[kept])
        source.fill(type_map, pointers, dfs[:, kept], folder)
    arrays: dict[str, npt.NDArray[Any]] = {
        **dict(zip(postings.TYPE_MAP, type_map, strict=True)),
        postings.POINTERS: pointers,
        postings.CFS: cf[kept],
        postings.LENGTHS: lengths,
    }
    for name, array in arrays.items():
        save(folder / name, array)
    (folder / postings.FIELDS).write_text(json.dumps(list(settings.fields)), encoding="utf-8")
    return Postings.open(folder)


@dataclass(frozen=True)
class _Source:
    """Documents in ranges, each turned over by a thread of its own."""

    stream: Stream
    fields: Sequence[tuple[int, ...]]
    """The numbers of the parts of each field."""
    ranges: Sequence[tuple[int, int]]
    """The first document of each, and the one behind its last."""
    pool: ThreadPoolExecutor

    def count(self, type_map: TermMap, terms: int) -> tuple[I32, I64, I32]:
        """Documents that hold each term [ranges, terms], how often it occurs, all lengths."""

        def one(span: tuple[int, int]) -> tuple[I32, I64, I32]:
            s = self.stream
            return kernels.count(s.tokens, s.starts, self.fields, type_map, terms, *span)

        df, cf, lengths = zip(*self.pool.map(one, self.ranges), strict=True)
        return np.stack(df), np.sum(cf, axis=0), np.concatenate(lengths, axis=1)

    def fill(self, type_map: TermMap, pointers: I64, dfs: I32, folder: Path) -> None:
        """Writes all postings; frequencies in two bytes, or in four if one is too large."""
        number = int(pointers[-1])
        docs = _new(folder / postings.DOCS, np.int32, number)
        begins = [pointers[:-1], *(pointers[:-1] + df for df in accumulate(dfs[:-1]))]

        def one(span: tuple[int, int], begin: I64) -> bool:
            s, place = self.stream, begin.astype(np.int64)
            return kernels.fill(
                s.tokens, s.starts, self.fields, type_map, *span, place, docs, tfs, pointers
            )

        for kind in (np.uint16, np.uint32):
            names = (postings.TFS.format(field) for field in range(len(self.fields)))
            tfs = [_new(folder / name, kind, number) for name in names]
            if all(self.pool.map(one, self.ranges, begins)):
                return
        raise AssertionError("a document has fewer than 2**32 tokens")


def _ranges(stream: Stream, number: int) -> list[tuple[int, int]]:
    """As many ranges of documents, with as many tokens each."""
    begins = stream.starts[:: len(PARTS)]
    wanted = [len(stream.tokens) * cut // number for cut in range(1, number)]
    cuts = np.searchsorted(begins, wanted).tolist()
    return list(pairwise([0, *cuts, stream.documents]))


def _only(type_map: TermMap, kept: npt.NDArray[np.bool_]) -> TermMap:
    """The map to those terms that are kept, numbered anew."""
    numbers = np.where(kept, np.cumsum(kept) - 1, -1).astype(np.int32)
    first, more_starts, more = type_map
    first = first.copy()
    first[first >= 0] = numbers[first[first >= 0]]
    return TermMap(first, _starts(kept[more])[more_starts], numbers[more[kept[more]]])


def _starts(lengths: npt.NDArray[Any]) -> I64:
    """Where each of several things of these lengths begins that lie end to end; then their end."""
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))


def _new(file: Path, kind: type[np.generic], number: int) -> npt.NDArray[Any]:
    """A file of so many numbers, mapped; its room on the disk is there already.

    A mapped file that finds no room only when it is written would end the process.
    """
    array = np.lib.format.open_memmap(file, "w+", kind, (number,))
    if hasattr(os, "posix_fallocate"):
        with file.open("r+b") as opened:
            os.posix_fallocate(opened.fileno(), 0, file.stat().st_size)
    return array.view(np.ndarray)
