"""Scores of several runs as tables: for a terminal, for LaTeX, for other programs.

All are made from the same two lists: the entries, and the comparisons between them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pipeline.errors import count

if TYPE_CHECKING:
    from pipeline.evaluation.significance import Comparison
    from pipeline.experiments.entries import Entry

JUDGED = "Judged@"


class Scoreboard:
    """The scores on one set of judgements: a row a run, a column a measure."""

    def __init__(self, entries: Sequence[Entry], comparisons: Iterable[Comparison]):
        """Of entries of one set of judgements, and any comparisons; those of others are ignored."""
        self.judgements = entries[0].judgements
        self.entries = {(entry.run, entry.measure): entry for entry in entries}
        self.runs = list(dict.fromkeys(entry.run for entry in entries))
        self.measures = list(dict.fromkeys(entry.measure for entry in entries))
        self.comparisons = {
            (one.run, one.measure): one for one in comparisons if one.judgements == self.judgements
        }
        self.topics = max(len(entry.per_topic) for entry in entries)
        """That the judgements have."""

    @property
    def judged(self) -> list[str]:
        """The shares of judged documents that are known and not asked for, as measures."""
        names = [cutoff(entry.measure) for entry in self.entries.values() if _has_share(entry)]
        return [name for name in dict.fromkeys(names) if name not in self.measures]

    def share(self, run: str, name: str) -> float:
        """Of judged documents of a run, by the name in ``judged``; NaN where it is not known."""
        known = (
            entry.judged
            for entry in self.entries.values()
            if entry.run == run and _has_share(entry) and cutoff(entry.measure) == name
        )
        return next(known, math.nan)

    def mark(self, run: str, measure: str, alpha: float) -> int:
        """1 significantly better than the baseline, -1 worse, 0 neither, or not compared."""
        compared = self.comparisons.get((run, measure))
        return compared.mark(alpha) if compared else 0

    def best(self, measure: str) -> set[str]:
        """The runs with the highest mean, as it is shown; none where there is but one run."""
        means = {
            run: round(self.entries[run, measure].mean, 4)
            for run in self.runs
            if (run, measure) in self.entries
        }
        known = [mean for mean in means.values() if not math.isnan(mean)]
        if len(self.runs) < 2 or not known:
            return set()
        return {run for run, mean in means.items() if mean == max(known)}


def scoreboards(entries: Sequence[Entry], comparisons: Sequence[Comparison]) -> list[Scoreboard]:
    """One for each set of judgements, in the order of the entries."""
    names = dict.fromkeys(entry.judgements for entry in entries)
    return [
        Scoreboard([entry for entry in entries if entry.judgements == name], comparisons)
        for name in names
    ]


def cutoff(measure: str) -> str:
    """The share of judged documents that tells how far a measure can be trusted: ``Judged@5``."""
    found = re.search(r"@(\d+)", measure)
    return JUDGED + (found[1] if found else "10")


def number(value: float) -> str:
    """Four decimals, fewer for what is large; ``-`` for what does not exist."""
    if math.isnan(value):
        return "-"
    return f"{value:.4f}" if abs(value) < 10 else f"{value:,.1f}"


def bounds(low: float, high: float) -> str:
    """``[.654, .782]``; nothing where there is no interval."""
    if math.isnan(low):
        return ""
    return f"[{_short(low)}, {_short(high)}]"


def probability(p: float) -> str:
    """``.0132``, ``1``, ``<.0001``."""
    if p < 0.0001:
        return "<.0001"
    return f"{p:.4f}".removeprefix("0") if p < 0.99995 else "1"


def rests_on(comparisons: Sequence[Comparison], alpha: float) -> str:
    """What marks say: ``than X (paired t test, Holm over 3 comparisons, alpha 0.05)``."""
    baselines = " or ".join(dict.fromkeys(one.baseline for one in comparisons))
    made = count(len(comparisons), "comparison")
    return f"than {baselines} (paired t test, Holm over {made}, alpha {alpha:g})"


def _short(value: float) -> str:
    """``.654``, ``1.000``, ``47.6``."""
    if abs(value) >= 10:
        return number(value)
    return re.sub(r"^(-?)0\.", r"\1.", f"{value:.3f}")


def _has_share(entry: Entry) -> bool:
    return not math.isnan(entry.judged)
