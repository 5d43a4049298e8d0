"""Sweeps on a real Slurm of two nodes."""

import os
import signal
import sys
from pathlib import Path

import clusters
import pytest

from pipeline.errors import InputError, RunError
from pipeline.experiments.machines import slurm, slurm_commands
from pipeline.experiments.machines.slurm import Slurm
from pipeline.experiments.sweep.work import Outcome

CONF = "SLURM_CONF"


def of_job(out: Path) -> list[int]:
    """The processes of Slurm's jobs that work on a sweep."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = file.read_text().split("\0")
        except OSError:
            continue
        if (
            "submitit.core._submit" in words
            and "python" in words[0]
            and str(out / "slurm") in words
        ):
            found.append(int(file.parent.name))
    return found


@pytest.mark.cluster
def test_a_job_killed_in_the_middle_changes_nothing(small, slurm_cluster):
    conf = slurm_cluster.environ[CONF]
    out = small.folder / "job"
    words = ["--slurm", "--slurm-option", "partition=debug", "--index", small.index]
    with small.begin("job", *words, SLURM_CONF=conf) as lead:
        clusters.until(lambda: of_job(out) or lead.poll() is not None, "a job")
        os.kill(of_job(out)[0], signal.SIGKILL)
        said = lead.communicate(timeout=200)
    assert lead.returncode == 0, said
    assert small.is_whole("job")
    assert not (out / "slurm").exists()


@pytest.mark.cluster
def test_killed_and_called_again_only_the_rest_is_done(small, slurm_cluster):
    words = ("--slurm", "--index", small.index)
    conf = slurm_cluster.environ[CONF]
    small.disturbed("lead", lambda lead: lead.kill(), *words, least=1, SLURM_CONF=conf)
    _, said = small.call("lead", *words, SLURM_CONF=conf)
    assert "of 8 points there already" in said
    assert small.is_whole("lead")


@pytest.mark.cluster
def test_a_point_that_ends_its_job_is_a_line_with_the_log(slurm_cluster, tmp_path, monkeypatch):
    monkeypatch.setattr(slurm, "work", clusters.poisoned)
    monkeypatch.setattr(slurm_commands, "LATE", 2)
    monkeypatch.setenv(CONF, slurm_cluster.environ[CONF])
    monkeypatch.setenv("PYTHONPATH", slurm_cluster.environ["PYTHONPATH"])
    with Slurm({"array_parallelism": "2"}) as machines:
        outcomes = {*machines.run(tmp_path, [[0, 1], [clusters.POISON]])}
    (bad,) = outcomes - {Outcome(0), Outcome(1)}
    assert bad.number == clusters.POISON
    assert bad.problem.startswith("Slurm's job ")
    assert Path(bad.problem.rsplit("; see ", 1)[1]).is_file()


@pytest.mark.cluster
def test_what_stops_the_task_stops_all(slurm_cluster, tmp_path, monkeypatch):
    monkeypatch.setattr(slurm, "work", clusters.poisoned)
    monkeypatch.setenv(CONF, slurm_cluster.environ[CONF])
    monkeypatch.setenv("PYTHONPATH", slurm_cluster.environ["PYTHONPATH"])
    with Slurm({}) as machines, pytest.raises(InputError, match=r"^OUT: no such folder$"):
        [*machines.run(tmp_path / "input", [[clusters.POISON], *([n] for n in range(8))])]


@pytest.mark.cluster
def test_what_slurm_does_not_take_is_a_line(slurm_cluster, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv(CONF, slurm_cluster.environ[CONF])
    with Slurm({"partition": "nowhere"}) as machines, pytest.raises(RunError) as error:
        [*machines.run(tmp_path, [[0], [1]])]
    assert str(error.value) == (
        "Slurm takes no jobs: sbatch: error: Batch job submission failed: "
        "Invalid partition name specified"
    )
    assert capsys.readouterr().err == ""
    assert [*tmp_path.iterdir()] == []


def test_without_slurm_it_says_where_to_call_it(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        InputError, match=r"^--slurm: there is no sbatch, .* on PATH; call this whe"
    ):
        Slurm({})


def test_without_submitit_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "submitit", None)
    with pytest.raises(InputError, match=r"^--slurm needs submitit: \./run\.sh setup slurm$"):
        Slurm({})


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("partiton", "x", "there is no such option, did you mean 'partition'?; there is account, "),
        ("mem_gb", "much", "--slurm-option mem_gb=much: a whole number from 1 on expected"),
        ("timeout_min", "0", "--slurm-option timeout_min=0: a whole number from 1 on expected"),
        ("array_parallelism", "-1", "array_parallelism=-1: a whole number from 1 on expected"),
    ],
)
def test_options_that_are_wrong_are_said(name, value, said):
    with pytest.raises(InputError) as error:
        slurm_commands.read_options({name: value})
    assert said in str(error.value)


def test_options_are_handed_on():
    assert slurm_commands.read_options({"mem_gb": "4", "partition": "long", "timeout_min": "9"}) == {
        "cpus_per_task": 1, "job_name": "sweep", "mem": "4G", "partition": "long", "time": 9,
    }  # fmt: skip


def test_neighbours_are_joined_to_so_many_jobs():
    groups = [[0, 1], [2], [3, 4], [5], [6]]
    assert slurm._joined(groups, 2) == [[0, 1, 2, 3, 4], [5, 6]]
    assert slurm._joined(groups, 9) == groups
    assert slurm._joined([], 2) == []
