"""What a config may say. ``load`` gives an experiment ready to run, or all that is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

import pipeline.stages  # noqa: F401  (registers them)
from pipeline.config import catalogue
from pipeline.config.faults import shown, validate
from pipeline.config.routes import Route
from pipeline.config.yaml_places import Places
from pipeline.errors import ConfigError, InputError, Problem, meant
from pipeline.index.settings import IndexSettings
from pipeline.stages.base import (
    ANYTHING,
    QUERIES,
    RANKING,
    REGISTRY,
    VERBS,
    Branch,
    Fusion,
    OnIndex,
    Stage,
)

_MISPLACED = {
    QUERIES: "there are only queries here; retrieve first",
    RANKING: "there is a ranking here already; it belongs before retrieve",
}


def _tag(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_-]+", name):
        raise ValueError(
            f"{shown(name)} is no tag: a name has letters (A to Z), digits, - and _ only"
        )
    return name


Tag = Annotated[str, AfterValidator(_tag)]


def named_by(file: str) -> str:
    """The name of what a file describes that does not name it."""
    return re.sub(r"[^A-Za-z0-9_-]", "-", Path(file).stem)


class Experiment(BaseModel):
    """One retrieval system, and what it is known to score."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    name: Tag
    """Name of the system, and run tag: letters, digits, - and _; the file's name if left out."""
    source: str = ""
    """Where the system and its expected scores are published."""
    published_as: str = ""
    """Run tag of the run file that was submitted for it, where that file is public."""
    index: IndexSettings = IndexSettings()
    """How the collection is indexed."""
    indexes: Annotated[dict[str, IndexSettings], Field(default_factory=dict)]
    """Several indexes by name, in place of ``index``; a stage names the one it asks."""
    stages: tuple[Any, ...]
    """The steps, in order, from queries to the final ranking."""
    expected: dict[str, dict[str, float]] = {}
    """Published scores: judgements, then measure, then value."""

    def all_indexes(self) -> Mapping[str, IndexSettings]:
        """The settings of every index by name; the only one of a plain config is named ``""``."""
        return self.indexes or {"": self.index}


def load(file: Path) -> Experiment:
    """The experiment that a YAML file describes.

    Raises:
        ConfigError: with every problem of the file, each at its line.
        InputError: the file cannot be read.
    """
    return read(Places(file))


def load_all(configs: Iterable[str]) -> list[Experiment]:
    """The experiments of configs, each a file or the bare name of a shipped one.

    Raises:
        InputError: with every problem of every config, in the order given.
    """
    experiments: list[Experiment] = []
    problems: list[str] = []
    for config in configs:
        try:
            experiments.append(load(catalogue.find(config)))
        except InputError as error:
            problems += error.lines
    if problems:
        raise InputError(*problems)
    return experiments


def read(places: Places) -> Experiment:
    """As ``load``, from a file already parsed."""
    if is_sweep(places):
        what = f"{Path(places.file).name} is a sweep, not a config; ./run.sh sweep runs it"
        raise ConfigError([places.problem(("base",), what)])
    return _Reader(places).experiment()


def is_sweep(places: Places) -> bool:
    """Whether the file is a sweep: it has ``base:`` or ``over:``, which no config has."""
    return isinstance(places.value, dict) and not {"base", "over"}.isdisjoint(places.value)


