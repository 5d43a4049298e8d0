"""Commands measured from outside: processor time, wall time, memory of all their processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

ROOT = Path(__file__).parents[1]

PYTHON = [sys.executable, "-P"]
"""This Python, which does not take the folder of a script for a place of modules."""

OURS = [*PYTHON, "-m", "pipeline"]
"""The program, as ``run.sh`` calls it."""

EVERY = 0.05
"""Seconds between two looks at the memory of the processes."""


@dataclass(frozen=True)
class Used:
    """What a command and all its processes took."""

    cpu: float
    """Seconds, user and system."""
    wall: float
    """Seconds."""
    peak: float
    """Megabytes at most, mapped files in memory among them; of all processes together."""
    anonymous: float
    """Megabytes at most that are no pages of files: what cannot be given back; of all together."""
    output: str = ""
    """What it printed."""


class FailedError(Exception):
    """A command that did not end well. The text is the last line it said."""


def measured(
    command: Sequence[str], cores: int = 0, variables: Mapping[str, str] | None = None
) -> Used:
    """Runs a command to its end, in the folder where this process is.

    Args:
        command: the program and its arguments.
        cores: on how many it may run; 0: as many as there are.
        variables: added to the environment.

    Raises:
        FailedError: its exit code is not 0.
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **(variables or {})}
    allowed = sorted(os.sched_getaffinity(0))[: cores or None]
    with tempfile.TemporaryFile("w+") as said, tempfile.TemporaryFile("w+") as output:
        start = time.perf_counter()
        process = subprocess.Popen(
            ["taskset", "-c", ",".join(map(str, allowed)), *command] if cores else command,
            stdout=output,
            stderr=said,
            env=environment,
        )
        memory = _Memory(process.pid)
        memory.start()
        try:
            _, status, used = os.wait4(process.pid, 0)
        finally:
            memory.ended.set()
            memory.join()
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        output.seek(0)
        if status:
            last = (said.read().strip().splitlines() or [f"exit code {process.returncode}"])[-1]
            raise FailedError(last)
        cpu = used.ru_utime + used.ru_stime
        return Used(cpu, wall, memory.peak / 1024, memory.anonymous / 1024, output.read())


class _Memory(threading.Thread):
    """Looks at the memory of a process and all below it, in kilobytes.

    What ``wait4`` gives is of one process, and begins with what this one had when it started that.
    """

    def __init__(self, root: int):
        super().__init__(daemon=True)
        self.root, self.ended = root, threading.Event()
        self.peak = self.anonymous = 0

    def run(self) -> None:
        while not self.ended.wait(EVERY):
            found = [_status(process) for process in _tree(self.root)]
            self.peak = max(self.peak, sum(one.get("VmRSS", 0) for one in found))
            kept = sum(one.get("RssAnon", 0) + one.get("RssShmem", 0) for one in found)
            self.anonymous = max(self.anonymous, kept)


def _tree(root: int) -> Iterable[int]:
    """The process and all that it started, and that these did."""
    yield root
    for children in Path(f"/proc/{root}/task").glob("*/children"):
        with suppress(OSError):
            for child in children.read_text().split():
                yield from _tree(int(child))


def _status(process: int) -> dict[str, int]:
    """The numbers in kilobytes that the system has on a process; none if it is gone."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return {}
    pairs = (line.split(":", 1) for line in lines if line.endswith(" kB"))
    return {name: int(value.split()[0]) for name, value in pairs}


def warm(folder: Path) -> None:
    """Reads the collection's files once, so that they are in memory as far as there is room."""
    for file in folder.glob("*.json*"):
        with file.open("rb", buffering=0) as data:
            while data.read(1 << 20):
                pass


def bytes_in(folder: Path) -> int:
    """Bytes of all files below a folder; a file with two names counts once."""
    files = (path.lstat() for path in folder.rglob("*") if path.is_file())
    return sum({about.st_ino: about.st_size for about in files}.values())


class Row(Protocol):
    """Prints a row of a table."""

    def __call__(self, name: str, *columns: object) -> None:
        """Prints the first column and the others."""


def table(titles: Sequence[str], width: int = 36) -> Row:
    """Prints the titles; gives what prints a row under them, the first column that wide."""

    def row(name: str, *columns: object) -> None:
        print(f"{name:<{width}}", *(f"{column!s:>11}" for column in columns), flush=True)

    row("", *titles)
    return row


def write_json(file: Path | None, rows: object) -> None:
    """Writes what was measured, with what it was measured on."""
    if file:
        about = {"python": sys.version.split()[0], "cores": len(os.sched_getaffinity(0))}
        file.write_text(json.dumps({**about, "rows": rows}, indent=1) + "\n", encoding="utf-8")
