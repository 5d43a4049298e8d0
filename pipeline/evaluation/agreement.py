"""How far two rankings of the same topics agree: overlap, RBO, Kendall's tau."""

from __future__ import annotations

import math
from bisect import bisect, insort
from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

DEPTH = 10
"""Documents that ``overlap`` looks at, from the top."""
PERSISTENCE = 0.9
"""p of RBO: how likely a reader is to go on to the next document; 0.9 reads 10 on average."""


class Agreement(NamedTuple):
    """Of two rankings of one topic, or the means over topics."""

    overlap: float
    """0 to 1, see ``overlap``."""
    rbo: float
    """0 to 1, see ``rank_biased_overlap``."""
    tau: float
    """-1 to 1, see ``kendall``; NaN where fewer than two documents are in both."""


class Agreements(NamedTuple):
    """Of two rankings."""

    per_topic: dict[str, Agreement]
    """For every topic of either; all 0 and tau NaN where only one has it."""

    @property
    def mean(self) -> Agreement:
        """Means over the topics; for tau over those that have one. NaN without any."""
        every = self.per_topic.values()
        return Agreement(
            _mean([one.overlap for one in every]),
            _mean([one.rbo for one in every]),
            _mean([one.tau for one in every]),
        )


def agreement(
    first: pd.DataFrame, second: pd.DataFrame, *, depth: int = DEPTH, p: float = PERSISTENCE
) -> Agreements:
    """Compares two rankings topic by topic.

    Args:
        first: ``[qid, docno, rank]``; ``rank`` decides, 0 best, each document once a topic.
        second: the same. All but tau are the same the other way round, and so is tau.
        depth: documents that ``overlap`` looks at.
        p: persistence of RBO, above 0 and below 1.
    """
    ours, theirs = _lists(first), _lists(second)
    topics = dict.fromkeys([*ours, *theirs])
    return Agreements(
        {
            topic: Agreement(
                overlap(ours.get(topic, []), theirs.get(topic, []), depth),
                rank_biased_overlap(ours.get(topic, []), theirs.get(topic, []), p),
                kendall(ours.get(topic, []), theirs.get(topic, [])),
            )
            for topic in topics
        }
    )


def overlap(first: Sequence[str], second: Sequence[str], depth: int = DEPTH) -> float:
    """Documents in the first ``depth`` of both, over ``depth``, 0 to 1.

    Where both lists are shorter than ``depth``, over the longer one, so that equal lists have 1.
    One empty: 0.
    """
    tops = first[:depth], second[:depth]
    longest = max(map(len, tops))
    return len(set(tops[0]) & set(tops[1])) / longest if longest else 0.0


def rank_biased_overlap(
    first: Sequence[str], second: Sequence[str], p: float = PERSISTENCE
) -> float:
    """RBO_EXT, extrapolated and for lists of uneven length (Webber et al., TOIS 2010, eq. 32).

    With s and l the lengths of the shorter and the longer list, and X_d the documents in the first
    d of both::

        (1 - p) / p * (sum_{d=1..l} X_d / d * p^d + sum_{d=s+1..l} X_s (d - s) / (s d) * p^d)
            + ((X_l - X_s) / l + X_s / s) * p^l

    0 disjoint to 1 equal; one empty: 0.
    """
    short, long = sorted((first, second), key=len)
    s, length = len(short), len(long)
    if not s:
        return 0.0
    shared = _shared(short, long)
    seen = sum(shared[d - 1] / d * p**d for d in range(1, length + 1))
    beyond = sum(shared[s - 1] * (d - s) / (s * d) * p**d for d in range(s + 1, length + 1))
    last = (shared[-1] - shared[s - 1]) / length + shared[s - 1] / s
    return (1 - p) / p * (seen + beyond) + last * p**length


def kendall(first: Sequence[str], second: Sequence[str]) -> float:
    """Kendall's tau (1938) over the documents that are in both lists, -1 to 1.

    1 - 2 D / (n (n - 1) / 2), where D of the pairs of n common documents stand the other way
    round. Documents of one list only count for nothing: ``overlap`` and RBO tell of them.
    Fewer than two in common: NaN.
    """
    places = {docno: place for place, docno in enumerate(first)}
    order = [places[docno] for docno in second if docno in places]
    if len(order) < 2:
        return math.nan
    before: list[int] = []
    turned = 0
    for place in order:
        turned += len(before) - bisect(before, place)
        insort(before, place)
    return 1 - 2 * turned / math.comb(len(order), 2)


def _shared(short: Sequence[str], long: Sequence[str]) -> list[int]:
    """X_d for d from 1 to the length of the longer list."""
    tops: tuple[set[str], set[str]] = set(), set()
    counts, common = [], 0
    for d, docno in enumerate(long):
        if d < len(short):
            tops[0].add(short[d])
            common += short[d] in tops[1]
        tops[1].add(docno)
        common += docno in tops[0]
        counts.append(common)
    return counts


def _lists(ranking: pd.DataFrame) -> dict[str, list[str]]:
    """The documents of each topic, best first."""
    ordered = ranking.sort_values(["qid", "rank"], kind="stable")
    return {str(qid): list(of) for qid, of in ordered.groupby("qid", sort=False)["docno"]}


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan
