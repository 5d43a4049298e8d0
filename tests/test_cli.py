import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.cli import commands, main
from pipeline.stages.base import REGISTRY, VERBS

ROOT = Path(__file__).parents[1]


def leave(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    return int(left.value.code or 0)


def test_help_names_every_verb(capsys):
    main(["--help"])
    shown = capsys.readouterr().out
    assert [verb for verb in commands.commands if f"\n  {verb} " not in shown] == []


@pytest.mark.parametrize("verb", list(commands.commands))
def test_every_verb_has_help(verb, capsys):
    main([verb, "--help"])
    assert "Usage: run.sh " in capsys.readouterr().out


def test_list_names_every_stage_and_parameter(capsys):
    main(["list"])
    shown = capsys.readouterr().out
    for verb, stages in REGISTRY.items():
        for name, stage in stages.items():
            assert f"\n{verb}: {name}\n" in shown
            assert [p for p in stage.model_fields if f"      {p} (" not in shown] == []


def test_every_parameter_of_every_stage_has_a_meaning():
    unsaid = [
        f"{verb}: {name}: {parameter}"
        for verb, stages in REGISTRY.items()
        for name, stage in stages.items()
        for parameter, field in stage.model_fields.items()
        if not field.description
    ]
    assert unsaid == []


@pytest.mark.parametrize("verb", VERBS)
def test_list_of_one_verb(verb, capsys):
    main(["list", verb])
    lines = capsys.readouterr().out.splitlines()
    heads = [line for line in lines if line and not line.startswith(" ")]
    assert heads == [f"{verb}: {name}" for name in sorted(REGISTRY[verb])]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["rnu"], "No such command 'rnu'"),
        (["run", "--outptu", "x"], "No such option"),
        (["list", "rerankk"], "no verb 'rerankk', did you mean 'rerank'?"),
        (["explain", "defualt"], "did you mean 'default'?"),
        (["verify", "nothing-here"], "nothing-here"),
        (["check"], "CONFIG_OR_FOLDER"),
        (["index", "-i", "x"], "--index"),
        (
            ["run", "-i", "x", "-o", "y", "--builder", "java"],
            "'java' is not one of 'fast', 'terrier'",
        ),
    ],
)
def test_wrong_words_leave_with_2(arguments, words, capsys):
    assert leave(*arguments) == 2
    shown = capsys.readouterr()
    assert words in shown.err
    assert shown.out == ""


def test_a_reader_that_goes_away_is_no_error_of_ours():
    command = f"'{sys.executable}' -P -m pipeline list | head -1"
    done = subprocess.run(
        ["sh", "-c", command],
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""


def test_verify_tells_right_from_wrong(tmp_path, capsys):
    lines = [f"{qid} Q0 d{rank} {rank} {5.0 - rank} me\n" for qid in (1, 2, 3) for rank in (1, 2)]
    (tmp_path / "run.txt").write_text("".join(lines), encoding="ascii")
    main(["verify", str(tmp_path)])
    assert "nothing is wrong" in capsys.readouterr().out
    (tmp_path / "run.txt").write_text("".join(lines[::-1]), encoding="ascii")
    assert leave("verify", str(tmp_path)) == 1
    shown = capsys.readouterr()
    assert f"{tmp_path / 'run.txt'}:" in shown.out
    assert "problem" in shown.err
