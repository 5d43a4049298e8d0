"""Sweeps on a scheduler and two workers, started by their command lines."""

import socket
import sys

import clusters
import pytest

from pipeline.errors import InputError, RunError
from pipeline.experiments.machines import dask
from pipeline.experiments.machines.dask import Dask
from pipeline.experiments.sweep.work import Outcome


@pytest.mark.cluster
def test_a_worker_killed_in_the_middle_changes_nothing(large, dask_cluster):
    code, said = large.disturbed(
        "worker", lambda _: dask_cluster.kill(dask_cluster.workers[0]),
        "--scheduler", dask_cluster.address, "--index", large.index,
    )  # fmt: skip
    assert code == 0, said
    assert large.is_whole("worker")


@pytest.mark.cluster
def test_killed_and_called_again_only_the_rest_is_done(large, dask_cluster):
    words = ("--scheduler", dask_cluster.address, "--index", large.index)
    large.disturbed("lead", lambda lead: lead.kill(), *words)
    _, said = large.call("lead", *words)
    assert "of 40 points there already" in said
    assert large.is_whole("lead")


@pytest.mark.cluster
def test_a_scheduler_that_ends_in_the_middle_is_one_line(large, tmp_path):
    with clusters.DaskCluster(tmp_path) as cluster:
        words = ("--scheduler", cluster.address, "--index", large.index)
        code, said = large.disturbed("end", lambda _: clusters.end(cluster.scheduler), *words)
    assert code == 1
    assert said.splitlines()[-1] == (
        f"failed: {cluster.address}: the scheduler answers no longer; what is finished is kept, "
        "start it and call this again"
    )
    large.call("end", "--index", large.index)
    assert large.is_whole("end")


@pytest.mark.cluster
def test_a_point_that_ends_every_worker_is_a_line_and_the_others_are_done(
    dask_cluster, tmp_path, monkeypatch
):
    monkeypatch.setattr(dask, "work", clusters.poisoned)
    with Dask(dask_cluster.address) as machines:
        outcomes = {*machines.run(tmp_path, [[0, 1], [2, clusters.POISON], [4]])}
    (bad,) = outcomes - {Outcome(number) for number in (0, 1, 2, 4)}
    assert len(outcomes) == 5
    assert bad.number == clusters.POISON
    assert bad.problem.startswith("it ended each worker that took it, tcp://127.0.0.1:")


@pytest.mark.cluster
@pytest.mark.parametrize(
    ("kind", "error", "said"),
    [
        ("input", InputError, "OUT: no such folder"),
        ("run", RunError, "OUT: full"),
        ("bug", RunError, "a worker fails: KeyError: 'x'; start workers by"),
    ],
)
def test_what_stops_the_task_stops_all(dask_cluster, tmp_path, monkeypatch, kind, error, said):
    monkeypatch.setattr(dask, "work", clusters.poisoned)
    with Dask(dask_cluster.address) as machines, pytest.raises(error, match=said):
        [*machines.run(tmp_path / kind, [[0], [clusters.POISON]])]


@pytest.mark.cluster
def test_workers_may_come_later(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(dask, "work", clusters.poisoned)
    with clusters.DaskCluster(tmp_path, workers=0) as cluster, Dask(cluster.address) as machines:
        assert machines.at_once == dask.EXPECTED
        assert capsys.readouterr().err == (
            f"{cluster.address}: no workers yet, waiting for the first "
            "(.venv/bin/dask worker ADDRESS --nthreads 1)\n"
        )
        outcomes = machines.run(tmp_path, [[0], [1]])
        cluster.worker("late")
        assert {*outcomes} == {Outcome(0), Outcome(1)}
        assert machines.at_once == 1


def nobody() -> str:
    return f"tcp://127.0.0.1:{clusters.free_port()}"


def test_nobody_at_an_address_is_said_at_once():
    address = nobody()
    with pytest.raises(RunError) as error:
        Dask(address)
    assert str(error.value) == (
        f"{address}: no Dask scheduler answers: Connection refused; start one by "
        ".venv/bin/dask scheduler, which says its address"
    )


def test_somebody_else_at_an_address_is_said(monkeypatch):
    monkeypatch.setattr(dask, "PATIENCE", 1)
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"tcp://127.0.0.1:{other.getsockname()[1]}"
        with pytest.raises(RunError, match="no Dask scheduler answers within 1 seconds; is it one"):
            Dask(address)


@pytest.mark.parametrize(
    "address", ["", "host", "tcp://", "tcp://host", "tcp://host:port", "host:"]
)
def test_what_is_no_address_is_said(address):
    with pytest.raises(InputError, match=r"no address of a scheduler, tcp://HOST:PORT is"):
        Dask(address)


def test_an_unknown_kind_of_address_is_said():
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"http://127.0.0.1:{other.getsockname()[1]}"
        with pytest.raises(InputError, match="unknown address scheme 'http'"):
            Dask(address)


@pytest.mark.cluster
def test_the_address_of_a_worker_is_said(dask_cluster):
    with Dask(dask_cluster.address) as machines:
        worker = next(iter(machines._client.nthreads()))
    with pytest.raises(InputError, match=rf"{worker}: this is a worker, the scheduler is expected"):
        Dask(worker)


def test_without_dask_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"^--scheduler needs dask: \./run\.sh setup dask$"):
        Dask("tcp://127.0.0.1:8786")
