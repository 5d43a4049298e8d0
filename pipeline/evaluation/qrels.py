"""The lines of a file of judgements, ``qid 0 docno grade``, each as it must be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from pipeline.errors import InputError, count

QUESTIONS = ("ONTOPIC", "PRO", "CON")
"""What stands in column 2 of judgements of images."""

EXPECTED = "qid 0 docno grade expected"


class Row(NamedTuple):
    """A line."""

    qid: str
    question: str
    """ONTOPIC, PRO or CON; "" where the file is not of images."""
    docno: str
    grade: int


def parse(text: str, file: Path) -> tuple[pd.DataFrame, list[str]]:
    """The rows ``[qid, question, docno, grade]`` of a file, and what had to be assumed.

    A row that stands there twice is taken once. Grades are whole numbers, of any sign.

    Raises:
        InputError: a line that is none, a document with two grades for a topic, no line at all.
    """
    rows: dict[tuple[str, str, str], tuple[int, int]] = {}
    again, pointed = [], []
    for line, fields in _lines(text):
        row = _row(fields, f"{file}:{line}")
        first, grade = rows.setdefault(row[:3], (line, row.grade))
        if grade != row.grade:
            raise InputError(
                f"{file}:{line}: document {row.docno} for topic {row.qid} has grade {row.grade}, "
                f"and {grade} in line {first}; one is allowed"
            )
        again += [line] * (first != line)
        pointed += [line] * ("." in fields[3])
    if not rows:
        raise InputError(f"{file}: no judgements in it; {EXPECTED}")
    if len({bool(question) for _, question, _ in rows}) == 2:
        raise InputError(f"{file}: only some lines have {_or(QUESTIONS)} in column 2")
    notes = []
    if again:
        notes.append(f"{file}:{again[0]}: {count(len(again), 'line')} again, taken once")
    if pointed:
        written = count(len(pointed), "grade")
        notes.append(f"{file}:{pointed[0]}: {written} with a decimal point, taken as whole numbers")
    frame = pd.DataFrame(list(rows), columns=["qid", "question", "docno"], dtype="str")
    return frame.assign(grade=[grade for _, grade in rows.values()]), notes


def is_like(line: str) -> bool:
    """Whether this may be a line of judgements."""
    try:
        return bool(_row(line.split(), ""))
    except InputError:
        return False


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    for line, held in enumerate(text.split("\n"), 1):
        if fields := held.split():
            yield line, fields


def _row(fields: list[str], where: str) -> Row:
    """A line from its fields.

    Raises:
        InputError: it is none.
    """
    if len(fields) != 4:
        run = "; this looks like a run" if len(fields) == 6 else ""
        raise InputError(f"{where}: {count(len(fields), 'column')}, {EXPECTED}{run}")
    qid, question, docno, grade = fields
    try:
        value = float(grade)
        whole = int(value)
    except (ValueError, OverflowError):
        raise InputError(f"{where}: grade {grade!r}, a whole number expected") from None
    if whole != value:
        raise InputError(f"{where}: grade {grade}, a whole number expected")
    return Row(qid, question if question in QUESTIONS else "", docno, whole)


def _or(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"
