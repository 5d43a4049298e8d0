"""Runs in a folder, read and scored."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pipeline.collection import topics as topic_files
from pipeline.collection.topics import Topic
from pipeline.errors import InputError
from pipeline.evaluation import measures
from pipeline.experiments import given_runs
from pipeline.experiments.entries import Entry
from pipeline.experiments.evaluate import MEASURES, scores_of, unfit_for
from pipeline.experiments.given_runs import GivenRun
from pipeline.experiments.report.model import Column, System
from pipeline.experiments.report.sources import made

if TYPE_CHECKING:
    import pandas as pd

    from pipeline.evaluation.judgements import Judgements


class Read(NamedTuple):
    """Runs that were read."""

    systems: list[System]
    columns: list[Column]
    """What they are measured by: that which all have, first."""
    rankings: dict[str, pd.DataFrame]
    """By the names of the systems."""
    notes: list[str]
    """What was left out, and why."""


def read(files: Sequence[Path], judgements: Sequence[Judgements]) -> Read:
    """Reads runs and scores each on all judgements that fit it.

    A file that is none of a run is left out, and said.

    Raises:
        InputError: not one is a run.
    """
    given, notes = _given(files)
    systems = [
        System(run.name, run.file, made(run.file), _scored(run, judgements)) for run in given
    ]
    there = dict.fromkeys(column for system in systems for column in system.entries)
    often = {column: sum(column in system.entries for system in systems) for column in there}
    columns = sorted(there, key=lambda column: -often[column])
    return Read(systems, columns, {run.name: run.ranking for run in given}, notes)


def _given(files: Sequence[Path]) -> tuple[list[GivenRun], list[str]]:
    try:
        return given_runs.read(files), []
    except InputError:
        wrong: dict[Path, str] = {}
        for file in files:
            try:
                given_runs.read([file])
            except InputError as error:
                wrong[file] = error.lines[0]
    good = [file for file in files if file not in wrong]
    if not good:
        raise InputError(*wrong.values())
    return given_runs.read(good), [f"Left out: {line}" for line in wrong.values()]


def _scored(run: GivenRun, judgements: Sequence[Judgements]) -> dict[Column, Entry]:
    wanted = [measures.parse(name) for name in MEASURES]
    found: dict[Column, Entry] = {}
    for one in judgements:
        if unfit_for(run, one):
            continue
        scores, _ = scores_of(run, one, wanted)
        for score in scores:
            found[Column(one.name, score.measure)] = Entry.of(run.name, one, score)
    return found


def topics(rankings: Sequence[pd.DataFrame], collection: Path | None) -> tuple[list[Topic], str]:
    """The topics of runs, as the input folder has them, and why their titles are missing if so."""
    numbered = topic_files.in_order(qid for ranking in rankings for qid in ranking["qid"])
    note = ""
    known: dict[str, Topic] = {}
    if collection is not None:
        try:
            read = topic_files.read(topic_files.find(collection))
            known = {topic.number: topic for topic in read}
        except InputError as error:
            note = f"Titles of topics are left out: {error.lines[0]}"
    return [known.get(qid) or Topic(qid, "") for qid in numbered], note
