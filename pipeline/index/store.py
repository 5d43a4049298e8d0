"""A folder of indexes and what they are made of, each named by the hash of what made it.

Each is built under another name, in a folder that no other process builds in meanwhile, and
renamed when it is whole. So what has its name is whole, unless something happened to it since;
what a killed process left is removed by the next.
"""

from __future__ import annotations

import contextlib
import errno
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.collection.argsme import Report
from pipeline.collection.texts import Texts
from pipeline.errors import InputError, RunError
from pipeline.index import lock, record
from pipeline.index.artifact import FORMAT, Artifact, Made, OfSettings, Progress, Source, Step
from pipeline.index.artifacts import ARRAYS, TERRIER, Arrays, FastTerrier, OwnTerrier
from pipeline.index.builders import Builder, builder_of, uncovered
from pipeline.index.settings import IndexSettings

if TYPE_CHECKING:
    from pipeline.collection.folder import Collection
    from pipeline.index.arrays.shards import Elsewhere
    from pipeline.index.base import Index

__all__ = ["FORMAT", "Store"]

OPENING = "opening"
"""The step of finding what is there, and of looking whether it is whole."""

TEMPORARY = "argument-index-"
"""How the name of a temporary store begins."""

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, None)
"""What the system says when a disk is full; numpy does not say it."""

Say = Callable[[str], None]


