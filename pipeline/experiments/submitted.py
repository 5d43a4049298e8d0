"""Run files that others submitted: found by their names and tags, and held beside ours."""

from __future__ import annotations

import gzip
import math
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from pipeline.config.experiment import Experiment
from pipeline.errors import InputError, some
from pipeline.evaluation import measures
from pipeline.evaluation.agreement import agreement
from pipeline.evaluation.judgements import Judgements
from pipeline.evaluation.measures import Scores
from pipeline.evaluation.significance import compare
from pipeline.experiments import given_runs
from pipeline.experiments.given_runs import GivenRun
from pipeline.experiments.published import Run

ENDINGS = (".txt", ".run", ".res")
"""What the name of a run file may end with; it does not count."""

SHOWN = 5
"""Names that one line lists."""

LOOKED_INTO = 1 << 14
"""Bytes of a file in which its first line must end."""


class Submitted:
    """The run files below a folder, by the tags that they hold and by their own names.

    Args:
        folder: where they are; files that are no run do not matter.

    Raises:
        InputError: there is no such folder.
    """

    def __init__(self, folder: Path):
        if not folder.is_dir():
            raise InputError(f"{folder}: no such folder; one with run files is expected")
        self.folder = folder
        self._by_tag: dict[str, list[Path]] = {}
        self._by_name: dict[str, list[Path]] = {}
        for file in sorted(folder.rglob("*")):
            if file.is_file() and not file.name.startswith(".") and (tag := _tag(file)) is not None:
                self._by_tag.setdefault(tag, []).append(file)
                self._by_name.setdefault(_name(file), []).append(file)

    def of(self, system: Experiment) -> Path | None:
        """The run of a system: named, or else tagged, as it was published; None if there is none.

        Raises:
            InputError: several are.
        """
        name = system.published_as or system.name
        for files in (self._by_name.get(name, []), self._by_tag.get(name, [])):
            if len(files) == 1:
                return files[0]
            if files:
                names = ", ".join(str(file) for file in files)
                raise InputError(f"{names}: all of them the run {name}, one is expected")
        return None

    def read(self, system: Experiment) -> GivenRun | None:
        """The run of a system; None if there is none.

        Raises:
            InputError: several are, or it cannot be read.
        """
        file = self.of(system)
        return given_runs.read([file])[0] if file else None

    def missing(self, systems: Sequence[Experiment]) -> Iterator[str]:
        """A line that names the systems whose run is not here, if some are."""
        names = [one.published_as or one.name for one in systems if not self.of(one)]
        if names:
            yield f"{self.folder}: no run named or tagged {some(names, SHOWN)}"


def beside(theirs: GivenRun, ours: pd.DataFrame, judged: Judgements, scores: Scores) -> Run | None:
    """A submitted run beside ours, on the topics that are judged; None if it has none of them.

    Args:
        theirs: the submitted run.
        ours: our ranking, ``[qid, docno, rank]``.
        judged: the judgements.
        scores: ours, by the measure of interest.
    """
    ranking, own = (of[of["qid"].isin(judged.topics)] for of in (theirs.ranking, ours))
    if ranking.empty:
        return None
    [found] = measures.score(ranking, judged, [measures.parse(scores.measure)])
    key = judged.name, scores.measure
    compared = compare({key: {"theirs": found.per_topic, "ours": scores.per_topic}})
    return Run(
        file=str(theirs.file),
        mean=found.mean,
        per_topic=found.per_topic,
        p=compared[0].t if compared else math.nan,
        below=bool(compared) and compared[0].difference < 0,
        agreement=agreement(own, ranking).mean,
    )


def _name(file: Path) -> str:
    """Its name without what says its form; of a ``run.txt`` that of its folder."""
    name = file.name.removesuffix(".gz")
    for ending in ENDINGS:
        name = name.removesuffix(ending)
    return file.parent.name if name == "run" else name


def _tag(file: Path) -> str | None:
    """The tag in the first line of a run; None if it is none."""
    try:
        with file.open("rb") as stream:
            packed = stream.read(2) == b"\x1f\x8b"
        with gzip.open(file) if packed else file.open("rb") as stream:
            line = stream.read(LOOKED_INTO).lstrip().split(b"\n")[0]
    except (OSError, EOFError, zlib.error):
        return None
    fields = line.decode("utf-8-sig", "replace").split(None, 5)
    try:
        float(fields[4])
    except (IndexError, ValueError):
        return None
    return fields[5].strip().strip("\"'") if len(fields) == 6 else ""
