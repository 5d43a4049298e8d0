"""The best of many points, and what its score is worth.

Scores are a frame: a row a point (its number is the index), a column a topic; NaN where the measure
has no value for a topic, which no mean counts. A mean is over topics.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from math import inf, isnan, nan
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from pipeline.errors import InputError
from pipeline.evaluation import significance

if TYPE_CHECKING:
    import pandas as pd

TIE = 12
"""Decimals in which means must differ; the rounding of sums is no reason to prefer a point."""

ENOUGH = 0.9
"""Share of a chosen point's first documents that should be judged."""


class Estimate(NamedTuple):
    """A mean over topics, and where it may lie."""

    score: float
    per_topic: dict[str, float]
    """Topics without a value are left out."""
    interval: significance.Interval
    """By the bootstrap over topics, 95 %; it knows nothing of how the point was chosen."""


class Fold(NamedTuple):
    """Topics whose point was chosen without them."""

    topics: tuple[str, ...]
    point: int
    inner: float
    """Mean of the point over all other topics, which chose it."""
    outer: float
    """Mean of the point over these; NaN if none of them has a value."""


class Nested(NamedTuple):
    """What choosing is worth, from one set of topics."""

    point: int
    """The best on all topics: the one to use."""
    in_sample: Estimate
    """Of that point on the topics that chose it: too good."""
    honest: Estimate
    """Each topic by the point that its fold chose without it: what a choice among these points, by
    as many topics, comes to on new topics."""
    folds: tuple[Fold, ...]

    @property
    def optimism(self) -> float:
        """How much better the in-sample score looks."""
        return self.in_sample.score - self.honest.score


def best(scores: pd.DataFrame) -> int:
    """The number of the point with the highest mean; of equal ones the first.

    Raises:
        InputError: no point has a value for any topic.
    """
    means = scores.mean(axis="columns").round(TIE)
    if scores.empty or means.isna().all():
        raise InputError(
            f"nothing to choose by: no point has a value for any of {scores.shape[1]} topics"
        )
    return [int(point) for point in scores.index][int(means.fillna(-inf).to_numpy().argmax())]


def estimate(values: Mapping[str, float]) -> Estimate:
    """The mean of values a topic, as of a chosen point on topics that did not choose it."""
    known = {topic: value for topic, value in values.items() if not isnan(value)}
    return Estimate(_mean(known), known, significance.interval(list(known.values())))


def _mean(values: Mapping[str, float]) -> float:
    known = [value for value in values.values() if not isnan(value)]
    return fmean(known) if known else nan


def _topics(scores: pd.DataFrame, point: int) -> dict[str, float]:
    """What a point has for each topic."""
    values = scores.to_numpy(float)[list(scores.index).index(point)]
    return {str(topic): float(value) for topic, value in zip(scores.columns, values, strict=True)}


def choose(scores: pd.DataFrame) -> tuple[int, Estimate]:
    """The best point, and what it scores on the topics that chose it.

    Raises:
        InputError: as ``best``.
    """
    point = best(scores)
    return point, estimate(_topics(scores, point))


def nested(scores: pd.DataFrame, folds: int = 5, seed: int = 1) -> Nested:
    """Nested cross-validation over topics (Varma and Simon, BMC Bioinformatics 2006).

    Each fold of topics is scored by the point that is best on all other topics. The folds are the
    same for the same topics, in whatever order they come.

    Args:
        scores: points and topics.
        folds: how many; with as many as topics, or more, each topic is a fold.
        seed: shuffles the topics.

    Raises:
        InputError: there are fewer than two topics, or as ``best``.
    """
    topics = sorted(scores.columns)
    if len(topics) < 2:
        raise InputError(
            f"nested cross-validation needs at least 2 topics, there is {len(topics)}; name "
            "topics: in report:, or give more judgements"
        )
    chance = random.Random(seed)
    topics.sort(key=lambda _: chance.random())
    found: list[Fold] = []
    honest: dict[str, float] = {}
    for first in range(min(folds, len(topics))):
        held_out = topics[first::folds]
        others = scores.drop(columns=held_out)
        point = best(others)
        outer = {topic: _topics(scores, point)[topic] for topic in held_out}
        honest |= outer
        inner = _mean(_topics(others, point))
        found.append(Fold(tuple(held_out), point, inner, _mean(outer)))
    point, in_sample = choose(scores)
    ordered = {topic: honest[topic] for topic in scores.columns}
    return Nested(point, in_sample, estimate(ordered), tuple(found))


def caution(by: str, judgements: str, judged: float) -> str:
    """What speaks against choosing by this measure on these judgements; empty: nothing known.

    Args:
        by: the measure.
        judgements: their name.
        judged: the share of the chosen point's first documents that are judged, as deep as the
            measure looks.
    """
    if not (by == "nDCG" or by.startswith("nDCG@")):
        return ""
    better = by.replace("nDCG", "nDCG_condensed")
    if judgements == "touche-2020/relevance":
        return (
            f"choosing by {by} on {judgements}: of the first documents of most systems a third to "
            f"half were never judged and count as not relevant; {better} leaves them out, and "
            "agrees better with 2021 (at 5: Kendall's tau over 11 runs 0.55, not 0.18)"
        )
    if judged < ENOUGH:
        return (
            f"choosing by {by} on {judgements}: {1 - judged:.0%} of the first documents of the "
            "chosen point were never judged and count as not relevant, so that being like the "
            f"systems that were judged pays; {better} leaves them out"
        )
    return ""
