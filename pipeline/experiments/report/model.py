"""What a report is about: systems, what they score, and the sweeps they come from."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pipeline.collection.topics import Topic
from pipeline.experiments.entries import Entry

if TYPE_CHECKING:
    from pipeline.evaluation.judgements import Judgements
    from pipeline.evaluation.significance import Interval


NONE = "\u2013"
"""A dash, where there is no number."""


class Column(NamedTuple):
    """What a column of the leaderboard shows."""

    judgements: str
    measure: str


@dataclass(frozen=True)
class Made:
    """How a run was made, as far as its ``ir-metadata.yml`` says so; empty where it does not."""

    tag: str = ""
    collection: str = ""
    machine: str = ""
    toolkit: str = ""
    started: str = ""
    """Day and time, ``2026-11-22 02:18 UTC``."""
    memory: str = ""
    parts: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Seconds and processor seconds of each part of the run, in the order in which they ran."""


@dataclass(frozen=True)
class System:
    """A run, or a point of a sweep."""

    name: str
    """No other of the page has it."""
    run: Path
    """Its run file."""
    made: Made = Made()
    entries: Mapping[Column, Entry] = field(default_factory=dict)
    sweep: str = ""
    """The sweep of which it is a point; "" for a run."""
    number: int = 0
    """Of the point."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """Swept place to value; only places that have more than one."""

    @cached_property
    def intervals(self) -> Mapping[Column, Interval]:
        """Of the mean of each column."""
        return {column: entry.interval for column, entry in self.entries.items()}

    @property
    def label(self) -> str:
        """The name, and the values of a point: ``#17 (b 0.2, k1 3.2)``."""
        names = short_names(list(self.values))
        values = ", ".join(f"{names[place]} {spelled(v)}" for place, v in self.values.items())
        return f"{self.name} ({values})" if values else self.name

    def said(self, column: Column) -> str:
        """The point, its score by a column with the interval, and its values."""
        low, high = self.intervals[column]
        interval = "" if math.isnan(low) else f" ({number(low)} to {number(high)})"
        names = short_names(list(self.values))
        values = ", ".join(f"{names[place]} = {spelled(v)}" for place, v in self.values.items())
        return f"{self.name}: {number(self.mean(column))}{interval}; {values}"

    def mean(self, column: Column | None) -> float:
        """What it scores; -inf where it has no score."""
        entry = self.entries.get(column) if column else None
        return entry.mean if entry and entry.mean == entry.mean else float("-inf")


@dataclass(frozen=True)
class Estimate:
    """What the chosen point scores, on the topics that chose it or on others."""

    how: str
    """``in-sample``, ``nested`` or ``held out``."""
    column: Column
    mean: float
    low: float
    high: float
    topics: int
    folds: int = 0


@dataclass(frozen=True)
class Sweep:
    """A sweep and what came of it."""

    name: str
    folder: Path
    base: str
    search: str
    """``grid``, ``random`` or ``tpe``."""
    places: Sequence[str]
    """Those that have more than one value."""
    points: int
    """How many there are to be."""
    by: Column | None = None
    """What the point was chosen by."""
    chosen: str = ""
    """Name of the system."""
    like_base: str = ""
    """Name of the system that has the base's own values; "" where none has."""
    estimates: Sequence[Estimate] = ()
    """First the one in-sample."""
    warnings: Sequence[str] = ()


@dataclass(frozen=True)
class Report:
    """All that a page is made of."""

    title: str
    systems: Sequence[System]
    """Best first."""
    columns: Sequence[Column]
    """The first is the main one."""
    baseline: str
    """Name of the system that the others are held against; "" for none."""
    topics: Sequence[Topic]
    judgements: Sequence[Judgements] = ()
    sweeps: Sequence[Sweep] = ()
    notes: list[str] = field(default_factory=list)
    """What a reader has to know: what is missing, what was assumed."""

    @property
    def main(self) -> Column | None:
        """The column that decides the order."""
        return self.columns[0] if self.columns else None

    @property
    def chosen(self) -> frozenset[str]:
        """Names of the points that sweeps chose."""
        return frozenset(sweep.chosen for sweep in self.sweeps if sweep.chosen)

    @property
    def against(self) -> str:
        """The baseline as one reads it."""
        return self.system(self.baseline).label if self.baseline else ""

    def system(self, name: str) -> System:
        """The system of that name."""
        return next(system for system in self.systems if system.name == name)

    def shown(self, most: int) -> list[System]:
        """The systems looked at closely, best first: the chosen, the baseline, then the best."""
        wanted = [*self.chosen, self.baseline, *(system.name for system in self.systems)]
        names = set(list(dict.fromkeys(name for name in wanted if name))[:most])
        return [system for system in self.systems if system.name in names]


def short_names(places: Sequence[str]) -> dict[str, str]:
    """Each place by its last word, ``stages[0].b`` as ``b``, where no other place ends so."""
    lasts = [place.rpartition(".")[2] for place in places]
    return {
        place: last if lasts.count(last) == 1 else place
        for place, last in zip(places, lasts, strict=True)
    }


def spelled(value: object) -> str:
    """A swept value as one reads it: texts plain, a stage as ``sentiment, weight 0.1``."""
    if isinstance(value, Mapping):
        (_, first), *rest = value.items() or [("", "")]
        return ", ".join([spelled(first), *(f"{key} {spelled(one)}" for key, one in rest)])
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def number(value: float, digits: int = 3) -> str:
    """``0.720``; a dash for none, and a true minus sign."""
    if value != value or value in (float("inf"), float("-inf")):
        return NONE
    return f"{value:.{digits}f}".replace("-", "\u2212")
