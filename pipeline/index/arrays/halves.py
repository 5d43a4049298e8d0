"""The second half of a collection, read by a process of its own.

Where it begins is a guess. Whoever reads the first half finds out: if an argument begins just
there, what the other process has read is what reading on would give. In every other case, and if
it failed in any way, its work is thrown away.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.collection.argsme import Place, Report
from pipeline.index.arrays.dtypes import I64
from pipeline.index.arrays.tokens import Stream

PROGRAM = "pipeline.index.arrays.half"
"""What the other process runs; it is told where to write, where to begin, and the files."""

TOKENS, DOCNOS, SPANS, REPORT = "tokens", "docnos.txt", "spans.npy", "report.json"
"""What it leaves."""

STEP = 1 << 22
"""How many bytes it has read for each that it writes to its output."""

_ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Work:
    """What was read from some place on."""

    stream: Stream
    docnos: list[str]
    spans: I64
    """File, begin and end of each document: [documents, 3]."""
    report: Report


class Half(AbstractContextManager["Half"]):
    """Another process that reads from ``place`` on; it ends with us, whatever ends us.

    Args:
        files: of the collection.
        place: where an argument should begin.
        folder: for its work; made, and removed when this is left.
        progress: told the bytes that it and we have read; in the end they come to those of files.
    """

    work: Work | None = None
    """What it has read, once ``reached`` has found that it fits."""

    def __init__(
        self,
        files: Sequence[Path],
        place: Place,
        folder: Path,
        progress: Callable[[int], None] | None = None,
    ):
        self.place = place
        self._folder, self._progress = folder, progress or (lambda _step: None)
        self._bytes = sum(file.stat().st_size for file in files)
        self._told = self._theirs = 0
        folder.mkdir()
        path = [str(_ROOT), os.environ.get("PYTHONPATH", "")]
        arguments = [str(folder), str(place.file), str(place.offset), *map(str, files)]
        self._process: subprocess.Popen[bytes] | None = subprocess.Popen(
            [sys.executable, "-P", "-m", PROGRAM, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))},
        )

    def __exit__(self, *_error: object) -> None:
        self._stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def progress(self, step: int) -> None:
        """Tells of bytes that we have read, and of those that the other process has."""
        self._tell(step)
        self._listen(wait=False)

    def reached(self, place: Place, docnos: Sequence[str]) -> bool:
        """Whether we have come to where the other process began, and its work will do.

        Args:
            place: where our next argument begins.
            docnos: ids of all arguments before; if one is met again, its work will not do.
        """
        if self._process is None or place < self.place:
            return False
        if place == self.place:
            self._listen(wait=True)
            work = _work(self._folder) if self._process.wait() == 0 else None
            if work and set(work.docnos).isdisjoint(docnos):
                self.work = work
                self._tell(self._bytes - self._told)
        if self.work is None:
            self._tell(-self._theirs)
        self._stop()
        return self.work is not None

    def _tell(self, step: int) -> None:
        self._told += step
        self._progress(step)

    def _listen(self, *, wait: bool) -> None:
        """Tells what the other process has read by now, or with ``wait`` in all."""
        if self._process is None or self._process.stdout is None:
            return
        output = self._process.stdout.fileno()
        os.set_blocking(output, wait)
        try:
            while steps := os.read(output, 1 << 10):
                self._theirs += STEP * len(steps)
                self._tell(STEP * len(steps))
        except BlockingIOError:
            pass

    def _stop(self) -> None:
        if self._process is not None:
            with self._process as process:
                process.kill()
            self._process = None


def _work(folder: Path) -> Work | None:
    """What the other process left; None if it is not whole."""
    try:
        stream = Stream.open(folder / TOKENS)
        docnos = (folder / DOCNOS).read_text(encoding="utf-8").split("\n")[:-1]
        spans = np.load(folder / SPANS)
        report = Report(**json.loads((folder / REPORT).read_bytes()))
    except (OSError, ValueError, TypeError):
        return None
    whole = len(docnos) == len(spans) == stream.documents == report.documents
    return Work(stream, docnos, spans, report) if whole else None
