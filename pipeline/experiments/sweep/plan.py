"""``sweep.json``: what is to be done, and all that a process needs that does a part of it."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from pipeline.collection.topics import Topic
from pipeline.config import experiment
from pipeline.config.experiment import Experiment
from pipeline.config.resolved import resolved
from pipeline.config.yaml_places import Places
from pipeline.errors import RunError
from pipeline.experiments import records
from pipeline.experiments.entries import Entry
from pipeline.experiments.sweep import folders
from pipeline.index.builders import Builder, builder_of

FILE = "sweep.json"

FORMAT = 1
"""Raised when points of an earlier form must not be taken for ours."""


class Judged(msgspec.Struct, frozen=True):
    """Judgements, as a file."""

    name: str
    file: str
    """From the root."""
    md5: str


class Task(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """All that points have in common. Folders are named from the root."""

    format: int = FORMAT
    code: str
    """As ``records.code`` has it."""
    input: str
    """Folder of the collection."""
    collection: str
    """Its fingerprint."""
    collection_name: str
    indexes: str
    """Folder of the indexes."""
    builder: Builder | None
    topics_files: tuple[str, ...]
    """Names of the files that the topics stood in."""
    topics: tuple[Topic, ...]
    """Those that are searched."""
    judgements: tuple[Judged, ...]
    measures: tuple[str, ...]
    depth: int
    """Documents kept of each topic."""

    @functools.cached_property
    def hash_of_topics(self) -> str:
        """Equal for the same topics."""
        return records.of_topics(self.topics)

    def complete(self, entries: Iterable[Entry]) -> bool:
        """Whether these are scores by all measures on all judgements."""
        have = {(entry.judgements, entry.md5, entry.measure) for entry in entries}
        wanted = itertools.product(self.judgements, self.measures)
        return all((one.name, one.md5, measure) in have for one, measure in wanted)

    def key(self, system: Experiment) -> str:
        """16 hexadecimal digits of all that the files of a point follow from, scores apart."""
        builders = [builder_of(made, self.builder) for made in system.all_indexes().values()]
        made_of = [self.format, self.code, self.collection, self.hash_of_topics, self.depth]
        return records.of_value([*made_of, builders, resolved(system)])


class Point(msgspec.Struct, frozen=True):
    """One of the systems that are compared."""

    number: int
    """Its place in the grid, from 1."""
    key: str
    """Name of its folder."""
    values: dict[str, Any]
    """Each swept place with its value, as they stand in the sweep file."""
    config: dict[str, Any]
    """The whole config."""

    def experiment(self, file: Path) -> Experiment:
        """The config, read as ``file`` gives it."""
        return experiment.read(Places.of(self.config, str(file)))


class Plan(msgspec.Struct, frozen=True):
    """A sweep, and the points that are known of it so far."""

    about: dict[str, Any]
    """What the sweep file says: its name, places, search, choice."""
    task: Task
    points: tuple[Point, ...]


def write(out: Path, plan: Plan) -> None:
    """Writes a plan to an output folder.

    Raises:
        RunError: it cannot be written.
    """
    whole = {**plan.about, **msgspec.to_builtins(plan.task)}
    whole["points"] = [msgspec.to_builtins(point) for point in plan.points]
    folders.write(out, FILE, msgspec.json.format(msgspec.json.encode(whole), indent=1))


def read(out: Path) -> Plan:
    """The plan in an output folder.

    Raises:
        RunError: there is none that this program can read.
    """
    try:
        content = (out / FILE).read_bytes()
        task = msgspec.json.decode(content, type=Task)
        points = msgspec.json.decode(content, type=_Points).points
    except OSError as error:
        raise RunError(
            f"{out / FILE}: cannot be read: {error.strerror}; every machine needs to see this "
            "folder under the same name"
        ) from None
    except msgspec.MsgspecError as error:
        raise RunError(f"{out / FILE}: not a sweep of this program: {error}") from None
    return Plan({}, task, points)


class _Points(msgspec.Struct, frozen=True):
    points: tuple[Point, ...]
