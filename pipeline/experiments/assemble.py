"""Config, input folder and indexes to one chain of stages, and through it to a ranking."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline import native
from pipeline.collection.folder import Collection
from pipeline.config.experiment import Experiment
from pipeline.errors import RunError, count
from pipeline.experiments.progress import Progress
from pipeline.index.artifacts import READING
from pipeline.index.base import Index
from pipeline.index.builders import Builder, builder_of
from pipeline.index.store import OPENING, Store
from pipeline.stages.base import Context, Fusion, Stage, plainly

if TYPE_CHECKING:
    import pandas as pd
    import pyterrier as pt

    from pipeline.index.arrays.shards import Elsewhere


def open_store(
    folder: Path | None, progress: Progress, elsewhere: Elsewhere | None = None
) -> Store:
    """The indexes in a folder, or temporary ones; each step of building one is timed and said."""

    def step(name: str) -> AbstractContextManager[None]:
        return progress.part(name) if name in (OPENING, READING) else progress.step(name)

    return Store(folder, progress.say, step, elsewhere)


def check_builder(experiment: Experiment, builder: Builder | None) -> None:
    """Looks whether all indexes of the config can be built, before anything is done.

    Raises:
        InputError: the builder does not cover one of them, or ``PIPELINE_KERNELS`` is wrong.
    """
    native.library()
    for settings in experiment.all_indexes().values():
        builder_of(settings, builder)


def indexes(
    experiment: Experiment,
    collection: Collection,
    store: Store,
    progress: Progress,
    builder: Builder | None = None,
) -> dict[str, Index]:
    """Every index of the config by its name, found in the store or built there.

    Raises:
        InputError: as ``Store.index``.
        RunError: as ``Store.index``.
    """
    found: dict[str, Index] = {}
    for name, settings in experiment.all_indexes().items():
        what = f"reading {_size(collection.bytes)} of {collection.folder}"
        with progress.bar(what, collection.bytes, "B") as move:
            found[name] = store.index(collection, settings, move, builder)
        of = f"index {name}".strip()
        progress.say(f"{of} of {count(len(found[name]), 'argument')} ready")
    return found


def report(collection: Collection, progress: Progress) -> None:
    """Says what was met while the collection was read; nothing if its index was there."""
    for line in collection.report.warnings:
        progress.say(f"warning: {line}")
    for line in collection.report.notes:
        progress.say(f"note: {line}")


def search(
    experiment: Experiment, found: dict[str, Index], queries: pd.DataFrame, progress: Progress
) -> pd.DataFrame:
    """The final ranking of the config; each stage is shown while it runs, and timed.

    Args:
        experiment: the config.
        found: its indexes.
        queries: ``[qid, query, title, description, narrative]``, a row a topic.
        progress: told which stage runs; the parts are named by place and stage.
    """
    from pipeline.stages.transformer import chain

    names = dict(named(experiment.stages, "stages"))
    what = f"searching for {count(len(queries), 'topic')}"
    with progress.stages(what, len(names)) as stage:

        def carry_out(place: str, transformer: pt.Transformer, frame: pd.DataFrame) -> pd.DataFrame:
            with stage(names[place]) if place in names else nullcontext():
                return plainly(place, transformer, frame)

        context = Context(indexes=found, carry_out=carry_out)
        ranking: pd.DataFrame = chain(experiment.stages, context).transform(queries)
    return ranking


def named(stages: Sequence[Stage], route: str) -> Iterator[tuple[str, str]]:
    """The place of each stage, as in ``stages[0]``, and ``stages[0] retrieve: bm25``."""
    for number, stage in enumerate(stages):
        place = f"{route}[{number}]"
        yield place, f"{place} {stage.verb}: {stage.name}"
        if isinstance(stage, Fusion):
            for other, branch in enumerate(stage.branches):
                yield from named(branch.stages, f"{place}.branches[{other}].stages")


def choose_temporary(output: Path, needed: int) -> None:
    """Makes temporary files, the index above all, go where there is room for them.

    That is the system's folder for them, or ``output`` where that one cannot be written, or has
    less room than ``needed`` bytes and less than ``output``.

    Raises:
        RunError: neither can be written.
    """
    try:
        usual = Path(tempfile.gettempdir())
    except FileNotFoundError:
        usual = output
    room, other = (shutil.disk_usage(folder).free for folder in (usual, output))
    chosen = output if room < needed and room < other else usual
    try:
        with tempfile.TemporaryFile(dir=chosen):
            pass
    except OSError as error:
        raise RunError(
            f"{chosen}: no temporary file can be written: {error.strerror}; set TMPDIR to a folder "
            "that has room"
        ) from error
    tempfile.tempdir = str(chosen)


def _size(number: float) -> str:
    for unit in ("bytes", "kB", "MB"):
        if number < 1000:
            return f"{number:.3g} {unit}"
        number /= 1000
    return f"{number:.3g} GB"
