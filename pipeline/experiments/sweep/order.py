"""In which order points are done, and which of them together: so that much is in common."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from pipeline.experiments.sweep.plan import Point

EACH = 4
"""Groups for each process that works at the same time, so that none is idle for long."""

LARGEST = 200
"""Points of a group, at most: what a group needs is made ready before its first point is done."""


def groups(points: Sequence[Point], at_once: int) -> list[list[int]]:
    """The numbers of points, in groups for processes.

    Points with the same index, and then the same first stages, follow each other.

    Args:
        points: in any order.
        at_once: processes that work at the same time. One gets as few groups as may be.
    """
    numbers = [point.number for point in _side_by_side(points)]
    wanted = EACH * at_once if at_once > 1 else 1
    size = min(max(-(-len(numbers) // wanted), 1), LARGEST)
    return [numbers[start : start + size] for start in range(0, len(numbers), size)]


def _side_by_side(points: Iterable[Point]) -> list[Point]:
    """By the place of the first point with the same beginning, the longest beginning first."""
    seen: dict[tuple[int, str], int] = {}
    paths: dict[int, list[int]] = {}
    ordered = sorted(points, key=lambda point: point.number)
    for point in ordered:
        path, config = [0], point.config
        for part in (config.get("indexes") or config["index"], *config["stages"]):
            beginning = path[-1], json.dumps(part, sort_keys=True)
            path.append(seen.setdefault(beginning, len(seen) + 1))
        paths[point.number] = path
    return sorted(ordered, key=lambda point: paths[point.number])
