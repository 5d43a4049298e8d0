"""The leaderboard: scores with their intervals, judged shares, and what is significant."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline.evaluation.significance import Comparison, compare
from pipeline.experiments.entries import Entry, cells
from pipeline.experiments.report.model import (
    Column,
    Report,
    System,
    number,
    short_names,
    spelled,
)
from pipeline.experiments.report.times import Times, times
from pipeline.experiments.report.whiskers import Whisker, around, whisker

FIRST = 15
"""Rows that are shown before the rest is asked for, where there are many more."""


@dataclass(frozen=True)
class Cell:
    """A score."""

    value: float
    text: str
    interval: str
    whisker: Whisker | None
    mark: int
    """1: significantly better than the baseline, -1: worse, 0: neither."""
    said: str
    """The comparison in words."""


@dataclass(frozen=True)
class Row:
    """A system."""

    place: int
    system: System
    values: Sequence[str]
    cells: Sequence[Cell | None]
    judged: Sequence[float]
    chosen: bool
    baseline: bool
    times: Times

    @property
    def megabytes(self) -> str:
        """The memory that the run took, as far as its record says."""
        found = re.search(r"[\d,.]+", self.system.made.memory)
        return found[0] if found else ""


@dataclass(frozen=True)
class Group:
    """The columns of one set of judgements."""

    judgements: str
    columns: Sequence[Column]
    scales: Sequence[tuple[float, float]]
    judged: Sequence[str]
    """``Judged@5``, for each cutoff of the columns."""


@dataclass(frozen=True)
class Board:
    """All of it."""

    places: Sequence[tuple[str, str]]
    """Swept places: as they are headed, and in full."""
    groups: Sequence[Group]
    rows: Sequence[Row]
    comparisons: int
    tested: Mapping[tuple[str, Column], Comparison]

    @property
    def timed(self) -> bool:
        """Whether the records say what anything took."""
        return any(row.times.seconds for row in self.rows)

    @property
    def is_wide(self) -> bool:
        """Whether a sheet of paper has to be turned for it."""
        return len(self.places) + sum(len(g.columns) + len(g.judged) for g in self.groups) > 6

    @property
    def is_dense(self) -> bool:
        """Whether there is no room for a whisker beside its number."""
        return len(self.places) + 2 * sum(len(group.columns) for group in self.groups) > 8

    def cells(self, row: Row) -> Iterator[tuple[str, Cell | float | None]]:
        """What stands in a row, group by group: scores, then judged shares."""
        scores, judged = iter(row.cells), iter(row.judged)
        for group in self.groups:
            yield from (("score", next(scores)) for _ in group.columns)
            yield from (("judged", next(judged)) for _ in group.judged)


def entries(report: Report) -> list[Entry]:
    """All scores, the baseline's first."""
    systems = sorted(report.systems, key=lambda system: system.name != report.baseline)
    return [
        system.entries[column]
        for system in systems
        for column in report.columns
        if column in system.entries
    ]


def tests(report: Report) -> list[Comparison]:
    """Every system against the baseline, by every column."""
    return compare(cells(entries(report))) if report.baseline else []


def board(report: Report, made: Sequence[Comparison]) -> Board:
    """The leaderboard of a report, with what ``tests`` found."""
    tested = {(one.run, Column(one.judgements, one.measure)): one for one in made}
    groups = list(_groups(report))
    columns = [column for group in groups for column in group.columns]
    scales = {
        column: scale
        for group in groups
        for column, scale in zip(group.columns, group.scales, strict=True)
    }
    swept = list(dict.fromkeys(place for one in report.systems for place in one.values))
    zeros = {}
    if report.baseline:
        zeros = {c: e.mean for c, e in report.system(report.baseline).entries.items()}
    rows = [
        Row(
            place,
            system,
            [spelled(system.values[name]) if name in system.values else "" for name in swept],
            [
                _cell(system, column, scales[column], zeros.get(column), tested)
                for column in columns
            ],
            [_judged(system, group.judgements, name) for group in groups for name in group.judged],
            system.name in report.chosen,
            system.name == report.baseline,
            times(system),
        )
        for place, system in enumerate(report.systems, 1)
    ]
    names = short_names(swept)
    return Board([(names[place], place) for place in swept], groups, rows, len(made), tested)


def _groups(report: Report) -> Iterable[Group]:
    there: dict[str, list[Column]] = {}
    for column in report.columns:
        if not column.measure.startswith("Judged@"):
            there.setdefault(column.judgements, []).append(column)
    for judgements, columns in there.items():
        judged = dict.fromkeys(f"Judged@{cutoff(column.measure)}" for column in columns)
        yield Group(judgements, columns, [scale(report, c) for c in columns], list(judged))


def cutoff(measure: str) -> int:
    """The k of a measure, 10 where it has none."""
    k = measure.rpartition("@")[2]
    return int(k) if k.isdigit() else 10


def scale(report: Report, column: Column) -> tuple[float, float]:
    """The ends of a scale, whole twentieths, on which all intervals of a column lie."""
    ends = [
        end
        for system in report.systems
        if (entry := system.entries.get(column))
        for end in (*system.intervals[column], entry.mean)
        if not math.isnan(end)
    ]
    return around(ends)


def _cell(
    system: System,
    column: Column,
    scale: tuple[float, float],
    zero: float | None,
    tested: Mapping[tuple[str, Column], Comparison],
) -> Cell | None:
    entry = system.entries.get(column)
    if entry is None:
        return None
    low, high = system.intervals[column]
    drawn = None if math.isnan(entry.mean) else whisker(entry.mean, low, high, scale, zero)
    comparison = tested.get((system.name, column))
    return Cell(
        entry.mean,
        number(entry.mean),
        "" if math.isnan(low) else f"{number(low)} to {number(high)}",
        drawn,
        comparison.mark() if comparison else 0,
        said(comparison) if comparison else "",
    )


def said(one: Comparison) -> str:
    """``+0.021 against bm25 on 50 topics, p = .012 (t), .034 after Holm``."""
    sign = "+" if one.difference > 0 else ""
    return (
        f"{sign}{number(one.difference)} against {one.baseline} on {one.topics} topics, "
        f"paired t test {chance(one.t)}, {chance(one.t_holm)} after Holm"
    )


def chance(p: float) -> str:
    """``p = .012``, ``p < .001``."""
    return "p < .001" if p < 0.001 else f"p = {p:.3f}".replace("0.", ".")


def _judged(system: System, judgements: str, name: str) -> float:
    """The share of judged documents down to a cutoff; NaN where it is not known."""
    found = [
        entry.judged
        for column, entry in system.entries.items()
        if column.judgements == judgements and f"Judged@{cutoff(column.measure)}" == name
    ]
    return found[0] if found else math.nan
