from pathlib import Path

import pytest

from pipeline.cli import main
from pipeline.config import catalogue, experiment, sweep
from pipeline.config.plan import Choose, Report, Search
from pipeline.config.resolved import resolved
from pipeline.config.sweep import Sweep
from pipeline.errors import ConfigError, InputError

BASE = """
name: base
source: somewhere
published_as: tag
index: {engine: arrays}
stages:
  - {retrieve: bm25, b: 0.2}
  - fuse: weighted_sum
    branches:
      - {weight: 1}
      - stages: [{rerank: argument_length, depth: 10}]
expected: {qrels: {nDCG@5: 0.5}}
"""


def written(tmp_path: Path, over: str, rest: str = "", base: str = BASE) -> Path:
    (tmp_path / "base.yaml").write_text(base, encoding="utf-8")
    file = tmp_path / "tune.yaml"
    file.write_text(f"base: base.yaml\nover:\n{over}\n{rest}", encoding="utf-8")
    return file


def loaded(tmp_path: Path, over: str, rest: str = "", base: str = BASE) -> Sweep:
    return sweep.load(written(tmp_path, over, rest, base))


def problems(tmp_path: Path, over: str, rest: str = "", base: str = BASE) -> list[str]:
    with pytest.raises(ConfigError) as error:
        loaded(tmp_path, over, rest, base)
    return [line.replace(f"{tmp_path}/", "") for line in error.value.lines]


def test_points_in_the_order_of_the_grid(tmp_path):
    over = "  stages[0].b: [0.1, 0.2]\n  index.stemmer: [porter, none]\n  stages[0].k1: {from: 1, to: 4, steps: 2}"
    found = loaded(tmp_path, over)
    assert found.name == "tune"
    assert found.size == found.wanted == 2 * 2 * 2
    assert found.places == ("stages[0].b", "index.stemmer", "stages[0].k1")
    points = list(found.points())
    assert [point.number for point in points] == list(range(1, 9))
    assert [tuple(point.values.values()) for point in points] == [
        (b, stemmer, k1) for b in (0.1, 0.2) for stemmer in ("porter", "none") for k1 in (1, 4)
    ]
    for point in points:
        b, stemmer, k1 = point.values.values()
        first = point.experiment.stages[0]
        assert (first.b, point.experiment.index.stemmer, first.k1) == (b, stemmer, k1)
        assert point.experiment.index.engine == "arrays"


def test_a_point_has_the_name_of_the_base_and_nothing_that_is_published_of_it(tmp_path):
    (point,) = loaded(tmp_path, "  stages[0].b: [0.4]").points()
    assert list(resolved(point.experiment)) == ["name", "index", "stages"]
    assert point.experiment.name == "base"


def test_joined_places_move_together(tmp_path):
    over = "  stages[0].k1, stages[0].b: [[0.9, 0.4], [1.2, 0.75]]\n  stages[0].k3: [7, 8]"
    found = loaded(tmp_path, over)
    assert found.places == ("stages[0].k1", "stages[0].b", "stages[0].k3")
    assert [tuple(point.values.values()) for point in found.points()] == [
        (0.9, 0.4, 7),
        (0.9, 0.4, 8),
        (1.2, 0.75, 7),
        (1.2, 0.75, 8),
    ]


def test_whole_stages_mappings_and_places_in_branches(tmp_path):
    over = """
  stages[0]: [{retrieve: dph}, {retrieve: dirichlet_lm, mu: 900}]
  stages[1].branches[0].weight: [0.5]
  stages[1].branches[1].stages[0].weight: [0.25]
  index.fields: [{text: [premises], title: [title]}]
"""
    first, second = loaded(tmp_path, over).points()
    assert first.values["stages[0]"] == {"retrieve": "dph"}
    assert (first.experiment.stages[0].name, second.experiment.stages[0].mu) == ("dph", 900)
    fusion = first.experiment.stages[1]
    assert fusion.branches[0].weight == 0.5
    assert fusion.branches[1].stages[0].weight == 0.25
    assert fusion.branches[1].stages[0].depth == 10
    assert list(first.experiment.index.fields) == ["text", "title"]


def test_an_index_that_the_base_leaves_out_is_made(tmp_path):
    base = "stages: [{retrieve: bm25}]"
    (point,) = loaded(tmp_path, "  index.engine: [arrays]", base=base).points()
    assert point.experiment.index.engine == "arrays"
    base = "indexes: {a: {}, b: {}}\nstages: [{retrieve: bm25, index: a}]"
    over = "  indexes.b.stemmer: [none]\n  stages[0].index: [a, b]"
    points = list(loaded(tmp_path, over, base=base).points())
    assert [point.experiment.indexes["b"].stemmer for point in points] == ["none"] * 2
    assert [point.experiment.stages[0].index for point in points] == ["a", "b"]


def test_a_base_that_lacks_what_the_sweep_gives(tmp_path):
    base = "stages: [{retrieve: bm25}, {rerank: lexicon}]"
    found = loaded(tmp_path, "  stages[1].words: [hedges, connectives]", base=base)
    assert [point.experiment.stages[1].words.name for point in found.points()] == [
        "hedges",
        "connectives",
    ]


