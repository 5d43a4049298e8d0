"""What is wanted of this program on a collection of full size, and whether it is so."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from measure import Used

T = TypeVar("T")


@dataclass(frozen=True)
class Wanted(Generic[T]):
    """A number that should not be passed."""

    what: str
    rows: tuple[str, ...]
    """The rows that it is computed from."""
    value: Callable[[Mapping[str, T]], float]
    most: float
    shapes: tuple[str, ...] = ("lean", "full")
    """Whether it holds for 387,740 arguments without the page that each comes from, or with it."""


INDEX: tuple[Wanted[Used], ...] = (
    Wanted("fast, CPU s", ("fast",), lambda rows: rows["fast"].cpu, 28, ("full",)),
    Wanted("fast, CPU s", ("fast",), lambda rows: rows["fast"].cpu, 20, ("lean",)),
    Wanted("arrays, CPU s", ("arrays",), lambda rows: rows["arrays"].cpu, 16, ("lean",)),
    Wanted(
        "fast against plain PyTerrier, share of its CPU s",
        ("fast", "pyterrier"), lambda rows: rows["fast"].cpu / rows["pyterrier"].cpu, 1 / 6,
    ),
    Wanted(
        "arrays against tantivy, share of its CPU s",
        ("arrays", "tantivy"), lambda rows: rows["arrays"].cpu / rows["tantivy"].cpu, 1 / 3,
    ),
    Wanted(
        "arrays without C, CPU s",
        ("arrays-numpy",), lambda rows: rows["arrays-numpy"].cpu, 60, ("lean",),
    ),
    Wanted("arrays, wall s", ("arrays",), lambda rows: rows["arrays"].wall, 12, ("lean",)),
    Wanted("a further analyzer, CPU s", ("further",), lambda rows: rows["further"].cpu, 6),
    Wanted("fast, MB anonymous", ("fast",), lambda rows: rows["fast"].anonymous, 500),
)  # fmt: skip

SEARCH: tuple[Wanted[float], ...] = (
    Wanted("50 x 1000 by bm25, CPU s", ("arrays bm25",), lambda rows: rows["arrays bm25"], 0.05),
    Wanted("100 settings, CPU s", ("arrays sweep",), lambda rows: rows["arrays sweep"], 3),
)

SWEEP: tuple[Wanted[Used], ...] = (
    Wanted("100 points, CPU s", ("sweep",), lambda rows: rows["sweep"].cpu, 10),
)


def verdicts(wanted: Sequence[Wanted[T]], size: int, rows: Mapping[str, T]) -> list[str]:
    """A line for all that is wanted of so many bytes, where these rows can tell."""
    judged = [
        (one, one.value(rows))
        for one in wanted
        if _shape(size) in one.shapes and all(name in rows for name in one.rows)
    ]
    return [
        f"{'met    ' if value <= one.most else 'NOT MET'} {one.what}: {value:.3g}, "
        f"wanted {one.most:.3g} at most"
        for one, value in judged
    ]


def _shape(size: int) -> str:
    """Which of the two shapes of the whole args.me corpus has so many bytes; else nothing."""
    known = {"lean": range(8 * 10**8, 2 * 10**9), "full": range(7 * 10**9, 10**10)}
    return next((name for name, sizes in known.items() if size in sizes), "")
