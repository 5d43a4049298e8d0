"""Points done on this machine: in this process, or in others."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from pipeline.errors import InputError, RunError, count
from pipeline.experiments.sweep import work
from pipeline.experiments.sweep.work import Outcome

ROOT = Path(__file__).parents[3]

TWICE = 2
"""How often a point may take its process with it."""


class Here(AbstractContextManager["Here"]):
    """In this process, one point after the other."""

    at_once = 1

    def run(self, out: Path, groups: Sequence[Sequence[int]]) -> Iterator[Outcome]:
        """Does all points of all groups; see ``Machines.run``."""
        for group in groups:
            yield from work.outcomes(str(out), group)

    def __exit__(self, *_error: object) -> None:
        """There is nothing to stop."""


class Processes(AbstractContextManager["Processes"]):
    """In processes of this machine, which are started when there is something to do.

    Args:
        jobs: how many.
    """

    def __init__(self, jobs: int):
        self.at_once = jobs
        self._idle: list[_Process] = []
        self._all: list[_Process] = []

    def run(self, out: Path, groups: Sequence[Sequence[int]]) -> Iterator[Outcome]:
        """Does all points of all groups; see ``Machines.run``."""
        said: queue.SimpleQueue[tuple[_Process, object]] = queue.SimpleQueue()
        waiting = deque(list(group) for group in groups)
        losses: dict[int, int] = {}
        busy = 0
        while waiting or busy:
            while waiting and busy < self.at_once:
                process = self._idle.pop() if self._idle else self._start()
                process.take(out, waiting.popleft(), said)
                busy += 1
            process, what = said.get()
            if isinstance(what, Outcome):
                yield what
                continue
            busy -= 1
            if isinstance(what, Exception):
                raise what
            if what is None:
                self._idle.append(process)
                continue
            again, lost = _share(process.left, losses, str(what))
            yield from lost
            if again:
                waiting.append(again)

    def _start(self) -> _Process:
        self._all.append(_Process())
        return self._all[-1]

    def __exit__(self, *_error: object) -> None:
        """Stops all processes; what they are doing is lost, and nothing of it is left."""
        for process in self._all:
            process.stop()


class _Process:
    """A process that does one group after the other."""

    def __init__(self) -> None:
        paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        self._popen = subprocess.Popen(
            [sys.executable, "-P", "-m", "pipeline.experiments.machines.process", *sys.argv[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            text=True,
            process_group=0,  # Ctrl-C is for this process, which stops the others
        )
        self.left: list[int] = []
        """Points it was given and has not done."""

    def take(
        self, out: Path, group: list[int], said: queue.SimpleQueue[tuple[_Process, object]]
    ) -> None:
        """Begins a group; ``said`` gets what comes of it.

        That is each outcome; then None when all is done, an exception when nothing can be done any
        more, or a text that says how the process ended.
        """
        self.left = group
        threading.Thread(target=self._listen, args=(out, group, said), daemon=True).start()

    def _listen(
        self, out: Path, group: list[int], said: queue.SimpleQueue[tuple[_Process, object]]
    ) -> None:
        try:
            assert self._popen.stdin, "it is a pipe"
            assert self._popen.stdout, "it is a pipe"
            print(json.dumps([str(out), group]), file=self._popen.stdin, flush=True)
            for line in self._popen.stdout:
                kind, *what = json.loads(line)
                if kind == "outcome":
                    outcome = Outcome(*what)
                    self.left = [number for number in self.left if number != outcome.number]
                    said.put((self, outcome))
                elif kind == "done":
                    said.put((self, None))
                    return
                else:
                    error = InputError(*what) if kind == "input" else RunError(what[0])
                    said.put((self, error))
                    return
        except (OSError, ValueError):
            pass  # it has ended in the middle of a line
        code = self._popen.wait()
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        said.put((self, how))

    def stop(self) -> None:
        """Ends the process."""
        self._popen.terminate()
        try:
            self._popen.wait(10)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()
        for pipe in (self._popen.stdin, self._popen.stdout):
            if pipe:
                with suppress(OSError):
                    pipe.close()


def _share(left: list[int], losses: dict[int, int], how: str) -> tuple[list[int], list[Outcome]]:
    """What a lost process leaves to others, and what is given up.

    The first of the points is the one that it was doing.
    """
    if not left:
        return [], []
    first, rest = left[0], left[1:]
    losses[first] = losses.get(first, 0) + 1
    if losses[first] < TWICE:
        return left, []
    what = f"its process ended ({how}) {count(TWICE, 'time')}; is there memory enough?"
    return rest, [Outcome(first, what)]
