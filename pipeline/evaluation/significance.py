"""Whether a difference between runs is more than chance: intervals, paired tests, Holm.

Topics are the sample: a run has a value a topic, and two runs are compared topic by topic.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

RESAMPLES = 10_000
"""Resamples of the bootstrap."""
FLIPS = 20_000
"""Random flips of the randomisation test, where there are too many to try all."""
EXACT = 16
"""Topics that differ up to which the randomisation test tries all 2^n flips."""
SEED = 1

PerTopic = Mapping[str, float]
"""A run's value for each topic; NaN, or no value, where the measure has none for it."""


class Interval(NamedTuple):
    """Where a mean lies; both NaN for fewer than two topics, from which nothing can be said."""

    low: float
    high: float


@dataclass(frozen=True)
class Comparison:
    """A run against the baseline, by one measure on one set of judgements."""

    run: str
    baseline: str
    judgements: str
    measure: str
    topics: int
    """On which both have a value."""
    left_out: int
    """Topics on which only one of the two has a value; nothing here counts them."""
    difference: float
    """Mean of the run minus mean of the baseline, over ``topics``."""
    effect: float
    """See ``effect_size``."""
    t: float
    """p of the paired t test."""
    randomisation: float
    """p of the paired randomisation test."""
    t_holm: float = math.nan
    """The same after Holm's correction, over all comparisons made together."""
    randomisation_holm: float = math.nan

    def mark(self, alpha: float = 0.05) -> int:
        """1 significantly better than the baseline, -1 worse, 0 neither: t test, after Holm."""
        return 0 if self.t_holm > alpha else int(math.copysign(1, self.difference))


def interval(
    values: Sequence[float] | Floats,
    *,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Interval:
    """Bootstrap percentile interval of the mean (Efron 1979; Sakai, SIGIR 2006).

    Topics are drawn with replacement, as many as there are, ``resamples`` times; the interval
    holds the middle ``level`` of their means.

    Args:
        values: one a topic; NaN is left out.
        level: share of the means inside, 0 to 1.
        resamples: how often topics are drawn.
        seed: the same seed gives the same interval for the same number of topics.
    """
    known = _known(values)
    if len(known) < 2:
        return Interval(math.nan, math.nan)
    means = _draws(len(known), resamples, seed) @ known / len(known)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high))


def paired_t(differences: Sequence[float] | Floats) -> float:
    """Two-sided p of the paired t test (Student 1908).

    t = mean / (s / sqrt(n)), s the standard deviation of the sample, n - 1 degrees of freedom.
    All differences zero, or fewer than two: 1. All equal and not zero: 0.
    """
    from scipy.special import stdtr

    d = np.asarray(differences, float)
    if len(d) < 2 or not d.any():
        return 1.0
    deviation = _deviation(d)
    if not deviation:
        return 0.0
    t = abs(float(d.mean())) / (deviation / math.sqrt(len(d)))
    return float(2 * stdtr(len(d) - 1, -t))


def randomisation(
    differences: Sequence[float] | Floats, *, flips: int = FLIPS, seed: int = SEED
) -> float:
    """Two-sided p of the paired randomisation test (Fisher 1935; Smucker et al., CIKM 2007).

    Were the runs alike, each difference could as well have the other sign. p is the share of all
    sign flips whose mean is at least as far from 0 as the one observed. With at most ``EXACT``
    differences other than zero all flips are tried; with more, ``flips`` random ones, and
    p = (those as far + 1) / (flips + 1), since the observed one is one of them: so p is never 0
    (Phipson and Smyth 2010). All differences zero: 1.
    """
    d = np.asarray(differences, float)
    if not d.any():
        return 1.0
    different = d[d != 0]
    exact = len(different) <= EXACT
    d = different if exact else d  # at random all are flipped: so one set of signs serves many
    signs = _all_signs(len(d)) if exact else _random_signs(len(d), flips, seed)
    observed = abs(float(d.sum()))
    tolerance = 1e-12 * float(np.abs(d).sum())  # sums in another order differ in their last bits
    as_far = int((np.abs(signs @ d) >= observed - tolerance).sum())
    return as_far / len(signs) if exact else (as_far + 1) / (len(signs) + 1)


