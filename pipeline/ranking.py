"""Operations on rankings that stages share. Frames come and go; none is changed in place.

``rank`` alone says the order: the order of a frame's rows changes nothing. Rankings come out topic
after topic, as the topics first came, best document first, with a new index.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ["qid", "query", "docno", "score", "rank"]
"""What every ranking begins with, in this order."""

Scale = Literal["min_max", "z_score", "sum", "max", "none"]
"""How the scores of a topic are brought to a scale: see ``scale``."""

Mix = Literal["linear", "product", "replace", "sigmoid", "hybrid"]
"""How an old score and a new one become one: see ``mix``."""


def ranked(frame: pd.DataFrame) -> pd.DataFrame:
    """The ranking by its ``score``: the highest of each topic gets rank 0.

    Documents of one score keep the order that their ``rank`` says.
    """
    return _numbered(_sorted(frame, -frame["score"], frame["rank"]))


def arranged(ranking: pd.DataFrame, place: pd.Series[float]) -> pd.DataFrame:
    """The ranking in another order.

    The scores of a topic's remaining documents are dealt out again, the highest to the first: so
    they fit the new order, and a document that only loses others before it keeps its own.

    Args:
        ranking: the ranking.
        place: a number a row, with the index of ``ranking``. Documents are sorted by it within
            their topic, the lowest first; equal ones keep their order. NaN drops the document.
    """
    place = _fitted(place, ranking)
    kept, place = ranking[place.notna()], place[place.notna()]
    scores = _sorted(kept, -kept["score"])["score"].to_numpy()
    return _numbered(_sorted(kept, place, kept["rank"]).assign(score=scores))


def cut(frame: pd.DataFrame, depth: int) -> pd.DataFrame:
    """The first ``depth`` documents of each topic."""
    return frame[frame["rank"] < depth]


def scale(score: pd.Series[float], qid: pd.Series[str], how: Scale) -> pd.Series[float]:
    """Scores brought to one scale within each topic; their order stays.

    min_max: (s - min) / (max - min), from 0 to 1. All equal: 1, as for the best of any topic.

    z_score: (s - mean) / standard deviation (of all, not of a sample). All equal: 0.

    sum: (s - min) / (sum of all s - min), which add up to 1 (Montague and Aslam, CIKM 2001).
    All equal: 1 / their number.

    max: s / max. Where max is not above 0: s / -min, from -1 to 0. All 0: 0.

    none: s.
    """
    topics = score.groupby(qid)
    if how == "min_max":
        low, high = topics.transform("min"), topics.transform("max")
        return _over(score - low, high - low, flat=1.0)
    if how == "z_score":
        return _over(score - topics.transform("mean"), topics.transform("std", ddof=0), flat=0.0)
    if how == "sum":
        above = score - topics.transform("min")
        total = above.groupby(qid).transform("sum")
        return _over(above, total, flat=1.0 / topics.transform("size"))
    if how == "max":
        low, high = topics.transform("min"), topics.transform("max")
        return _over(score, high.where(high > 0, -low), flat=0.0)
    return score


def mix(
    old: pd.Series[float],
    new: pd.Series[float],
    qid: pd.Series[str],
    *,
    mixing: Mix,
    weight: float,
    scaling: Scale,
    slope: float = 1.0,
) -> pd.Series[float]:
    """One score of an old and a new one; w is ``weight``, s() is ``scale`` by ``scaling``.

    linear: (1 - w) s(old) + w s(new).

    product: s(old) (1 + w s(new)) (Heimdall, Touché 2021). It is for scores of at least 0: below 0
    a better new score lowers a document.

    replace: s(new).

    sigmoid: (1 - w) g(old) + w g(new), where g(x) = 1 / (1 + exp(-slope x)) (Yeagerists, Touché
    2021). Nothing is scaled.

    hybrid: (1 - w) s(old) + w g(new). Yeagerists name it without a formula: this is our reading.
    """
    if mixing == "replace":
        return scale(new, qid, scaling)
    if mixing == "product":
        return scale(old, qid, scaling) * (1 + weight * scale(new, qid, scaling))
    first = _sigmoid(old, slope) if mixing == "sigmoid" else scale(old, qid, scaling)
    second = scale(new, qid, scaling) if mixing == "linear" else _sigmoid(new, slope)
    return (1 - weight) * first + weight * second


def rescored(
    ranking: pd.DataFrame,
    scores: pd.Series[float],
    *,
    depth: int,
    weight: float,
    scaling: Scale,
    mixing: Mix,
    slope: float = 1.0,
) -> pd.DataFrame:
    """The ranking with new scores for the first ``depth`` documents of each topic.

    What is scaled is scaled over these. The others follow in their old order, with scores that
    fall in even steps from below the lowest of these, by 1 in all (by its size, if that is more).

    Args:
        ranking: the ranking, its index without doubles.
        scores: the new scores, with the index of the first ``depth``; none of them NaN.
        depth: how many of each topic are scored anew.
        weight: how much the new scores count.
        scaling: how both are brought to one scale.
        mixing: how they become one.
        slope: of the sigmoid, where there is one.
    """
    top = cut(ranking, depth)
    new = _fitted(scores, top).astype(float)
    mixed = mix(
        top["score"], new, top["qid"],
        mixing=mixing, weight=weight, scaling=scaling, slope=slope,
    )  # fmt: skip
    floor = ranking["qid"].map(mixed.groupby(top["qid"]).min()).astype(float)
    below = ranking.groupby("qid")["rank"].transform("size") - depth
    share = (ranking["rank"] - depth + 1) / below.clip(lower=1)
    score = (floor - floor.abs().clip(lower=1.0) * share).mask(ranking["rank"] < depth, mixed)
    return ranked(ranking.assign(score=score))


def _sorted(frame: pd.DataFrame, *keys: pd.Series[float]) -> pd.DataFrame:
    """The rows topic after topic, then by the keys, the lowest first."""
    import numpy as np

    topics = frame["qid"].factorize()[0]
    return frame.iloc[np.lexsort([*(key.to_numpy() for key in reversed(keys)), topics])]


def _numbered(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows that stand in their order, with their ``rank``, and the columns in theirs."""
    rank = frame.groupby("qid", sort=False).cumcount().to_numpy()
    first = [column for column in COLUMNS if column in frame or column == "rank"]
    others = [column for column in frame if column not in COLUMNS]
    return frame.assign(rank=rank)[[*first, *others]].reset_index(drop=True)


def _fitted(values: pd.Series[float], frame: pd.DataFrame) -> pd.Series[float]:
    """The values in the order of the frame's rows."""
    return values if values.index.equals(frame.index) else values.reindex(frame.index)


def _over(
    values: pd.Series[float], divisor: pd.Series[float], flat: float | pd.Series[float]
) -> pd.Series[float]:
    """``values / divisor``, and ``flat`` where the divisor is 0."""
    none = divisor == 0
    return (values / divisor.mask(none, 1.0)).mask(none, flat)


def _sigmoid(score: pd.Series[float], slope: float) -> pd.Series[float]:
    """``1 / (1 + exp(-slope x))``, written so that nothing overflows."""
    return 0.5 * (1 + (0.5 * slope * score).map(math.tanh))
