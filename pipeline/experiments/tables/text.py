"""Scores as tables for a terminal."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pipeline.errors import count
from pipeline.experiments.tables import (
    Scoreboard,
    bounds,
    number,
    probability,
    rests_on,
    scoreboards,
)

if TYPE_CHECKING:
    from pipeline.evaluation.significance import Comparison
    from pipeline.experiments.entries import Entry

WIDTH = 100
"""Columns of a terminal; a wider table goes on below, with its first column again."""
GAP = 2
MARKS = {1: "^", 0: "", -1: "v"}


def lines(
    entries: Sequence[Entry],
    comparisons: Sequence[Comparison],
    *,
    alpha: float = 0.05,
    per_topic: bool = False,
    width: int = WIDTH,
) -> list[str]:
    """The scores, how far to trust them, and the tests against the first run.

    Args:
        entries: in the order in which runs and measures are shown.
        comparisons: of the same runs; may be empty.
        alpha: p after Holm's correction up to which a difference is marked.
        per_topic: shows the value for each topic too.
        width: columns that there are.
    """
    found: list[str] = []
    for board in scoreboards(entries, comparisons):
        found += [f"{board.judgements}, {count(board.topics, 'topic')}", ""]
        found += [*grid(list(_scores(board, alpha)), width), ""]
        if board.comparisons:
            found += [*_tests(board, width), ""]
        for measure in board.measures if per_topic else ():
            found += [f"{measure} topic by topic", ""]
            found += [*grid(list(_by_topic(board, measure)), width), ""]
    for line in _legend(entries, comparisons, alpha):
        found += textwrap.wrap(line, width, subsequent_indent=" " * 6)
    return found


def grid(rows: Sequence[Sequence[str]], width: int = WIDTH) -> list[str]:
    """Rows in columns; where there is no room, the table goes on below, its first column again.

    Args:
        rows: first the heads; all of one length.
        width: columns that a line may have; one that is wider by itself is not broken.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    parts: list[list[int]] = [[0]]
    for place in range(1, len(widths)):
        taken = sum(widths[of] + GAP for of in parts[-1])
        if len(parts[-1]) > 1 and taken + widths[place] > width:
            parts.append([0])
        parts[-1].append(place)
    found: list[str] = []
    for part in parts:
        found += [""] if found else []
        for row in rows:
            cells = [row[place].ljust(widths[place]) for place in part]
            found.append((" " * GAP).join(cells).rstrip())
    return found


def _scores(board: Scoreboard, alpha: float) -> Iterator[list[str]]:
    yield ["run", *board.measures, *board.judged]
    for run in board.runs:
        cells = (_cell(board, run, measure, alpha) for measure in board.measures)
        yield [run, *cells, *(_share(board.share(run, name)) for name in board.judged)]


def _cell(board: Scoreboard, run: str, measure: str, alpha: float) -> str:
    """``0.6327 [.560, .703] v``."""
    entry = board.entries.get((run, measure))
    if entry is None:
        return "-"
    shown = number(entry.mean), bounds(*entry.interval), MARKS[board.mark(run, measure, alpha)]
    return " ".join(filter(None, shown))


def _share(share: float) -> str:
    return "-" if math.isnan(share) else f"{share:.3f}"


def _tests(board: Scoreboard, width: int) -> Iterator[str]:
    made = list(board.comparisons.values())
    rows = [["run", "measure", "difference", "d", "p of t", "Holm", "p of flips", "Holm", "topics"]]
    for one in made:
        p = one.t, one.t_holm, one.randomisation, one.randomisation_holm
        differs = f"{one.difference:+.4f}", f"{one.effect:+.2f}"
        rows.append([one.run, one.measure, *differs, *map(probability, p), str(one.topics)])
    alike = len({one.topics for one in made}) == 1
    over = count(made[0].topics, "topic") if alike else "the topics for which both have a value"
    yield f"against {made[0].baseline}, over {over}"
    yield ""
    yield from grid([row[:-1] if alike else row for row in rows], width)


def _by_topic(board: Scoreboard, measure: str) -> Iterator[list[str]]:
    """A row a topic, a column a run."""
    of = {
        run: board.entries[run, measure].per_topic
        for run in board.runs
        if (run, measure) in board.entries
    }
    yield ["topic", *of]
    for topic in dict.fromkeys(topic for values in of.values() for topic in values):
        yield [topic, *(number(values.get(topic, math.nan)) for values in of.values())]


def _legend(
    entries: Sequence[Entry], comparisons: Sequence[Comparison], alpha: float
) -> Iterator[str]:
    if any(bounds(*entry.interval) for entry in entries):
        yield "[ ]   95 % bootstrap interval of the mean over topics"
    if comparisons:
        made = count(len(comparisons), "comparison")
        yield f"^ v   significantly better, worse {rests_on(comparisons, alpha)}"
        yield "d     effect size: mean of the differences over their standard deviation"
        yield f"p     two-sided, of the paired t test and of random flips of signs; Holm: of {made}"
