import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.config import sweep
from pipeline.config.sweep import Point
from pipeline.errors import ConfigError
from pipeline.experiments.sweep.search import generations

OVER = """
base: default
over:
  stages[0].k1: {from: 0.5, to: 8, log: true}
  stages[0].b: {from: 0, to: 1, steps: 21}
  stages[0].num_results: {from: 10, to: 1000, whole: true}
  index.stemmer: [porter, none]
  index.stopwords,index.tokeniser: [[terrier, english], [none, utf]]
"""
SMALL = """
base: default
over:
  stages[0].num_results: {from: 1, to: 3, whole: true}
  index.stemmer: [porter, none]
"""


def given(tmp_path: Path, text: str) -> sweep.Sweep:
    file = tmp_path / "x.yaml"
    file.write_text(text, encoding="utf-8")
    return sweep.load(file)


def score(point: Point) -> float:
    """Best at b 0.3 and k1 2, with the stemmer none."""
    values = point.values
    far = abs(values["stages[0].b"] - 0.3) + abs(math.log(values["stages[0].k1"] / 2))
    return -far - (values["index.stemmer"] != "none")


def searched(found: sweep.Sweep, score=score) -> list[list[Point]]:
    """Every list of points of a search that is sent the scores."""
    proposed = generations(found)
    lists = [next(proposed)]
    while True:
        try:
            lists.append(proposed.send([score(point) for point in lists[-1]]))
        except StopIteration:
            return lists


def values(lists: list[list[Point]]) -> list[dict]:
    return [dict(point.values) for points in lists for point in points]


def test_a_grid_comes_at_once(tmp_path):
    found = given(tmp_path, "base: default\nover:\n  stages[0].b: [0, 1]\n  stages[0].k1: [1, 2]")
    (points,) = searched(found, lambda _: 0)
    assert points == list(found.points())


@pytest.mark.parametrize("by", ["random", "tpe"])
def test_the_same_seed_gives_the_same_points_and_another_others(tmp_path, by):
    search = f"{OVER}search: {{by: {by}, points: 20, seed: 1}}"
    first, again = (values(searched(given(tmp_path, search))) for _ in range(2))
    other = values(searched(given(tmp_path, search.replace("seed: 1", "seed: 2"))))
    assert first == again
    assert first != other
    assert len({json.dumps(point) for point in first}) == 20


@pytest.mark.parametrize("by", ["random", "tpe"])
def test_points_stay_within_what_is_varied(tmp_path, by):
    lists = searched(given(tmp_path, f"{OVER}search: {{by: {by}, points: 25}}"))
    assert [point.number for points in lists for point in points] == list(range(1, 26))
    for point in values(lists):
        assert 0.5 <= point["stages[0].k1"] <= 8
        assert point["stages[0].k1"] == float(f"{point['stages[0].k1']:.6g}")
        assert float(round(point["stages[0].b"] * 20, 9)).is_integer()
        assert type(point["stages[0].num_results"]) is int
        assert 10 <= point["stages[0].num_results"] <= 1000
        pair = (point["index.stopwords"], point["index.tokeniser"])
        assert pair in (("terrier", "english"), ("none", "utf"))


@pytest.mark.parametrize("by", ["random", "tpe"])
def test_no_point_of_a_small_space_comes_twice(tmp_path, by):
    lists = searched(given(tmp_path, f"{SMALL}search: {{by: {by}, points: 5}}"), lambda _: 0.5)
    found = [tuple(point.values()) for point in values(lists)]
    assert len(set(found)) == len(found) == 5


@pytest.mark.parametrize("by", ["random", "tpe"])
@pytest.mark.parametrize("points", [6, 50])
def test_a_small_space_is_looked_at_whole(tmp_path, by, points):
    found = given(tmp_path, f"{SMALL}search: {{by: {by}, points: {points}}}")
    assert found.wanted == 6
    (all_of_it,) = searched(found, lambda _: 0)
    assert [tuple(point.values.values()) for point in all_of_it] == [
        (number, stemmer) for number in (1, 2, 3) for stemmer in ("porter", "none")
    ]


def test_the_same_points_in_another_process(tmp_path):
    text = f"{OVER}search: {{by: tpe, points: 18, seed: 5}}"
    here = values(searched(given(tmp_path, text)))
    code = (
        "import json, sys; from pathlib import Path\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from test_search import *\n"
        f"print(json.dumps(values(searched(sweep.load(Path({str(tmp_path / 'x.yaml')!r}))))))"
    )
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(there.stdout) == here


def test_tpe_proposes_in_generations_and_learns_from_scores(tmp_path):
    text = f"{OVER}search: {{by: tpe, points: 60, generation: 7}}"
    lists = searched(given(tmp_path, text))
    assert [len(points) for points in lists] == [7] * 8 + [4]
    first, last = (
        [score(p) for points in part for p in points] for part in (lists[:3], lists[-3:])
    )
    assert sum(last) / len(last) > sum(first) / len(first) + 0.5
    up = searched(given(tmp_path, text), lambda point: -score(point))
    assert values(up[:1]) == values(lists[:1])
    assert values(up) != values(lists)


def test_a_failed_point_tells_nothing(tmp_path):
    text = f"{OVER}search: {{by: tpe, points: 24, seed: 3}}"
    failed = {3, 9, 10}
    by_none = searched(given(tmp_path, text), lambda p: None if p.number in failed else score(p))
    by_nan = searched(given(tmp_path, text), lambda p: math.nan if p.number in failed else score(p))
    assert values(by_none) == values(by_nan)
    assert len(values(by_none)) == 24
    assert len(values(searched(given(tmp_path, text), lambda _: None))) == 24


@pytest.mark.parametrize("by", ["random", "tpe"])
def test_drawn_values_that_do_not_go_together(tmp_path, by):
    """One pair of 3,600 is wrong, and not among those that are looked at beforehand."""
    base = "stages: [{retrieve: bm25}, {rerank: argument_length, mix: product}]"
    (tmp_path / "base.yaml").write_text(base, encoding="utf-8")
    depths = [[100 + i, "linear" if i == 42 else "product"] for i in range(60)]
    weights = [1.5 if i == 42 else i / 60 for i in range(60)]
    text = f"""
base: base.yaml
over:
  stages[1].depth,stages[1].mix: {json.dumps(depths)}
  stages[1].weight: {weights}
search: {{by: {by}, points: {3599 if by == "random" else 20}}}
"""
    found = given(tmp_path, text)
    if by == "random":
        with pytest.raises(ConfigError, match=r"1\.5 must be at most 1 with mix: linear"):
            next(generations(found))
    else:
        assert len(values(searched(found, lambda p: p.values["stages[1].weight"]))) == 20


def test_without_optuna_it_says_how_to_get_it(tmp_path, monkeypatch):
    found = given(tmp_path, f"{OVER}search: {{by: tpe, points: 18}}")
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(ConfigError) as error:
        generations(found)
    assert error.value.lines == (
        f"{tmp_path}/x.yaml:9:1: search: tpe needs optuna, which is not installed: "
        "./run.sh setup optuna",
    )
    assert generations(given(tmp_path, f"{OVER}search: {{by: random, points: 18}}"))
