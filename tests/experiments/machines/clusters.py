"""Dask and Slurm on this machine: daemons of their own, started and ended by the tests."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from debian import missing, program

from pipeline.errors import InputError, RunError
from pipeline.experiments.sweep.work import Outcome

ROOT = Path(__file__).parents[3]
PATHS = [ROOT, ROOT / "tests", Path(__file__).parent]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, PATHS))}
BIN = Path(sys.executable).parent

PROGRAMS = ("slurmctld", "slurmd", "sbatch", "munged")


POISON = 3
"""A point that is not like the others."""


def poisoned(out: str, numbers: list[int]) -> list[Outcome]:
    """A task that ends its process, or fails as the name of the folder says."""
    if POISON in numbers:
        how = Path(out).name
        if how == "input":
            raise InputError("OUT: no such folder")
        if how == "run":
            raise RunError("OUT: full")
        if how == "bug":
            raise KeyError("x")
        os.kill(os.getpid(), signal.SIGKILL)
    return [Outcome(number) for number in numbers]


class NotHereError(Exception):
    """A cluster that cannot be had; the text says why."""


def until(true: Callable[[], object], what: str, seconds: float = 60) -> None:
    """Waits until something is true."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.05)


class Daemons(contextlib.ExitStack):
    """Processes, each in a session of its own with its log; they end when this is left."""

    def __init__(self, folder: Path, **environ: str):
        super().__init__()
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.environ = {**ENVIRONMENT, **environ}

    def start(self, name: str, *command: str | Path) -> subprocess.Popen[bytes]:
        log = self.enter_context((self.folder / f"{name}.log").open("ab"))
        process = subprocess.Popen(
            [str(word) for word in command], env=self.environ, cwd=self.folder,
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
        )  # fmt: skip
        self.callback(end, process)
        return process


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends a process that ``Daemons`` started, with all of its session."""
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(5)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def children(process: int) -> list[int]:
    """Processes that a process has started."""
    return [
        int(child)
        for tasks in Path(f"/proc/{process}/task").glob("*/children")
        for child in tasks.read_text().split()
    ]


class DaskCluster(Daemons):
    """A scheduler and workers of one thread, each kept alive by its nanny."""

    def __init__(self, folder: Path, workers: int = 2):
        super().__init__(folder, DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL="60s")
        about = folder / "scheduler.json"
        port = str(free_port())
        self.address = f"tcp://127.0.0.1:{port}"
        self.scheduler = self.start(
            "scheduler", BIN / "dask", "scheduler", "--host", "127.0.0.1", "--port", port,
            "--no-dashboard", "--scheduler-file", about,
        )  # fmt: skip
        until(about.exists, "the scheduler")
        self.workers = [self.worker(f"worker-{number}") for number in range(workers)]

    def worker(self, name: str) -> subprocess.Popen[bytes]:
        """One more worker."""
        process = self.start(
            name, BIN / "dask", "worker", self.address, "--nthreads", "1", "--no-dashboard",
            "--local-directory", self.folder / name, "--name", name,
        )  # fmt: skip
        log = self.folder / f"{name}.log"
        until(lambda: "Registered to" in log.read_text(), "a worker")
        return process

    def kill(self, worker: subprocess.Popen[bytes]) -> None:
        """Kills the process in which a worker does its tasks; its nanny starts another."""
        for child in children(worker.pid):
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                os.kill(child, signal.SIGKILL)
                return
        raise AssertionError("no process to kill")


SLURM = """\
ClusterName=test
SlurmctldHost={host}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmctldPort={ctld}
SlurmdPort={d}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/ctld.pid
SlurmdPidFile={folder}/d-%n.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1
ReturnToService=2
SlurmdTimeout=20
MinJobAge=2
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={n1} CPUs=1 RealMemory=2000
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={n2} CPUs=1 RealMemory=2000
PartitionName=debug Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"""


class SlurmCluster(Daemons):
    """A controller and two nodes of one processor, with keys of their own.

    Raises:
        NotHereError: there is no Slurm on this machine.
    """

    def __init__(self, folder: Path):
        if why := missing(*PROGRAMS):
            raise NotHereError(why)
        super().__init__(folder, SLURM_CONF=str(folder / "slurm.conf"))
        (folder / "state").mkdir()
        ports = {name: free_port() for name in ("ctld", "d", "n1", "n2")}
        host = socket.gethostname().split(".")[0]
        user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True)
        (folder / "slurm.conf").write_text(
            SLURM.format(folder=folder, host=host, user=user.stdout.strip(), **ports)
        )
        key = folder / "munge.key"
        key.touch(0o600)
        key.write_bytes(secrets.token_bytes(1024))
        self.start(
            "munged", program("munged"), "--foreground", "--force",
            *(f"--{name}-file={folder / name}" for name in ("pid", "log", "seed")),
            f"--key-file={key}", f"--socket={folder / 'munge.socket'}",
        )  # fmt: skip
        until((folder / "munge.socket").exists, "munged")
        self.controller = self.start("slurmctld", program("slurmctld"), "-D")
        self.nodes = [self.start(n, program("slurmd"), "-D", "-N", n) for n in ("n1", "n2")]
        self.callback(self.cancel)
        until(lambda: self.ask("sinfo", "-h", "-t", "idle", "-o", "%D") == "2", "two nodes")

    def ask(self, *command: str) -> str:
        """What a program of Slurm's says; nothing where it fails."""
        done = subprocess.run(
            command, env=self.environ, capture_output=True, text=True, check=False
        )
        return done.stdout.strip()

    def cancel(self) -> None:
        """Ends all jobs."""
        if self.ask("squeue", "-h"):
            self.ask("scancel", "--user", str(os.getuid()))
            with contextlib.suppress(TimeoutError):
                until(lambda: not self.ask("squeue", "-h"), "all jobs to end", 20)


def free_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port
