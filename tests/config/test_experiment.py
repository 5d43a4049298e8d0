import csv
from pathlib import Path

import pytest
from pydantic import BaseModel

from pipeline.cli import main
from pipeline.config import catalogue, experiment
from pipeline.config.experiment import Experiment
from pipeline.errors import ConfigError
from pipeline.experiments.explain import explain

BROKEN = Path(__file__).parents[1] / "fixtures" / "broken"
CONFIGS = catalogue.shipped()


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "x.yaml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("file", sorted(BROKEN.glob("*.yaml")), ids=lambda file: file.stem)
def test_broken_config_is_explained(file, capsys):
    with pytest.raises(SystemExit) as left:
        main(["check", str(file)])
    assert left.value.code == 2
    shown = capsys.readouterr().err.replace(f"{file.parent}/", "")
    assert shown == file.with_suffix(".txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("file", CONFIGS, ids=lambda file: file.stem)
def test_shipped_config_is_named_by_its_file(file):
    assert experiment.load(file).name == file.stem


def test_bare_names_of_shipped_configs_are_unique():
    assert len({file.stem for file in CONFIGS}) == len(CONFIGS) >= 17


@pytest.mark.parametrize("file", CONFIGS, ids=lambda file: file.stem)
def test_shipped_config_states_every_parameter(file):
    """A published system must not change with a default; those left out here are of none."""

    def unstated(model: BaseModel) -> set[str]:
        return set(type(model).model_fields) - model.model_fields_set - {"index", "indexes"}

    system, apart = experiment.load(file), {"fields", "required"}
    assert not unstated(system.index)
    assert not [names for stage in system.stages if (names := unstated(stage) - apart)]


@pytest.mark.parametrize("file", CONFIGS, ids=lambda file: file.stem)
def test_explain_is_a_config_that_loads_to_the_same(file, tmp_path):
    system = experiment.load(file)
    text = "\n".join(explain(system))
    assert experiment.load(written(tmp_path, text)) == system


def test_explain_of_everything_at_once_loads_to_the_same(tmp_path):
    text = """
name: all
source: "a: b # c"
indexes:
  body: {fields: {text: [premises]}, stopwords: [don't, "no", "x y"], stemmer: none}
  title: {fields: {text: [title], more: [conclusion, author]}}
stages:
  - rewrite: keywords
    words: [is, "null"]
  - fuse: weighted_sum
    branches:
      - weight: 1e-3
        stages:
          - {retrieve: bm25f, index: title}
      - stages:
          - {retrieve: bm25, index: body, b: 0}
          - {expand: rm3, index: body}
          - fuse: reciprocal_rank
            branches: [{weight: 2}, {stages: [{rerank: argument_length, index: title, depth: 7}]}]
expected: {touche-2021/relevance: {nDCG@5: 0.5}}
"""
    system = experiment.load(written(tmp_path, text))
    spelled = "\n".join(explain(system))
    assert experiment.load(written(tmp_path, spelled)) == system
    assert "depth: 7\n" in spelled
    assert "weight: 0.001\n" in spelled
    assert "b: 0\n" in spelled
    assert "k1: 1.2  # default\n" in spelled


def test_only_stages_must_be_there(tmp_path):
    system = experiment.load(written(tmp_path, "stages: [{retrieve: bm25}]"))
    assert system.name == "x"
    settings = system.index
    assert (settings.engine, dict(settings.fields)) == (
        "terrier",
        {"text": ("conclusion", "premises")},
    )
    assert (settings.tokeniser, settings.stopwords, settings.stemmer) == (
        "english",
        "terrier",
        "porter",
    )


def test_the_commented_reranker_of_the_default_works_when_uncommented(tmp_path):
    text = catalogue.find("default").read_text(encoding="utf-8")
    freed = "\n".join(line[1:] if line.startswith("#  ") else line for line in text.splitlines())
    assert [stage.verb for stage in experiment.load(written(tmp_path, freed)).stages] == [
        "retrieve",
        "rerank",
    ]


def test_every_line_of_the_default_that_says_something_has_a_comment():
    text = catalogue.find("default").read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if line.strip() and "#" not in line] == []


def test_stopwords_from_a_file_beside_the_config(tmp_path):
    (tmp_path / "stop.txt").write_text("# mine\nThe\nof\n\nthe\n", encoding="utf-8")
    text = "index: {stopwords: stop.txt}\nstages: [{retrieve: bm25}]"
    by_file = experiment.load(written(tmp_path, text)).index
    text = "index: {stopwords: [of, the]}\nstages: [{retrieve: bm25}]"
    by_list = experiment.load(written(tmp_path, text)).index
    assert by_file.stopwords.words == ("the", "of")
    assert by_file.key() == by_list.key()


@pytest.mark.parametrize(
    "other",
    [
        "fields: {text: [premises, conclusion]}",
        "fields: {body: [conclusion, premises]}",
        "tokeniser: utf",
        "stopwords: none",
        "stopwords: [the]",
        "stemmer: none",
    ],
)
def test_what_makes_another_index_has_another_key(tmp_path, other):
    text = f"index: {{{other}}}\nstages: [{{retrieve: bm25}}]"
    assert (
        experiment.load(written(tmp_path, text)).index.key()
        != Experiment(name="x", stages=()).index.key()
    )


def test_all_problems_of_all_configs_at_once(capsys):
    with pytest.raises(SystemExit):
        main(["check", str(BROKEN)])
    shown = capsys.readouterr().err
    assert [file.name for file in sorted(BROKEN.glob("*.yaml")) if file.name not in shown] == []


@pytest.mark.parametrize("given", ["defualt", "configs/nothing.yaml", "tirex-bm26"])
def test_an_unknown_config_is_named(given, capsys):
    with pytest.raises(SystemExit) as left:
        main(["check", given])
    assert left.value.code == 2
    assert capsys.readouterr().err.startswith(f"{given}: no such file, and no shipped config")


def test_what_a_loaded_config_cannot_be(tmp_path):
    deep = "[" * 500 + "]" * 500
    with pytest.raises(ConfigError):
        experiment.load(written(tmp_path, f"stages: {deep}"))


ROWS = Path(__file__).parents[3] / "shared" / "design" / "facts" / "rows.tsv"


def test_expected_scores_are_the_published_ones():
    if not ROWS.is_file():
        pytest.skip(f"{ROWS} is not there")
    rows = list(csv.DictReader(ROWS.read_text(encoding="utf-8").splitlines(), delimiter="\t"))
    published = {
        row["config"]: {
            row[f"judgements {i}"]: {row["measure"]: float(row[f"value {i}"])}
            for i in range(1, 5)
            if row[f"judgements {i}"]
        }
        for row in rows
    }
    ours = {
        f"configs/{file.relative_to(catalogue.SHIPPED)}": experiment.load(file).expected
        for file in CONFIGS
        if file.stem != "default"
    }
    assert ours == {file: published[file] for file in ours}
