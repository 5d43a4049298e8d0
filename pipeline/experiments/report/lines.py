"""The scores of a sweep along one axis: a line where its values are numbers, else dots."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipeline.experiments.report.axes import Axis, Position, Space
from pipeline.experiments.report.model import Column, System, number

WIDTH, HEIGHT = 420, 250
LEFT, RIGHT, TOP, BOTTOM = 40, 14, 18, 34
"""The frame of a line's picture, and what is outside its axes."""


MANY = 12
"""Values of an axis that may all stand under it."""

CLOSE = 30
"""Between dots whose values would cover each other."""


@dataclass(frozen=True)
class Dot:
    """A point of a line, in the units of the picture."""

    x: float
    y: float
    low: float
    high: float
    text: str
    said: str
    chosen: bool
    below: bool = False
    """Whether its value stands below it, since the one before has the room above."""


@dataclass(frozen=True)
class Line:
    """One axis; the others stand still, or, where ``joined`` is not set, vary."""

    x: Axis
    dots: Sequence[Dot]
    joined: bool
    x_ticks: Sequence[tuple[float, str]]
    y_ticks: Sequence[tuple[float, str]]
    valued: bool
    """Whether there is room for the value at each dot."""

    @property
    def path(self) -> str:
        """Through the dots."""
        return "M" + "L".join(f"{dot.x} {dot.y}" for dot in self.dots)

    @property
    def band(self) -> str:
        """Around the intervals."""
        upper = [f"{dot.x} {dot.high}" for dot in self.dots]
        lower = [f"{dot.x} {dot.low}" for dot in reversed(self.dots)]
        return "M" + "L".join(upper + lower) + "Z"


def line(space: Space, column: Column, at: int) -> Line:
    """Along an axis through the chosen point; of points that are no grid, all of them."""
    axis = space.axes[at]
    drawn = _drawn(space, column, at)
    joined = space.is_grid or len(space.axes) == 1
    ends = [system.mean(column) for _, system in drawn]
    if joined:
        ends += [end for _, one in drawn for end in one.intervals[column] if end == end]
    ticks = _ticks(min(ends, default=0.0), max(ends, default=1.0))
    places = [_across(share) for share in axis.shares()]

    def dot(position: Position, system: System) -> Dot:
        mean = system.mean(column)
        low, high = (mean if math.isnan(e) else e for e in system.intervals[column])
        return Dot(
            places[position[at]],
            _height(mean, ticks),
            _height(low, ticks),
            _height(high, ticks),
            number(mean),
            system.said(column),
            position == space.chosen,
        )

    return Line(
        axis,
        _spread([dot(position, system) for position, system in drawn]),
        joined and axis.numbers is not None,
        _labels(axis, places),
        [(_height(tick, ticks), f"{tick:.10g}") for tick in ticks],
        len(drawn) <= MANY and joined,
    )


def _drawn(space: Space, column: Column, at: int) -> list[tuple[Position, System]]:
    """The points that are drawn, from left to right."""
    centre = space.centre or ()
    others = [one for one in range(len(space.axes)) if one != at]
    drawn = [
        (position, system)
        for position, system in sorted(space.points.items(), key=lambda one: one[0])
        if not math.isinf(system.mean(column))
        and (not space.is_grid or all(position[one] == centre[one] for one in others))
    ]
    return sorted(drawn, key=lambda one: one[0][at])


def _height(value: float, ticks: Sequence[float]) -> float:
    share = (value - ticks[0]) / (ticks[-1] - ticks[0])
    return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)


def _across(share: float) -> float:
    """With some room at both ends."""
    return round(LEFT + (WIDTH - LEFT - RIGHT) * (0.04 + 0.92 * share), 1)


def _spread(dots: Sequence[Dot]) -> list[Dot]:
    """The same, with values below and above in turn where dots stand close to each other."""
    spread: list[Dot] = []
    for dot in dots:
        close = spread and dot.x - spread[-1].x < CLOSE and abs(dot.y - spread[-1].y) < CLOSE
        spread.append(replace(dot, below=bool(close) and not spread[-1].below))
    return spread


def _labels(axis: Axis, places: Sequence[float]) -> list[tuple[float, str]]:
    """What stands under an axis: its values, as many as have room, or round numbers between."""
    if len(places) > MANY and (numbers := axis.numbers):
        return _round(axis, numbers, places)
    kept: list[tuple[float, str]] = []
    end = -math.inf
    for place in sorted(range(len(places)), key=lambda one: places[one]):
        text = axis.spelled(place)
        text = text if len(text) <= 16 else text[:15] + "…"
        half = len(text) * 2.8 + 3
        if places[place] - half >= end:
            kept.append((places[place], text))
            end = places[place] + half
    return kept


def _round(
    axis: Axis, numbers: Sequence[float], places: Sequence[float]
) -> list[tuple[float, str]]:
    """Round numbers between the ends, where they would stand among the values."""
    low, high = min(numbers), max(numbers)
    steps = _ticks(low, high)
    if axis.logarithmic:
        tens = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        steps = [factor * 10.0**ten for ten in tens for factor in (1, 2, 5)]
    scale = math.log if axis.logarithmic else float
    start, length = scale(low), scale(high) - scale(low)
    first, width = min(places), max(places) - min(places)
    return [
        (round(first + width * (scale(step) - start) / length, 1), f"{step:.10g}")
        for step in steps
        if low <= step <= high
    ]


def _ticks(low: float, high: float) -> list[float]:
    """Three to seven round values around both."""
    span = max(high - low, 0.01)
    step = 10 ** math.floor(math.log10(span / 3))
    step *= next(factor for factor in (1, 2, 5, 10) if span / (step * factor) <= 5)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(step * tick, 10) for tick in range(first, max(last, first + 1) + 1)]