def test_equal_points_are_noticed(tmp_path):
    found = loaded(tmp_path, "  stages[0].b: [0.5, 0.1, 0.50]\n  stages[0].k1: [1, 1.0]")
    assert found.equal() == {2: 1, 4: 3, 5: 1, 6: 1}
    assert loaded(tmp_path, "  stages[0].b: [0.5, 0.1]").equal() == {}


def test_what_the_rest_of_the_file_says(tmp_path):
    found = loaded(
        tmp_path,
        "  stages[0].b: {from: 0, to: 1}",
        "search: {by: tpe, points: 12, seed: 3}\ndepth: 50\n"
        "choose: {by: P@10, on: a, topics: 1-25, folds: 9, seed: 2}\n"
        "report: {on: [a, b], topics: 26-50}",
    )
    assert found.search == Search(by="tpe", points=12, seed=3, generation=8)
    assert found.choose == Choose(by="P@10", on="a", topics="1-25", folds=9, seed=2)
    assert found.report == Report(on=("a", "b"), topics="26-50")
    assert (found.depth, found.size, found.wanted) == (50, None, 12)
    assert found.report.model_dump(mode="json") == {"on": ["a", "b"], "topics": "26-50"}


def test_what_is_left_out(tmp_path):
    found = loaded(tmp_path, "  stages[0].b: [0.1]")
    assert (found.search, found.choose, found.report, found.depth) == (
        Search(by="grid"),
        Choose(by="nDCG@5", on="", topics="", folds=5, seed=1),
        None,
        None,
    )
    assert loaded(
        tmp_path, "  stages[0].b: [1]", "report: {on: qrels}\nchoose: {on: x}"
    ).report == (Report(on=("qrels",)))


@pytest.mark.parametrize(
    "rest",
    [
        "report: {topics: 1-5}",
        "choose: {topics: 1-5}\nreport: {topics: 5-9}",
        "choose: {on: x, topics: 1-5}\nreport: {on: [x, y]}",
    ],
)
def test_topics_that_choose_are_not_reported(tmp_path, rest):
    (line,) = problems(tmp_path, "  stages[0].b: [0.1]", rest)
    assert "report: the same judgements choose; name other topics" in line


def test_a_problem_of_judgements_or_measures_is_placed_in_the_file(tmp_path):
    found = loaded(tmp_path, "  stages[0].b: [0.1]", "choose: {by: nDGC@5}")
    problem = found.problem(("choose", "by"), "no such measure")
    assert str(problem) == f"{tmp_path}/tune.yaml:4:10: choose.by: no such measure"
    assert (
        str(found.problem(("choose", "on"), "two")) == f"{tmp_path}/tune.yaml:4:1: choose.on: two"
    )


def test_words_count_from_the_folder_of_the_sweep(tmp_path):
    sub = tmp_path / "sub"
    sub.mkdir()
    (tmp_path / "base.yaml").write_text(BASE, encoding="utf-8")
    (sub / "mine.txt").write_text("The\nof\n", encoding="utf-8")
    file = sub / "tune.yaml"
    over = "over: {index.stopwords: [mine.txt, none]}"
    file.write_text(f"base: ../base.yaml\n{over}", encoding="utf-8")
    first, _ = sweep.load(file).points()
    assert first.values == {"index.stopwords": "mine.txt"}
    assert first.experiment.index.stopwords.name == "mine.txt"
    assert first.experiment.index.stopwords.words == ("the", "of")
    file.write_text(f"base: ../base.yaml\n{over.replace('mine', 'his')}", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"tune\.yaml:2:26: index\.stopwords: .*his\.txt cannot"):
        sweep.load(file)


def test_the_base_may_be_a_shipped_config(tmp_path):
    file = tmp_path / "x.yaml"
    file.write_text("base: default\nover:\n  stages[0].b: [0.5]", encoding="utf-8")
    found = sweep.load(file)
    assert found.base == catalogue.find("default")
    assert next(found.points()).experiment.stages[0].k1 == 3.2


def test_a_value_is_blamed_for_what_it_makes_wrong_elsewhere(tmp_path):
    over = "  index.engine: [arrays, terrier]\n  stages[0].b: [0.1, 0.2]"
    base = BASE.replace("retrieve: bm25", "retrieve: lucene_bm25")
    assert problems(tmp_path, over, base=base) == [
        "tune.yaml:3:26: index.engine: with 'terrier': stages[0]: engine terrier has no "
        "lucene_bm25; give the index engine: arrays"
    ]


def test_two_values_that_do_not_go_together(tmp_path):
    over = "  index.engine: [arrays, terrier]\n  stages[0].retrieve: [bm25, lucene_bm25]"
    assert [line.split(";")[0] for line in problems(tmp_path, over)] == [
        "tune.yaml:3:26: index.engine: with 'terrier': stages[0]: engine terrier has no lucene_bm25"
    ]


