"""A mean and its interval as a dot with whiskers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 110
"""Of a whisker, in its own units."""


@dataclass(frozen=True)
class Whisker:
    """A mean and its interval on a scale, as lengths from the left end, 0 to ``WIDTH``."""

    at: float
    low: float
    high: float
    zero: float | None = None
    """Where the baseline stands."""


def around(values: Sequence[float]) -> tuple[float, float]:
    """Whole twentieths below and above all values; 0 and 1 for none."""
    if not values:
        return 0.0, 1.0
    low = math.floor(min(values) * 20 + 1e-9) / 20
    high = math.ceil(max(values) * 20 - 1e-9) / 20
    return low, high if high > low else low + 0.05


def whisker(
    mean: float, low: float, high: float, scale: tuple[float, float], zero: float | None = None
) -> Whisker:
    """A mean and its interval on a scale; the mean alone where there is no interval."""

    def at(value: float) -> float:
        share = (value - scale[0]) / (scale[1] - scale[0])
        return round(5 + (WIDTH - 10) * min(max(share, 0), 1), 1)

    low, high = (mean if math.isnan(end) else end for end in (low, high))
    there = zero is not None and not math.isnan(zero)
    return Whisker(at(mean), at(low), at(high), at(zero) if there and zero is not None else None)
