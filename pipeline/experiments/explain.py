"""``explain``: what a config will run, with every effective parameter and where it came from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import BaseModel

from pipeline.config.experiment import Experiment
from pipeline.config.reference import summary, written
from pipeline.stages.base import Branch, Fusion, Stage


def explain(experiment: Experiment) -> Iterator[str]:
    """A YAML config that spells the experiment out; it loads to the same experiment.

    A value that the config does not state is marked as the default.
    """
    yield f"name: {experiment.name}"
    if experiment.source:
        yield f"source: {written(experiment.source)}"
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
