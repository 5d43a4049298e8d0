"""Every rule that a run must pass, checked on the file as it stands."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Container, Iterable, Sequence
from operator import itemgetter
from pathlib import Path

import numpy as np
import pandas as pd

from pipeline.errors import InputError, count
from pipeline.runs import lenient, rules
from pipeline.runs.trec import Topic

MAX_BYTES = 75 * 1024 * 1024
"""TIRA refuses a larger file."""
MIN_LINES, MIN_TOPICS = 5, 3
"""TIRA refuses a run of fewer."""

COLUMNS = ("qid", "Q0", "docno", "rank", "score", "tag")

SHOWN = 3
"""Lines shown of one kind of problem; the rest are counted."""


def verify(
    path: Path,
    topics: Sequence[Topic] | None = None,
    docnos: Container[str] | None = None,
    *,
    gaps: bool = True,
) -> list[str]:
    """All that is wrong with a run, a line each in file order; nothing, if it is right.

    Args:
        path: a run file, plain or compressed, or the folder of one.
        topics: all topics of the input, if known.
        docnos: all documents of the collection, if known.
        gaps: report also what a right run of a small collection may have: topics without a
            line, fewer lines or topics than TIRA wants.

    Raises:
        InputError: there is no run to look at.
    """
    file = run_file(path)
    found = _Problems(file)
    if file != path and file.suffix == ".txt" and (path / "run.txt.gz").exists():
        found.add("run.txt.gz is there too, one of the two is allowed")
    rows = _rows(_lines(file, found), found)
    if rows.empty:
        found.add("no line of a run, 'qid Q0 docno rank score tag' is expected")
        return found.in_order()
    found.check(rows, rules.of_lines(rows))
    found.check(rows, rules.of_order(rows))
    if topics is not None:
        numbers = [topic.number for topic in topics]
        found.check(rows, rules.of_topics(rows, numbers))
        with_lines = set(rows["qid"])
        if gaps and (missing := [number for number in numbers if number not in with_lines]):
            shown = ", ".join(missing[:SHOWN]) + (", ..." if len(missing) > SHOWN else "")
            found.add(f"{count(len(missing), 'topic')} without a line: {shown}, each needs one")
    if docnos is not None:
        found.check(rows, rules.of_documents(rows, docnos))
        if share := rules.known_share(rows, docnos):
            found.add(share)
    if gaps and len(rows) < MIN_LINES:
        found.add(f"{count(len(rows), 'line')}, TIRA refuses fewer than {MIN_LINES}")
    if gaps and (number := rows["qid"].nunique()) < MIN_TOPICS:
        found.add(f"{count(number, 'topic')}, TIRA refuses fewer than {MIN_TOPICS}")
    return found.in_order()


class _Problems:
    """What is wrong with a file, kind by kind: the first lines, and how many more there are."""

    def __init__(self, file: Path):
        self.file = file
        self.kinds: list[tuple[int, list[str]]] = []

    def add(self, what: str, line: int = 0) -> None:
        self.kinds.append((line, [f"{self.file}{f':{line}' if line else ''}: {what}"]))

    def check(self, rows: pd.DataFrame, kinds: Iterable[rules.Rule]) -> None:
        """Adds the rows that break a rule; column ``line`` says where they stand."""
        for broken, what, allowed in kinds:
            wrong = rows[broken]
            if wrong.empty:
                continue
            texts = [
                f"{self.file}:{row['line']}: " + f"{what}, {allowed}".format_map(row)
                for _, row in wrong.head(SHOWN).iterrows()
            ]
            if len(wrong) > SHOWN:
                texts.append(f"{self.file}: {count(len(wrong) - SHOWN, 'more line')} like these")
            self.kinds.append((int(wrong["line"].iloc[0]), texts))

    def in_order(self) -> list[str]:
        return [text for _, texts in sorted(self.kinds, key=itemgetter(0)) for text in texts]


def run_file(path: Path) -> Path:
    """The run itself, where ``path`` is its folder.

    Raises:
        InputError: there is none in the folder.
    """
    if not path.is_dir():
        return path
    for name in ("run.txt", "run.txt.gz"):
        if (path / name).is_file():
            return path / name
    holds = ", ".join(sorted(file.name for file in path.iterdir())) or "nothing"
    raise InputError(f"{path}: no run.txt or run.txt.gz; the folder holds {holds}")


def _lines(file: Path, found: _Problems) -> list[str]:
    """The lines of a file, without their line feeds."""
    content = lenient.content(file)
    if (size := file.stat().st_size) > MAX_BYTES:
        found.add(f"{size:,} bytes, TIRA refuses more than {MAX_BYTES:,}")
    if content.startswith(BOM_UTF8):
        found.add("a byte order mark, none is allowed", 1)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        found.add("bytes that are not UTF-8, UTF-8 is allowed", line)
        text = content.decode("utf-8-sig", errors="replace")
    *lines, rest = text.split("\n")
    if rest:
        lines.append(rest)
        found.add("no line feed after the last line, one is expected", len(lines))
    return lines


def _rows(lines: Sequence[str], found: _Problems) -> pd.DataFrame:
    """The lines that are lines of a run: ``[line, *COLUMNS]`` as text, ``value``, ``position``."""
    fields = [line.split() for line in lines]
    width = pd.Series([len(words) for words in fields], dtype=int)
    returns = pd.Series([line.endswith("\r") for line in lines], dtype=bool)
    comment = pd.Series([line.startswith("#") for line in lines], dtype=bool)
    single = [
        " ".join(words) == line.removesuffix("\r")
        for words, line in zip(fields, lines, strict=True)
    ]
    shape = pd.DataFrame({"line": width.index + 1, "width": width})
    broken: list[rules.Rule] = [
        (returns, "a carriage return at the end", "none is allowed"),
        (width == 0, "a blank line", "none is allowed"),
        (comment, "a comment", "none is allowed"),
        (
            (width != 0) & (width != len(COLUMNS)) & ~comment,
            "columns: {width}",
            f"{len(COLUMNS)} are allowed, {' '.join(COLUMNS)}",
        ),
        (
            (width == len(COLUMNS)) & ~pd.Series(single, dtype=bool),
            "a tab, a blank too many, or one at an end",
            "single blanks between columns are allowed",
        ),
    ]
    found.check(shape, broken)
    kept = shape.loc[(width == len(COLUMNS)) & ~comment, "line"]
    rows = pd.DataFrame([fields[line - 1] for line in kept], columns=list(COLUMNS), dtype="str")
    rows.insert(0, "line", kept.to_numpy())
    return rows.assign(
        value=pd.Series([_number(score) for score in rows["score"]], dtype=float),
        position=rows.groupby("qid").cumcount() + 1,
    )


def _number(text: str) -> float:
    """The number that evaluators read; NaN for what is none."""
    try:
        return float(text)
    except ValueError:
        return np.nan
