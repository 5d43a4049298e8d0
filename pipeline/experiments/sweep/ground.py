"""What the points of a sweep are searched on: the collection, and every index that one needs."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from pipeline.collection.folder import open_collection
from pipeline.config.experiment import Experiment
from pipeline.errors import InputError, count
from pipeline.experiments import assemble, records
from pipeline.experiments.progress import Progress
from pipeline.experiments.run import collection_name
from pipeline.experiments.sweep.given import Given
from pipeline.experiments.sweep.plan import Judged, Task
from pipeline.index.base import FolderIndex, Index
from pipeline.index.builders import Builder
from pipeline.index.settings import IndexSettings


class Ground:
    """A collection with its indexes.

    Args:
        folder: the collection.
        indexes: where indexes are kept, from the root.
        builder: who builds them.
        shown: told what is done.

    Raises:
        InputError: there is no collection.
    """

    def __init__(self, folder: Path, indexes: Path, builder: Builder | None, shown: Progress):
        self.indexes, self.builder, self.shown = indexes, builder, shown
        self.collection = open_collection(folder)
        self._looked, self._said = False, 0

    @cached_property
    def fingerprint(self) -> str:
        """Of the collection."""
        return self.collection.fingerprint()

    def missing(self, systems: Iterable[Experiment]) -> int:
        """How many indexes would have to be built."""
        with assemble.open_store(self.indexes, self.shown) as store:
            return sum(
                not store.holds(self.collection, settings, self.builder)
                for settings in _all_settings(systems)
            )

    def task(self, systems: Iterable[Experiment], given: Given) -> Task:
        """Builds every index that is not there; gives what is common to all points.

        Raises:
            InputError: the collection is broken, or judgements are of other documents.
            RunError: an index cannot be built.
        """
        found: list[Index] = []
        with assemble.open_store(self.indexes, self.shown) as store:
            for settings in _all_settings(systems):
                what = f"reading {self.collection.folder}"
                with self.shown.bar(what, self.collection.bytes, "B") as move:
                    found.append(store.index(self.collection, settings, move, self.builder))
            if not self._looked:
                self._look(found[0], given)
        if len(found) > self._said:
            self._said = len(found)
            arguments = count(len(found[0]), "argument")
            self.shown.say(f"{count(len(found), 'index')} of {arguments} ready")
        return self._task(given, collection_name(self.collection, {"": found[0]}))

    def task_unbuilt(self, given: Given) -> Task:
        """What is common to all points, before the first index is there."""
        return self._task(given, "")

    def _look(self, index: Index, given: Given) -> None:
        """Says what was met in the collection, and compares it with the judgements, once."""
        self._looked = True
        assemble.report(self.collection, self.shown)
        assert isinstance(index, FolderIndex), "a store has no others"
        docnos = set(index.texts.docnos())
        for one in given.judged:
            if foreign := one.foreign(docnos):
                raise InputError(f"{one.file}: {foreign}")
            if some := one.present(docnos):
                self.shown.say(f"note: {some}")

    def _task(self, given: Given, name: str) -> Task:
        return Task(
            code=records.code(),
            input=str(self.collection.folder.resolve()),
            collection=self.fingerprint,
            collection_name=name,
            indexes=str(self.indexes),
            builder=self.builder,
            topics_files=given.topics_files,
            topics=given.topics,
            judgements=tuple(
                Judged(one.name, str(one.file.resolve()), one.md5) for one in given.judged
            ),
            measures=tuple(one.name for one in given.measures),
            depth=given.depth,
        )


def _all_settings(systems: Iterable[Experiment]) -> list[IndexSettings]:
    """The settings of all indexes, each once."""
    found: dict[tuple[str, str], IndexSettings] = {}
    for system in systems:
        for settings in system.all_indexes().values():
            found.setdefault((settings.engine, settings.key()), settings)
    return list(found.values())
