"""Pictures of a sweep: a heat map for two axes, a line or dots for one, and which can be chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from pipeline.experiments.report.axes import Space
from pipeline.experiments.report.heats import Heat, heat
from pipeline.experiments.report.lines import Line, line
from pipeline.experiments.report.model import Column

CELLS = 6000
"""Cells of heat maps that a page may have of one sweep."""

COLUMNS = 4
"""Columns of the leaderboard that are drawn, at most."""


@dataclass(frozen=True)
class Figure:
    """A picture and what has to be chosen for it to be seen."""

    column: Column
    axes: tuple[int, ...]
    """Places of the axes it is drawn on."""
    rest: tuple[tuple[int, int], ...]
    """Each other axis, and the place of its value."""
    picture: Heat | Line
    fixed: str
    """The others in words: ``k1 = 3.2``."""
    shown: bool
    """Whether it is seen before anything is chosen, and in print."""


@dataclass(frozen=True)
class Plots:
    """The pictures of a sweep."""

    space: Space
    columns: Sequence[Column]
    pairs: Sequence[tuple[tuple[int, ...], str]]
    """Axes that can be seen together, and what they are called; the first are seen first."""
    sliced: bool
    """Whether axes that a heat map does not show can be moved."""
    heats: Sequence[Figure]
    lines: Sequence[Figure]


def plots(space: Space, columns: Sequence[Column]) -> Plots:
    """The pictures of a sweep: of pairs of axes and of each axis alone, by each column.

    Of several axes the two with the most values are seen first. The others stand at the chosen
    point; where that does not make a page too large, at every other value, too.
    """
    columns = list(columns)[:COLUMNS]
    axes = range(len(space.axes))
    by_size = sorted(axes, key=lambda axis: -len(space.axes[axis].values))
    first = tuple(sorted(by_size[:2]))
    pairs = sorted(combinations(axes, 2), key=lambda pair: pair != first) if space.is_grid else []
    sliced = len(pairs) > 1 and len(pairs) * len(space.points) * len(columns) <= CELLS
    heats = [
        figure
        for column in columns
        for pair in pairs
        for figure in _heats(space, column, pair, sliced, (column, pair) == (columns[0], first))
    ]
    lines = [
        Figure(column, (axis,), (), line(space, column, axis), _words(space, axis), at == 0)
        for at, column in enumerate(columns)
        for axis in by_size
    ]
    named = [(pair, " and ".join(space.axes[axis].label for axis in pair)) for pair in pairs]
    return Plots(space, columns, named, sliced, heats, lines)


def _heats(
    space: Space, column: Column, pair: tuple[int, ...], sliced: bool, first: bool
) -> Iterator[Figure]:
    """A pair of axes with the others at the chosen point, and where ``sliced`` at every value."""
    centre = space.centre
    assert centre is not None, "a sweep has a finished point"
    others = [axis for axis in range(len(space.axes)) if axis not in pair]
    values = [range(len(space.axes[axis].values)) if sliced else [centre[axis]] for axis in others]
    for rest in product(*values):
        fixed = dict(zip(others, rest, strict=True))
        shown = first and all(centre[axis] == value for axis, value in fixed.items())
        words = ", ".join(
            f"{space.axes[axis].label} = {space.axes[axis].spelled(value)}"
            for axis, value in fixed.items()
        )
        picture = heat(space, column, pair, fixed)
        yield Figure(column, pair, tuple(fixed.items()), picture, words, shown)


def _words(space: Space, but: int) -> str:
    """Where all axes but one stand at the chosen point."""
    centre = space.centre or ()
    return ", ".join(
        f"{axis.label} = {axis.spelled(centre[at])}"
        for at, axis in enumerate(space.axes)
        if at != but
    )
