"""How far a system lies above or below the baseline, topic by topic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.experiments.report.model import Column, Report, System


@dataclass(frozen=True)
class Difference:
    """On one topic."""

    qid: str
    title: str
    value: float
    share: float
    """Of the largest difference, 0 to 1."""


@dataclass(frozen=True)
class Differences:
    """On all topics that both have a value for, the best first."""

    system: System
    column: Column
    bars: Sequence[Difference]
    better: int
    equal: int
    worse: int


def differences(report: Report, system: System, column: Column) -> Differences:
    """A system against the baseline by one column."""
    ours, theirs = (
        one.entries[column].per_topic if column in one.entries else {}
        for one in (system, report.system(report.baseline))
    )
    titles = {topic.number: topic.title for topic in report.topics}
    found = [
        (qid, round(ours[qid] - theirs[qid], 4))
        for qid in titles
        if qid in ours and qid in theirs and ours[qid] == ours[qid] and theirs[qid] == theirs[qid]
    ]
    largest = max((abs(value) for _, value in found), default=0) or 1
    found.sort(key=lambda one: -one[1])  # stable: equal ones stay in the order of topics
    return Differences(
        system,
        column,
        [Difference(qid, titles[qid], value, abs(value) / largest) for qid, value in found],
        sum(value > 0 for _, value in found),
        sum(value == 0 for _, value in found),
        sum(value < 0 for _, value in found),
    )


def rival(report: Report) -> System | None:
    """The system that is held against the baseline first: the chosen one, else the best other."""
    others = [system for system in report.systems if system.name != report.baseline]
    chosen = [system for system in others if system.name in report.chosen]
    return next(iter([*chosen, *others]), None)
