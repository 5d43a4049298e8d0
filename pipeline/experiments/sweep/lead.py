"""The process that a sweep was called in: it knows what is to be done, and gathers what comes."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tqdm import tqdm

from pipeline.config import experiment
from pipeline.config import sweep as sweeps
from pipeline.config.resolved import resolved
from pipeline.config.sweep import Sweep
from pipeline.errors import ConfigError, count
from pipeline.experiments import assemble
from pipeline.experiments.entries import Entry
from pipeline.experiments.machines import Machines, Outcome
from pipeline.experiments.progress import Progress, tell
from pipeline.experiments.sweep import folders, order, plan, result, search, table
from pipeline.experiments.sweep.given import Given
from pipeline.experiments.sweep.ground import Ground
from pipeline.experiments.sweep.plan import Plan, Point, Task

OFTEN = 5.0
"""Seconds after which the table is written again, at least."""


class Lead:
    """A sweep on its way.

    Args:
        sweep: the sweep.
        given: its topics and judgements.
        ground: what it searches on.
        output: the output folder, from the root.
        shown: told what is done.

    Raises:
        InputError: its points are not right.
    """

    def __init__(self, sweep: Sweep, given: Given, ground: Ground, output: Path, shown: Progress):
        self.sweep, self.given, self.ground = sweep, given, ground
        self.output, self.shown = output, shown
        self.points: list[Point] = []
        self.failed: dict[int, str] = {}
        """Why, by number."""
        self.scored: dict[str, list[Entry]] = {}
        """By key."""
        self._written = time.monotonic()
        self._proposed = search.generations(sweep)
        self._next: list[sweeps.Point] = next(self._proposed)
        self._check()

    def would_do(self) -> Iterator[str]:
        """What ``go`` would do, in lines; of a search by TPE, in its first generation."""
        task = self.ground.task_unbuilt(self.given)
        points = [_point(point, task) for point in self._next]
        missing = [point for point in points if not self._is_there(point, task)]
        indexes = self.ground.missing([point.experiment for point in self._next])
        yield f"{self.sweep.name}: {count(len(points), 'point')}, {len(missing):,} to be done"
        yield f"  topics      {len(task.topics):,}, {task.depth:,} documents kept of each"
        yield f"  measures    {', '.join(task.measures)}"
        yield f"  judgements  {', '.join(one.name for one in task.judgements)}"
        yield f"  indexes     {indexes:,} to be built in {task.indexes}"
        for point in points:
            said = "" if point in missing else " (there)"
            yield f"  point {point.number}  {result.spelled(point)}{said}"

    def go(self, machines: Machines) -> None:
        """Does all points, generation after generation.

        Raises:
            InputError: see ``Ground.task``; or something that all points need is not as it was.
            RunError: nothing can be done any more.
        """
        while True:
            new = self._generation(machines)
            try:
                self._next = self._proposed.send([self._value(point) for point in new])
            except StopIteration:
                return
            self._check()

    def _check(self) -> None:
        for point in self._next:
            assemble.check_builder(point.experiment, self.ground.builder)

    def _generation(self, machines: Machines) -> list[Point]:
        task = self.ground.task([point.experiment for point in self._next], self.given)
        self._task = task
        new = [_point(point, task) for point in self._next]
        self.points += new
        if same := len(new) - len({point.key for point in new}):
            self.shown.say(f"note: {count(same, 'point')} like another of the sweep, done once")
        plan.write(self.output, Plan(self._about(), task, tuple(self.points)))
        missing = {p.key: p for p in reversed(new) if not self._is_there(p, task)}
        if there := len(new) - sum(point.key in missing for point in new):
            self.shown.say(f"{there:,} of {count(len(new), 'point')} there already")
        if missing:
            self._search(list(missing.values()), task, machines)
        for point in new:
            if point.key not in self.scored:
                first = missing[point.key].number
                self.failed[point.number] = self.failed.get(first, "it was not done")
        return new

    def look_again(self) -> None:
        """Finds points that are there, though nobody has said so: it was stopped."""
        for point in self.points:
            if point.key not in self.scored:
                self._is_there(point, self._task)

    def _search(self, points: list[Point], task: Task, machines: Machines) -> None:
        groups = order.groups(points, machines.at_once)
        by_number = {point.number: point for point in points}
        what = f"searching by {count(len(points), 'system')}"
        with self.shown.bar(what, len(points), "system") as move:
            move(0)
            for outcome in machines.run(self.output, groups):
                self._take(outcome, by_number[outcome.number], task)
                move(1)

    def _take(self, outcome: Outcome, point: Point, task: Task) -> None:
        problem = outcome.problem
        if not problem and not self._is_there(point, task):
            folder = folders.point(self.output, point.key)
            problem = f"{folder}: not there, or not whole; does every machine see this folder?"
        if problem:
            self.failed[point.number] = problem
            with tqdm.external_write_mode(sys.stderr):
                tell(f"point {point.number} ({result.spelled(point)}): {problem}")
        elif time.monotonic() - self._written > OFTEN:
            self.write_table()

    def _is_there(self, point: Point, task: Task) -> bool:
        """Whether a point has all its scores; they are remembered."""
        held = folders.entries(self.output, point.key)
        if held is None or not task.complete(held):
            return False
        self.scored[point.key] = held
        return True

    def _value(self, point: Point) -> float | None:
        """By what TPE learns."""
        if point.key not in self.scored:
            return None
        value = result.value(self.scored[point.key], self.sweep, self.given)
        return value if math.isfinite(value) else None

    def write_table(self) -> None:
        """Writes ``table.csv`` of the points that are there, unless none was looked at."""
        self._written = time.monotonic()
        if not self.points:
            return
        columns = [(m.name, one.name) for one in self.given.judged for m in self.given.measures]
        content = table.content(self.sweep.places, self.points, self.scored, columns)
        folders.write(self.output, table.FILE, content)

    def conclude(self) -> Iterator[str]:
        """Chooses, writes ``result.json``, and gives lines of results.

        Raises:
            InputError: no point has a score.
        """
        found = result.of(self.sweep, self.given, self.points, self.scored)
        content = result.content(found, self.points, self.failed, self._choice())
        folders.write(self.output, result.FILE, content)
        for line in found.warnings:
            tell(f"warning: {line}")
        yield from result.lines(found, self.points)

    def state(self) -> str:
        """``12 of 40 points are there``."""
        there = sum(point.key in self.scored for point in self.points)
        if not self.points:
            return "no point was looked at"
        return f"{there:,} of {count(len(self.points), 'point')} are there"

    def _about(self) -> dict[str, Any]:
        unpublished = {"source": "", "published_as": "", "expected": {}}
        try:
            base = resolved(experiment.load(self.sweep.base).model_copy(update=unpublished))
        except ConfigError:  # by itself it lacks what each point has
            base = None
        same = (point.number for point in self.points if point.config == base)
        return {
            "name": self.sweep.name,
            "file": self.sweep.file.name,
            "base": self.sweep.base.stem,
            "base_point": next(same, None),
            "base_config": base,
            "places": list(self.sweep.places),
            "search": self.sweep.search.model_dump(mode="json"),
            **self._choice(),
        }

    def _choice(self) -> dict[str, Any]:
        """What the sweep says of its choice, with the names that it leaves out."""
        on = self.given.judged[0].name
        choose = self.sweep.choose.model_dump(mode="json") | {"on": on}
        report = self.sweep.report and self.sweep.report.model_dump(mode="json")
        if report:
            report["on"] = list(report["on"]) or [on]
        return {"choose": choose, "report": report}


def _point(point: sweeps.Point, task: Task) -> Point:
    config = resolved(point.experiment)
    return Point(point.number, task.key(point.experiment), dict(point.values), config)
