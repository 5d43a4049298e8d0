"""Shards of a collection read by processes of this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from pipeline.index.arrays.shard import STEP
from pipeline.index.arrays.shards import Reader, Shard

PROGRAM = "pipeline.index.arrays.shard"
"""What such a process runs; it is told its shard."""

_ROOT = Path(__file__).parents[3]


class Process(Reader):
    """A process that reads a shard; it ends with us, whatever ends us.

    Raises:
        OSError: it cannot be started.
    """

    def __init__(self, shard: Shard):
        path = [str(_ROOT), os.environ.get("PYTHONPATH", "")]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", PROGRAM, msgspec.json.encode(shard)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))},
        )
        assert self._process.stdout is not None, "it is a pipe"
        self._output = self._process.stdout.fileno()
        os.set_blocking(self._output, False)

    def more(self) -> int:
        """It writes a byte to its output for each so many that it has read."""
        steps = 0
        try:
            while some := os.read(self._output, 1 << 10):
                steps += len(some)
        except BlockingIOError:
            pass
        return STEP * steps

    def reads(self) -> bool:
        """Whether it runs."""
        return self._process.poll() is None

    def stop(self) -> None:
        """Ends it, if it runs."""
        with self._process as process:
            process.kill()


def start(shards: Sequence[Shard]) -> list[Process]:
    """A process for each shard.

    Raises:
        OSError: there cannot be so many.
    """
    started: list[Process] = []
    try:
        for shard in shards:
            started.append(Process(shard))
    except OSError:
        for process in started:
            process.stop()
        raise
    return started
