"""What the README shows works: its commands, its configs, its code, its error text."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.config import experiment, sweep

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[str]:
    return [text for kind, text in BLOCKS if kind == language]


def named(file: str) -> str:
    """The code block behind the mention of ``file``."""
    found = re.search(
        rf"`{re.escape(file)}`:\n\n```\w+\n(.*?)^```", README, re.MULTILINE | re.DOTALL
    )
    assert found, file
    return found[1]


COMMANDS = [line for text in blocks("sh") for line in text.splitlines()]
HERE = [line for line in COMMANDS if line.startswith("./run.sh")]


@pytest.mark.terrier
def test_the_commands_run(tmp_path):
    assert len(HERE) >= 4
    for folder in ("tests/collection-tiny", "configs"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    (tmp_path / "args-me").symlink_to(tmp_path / "tests" / "collection-tiny")
    for command in HERE:
        words = [sys.executable, "-P", "-m", "pipeline", *command.split()[1:]]
        done = subprocess.run(
            words, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stderr}"
    first = (tmp_path / "out" / "run.txt").read_text().splitlines()[0].split()
    assert len(first) == len(re.search(r"^topic .*$", README, re.MULTILINE)[0].split())


@pytest.mark.terrier
def test_the_notebook_runs(tmp_path):
    section = README.split("\n## In a notebook\n")[1].split("\n## ")[0]
    cells = re.findall(r"^```python\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    assert len(cells) == 2
    results = "print(*expanded.search('zoos')['docno'], len(reranked.search('cruel zoos')))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", "\n".join([*cells, results])], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["d2", "d1", "2"]
    assert (tmp_path / "my-terrier-index" / "data.properties").is_file()


def test_every_config_of_the_readme_is_right(tmp_path):
    shown = [text for text in blocks("yaml") if "question_marks" not in text]
    assert shown
    for text in shown:
        file = tmp_path / "shown.yaml"
        file.write_text(text, encoding="utf-8")
        (sweep if "base:" in text else experiment).load(file)


def test_the_reranker_of_the_readme_works(tmp_path):
    """As the page says: one file, one test, one config, nothing else touched."""
    for folder in ("pipeline", "configs"):
        shutil.copytree(
            ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__")
        )
    (tmp_path / "tests/stages/rerank").mkdir(parents=True)
    for file in ("pyproject.toml", "tests/conftest.py", "tests/stages/conftest.py",
                 "tests/stages/rerank/test_every.py"):  # fmt: skip
        shutil.copy(ROOT / file, tmp_path / file)
    for file in ("pipeline/stages/rerank/question_marks.py",
                 "tests/stages/rerank/test_question_marks.py"):  # fmt: skip
        (tmp_path / file).write_text(named(file), encoding="utf-8")
    config = next(text for text in blocks("yaml") if "question_marks" in text)
    (tmp_path / "mine.yaml").write_text(config, encoding="utf-8")

    script = (
        "import sys, pytest; from pipeline.cli import main\n"
        "failed = pytest.main(['tests/stages/rerank', '-p', 'no:cacheprovider', '-k', 'question'])\n"
        "main(['check', 'mine.yaml']); main(['list', 'rerank']); sys.exit(failed)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 5
    assert "1 config ready to run." in done.stdout
    assert "\nrerank: question_marks\n" in done.stdout


def test_its_error_text_is_the_real_one():
    shown = re.search(r"^many\.yaml:.*$", README, re.MULTILINE)
    assert shown
    golden = (ROOT / "tests/fixtures/broken/many.txt").read_text(encoding="utf-8")
    assert shown[0] in golden.splitlines()


def test_every_verb_is_in_its_table():
    from pipeline.cli import commands

    table = set(re.findall(r"^\| `(\w+)", README, re.MULTILINE))
    assert set(commands.commands) <= table


def test_every_place_that_it_names_exists():
    places = re.findall(r"^\| `([a-z_/.-]+/)` \|", README, re.MULTILINE)
    assert len(places) > 5
    assert [place for place in places if not (ROOT / place).is_dir()] == []
    files = re.findall(r"`((?:pipeline|configs|tests)/[\w/.-]+\.\w+)`", README)
    made = [file for file in files if "question_marks" not in file]
    assert [file for file in made if not (ROOT / file).is_file()] == []
