"""A collection read once: its token stream, and where its texts are; by two processes if large."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from pipeline.collection.argsme import Place
from pipeline.collection.folder import Collection
from pipeline.collection.middle import middle
from pipeline.collection.texts import TextsWriter
from pipeline.index.arrays import processes
from pipeline.index.arrays.cores import cores
from pipeline.index.arrays.shards import Elsewhere, Others, Shard
from pipeline.index.arrays.tokens import StreamWriter

TOKENS = "tokens"
"""The folder of the stream."""

SHARDS = "shards"
"""The folder of what others read, while they do."""

ALONE = 1 << 26
"""Bytes of a collection of which one process makes less than another costs."""


def read(
    collection: Collection,
    folder: Path,
    progress: Callable[[int], None] | None = None,
    elsewhere: Elsewhere | None = None,
) -> dict[str, int]:
    """Reads a collection to ``tokens`` and ``texts`` in a folder; gives the counts of the stream.

    Args:
        collection: its report is complete then.
        folder: is there.
        progress: told the bytes read since it was last told; some may be taken back.
        elsewhere: who reads most of it; None: another process here, where that helps. What is
            written is the same.

    Raises:
        InputError: the collection is broken; see ``argsme.read``.
        RunError: the disk fails, or there are more types than can be numbered.
        OSError: the disk is full.
    """
    elsewhere = elsewhere or here(collection)
    stream, texts = StreamWriter(folder / TOKENS), TextsWriter(folder, collection.files)
    with contextlib.ExitStack() as opened:
        others = _others(collection, folder / SHARDS, progress, elsewhere)
        if others is None:
            found = collection.arguments(progress)
        else:
            opened.enter_context(others)
            reached = partial(others.reached, docnos=texts.docnos)
            found = collection.arguments(others.progress, reached)
        for argument in found:
            texts.append(argument)
            stream.append(argument)
        for work in others.works if others else ():
            texts.extend(work.docnos, work.spans)
            stream.extend(work.stream)
            collection.report.extend(work.report)
    texts.save()
    return stream.close()


def here(collection: Collection) -> Elsewhere:
    """As many processes of this machine as help."""
    many = collection.bytes >= ALONE and cores() > 1
    return Elsewhere(2 if many else 1, processes.start)


def cuts(files: Sequence[Path], shards: int) -> list[Place]:
    """Where all shards but the first begin, as far as one can guess: fewer where there are none."""
    found = (middle(files, number / shards) for number in range(1, shards))
    return sorted({place for place in found if place is not None})


def _others(
    collection: Collection,
    folder: Path,
    progress: Callable[[int], None] | None,
    elsewhere: Elsewhere,
) -> Others | None:
    """Those who read all shards but the first; None if there are none, or nobody who could."""
    begins = cuts(collection.files, elsewhere.shards)
    if not begins:
        return None
    files = tuple(str(file.absolute()) for file in collection.files)
    sizes = tuple(file.stat().st_size for file in collection.files)
    shards = [
        Shard(str(folder.absolute() / f"{number}"), files, sizes, begin, tuple(begins[number:]))
        for number, begin in enumerate(begins, start=1)
    ]
    folder.mkdir()
    try:
        return Others(shards, elsewhere.start(shards), folder, sum(sizes), progress)
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
        return None
