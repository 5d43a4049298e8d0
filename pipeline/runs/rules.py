"""What each line of a run must be: rules over all its lines at once."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from pipeline.errors import count
from pipeline.runs.trec import MAX_DEPTH, TAG

Rule = tuple["pd.Series | npt.NDArray[np.bool]", str, str]
"""The rows that break it, what each has, what is allowed; both texts name columns in braces."""

RELEASES = {
    "args.me 1.0": r"[0-9a-f]{8}-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ-\d{5}-\d{3}",
    "args.me 1.0, cut off after 20 characters": r"[0-9a-f]{8}-\d{4}-\d\d-\d\dT",
    "args.me 2020-04-01": r"S[0-9a-f]{1,8}-A[0-9a-f]{1,8}",
}
"""What ids of documents look like in each release of the corpus."""


def of_lines(rows: pd.DataFrame) -> Iterator[Rule]:
    """What each line must hold."""
    yield rows["Q0"] != "Q0", "column 2 is {Q0}", "Q0 is allowed"
    yield rows["rank"] != rows["position"].astype("str"), "rank {rank}", "{position} is expected"
    with np.errstate(over="ignore"):
        finite = np.isfinite(rows["value"].astype(np.float32))
    yield ~finite, "score {score}", "a finite number is allowed (float32)"
    plain = rows["score"].str.fullmatch(r"-?[0-9]+(\.[0-9]+)?")
    yield finite & ~plain, "score {score}", "plain digits are allowed, without an exponent"
    new = ~rows.duplicated("tag")
    yield new & ~rows["tag"].str.fullmatch(TAG), "tag {tag}", "letters, digits, - and _ are allowed"
    yield new & (rows.index > 0), "tag {tag} after another one", "one tag is allowed"
    doubled = rows.duplicated(["qid", "docno"])
    yield doubled, "document {docno} again for topic {qid}", "each is allowed once"
    too_deep = rows["position"] == MAX_DEPTH + 1
    yield too_deep, "line {position} of topic {qid}", f"{MAX_DEPTH} are allowed"


def of_order(rows: pd.DataFrame) -> Iterator[Rule]:
    """What each line must be after the line before it of the same topic."""
    begins = rows["qid"] != rows["qid"].shift()
    apart = begins & rows.duplicated("qid")
    yield apart, "topic {qid} again", "the lines of a topic stand together"
    before = rows.groupby("qid")["value"].shift()
    rises = rows["value"] > before
    falls_strictly = "scores that fall are expected, also when rounded to float32"
    yield rises, "score {score} is above the one before", falls_strictly
    with np.errstate(over="ignore"):
        ties = rows["value"].astype(np.float32) == before.astype(np.float32)
    yield ties & ~rises, "score {score} equals the one before in float32", falls_strictly


def of_topics(rows: pd.DataFrame, numbers: Sequence[str]) -> Iterator[Rule]:
    """Which topics there may be, and in which order."""
    first = ~rows.duplicated("qid")
    known = rows["qid"].isin(numbers)
    yield first & ~known, "topic {qid} is not in the topics", "only those of the input are allowed"
    places = {number: place for place, number in enumerate(numbers)}
    firsts = rows[first & known]
    early = firsts["qid"].map(places).diff() < 0
    behind = rows.index.isin(firsts.index[early])
    yield behind, "topic {qid} stands too late", "the order of the topics is expected"


def of_documents(rows: pd.DataFrame, docnos: Container[str]) -> Iterator[Rule]:
    """Which documents there may be."""
    first = rows.loc[~rows.duplicated("docno"), "docno"]
    unknown = first.index[[docno not in docnos for docno in first]]
    broken = rows.index.isin(unknown)
    yield broken, "document {docno} is not in the collection", "only its documents are allowed"


def known_share(rows: pd.DataFrame, docnos: Container[str]) -> str:
    """How many of a run's documents there are, and what may have happened; empty if all."""
    named = rows["docno"].unique()
    unknown = [docno for docno in named if docno not in docnos]
    if not unknown:
        return ""
    known = len(named) - len(unknown)
    theirs = _release(unknown[0])
    ours = _release(next(iter(docnos), "")) if isinstance(docnos, Collection) else ""
    hint = f"; the others look like {theirs}" if theirs and theirs != ours else ""
    if hint and ours:
        hint += f", the collection like {ours}"
    of = count(len(named), "document")
    return f"{known:,} of {of} ({known / len(named):.1%}) are in the collection{hint}"


def _release(docno: str) -> str:
    """The release of args.me whose ids look so; empty if none."""
    return next((name for name, shape in RELEASES.items() if re.fullmatch(shape, docno)), "")
