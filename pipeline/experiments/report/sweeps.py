"""The output of a sweep, read."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from pipeline.collection.topics import Topic
from pipeline.config import catalogue, experiment
from pipeline.config.resolved import resolved
from pipeline.errors import InputError
from pipeline.experiments.entries import Entry
from pipeline.experiments.report.model import Column, Estimate, Sweep, System
from pipeline.experiments.report.sources import made
from pipeline.experiments.sweep.folders import POINTS, SCORES
from pipeline.experiments.sweep.plan import FILE as SWEEP
from pipeline.experiments.sweep.result import FILE as RESULT
from pipeline.runs.output import RUN


class Output(NamedTuple):
    """A sweep, its finished points, and where what they are made of stands."""

    sweep: Sweep
    systems: list[System]
    """In the order of the grid."""
    topics: list[Topic]
    collection: Path
    """The input folder."""
    indexes: Path
    judgements: dict[str, Path]
    """Files by the names of the judgements."""
    columns: list[Column]
    """What was chosen by, first; then what is reported, then the rest."""


def read(folder: Path, *, alone: bool) -> Output:
    """Reads a sweep.

    Args:
        folder: what ``sweep`` wrote.
        alone: whether the page is about this one; else its name stands before those of its points.

    Raises:
        InputError: it is not what ``sweep`` writes, or no point of it is finished.
    """
    about = _json(folder / SWEEP)
    result = _json(folder / RESULT) if (folder / RESULT).is_file() else {}
    try:
        name = str(about["name"])
        varied = _varied(about)
        systems = list(_systems(folder, about, varied, "" if alone else f"{name} "))
        topics = [
            Topic(*(str(one.get(part, "")) for part in ("number", "title", "description")))
            for one in about.get("topics", [])
        ]
        judgements = {one["name"]: Path(one["file"]) for one in about["judgements"]}
        by = _by(about)
        chosen = (result.get("chosen") or {}).get("point")
        sweep = Sweep(
            name=name,
            folder=folder,
            base=str(about.get("base", "")),
            search=str((about.get("search") or {}).get("by", "grid")),
            places=varied,
            points=len(about["points"]),
            by=by,
            chosen=next((one.name for one in systems if one.number == chosen), ""),
            like_base=_like_base(about, systems),
            estimates=list(_estimates(result)),
            warnings=[str(line) for line in result.get("warnings", [])],
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        what = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise InputError(f"{folder / SWEEP}: not what sweep writes: {what}") from None
    if not systems:
        raise InputError(
            f"{folder}: no point of the sweep is finished; call sweep again to run them"
        )
    columns = _columns(systems, by, [estimate.column for estimate in sweep.estimates])
    return Output(
        sweep,
        systems,
        topics,
        Path(about.get("input", "")),
        Path(about.get("indexes") or folder / "indexes"),
        judgements,
        columns,
    )


def _varied(about: Mapping[str, Any]) -> list[str]:
    """The swept places that have more than one value."""
    return [
        place
        for place in about["places"]
        if len({msgspec.json.encode(point["values"].get(place)) for point in about["points"]}) > 1
    ]


def _systems(
    folder: Path, about: Mapping[str, Any], varied: list[str], before: str
) -> Iterator[System]:
    """The points that are finished."""
    for point in about["points"]:
        place = folder / POINTS / point["key"]
        if not (place / RUN).is_file():
            continue
        name = f"{before}#{point['number']}"
        scores = _json(place / SCORES) if (place / SCORES).is_file() else []
        entries = [Entry.read({**one, "run": name}) for one in scores]
        yield System(
            name=name,
            run=place / RUN,
            made=made(place / RUN),
            entries={Column(one.judgements, one.measure): one for one in entries},
            sweep=str(about["name"]),
            number=int(point["number"]),
            values={place: point["values"][place] for place in varied},
        )


def _like_base(about: Mapping[str, Any], systems: list[System]) -> str:
    """The point that is as the base is; "" where there is none, or the base is not to be had."""
    try:
        base = about.get("base_config") or resolved(
            experiment.load(catalogue.find(str(about["base"])))
        )
    except InputError:
        return ""
    for system in systems:
        if all(_at(base, place) == value for place, value in system.values.items()):
            return system.name
    return ""


def _at(config: Any, place: str) -> Any:
    """What a config has at ``stages[0].b``; None where it has nothing."""
    for step in re.findall(r"[^.\[\]]+", place):
        try:
            config = config[int(step) if isinstance(config, list) else step]
        except (KeyError, IndexError, ValueError, TypeError):
            return None
    return config


def _by(about: Mapping[str, Any]) -> Column | None:
    choose = about.get("choose")
    if not choose:
        return None
    return Column(str(choose["on"] or about["judgements"][0]["name"]), str(choose["by"]))


def _estimates(result: Mapping[str, Any]) -> Iterator[Estimate]:
    given = [("in-sample", result.get("in_sample"))]
    given += [(str(one["how"]), one) for one in result.get("honest") or []]
    for how, one in given:
        if one:
            low, high = (math.nan if end is None else float(end) for end in one["interval"])
            mean = math.nan if one["mean"] is None else float(one["mean"])
            column = Column(str(one["judgements"]), str(one["measure"]))
            topics, folds = len(one.get("per_topic", {})), len(one.get("folds") or [])
            yield Estimate(how, column, mean, low, high, topics, folds)


def _columns(systems: list[System], by: Column | None, reported: list[Column]) -> list[Column]:
    there = dict.fromkeys(column for system in systems for column in system.entries)
    first = [column for column in [by, *reported] if column in there and column is not None]
    return list(dict.fromkeys([*first, *there]))


def _json(file: Path) -> Any:
    try:
        return msgspec.json.decode(file.read_bytes())
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise InputError(f"{file}: not JSON: {error}") from None
