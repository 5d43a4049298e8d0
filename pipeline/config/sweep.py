"""What a sweep file may say: a base, what varies of it, and how the best point is chosen."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from pipeline.config import blame, catalogue, experiment, points
from pipeline.config.axes import Axis, Row, read_axes
from pipeline.config.experiment import Experiment, Tag, is_sweep, named_by
from pipeline.config.faults import validate
from pipeline.config.plan import MOST, Choose, Report, Search
from pipeline.config.resolved import resolved
from pipeline.config.routes import Route, spell
from pipeline.config.yaml_places import Places
from pipeline.errors import ConfigError, InputError, Problem, count


class Point(NamedTuple):
    """One system of a sweep."""

    number: int
    """From 1 on."""
    values: Mapping[str, Any]
    """What each place takes, as the sweep writes it."""
    experiment: Experiment
    """Named as the base, and without what is published of the base."""


def _by(search: object) -> object:
    return {"by": search} if isinstance(search, str) else search


class _File(BaseModel):
    """A sweep file; ``over`` is read apart."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    name: Tag
    """Name of the sweep: letters, digits, - and _; the file's name if left out."""
    base: str
    """The config that is varied: a file beside the sweep, or the bare name of a shipped one."""
    over: Any
    """Places, and the values that each takes."""
    search: Annotated[Search, BeforeValidator(_by)] = Search()
    """Which points are looked at: grid, or {by: random, points: 40}, or {by: tpe, points: 40}."""
    depth: Annotated[int, Field(ge=1, le=1000)] | None = None
    """Documents a topic that are kept and measured; none: as many as the measures look at."""
    choose: Choose = Choose()
    """By what the best point is chosen."""
    report: Report | None = None
    """On what the chosen point is judged; none: nested cross-validation over the topics."""


@dataclass(frozen=True, eq=False)
class Sweep:
    """A sweep that was looked at and found right."""

    name: str
    search: Search
    depth: int | None
    choose: Choose
    report: Report | None
    axes: tuple[Axis, ...]
    _file: Places
    _base: Places

    @property
    def file(self) -> Path:
        """Where it stands."""
        return Path(self._file.file)

    @property
    def base(self) -> Path:
        """The file of its base."""
        return Path(self._base.file)

    @property
    def places(self) -> tuple[str, ...]:
        """Every place that is varied, in the order of the file."""
        return tuple(spell(route) for axis in self.axes for route in axis.routes)

    @property
    def size(self) -> int | None:
        """How many points there are, whether looked at or not; None: without end."""
        sizes = [axis.size for axis in self.axes]
        return None if None in sizes else prod(size for size in sizes if size)

    @property
    def wanted(self) -> int:
        """How many points are looked at."""
        sizes = [self.size, self.search.points]
        return min(size for size in sizes if size is not None)

    def points(self) -> Iterator[Point]:
        """Every point of the grid; the last place moves fastest."""
        for number, rows in enumerate(points.grid(self.axes), 1):
            yield self.point(number, rows)

    def point(self, number: int, rows: Sequence[Row]) -> Point:
        """The point where each axis takes one row of values.

        Raises:
            ConfigError: these values do not go together.
        """
        system = experiment.read(points.combined(self._base, self._file, self.axes, rows))
        unpublished = {"source": "", "published_as": "", "expected": {}}
        values = dict(zip(self.places, (value for row in rows for value in row), strict=True))
        return Point(number, values, system.model_copy(update=unpublished))

    def equal(self) -> dict[int, int]:
        """Points of the grid that are the same system as an earlier one: their numbers."""
        first: dict[str, int] = {}
        found: dict[int, int] = {}
        for point in self.points():
            text = json.dumps(resolved(point.experiment))
            if (before := first.setdefault(text, point.number)) != point.number:
                found[point.number] = before
        return found

    def problem(self, route: Route, what: str) -> Problem:
        """``what`` is wrong at a place of the sweep file, as in ``("choose", "by")``."""
        return self._file.problem(route, what)


def load(file: Path) -> Sweep:
    """The sweep that a YAML file describes, every point of it looked at.

    Of a search other than by grid, and of a range without steps, those are looked at that
    ``points.samples`` gives.

    Raises:
        ConfigError: with every problem of the file, of its base, and of the points, each at its
            line.
        InputError: the file cannot be read.
    """
    return read(Places(file))


def read(places: Places) -> Sweep:
    """As ``load``, from a file already parsed."""
    if not is_sweep(places):
        what = "is no sweep: it has no base: and no over:"
        raise ConfigError([places.problem((), f"{Path(places.file).name} {what}")])
    problems: list[Problem] = []
    plain = {"name": named_by(places.file)} | places.value
    folder = str(Path(places.file).parent)
    frame = validate(_File, plain, folder, places, (), "a sweep", problems)
    frame = frame if isinstance(frame, _File) else None
    if frame:
        problems += _not_apart(frame, places)
    if (base := _base(places, problems)) is None:
        raise ConfigError(problems)  # nothing can be said of places
    grid = frame.search.by == "grid" if frame else places.value.get("search", "grid") == "grid"
    axes = read_axes(places, base, grid, problems)
    if grid and (size := points.size(axes)) > MOST:
        what = f"{count(size, 'point')}, at most {MOST:,} are possible; give fewer values, or "
        problems.append(places.problem(("over",), what + "search: {by: random, points: 100}"))
    else:
        wanted = points.grid(axes) if grid else points.samples(axes)
        problems += blame.problems(base, places, axes, wanted)
    if problems or frame is None:
        raise ConfigError(problems)
    said = (frame.name, frame.search, frame.depth, frame.choose, frame.report)
    return Sweep(*said, tuple(axes), places, base)


def _base(places: Places, problems: list[Problem]) -> Places | None:
    """The config that is varied; None if it cannot be read."""
    given = places.value.get("base")
    if not isinstance(given, str):
        return None
    try:
        base = Places(catalogue.find(given, Path(places.file).parent))
    except ConfigError as error:
        problems += error.problems
        return None
    except InputError as error:
        problems.append(places.problem(("base",), error.lines[0]))
        return None
    if not is_sweep(base):
        return base
    problems.append(places.problem(("base",), f"{given} is a sweep itself, a config is needed"))
    return None


def _not_apart(frame: _File, places: Places) -> list[Problem]:
    """What is wrong with a report on topics that have chosen."""
    choose, report = frame.choose, frame.report
    same = report and (choose.on in report.on or not report.on)
    if not report or not same or not choose.topics.meet(report.topics):
        return []
    what = "the same judgements choose; name other topics in each of them, or leave report: out"
    return [places.problem(("report",), f"{what} for nested cross-validation")]
