"""A collection read once: its token stream, and where its texts are; by two processes if large."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

from pipeline.collection.folder import Collection
from pipeline.collection.middle import middle
from pipeline.collection.texts import TextsWriter
from pipeline.index.arrays.cores import cores
from pipeline.index.arrays.halves import Half
from pipeline.index.arrays.tokens import StreamWriter

TOKENS = "tokens"
"""The folder of the stream."""

HALF = "half"
"""The folder of what another process reads, while it does."""

ALONE = 1 << 26
"""Bytes of a collection of which one process makes less than another costs."""


def read(
    collection: Collection,
    folder: Path,
    progress: Callable[[int], None] | None = None,
    processes: int | None = None,
) -> dict[str, int]:
    """Reads a collection to ``tokens`` and ``texts`` in a folder; gives the counts of the stream.

    Args:
        collection: its report is complete then.
        folder: is there.
        progress: told the bytes read since it was last told; some may be taken back.
        processes: 1 or 2, if not as many as help; what is written is the same.

    Raises:
        InputError: the collection is broken; see ``argsme.read``.
        RunError: the disk fails, or there are more types than can be numbered.
        OSError: the disk is full.
    """
    if processes is None:
        processes = 2 if collection.bytes >= ALONE and cores() > 1 else 1
    stream, texts = StreamWriter(folder / TOKENS), TextsWriter(folder, collection.files)
    with contextlib.ExitStack() as opened:
        half = _half(collection, folder, progress) if processes > 1 else None
        if half is None:
            found = collection.arguments(progress)
        else:
            opened.enter_context(half)
            reached = partial(half.reached, docnos=texts.docnos)
            found = collection.arguments(half.progress, reached)
        for argument in found:
            texts.append(argument)
            stream.append(argument)
        if half and half.work:
            texts.extend(half.work.docnos, half.work.spans)
            stream.extend(half.work.stream)
            collection.report.extend(half.work.report)
    texts.save()
    return stream.close()


def _half(
    collection: Collection, folder: Path, progress: Callable[[int], None] | None
) -> Half | None:
    """Another process for the second half; None if there is no such half, or no such process."""
    place = middle(collection.files)
    if place is None:
        return None
    try:
        return Half(collection.files, place, folder / HALF, progress)
    except OSError:
        shutil.rmtree(folder / HALF, ignore_errors=True)
        return None
