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

from pipeline.errors import InputError, RunError, some
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
    kept, summary = rows(ranking, topics, tag, depth=depth, docnos=docnos)
    return content(kept, tag), summary


def content(rows: pd.DataFrame, tag: str) -> bytes:
    """Rows as ``rows`` gives them, as the content of a run file."""
    values = zip(*(rows[name].tolist() for name in ("qid", "docno", "rank")), strict=True)
    scores = [np.format_float_positional(score, trim="0") for score in rows["score"].to_numpy()]
    lines = (
        f"{qid} Q0 {docno} {rank} {score} {tag}\n"
        for (qid, docno, rank), score in zip(values, scores, strict=True)
    )
    return "".join(lines).encode()


def rows(
    ranking: pd.DataFrame,
    topics: Sequence[Topic],
    tag: str,
    *,
    depth: int = MAX_DEPTH,
    docnos: Container[str] | None = None,
) -> tuple[pd.DataFrame, Summary]:
    """What the lines of a run will say, a row a line: ``[qid, docno, rank, score]``.

    Args and errors are those of ``lines``.
    """
    if not TAG.fullmatch(tag):
        raise InputError(f"tag {tag!r}: letters, digits, - and _ are allowed")
    numbers = [topic.number for topic in topics]
    place = _places(ranking["qid"], numbers)
    docno, names = _factorised(ranking["docno"])
    _check_names(names, docnos)

    score = ranking["score"].to_numpy("float64", na_value=np.nan)
    finite = np.isfinite(score)
    order = np.lexsort((ranking["rank"].to_numpy(), place))
    scored = order[finite[order]]
    if lost := np.setdiff1d(place, place[scored]).tolist():
        raise RunError(
            f"{_names([numbers[number] for number in lost], 'topic')}: "
            "not one score is a finite number;"
            " look for a division by zero or a logarithm of zero in the stages of the config"
        )
    pairs = place[scored] * max(len(names), 1) + docno[scored]
    single = scored[~pd.Series(pairs).duplicated().to_numpy()]
    position = _position(place[single])
    top = position < min(depth, MAX_DEPTH)
    kept, rank = single[top], position[top] + 1
    if not len(kept):
        raise RunError("no topic has a result, so there is no run to write; look at the topics")
    found = np.unique(place[kept]).tolist()
    summary = Summary(
        tag=tag,
        topics=len(found),
        lines=len(kept),
        without_result=tuple(numbers[n] for n in sorted({*range(len(numbers))} - {*found})),
        not_finite=len(order) - len(scored),
        doubled=len(scored) - len(single),
        too_deep=len(single) - len(kept),
    )
    lines = ranking[["qid", "docno"]].iloc[kept].reset_index(drop=True)
    falling = decreasing(pd.Series(score[kept]), pd.Series(place[kept]))
    return lines.assign(rank=rank, score=falling), summary


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


def _places(qids: pd.Series, numbers: Sequence[str]) -> npt.NDArray[np.int64]:
    """The place of each row's topic.

    Raises:
        RunError: there is none.
    """
    codes, found = _factorised(qids)
    places = {number: place for place, number in enumerate(numbers)}
    if strange := [qid for qid in found if qid not in places]:
        raise RunError(f"{_names(strange, 'topic')}: in the ranking, but not in the topics")
    return np.array([places[qid] for qid in found], np.int64)[codes]


def _factorised(names: pd.Series) -> tuple[npt.NDArray[np.int64], list[str]]:
    """A number for each name, and the names; the last is one that is missing, if any is."""
    codes, found = pd.factorize(names.to_numpy(object))
    missing = [None] if (codes < 0).any() else []
    return codes, [*found.tolist(), *missing]


def _position(groups: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The place of each row among those of its group, from 0; those of a group stand together."""
    begins = np.flatnonzero(np.diff(groups, prepend=-1))
    sizes = np.diff(begins, append=len(groups))
    return np.arange(len(groups)) - np.repeat(begins, sizes)


def _check_names(names: Sequence[object], docnos: Container[str] | None) -> None:
    """That documents exist and can stand in a line.

    Raises:
        RunError: one that does not.
    """
    if broken := [] if _are_words(names) else [name for name in names if not _is_word(name)]:
        raise RunError(f"{_names(broken, 'document')}: a docno is one word without white space")
    if docnos is not None and (unknown := [name for name in names if name not in docnos]):
        raise RunError(
            f"{_names(unknown, 'document')}: in the ranking, but not in the collection; "
            "the index is of another one, build it anew"
        )


def _are_words(names: Sequence[object]) -> bool:
    """Whether all are words; looks at them as one, since there are many in a sweep."""
    texts = [name for name in names if isinstance(name, str) and name]
    return len(texts) == len(names) and (not texts or _is_word("".join(texts)))


def _is_word(name: object) -> bool:
    return isinstance(name, str) and name.split() == [name] and name.isprintable()


def _names(names: Sequence[object], thing: str) -> str:
    """``topics '1', '2', '3' and 4 more``."""
    shown = some([repr(name) for name in names], SHOWN)
    return f"{thing}{'' if len(names) == 1 else 's'} {shown}"
