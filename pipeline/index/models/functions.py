"""The mathematics of the formulas, over a number or an array of them.

Terrier takes a logarithm to the base of 2 as a natural one times a constant; so do these, and
agree with it to the last bit or the one before.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[np.float64]
    X = TypeVar("X", float, npt.NDArray[np.float64])

LOG_E = 1.0 / math.log(2.0)
"""The logarithm of e to the base of 2."""

_LANCZOS = (
    0.99999999999980993,
    676.5203681218851,
    -1259.1392167224028,
    771.32342877765313,
    -176.61502916214059,
    12.507343278686905,
    -0.13857109526572012,
    9.9843695780195716e-6,
    1.5056327351493116e-7,
)
"""Lanczos' series for g = 7 (SIAM Numerical Analysis 1964), to the 15 digits it is known by."""


def log(x: X) -> X:
    """The logarithm to the base of 2."""
    return ln(x) * LOG_E


def ln(x: X) -> X:
    """The natural logarithm; of 0 minus infinity, below that no number."""
    if isinstance(x, float):
        return math.log(x) if x > 0 else -math.inf if x == 0 else math.nan
    import numpy as np

    return np.log(x)


def exp(x: float) -> float:
    """The exponential of a number."""
    return math.exp(x)


def sqrt(x: Array) -> Array:
    """The square root."""
    import numpy as np

    return np.sqrt(x)


def where(condition: Any, x: Array | float, y: Array | float) -> Array:
    """``x`` where the condition holds, ``y`` elsewhere."""
    import numpy as np

    return np.where(condition, x, y)


def ln_gamma(x: Array) -> Array:
    """The natural logarithm of the gamma function, by Lanczos' series as Terrier adds it up."""
    import numpy as np

    small = x < 0.5
    if not small.any():
        return _lanczos(x)
    above = _lanczos(np.where(small, 1 - x, x))
    sine = np.where(small, np.sin(math.pi * x), 1.0)
    return np.where(small, math.log(math.pi) - np.log(sine) - above, above)


def _lanczos(x: Array) -> Array:
    x = x - 1
    total = _LANCZOS[0] + 0 * x
    for place, coefficient in enumerate(_LANCZOS[1:], start=1):
        total = total + coefficient / (x + place)
    t = x + 7.0 + 0.5
    return math.log(math.sqrt(2 * math.pi)) + (x + 0.5) * ln(t) - t + ln(total)
