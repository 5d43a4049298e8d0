"""The head of the page: what was compared, on what, when and where; what a sweep chose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.errors import count, some
from pipeline.experiments.report.model import (
    Column,
    Estimate,
    Report,
    Sweep,
    number,
    short_names,
    spelled,
)
from pipeline.experiments.report.whiskers import Whisker, around, whisker

SHOWN = 6
"""Names of systems in the head; the rest are counted."""


@dataclass(frozen=True)
class Choice:
    """What a sweep chose, and what to think of its score."""

    sweep: Sweep
    heading: str
    values: Sequence[tuple[str, str]]
    estimates: Sequence[tuple[Estimate, Whisker, str, str]]
    """Each with its picture, its name and a line about it."""
    sentence: str


def sentence(report: Report) -> str:
    """What the page is about, in one sentence."""
    of_sweeps = [
        f"{count(sum(one.sweep == s.name for one in report.systems), 'point')} of {s.name}"
        for s in report.sweeps
    ]
    runs = sum(not system.sweep for system in report.systems)
    what = " and ".join([*of_sweeps, *([count(runs, "system")] if runs else [])])
    where = _once(system.made.collection for system in report.systems)
    on = f" on {count(len(report.topics), 'topic')}" + (f" of {where[0]}" if where else "")
    against = f", held against {report.against}" if report.baseline else ""
    return f"{what}{on}{against}."


def facts(report: Report) -> list[tuple[str, list[str]]]:
    """Names and values, those that are known."""
    made = [system.made for system in report.systems]
    qids = [topic.number for topic in report.topics]
    judged = [
        f"{one.name}: {count(len(one.grades), 'document')} of {count(len(one.topics), 'topic')}"
        for one in report.judgements
    ]
    names = [system.name for system in report.systems]
    compared = [f"{s.name}: {_search(s)}" for s in report.sweeps]
    if any(not system.sweep for system in report.systems):
        compared.append(some(names, SHOWN))
    measures = dict.fromkeys(column.measure.replace("_", " ") for column in report.columns)
    when = sorted(one.started for one in made if one.started)
    found = [
        ("Compared", compared),
        ("Collection", _once(one.collection for one in made)),
        ("Topics", [f"{len(qids)}: {_range(qids)}"] if qids else []),
        ("Judgements", judged or ["none"]),
        ("Measures", [", ".join(measures)] if measures else []),
        ("When", list(dict.fromkeys([when[0], when[-1]])) if when else []),
        ("Machine", _once(one.machine for one in made)),
        ("Searched by", _once(one.toolkit for one in made)),
    ]
    return [(name, values) for name, values in found if values]


def _once(values: Iterator[str]) -> list[str]:
    return [value for value in dict.fromkeys(values) if value]


def _search(sweep: Sweep) -> str:
    names = short_names(list(sweep.places))
    places = ", ".join(names[place] for place in sweep.places)
    return f"{sweep.search} over {places}, {count(sweep.points, 'point')} on {sweep.base}"


def _range(qids: Sequence[str]) -> str:
    """``1 to 50`` where they are numbers, else the first ones."""
    if all(qid.isdigit() for qid in qids):
        numbers = sorted(map(int, qids))
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(qids[:SHOWN]) + (" …" if len(qids) > SHOWN else "")


def choices(report: Report) -> list[Choice]:
    """What each sweep chose."""
    return [_choice(report, sweep) for sweep in report.sweeps if sweep.by]


def _choice(report: Report, sweep: Sweep) -> Choice:
    if not sweep.chosen:
        there = sum(system.sweep == sweep.name for system in report.systems)
        unfinished = f"{sweep.name}: {there} of {count(sweep.points, 'point')} finished"
        wait = "Nothing is chosen before every point is there; call sweep again to run the rest."
        return Choice(sweep, unfinished, [], [], wait)
    names = short_names(list(sweep.places))
    system = report.system(sweep.chosen)
    values = [(names[place], spelled(system.values[place])) for place in sweep.places]
    known = [one for one in sweep.estimates if one.mean == one.mean]
    ends = [end for one in known for end in (one.low, one.high, one.mean) if end == end]
    scale = around(ends)
    drawn = [
        (one, whisker(one.mean, one.low, one.high, scale), *_labels(one)) for one in sweep.estimates
    ]
    heading = f"{sweep.name} chose {sweep.chosen.removeprefix(sweep.name + ' ')}"
    return Choice(sweep, heading, values, drawn, _meaning(sweep))


def _labels(one: Estimate) -> tuple[str, str]:
    name, on = _by(one.column), count(one.topics, "topic")
    if one.how == "in-sample":
        return "In-sample", f"{name}: the {on} that it was chosen on"
    if one.how == "nested":
        folds = count(one.folds, "fold")
        return "Nested cross-validation", f"{name}: {on} in {folds}, each by a choice without it"
    return "Held out", f"{name}: {on} on which nothing was chosen"


def _by(column: Column) -> str:
    return f"{column.measure.replace('_', ' ')}, {column.judgements}"


def _meaning(sweep: Sweep) -> str:
    """What the scores side by side mean."""
    points = count(sweep.points, "point")
    flatters = f"It is the best of {points} on the topics that chose it, which flatters it."
    nested = next((one for one in sweep.estimates if one.how == "nested"), None)
    first = next((one for one in sweep.estimates if one.how == "in-sample"), None)
    if nested and first and nested.mean == nested.mean:
        lost = first.mean - nested.mean
        less = "as much" if round(lost, 3) <= 0 else f"{number(lost)} less"
        return (
            f"{flatters} Chosen anew without each fold of the topics and scored on that fold, the "
            f"way of choosing gets {less}: this is the score to expect on new topics."
        )
    if any(one.how not in ("in-sample", "nested") for one in sweep.estimates):
        return (
            f"{flatters} The held-out figure is of topics or judgements that had no say in the "
            "choice: this is the one to report."
        )
    return f"{flatters} Nothing was held out, so there is no honest score yet."
