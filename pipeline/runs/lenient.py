"""Run files as they are found: other people's, of any year, with what had to be assumed."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from pipeline.errors import InputError, count

PLAIN = {"Q0", "q0", "0", "Q", "-"}
"""What stands in column 2 of a run when it says nothing."""


class Run(NamedTuple):
    """A run as it was read."""

    ranking: pd.DataFrame
    """``[qid, docno, score, rank, tag]``, topics in file order, rank 0 best; ``stance`` too where
    column 2 says something, as in the runs of image retrieval and of comparative questions, and
    ``file_rank`` where the ranks of the file say another order than ``rank``."""
    assumed: list[str]
    """What does not go without saying about the file, and how it was taken."""


@dataclass
class _Rows:
    """The lines of a run, column by column, and those that are none."""

    line: list[int] = field(default_factory=list)
    qid: list[str] = field(default_factory=list)
    stance: list[str] = field(default_factory=list)
    docno: list[str] = field(default_factory=list)
    place: list[str] = field(default_factory=list)
    score: list[float] = field(default_factory=list)
    tag: list[str] = field(default_factory=list)
    skipped: list[int] = field(default_factory=list)

    def add(self, line: int, text: str) -> None:
        fields = text.split(None, 5)
        try:
            score = float(fields[4])
        except (IndexError, ValueError):
            self.skipped.append(line)
            return
        self.line.append(line)
        self.qid.append(fields[0])
        self.stance.append(fields[1])
        self.docno.append(fields[2])
        self.place.append(fields[3])
        self.score.append(score)
        self.tag.append(fields[5].strip().strip("\"'") if len(fields) == 6 else "")


def read(file: Path) -> Run:
    """Reads a run file, plain or compressed, in whatever shape it came.

    Order is that of trec_eval, by which runs have been judged: score descending as float32, then
    docno descending; the rank in the file counts for nothing.

    Raises:
        InputError: the file cannot be read, or no line of it is one of a run.
    """
    assumed: list[str] = []
    rows = _Rows()
    for line, text in enumerate(_text(file, assumed).split("\n"), 1):
        if text.strip():
            rows.add(line, text)
    if not rows.line:
        raise InputError(f"{file}: no line of a run in it; qid Q0 docno rank score tag expected")
    if skipped := rows.skipped:
        assumed.append(
            f"{file}:{skipped[0]}: {count(len(skipped), 'line')} without five columns "
            "and a score in the fifth, skipped"
        )
    ranking = pd.DataFrame(
        {"qid": rows.qid, "docno": rows.docno, "score": rows.score, "tag": rows.tag}
    )
    keys = ["qid"]
    if not PLAIN.issuperset(rows.stance):
        ranking["stance"] = rows.stance
        assumed.append(f"{file}: column 2 is {_some(rows.stance)}, not Q0; kept as stance")
        if ranking.assign(place=rows.place).duplicated(["qid", "place"]).any():
            keys = ["qid", "stance"]
            assumed.append(f"{file}: ranks are counted apart for each value of column 2")
    ranks = pd.to_numeric(pd.Series(rows.place), errors="coerce")
    assumed += [f"{file}: {what}" for what in _assumed(ranking, rows, ranks, keys)]
    return Run(_ordered(ranking.assign(file_rank=ranks), keys), assumed)


def content(file: Path) -> bytes:
    """What a run file holds, plain or compressed.

    Raises:
        InputError: it cannot be read.
    """
    try:
        held = file.read_bytes()
        return gzip.decompress(held) if held.startswith(b"\x1f\x8b") else held
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"{file}: broken gzip: {error}") from None
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from None


def _text(file: Path, assumed: list[str]) -> str:
    held = content(file)
    try:
        return held.decode("utf-8-sig")
    except UnicodeDecodeError:
        assumed.append(f"{file}: not UTF-8; read as Latin-1")
        return held.decode("latin-1")


def _ordered(ranking: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """The rows in trec_eval's order, each document once a topic, with their ranks.

    ``file_rank`` is dropped where it says nothing else, or is not a number everywhere.
    """
    place = {qid: place for place, qid in enumerate(ranking["qid"].unique())}
    ordered = ranking.assign(
        place=ranking["qid"].map(place), float32=_float32(ranking["score"])
    ).sort_values(
        ["place", *keys[1:], "float32", "docno"],
        ascending=[True] * len(keys) + [False, False],
        kind="stable",
    )
    single = ordered[~ordered.duplicated([*keys, "docno"])]
    stated = single.groupby(keys)["file_rank"]
    others = list(ranking.columns[3:])
    if single["file_rank"].isna().any() or not (stated.diff() < 0).any():
        others.remove("file_rank")
    columns = ["qid", "docno", "score", "rank", *others]
    return single.assign(rank=single.groupby(keys).cumcount()).reset_index(drop=True)[columns]


def _float32(scores: pd.Series) -> pd.Series:
    with np.errstate(over="ignore"):
        return scores.astype(np.float32)


def _assumed(
    ranking: pd.DataFrame, rows: _Rows, ranks: pd.Series[float], keys: list[str]
) -> Iterator[str]:
    """What else was taken one way or the other."""
    groups = ranking.assign(float32=_float32(ranking["score"]))
    if "" in rows.tag:
        yield f"{count(rows.tag.count(''), 'line')} without a tag"
    if tags := sorted(set(filter(None, rows.tag))):
        if len(tags) > 1:
            yield f"tags {_some(tags)}, one is usual"
        elif len(tags[0].split()) > 1:
            yield f"the tag is several words, '{tags[0]}'"
    if doubled := int(ranking.duplicated([*keys, "docno"]).sum()):
        yield f"{count(doubled, 'document')} again in the same topic; the best score counts"
    if not_finite := int((~np.isfinite(ranking["score"])).sum()):
        yield f"{count(not_finite, 'score')} NaN or infinite"
    if ties := int(groups.duplicated([*keys, "float32"]).sum()):
        yield f"{count(ties, 'score')} equal to another of the topic; ordered by docno, descending"
    if ranks.min() == 0:
        yield "ranks are counted from 0"
    by_rank = groups.assign(ranks=ranks).sort_values([*keys, "ranks"], kind="stable")
    rises = by_rank.groupby(keys)["float32"].diff() > 0
    if ranks.isna().any() or rises.any():
        yield "ranks that contradict the scores, or are no numbers; the scores decide"


def _some(values: list[str]) -> str:
    """``PRO, CON`` or ``a, b, c and more``."""
    different = list(dict.fromkeys(values))
    return ", ".join(different[:3]) + (" and more" if len(different) > 3 else "")