def test_a_fault_by_every_value_of_a_place_is_said_once(tmp_path):
    over = "  stages[0]: [{rewrite: keywords}, {rewrite: keywords, words: [a]}]"
    only = "there are only queries here; retrieve"
    assert problems(tmp_path, over) == [
        "tune.yaml:3:3: stages[0]: stages[1].branches[0]: an empty branch is the ranking as it "
        f"came, and {only} in it",
        "tune.yaml:3:3: stages[0]: stages[1].branches[1].stages[0]: rerank needs a ranking, and "
        f"{only} first",
    ]


def test_an_open_range_is_looked_at_at_both_ends_and_between(tmp_path):
    rest = "search: {by: random, points: 5}"
    assert "must be at least 0" in problems(tmp_path, "  stages[0].b: {from: -1, to: 1}", rest)[0]
    whole = "  stages[0].num_results: {from: 1, to: 100}"
    assert "whole numbers are needed; say whole: true" in problems(tmp_path, whole, rest)[0]
    assert loaded(tmp_path, whole.replace("100}", "100, whole: true}"), rest).size == 100
    weight = "  stages[1].branches[1].stages[0].weight: {from: 0.5, to: 1.5}"
    assert problems(tmp_path, weight, rest) == [
        "tune.yaml:3:55: stages[1].branches[1].stages[0].weight: 1.5 must be at most 1 with mix: linear"
    ]


def test_every_value_of_a_large_space_is_looked_at(tmp_path):
    values = ", ".join(str(number / 100) for number in range(100))
    over = f"  stages[0].b: [{values}, x]\n  stages[0].k1: [{values}]\n  stages[0].k3: {{from: 1, to: 8}}"
    (line,) = problems(tmp_path, over, "search: {by: random, points: 9}")
    assert "stages[0].b: 'x' is not a number" in line


def test_a_sweep_is_no_config_and_a_config_no_sweep(tmp_path):
    file = written(tmp_path, "  stages[0].b: [0.1]")
    with pytest.raises(ConfigError, match=r"tune\.yaml is a sweep, not a config"):
        experiment.load(file)
    with pytest.raises(ConfigError, match=r"base\.yaml is no sweep"):
        sweep.load(tmp_path / "base.yaml")


@pytest.mark.parametrize("file", catalogue.sweeps(), ids=lambda file: file.stem)
def test_shipped_sweep_is_right(file, capsys):
    found = sweep.load(file)
    assert found.name == file.stem
    assert file not in catalogue.shipped()
    main(["explain", file.stem])
    assert capsys.readouterr().out.startswith(f"name: {file.stem}\n")
    assert found.search.by == "tpe" or not found.equal()


def test_check_counts_configs_and_sweeps(tmp_path, capsys):
    written(tmp_path, "  stages[0].b: [0.1, 0.2, 0.3]")
    main(["check", str(tmp_path)])
    assert capsys.readouterr().out == "1 config and 1 sweep of 3 points ready to run.\n"
    main(["check", str(tmp_path / "tune.yaml")])
    assert capsys.readouterr().out == "1 sweep of 3 points ready to run.\n"


def test_explain_lists_the_points(tmp_path, capsys):
    over = "  stages[0].b: [0.1, 0.2]\n  stages[0].required,index.stemmer: [[[text], none], [[text], none]]"
    main(["explain", str(written(tmp_path, over, "choose: {topics: 1-25, on: qrels}"))])
    assert capsys.readouterr().out.splitlines() == [
        "name: tune",
        f"base: {tmp_path}/base.yaml",
        "search: grid, 4 points",
        "choose: nDCG@5, on qrels, topics 1-25",
        "report: nested cross-validation, 5 folds of the topics",
        "depth: as deep as the measures look",
        "indexes: 1",
        "",
        "point  stages[0].b  stages[0].required  index.stemmer",
        "1      0.1          [text]              none",
        "2      0.1          [text]              none           the same system as point 1",
        "3      0.2          [text]              none",
        "4      0.2          [text]              none           the same system as point 3",
    ]


def test_explain_of_tpe_says_what_it_may_propose(tmp_path, capsys):
    over = "  stages[0].b: {from: 0, to: 1}\n  stages[0].k1,stages[0].k3: [[1, 8], [2, 7]]"
    rest = "search: {by: tpe, points: 9}\nreport: {on: [x, y]}\nchoose: {on: z}\ndepth: 10"
    main(["explain", str(written(tmp_path, over, rest))])
    assert capsys.readouterr().out.splitlines()[2:] == [
        "search: tpe, 9 points",
        "choose: nDCG@5, on z, all topics",
        "report: on x, y, all topics",
        "depth: 10",
        "",
        "stages[0].b: 0 to 1",
        "stages[0].k1,stages[0].k3: 1, 8 | 2, 7",
    ]


def test_an_unknown_sweep_is_named():
    with pytest.raises(InputError, match="did you mean 'tune-bm25'"):
        catalogue.find("tune-bm52")
