"""``result.json``: which point is chosen, and what it is worth on topics that did not choose it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from pipeline.config.sweep import Sweep
from pipeline.errors import count
from pipeline.experiments.entries import Entry, known
from pipeline.experiments.sweep import choose
from pipeline.experiments.sweep.choose import Estimate
from pipeline.experiments.sweep.given import Given
from pipeline.experiments.sweep.plan import Point
from pipeline.experiments.sweep.table import cell

FILE = "result.json"

BEST = 20
"""Points that are listed; the others are in the table."""


class Honest(NamedTuple):
    """What the chosen point scores where it was not chosen."""

    how: str
    """``held out``, or ``nested``: each topic by the point that the other folds chose."""
    judgements: str
    estimate: Estimate
    folds: tuple[choose.Fold, ...] = ()
    """Nested only."""


class Result(NamedTuple):
    """What came of a sweep, or of the points of it that are there."""

    measure: str
    judgements: str
    scores: pd.DataFrame
    """A row a point, by number; a column each topic that chooses."""
    chosen: Point
    in_sample: Estimate
    honest: tuple[Honest, ...]
    warnings: tuple[str, ...]


def of(
    sweep: Sweep, given: Given, points: Sequence[Point], scores: Mapping[str, Sequence[Entry]]
) -> Result:
    """Chooses among the points that have scores.

    Raises:
        InputError: none of them has one by the measure that chooses.
    """
    by, on = given.measures[0].name, given.judged[0]
    there = [point for point in points if point.key in scores]
    topics = sweep.choose.topics.of(on.topics)
    frame = _frame(there, scores, by, on.name, topics)
    number, in_sample = choose.choose(frame)
    chosen = next(point for point in there if point.number == number)
    warnings = [choose.caution(by, on.name, _entry(scores[chosen.key], by, on.name).judged)]
    honest: list[Honest] = []
    if sweep.report:
        for one in given.judged:
            if one.name in (sweep.report.on or [on.name]):
                told = sweep.report.topics.of(one.topics)
                per_topic = _per_topic(scores[chosen.key], by, one.name)
                row = {topic: per_topic[topic] for topic in told if topic in per_topic}
                honest.append(Honest("held out", one.name, choose.estimate(row)))
                if both := set(topics) & set(told):
                    warnings.append(
                        f"{count(len(both), 'topic')} of {one.name} chose the point, too: what it "
                        "scores there is not held out"
                    )
    elif len(topics) > 1:
        found = choose.nested(frame, sweep.choose.folds, sweep.choose.seed)
        honest.append(Honest("nested", on.name, found.honest, found.folds))
        if sweep.search.by == "tpe":
            warnings.append(
                "tpe proposed the points by scores on all topics, so the honest score is a little "
                "too good; only topics that report: names are wholly apart"
            )
    else:
        warnings.append("there is one topic only: it cannot be left out, so no score is honest")
    said = tuple(filter(None, warnings))
    return Result(by, on.name, frame, chosen, in_sample, tuple(honest), said)


def content(
    result: Result, points: Sequence[Point], failed: Mapping[int, str], about: Mapping[str, Any]
) -> bytes:
    """What ``result.json`` holds.

    Args:
        result: what came of the points.
        points: all of them.
        failed: those that did not come to an end, by number, and why.
        about: what the sweep says of its choice.
    """
    keys = {point.number: point.key for point in points}
    chosen, scored = result.chosen, {"judgements": result.judgements, "measure": result.measure}
    whole = {
        "points": len(points),
        "finished": len(result.scores),
        "failed": [
            {"point": number, "key": keys[number], "why": why} for number, why in failed.items()
        ],
        **about,
        "chosen": {"point": chosen.number, "key": chosen.key, "values": chosen.values},
        "in_sample": scored | _plain(result.in_sample),
        "honest": [
            {"how": one.how, **scored, "judgements": one.judgements, **_plain(one.estimate)}
            | ({"folds": [_fold(fold) for fold in one.folds]} if one.folds else {})
            for one in result.honest
        ],
        "comparisons": len(result.scores),
        "warnings": list(result.warnings),
    }
    return (json.dumps(whole, ensure_ascii=False, indent=1) + "\n").encode()


def lines(result: Result, points: Sequence[Point]) -> list[str]:
    """The points, the best first, and the chosen one, for a reader."""
    by_number = {point.number: point for point in points}
    means = result.scores.mean(axis=1).round(choose.TIE).sort_values(ascending=False, kind="stable")
    best = [by_number[int(number)] for number in means.index]
    topics = count(result.scores.shape[1], "topic")
    shown = [f"{result.measure} on {result.judgements}, {topics}:"]
    width = len(str(max(by_number)))
    varied = _varied(points)
    for point, mean in zip(best[:BEST], means, strict=False):
        shown.append(f"  {mean:.4f}  point {point.number:>{width}}  {spelled(point, varied)}")
    if len(means) > BEST:
        shown.append(f"  and {count(len(means) - BEST, 'point')} more, see table.csv")
    shown.append(f"chosen: point {result.chosen.number}, the best of {len(means):,} compared")
    shown.append(f"  in sample  {_said(result.in_sample)}  on the topics that chose it")
    for one in result.honest:
        folds = count(len(one.folds), "fold")
        how = f"nested cross-validation, {folds}" if one.folds else "on topics held out"
        on = "" if one.judgements == result.judgements else f", {one.judgements}"
        shown.append(f"  honest     {_said(one.estimate)}  {how}{on}")
    return shown


def spelled(point: Point, places: Sequence[str] = ()) -> str:
    """``stages[0].b 0.2, stages[0].k1 3.2``; of these places alone, if any are given."""
    named = places or [*point.values]
    return ", ".join(f"{place} {cell(point.values[place])}" for place in named)


def _varied(points: Sequence[Point]) -> list[str]:
    """The places that have not the same value in all points."""
    first = points[0].values
    return [place for place in first if any(one.values[place] != first[place] for one in points)]


def value(entries: Sequence[Entry], sweep: Sweep, given: Given) -> float:
    """What a point scores by the measure that chooses, on the topics that choose; or NaN."""
    by, on = given.measures[0].name, given.judged[0]
    held = _per_topic(entries, by, on.name)
    values = [held[topic] for topic in sweep.choose.topics.of(on.topics) if topic in held]
    return sum(values) / len(values) if values else math.nan


def _frame(
    points: Sequence[Point],
    scores: Mapping[str, Sequence[Entry]],
    measure: str,
    judgements: str,
    topics: Sequence[str],
) -> pd.DataFrame:
    """A row a point, a column a topic; NaN where the measure has no value."""
    rows = {point.number: _per_topic(scores[point.key], measure, judgements) for point in points}
    return pd.DataFrame.from_dict(rows, orient="index", dtype=float).reindex(columns=list(topics))


def _per_topic(entries: Sequence[Entry], measure: str, judgements: str) -> Mapping[str, float]:
    return _entry(entries, measure, judgements).per_topic


def _entry(entries: Sequence[Entry], measure: str, judgements: str) -> Entry:
    wanted = (measure, judgements)
    return next(one for one in entries if (one.measure, one.judgements) == wanted)


def _plain(estimate: Estimate) -> dict[str, Any]:
    return {
        "mean": known(estimate.score),
        "interval": [known(end) for end in estimate.interval],
        "per_topic": {topic: known(value) for topic, value in estimate.per_topic.items()},
    }


def _fold(fold: choose.Fold) -> dict[str, Any]:
    return {"topics": list(fold.topics), "point": fold.point, "mean": known(fold.outer)}


def _said(estimate: Estimate) -> str:
    low, high = estimate.interval
    return f"{estimate.score:.4f} [{low:.4f}, {high:.4f}]"
