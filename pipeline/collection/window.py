"""A file's bytes, a stretch at a time: plain or gzip, in bounded memory."""

from __future__ import annotations

import gzip
import os
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from pipeline.errors import InputError, RunError

STRETCH = 1 << 19
"""Bytes read at once: few calls, and still in the processor's cache when they are looked at."""

LONGEST = 1 << 24
"""Bytes that one argument may have, at most: what is longer is damage, and is not taken in."""

_space_at = re.compile(rb"[ \t\n\r]*+").match


class Window:
    """Stands at one place of a file and sees the bytes that follow.

    ``data[at:end]`` are those in memory, from the place on; ``start`` is the offset of ``data[0]``
    in the (uncompressed) file. What lies behind ``end`` means nothing.
    """

    def __init__(self, file: Path, progress: Callable[[int], None] | None = None, offset: int = 0):
        """Opens a file.

        Args:
            file: gzip if its name ends so.
            progress: told the bytes read since it was last told, as they count on the disk.
            offset: where to begin; 0 in a file that is gzip, into which one cannot leap.

        Raises:
            InputError: the file cannot be opened.
        """
        self.name = file.name
        self.data = bytearray(STRETCH)
        self.at = self.end = 0
        self.start = self._told = offset
        self._progress = progress
        try:
            self._disk = file.open("rb", buffering=0)
        except OSError as error:
            raise InputError(f"{file}: cannot be read: {error.strerror}") from error
        if hasattr(os, "posix_fadvise"):  # a tenth of the time that a file not in memory costs
            os.posix_fadvise(self._disk.fileno(), 0, 0, os.POSIX_FADV_SEQUENTIAL)
        self._disk.seek(offset)
        self._unpacked = gzip.GzipFile(fileobj=self._disk) if file.suffix == ".gz" else None

    def __enter__(self) -> Window:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._unpacked is not None:
            self._unpacked.close()
        self._disk.close()

    @property
    def offset(self) -> int:
        """The place in the file where the window stands."""
        return self.start + self.at

    @property
    def full(self) -> bool:
        """Whether so much follows the place in memory that no more is read."""
        return self.end - self.at > LONGEST

    def more(self) -> bool:
        """Reads on; False if nothing more is to come.

        Either way it forgets what lies before the place: ``at``, ``end`` and ``start`` change.
        """
        if self.full:
            return False
        rest = self.end - self.at
        kept = self.data[self.at : self.end]
        if rest > len(self.data) // 2:
            self.data = bytearray(2 * rest + STRETCH)
        self.data[:rest] = kept
        self.start, self.at = self.start + self.at, 0
        with memoryview(self.data) as view:
            self.end = rest + self._read(view[rest:])
        return self.end > rest

    def peek(self) -> int:
        """Goes on to the next byte that is not white space, and gives it; -1 at the end."""
        while True:
            space = _space_at(self.data, self.at, self.end)
            assert space is not None, "the pattern matches nothing, too"
            self.at = space.end()
            if self.at < self.end:
                return self.data[self.at]
            if not self.more():
                return -1

    def _read(self, free: memoryview) -> int:
        where = f"{self.name}: byte {self.start + self.end - self.at:,}"
        try:
            number = (self._unpacked or self._disk).readinto(free)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise InputError(
                f"{where}: broken gzip data ({error}), is the file whole?; nothing was indexed"
            ) from error
        except OSError as error:
            raise RunError(
                f"{where}: reading failed: {error.strerror}; see to the disk and run again"
            ) from error
        if self._progress is not None:
            told, self._told = self._told, self._disk.tell()
            self._progress(self._told - told)
        return number
