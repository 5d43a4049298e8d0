"""``evaluate``: how good runs are by judgements, and whether they differ by more than chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pipeline.errors import InputError, count, some
from pipeline.evaluation import images, judgements, measures
from pipeline.evaluation.judgements import Judgements
from pipeline.evaluation.measures import Measure, Scores
from pipeline.evaluation.significance import Comparison, compare
from pipeline.experiments import given_runs
from pipeline.experiments.entries import Entry, cells
from pipeline.experiments.given_runs import GivenRun

MEASURES = ("nDCG@5", "nDCG_organisers@5", "nDCG@10")
"""What is measured when nothing is asked for: the leaderboards' measure in both readings."""

FEW = 0.5
"""Share of judged documents below which a measure that counts the others as wrong misleads."""

ONLY_JUDGED = ("nDCG_", "judged_only", "Judged", "Bpref")
"""In the names of measures that do not take what is not judged for wrong."""

SHOWN = 5
"""Topics named in a line."""


@dataclass(frozen=True)
class Evaluation:
    """What was found."""

    entries: list[Entry]
    """Judgements after judgements, run after run as given, measure after measure."""
    comparisons: list[Comparison]
    """Of every run with the first."""
    notes: list[str]
    """What had to be assumed, and what makes a score mean less."""


def evaluate(runs: Sequence[Path], qrels: Path, names: Sequence[str] = ()) -> Evaluation:
    """Scores runs by every set of judgements that fits them, and compares them with the first.

    A set fits a run when it has topics of the run, and judges a document of it.

    Args:
        runs: files, or folders with ``run.txt``; the first is the baseline.
        qrels: a file of judgements, or a folder of such files.
        names: of the measures; without any ``MEASURES``. Images have P@10 alone.

    Raises:
        InputError: a run, judgements or measure that is not there or cannot be read, or a run
            that no judgements fit.
    """
    wanted = list(dict.fromkeys(map(measures.parse, names or MEASURES)))
    sets = judgements.find(qrels)
    given = given_runs.read(runs)
    unfit = {run.name: [unfit_for(run, judged) for judged in sets] for run in given}
    if refused := [line for run in given for line in _refusal(run, qrels, unfit[run.name])]:
        raise InputError(*refused)
    notes: list[str] = []
    entries: list[Entry] = []
    for place, judged in enumerate(sets):
        fitting = [run for run in given if not unfit[run.name][place]]
        notes += judged.notes if fitting else ()
        if fitting and judged.images is not None and names:
            notes.append("images are measured by P@10, whatever is asked for")
        for run in fitting:
            scores, said = scores_of(run, judged, wanted)
            found = [Entry.of(run.name, judged, one) for one in scores]
            notes += [*said, *_notes(run, judged, found)]
            entries += found
    notes += _left_out(compared := compare(cells(entries)))
    return Evaluation(entries, compared, list(dict.fromkeys(notes)))


class Unfit(NamedTuple):
    """Why judgements do not fit a run; the closer they are, the smaller."""

    distance: int
    why: str


def unfit_for(run: GivenRun, judged: Judgements) -> Unfit | None:
    """Why the judgements do not fit a run; None where they do."""
    topics = run.ranking["qid"].unique().tolist()
    if not set(topics) & set(judged.topics):
        theirs = _some(judged.topics)
        return Unfit(2, f"{judged.name} has judgements for {theirs}, the run has {_some(topics)}")
    if judged.images is not None and "stance" not in run.ranking:
        return Unfit(1, f"{judged.name} is of images: PRO or CON is expected in column 2 of a run")
    foreign = judged.foreign(set(run.ranking["docno"]), "the run")
    return Unfit(0, foreign) if foreign else None


def _refusal(run: GivenRun, qrels: Path, unfit: Sequence[Unfit | None]) -> list[str]:
    """Why a run is refused: no judgements fit it. Nothing where some do."""
    reasons = [one for one in unfit if one]
    if len(reasons) < len(unfit):
        return []
    several = f"none of the {len(reasons)} judgements in {qrels} fits it: "
    return [f"{run.file}: {several if len(reasons) > 1 else ''}{min(reasons).why}"]


def scores_of(
    run: GivenRun, judged: Judgements, wanted: Sequence[Measure]
) -> tuple[list[Scores], Sequence[str]]:
    """The scores, and how the run was taken; runs of images are read by their own rules."""
    if judged.images is None:
        return measures.score(run.ranking, judged, wanted), run.assumed
    lists = images.read(run.file, judged)
    return [images.score(lists, judged)], lists.notes


def _notes(run: GivenRun, judged: Judgements, found: Sequence[Entry]) -> Iterator[str]:
    """What makes the scores of a run mean less than they seem to."""
    ranked = set(run.ranking["qid"])
    missing = [topic for topic in judged.topics if topic not in ranked]
    if missing and judged.images is None:
        yield (
            f"{run.name}: no line for {_some(missing)}, "
            f"{len(missing):,} of the {len(judged.topics):,} of {judged.name}; they count 0"
        )
    for entry in found:
        if entry.judged < FEW and not any(word in entry.measure for word in ONLY_JUDGED):
            yield (
                f"{run.name}: only {entry.judged:.1%} of what {entry.measure} looks at is judged "
                f"in {judged.name}; it takes the rest for wrong, nDCG_condensed leaves it out"
            )


def _left_out(compared: Sequence[Comparison]) -> Iterator[str]:
    for one in compared:
        if one.left_out:
            yield (
                f"{one.run}: compared with {one.baseline} by {one.measure} on "
                f"{count(one.topics, 'topic')}; on {one.left_out:,} only one of them has a value"
            )


def _some(topics: Sequence[str]) -> str:
    """``topics 1, 2, 3, 4, 5 and 45 more``."""
    names = some([topic[:20] for topic in topics], SHOWN)
    return f"topic{'' if len(topics) == 1 else 's'} {names}"
