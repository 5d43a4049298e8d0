"""The swept places of a sweep as axes: places that move together are one."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, pstdev
from typing import Any, TypeAlias

from pipeline.experiments.report.model import Sweep, System, short_names, spelled

Position: TypeAlias = tuple[int, ...]
"""Of a point: on each axis the place of its value."""

SPREAD = 4
"""How many times the smallest value the largest is at least, on a logarithmic axis."""


@dataclass(frozen=True)
class Axis:
    """One or several places that move together, and their values in order."""

    label: str
    values: Sequence[tuple[Any, ...]]
    """A value for each of the places."""

    @property
    def numbers(self) -> list[float] | None:
        """The values, where all of them are numbers of one place."""
        firsts = [value[0] for value in self.values]
        plain = all(isinstance(v, int | float) and not isinstance(v, bool) for v in firsts)
        return [float(v) for v in firsts] if plain and len(self.values[0]) == 1 else None

    @property
    def logarithmic(self) -> bool:
        """Whether it is drawn so: its values lie more evenly by their ratios."""
        numbers = sorted(set(self.numbers or []))
        if len(numbers) < 3 or numbers[0] <= 0 or numbers[-1] < SPREAD * numbers[0]:
            return False
        return _unevenness([math.log(one) for one in numbers]) < _unevenness(numbers)

    def spelled(self, place: int) -> str:
        """The value at a place, as one reads it."""
        return ", ".join(spelled(one) for one in self.values[place])

    def shares(self) -> list[float]:
        """Where each value stands between the ends, 0 to 1; evenly where they are no numbers."""
        numbers = self.numbers
        if numbers is None or len(set(numbers)) < 2:
            last = max(len(self.values) - 1, 1)
            return [place / last for place in range(len(self.values))]
        scaled = [math.log(one) for one in numbers] if self.logarithmic else numbers
        low, high = min(scaled), max(scaled)
        return [(one - low) / (high - low) for one in scaled]


@dataclass(frozen=True)
class Space:
    """The points of a sweep by where they stand on its axes."""

    axes: Sequence[Axis]
    points: Mapping[Position, System]
    chosen: Position | None

    @property
    def centre(self) -> Position | None:
        """The chosen point; where none was chosen, the best one."""
        return self.chosen or next(iter(self.points), None)

    @property
    def is_grid(self) -> bool:
        """Whether the axes have few values, each in several points, so that cells fill."""
        cells = math.prod(len(axis.values) for axis in self.axes)
        return cells <= 2 * len(self.points)


def _unevenness(ascending: Sequence[float]) -> float:
    """Standard deviation of the steps over their mean."""
    steps = [after - before for before, after in pairwise(ascending)]
    return pstdev(steps) / fmean(steps)


def space(sweep: Sweep, systems: Sequence[System]) -> Space:
    """The axes of a sweep, those that have more than one value, and its points on them.

    Args:
        sweep: says which places are swept.
        systems: its points, best first.
    """
    in_order = sorted(systems, key=lambda system: system.number)
    alone = [[place] for place in sweep.places]
    groups = _together(sweep.places, in_order) if sweep.search == "grid" else alone
    names = short_names(list(sweep.places))
    axes, columns = [], []
    for group in groups:
        rows = [tuple(one.values.get(place) for place in group) for one in systems]
        ordered = _ordered([tuple(one.values.get(place) for place in group) for one in in_order])
        if len(ordered) < 2:
            continue
        places = {_key(value): number for number, value in enumerate(ordered)}
        axes.append(Axis(", ".join(names[place] for place in group), ordered))
        columns.append([places[_key(row)] for row in rows])
    positions = list(zip(*columns, strict=True)) if columns else []
    points: dict[Position, System] = {}
    for position, system in zip(positions, systems, strict=bool(columns)):
        points.setdefault(position, system)
    chosen = next((at for at, one in points.items() if one.name == sweep.chosen), None)
    return Space(axes, points, chosen)


def _together(places: Sequence[str], systems: Sequence[System]) -> list[list[str]]:
    """Places in groups, so that within one each value goes with one value of the others."""
    groups: list[list[str]] = []
    for place in places:
        for group in groups:
            ours = {_key(one.values.get(place)) for one in systems}
            theirs = {_key(one.values.get(group[0])) for one in systems}
            both = {
                (_key(one.values.get(place)), _key(one.values.get(group[0]))) for one in systems
            }
            if len(ours) == len(theirs) == len(both) > 1:
                group.append(place)
                break
        else:
            groups.append([place])
    return groups


def _ordered(values: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Each value once; single numbers by size, anything else as it came."""
    once = list({_key(value): value for value in values}.values())
    single = all(
        len(v) == 1 and isinstance(v[0], int | float) and not isinstance(v[0], bool) for v in once
    )
    return sorted(once) if single else once


def _key(value: object) -> str:
    return json.dumps(value, sort_keys=True, default=str)