class Store(contextlib.AbstractContextManager["Store"]):
    """Indexes in a folder. Without one they are temporary, and removed when the store is left.

    Args:
        folder: where indexes are kept; made when the first is built.
        say: told, in a line, what a user may wonder at: a damaged index, a wait.
        step: entered with the name of each step.
        elsewhere: who reads most of a collection; None: this machine.

    Raises:
        RunError: there is no folder for temporary files.
    """

    def __init__(
        self,
        folder: Path | None = None,
        say: Say = lambda _line: None,
        step: Step = lambda _name: contextlib.nullcontext(),
        elsewhere: Elsewhere | None = None,
    ):
        self.say, self._step, self._elsewhere = say, step, elsewhere
        self._at_the_end = contextlib.ExitStack()
        self._made: dict[str, Made] = {}
        self._lasts = folder is not None
        self.folder = folder or self._temporary()

    def __exit__(self, *_error: object) -> None:
        self._at_the_end.close()

    def index(
        self,
        collection: Collection,
        settings: IndexSettings,
        progress: Progress | None = None,
        builder: Builder | None = None,
    ) -> Index:
        """The index of a collection with these settings, built if it is not there.

        Args:
            collection: what is searched.
            settings: how.
            progress: called with bytes read, while the collection is.
            builder: who builds it; see ``builder_of``.

        Raises:
            InputError: the collection is broken, the settings are not covered, or the index is not
                there and the folder cannot be written.
            RunError: the index cannot be built.
        """
        source = Source(collection, collection.fingerprint(), progress, self._elsewhere)
        kind = _kind(source, settings, builder)
        if isinstance(kind, Arrays):
            return self._arrays(kind)
        own = isinstance(kind, OwnTerrier)
        if own and builder is None and not (self.folder / kind.name).exists():
            self.say(f"Terrier's own indexer is used: fast does not cover {uncovered(settings)}")
        return self._terrier(kind)

    def holds(
        self, collection: Collection, settings: IndexSettings, builder: Builder | None = None
    ) -> bool:
        """Whether there is such an index; it is not looked at.

        Raises:
            InputError: it cannot be built by ``builder``.
        """
        source = Source(collection, collection.fingerprint())
        return (self.folder / _kind(source, settings, builder).name).exists()

    def _terrier(self, files: OfSettings) -> Index:
        from pipeline.index.terrier.search import TerrierIndex

        made = self.make(files)
        with self._step(OPENING):
            texts = _texts(made, files.source.collection)
            return TerrierIndex(made.folder / TERRIER, files.settings, texts)

    def _arrays(self, arrays: Arrays) -> Index:
        from pipeline.index.arrays.index import ArraysIndex

        made = self.make(arrays)
        with self._step(OPENING):
            texts = _texts(made, arrays.source.collection)
            stream = partial(arrays.stream, made, self.make)
            return ArraysIndex(made.folder / ARRAYS, arrays.settings, texts, stream)

    def make(self, artifact: Artifact) -> Made:
        """Finds something, or makes it and whatever it is made of.

        What was found whole, or made, is not looked at again.

        Raises:
            InputError: as ``index``.
            RunError: as ``index``.
        """
        if artifact.name not in self._made:
            self._made[artifact.name] = self._find_or_build(artifact)
        return self._made[artifact.name]

    def _find_or_build(self, artifact: Artifact) -> Made:
        target = self.folder / artifact.name
        known = self._known(target, artifact)
        while not known:
            with self._alone(target) as part:
                known = self._build(part, target, artifact) if part else None
            known = known or self._known(target, artifact)
        return Made(target, known)

    def _known(self, target: Path, artifact: Artifact) -> dict[str, Any] | None:
        """What it says of itself; None if it is not there, or not whole."""
        try:
            if not target.exists():
                return None
            with self._step(OPENING):
                return record.read(target, artifact.made_of)
        except record.UnfitError as error:
            self.say(f"{target}: not used, {error}; it is built anew")
            return None
        except OSError as error:
            raise InputError(f"{self.folder}: cannot be read: {error.strerror}") from None

    @contextlib.contextmanager
    def _alone(self, target: Path) -> Iterator[Path | None]:
        """The folder to build ``target`` in; None if another process has just built there."""
        part = target.with_name(f".{target.name}.part")
        with contextlib.ExitStack() as held:
            try:
                lock.remove_left(self.folder, ".*.part")
                waiting = f"{target}: another process builds this index; waiting for it"
                mine = held.enter_context(lock.alone(part, lambda: self.say(waiting)))
            except OSError as error:
                raise InputError(
                    f"{self.folder}: cannot be written: {error.strerror}; it holds no index of "
                    "this collection for this config; choose another folder for indexes"
                ) from None
            yield part if mine else None

    def _build(self, part: Path, target: Path, artifact: Artifact) -> dict[str, Any]:
        """Fills ``part``, which becomes ``target``; nothing is left of it where that fails."""
        try:
            with lock.becomes(part, target):
                about = artifact.fill(part, self.make, self._step)
                return record.write(part, {**artifact.made_of, **about}, sync=self._lasts)
        except OSError as error:
            cure = "free some space" if error.errno in _FULL else "choose another folder"
            why = error.strerror or "the disk seems to be full"
            raise RunError(f"{self.folder}: the index cannot be written: {why}; {cure}") from error

    def _temporary(self) -> Path:
        try:
            lock.remove_left(Path(tempfile.gettempdir()), f"{TEMPORARY}*")
            while True:
                folder = Path(tempfile.mkdtemp(prefix=TEMPORARY))
                self._at_the_end.callback(shutil.rmtree, folder, ignore_errors=True)
                if self._at_the_end.enter_context(lock.alone(folder, lambda: None)):
                    return folder
        except OSError as error:
            raise RunError(
                f"no folder for a temporary index: {error.strerror}; set TMPDIR to a folder that "
                "can be written, or name one for indexes"
            ) from None


def _kind(source: Source, settings: IndexSettings, builder: Builder | None) -> OfSettings:
    """What the index is kept as, by who searches and who builds it."""
    built_by = builder_of(settings, builder)
    if settings.engine == "arrays":
        return Arrays(source, settings)
    return (FastTerrier if built_by == "fast" else OwnTerrier)(source, settings)


def _texts(made: Made, collection: Collection) -> Texts:
    """The texts of what was made, and to the collection the report of its reading."""
    collection.report = Report(**{**made.record["report"], "skipped": collection.report.skipped})
    return Texts(made.folder, collection.folder)
