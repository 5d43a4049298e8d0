"""Which documents of a topic are of one kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pipeline.index.settings import Part

if TYPE_CHECKING:
    import pandas as pd

    from pipeline.index.base import Index

By = Literal["text", "debate", Part]
"""What makes documents be of one kind: the text of the index's first field, the debate (the part of
an args.me id before its first ``-``), or a part of the argument."""


def earlier(ranking: pd.DataFrame, by: By, index: Index) -> pd.Series[int]:
    """How many documents of its kind stand above each document in its topic.

    A document whose text, or part, is empty is of no kind: 0.
    """
    kinds = ranking["docno"].map(_kinds(ranking["docno"].unique().tolist(), by, index))
    ordered = ranking[["qid", "rank"]].assign(kind=kinds).sort_values("rank")
    above = ordered.groupby(["qid", "kind"]).cumcount()
    return above.where(ordered["kind"] != "", 0).reindex(ranking.index)


def fold(text: str) -> str:
    """Without case, and with one blank for any white space: what is equal here reads alike."""
    return " ".join(text.casefold().split())


def _kinds(docnos: list[str], by: By, index: Index) -> dict[str, str]:
    if by == "debate":
        return {docno: docno.partition("-")[0] for docno in docnos}
    values = index.text(docnos) if by == "text" else index.parts(docnos, [by])[by]
    return {docno: fold(value) for docno, value in zip(docnos, values, strict=True)}
