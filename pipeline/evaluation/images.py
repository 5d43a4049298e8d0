"""Runs of images, ``topic PRO|CON image rank score tag``, by the evaluator of Touché 2022 and 2023.

It reads a run line by line and passes over lines that it does not like, so that what counts hangs
on the order of the lines, not of the ranks. ``read`` passes over the very same ones and says why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from pipeline.errors import InputError, count
from pipeline.evaluation.judgements import Judgements
from pipeline.evaluation.measures import Scores
from pipeline.runs import lenient

MEASURE = "P@10"
STANCES = ("PRO", "CON")
DEPTH = 10
"""Ranks that count, for each topic and stance."""

COLUMNS = ["qid", "stance", "docno", "rank", "score", "line"]
SHOWN = 10
"""Lines passed over that are named one by one."""


class Lists(NamedTuple):
    """A run of images: what counts of it."""

    rows: pd.DataFrame
    """``[qid, stance, docno, rank, score, line]``, rank from 1, in the order of the file."""
    notes: tuple[str, ...]
    """What was passed over, and what counts although it looks odd."""


def read(file: Path, judgements: Judgements) -> Lists:
    """The lines of a run that the official evaluator counts.

    A line counts if it has six fields, a topic of the year, the stance PRO or CON, an id of the
    form of the year's, a rank from 1 to 10 above all before it of its topic and stance, and a
    score in plain digits that is not above the one before it. A rank counts as met before the
    score is looked at.

    Args:
        file: the run, plain or compressed.
        judgements: any of the three of the year; topics and ids are those that they know.

    Raises:
        InputError: it cannot be read, no line counts, or the judgements are not of images.
    """
    rule = _Rule(judgements)
    rows, notes = [], []
    text = lenient.content(file).decode("utf-8", "replace")
    for line, held in enumerate(text.removesuffix("\n").split("\n"), 1):
        # as awk: blanks and tabs part fields, a carriage return belongs to the last of them
        fields = [field for field in re.split("[ \t]+", held) if field]
        if wrong := rule.wrong(fields):
            notes.append(f"{file}:{line}: passed over: {wrong}")
        else:
            rows.append([*fields[:3], int(fields[3]), float(fields[4]), line])
    if not rows:
        first = f"; {notes[0]}" if notes else ""
        raise InputError(f"{file}: no line that counts by {judgements.name}{first}")
    if len(notes) > SHOWN:
        notes[SHOWN:] = [f"{file}: {count(len(notes) - SHOWN, 'more line')} passed over"]
    frame = pd.DataFrame(rows, columns=COLUMNS)
    return Lists(frame, (*notes, *(f"{file}{what}" for what in _odd(frame, judgements, rule.tags))))


def score(lists: Lists, judgements: Judgements) -> Scores:
    """``P@10`` by the question of the judgements: of 20 lines a topic, those that are right.

    On topic: ONTOPIC is at least 1. Argumentative: besides, PRO or CON is. On stance: on topic,
    and the stance of the line is. An image that is not judged is off topic, and one that stands
    twice in a list counts twice. Topics without a line that counts do not count.
    """
    graded = _graded(judgements)
    right: dict[str, int] = {}
    known: dict[str, list[bool]] = {}
    rows = lists.rows
    for qid, stance, docno in zip(rows["qid"], rows["stance"], rows["docno"], strict=True):
        said = graded.get((qid, docno))
        known.setdefault(qid, []).append(said is not None)
        right[qid] = right.get(qid, 0) + bool(said and _right(said, stance, judgements.question))
    per_topic = {qid: right[qid] / (DEPTH * len(STANCES)) for qid in sorted(right, key=int)}
    judged = [sum(found) / len(found) for found in known.values()]
    return Scores(MEASURE, per_topic, sum(judged) / max(len(judged), 1))


def _right(said: set[str], stance: str, question: str) -> bool:
    """Whether an image of which these questions were answered with yes is right."""
    if question == "on-topic":
        return "ONTOPIC" in said
    wanted = set(STANCES) if question == "argumentative" else {stance}
    return "ONTOPIC" in said and not wanted.isdisjoint(said)


def _graded(judgements: Judgements) -> dict[tuple[str, str], set[str]]:
    """The questions answered with yes for each judged image of each topic."""
    if judgements.images is None:
        raise InputError(f"{judgements.name}: not of images, and the run is of images")
    if "images" not in judgements.kept:
        graded: dict[tuple[str, str], set[str]] = {}
        columns = ("qid", "docno", "question", "grade")
        for qid, docno, question, grade in zip(
            *(judgements.images[column].tolist() for column in columns), strict=True
        ):
            graded.setdefault((qid, docno), set()).update([question] if grade >= 1 else [])
        judgements.kept["images"] = graded
    found: dict[tuple[str, str], set[str]] = judgements.kept["images"]
    return found


class _Rule:
    """Which lines count; it remembers what it has seen, as the official evaluator does."""

    def __init__(self, judgements: Judgements):
        if judgements.images is None:
            raise InputError(f"{judgements.name}: not of images, and the run is of images")
        numbers = [int(qid) for qid in judgements.topics if _is_number(qid)] or [1]
        judged = range(min(numbers), max(numbers) + 1)
        self.topics = judgements.official.topics if judgements.official else judged
        self.digits = len(judgements.docnos[0]) - 1
        self.ranks: dict[tuple[str, str], int] = {}
        self.scores: dict[tuple[str, str], float] = {}
        self.tags: list[str] = []

    def wrong(self, fields: list[str]) -> str:
        """What is wrong with a line, the first thing; "" if it counts."""
        if len(fields) != 6:
            return f"{count(len(fields), 'field')}, 6 expected"
        topic, stance, image, rank, score, tag = fields
        if not _is_number(topic) or int(topic) not in self.topics:
            return f"topic {topic!r}, {self.topics[0]} to {self.topics[-1]} expected"
        if stance not in STANCES:
            return f"stance {stance!r}, PRO or CON expected"
        if not re.fullmatch(f"I[0-9a-f]{{{self.digits}}}", image):
            return f"image {image!r}, I and {self.digits} of 0-9a-f expected"
        if not _is_number(rank) or int(rank) > DEPTH:
            return f"rank {rank!r}, 1 to {DEPTH} expected"
        return self._out_of_order((topic, stance), int(rank), score) or self._counts(tag)

    def _out_of_order(self, of: tuple[str, str], rank: int, score: str) -> str:
        before = self.ranks.get(of, 0)
        if rank <= before:
            return f"rank {rank} after {before} for topic {of[0]} {of[1]}, ranks that rise expected"
        self.ranks[of] = rank
        if not re.fullmatch(r"-?[0-9]+\.?[0-9]*", score):
            return f"score {score!r}, plain digits expected"
        if float(score) > self.scores.get(of, float(score)):
            last = self.scores[of]
            return f"score {score} after {last:g} for topic {of[0]} {of[1]}, none above it expected"
        self.scores[of] = float(score)
        return ""

    def _counts(self, tag: str) -> str:
        if tag not in self.tags:
            self.tags.append(tag)
        return ""


def _is_number(field: str) -> bool:
    return re.fullmatch("[1-9][0-9]*", field) is not None


def _odd(rows: pd.DataFrame, judgements: Judgements, tags: list[str]) -> Iterator[str]:
    """What counts although it looks odd."""
    if len(tags) > 1:
        yield f": tags {tags[0]} and {tags[1]}, one is usual; all lines count"
    doubled = rows[rows.duplicated(["qid", "stance", "docno"])]
    if len(doubled):
        yield (
            f":{doubled['line'].iloc[0]}: {count(len(doubled), 'image')} again in the same list, "
            "counted again, as the official evaluator does"
        )
    graded = _graded(judgements)
    pairs = set(zip(rows["qid"], rows["docno"], strict=True))
    if unknown := sum(pair not in graded for pair in pairs):
        of = count(len(pairs), "image")
        yield f": {unknown:,} of {of} not judged for the topic, so off topic"
    topics = rows["qid"].nunique()
    if topics < len(judgements.topics):
        judged = count(len(judgements.topics), "judged topic")
        yield f": {topics} of {judged} with a line that counts; the mean is over these alone"
