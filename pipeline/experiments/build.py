"""``index``: builds the indexes that configs need, and nothing else."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from pipeline.collection.folder import open_collection
from pipeline.config import experiment
from pipeline.errors import InputError, count
from pipeline.experiments import assemble
from pipeline.experiments.progress import Progress
from pipeline.index.builders import Builder


def build(
    folder: Path,
    indexes: Path,
    configs: Sequence[str],
    builder: Builder | None = None,
    *,
    scheduler: str = "",
    shards: int | None = None,
    quiet: bool = False,
) -> Iterator[str]:
    """Builds what is not there yet; gives a line a config.

    Args:
        folder: holds the collection.
        indexes: holds indexes.
        configs: files, or bare names of shipped configs.
        builder: who builds; see ``builder_of``.
        scheduler: the address of a Dask scheduler whose workers read the collection; none: "".
        shards: into how many it is cut for them.
        quiet: no progress.

    Raises:
        InputError: with the problems of every config, before anything is built; or the collection
            is wrong.
        RunError: an index cannot be built, or no scheduler answers.
    """
    systems = experiment.load_all(configs)
    for system in systems:
        assemble.check_builder(system, builder)
    if scheduler and builder == "terrier":
        raise InputError("--scheduler: Terrier's own indexer reads alone; leave out one of the two")
    shown = Progress(quiet=quiet)
    collection = open_collection(folder)
    with contextlib.ExitStack() as opened:
        elsewhere = None
        if scheduler:
            from pipeline.experiments.machines.shards import on_dask

            elsewhere = opened.enter_context(on_dask(scheduler, shards, shown.say))
        store = opened.enter_context(assemble.open_store(indexes, shown, elsewhere))
        for system in systems:
            found = assemble.indexes(system, collection, store, shown, builder)
            sizes = {count(len(index), "argument") for index in found.values()}
            yield f"{system.name}: {count(len(found), 'index')}, {', '.join(sizes)}"
    assemble.report(collection, shown)
