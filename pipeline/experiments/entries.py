"""What is known of one run by one measure: the form in which scores are kept and handed on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipeline.evaluation.judgements import Judgements
    from pipeline.evaluation.measures import Scores
    from pipeline.evaluation.significance import Interval


@dataclass(frozen=True)
class Entry:
    """A run's score by one measure on one set of judgements.

    A value that does not exist is NaN here, and ``null`` in JSON.
    """

    run: str
    judgements: str
    md5: str
    """Of the file of the judgements."""
    measure: str
    mean: float
    per_topic: Mapping[str, float]
    """NaN, or no value, for a topic that the measure leaves out of the mean."""
    judged: float
    """Mean share of judged documents down to the measure's cutoff, 0 to 1; NaN: not known."""

    @classmethod
    def of(cls, run: str, judgements: Judgements, scores: Scores) -> Entry:
        """The entry of scores just computed."""
        return cls(
            run,
            judgements.name,
            judgements.md5,
            scores.measure,
            scores.mean,
            dict(scores.per_topic),
            scores.judged,
        )

    @classmethod
    def read(cls, plain: Mapping[str, Any]) -> Entry:
        """The entry that ``plain`` made; other keys are passed over."""
        return cls(
            plain["run"],
            plain["judgements"],
            plain["md5"],
            plain["measure"],
            _number(plain["mean"]),
            {topic: _number(value) for topic, value in plain["per_topic"].items()},
            _number(plain["judged"]),
        )

    @property
    def interval(self) -> Interval:
        """95 % bootstrap interval of the mean."""
        from pipeline.evaluation.significance import interval

        return interval(list(self.per_topic.values()))

    def plain(self) -> dict[str, Any]:
        """What JSON can hold: ``{run, judgements, md5, measure, mean, per_topic, judged}``."""
        return {
            "run": self.run,
            "judgements": self.judgements,
            "md5": self.md5,
            "measure": self.measure,
            "mean": known(self.mean),
            "per_topic": {topic: known(value) for topic, value in self.per_topic.items()},
            "judged": known(self.judged),
        }


def known(number: float) -> float | None:
    """The number, or None where it is NaN or infinite, which JSON has no word for."""
    return number if math.isfinite(number) else None


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)


Cells = dict[tuple[str, str], dict[str, Mapping[str, float]]]


def cells(entries: Iterable[Entry]) -> Cells:
    """For each pair of judgements and measure the runs with their values a topic.

    In the order of ``entries``: so ``significance.compare`` of it holds every run against the
    first. Shares of judged documents are no measure of how good a run is, and are left out.
    """
    found: Cells = {}
    for entry in entries:
        if not entry.measure.startswith("Judged@"):
            key = entry.judgements, entry.measure
            found.setdefault(key, {})[entry.run] = entry.per_topic
    return found
