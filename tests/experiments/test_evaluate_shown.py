"""What the verb evaluate puts on stdout and stderr."""

import csv
import io
import json

import pytest

from pipeline.cli import main


@pytest.fixture
def given(tmp_path):
    """Two runs over four topics, and judgements."""
    for name, order in (("one", "xab"), ("two", "abx")):
        (tmp_path / name).mkdir()
        lines = [
            f"{topic} Q0 {docno} {rank} {9 - rank} bm25\n"
            for topic in range(1, 5)
            for rank, docno in enumerate(order)
        ]
        (tmp_path / name / "run.txt").write_text("".join(lines))
    grades = [f"{topic} 0 {docno} 1\n" for topic in range(1, 5) for docno in "ab"]
    (tmp_path / "small.qrels").write_text("".join(grades))
    return [str(tmp_path / "one"), str(tmp_path / "two"), "--qrels", str(tmp_path / "small.qrels")]


def run(capsys, *arguments):
    main(["evaluate", *arguments])
    return capsys.readouterr()


def leave(*arguments):
    with pytest.raises(SystemExit) as left:
        main(["evaluate", *arguments])
    return left.value.code


def test_a_table_is_shown_and_notes_go_to_stderr(given, capsys):
    shown = run(capsys, *given, "--measure", "P@1")
    lines = shown.out.splitlines()
    assert lines[0] == "small, 4 topics"
    assert [line.split()[:2] for line in lines[2:5]] == [
        ["run", "P@1"],
        ["one/bm25", "0.0000"],
        ["two/bm25", "1.0000"],
    ]
    assert lines[4].split("  ")[1].endswith("] ^")
    assert "ranks are counted from 0" in shown.err
    assert "Holm over 1 comparison," in shown.out


def test_topic_by_topic(given, capsys):
    shown = run(capsys, *given, "--measure", "P@1", "--per-topic").out
    assert "\n4      0.0000    1.0000\n" in shown


def test_json(given, capsys):
    found = json.loads(run(capsys, *given, "--measure", "P@1", "--json").out)
    assert [one["mean"] for one in found] == [0.0, 1.0]
    assert found[1]["per_topic"] == {"1": 1.0, "2": 1.0, "3": 1.0, "4": 1.0}


def test_csv(given, capsys):
    shown = run(capsys, *given, "--measure", "P@1", "--csv").out
    assert [row["run"] for row in csv.DictReader(io.StringIO(shown))] == ["one/bm25", "two/bm25"]
    shown = run(capsys, *given, "--measure", "P@1", "--csv", "--per-topic").out
    assert len(shown.splitlines()) == 1 + 2 * 4


def test_latex(given, capsys):
    shown = run(capsys, *given, "--measure", "P@1", "--latex", "--alpha", "0.01").out
    assert r"two/bm25 & \textbf{1.0000}$^{\uparrow}$ & " in shown
    assert "alpha 0.01)" in shown


@pytest.mark.parametrize(
    "wrong",
    [["--json", "--csv"], ["--alpha", "2"], ["--alpha", "0"], ["--measure", "nDGC@5"]],
    ids=lambda words: " ".join(words),
)
def test_what_is_given_wrong_leaves_with_2(given, wrong, capsys):
    assert leave(*given, *wrong) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "Traceback" not in shown.err
