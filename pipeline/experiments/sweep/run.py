"""``sweep``: systems that differ in some places are searched and measured, and one is chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pipeline.config import catalogue
from pipeline.config import sweep as sweeps
from pipeline.errors import RunError, count
from pipeline.experiments.machines import Machines
from pipeline.experiments.progress import Progress, tell
from pipeline.experiments.sweep import folders, given
from pipeline.experiments.sweep.ground import Ground
from pipeline.experiments.sweep.lead import Lead
from pipeline.index.builders import Builder

INDEXES = "indexes"
"""Where indexes are in an output folder, if they are not kept elsewhere."""


def sweep(
    config: str,
    folder: Path,
    output: Path,
    qrels: Path,
    machines: Machines | None,
    *,
    measures: Sequence[str] = (),
    topics: Sequence[Path] = (),
    indexes: Path | None = None,
    builder: Builder | None = None,
    quiet: bool = False,
) -> Iterator[str]:
    """Does every point of a sweep that is not there yet, and chooses one; gives lines of results.

    Args:
        config: the sweep: a file, or the bare name of a shipped one.
        folder: the collection and, where ``topics`` is empty, its topics.
        output: what is there of this sweep stays, and is not done again.
        qrels: a file of judgements, or a folder of them.
        machines: who does the points; None: nothing is done or written, only what would be is said.
        measures: beside the one by which is chosen.
        topics: files of topics.
        indexes: where indexes are kept; None: in the output folder.
        builder: who builds them; None: ``fast`` where that comes to what Terrier would.
        quiet: no progress.

    Raises:
        InputError: something that was given is wrong; nothing was searched.
        RunError: some points have failed, after all others were done; or nothing can be done any
            more.
    """
    shown = Progress(quiet=quiet)
    wanted = sweeps.load(catalogue.find(config))
    known = given.read(wanted, folder, qrels, measures, topics)
    for line in known.notes:
        shown.say(f"note: {line}")
    out = output.resolve()
    ground = Ground(folder, (indexes or out / INDEXES).resolve(), builder, shown)
    lead = Lead(wanted, known, ground, out, shown)
    if machines is None:
        yield from lead.would_do()
        return
    folders.prepare(out)
    try:
        with machines:
            lead.go(machines)
    except KeyboardInterrupt:
        lead.look_again()
        tell(f"stopped: {lead.state()}; the same call does the others")
        raise
    finally:
        lead.look_again()
        lead.write_table()
    if lead.scored:
        yield from lead.conclude()
    if lead.failed:
        failed, points = len(lead.failed), count(len(lead.points), "point")
        raise RunError(f"{failed:,} of {points} failed, see above; the same call tries them again")