def effect_size(differences: Sequence[float] | Floats) -> float:
    """Cohen's d of paired values: mean of the differences over their standard deviation.

    All differences zero, or fewer than two: 0. All equal and not zero: infinite.
    """
    d = np.asarray(differences, float)
    if len(d) < 2 or not d.any():
        return 0.0
    mean, deviation = float(d.mean()), _deviation(d)
    return mean / deviation if deviation else math.copysign(math.inf, mean)


def holm(p: Sequence[float]) -> list[float]:
    """Holm's step-down correction (Holm 1979): p values that may be held against alpha.

    Of m values, the i-th smallest becomes the largest of (m - j + 1) p_j for j <= i, at most 1.
    """
    corrected = [0.0] * len(p)
    largest = 0.0
    for place, i in enumerate(sorted(range(len(p)), key=lambda i: p[i])):
        largest = max(largest, min(1.0, (len(p) - place) * p[i]))
        corrected[i] = largest
    return corrected


def compare(
    scores: Mapping[tuple[str, str], Mapping[str, PerTopic]], *, seed: int = SEED
) -> list[Comparison]:
    """Every run against the first, by every measure; Holm over all of them.

    Args:
        scores: for each pair of judgements and measure the runs, first the baseline, each with
            its value a topic. Only topics on which both have a value are compared.
        seed: of the randomisation test.

    Returns:
        The comparisons in the order of ``scores``; none for runs without a topic in common.
    """
    found = [
        _compared(name, first, judgements, measure, runs, seed)
        for (judgements, measure), runs in scores.items()
        for first in list(runs)[:1]
        for name in list(runs)[1:]
    ]
    made = [one for one in found if one.topics]
    corrected = zip(holm([c.t for c in made]), holm([c.randomisation for c in made]), strict=True)
    return [
        replace(one, t_holm=t, randomisation_holm=r)
        for one, (t, r) in zip(made, corrected, strict=True)
    ]


def _compared(
    name: str,
    first: str,
    judgements: str,
    measure: str,
    runs: Mapping[str, PerTopic],
    seed: int,
) -> Comparison:
    ours, theirs = _with_value(runs[name]), _with_value(runs[first])
    both = sorted(ours.keys() & theirs.keys())
    d = np.array([ours[topic] - theirs[topic] for topic in both], float)
    return Comparison(
        run=name,
        baseline=first,
        judgements=judgements,
        measure=measure,
        topics=len(both),
        left_out=len(ours.keys() ^ theirs.keys()),
        difference=float(d.mean()) if both else math.nan,
        effect=effect_size(d),
        t=paired_t(d),
        randomisation=randomisation(d, seed=seed),
    )


def _with_value(values: PerTopic) -> dict[str, float]:
    return {topic: value for topic, value in values.items() if not math.isnan(value)}


def _known(values: Sequence[float] | Floats) -> Floats:
    given: Floats = np.asarray(values, float)
    return np.compress(~np.isnan(given), given)


def _deviation(d: Floats) -> float:
    """Standard deviation of the sample; 0 where it is nothing but rounding."""
    deviation = float(d.std(ddof=1))
    return deviation if deviation > 1e-12 * float(np.abs(d).max()) else 0.0


@lru_cache(maxsize=8)
def _draws(topics: int, resamples: int, seed: int) -> Floats:
    """How often each topic is drawn in each resample: ``resamples`` x ``topics``."""
    generator = np.random.default_rng(seed)
    draws = generator.multinomial(topics, [1 / topics] * topics, size=resamples)
    return np.asarray(draws, np.float64)


@lru_cache(maxsize=2)
def _random_signs(topics: int, flips: int, seed: int) -> Floats:
    """Random signs: ``flips`` x ``topics`` of -1 and 1."""
    bits = np.random.default_rng(seed).integers(0, 2, size=(flips, topics), dtype=np.int8)
    return bits.astype(float) * 2 - 1


@lru_cache(maxsize=4)
def _all_signs(topics: int) -> Floats:
    """Every way to give ``topics`` differences a sign: 2^topics x ``topics`` of -1 and 1."""
    numbers = np.arange(2**topics)[:, None]
    return (numbers >> np.arange(topics) & 1).astype(float) * 2 - 1
