"""Scores as a table for a paper."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pipeline.errors import count
from pipeline.experiments.tables import Scoreboard, number, rests_on, scoreboards

if TYPE_CHECKING:
    from pipeline.evaluation.significance import Comparison
    from pipeline.experiments.entries import Entry

MARKS = {1: r"$^{\uparrow}$", 0: "", -1: r"$^{\downarrow}$"}

SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}


def table(
    entries: Sequence[Entry],
    comparisons: Sequence[Comparison],
    *,
    alpha: float = 0.05,
    caption: str = "",
) -> str:
    r"""A ``tabular`` for the package booktabs, a row a run, the best of each measure in bold.

    Measures stand below the judgements they are of. An arrow up or down marks what is
    significantly better or worse than the baseline. Comments above say measures, topics and
    tests: what its caption must tell.

    Args:
        entries: in the order in which runs and measures are shown; at least one.
        comparisons: of the same runs; may be empty.
        alpha: p after Holm's correction up to which a difference is marked.
        caption: what else the comments say, first.
    """
    boards = scoreboards(entries, comparisons)
    runs = list(dict.fromkeys(entry.run for entry in entries))
    widths = [len(board.measures) + len(board.judged) for board in boards]
    return "\n".join(
        [
            *([f"% {caption}"] if caption else []),
            *_comments(boards, comparisons, alpha),
            rf"\begin{{tabular}}{{l{'r' * sum(widths)}}}",
            r"\toprule",
            *_heads(boards, widths),
            r"\midrule",
            *(_row(run, boards, alpha) for run in runs),
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def escaped(text: str) -> str:
    """The text with what TeX would take for a command written out."""
    return "".join(SPECIAL.get(sign, sign) for sign in text)


def _comments(
    boards: Sequence[Scoreboard], comparisons: Sequence[Comparison], alpha: float
) -> Iterator[str]:
    yield r"% needs \usepackage{booktabs}"
    for board in boards:
        measures = ", ".join(board.measures)
        yield f"% {board.judgements}: mean {measures} over {count(board.topics, 'topic')}"
    yield "% bold: the highest mean of a column"
    if comparisons:
        yield f"% arrows: significantly better, worse {rests_on(comparisons, alpha)}"


def _heads(boards: Sequence[Scoreboard], widths: Sequence[int]) -> Iterator[str]:
    """The judgements, a rule below each, and the measures."""
    names = (
        rf"\multicolumn{{{width}}}{{c}}{{{escaped(board.judgements)}}}"
        for board, width in zip(boards, widths, strict=True)
    )
    yield rf" & {' & '.join(names)} \\"
    ends = [1 + sum(widths[: place + 1]) for place in range(len(widths))]
    yield " ".join(
        rf"\cmidrule(lr){{{end - width + 1}-{end}}}"
        for end, width in zip(ends, widths, strict=True)
    )
    heads = [name for board in boards for name in (*board.measures, *board.judged)]
    yield rf"run & {' & '.join(map(escaped, heads))} \\"


def _row(run: str, boards: Sequence[Scoreboard], alpha: float) -> str:
    cells = [escaped(run)]
    for board in boards:
        cells += [_cell(board, run, measure, alpha) for measure in board.measures]
        shares = (board.share(run, name) for name in board.judged)
        cells += ["--" if math.isnan(share) else f"{share:.3f}" for share in shares]
    return rf"{' & '.join(cells)} \\"


def _cell(board: Scoreboard, run: str, measure: str, alpha: float) -> str:
    entry = board.entries.get((run, measure))
    if entry is None or math.isnan(entry.mean):
        return "--"
    shown = number(entry.mean)
    shown = rf"\textbf{{{shown}}}" if run in board.best(measure) else shown
    return shown + MARKS[board.mark(run, measure, alpha)]
