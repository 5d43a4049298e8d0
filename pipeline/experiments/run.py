"""``run``: one system over one input folder; a whole run comes out, or none."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.collection import topics as topic_files
from pipeline.collection.folder import Collection, open_collection
from pipeline.collection.releases import release_of
from pipeline.collection.topics import Topic
from pipeline.config import catalogue, experiment
from pipeline.config.experiment import Experiment
from pipeline.errors import InputError, count, some
from pipeline.experiments import assemble, progress, records
from pipeline.experiments.describe import Given, describe, peak
from pipeline.experiments.progress import Progress
from pipeline.index.base import Index
from pipeline.index.builders import Builder

if TYPE_CHECKING:
    from pipeline.runs.trec import Summary


@dataclass(frozen=True)
class Input:
    """What systems run over."""

    collection: Collection
    topics: Sequence[Topic]
    topics_file: str
    """Name of the file of the topics; of several files, their names."""

    @classmethod
    def read(cls, folder: Path, shown: Progress, topics: Sequence[Path] = ()) -> Input:
        """What an input folder holds.

        Args:
            folder: the folder.
            shown: keeps the seconds.
            topics: files of topics that are searched in place of the folder's own.

        Raises:
            InputError: there is no collection in it, or no topics; or they are wrong.
        """
        with shown.part("topics"):
            files = list(topics) or [topic_files.find(folder)]
            found = topic_files.read_all(files)
        return cls(open_collection(folder), found, ", ".join(file.name for file in files))

    @cached_property
    def fingerprint(self) -> str:
        """Of the collection."""
        return self.collection.fingerprint()


def run(
    folder: Path,
    output: Path,
    config: str,
    indexes: Path | None = None,
    builder: Builder | None = None,
    *,
    quiet: bool = False,
) -> Path:
    """Runs a config over an input folder; gives the run file that was written.

    Args:
        folder: the collection and its topics.
        output: where ``run.txt``, ``ir-metadata.yml`` and ``config.yaml`` go; those of an earlier
            run are removed once the config is known to be right.
        config: a file, or the bare name of a shipped config.
        indexes: where indexes are kept; None: a temporary one, removed in the end.
        builder: who builds them; None: ``fast`` where that comes to what Terrier would.
        quiet: only the summary is shown.

    Raises:
        InputError: the config, the input or the output folder is wrong.
        RunError: it failed on the way; there is no run.
    """
    shown = Progress(quiet=quiet)
    system = experiment.load(catalogue.find(config))
    assemble.check_builder(system, builder)
    make_room(output, system)
    given = Input.read(folder, shown)
    assemble.choose_temporary(output, given.collection.bytes * 3 // 2)
    with assemble.open_store(indexes, shown) as store:
        found = assemble.indexes(system, given.collection, store, shown, builder)
        assemble.report(given.collection, shown)
        summary = search(system, given, found, output, shown, builder)
    held = collection_name(given.collection, found)
    what = f"{folder}: {held}, {count(len(given.topics), 'topic')}"
    for line in _summary(system.name, what, output, summary, shown):
        progress.tell(line)
    return output / "run.txt"


def search(
    system: Experiment,
    given: Input,
    found: dict[str, Index],
    output: Path,
    shown: Progress,
    builder: Builder | None = None,
) -> Summary:
    """Runs a system whose indexes are there, and writes what comes out.

    Args:
        system: the system.
        given: what it runs over.
        found: its indexes.
        output: where it is written; the folder is there.
        shown: holds the seconds of what was done before for this run.
        builder: who was wanted to build the indexes.

    Raises:
        InputError: what the user gave turns out wrong.
        RunError: it failed on the way; there is no run.
    """
    from pipeline.runs import output as outputs

    ranking = assemble.search(system, found, topic_files.frame(given.topics), shown)
    config = records.config(system)
    follows_from = records.hashes(config, given.fingerprint, given.topics)
    named = Given(collection_name(given.collection, found), given.topics_file, follows_from)
    about = describe(system, named, builder, shown, shown.started)
    with shown.part("write"):
        return outputs.publish(output, ranking, given.topics, about, config)


def make_room(output: Path, system: Experiment) -> None:
    """Makes the output folder, and removes an earlier run there.

    Raises:
        InputError: it cannot be written, or ``config.yaml`` of the user's is in the way: one that
            no run left, and that says another system than this one.
    """
    from pipeline.runs import output as outputs

    can_be_written(output)
    kept = outputs.users_config(output)
    if kept and _loaded(kept) != system:
        raise InputError(
            f"{kept}: no run left it, and it is not the config of this run, which would take its "
            "place; move it, or choose another output folder"
        )
    outputs.remove_old(output)


def _loaded(file: Path) -> Experiment | None:
    """The system that a config says; None if it is none."""
    try:
        return experiment.load(file)
    except InputError:
        return None


def can_be_written(output: Path) -> None:
    """Makes a folder if it is not there.

    Raises:
        InputError: it cannot be made, or nothing can be written there.
    """
    try:
        output.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=output):
            pass
    except OSError as error:
        raise InputError(
            f"{output}: cannot be written: {error.strerror}; a folder that can be is needed for "
            "the run"
        ) from error


def collection_name(collection: Collection, found: Mapping[str, Index]) -> str:
    """The release of args.me that it is, or else the name of its folder and its size."""
    documents = len(next(iter(found.values())))
    release = release_of([file.name for file in collection.files], documents)
    return release or f"{collection.folder.resolve().name}, {count(documents, 'argument')}"


def _summary(name: str, given: str, output: Path, summary: Summary, shown: Progress) -> list[str]:
    """The last lines of a run: what was done, fit for a reader who sees nothing else."""
    seconds = ", ".join(
        f"{part} {spent.wall:.1f}" for part, spent in shown.seconds.items() if spent.wall >= 0.05
    )
    left_out = {
        "without a finite score": summary.not_finite,
        "that stood twice": summary.doubled,
        "below rank 1000": summary.too_deep,
    }
    without = summary.without_result
    lines = [
        f"done: {name}",
        f"  input     {given}",
        f"  run       {output / 'run.txt'}: {count(summary.lines, 'line')}, verified",
        f"  seconds   {seconds or 'less than 0.05 in each part'}",
        f"  memory    {peak():,} MB at most",
    ]
    lines += [
        f"  left out  {count(number, 'row')} {why}" for why, number in left_out.items() if number
    ]
    if without:
        lines.insert(1, f"  nothing found for {count(len(without), 'topic')}: {some(without, 20)}")
    return lines
