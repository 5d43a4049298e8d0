"""What ``ir-metadata.yml`` says of a run: its config, input, versions and times."""

from __future__ import annotations

import resource
import shlex
import sys
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from importlib.metadata import version
from typing import NamedTuple

from pipeline import java, native
from pipeline.analysis.wordlists import WordList
from pipeline.config.experiment import Experiment
from pipeline.experiments.progress import Progress
from pipeline.experiments.records import Hashes
from pipeline.index.builders import Builder, builder_of
from pipeline.runs.metadata import Metadata
from pipeline.stages.base import QUERIES, Fusion, Stage

LIBRARIES = ("pyterrier", "python-terrier", "pandas", "numpy", "lxml", "pydantic", "msgspec")


class Given(NamedTuple):
    """The input of a run."""

    collection: str
    """Its name."""
    topics: str
    """Name of their file."""
    hashes: Hashes
    """Of all that the ranking follows from."""


def describe(
    experiment: Experiment,
    given: Given,
    builder: Builder | None,
    progress: Progress,
    started: datetime,
) -> Metadata:
    """How a run that began at ``started`` and is done now was made.

    Args:
        experiment: the config.
        given: its input.
        builder: who was wanted to build indexes.
        progress: holds the seconds of each part.
        started: with its time zone.
    """
    indexes = experiment.all_indexes()
    first = next(iter(indexes.values()))
    engines = {settings.engine: None for settings in indexes.values()}
    builders = {builder_of(settings, builder): None for settings in indexes.values()}
    return Metadata(
        tag=experiment.name,
        description=sentence(experiment.stages),
        retrieval=steps(experiment.stages),
        tokeniser=first.tokeniser,
        stemmer=first.stemmer,
        stopwords=_name(first.stopwords),
        indexing={
            "engine": ", ".join(engines),
            "builder": ", ".join(builders),
            "fields": {
                f"{name}.{field}" if name else field: list(parts)
                for name, settings in indexes.items()
                for field, parts in settings.fields.items()
            },
        },
        libraries=_libraries(),
        toolkit=_toolkit("terrier" in engines, "fast" in builders),
        command=shlex.join(["run.sh", *sys.argv[1:]]),
        collection=given.collection,
        topics=given.topics,
        hashes=given.hashes._asdict(),
        started=started,
        stopped=datetime.now(started.tzinfo),
        parts={
            part: {name: round(seconds, 3) for name, seconds in spent._asdict().items()}
            for part, spent in progress.seconds.items()
        },
        memory=f"{peak():,} MB",
    )


def peak() -> int:
    """Megabytes of memory that this process held at most."""
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return held >> (20 if sys.platform == "darwin" else 10)


@cache
def _libraries() -> tuple[str, ...]:
    return tuple(f"{name}=={version(name)}" for name in LIBRARIES)


@cache
def _toolkit(terrier: bool, ours: bool) -> tuple[str, ...]:
    """What built and searched; Java is asked for its version only if it did."""
    found: list[str] = []
    if terrier:
        versions = java.versions()
        found += [f"terrier=={versions['terrier']}", f"java {versions['java']}"]
    if ours:
        found.append(f"kernels of this program in {native.in_use()}")
    return tuple(found)


def sentence(stages: Sequence[Stage]) -> str:
    """``retrieve: bm25, then rerank: sentiment``."""
    return ", then ".join(
        f"{stage.verb}: {stage.name}"
        + (
            " of (" + "; ".join(sentence(b.stages) or "as it came" for b in stage.branches) + ")"
            if isinstance(stage, Fusion)
            else ""
        )
        for stage in stages
    )


def steps(stages: Sequence[Stage]) -> list[dict[str, object]]:
    """The stages as ir_metadata lists them: one after the other, each with what it takes up."""
    found: list[dict[str, object]] = []
    _collect(stages, None, found)
    return found


def _collect(
    stages: Sequence[Stage], before: str | None, found: list[dict[str, object]]
) -> str | None:
    """Adds the stages to ``found``; gives the name of the last, which the next takes up."""
    for stage in stages:
        taken: dict[str, object] = {}
        if before and stage.takes != QUERIES:
            taken = {"reranks": before}
        if isinstance(stage, Fusion):
            ends = [_collect(branch.stages, before, found) for branch in stage.branches]
            weights = [branch.weight for branch in stage.branches]
            taken = {"interpolates": [end or "queries" for end in ends], "weights": weights}
        parameters = stage.model_dump(mode="json", exclude={"branches"})
        name, again = stage.name, 2
        while any(step["name"] == name for step in found):
            name, again = f"{stage.name}-{again}", again + 1
        found.append({"name": name, "method": f"{stage.verb}: {stage.name}", **parameters, **taken})
        before = name
    return before


def _name(stopwords: str | WordList) -> str:
    return stopwords if isinstance(stopwords, str) else stopwords.name
