"""A collection in shards, each but the first read by somebody else, and joined to one stream.

Where a shard begins is a guess. Whoever reads what lies before it finds out: if an argument begins
just there, what was read of the shard is what reading on would give. A shard ends where the next
begins for which that holds; so each proves the next, and the first, which begins where the
collection does, all of them. What a wrong guess gave, or somebody who failed, is thrown away.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import shutil
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from pipeline.collection.argsme import Place, Report
from pipeline.index.arrays.dtypes import I64
from pipeline.index.arrays.tokens import Stream

TOKENS, DOCNOS, SPANS, REPORT = "tokens", "docnos.txt", "spans.npy", "report.json"
"""What is left in the folder of a shard."""

POLL = 0.01
"""Seconds between two looks at somebody who reads."""

_NOWHERE = Place(1 << 62, 0)


class Shard(msgspec.Struct, frozen=True):
    """What somebody is to read."""

    folder: str
    """Where it is written; there when all of it is."""
    files: tuple[str, ...]
    """Of the collection."""
    sizes: tuple[int, ...]
    """Their bytes."""
    begin: Place
    """Where an argument should begin."""
    ends: tuple[Place, ...]
    """Where it ends: before the first of these that an argument begins at, or with the files."""

    @property
    def bytes(self) -> int:
        """About how many it has, if the guesses are right."""
        to = self.ends[0] if self.ends else Place(len(self.files), 0)
        between = sum(self.sizes[self.begin.file : to.file])
        return between + to.offset - self.begin.offset


@dataclass(frozen=True)
class Work:
    """What was read of a shard."""

    stream: Stream
    docnos: list[str]
    spans: I64
    """File, begin and end of each document: [documents, 3]."""
    report: Report
    end: Place | None
    """Which of its ends it came to; None: it was read to the end of the files."""

    @classmethod
    def open(cls, folder: Path) -> Work | None:
        """The work in the folder of a shard; None if it is not there."""
        try:
            stream = Stream.open(folder / TOKENS)
            docnos = (folder / DOCNOS).read_text(encoding="utf-8").split("\n")[:-1]
            spans = np.load(folder / SPANS)
            about = json.loads((folder / REPORT).read_bytes())
            end = about.pop("end")
            report = Report(**about)
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None
        whole = len(docnos) == len(spans) == stream.documents == report.documents
        return cls(stream, docnos, spans, report, end and Place(*end)) if whole else None


class Reader(ABC):
    """Somebody who reads a shard."""

    @abstractmethod
    def more(self) -> int:
        """How many bytes it has read since it was last asked, about."""

    @abstractmethod
    def reads(self) -> bool:
        """Whether it is still at it; where it is not, the work is there, or will never be."""

    @abstractmethod
    def stop(self) -> None:
        """What it does is wanted no more."""


@dataclass(frozen=True)
class Elsewhere:
    """Who reads shards."""

    shards: int
    """Into how many a collection is cut; the first is read here."""
    start: Callable[[Sequence[Shard]], Sequence[Reader]]
    """Sets somebody to each; OSError: there is nobody."""


class Others(AbstractContextManager["Others"]):
    """Those who read all shards but ours; they end with us, whatever ends us.

    Args:
        shards: in their order.
        readers: one for each.
        folder: holds those of the shards, and is removed when this is left.
        total: bytes of the files.
        progress: told the bytes that they and we have read; in the end they come to ``total``.
    """

    def __init__(
        self,
        shards: Sequence[Shard],
        readers: Sequence[Reader],
        folder: Path,
        total: int,
        progress: Callable[[int], None] | None = None,
    ):
        self.works: list[Work] = []
        """What follows what we have read, once ``reached`` has found that it does."""
        self._shards = {shard.begin: shard for shard in shards}
        self._readers = dict(zip(self._shards, readers, strict=True))
        self._theirs = dict.fromkeys(self._shards, 0)
        self._next = min(self._shards, default=_NOWHERE)
        self._folder, self._total = folder, total
        self._told, self._progress = 0, progress or (lambda _step: None)

    def __exit__(self, *_error: object) -> None:
        for reader in self._readers.values():
            reader.stop()
        # renamed first: somebody on another machine who writes on finds its folder no more
        gone = self._folder.parent.with_name(f".{secrets.token_hex(8)}.part")
        with contextlib.suppress(OSError):
            self._folder.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)

    def progress(self, step: int) -> None:
        """Tells of bytes that we have read, and of those that the others have."""
        self._tell(step)
        self._listen()

    def reached(self, place: Place, docnos: Sequence[str]) -> bool:
        """Whether all that follows has been read, from where a shard begins to the end.

        Args:
            place: where our next argument begins.
            docnos: ids of all arguments before; if one is met again, what was read will not do.
        """
        if place < self._next:
            return False
        if place == self._next and (works := self._from(place)) and _apart(docnos, works):
            self.works = works
            self._tell(self._total - self._told)
            return True
        for begin in [begin for begin in self._readers if begin <= place]:
            self._readers.pop(begin).stop()
            self._tell(-self._theirs[begin])
        self._next = min(self._readers, default=_NOWHERE)
        return False

    def _from(self, place: Place | None) -> list[Work]:
        """What was read from where a shard begins to the end; nothing if something lacks."""
        works = []
        while place is not None:
            reader = self._readers[place]
            while reader.reads():
                self._listen()
                time.sleep(POLL)
            work = Work.open(Path(self._shards[place].folder))
            if work is None:
                return []
            works.append(work)
            place = work.end
        return works

    def _listen(self) -> None:
        for begin, reader in self._readers.items():
            if more := reader.more():
                self._theirs[begin] += more
                self._tell(more)

    def _tell(self, step: int) -> None:
        self._told += step
        self._progress(step)


def _apart(docnos: Sequence[str], works: Sequence[Work]) -> bool:
    """Whether no id is in two of these."""
    together = set(docnos).union(*(work.docnos for work in works))
    return len(together) == len(docnos) + sum(len(work.docnos) for work in works)
