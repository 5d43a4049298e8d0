"""What a sweep varies: places of its base, and the values that each takes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, model_validator

from pipeline.config.faults import shown, validate
from pipeline.config.routes import Route, route_of, spell
from pipeline.config.yaml_places import Places
from pipeline.errors import Problem, count, meant

WHERE = ("index", "indexes", "stages")
"""What of a config can be varied; the rest says nothing of what is retrieved."""

Row = tuple[Any, ...]
"""One value for each place of an axis."""


class Range(BaseModel):
    """Numbers between two ends."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, use_attribute_docstrings=True, allow_inf_nan=False
    )

    low: FiniteFloat = Field(alias="from")
    """The smallest."""
    high: FiniteFloat = Field(alias="to")
    """The largest."""
    steps: int | None = Field(default=None, ge=2, le=100_000)
    """How many, both ends among them; a search other than by grid may leave it out."""
    log: bool = False
    """Whether each is the one before it times the same, rather than plus the same."""
    whole: bool = False
    """Whether they are whole numbers."""

    @model_validator(mode="after")
    def _has_ends(self) -> Range:
        if self.low >= self.high:
            raise ValueError(f"from {self.low:g} to {self.high:g}: from must be below to")
        if self.log and self.low <= 0:
            raise ValueError(f"log: true needs numbers above 0, from is {self.low:g}")
        if self.whole and not (self.low.is_integer() and self.high.is_integer()):
            raise ValueError("whole: true needs whole ends")
        return self

    def at(self, share: float) -> float:
        """The number that is ``share``, 0 to 1, of the way from one end to the other."""
        low, high = self.low, self.high
        if share in (0, 1):
            return self.neat(high if share else low)
        return self.neat(low * (high / low) ** share if self.log else low + (high - low) * share)

    def neat(self, number: float) -> float:
        """A number of the range as one would write it: whole, or with six digits."""
        if self.whole:
            return round(number)
        if number not in (self.low, self.high):
            number = min(max(float(f"{number:.6g}"), self.low), self.high)
        return int(number) if number.is_integer() else number

    def drawn(self, share: float) -> float:
        """As ``at``, for a ``share`` below 1, and every whole number is as likely as the others."""
        if self.whole and not self.log:
            return int(self.low + share * (self.high - self.low + 1))
        return self.at(share)

    def values(self) -> list[float]:
        """All steps; without steps both ends and one between them, which is hardly whole."""
        if not self.steps:
            return [self.at(0), self.at(0.381966), self.at(1)]
        last = self.steps - 1
        return list(dict.fromkeys(self.at(step / last) for step in range(last + 1)))


class Axis(NamedTuple):
    """Places that are varied together."""

    key: str
    """They as the sweep spells them."""
    routes: tuple[Route, ...]
    rows: tuple[Row, ...]
    """What they take in turn; of an open range both ends and one between, to be looked at."""
    range: Range | None = None
    """What they are taken from where that is a range."""

    @property
    def open(self) -> bool:
        """Whether any number of the range may come."""
        return self.range is not None and self.range.steps is None

    @property
    def size(self) -> int | None:
        """How many rows there are; None: without end."""
        if self.range and self.open:
            return int(self.range.high - self.range.low) + 1 if self.range.whole else None
        return len(self.rows)

    def at(self, row: Row, part: int = 0) -> Route:
        """Where the sweep says what the place of that number takes with ``row``."""
        here: Route = ("over", self.key)
        if self.range:
            ends = {self.range.low: "from", self.range.high: "to"}
            return (*here, ends[row[0]]) if row[0] in ends else here
        number = next((i for i, known in enumerate(self.rows) if known is row), None)
        if number is None:
            return here
        return (*here, number, part) if len(self.routes) > 1 else (*here, number)


def read_axes(places: Places, base: Places, grid: bool, problems: list[Problem]) -> list[Axis]:
    """What ``over:`` of a sweep names, where it can be read.

    Args:
        places: the sweep.
        base: what it varies.
        grid: whether all values are wanted, so that no range may be open.
        problems: what is wrong is added to them.
    """
    over = places.value.get("over")
    if isinstance(over, dict) and over:
        reader = _Reader(places, base, grid, problems)
        axes = [reader.axis(key, given) for key, given in over.items()]
        return [axis for axis in axes if axis]
    what = "a mapping of places to values is needed, as in stages[0].b: [0.2, 0.4]"
    problems.append(places.problem(("over",), what))
    return []


class _Reader:
    """Reads one axis after the other."""

    def __init__(self, places: Places, base: Places, grid: bool, problems: list[Problem]):
        self.places = places
        self.base = base
        self.grid = grid
        self.problems = problems
        self.taken: list[Route] = []

    def axis(self, key: str, given: Any) -> Axis | None:
        before = len(self.problems)
        routes = tuple(self._route(key, spelled.strip()) for spelled in key.split(","))
        if isinstance(given, dict):
            found = self._range(key, given)
            rows: Sequence[Row] = [(value,) for value in found.values()] if found else []
            if found and len(routes) > 1:
                self._add(("over", key), "places that move together take a list of lists")
        else:
            found, rows = None, self._rows(key, given, len(routes))
        return Axis(key, routes, tuple(rows), found) if len(self.problems) == before else None

    def _route(self, key: str, spelled: str) -> Route:
        """The place, if the base has room for it and no other axis has it."""
        try:
            route = route_of(spelled)
            if route[0] not in WHERE:
                known = ", ".join(WHERE)
                what = f"no place {spelled!r}{meant(route[0], WHERE)}; a place begins with {known}"
                raise ValueError(what)
            self.base.put(route, None, self.places, ())
        except (ValueError, LookupError) as error:
            self._add(("over", key), str(error))
            return ()
        for other in self.taken:
            if route == other:
                self._add(("over", key), f"{spelled} is varied twice; keep one of them")
            elif route == other[: len(route)] or other == route[: len(other)]:
                inner, outer = sorted([route, other], key=len, reverse=True)
                what = f"{spell(inner)} is inside {spell(outer)}, which is varied, too"
                self._add(("over", key), f"{what}; keep one of them")
        self.taken.append(route)
        return route

    def _range(self, key: str, given: Any) -> Range | None:
        folder = str(Path(self.places.file).parent)
        here: Route = ("over", key)
        found = validate(Range, given, folder, self.places, here, "a range", self.problems)
        if not isinstance(found, Range):
            return None
        if self.grid and not found.steps:
            what = "a grid needs steps: in a range; search: {by: random, points: 40} does not"
            self._add(here, what)
        return found

    def _rows(self, key: str, given: Any, width: int) -> list[Row]:
        if not isinstance(given, list):
            what = "neither a list ([0.2, 0.4]) nor a range ({from: 0.5, to: 8, steps: 6})"
            self._add(("over", key), f"{shown(given)} is {what}")
            return []
        if not given:
            self._add(("over", key), "at least one value is needed")
        if width == 1:
            return [(value,) for value in given]
        for number, row in enumerate(given):
            if not isinstance(row, list) or len(row) != width:
                what = f"{shown(row)} is not a list of {count(width, 'value')}, one for each place"
                self._add(("over", key, number), what)
        return [tuple(row) for row in given if isinstance(row, list)]

    def _add(self, route: Route, what: str) -> None:
        self.problems.append(self.places.problem(route, what))
