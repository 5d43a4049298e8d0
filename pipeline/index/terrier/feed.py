"""Documents on their way from Python to Terrier's indexer, as lines of JSON through a pipe.

PyTerrier writes them in a thread of its own, in which an exception ends the documents unseen. Here
it is the indexer that has a thread of its own: what is wrong with a document is raised where it was
read, Ctrl-C works, and the indexer is stopped by a line that is no JSON.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import threading
from collections.abc import Callable, Iterable
from json.encoder import encode_basestring_ascii as quoted

from pipeline.errors import RunError

Document = tuple[str, ...]
"""The docno of a document, then the text of each field."""

CHUNK = 1 << 18
"""Bytes written at once, at least."""

PATIENCE = 200
"""Milliseconds after which a full pipe is looked at again: does anybody still read?"""

_SET_PIPE_SIZE = 1031
"""``F_SETPIPE_SZ`` of Linux."""


def feed(documents: Iterable[Document], fields: list[str], index: Callable[[str], None]) -> int:
    """Sends documents to ``index``, which runs meanwhile; gives their number.

    Args:
        documents: the documents.
        fields: the names of their fields.
        index: called in a thread with the name of a file, to be read once, a document a line.

    Raises:
        RunError: ``index`` ends before the documents do.
        Exception: what ``documents`` raises, else what ``index`` does.
    """
    reading, writing = os.pipe()
    reader = _Reader(index, f"/dev/fd/{reading}")
    reader.start()
    try:
        sent = _send(documents, fields, _Pipe(writing, reader))
    except _GoneError:
        sent = -1
    finally:
        os.close(writing)
        try:
            reader.join()
        finally:
            os.close(reading)
    if reader.error:
        raise reader.error
    if sent < 0:
        raise RunError("Terrier stopped reading before the documents came to their end")
    return sent


def _send(documents: Iterable[Document], fields: list[str], pipe: _Pipe) -> int:
    keys = ",".join(f"{quoted(name)}:{{}}" for name in ("docno", *fields))
    line = f"{{{{{keys}}}}}\n"  # all ASCII: Java's Scanner ends a line at U+2028 too
    sent, lines, size = 0, [], 0
    try:
        for document in documents:
            lines.append(line.format(*map(quoted, document)))
            sent += 1
            size += len(lines[-1])
            if size >= CHUNK:
                pipe.write("".join(lines))
                lines, size = [], 0
        pipe.write("".join(lines))
    except BaseException:
        with contextlib.suppress(_GoneError):
            pipe.write("\nno more\n")
        raise
    return sent


class _GoneError(Exception):
    """Nobody reads any more."""


class _Reader(threading.Thread):
    """Runs ``index``; ``error`` is what it raised, if anything."""

    def __init__(self, index: Callable[[str], None], source: str):
        super().__init__(daemon=True)  # the program can end before Java does
        self.index, self.source = index, source
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.index(self.source)
        except BaseException as error:
            self.error = error


class _Pipe:
    """The end of a pipe that is written to, as long as the thread at its other end lives."""

    def __init__(self, end: int, reader: threading.Thread):
        self.end, self.reader = end, reader
        os.set_blocking(end, False)
        with contextlib.suppress(OSError):  # as much as the system gives
            fcntl.fcntl(end, _SET_PIPE_SIZE, 1 << 20)
        self.room = select.poll()
        self.room.register(end, select.POLLOUT)

    def write(self, text: str) -> None:
        """Writes all of the text.

        Raises:
            _GoneError: nobody reads it.
        """
        rest = memoryview(text.encode("ascii"))
        while rest:
            if self.room.poll(PATIENCE):
                with contextlib.suppress(BlockingIOError):
                    rest = rest[os.write(self.end, rest) :]
            elif not self.reader.is_alive():
                raise _GoneError
