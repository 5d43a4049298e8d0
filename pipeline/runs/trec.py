"""Run files in TREC's format: read leniently, written strictly."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pandas as pd

from pipeline.errors import InputError, RunError
from pipeline.runs import whole
from pipeline.runs.lenient import read

__all__ = ["MAX_DEPTH", "TAG", "Summary", "Topic", "decreasing", "lines", "read", "write"]

MAX_DEPTH = 1000
"""Documents that a run may give a topic (Touché)."""

TAG = re.compile(r"[A-Za-z0-9_-]+")
"""What a run tag may hold."""

SHOWN = 3
"""Names shown in one error; the rest are counted."""


class Topic(Protocol):
    """All that a run needs of a topic."""

    @property
    def number(self) -> str:
        """The ``qid``."""


@dataclass(frozen=True)
class Summary:
    """What was written to a run file, and what was not."""

    tag: str
    topics: int
    """Topics with at least one line."""
    lines: int
    without_result: tuple[str, ...]
    """Topics without any line, in the order of the topics."""
    not_finite: int
    """Rows left out because their score is NaN or infinite."""
    doubled: int
    """Rows left out because their topic has the document at a better rank."""
    too_deep: int
    """Rows left out below the depth of the run."""


def write(
    ranking: pd.DataFrame,
    topics: Sequence[Topic],
    tag: str,
    file: Path,
    *,
    depth: int = MAX_DEPTH,
    docnos: Container[str] | None = None,
) -> Summary:
    """Writes a ranking as a run file, whole or not at all; see ``lines`` for what it will hold.

    Raises:
        InputError: the tag is not one of letters, digits, - and _.
        RunError: the ranking is none that can be written, or the disk is full.
    """
    content, summary = lines(ranking, topics, tag, depth=depth, docnos=docnos)
    whole.write({file: content})
    return summary


def lines(
    ranking: pd.DataFrame,
    topics: Sequence[Topic],
    tag: str,
    *,
    depth: int = MAX_DEPTH,
    docnos: Container[str] | None = None,
) -> tuple[bytes, Summary]:
    """A ranking as the content of a run file: ``qid Q0 docno rank score tag`` a line.

    Evaluators order a run by line, by score in float64, or by score in float32 with ties broken
    by docno. Here the three agree: topics in the order of ``topics``, documents in that of
    ``rank``, ranks from 1, and scores that fall strictly also when rounded to float32.

    Args:
        ranking: ``[qid, docno, score, rank]``.
        topics: all topics of the input; one without a row gets no line.
        tag: the name of the run.
        depth: lines a topic, at most; never more than ``MAX_DEPTH``.
        docnos: all documents that there are, if known.

    Raises:
        InputError: the tag is not one of letters, digits, - and _.
        RunError: a topic or document that does not exist, a docno that is not one word, a topic
            without any finite score, or no row at all.
    """
    if not TAG.fullmatch(tag):
        raise InputError(f"tag {tag!r}: letters, digits, - and _ are allowed")
    places = {topic.number: place for place, topic in enumerate(topics)}
    rows = ranking[["qid", "docno", "score", "rank"]].reset_index(drop=True)
    rows["place"] = rows["qid"].map(places)
    _check_names(rows, docnos)

    finite = np.isfinite(rows["score"].to_numpy("float64", na_value=np.nan))
    scored = rows[finite].sort_values(["place", "rank"], kind="stable")
    if lost := set(rows["qid"]) - set(scored["qid"]):
        raise RunError(
            f"{_names([number for number in places if number in lost], 'topic')}: "
            "not one score is a finite number;"
            " look for a division by zero or a logarithm of zero in the stages of the config"
        )
    single = scored[~scored.duplicated(["qid", "docno"])]
    position = single.groupby("place").cumcount()
    kept = single[position < min(depth, MAX_DEPTH)]
    if kept.empty:
        raise RunError("no topic has a result, so there is no run to write; look at the topics")

    values = zip(
        kept["qid"],
        kept["docno"],
        position[kept.index] + 1,
        decreasing(kept["score"], kept["place"]),
        strict=True,
    )
    text = "".join(
        f"{qid} Q0 {docno} {rank} {np.format_float_positional(score, trim='0')} {tag}\n"
        for qid, docno, rank, score in values
    )
    found = set(kept["qid"])
    return text.encode(), Summary(
        tag=tag,
        topics=len(found),
        lines=len(kept),
        without_result=tuple(number for number in places if number not in found),
        not_finite=len(rows) - len(scored),
        doubled=len(scored) - len(single),
        too_deep=len(single) - len(kept),
    )


def decreasing(scores: pd.Series, topics: pd.Series) -> npt.NDArray[np.float32]:
    """Scores in float32, strictly falling within each topic: s'_i = min(s_i, below(s'_{i-1})).

    ``below`` is the next smaller float32, so that a score moves only where it must, and by as
    little as it can: about one part in 10^7 for each of a run of equal scores.

    Args:
        scores: finite, the rows of a topic in the order of their ranks.
        topics: the topic of each row; its rows follow each other.
    """
    largest = np.finfo(np.float32).max
    rounded = np.clip(scores.to_numpy("float64"), -largest, largest).astype(np.float32)
    # Counted from zero, float32 numbers are neighbours exactly where these integers are.
    bits = rounded.view(np.int32).astype(np.int64)
    steps = np.where(bits < 0, -(bits & 0x7FFFFFFF), bits)

    groups = topics.to_numpy()
    position = topics.groupby(groups).cumcount().to_numpy()
    size = topics.groupby(groups).transform("size").to_numpy()
    # s'_i + i = min(s_i + i, s'_{i-1} + i-1): a running minimum.
    fallen = pd.Series(steps + position).groupby(groups).cummin().to_numpy() - position
    # Room for those below the smallest float32: -inf is no score.
    lowest = -int(np.float32(largest).view(np.int32))
    fallen = np.maximum(fallen, lowest + (size - 1 - position))
    return np.where(fallen < 0, -fallen | -0x80000000, fallen).astype(np.int32).view(np.float32)


def _check_names(rows: pd.DataFrame, docnos: Container[str] | None) -> None:
    """That topics and documents exist and can stand in a line.

    Raises:
        RunError: one that does not.
    """
    if len(strange := rows.loc[rows["place"].isna(), "qid"].unique().tolist()):
        raise RunError(f"{_names(strange, 'topic')}: in the ranking, but not in the topics")
    names = rows["docno"].unique()
    broken = [name for name in names if not _is_word(name)]
    if broken:
        raise RunError(f"{_names(broken, 'document')}: a docno is one word without white space")
    if docnos is not None and (unknown := [name for name in names if name not in docnos]):
        raise RunError(
            f"{_names(unknown, 'document')}: in the ranking, but not in the collection; "
            "the index is of another one, build it anew"
        )


def _is_word(name: object) -> bool:
    return isinstance(name, str) and name.split() == [name] and name.isprintable()


def _names(names: Sequence[object], thing: str) -> str:
    """``topics '1', '2', '3' and 4 more``."""
    shown = ", ".join(repr(name) for name in names[:SHOWN])
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return f"{thing}{'' if len(names) == 1 else 's'} {shown}{more}"
