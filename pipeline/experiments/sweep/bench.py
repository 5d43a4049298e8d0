"""What points of one sweep share: what is searched for, where, by what it is measured."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from numpy import isfinite

from pipeline.collection.folder import open_collection
from pipeline.collection.topics import frame
from pipeline.config.experiment import Experiment
from pipeline.errors import InputError
from pipeline.evaluation import judgements, measures
from pipeline.experiments import assemble, records
from pipeline.experiments.describe import Given, describe
from pipeline.experiments.entries import Entry
from pipeline.experiments.progress import Progress
from pipeline.experiments.sweep import folders
from pipeline.experiments.sweep.memo import Memo
from pipeline.experiments.sweep.plan import Judged, Point, Task
from pipeline.index.base import Index
from pipeline.index.settings import IndexSettings
from pipeline.index.store import Store
from pipeline.ranking import cut
from pipeline.runs import metadata, output, trec
from pipeline.stages.base import Context
from pipeline.stages.transformer import Chain, chain

if TYPE_CHECKING:
    import pandas as pd


class Bench:
    """Everything that points of one task share: what is searched for, where, and what is common.

    Raises:
        InputError: the program, the collection or the judgements are others than the task's.
    """

    def __init__(self, task: Task):
        if task.code != records.code():
            raise InputError(
                f"this machine has another version of the program: {records.code()}, and the sweep "
                f"was begun by {task.code}; call it again, or update this machine"
            )
        self.task = task
        self.collection = open_collection(Path(task.input))
        if self.collection.fingerprint() != task.collection:
            raise InputError(f"{task.input}: not the collection that the sweep was begun on")
        self.judged = [_judgements(one, task) for one in task.judgements]
        self.measures = [measures.parse(name) for name in task.measures]
        self.queries = frame(task.topics)
        self.store = Store(Path(task.indexes))
        self.memo = Memo()
        self._opened: dict[tuple[str, str], Index] = {}

    def chain(self, system: Experiment) -> Chain:
        """The stages of a system, over its indexes."""
        context = Context(indexes=self._indexes(system), carry_out=self.memo.carry_out)
        return chain(system.stages, context)

    def complete(self, out: Path, key: str) -> bool:
        """Whether a point is there; scores that it lacks are computed of its run."""
        there = folders.entries(out, key)
        if there is None:
            return False
        if self.task.complete(there):
            return True
        ranking, _ = trec.read(folders.point(out, key) / output.RUN)
        known = {(e.judgements, e.md5, e.measure): e for e in there}
        known |= {(e.judgements, e.md5, e.measure): e for e in self._scores(key, ranking)}
        name = f"{folders.POINTS}/{key}/{folders.SCORES}"
        folders.write(out, name, folders.scores(list(known.values())))
        return True

    def run(
        self, point: Point, system: Experiment, steps: Chain, again: frozenset[str]
    ) -> dict[str, bytes]:
        """Searches by a system; gives the files of its point by their names.

        Args:
            point: the point.
            system: its config.
            steps: its stages.
            again: the places of steps that other points have, too.

        Raises:
            RunError: a stage fails, or what comes out cannot be written.
            InputError: a stage finds that its input does not fit.
        """
        shown, started = Progress(quiet=True), datetime.now(UTC)
        spent = self.memo.begin(again)
        ranking = steps.transform(self.queries)
        top = enough(ranking, self.task.depth)
        rows, _ = trec.rows(top, self.task.topics, system.name, depth=self.task.depth)
        scores = self._scores(point.key, rows)
        names = dict(assemble.named(system.stages, "stages"))
        shown.seconds |= {names[place]: spent[place] for place in names if place in spent}
        config = records.config(system)
        task = self.task
        hashes = records.Hashes(
            records.of_bytes(config), task.code, task.collection, task.hash_of_topics
        )
        given = Given(task.collection_name, ", ".join(task.topics_files), hashes)
        about = describe(system, given, task.builder, shown, started)
        return {
            output.CONFIG: config,
            output.METADATA: metadata.content(about),
            output.RUN: trec.content(rows, system.name),
            folders.SCORES: folders.scores(scores),
        }

    def _scores(self, key: str, ranking: pd.DataFrame) -> list[Entry]:
        return [
            Entry.of(key, judged, scores)
            for judged in self.judged
            for scores in measures.score(ranking, judged, self.measures)
        ]

    def _indexes(self, system: Experiment) -> dict[str, Index]:
        wanted = system.all_indexes().items()
        return {name: self._index(settings) for name, settings in wanted}

    def _index(self, settings: IndexSettings) -> Index:
        key = (settings.engine, settings.key())
        if key not in self._opened:
            self._opened[key] = self.store.index(
                self.collection, settings, builder=self.task.builder
            )
        return self._opened[key]


def enough(ranking: pd.DataFrame, depth: int) -> pd.DataFrame:
    """What suffices of a ranking for a run of that depth, since to check all of it takes longer.

    That is the first rows of each topic; all, where some of these will be left out of the run.
    """
    top = cut(ranking, depth)
    left_out = not isfinite(top["score"]).all() or top.duplicated(["qid", "docno"]).any()
    return ranking if left_out else top


def _judgements(one: Judged, task: Task) -> judgements.Judgements:
    """Those of the topics that are searched.

    Raises:
        InputError: the file is not there, or another one.
    """
    found = judgements.read(Path(one.file), one.name)
    if found.md5 != one.md5:
        raise InputError(f"{one.file}: it has changed since the sweep was begun; call it again")
    return found.of([topic.number for topic in task.topics])