class _Reader:
    """Reads one config, gathering problems as it goes."""

    def __init__(self, places: Places):
        self.places = places
        self.folder = str(Path(places.file).parent)
        self.problems: list[Problem] = []
        self.indexes: Mapping[str, IndexSettings] | None = None
        self._end: str | None = None

    def experiment(self) -> Experiment:
        raw = self.places.value
        if not isinstance(raw, dict):
            what = f"a config is a mapping with stages:, this is {shown(raw)}"
            raise ConfigError([self.places.problem((), what if raw is not None else "it is empty")])
        plain = {key: value for key, value in raw.items() if key != "stages"}
        plain.setdefault("name", named_by(self.places.file))
        plain["stages"] = []
        for verb in VERBS:
            if verb in raw:
                self._add((verb,), f"{verb} is a stage; it belongs below stages:, after a dash")
                plain.pop(verb)
        frame = validate(Experiment, plain, self.folder, self.places, (), "config", self.problems)
        if isinstance(frame, Experiment):
            self.indexes = frame.all_indexes()
        if "index" in raw and "indexes" in raw:
            self._add(("indexes",), "index and indexes exclude each other; keep one of them")
        stages = self._stages(("stages",), raw.get("stages"), QUERIES)
        if "stages" not in raw:
            self._add(("stages",), "config needs it")
        elif not raw["stages"]:
            self._add(("stages",), "at least one stage is needed")
        elif stages and stages[-1] and self._end == QUERIES:
            last = ("stages", len(stages) - 1)
            self._add(last, "only queries come out at the end, a ranking is needed; retrieve")
        if self.problems or not isinstance(frame, Experiment):
            raise ConfigError(self.problems)
        return frame.model_copy(update={"stages": tuple(stages)})

    def _stages(self, route: Route, items: Any, holds: str | None) -> list[Stage | None]:
        """The stages of a list that begins with ``holds``: queries, a ranking, or None, unknown.

        What the list ends with is left in ``self._end``.
        """
        stages: list[Stage | None] = []
        if items is not None and not isinstance(items, list):
            self._add(route, f"{shown(items)} is not a list of stages (- retrieve: bm25)")
            items = []
        for i, item in enumerate(items or []):
            here = (*route, i)
            stage = self._stage(here, item, holds)
            if stage and holds and stage.takes not in (holds, ANYTHING):
                self._add(here, f"{stage.verb} needs {stage.takes}, and {_MISPLACED[holds]}")
                holds = None  # what comes next is not judged by a stage in the wrong place
            elif stage:
                self._ask(here, stage, [earlier for earlier in stages if earlier])
                holds = stage.gives
            else:
                holds = None
            stages.append(stage)
        self._end = holds
        return stages

    def _stage(self, route: Route, item: Any, holds: str | None) -> Stage | None:
        verbs = [verb for verb in VERBS if isinstance(item, dict) and verb in item]
        if len(verbs) != 1:
            self._add(route, _which_verb(item, verbs))
            return None
        verb, name = verbs[0], item[verbs[0]]
        if not isinstance(name, str) or name not in REGISTRY[verb]:
            known = sorted(REGISTRY[verb])
            what = f"no {shown(name)}{meant(name, known)}; there is {', '.join(known)}"
            self._add((*route, verb), what)
            return None
        kind = REGISTRY[verb][name]
        plain = {key: value for key, value in item.items() if key != verb}
        owner = f"{verb}: {name}"
        if not issubclass(kind, Fusion):
            stage = validate(kind, plain, self.folder, self.places, route, owner, self.problems)
            return stage if isinstance(stage, Stage) else None
        inner = self._branches((*route, "branches"), plain.get("branches"), holds)
        if "branches" in plain:
            plain["branches"] = [{**branch, "stages": []} for branch, _ in inner]
        stage = validate(kind, plain, self.folder, self.places, route, owner, self.problems)
        if not isinstance(stage, Fusion):
            return None
        branches: list[Branch] = [
            branch.model_copy(update={"stages": tuple(stages)})
            for branch, (_, stages) in zip(stage.branches, inner, strict=True)
        ]
        return stage.model_copy(update={"branches": tuple(branches)})

    def _branches(
        self, route: Route, items: Any, holds: str | None
    ) -> list[tuple[dict[str, Any], list[Stage | None]]]:
        """Each branch as written, and its stages; nothing where it is no list of mappings."""
        found: list[tuple[dict[str, Any], list[Stage | None]]] = []
        for i, item in enumerate(items if isinstance(items, list) else []):
            here = (*route, i)
            if not isinstance(item, dict):
                self._add(here, f"{shown(item)} is not a branch (weight: and stages:)")
                found.append(({}, []))
                continue
            stages = self._stages((*here, "stages"), item.get("stages"), holds)
            if self._end == QUERIES and stages:
                self._add(here, "only queries come out of it, a ranking is needed; retrieve in it")
            elif self._end == QUERIES:
                empty = "an empty branch is the ranking as it came"
                self._add(here, f"{empty}, and there are only queries here; retrieve in it")
            found.append((item, stages))
        return found

    def _ask(self, route: Route, stage: Stage, before: list[Stage]) -> None:
        """Adds what the stage itself finds wrong with its place."""
        if self.indexes is None:
            return
        if isinstance(stage, OnIndex):
            names = [name for name in self.indexes if name]
            if stage.index and stage.index not in names:
                there = f"there is {', '.join(names)}" if names else "this config has no indexes:"
                what = f"no index {stage.index!r}{meant(stage.index, names)}; {there}"
                self._add((*route, "index"), what)
                return
            if not stage.index and len(names) > 1:
                self._add(route, f"it must say which index: {', '.join(names)}")
                return
        for parameter, what in stage.problems(self.indexes, before):
            self._add((*route, parameter) if parameter else route, what)

    def _add(self, route: Route, what: str) -> None:
        self.problems.append(self.places.problem(route, what))


def _which_verb(item: Any, verbs: list[str]) -> str:
    if not isinstance(item, dict):
        return f"{shown(item)} is not a stage; a stage is a mapping, as in retrieve: bm25"
    if verbs:
        return f"a stage has one of {', '.join(VERBS)}; this has {' and '.join(verbs)}"
    hints = {key: meant(key, VERBS) for key in item}
    hint = next((f"{key!r}{text}" for key, text in hints.items() if text), "none")
    return f"a stage has one of {', '.join(VERBS)}; this has {hint}"
