"""An experiment as plain values that say everything: what records keep and machines hand on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel

from pipeline.analysis.wordlists import WordList
from pipeline.config.experiment import Experiment
from pipeline.config.reference import anywhere
from pipeline.stages.base import Fusion, Stage


def resolved(experiment: Experiment) -> dict[str, Any]:
    """The experiment as a config that states every parameter.

    Made of what JSON has, in an order of its own, so that equal experiments give the same text.
    ``experiment.read(Places.of(...))`` makes an equal one of it in any folder: words from a file
    are written out, beside the file's name.
    """
    plain: dict[str, Any] = {"name": experiment.name}
    said = {"source": experiment.source, "published_as": experiment.published_as}
    plain |= {name: text for name, text in said.items() if text}
    if experiment.indexes:
        plain["indexes"] = {name: _values(each) for name, each in experiment.indexes.items()}
    else:
        plain["index"] = _values(experiment.index)
    plain["stages"] = _stages(experiment.stages)
    if experiment.expected:
        plain["expected"] = _plain(experiment.expected)
    return plain


def _stages(stages: Iterable[Stage]) -> list[dict[str, Any]]:
    return [_stage(stage) for stage in stages]


def _stage(stage: Stage) -> dict[str, Any]:
    plain: dict[str, Any] = {stage.verb: stage.name} | _values(stage)
    if isinstance(stage, Fusion):
        plain["branches"] = [
            {"weight": branch.weight, "stages": _stages(branch.stages)} for branch in stage.branches
        ]
    return plain


def _values(model: BaseModel) -> dict[str, Any]:
    return {
        name: _plain(value)
        for name, value in model
        if name != "branches" and not (name == "index" and value == "")
    }


def _plain(value: Any) -> Any:
    if isinstance(value, WordList):
        return anywhere(value)
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value
