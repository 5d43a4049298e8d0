"""The scores of a sweep by two axes, as a table whose cells are coloured."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.experiments.report.axes import Axis, Space
from pipeline.experiments.report.model import NONE, Column, System, number

WIDE = 12
"""Columns of cells that have room for all digits."""


@dataclass(frozen=True)
class HeatCell:
    """A point, or none where it is not finished."""

    system: System | None = None
    text: str = NONE
    share: float = 0.0
    """Between the worst and the best of the sweep, 0 to 1."""
    said: str = ""
    chosen: bool = False

    @property
    def strong(self) -> bool:
        """Whether its colour is so strong that the text on it has to be another."""
        return self.share > 0.55


@dataclass(frozen=True)
class Heat:
    """Two axes; the others stand still."""

    x: Axis
    y: Axis
    rows: Sequence[Sequence[HeatCell]]
    """From the smallest value of ``y``."""
    low: str
    high: str

    @property
    def small(self) -> bool:
        """Whether there are so many columns that the cells have to be small."""
        return len(self.x.values) > WIDE

    def label(self, axis: Axis, place: int) -> str:
        """A value of an axis, to three digits where cells are small."""
        numbers = axis.numbers
        return f"{numbers[place]:.3g}" if self.small and numbers else axis.spelled(place)


def _means(space: Space, column: Column) -> list[float]:
    return [m for one in space.points.values() if not math.isinf(m := one.mean(column))]


def heat(space: Space, column: Column, pair: tuple[int, ...], rest: Mapping[int, int]) -> Heat:
    """Two axes, of which the one with more values goes to the right.

    Args:
        space: the sweep.
        column: whose scores.
        pair: the axes.
        rest: of each other axis the place of its value.
    """
    x, y = sorted(pair, key=lambda axis: (-len(space.axes[axis].values), axis))
    means = _means(space, column) or [0.0]
    low, high = min(means), max(means)

    small = len(space.axes[x].values) > WIDE

    def text(mean: float) -> str:
        return number(mean, 2).removeprefix("0") if small else number(mean)

    def cell(at_x: int, at_y: int) -> HeatCell:
        fixed = {**rest, x: at_x, y: at_y}
        position = tuple(fixed[axis] for axis in range(len(space.axes)))
        system = space.points.get(position)
        if system is None or math.isinf(mean := system.mean(column)):
            return HeatCell(said="no score")
        share = (mean - low) / (high - low) if high > low else 0.5
        return HeatCell(system, text(mean), share, system.said(column), position == space.chosen)

    rows = [
        [cell(at_x, at_y) for at_x in range(len(space.axes[x].values))]
        for at_y in range(len(space.axes[y].values))
    ]
    return Heat(space.axes[x], space.axes[y], rows, number(low), number(high))
