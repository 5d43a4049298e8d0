"""``reproduce``: runs configs, and holds their scores against the published ones."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.config import catalogue, experiment
from pipeline.config.experiment import Experiment
from pipeline.errors import InputError, RunError
from pipeline.evaluation import measures
from pipeline.experiments import assemble, progress
from pipeline.experiments.comparable import Comparable
from pipeline.experiments.given_runs import GivenRun
from pipeline.experiments.progress import Progress
from pipeline.experiments.published import OK, Row
from pipeline.experiments.run import Input, can_be_written, make_room, search
from pipeline.experiments.submitted import Submitted, beside
from pipeline.index.base import FolderIndex
from pipeline.index.builders import Builder
from pipeline.index.store import Store
from pipeline.runs import lenient

if TYPE_CHECKING:
    import pandas as pd


def reproduce(
    configs: Sequence[str],
    folder: Path,
    given: Path,
    runs: Path | None = None,
    indexes: Path | None = None,
    output: Path | None = None,
    builder: Builder | None = None,
    *,
    topics: Sequence[Path] = (),
    quiet: bool = False,
) -> list[Row]:
    """Runs configs and compares what they score with what is published of them.

    Args:
        configs: files, or bare names of shipped configs; none: every shipped one with scores.
        folder: the collection and its topics.
        given: a file of judgements, or a folder with some.
        runs: a folder with the run files that were submitted; None: there are none.
        indexes: where indexes are kept; None: in a temporary folder.
        output: where the folder of each run is kept, by the name of its config; None: nowhere.
        builder: who builds the indexes.
        topics: files of topics that are searched in place of those of ``folder``.
        quiet: no progress.

    Returns:
        A row a published score, in the order of the configs. A config that fails says so in its
        rows, and on stderr.

    Raises:
        InputError: a config or a folder is wrong, or nothing published is to be compared.
    """
    systems = _systems(configs)
    submitted = Submitted(runs) if runs else None
    for line in submitted.missing(systems) if submitted else ():
        progress.tell(f"note: {line}")
    shown = Progress(quiet=quiet)
    with ExitStack() as left:
        if output:
            can_be_written(output)
        kept = output or Path(left.enter_context(tempfile.TemporaryDirectory()))
        over = Input.read(folder, shown, topics)
        names = [name for system in systems for name in system.expected]
        judged = Comparable(names, given, over.topics, progress.tell)
        assemble.choose_temporary(kept, over.collection.bytes * 3 // 2)
        store = left.enter_context(assemble.open_store(indexes, shown))
        work = _Work(over, judged, submitted, store, kept, builder, shown)
        return [
            row
            for number, system in enumerate(systems, 1)
            for row in work.rows(system, f"{number} of {len(systems)}")
        ]


def _systems(configs: Sequence[str]) -> list[Experiment]:
    """The systems of the configs that have published scores; none given: all that are shipped.

    Raises:
        InputError: a config is wrong, two have the same name, or none has published scores.
    """
    every = experiment.load_all(configs or list(map(str, catalogue.shipped())))
    systems = [system for system in every if system.expected]
    without = [system.name for system in every if not system.expected]
    nothing = "no scores below expected:, nothing to compare with"
    if not systems:
        raise InputError(f"{', '.join(without)}: {nothing}")
    if configs and without:
        progress.tell(f"note: {', '.join(without)}: {nothing}")
    for name, times in Counter(system.name for system in systems).items():
        if times > 1:
            raise InputError(f"{name}: the name of {times} configs given; each needs its own")
    return systems


@dataclass(frozen=True)
class _Work:
    """What all systems share."""

    over: Input
    judged: Comparable
    submitted: Submitted | None
    store: Store
    output: Path
    builder: Builder | None
    shown: Progress
    told: set[str] = field(default_factory=set)

    def rows(self, system: Experiment, place: str) -> list[Row]:
        """What the system scores, beside what is published of it; a failure is told, and kept."""
        rows = self._looked_at(
            Row(system.name, name, measure, value)
            for name, scores in system.expected.items()
            for measure, value in scores.items()
        )
        if all(row.why for row in rows):
            return rows
        self.shown.say(f"{system.name} ({place})")
        try:
            return self._compared(system, rows)
        except (InputError, RunError) as error:
            lines = error.lines if isinstance(error, InputError) else (str(error),)
            self._tell(*(f"{system.name}: {line}" for line in lines))
            return [replace(row, why=row.why or lines[0]) for row in rows]

    def _looked_at(self, rows: Iterable[Row]) -> list[Row]:
        """The rows, each with what is in its way, as far as it is known."""
        return [replace(r, why=self.judged.hindrance(r.judgements, r.measure)) for r in rows]

    def _compared(self, system: Experiment, rows: list[Row]) -> list[Row]:
        """The rows with scores.

        Raises:
            InputError: the system cannot be run.
            RunError: it failed on the way.
        """
        shown = Progress(quiet=self.shown.quiet)
        assemble.check_builder(system, self.builder)
        collection = self.over.collection
        found = assemble.indexes(system, collection, self.store, shown, self.builder)
        self._tell(*(f"warning: {line}" for line in collection.report.warnings))
        index = next(iter(found.values()))
        assert isinstance(index, FolderIndex), "the store has no others"
        self.judged.look_for(index.texts.docnos)
        rows = self._looked_at(rows)
        if all(row.why for row in rows):
            return rows
        folder = self.output / system.name
        make_room(folder, system)
        search(system, self.over, found, folder, shown, self.builder)
        ranking = lenient.read(folder / "run.txt").ranking
        theirs = self.submitted.read(system) if self.submitted else None
        self._tell(*(f"note: {what}" for what in (theirs.assumed if theirs else ())))
        return [row if row.why else self._scored(row, ranking, theirs) for row in rows]

    def _scored(self, row: Row, ranking: pd.DataFrame, theirs: GivenRun | None) -> Row:
        judged = self.judged[row.judgements]
        [ours] = measures.score(ranking, judged, [measures.parse(row.measure)])
        run = beside(theirs, ranking, judged, ours) if theirs else None
        if run and abs(run.mean - row.published) > OK:
            self._tell(
                f"warning: {run.file}: {row.measure} on {row.judgements} is {run.mean:.4f}, and "
                f"{row.published:g} is published of {row.config}; is it that run?"
            )
        return replace(
            row, md5=judged.md5, ours=ours.mean, per_topic=ours.per_topic, judged=ours.judged,
            run=run,
        )  # fmt: skip

    def _tell(self, *lines: str) -> None:
        """Says on stderr what has not been said before."""
        for line in lines:
            if line not in self.told:
                self.told.add(line)
                progress.tell(line)
