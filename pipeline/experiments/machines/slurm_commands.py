"""What Slurm is asked by its commands, and what a user may ask of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Mapping
from typing import Any

from pipeline.errors import InputError, RunError, meant

COMMANDS = ("sbatch", "scancel", "sinfo", "squeue", "srun")

OPTIONS: Mapping[str, type[str] | type[int]] = {
    "account": str, "array_parallelism": int, "comment": str, "constraint": str,
    "cpus_per_task": int, "exclude": str, "gres": str, "job_name": str, "mem_gb": int,
    "nodelist": str, "partition": str, "qos": str, "timeout_min": int,
}  # fmt: skip
"""What ``--slurm-option`` may name; what is not given is as the cluster has it, but for these:"""

DEFAULTS = {"cpus_per_task": 1, "job_name": "sweep", "timeout_min": 240}

AT_ONCE = 16
"""Jobs at once, at most, where ``array_parallelism`` is not given."""

LATE, PATIENCE = 15.0, 300.0
"""Seconds after which a file that a job wrote is seen on a shared file system; in which Slurm must
answer."""


def check_commands() -> None:
    """Looks for Slurm.

    Raises:
        InputError: it is not here.
    """
    missing = [name for name in COMMANDS if not shutil.which(name)]
    if missing:
        raise InputError(
            f"--slurm: there is no {', '.join(missing)} on PATH; call this where jobs are submitted"
        )


def read_options(options: Mapping[str, str]) -> dict[str, Any]:
    """The parameters of submitit's executor.

    Args:
        options: as written, by their names in ``OPTIONS``.

    Raises:
        InputError: one that there is not, or whose value is none.
    """
    read: dict[str, Any] = dict(DEFAULTS)
    for name, value in options.items():
        if name not in OPTIONS:
            raise InputError(
                f"--slurm-option {name}: there is no such option{meant(name, OPTIONS)}; "
                f"there is {', '.join(OPTIONS)}"
            )
        if OPTIONS[name] is int and (not value.isdecimal() or int(value) < 1):
            raise InputError(f"--slurm-option {name}={value}: a whole number from 1 on expected")
        read[name] = OPTIONS[name](value)
    read["time"] = read.pop("timeout_min")
    if "mem_gb" in read:
        read["mem"] = f"{read.pop('mem_gb')}G"
    return read


def nodes(partition: str = "") -> int:
    """How many nodes there are, at least 1."""
    of = ["--partition", partition] if partition else []
    said = _called("sinfo", "--noheader", "--format", "%D", *of).stdout
    return max(1, sum(map(int, filter(str.isdecimal, said.split()))))


def cancel(jobs: set[str]) -> None:
    """Ends jobs."""
    if jobs:
        _called("scancel", *sorted(jobs))


class Queue:
    """What Slurm knows of our jobs."""

    def __init__(self) -> None:
        self._there: set[str] | None = set()
        self._answered = time.monotonic()
        self._missed: dict[str, float] = {}

    def look(self) -> None:
        """Asks for the jobs that wait or run.

        Raises:
            RunError: Slurm has not answered for long.
        """
        done = _called(
            "squeue", "--noheader", "--array", "--user", str(os.getuid()), "--format", "%i"
        )
        now = time.monotonic()
        self._there = set(done.stdout.split()) if done.returncode == 0 else None
        if self._there is not None:
            self._answered = now
        elif now - self._answered > PATIENCE:
            raise RunError(
                f"Slurm answers no longer: {' '.join(done.stderr.split())}; what is finished is "
                "kept, call this again when it does"
            )

    def lost(self, job: str) -> bool:
        """Whether a job is over, and so long that its result would be seen if there were one."""
        if self._there is None or job in self._there:
            self._missed.pop(job, None)
            return False
        return time.monotonic() - self._missed.setdefault(job, time.monotonic()) > LATE


def _called(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)
