"""``index``: builds the indexes that configs need, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pipeline.collection.folder import open_collection
from pipeline.config import experiment
from pipeline.errors import count
from pipeline.experiments import assemble
from pipeline.experiments.progress import Progress
from pipeline.index.builders import Builder


def build(
    folder: Path,
    indexes: Path,
    configs: Sequence[str],
    builder: Builder | None = None,
    *,
    quiet: bool = False,
) -> Iterator[str]:
    """Builds what is not there yet; gives a line a config.

    Raises:
        InputError: with the problems of every config, before anything is built; or the collection
            is wrong.
        RunError: an index cannot be built.
    """
    systems = experiment.load_all(configs)
    for system in systems:
        assemble.check_builder(system, builder)
    shown = Progress(quiet=quiet)
    collection = open_collection(folder)
    with assemble.open_store(indexes, shown) as store:
        for system in systems:
            found = assemble.indexes(system, collection, store, shown, builder)
            sizes = {count(len(index), "argument") for index in found.values()}
            yield f"{system.name}: {count(len(found), 'index')}, {', '.join(sizes)}"
    assemble.report(collection, shown)
