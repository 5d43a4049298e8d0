"""Which points of a sweep are looked at, and in what order: all, some by chance, or by TPE."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Generator, Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING

from pipeline.config.axes import Axis, Row
from pipeline.config.sweep import Point, Sweep
from pipeline.errors import ConfigError

if TYPE_CHECKING:
    import optuna

Scores = Sequence[float | None]
"""Of the points just given, in their order; None, or not finite: the point failed."""

Rows = tuple[Row, ...]

TRIES = 1_000
"""Proposals of points that were there already, one after the other, after which none is left."""


def generations(sweep: Sweep) -> Generator[list[Point], Scores, None]:
    """The points of a sweep, in lists that follow each other.

    Grid and random give one list. TPE gives lists of ``search.generation`` points, and wants to be
    sent the scores of each (higher is better) to propose the next. What it proposes follows from
    the sweep file and those scores alone: a search that was stopped goes on as it would have, if it
    is begun again and sent what is known. No point comes twice.

    Raises:
        ConfigError: optuna, which TPE is by, is not installed; or values that were drawn do not go
            together.
    """
    size = sweep.size
    if sweep.search.by == "grid" or (size is not None and size <= (sweep.search.points or 0)):
        return _one(sweep, _all(sweep))
    if sweep.search.by == "random":
        return _one(sweep, _drawn(sweep))
    return _proposed(sweep, _study(sweep))


def _one(sweep: Sweep, found: Iterator[Rows]) -> Generator[list[Point], Scores, None]:
    """One list of all."""
    made: list[Point] = []
    problems = []
    for number, rows in enumerate(found, 1):
        try:
            made.append(sweep.point(number, rows))
        except ConfigError as error:
            problems += error.problems
    if problems:
        raise ConfigError(problems)
    yield made


def _all(sweep: Sweep) -> Iterator[Rows]:
    """Every point; the last place moves fastest."""
    whole: list[Sequence[Row]] = [
        [(number,) for number in range(int(axis.range.low), int(axis.range.high) + 1)]
        if axis.range and axis.open
        else axis.rows
        for axis in sweep.axes
    ]
    return itertools.product(*whole)


def _drawn(sweep: Sweep) -> Iterator[Rows]:
    """Points by chance, all different."""
    chance = random.Random(sweep.search.seed)
    seen: set[str] = set()

    def draw(axis: Axis) -> Row:
        share = chance.random()
        if axis.range and axis.open:
            return (axis.range.drawn(share),)
        return axis.rows[int(share * len(axis.rows))]

    for _ in range(sweep.search.points or 0):
        for _ in range(TRIES):
            rows = tuple(map(draw, sweep.axes))
            if _is_new(rows, seen):
                yield rows
                break


def _study(sweep: Sweep) -> optuna.Study:
    try:
        import optuna
    except ModuleNotFoundError:
        what = "tpe needs optuna, which is not installed: ./run.sh setup optuna"
        raise ConfigError([sweep.problem(("search",), what)]) from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    sampler = optuna.samplers.TPESampler(seed=sweep.search.seed)
    return optuna.create_study(direction="maximize", sampler=sampler)


def _proposed(sweep: Sweep, study: optuna.Study) -> Generator[list[Point], Scores, None]:
    """Points by TPE, which has been told all scores of the generations before."""
    from optuna.trial import TrialState

    seen: set[str] = set()
    number, wanted = 0, sweep.search.points or 0
    while number < wanted:
        trials: list[optuna.Trial] = []
        made: list[Point] = []
        for _ in range(TRIES):
            if len(made) == min(sweep.search.generation, wanted - number):
                break
            trial = study.ask()
            rows = tuple(_suggested(trial, axis) for axis in sweep.axes)
            point = _point(sweep, number + len(made) + 1, rows) if _is_new(rows, seen) else None
            if point:
                made.append(point)
                trials.append(trial)
            else:
                study.tell(trial, state=TrialState.FAIL)
        if not made:
            return
        scores = yield made
        for trial, score in zip(trials, scores, strict=True):
            if score is None or not isfinite(score):
                study.tell(trial, state=TrialState.FAIL)
            else:
                study.tell(trial, score)
        number += len(made)


def _suggested(trial: optuna.Trial, axis: Axis) -> Row:
    """What TPE proposes for an axis; it knows the order of a range, and none of a list."""
    span = axis.range
    if not span:
        return axis.rows[trial.suggest_categorical(axis.key, range(len(axis.rows)))]
    if not axis.open:
        return axis.rows[trial.suggest_int(axis.key, 0, len(axis.rows) - 1)]
    if span.whole:
        return (trial.suggest_int(axis.key, int(span.low), int(span.high), log=span.log),)
    return (span.neat(trial.suggest_float(axis.key, span.low, span.high, log=span.log)),)


def _point(sweep: Sweep, number: int, rows: Rows) -> Point | None:
    """The point; None where these values do not go together."""
    try:
        return sweep.point(number, rows)
    except ConfigError:
        return None


def _is_new(rows: Rows, seen: set[str]) -> bool:
    """Whether no point had these values before; from now on, one has."""
    text = json.dumps(rows)
    if text in seen:
        return False
    seen.add(text)
    return True
