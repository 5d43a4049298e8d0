"""What is wrong with the points of a sweep, each at the value that causes it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pipeline.config import experiment
from pipeline.config.axes import Axis, Row
from pipeline.config.faults import shown
from pipeline.config.points import Rows, combined
from pipeline.config.routes import spell
from pipeline.config.yaml_places import Places
from pipeline.errors import ConfigError, Problem

NOT_WHOLE = "is not a whole number"
Fault = tuple[str, str]
"""Where in the config, and what."""
Blamed = dict[int, list[tuple[Row, Problem]]]
"""By the number of the axis: values of it, and what to say of each."""


def problems(
    base: Places, sweep: Places, axes: Sequence[Axis], points: Iterable[tuple[Row, ...]]
) -> list[Problem]:
    """What is wrong with any of the points.

    What stands in the base, and is wrong without the sweep, is placed in the base. All else is
    placed in the sweep: at the value where it stands; or at the value without which it would be
    right; or, where every value of a place would do it, once, at the place.
    """
    search = _Search(base, sweep, axes)
    for rows in points:
        if wrong := search.add(rows):
            search.add([None if i in wrong else row for i, row in enumerate(rows)])
    return list(search.placed())


def found(places: Places) -> list[Problem]:
    """All that is wrong with a config."""
    try:
        experiment.read(places)
    except ConfigError as error:
        return error.problems
    return []


class _Search:
    """Gathers faults, and the values that cause them."""

    def __init__(self, base: Places, sweep: Places, axes: Sequence[Axis]):
        self.base = base
        self.sweep = sweep
        self.axes = axes
        self.alone = {_fault(problem): problem for problem in found(base)}
        self.own: dict[Fault, Problem] = {}
        self.standing: dict[Fault, Blamed] = defaultdict(lambda: defaultdict(list))
        """Faults at a place that is varied."""
        self.caused: dict[Fault, Blamed] = defaultdict(lambda: defaultdict(list))
        """Faults elsewhere."""

    def add(self, rows: Rows) -> set[int]:
        """Files what is wrong with the point of these values; gives the axes where it stands."""
        before = found(combined(self.base, self.sweep, self.axes, rows))
        return {number for problem in before if (number := self._file(rows, problem)) is not None}

    def _file(self, rows: Rows, problem: Problem) -> int | None:
        """Files a problem; gives the axis where it stands, None if it stands elsewhere."""
        fault = _fault(problem)
        if problem.file == self.sweep.file:
            number = next(i for i, axis in enumerate(self.axes) if _holds(axis, problem.where))
            span = self.axes[number].range
            if span and not span.whole and NOT_WHOLE in problem.what:
                what = "whole numbers are needed; say whole: true in the range"
                at = self.sweep.problem(("over", self.axes[number].key), what)
                fault, problem = (problem.where, what), replace(at, where=problem.where)
            _note(self.standing[fault][number], rows[number], problem)
            return number
        if fault in self.alone:
            self.own[fault] = problem
        elif not any(
            rows[number] == row for number, known in self.caused[fault].items() for row, _ in known
        ):
            number = self._cause(rows, fault)
            axis, row = self.axes[number], rows[number]
            value = ", ".join(map(shown, row or ()))
            what = f"with {value}: {problem.where}: {problem.what}"
            at = self.sweep.problem(axis.at(row or ()), what)
            _note(self.caused[fault][number], row, replace(at, where=axis.key))
        return None

    def _cause(self, rows: Rows, fault: Fault) -> int:
        """The axis without which the fault is gone; the last if none alone is the cause."""
        given = [number for number, row in enumerate(rows) if row is not None]
        for number in given:
            others = [None if i == number else row for i, row in enumerate(rows)]
            left = found(combined(self.base, self.sweep, self.axes, others))
            if fault not in map(_fault, left):
                return number
        return given[-1]

    def placed(self) -> Iterator[Problem]:
        """Every fault as a problem of a line."""
        yield from self.own.values()
        for (where, what), blamed in self.standing.items():
            for axis, problems in self._blamed(blamed):
                whole = self.sweep.problem(("over", axis.key), what)
                yield from problems or [replace(whole, where=where)]
        for (where, what), blamed in self.caused.items():
            for axis, problems in self._blamed(blamed):
                whole = self.sweep.problem(("over", axis.key), f"{where}: {what}")
                yield from problems or [replace(whole, where=axis.key)]

    def _blamed(self, blamed: Blamed) -> Iterator[tuple[Axis, list[Problem]]]:
        """What to say of the values of each axis; nothing where it is the same of every value."""
        for number, values in blamed.items():
            axis = self.axes[number]
            every = 1 < len(axis.rows) == len(values)
            yield axis, [] if every else [problem for _, problem in values]


def _fault(problem: Problem) -> Fault:
    return (problem.where, problem.what)


def _note(blamed: list[tuple[Row, Problem]], row: Row | None, problem: Problem) -> None:
    if row is not None and not any(known is row for known, _ in blamed):
        blamed.append((row, problem))


def _holds(axis: Axis, where: str) -> bool:
    return any(_related(spell(route), where) for route in axis.routes)


def _related(place: str, where: str) -> bool:
    """Whether one is the other or inside it."""
    outer, inner = sorted((place, where), key=len)
    return inner.startswith(outer) and inner[len(outer) :][:1] in ("", ".", "[")
