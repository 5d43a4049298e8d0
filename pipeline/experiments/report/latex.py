"""The leaderboard as a table for a paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipeline.evaluation.significance import Comparison
from pipeline.experiments.report.board import entries
from pipeline.experiments.report.model import Report
from pipeline.experiments.tables import latex

ROWS = 30
"""Of the best systems, so that a table fits a page."""


def leaderboard(report: Report, made: Sequence[Comparison]) -> str:
    """A ``tabular`` of the best systems, the baseline first, points with their values.

    Args:
        report: what it is about.
        made: the comparisons of all systems with the baseline.
    """
    labels = {system.name: system.label for system in report.systems}
    kept = {system.name for system in report.shown(ROWS)}
    rows = [replace(one, run=labels[one.run]) for one in entries(report) if one.run in kept]
    named = [replace(one, run=labels[one.run], baseline=labels[one.baseline]) for one in made]
    return latex.table(rows, named, caption=report.title) + "\n"
