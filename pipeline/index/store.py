"""A folder of indexes, each named by the hash of what made it: found, or built.

An index is built under another name, in a folder that no other process builds in meanwhile, and
renamed when it is whole. So what has its name is whole, unless something happened to it since;
what a killed process left is removed by the next.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline import resources
from pipeline.collection.argsme import Report
from pipeline.collection.texts import FOLDER, Texts, TextsWriter
from pipeline.errors import InputError, RunError
from pipeline.index import lock, record
from pipeline.index.settings import IndexSettings

if TYPE_CHECKING:
    from pipeline.collection.argument import Argument
    from pipeline.collection.folder import Collection
    from pipeline.index.terrier.search import TerrierIndex

FORMAT = 1
"""Raised when an index is kept in another way, or comes out otherwise of the same settings."""

ENGINE = "terrier"
"""The folder in an index of what is searched."""

TEMPORARY = "argument-index-"
"""How the name of a temporary store begins."""

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

Say = Callable[[str], None]
Progress = Callable[[int], None]


class Store(contextlib.AbstractContextManager["Store"]):
    """Indexes in a folder. Without one they are temporary, and removed when the store is left.

    Args:
        folder: where indexes are kept; made when the first is built.
        say: told, in a line, what a user may wonder at: a damaged index, a wait.

    Raises:
        RunError: there is no folder for temporary files.
    """

    def __init__(self, folder: Path | None = None, say: Say = lambda _line: None):
        self.say = say
        self._at_the_end = contextlib.ExitStack()
        self.folder = folder or self._temporary()

    def __exit__(self, *_error: object) -> None:
        self._at_the_end.close()

    def index(
        self, collection: Collection, settings: IndexSettings, progress: Progress | None = None
    ) -> TerrierIndex:
        """The index of a collection with these settings, built if it is not there.

        Args:
            collection: what is searched.
            settings: how.
            progress: called with bytes read, while the index is built.

        Raises:
            InputError: the collection is broken, or the index is not there and the folder cannot
                be written.
            RunError: the index cannot be built.
        """
        from pipeline.index.terrier.search import TerrierIndex

        made_of = {
            "format": FORMAT,
            "engine": f"terrier {resources.TERRIER.version}",
            "collection": collection.fingerprint(),
            "settings": settings.key(),
        }
        name = hashlib.sha256(json.dumps(made_of).encode()).hexdigest()[:16]
        target = self.folder / name
        known = self._known(target, made_of)
        while not known:
            with self._alone(target) as part:
                if part:
                    self._build(part, target, made_of, collection, settings, progress)
            known = self._known(target, made_of)
            if part and not known:
                raise RunError(
                    f"{target}: cannot be read just after it was written; is the disk ill?"
                )
        report = {**known["report"], "skipped": collection.report.skipped}
        collection.report = Report(**report)
        return TerrierIndex(target / ENGINE, settings, Texts(target, collection.folder))

    def _known(self, target: Path, made_of: Mapping[str, Any]) -> dict[str, Any] | None:
        """What the index says of itself; None if it is not there, or not whole."""
        try:
            return record.read(target, made_of) if target.exists() else None
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

    def _build(
        self,
        part: Path,
        target: Path,
        made_of: Mapping[str, Any],
        collection: Collection,
        settings: IndexSettings,
        progress: Progress | None,
    ) -> None:
        """Fills ``part``, which becomes ``target``; nothing is left of it where that fails."""
        from pipeline.index.terrier.indexer import DOCNO_LENGTH, LongDocnoError

        try:
            docno_length, counts = DOCNO_LENGTH, None
            while counts is None:
                try:
                    counts = _fill(part, collection, settings, progress, docno_length)
                except LongDocnoError as long:  # there are none that long in any known release
                    docno_length = max(2 * docno_length, long.length)
            about = {
                "counts": counts,
                "report": asdict(collection.report),
                "made_by": settings.model_dump(mode="json"),
            }
            record.write(part, {**made_of, **about})
            if target.exists():
                shutil.rmtree(target)
            part.rename(target)
            (target / lock.LOCK).unlink()
        except BaseException as error:
            shutil.rmtree(part, ignore_errors=True)
            if isinstance(error, OSError):
                cure = "free some space" if error.errno in _FULL else "choose another folder"
                raise RunError(
                    f"{self.folder}: the index cannot be written: {error.strerror}; {cure}"
                ) from error
            raise

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


def _fill(
    part: Path,
    collection: Collection,
    settings: IndexSettings,
    progress: Progress | None,
    docno_length: int,
) -> dict[str, int]:
    """Writes index and texts into an emptied ``part`` in one pass; gives the index's counts."""
    from pipeline.index.terrier import indexer

    for left in (ENGINE, FOLDER):
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(part / left)
    (part / ENGINE).mkdir()
    texts = TextsWriter(part, collection.files)

    def arguments() -> Iterator[Argument]:
        for argument in collection.arguments(progress):
            texts.append(argument)
            yield argument

    counts = indexer.build(arguments(), settings, part / ENGINE, docno_length)
    texts.save()
    return counts
