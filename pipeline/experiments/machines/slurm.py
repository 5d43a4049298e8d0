"""A sweep on Slurm: groups of points are the jobs of an array, submitted by submitit.

A job that is over has left its result in a file; one that Slurm does not know any more, and that
has left none, was killed. Jobs outlive whoever submitted them: what they finish then is found by
the next call.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, redirect_stderr
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.errors import InputError, RunError
from pipeline.experiments.machines import slurm_commands
from pipeline.experiments.machines.slurm_commands import AT_ONCE, Queue
from pipeline.experiments.sweep.work import Outcome, work

if TYPE_CHECKING:
    from submitit import Job

FOLDER = "slurm"
"""The folder in that of a sweep with what jobs are given and leave; stays where some failed."""

FOR_EACH = 2
"""Jobs for each that runs at once: what a job does before its first point takes seconds."""

LARGEST = 1000
"""Jobs of one array; Slurm itself allows 1001 if it is not told otherwise."""

POLL = 1.0
"""Seconds between two looks."""

Given = list[int]


class Slurm(AbstractContextManager["Slurm"]):
    """The nodes of a cluster, where jobs can be submitted to it.

    Args:
        options: of the jobs, as written; see ``slurm_commands.OPTIONS``.

    Raises:
        InputError: there is no Slurm here, submitit is not installed, or an option is wrong.
    """

    def __init__(self, options: Mapping[str, str]):
        self._options = slurm_commands.read_options(options)
        if not find_spec("submitit"):
            raise InputError("--slurm needs submitit: ./run.sh setup slurm")
        slurm_commands.check_commands()
        nodes = slurm_commands.nodes(options.get("partition", ""))
        self.at_once = int(self._options.setdefault("array_parallelism", min(AT_ONCE, nodes)))
        self._waiting: dict[Job[Any], Given] = {}

    def __exit__(self, *_error: object) -> None:
        self._cancel()

    def run(self, out: Path, groups: Sequence[Sequence[int]]) -> Iterator[Outcome]:
        """Does all points of all groups; see ``Machines.run``.

        Points whose job was killed, or failed as a whole, are tried once more, each in a job.

        Raises:
            InputError, RunError: nothing can go on, as a job says, or Slurm does not answer.
        """
        again: list[int] = []
        failed = False
        try:
            for group, result in self._results(out, _joined(groups, FOR_EACH * self.at_once)):
                if isinstance(result, str):
                    again += group
                else:
                    yield from result
            for group, result in self._results(out, [[number] for number in again]):
                if isinstance(result, str):
                    failed = True
                    yield from (Outcome(number, result) for number in group)
                else:
                    yield from result
        finally:
            self._cancel()
        if not failed:
            shutil.rmtree(out / FOLDER, ignore_errors=True)

    def _results(
        self, out: Path, groups: Sequence[Given]
    ) -> Iterator[tuple[Given, list[Outcome] | str]]:
        """Each group with what came of it: outcomes, or the line that says why there are none."""
        for begin in range(0, len(groups), LARGEST):
            self._submit(out, groups[begin : begin + LARGEST])
            queue = Queue()
            while self._waiting:
                queue.look()
                for job, group in [*self._waiting.items()]:
                    if job.paths.result_pickle.exists():
                        result = _taken(job)
                    elif queue.lost(job.job_id):
                        result = _lost(job)
                    else:
                        continue
                    del self._waiting[job]
                    yield group, result
                time.sleep(POLL)

    def _submit(self, out: Path, groups: Sequence[Given]) -> None:
        from submitit import SlurmExecutor
        from submitit.core.utils import FailedJobError, FailedSubmissionError

        if "%" in str(out):
            raise InputError(f"{out}: a path with '%' in it will not do for Slurm's logs")
        executor = SlurmExecutor(out / FOLDER)
        executor.update_parameters(
            **self._options,
            stderr_to_stdout=True,
            setup=["export PYTHONSAFEPATH=1"],  # no file of the working folder shadows a module
        )
        try:
            with redirect_stderr(io.StringIO()):  # submitit writes there what sbatch says
                jobs = executor.map_array(work, [str(out)] * len(groups), groups)
        except (FailedJobError, FailedSubmissionError, subprocess.SubprocessError) as error:
            shutil.rmtree(out / FOLDER, ignore_errors=True)
            raise RunError(f"Slurm takes no jobs: {_last_line(str(error))}") from None
        except OSError as error:
            raise RunError(f"{out / FOLDER}: cannot be written: {error.strerror}") from error
        self._waiting = dict(zip(jobs, groups, strict=True))

    def _cancel(self) -> None:
        """Ends the jobs that are not over."""
        slurm_commands.cancel({job.job_id.split("_")[0] for job in self._waiting})
        self._waiting = {}


def _joined(groups: Sequence[Sequence[int]], most: int) -> list[Given]:
    """So many groups at most: neighbours joined."""
    size = -(-len(groups) // most) or 1
    return [
        [number for group in groups[begin : begin + size] for number in group]
        for begin in range(0, len(groups), size)
    ]


def _taken(job: Job[Any]) -> list[Outcome] | str:
    """What a job has left, or the line that says why it failed.

    Raises:
        InputError, RunError: those that the task function raised.
    """
    from submitit.core.utils import pickle_load

    outcome, result = pickle_load(job.paths.result_pickle)
    if outcome == "success":
        outcomes: list[Outcome] = result
        return outcomes
    known = re.search(r"^pipeline\.errors\.(InputError|RunError): (.*)", result, re.MULTILINE)
    if known:
        raise (InputError if known[1] == "InputError" else RunError)(known[2])
    return f"Slurm's job {job.job_id} failed: {_last_line(result)}; see {job.paths.stdout}"


def _lost(job: Job[Any]) -> str:
    log = job.paths.stdout
    said = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    last = _last_line(said) or "it says nothing"
    return f"Slurm's job {job.job_id} ended without a result: {last}; see {log}"


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""
