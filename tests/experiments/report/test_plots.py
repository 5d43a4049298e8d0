"""Heat maps and lines of sweeps whose scores are known."""

from pathlib import Path

import pytest

from pipeline.experiments.entries import Entry
from pipeline.experiments.report import lines
from pipeline.experiments.report.axes import space
from pipeline.experiments.report.heats import heat
from pipeline.experiments.report.model import Column, Sweep, System
from pipeline.experiments.report.plots import plots

COLUMN = Column("zoos", "nDCG@5")


def made(places, scores, chosen, search="grid"):
    """A space; ``scores`` gives each tuple of values what it scores on both topics."""
    systems = [
        System(
            f"#{n}", Path("run.txt"), number=n, values=dict(zip(places, values, strict=True)),
            entries={COLUMN: Entry(f"#{n}", "zoos", "", "nDCG@5", score, {"1": score, "2": score}, 1.0)},
        )
        for n, (values, score) in enumerate(scores.items(), 1)
    ]  # fmt: skip
    return space(
        Sweep("s", Path(), "default", search, places, len(systems), chosen=chosen), systems
    )


GRID = {(b, k): round(0.5 + 0.1 * b + 0.02 * k, 2) for b in (1, 2) for k in (1, 2, 3)}


def test_heat():
    it = heat(made(["b", "k"], GRID, "#6"), COLUMN, (0, 1), {})
    assert (it.x.label, it.y.label) == ("k", "b")  # more values go to the right
    assert [[cell.text for cell in row] for row in it.rows] == [
        ["0.620", "0.640", "0.660"],
        ["0.720", "0.740", "0.760"],
    ]
    assert it.rows[0][0].share == 0
    assert it.rows[0][2].share == pytest.approx((0.66 - 0.62) / (0.76 - 0.62))
    assert it.rows[1][2].share == 1
    assert it.rows[1][2].strong
    assert [cell.chosen for row in it.rows for cell in row] == [False] * 5 + [True]
    assert it.rows[1][2].said == "#6: 0.760 (0.760 to 0.760); b = 2, k = 3"


def test_points_that_are_missing():
    it = heat(
        made(["b", "k"], {at: s for at, s in GRID.items() if at != (1, 2)}, "#1"),
        COLUMN,
        (0, 1),
        {},
    )
    assert it.rows[0][1].system is None
    assert it.rows[0][1].said == "no score"


def test_line():
    it = lines.line(made(["b", "k"], GRID, "#6"), COLUMN, 1)
    assert [dot.text for dot in it.dots] == ["0.720", "0.740", "0.760"]  # with b as chosen
    assert it.joined
    assert it.valued
    left, middle, right = (dot.x for dot in it.dots)
    assert middle == pytest.approx((left + right) / 2, abs=0.1)
    assert it.dots[0].y > it.dots[1].y > it.dots[2].y
    assert it.dots[2].y >= lines.TOP
    assert [text for _, text in it.x_ticks] == ["1", "2", "3"]
    heights = [y for y, _ in it.y_ticks]
    assert heights == sorted(heights, reverse=True)
    assert [dot.chosen for dot in it.dots] == [False, False, True]


def test_names_are_not_joined():
    it = lines.line(made(["s"], {("porter",): 0.5, ("none",): 0.6}, "#1"), COLUMN, 0)
    assert not it.joined
    assert [text for _, text in it.x_ticks] == ["porter", "none"]


def test_many_values_get_round_ticks():
    scores = {(0.013 + n * 0.0247, n * 7.1 % 5): n / 50 for n in range(40)}
    it = lines.line(made(["a", "b"], scores, "#3", "random"), COLUMN, 0)
    assert len(it.dots) == 40
    assert [text for _, text in it.x_ticks] == ["0.2", "0.4", "0.6", "0.8"]
    assert not it.joined


def test_three_axes():
    scores = {(a, b, c): a + b + c for a in (0.1, 0.2) for b in (0.1, 0.2, 0.3) for c in (0, 0.1)}
    them = plots(made(["a", "b", "c"], scores, "#5"), [COLUMN])
    assert [name for _, name in them.pairs] == ["a and b", "a and c", "b and c"]
    assert len(them.heats) == 2 + 3 + 2  # one for each value of the axis that is left
    shown = [figure for figure in them.heats if figure.shown]
    assert [(figure.axes, figure.rest, figure.fixed) for figure in shown] == [
        ((0, 1), ((2, 0),), "c = 0")
    ]
    assert [figure.axes for figure in them.lines] == [(1,), (0,), (2,)]
    assert them.lines[0].fixed == "a = 0.1, c = 0"


def test_too_many_cells_are_not_sliced():
    scores = {(a, b, c): 0.5 for a in range(20) for b in range(20) for c in range(10)}
    them = plots(made(["a", "b", "c"], scores, "#1"), [COLUMN])
    assert not them.sliced
    assert len(them.heats) == 3


def test_equal_scores():
    it = heat(
        made(["a", "b"], {(a, b): 0.5 for a in (1, 2) for b in (1, 2)}, ""), COLUMN, (0, 1), {}
    )
    assert {cell.share for row in it.rows for cell in row} == {0.5}


def test_many_columns_are_small():
    scores = {(a, b / 7): 0.5 + (a * b) / 1000 for a in (1, 2) for b in range(1, 15)}
    it = heat(made(["a", "b"], scores, ""), COLUMN, (0, 1), {})
    assert it.small
    assert it.rows[1][13].text == ".53"  # 0.5 + 2 * 14 / 1000 = 0.528
    assert it.label(it.x, 0) == "0.143"
