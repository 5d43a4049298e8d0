"""Scores as published and ours, side by side."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.evaluation.agreement import DEPTH, Agreement
from pipeline.experiments.entries import known
from pipeline.experiments.tables.text import grid

OK, CLOSE = 0.0005, 0.02
"""Differences up to which a score is reproduced, or nearly: figures are published with 3 decimals,
and half of the intervals of two systems' scores on 50 topics are wider than 0.02."""

ALPHA = 0.05
"""p up to which a difference over topics is significant."""

REPRODUCED, NEARLY, DIFFERS = "ok", "close", "differs"
BELOW, NOT_RUN = "significantly below", "cannot be run"


@dataclass(frozen=True)
class Run:
    """The run file that was submitted for a system, beside the system's run."""

    file: str
    mean: float
    """What it scores by the same measure on the same judgements."""
    per_topic: Mapping[str, float]
    p: float
    """Of the paired t test of both runs over topics."""
    below: bool
    """Whether ours scores less than it."""
    agreement: Agreement


@dataclass(frozen=True)
class Row:
    """One published score of one system."""

    config: str
    judgements: str
    measure: str
    published: float
    md5: str = ""
    """Of the judgements."""
    ours: float = math.nan
    per_topic: Mapping[str, float] | None = None
    judged: float = math.nan
    """Share of judged documents down to the measure's cutoff."""
    run: Run | None = None
    why: str = ""
    """Why it cannot be run, or compared."""

    @property
    def difference(self) -> float:
        """Ours minus the published one."""
        return self.ours - self.published

    @property
    def status(self) -> str:
        """How well it is reproduced."""
        if self.why or math.isnan(self.ours):
            return NOT_RUN
        if abs(self.difference) <= OK + 1e-9:
            return REPRODUCED
        if self.run and self.run.below and self.run.p < ALPHA:
            return BELOW
        return NEARLY if abs(self.difference) <= CLOSE + 1e-9 else DIFFERS

    def plain(self) -> dict[str, Any]:
        """What JSON can hold."""
        run = self.run and {
            "file": self.run.file,
            "mean": known(self.run.mean),
            "per_topic": {topic: known(value) for topic, value in self.run.per_topic.items()},
            "p": known(self.run.p),
            f"overlap@{DEPTH}": known(self.run.agreement.overlap),
            "rbo": known(self.run.agreement.rbo),
            "tau": known(self.run.agreement.tau),
        }
        return {
            "config": self.config,
            "judgements": self.judgements,
            "md5": self.md5,
            "measure": self.measure,
            "published": self.published,
            "ours": known(self.ours),
            "difference": known(self.difference),
            "status": self.status,
            "why": self.why,
            "judged": known(self.judged),
            "per_topic": {topic: known(value) for topic, value in (self.per_topic or {}).items()},
            "run": run or None,
        }


def lines(rows: Sequence[Row]) -> Iterator[str]:
    """A table of the rows, and how many there are of each status."""
    compared = any(row.run for row in rows)
    heads = ["config", "judgements", "measure", "published", "  ours", "difference", "judged"]
    if compared:
        heads += [f"overlap@{DEPTH}", "  RBO", "  tau"]
    table = [[*heads, "status"]]
    for row in rows:
        cells = [row.config, row.judgements, row.measure, _published(row.published)]
        cells += [_number(row.ours, ".4f"), _number(row.difference, "+.4f", 10)]
        cells += [_number(row.judged, ".3f")]
        if compared:
            values = row.run.agreement if row.run else (math.nan,) * 3
            widths = len(heads[-3]), 5, 5
            cells += [_number(v, ".2f", width) for v, width in zip(values, widths, strict=True)]
        table.append([*cells, f"{row.status}: {row.why}" if row.why else row.status])
    yield from grid(table, width=1000)
    yield ""
    yield summary(rows)


def held(rows: Sequence[Row]) -> bool:
    """Whether scores were compared, and each is at least close."""
    found = {row.status for row in rows}
    return not found & {DIFFERS, BELOW} and found != {NOT_RUN}


def summary(rows: Sequence[Row]) -> str:
    """``3 scores: 1 ok, 2 differ``."""
    number = Counter(row.status for row in rows)
    order = (REPRODUCED, NEARLY, DIFFERS, BELOW, NOT_RUN)
    counted = ", ".join(f"{number[status]} {status}" for status in order if number[status])
    return f"{len(rows)} published score{'' if len(rows) == 1 else 's'}: {counted}"


def _published(value: float) -> str:
    """With three decimals, as leaderboards print it, or with as many as it has."""
    return f"{value:.3f} " if round(value, 3) == value else f"{value:.4f}"


def _number(value: float, form: str, width: int = 6) -> str:
    return ("-" if math.isnan(value) else format(value, form)).rjust(width)
