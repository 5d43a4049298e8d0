"""``run``: one system over one input folder; a whole run comes out, or none."""

from __future__ import annotations

import resource
import sys
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.collection import topics as topic_files
from pipeline.collection.folder import Collection, open_collection
from pipeline.collection.releases import release_of
from pipeline.config import catalogue, experiment
from pipeline.errors import InputError, count
from pipeline.experiments import assemble, progress
from pipeline.experiments.describe import Given, describe
from pipeline.experiments.progress import Progress
from pipeline.index.base import Index
from pipeline.index.builders import Builder

if TYPE_CHECKING:
    from pipeline.runs.trec import Summary


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
        output: where ``run.txt`` and ``ir-metadata.yml`` go; an earlier run there is removed once
            the config is known to be right.
        config: a file, or the bare name of a shipped config.
        indexes: where indexes are kept; None: a temporary one, removed in the end.
        builder: who builds them; None: ``fast`` where that comes to what Terrier would.
        quiet: only the summary is shown.

    Raises:
        InputError: the config, the input or the output folder is wrong.
        RunError: it failed on the way; there is no run.
    """
    from pipeline.runs import output as outputs

    started, shown = datetime.now(UTC), Progress(quiet=quiet)
    system = experiment.load(catalogue.find(config))
    assemble.check_builder(system, builder)
    _can_be_written(output)
    outputs.remove_old(output)
    with shown.part("topics"):
        topics_file = topic_files.find(folder)
        topics = topic_files.read(topics_file)
    collection = open_collection(folder)
    assemble.choose_temporary(output, collection.bytes * 3 // 2)
    with assemble.open_store(indexes, shown) as store:
        found = assemble.indexes(system, collection, store, shown, builder)
        assemble.report(collection, shown)
        name = _name(collection, found)
        shown.say(f"searching for {count(len(topics), 'topic')}")
        ranking = assemble.assemble(system, found, shown).transform(topic_files.frame(topics))
        given = Given(name, collection.fingerprint(), topics_file.name)
        about = describe(system, given, builder, shown, started)
        with shown.part("write"):
            summary = outputs.publish(output, ranking, topics, about)
    what = f"{folder}: {name}, {count(len(topics), 'topic')}"
    for line in _summary(system.name, what, output, summary, shown):
        progress.tell(line)
    return output / outputs.RUN


def _can_be_written(output: Path) -> None:
    try:
        output.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=output):
            pass
    except OSError as error:
        raise InputError(
            f"{output}: cannot be written: {error.strerror}; a folder that can be is needed for "
            "the run"
        ) from error


def _name(collection: Collection, found: Mapping[str, Index]) -> str:
    """The release of args.me that it is, or else the name of its folder and its size."""
    documents = len(next(iter(found.values())))
    release = release_of([file.name for file in collection.files], documents)
    return release or f"{collection.folder.resolve().name}, {count(documents, 'argument')}"


def _summary(name: str, given: str, output: Path, summary: Summary, shown: Progress) -> list[str]:
    """The last lines of a run: what was done, fit for a reader who sees nothing else."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    peak >>= 20 if sys.platform == "darwin" else 10
    seconds = ", ".join(
        f"{part} {spent.wall:.1f}" for part, spent in shown.seconds.items() if spent.wall >= 0.05
    )
    left_out = {
        "without a finite score": summary.not_finite,
        "that stood twice": summary.doubled,
        "below rank 1000": summary.too_deep,
    }
    without = summary.without_result
    names = ", ".join(without[:20]) + (f" and {len(without) - 20} more" if without[20:] else "")
    lines = [
        f"done: {name}",
        f"  input     {given}",
        f"  run       {output / 'run.txt'}: {count(summary.lines, 'line')}, verified",
        f"  seconds   {seconds or 'less than 0.05 in each part'}",
        f"  memory    {peak:,} MB at most",
    ]
    lines += [
        f"  left out  {count(number, 'row')} {why}" for why, number in left_out.items() if number
    ]
    if without:
        lines.insert(1, f"  nothing found for {count(len(without), 'topic')}: {names}")
    return lines
