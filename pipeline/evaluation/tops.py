"""The documents of each topic, best first: what measures are given of a ranking."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import islice

import numpy as np
import pandas as pd

Tops = dict[str, list[str]]
"""The documents of each topic, best first, each once."""

Grades = Mapping[str, Mapping[str, int]]
"""The grade of each judged document, topic by topic."""

STATED = "file_rank"
"""A column with the ranks of the file where they say another order than its scores."""


def of(ranking: pd.DataFrame, topics: Collection[str], *, by: str = "rank") -> Tops:
    """The documents of these topics; of a document that stands there twice the better rank.

    Args:
        ranking: ``[qid, docno]`` and the ranks.
        topics: those wanted; one without documents is left out.
        by: the column of the ranks that decide.
    """
    ranks = ranking[by].to_numpy()
    codes, qids = pd.factorize(ranking["qid"].to_numpy(dtype=object))
    order = np.lexsort((ranks, codes))
    bounds = np.searchsorted(codes[order], np.arange(len(qids) + 1)).tolist()
    docnos = ranking["docno"].to_numpy(dtype=object)[order].tolist()
    tops = {
        qid: docnos[first:end]
        for qid, first, end in zip(qids, bounds, bounds[1:], strict=False)
        if qid in topics
    }
    return {
        qid: top if len(set(top)) == len(top) else list(dict.fromkeys(top))
        for qid, top in tops.items()
    }


def cut(tops: Tops, k: int | None) -> Tops:
    """The first k of each topic; all without a k."""
    return tops if k is None else {qid: top[:k] for qid, top in tops.items()}


def condensed(tops: Tops, grades: Grades, k: int | None = None) -> Tops:
    """The first k judged ones of each topic."""
    found = {}
    for qid, top in tops.items():
        judged = grades[qid]
        found[qid] = list(islice((docno for docno in top if docno in judged), k))
    return found


def judged(tops: Tops, grades: Grades, k: int | None) -> dict[str, float]:
    """Of the first k of each judged topic, the share that is judged; 0 where there are none."""
    shares = dict.fromkeys(grades, 0.0)
    for qid, top in cut(tops, k).items():
        shares[qid] = sum(docno in grades[qid] for docno in top) / len(top)
    return shares
