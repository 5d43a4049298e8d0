"""``report``: one page about a sweep, or about runs, and its leaderboard for a paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.collection.topics import Topic
from pipeline.errors import InputError, meant, some
from pipeline.experiments.report import runs, sources, sweeps, texts
from pipeline.experiments.report.model import Column, Report, Sweep, System

if TYPE_CHECKING:
    import pandas as pd

    from pipeline.evaluation.judgements import Judgements

NAME = "report.html"


@dataclass
class _Gathered:
    """What a folder holds, put together."""

    systems: list[System] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)
    topics: list[Topic] = field(default_factory=list)
    judgements: list[Judgements] = field(default_factory=list)
    sweeps: list[Sweep] = field(default_factory=list)
    rankings: dict[str, pd.DataFrame] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    collection: Path | None = None
    indexes: Path | None = None


def report(
    folder: Path,
    file: Path | None = None,
    qrels: Path | None = None,
    collection: Path | None = None,
    indexes: Path | None = None,
    baseline: str = "",
) -> tuple[list[Path], list[str]]:
    """Writes a page, and beside it the leaderboard as a table for LaTeX.

    Args:
        folder: the output of a sweep, or a folder of such, of outputs of ``run``, or of run files.
        file: the page; without, ``report.html`` in the folder.
        qrels: judgements, a file or a folder; a sweep names its own.
        collection: the input folder, for texts and titles; a sweep names its own.
        indexes: a folder of indexes, by which texts are found quickly; a sweep names its own.
        baseline: name of the system that the others are held against; without, the point that is
            as the base of its sweep is, else the first.

    Returns:
        The files written, and what a reader of the page has to know.

    Raises:
        InputError: the folder holds nothing to report, or what was given is wrong.
        RunError: a file cannot be written.
    """
    from pipeline.experiments.report import board, latex, page, rankings
    from pipeline.runs import whole

    file = file or folder / NAME
    found = sources.find(folder)
    gathered = _gather(found, qrels, collection, indexes)
    about = _report(folder, gathered, baseline)
    shown = rankings.read(about.shown(page.SHOWN), gathered.rankings)
    documents, missing = texts.find(shown.docnos(), gathered.collection, gathered.indexes)
    about.notes.extend([missing] if missing else [])
    made = board.tests(about)
    contents = {file: page.render(about, made, shown, documents).encode()}
    if about.columns:
        contents[file.with_suffix(".tex")] = latex.leaderboard(about, made).encode()
    file.parent.mkdir(parents=True, exist_ok=True)
    whole.write(contents)
    return list(contents), list(about.notes)


def _gather(
    found: sources.Found, qrels: Path | None, collection: Path | None, indexes: Path | None
) -> _Gathered:
    from pipeline.evaluation import judgements

    given = judgements.find(qrels) if qrels else []
    gathered = _Gathered(collection=collection, indexes=indexes)
    topics: dict[str, Topic] = {}
    for place in found.sweeps:
        output = sweeps.read(place, alone=len(found.sweeps) == 1 and not found.runs)
        gathered.sweeps.append(output.sweep)
        gathered.systems += output.systems
        gathered.columns += output.columns
        gathered.collection = gathered.collection or output.collection
        gathered.indexes = gathered.indexes or output.indexes
        topics |= {topic.number: topic for topic in output.topics}
        _add_judgements(gathered, output.judgements, given)
    if found.runs:
        read = runs.read(found.runs, given)
        gathered.systems += read.systems
        gathered.columns += read.columns
        gathered.rankings, gathered.notes = read.rankings, gathered.notes + read.notes
        titled, note = runs.topics(list(read.rankings.values()), gathered.collection)
        topics |= {t.number: t for t in titled if t.title or t.number not in topics}
        gathered.notes += [note] if note else []
        gathered.judgements += [
            one
            for one in given
            if any(column.judgements == one.name for column in read.columns)
            and one.name not in [other.name for other in gathered.judgements]
        ]
    gathered.topics = list(topics.values())
    return gathered


def _add_judgements(
    gathered: _Gathered, files: dict[str, Path], given: Sequence[Judgements]
) -> None:
    """Reads the judgements that a sweep was scored by, as far as they are still there."""
    from pipeline.evaluation import judgements

    for name, file in files.items():
        if name in [one.name for one in gathered.judgements]:
            continue
        try:
            same = next((one for one in given if one.name == name), None)
            gathered.judgements.append(same or judgements.read(file, name))
        except InputError as error:
            gathered.notes.append(
                f"Grades by {name} are left out of the rankings: {error.lines[0]}"
            )


def _report(folder: Path, gathered: _Gathered, baseline: str) -> Report:
    columns = list(dict.fromkeys(gathered.columns))
    main = columns[0] if columns else None
    names = [system.name for system in gathered.systems]
    if baseline and baseline not in names and f"#{baseline}" in names:
        baseline = f"#{baseline}"
    if baseline and baseline not in names:
        raise InputError(
            f"--baseline {baseline}: no such system{meant(baseline, names)}; there is "
            f"{some(names, 10)}"
        )
    if not columns:
        gathered.notes.insert(
            0,
            "No judgements of these topics were given (--qrels): the page has the rankings alone.",
        )
    ordered = sorted(gathered.systems, key=lambda system: -system.mean(main))
    likes = [sweep.like_base for sweep in gathered.sweeps if sweep.like_base] + names
    named = [sweep.name for sweep in gathered.sweeps]
    return Report(
        title=" and ".join(named) if named else folder.resolve().name,
        systems=ordered,
        columns=columns,
        baseline=(baseline or likes[0]) if columns and len(names) > 1 else "",
        topics=gathered.topics,
        judgements=gathered.judgements,
        sweeps=gathered.sweeps,
        notes=gathered.notes,
    )
