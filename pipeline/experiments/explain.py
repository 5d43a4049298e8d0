"""``explain``: what a config will run, with every effective parameter and where it came from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import BaseModel

from pipeline.config import catalogue, experiment, sweep
from pipeline.config.experiment import Experiment
from pipeline.config.reference import summary, written
from pipeline.config.sweep import Point, Sweep
from pipeline.config.yaml_places import Places
from pipeline.errors import count
from pipeline.experiments.sweep.search import generations
from pipeline.stages.base import Branch, Fusion, Stage


def explain_config(config: str) -> Iterator[str]:
    """What a config or a sweep will run.

    Args:
        config: a file, or the bare name of a shipped config or sweep.

    Raises:
        InputError: with all that is wrong with it.
    """
    places = Places(catalogue.find(config))
    if experiment.is_sweep(places):
        return explain_sweep(sweep.read(places))
    return explain(experiment.read(places))


def explain_sweep(given: Sweep) -> Iterator[str]:
    """How a sweep searches and chooses, and its points; of TPE, what it may propose."""
    choose, report, search = given.choose, given.report, given.search
    yield f"name: {given.name}"
    yield f"base: {given.base}"
    yield f"search: {search.by}, {count(given.wanted, 'point')}"
    yield f"choose: {choose.by}, {_on((choose.on,), choose.topics)}"
    if report:
        yield f"report: {_on(report.on or (choose.on,), report.topics)}"
    else:
        yield f"report: nested cross-validation, {count(choose.folds, 'fold')} of the topics"
    yield f"depth: {given.depth or 'as deep as the measures look'}"
    if search.by == "tpe":
        yield ""
        for axis in given.axes:
            values = [", ".join(map(written, row)) for row in axis.rows]
            span = [f"{values[0]} to {values[-1]}"] if axis.open else values
            yield f"{axis.key}: {' | '.join(span)}"
        return
    points = next(generations(given))
    indexes = {
        (settings.engine, settings.key())
        for point in points
        for settings in point.experiment.all_indexes().values()
    }
    yield f"indexes: {len(indexes)}"
    yield ""
    yield from _table(given, points)


def _on(judgements: Sequence[str], topics: str) -> str:
    named = ", ".join(name or "the judgements that are given" for name in judgements)
    return f"on {named}, {f'topics {topics}' if topics else 'all topics'}"


def _table(given: Sweep, points: Sequence[Point]) -> Iterator[str]:
    """A line a point, below the names of the places."""
    same = given.equal() if given.search.by == "grid" else {}
    lines = [["point", *given.places]]
    lines += [
        [str(point.number), *map(written, point.values.values()), _same(same.get(point.number))]
        for point in points
    ]
    wide = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for line in lines:
        cells = [cell.ljust(width) for cell, width in zip(line, wide, strict=False)]
        yield "  ".join([*cells, *line[len(wide) :]]).rstrip()


def _same(other: int | None) -> str:
    return f"the same system as point {other}" if other else ""


def explain(experiment: Experiment) -> Iterator[str]:
    """A YAML config that spells the experiment out; it loads to the same experiment.

    A value that the config does not state is marked as the default.
    """
    yield f"name: {experiment.name}"
    if experiment.source:
        yield f"source: {written(experiment.source)}"
    if experiment.published_as:
        yield f"published_as: {written(experiment.published_as)}"
    if experiment.indexes:
        yield "indexes:"
        for name, settings in experiment.indexes.items():
            yield f"  {name}:"
            yield from _values(settings, "    ")
    else:
        yield "index:"
        yield from _values(experiment.index, "  ")
    yield "stages:"
    yield from _stages(experiment.stages, "  ")
    if experiment.expected:
        yield "expected:"
        for judgements, measures in experiment.expected.items():
            yield f"  {written(judgements)}: {written(measures)}"


def _stages(stages: Sequence[Stage], indent: str) -> Iterator[str]:
    for stage in stages:
        yield f"{indent}- {stage.verb}: {stage.name}  # {summary(type(stage))}"
        yield from _values(stage, f"{indent}  ")
        if isinstance(stage, Fusion):
            yield f"{indent}  branches:"
            yield from _branches(stage.branches, f"{indent}    ")


def _branches(branches: Sequence[Branch], indent: str) -> Iterator[str]:
    for branch in branches:
        yield f"{indent}- weight: {written(branch.weight)}"
        if branch.stages:
            yield f"{indent}  stages:"
            yield from _stages(branch.stages, f"{indent}    ")


def _values(model: BaseModel, indent: str) -> Iterator[str]:
    for name in type(model).model_fields:
        value = getattr(model, name)
        if name == "branches" or (name == "index" and value == ""):
            continue
        note = "" if name in model.model_fields_set else "  # default"
        yield f"{indent}{name}: {written(value)}{note}"
