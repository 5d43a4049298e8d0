"""Processes of this machine. How they share a sweep, and are replaced, is tested by killing them."""

import io
import json
import signal

import pytest

from pipeline.errors import InputError, RunError
from pipeline.experiments.machines import local, process
from pipeline.experiments.sweep import work
from pipeline.experiments.sweep.work import Outcome


def test_what_a_lost_process_had_left_goes_to_another_once():
    losses = {}
    assert local._share([4, 5], losses, "SIGKILL") == ([4, 5], [])
    rest, given_up = local._share([4, 5], losses, "SIGKILL")
    assert rest == [5]
    [lost] = given_up
    assert lost.number == 4
    assert lost.problem == "its process ended (SIGKILL) 2 times; is there memory enough?"
    assert local._share([], losses, "SIGKILL") == ([], [])


def test_here_everything_is_done_in_this_process(monkeypatch, tmp_path):
    monkeypatch.setattr(work, "outcomes", lambda out, group: (Outcome(n) for n in group))
    with local.Here() as here:
        assert here.at_once == 1
        assert [one.number for one in here.run(tmp_path, [[3, 1], [2]])] == [3, 1, 2]


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        (None, [["outcome", 1, ""], ["outcome", 2, "it failed"], ["done"]]),
        (InputError("a", "b"), [["input", "a", "b"]]),
        (RunError("full"), [["run", "full"]]),
    ],
)
def test_a_process_answers_in_lines(monkeypatch, raised, said):
    def outcomes(_out, _numbers):
        if raised:
            raise raised
        return [Outcome(1), Outcome(2, "it failed")]

    monkeypatch.setattr(work, "outcomes", outcomes)
    answers = io.StringIO()
    process.main(io.StringIO('["out", [1, 2]]\n'), answers)
    assert [json.loads(line) for line in answers.getvalue().splitlines()] == said


@pytest.mark.parametrize(
    ("program", "ending"), [("exit 3", "exit code 3"), ("kill -9 $$", signal.SIGKILL.name)]
)
def test_processes_that_always_end_are_given_up(monkeypatch, tmp_path, program, ending):
    """Nothing but how they end is looked at: no process of ours is needed for that."""
    script = tmp_path / "ends"
    script.write_text(f"#!/bin/sh\n{program}\n", encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setattr(local.sys, "executable", str(script))
    with local.Processes(2) as machines:
        outcomes = list(machines.run(tmp_path, [[1], [2, 3]]))
    assert sorted(one.number for one in outcomes) == [1, 2, 3]
    assert {one.problem for one in outcomes} == {
        f"its process ended ({ending}) 2 times; is there memory enough?"
    }
