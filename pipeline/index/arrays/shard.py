"""One shard of a collection, read; also as a program, which ``processes`` starts."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sys
import threading
from array import array
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import msgspec
import numpy as np

from pipeline.collection.argsme import Place, Report, read
from pipeline.collection.npy import save
from pipeline.index.arrays.shards import DOCNOS, REPORT, SPANS, TOKENS, Shard
from pipeline.index.arrays.tokens import StreamWriter

STEP = 1 << 22
"""How many bytes the program has read for each that it writes to its output."""


def read_shard(shard: Shard, progress: Callable[[int], None] | None = None) -> None:
    """Writes a shard to its folder, whole or not at all; to do it twice is harmless.

    Raises:
        Exception: whatever is wrong; who wants the shard reads it all by itself, and meets it.
    """
    folder = Path(shard.folder)
    part = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}.part")
    part.mkdir()
    try:
        _write(shard, part, progress)
        if not folder.exists():
            part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _write(shard: Shard, folder: Path, progress: Callable[[int], None] | None) -> None:
    stream, docnos, spans, report = StreamWriter(folder / TOKENS), [], array("q"), Report()
    ends, reached = frozenset(shard.ends), list[Place]()

    def until(place: Place) -> bool:
        reached.extend([place] if place in ends else [])
        return bool(reached)

    files = [Path(file) for file in shard.files]
    for argument in read(files, progress, report, shard.begin, until):
        stream.append(argument)
        docnos.append(argument.docno)
        spans.extend((argument.file, argument.start, argument.end))
    stream.close()
    (folder / DOCNOS).write_text("".join(f"{docno}\n" for docno in docnos), encoding="utf-8")
    save(folder / SPANS, np.asarray(spans, np.int64).reshape(-1, 3))
    about = {**asdict(report), "end": reached[0] if reached else None}
    (folder / REPORT).write_text(json.dumps(about), encoding="utf-8")


class _Steps:
    """Writes a byte to the output for every so many that are read."""

    def __init__(self) -> None:
        self._rest = 0

    def add(self, number: int) -> None:
        steps, self._rest = divmod(self._rest + number, STEP)
        os.write(1, b"." * steps)


def _end_with_parent() -> None:
    """Waits until nobody holds the other end of our input, which is when our parent has ended."""
    while os.read(0, 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    read_shard(msgspec.json.decode(sys.argv[1], type=Shard), _Steps().add)
