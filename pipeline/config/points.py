"""The points of a sweep as configs, each made of the base; and which there are."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator, Sequence
from math import prod
from pathlib import Path
from typing import Any

from pipeline.analysis import wordlists
from pipeline.config.axes import Axis, Row
from pipeline.config.yaml_places import Places

LOOKED_AT = 2_000
"""Points of a large space that are looked at beforehand, beside every single value."""

Rows = Sequence[Row | None]
"""What each axis takes; None: what the base says."""


def combined(base: Places, sweep: Places, axes: Sequence[Axis], rows: Rows) -> Places:
    """The base with the values of a point; what is wrong with one stands in the sweep."""
    given = ((axis, row) for axis, row in zip(axes, rows, strict=True) if row is not None)
    for axis, row in given:
        for part, (route, value) in enumerate(zip(axis.routes, row, strict=True)):
            moved = _from_folder_of(sweep, base, value)
            base = base.put(route, moved, sweep, axis.at(row, part))
    return base


def grid(axes: Sequence[Axis]) -> Iterator[tuple[Row, ...]]:
    """Every combination of the values listed; the last axis moves fastest."""
    return itertools.product(*(axis.rows for axis in axes))


def size(axes: Sequence[Axis]) -> int:
    """How many combinations ``grid`` has."""
    return prod(len(axis.rows) for axis in axes)


def samples(axes: Sequence[Axis]) -> Iterator[tuple[Row, ...]]:
    """The grid, or of a large one every value, corners, and others drawn by chance."""
    if size(axes) <= LOOKED_AT:
        yield from grid(axes)
        return
    first = [axis.rows[0] for axis in axes]
    for number, axis in enumerate(axes):
        for row in axis.rows:
            yield (*first[:number], row, *first[number + 1 :])
    corners = itertools.product(*((axis.rows[0], axis.rows[-1]) for axis in axes))
    yield from itertools.islice(corners, LOOKED_AT // 2)
    drawn = random.Random(0)
    for _ in range(LOOKED_AT // 2):
        yield tuple(drawn.choice(axis.rows) for axis in axes)


def _from_folder_of(sweep: Places, base: Places, value: Any) -> Any:
    """A value that the base can hold: paths in it count from the folder of the sweep.

    A list of words goes over whole, under the name that the sweep gives it.
    """
    folder, other = (os.path.dirname(places.file) for places in (sweep, base))  # noqa: PTH120
    if isinstance(value, dict):
        return {key: _from_folder_of(sweep, base, inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_from_folder_of(sweep, base, inner) for inner in value]
    if not isinstance(value, str) or not ("/" in value or value.endswith(".txt")):
        return value
    if folder == other:
        return value
    try:
        return {"name": value, "words": list(wordlists.read(Path(folder, value)))}
    except ValueError:
        return os.path.relpath(Path(folder, value), other or ".")
