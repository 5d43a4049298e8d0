"""Swept places as axes."""

from pathlib import Path

import pytest

from pipeline.experiments.report.axes import Axis, space
from pipeline.experiments.report.model import Sweep, System


def points(places, values, chosen="", search="grid"):
    systems = [
        System(f"#{n}", Path("run.txt"), number=n, values=dict(zip(places, one, strict=True)))
        for n, one in enumerate(values, 1)
    ]
    return Sweep("s", Path(), "default", search, places, len(systems), chosen=chosen), systems


def test_grid():
    sweep, systems = points(
        ["stages[0].b", "stages[0].k1"], [(b, k) for b in (0.4, 0.1) for k in (1, 2, 3)], "#2"
    )
    made = space(sweep, systems)
    assert [axis.label for axis in made.axes] == ["b", "k1"]
    assert made.axes[0].values == [(0.1,), (0.4,)]
    assert made.points[0, 2].name == "#6"
    assert made.chosen == made.centre == (1, 1)
    assert made.is_grid


def test_places_that_move_together_are_one_axis():
    values = [(docs, terms, b) for docs, terms in ((3, 10), (10, 20)) for b in (0.1, 0.2)]
    sweep, systems = points(["stages[1].fb_docs", "stages[1].fb_terms", "stages[0].b"], values)
    made = space(sweep, systems)
    assert [axis.label for axis in made.axes] == ["fb_docs, fb_terms", "b"]
    assert made.axes[0].spelled(1) == "10, 20"
    assert made.axes[0].numbers is None
    assert len(made.points) == 4


def test_one_axis_of_two_places():
    sweep, systems = points(["fb_docs", "fb_terms"], [(3, 10), (10, 20)])
    assert [axis.label for axis in space(sweep, systems).axes] == ["fb_docs, fb_terms"]


def test_a_place_with_one_value_is_no_axis():
    sweep, systems = points(["a", "b"], [(1, 1), (1, 2)])
    assert [axis.label for axis in space(sweep, systems).axes] == ["b"]


def test_random_points_are_no_grid():
    values = [(n / 7 % 1, n / 11 % 1) for n in range(1, 6)]
    sweep, systems = points(["a", "b"], [*values, values[0]], search="random")
    made = space(sweep, systems)
    assert not made.is_grid
    assert len(made.points) == 5  # the same point twice: the better one


def test_whole_stages():
    stages = [{"retrieve": "bm25", "k1": 3.2}, {"retrieve": "dph"}]
    sweep, systems = points(["stages[0]"], [(stage,) for stage in stages])
    axis = space(sweep, systems).axes[0]
    assert [axis.spelled(0), axis.spelled(1)] == ["bm25, k1 3.2", "dph"]
    assert axis.shares() == [0, 1]


@pytest.mark.parametrize(
    ("values", "logarithmic"),
    [
        ([0.6, 1.2, 2.4, 4.8], True),
        ([1, 10, 100], True),
        ([0.1, 0.2, 0.3, 0.4], False),
        ([0, 1, 10], False),
        ([1, 100], False),
        ([2, 2.5, 3.2], False),
    ],
)
def test_logarithmic(values, logarithmic):
    assert Axis("x", [(one,) for one in values]).logarithmic is logarithmic


def test_shares():
    assert Axis("x", [(0,), (1,), (4,)]).shares() == [0, 0.25, 1]
    assert Axis("x", [(1,), (10,), (100,)]).shares() == pytest.approx([0, 0.5, 1])
    assert Axis("x", [("a",), ("b",), ("c",)]).shares() == [0, 0.5, 1]
    assert Axis("x", [(True,), (False,)]).numbers is None
