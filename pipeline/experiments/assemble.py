"""Config, input folder and indexes to one transformer from queries to the final ranking."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
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
from pipeline.stages.base import Context, Fusion, Stage

if TYPE_CHECKING:
    from pipeline.stages.transformer import Chain


def open_store(folder: Path | None, progress: Progress) -> Store:
    """The indexes in a folder, or temporary ones; each step of building one is timed and said."""

    def step(name: str) -> AbstractContextManager[None]:
        return progress.part(name) if name in (OPENING, READING) else progress.step(name)

    return Store(folder, progress.say, step)


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


def assemble(experiment: Experiment, found: dict[str, Index], progress: Progress) -> Chain:
    """The stages of the config as one transformer; each is timed by its place and name."""
    from pipeline.stages.transformer import chain

    names = dict(_named(experiment.stages, "stages"))
    context = Context(indexes=found, observe=lambda place: progress.part(names[place]))
    return chain(experiment.stages, context)


def _named(stages: Sequence[Stage], route: str) -> Iterator[tuple[str, str]]:
    """The place of each stage, as in ``stages[0]``, and ``stages[0] retrieve: bm25``."""
    for number, stage in enumerate(stages):
        place = f"{route}[{number}]"
        yield place, f"{place} {stage.verb}: {stage.name}"
        if isinstance(stage, Fusion):
            for other, branch in enumerate(stage.branches):
                yield from _named(branch.stages, f"{place}.branches[{other}].stages")


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
