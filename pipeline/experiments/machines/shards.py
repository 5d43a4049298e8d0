"""Shards of a collection, read by the workers of a Dask scheduler."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.errors import InputError, RunError
from pipeline.experiments import records
from pipeline.experiments.machines.dask import Dask, LostError
from pipeline.index.arrays.shard import read_shard
from pipeline.index.arrays.shards import Elsewhere, Reader, Shard

if TYPE_CHECKING:
    from distributed import Future

A_WORKER = 4
"""Shards for each worker: what is lost with one is not much, and the quick do more."""


@contextmanager
def on_dask(
    address: str, shards: int | None = None, say: Callable[[str], None] = lambda _line: None
) -> Iterator[Elsewhere]:
    """The workers of a scheduler.

    Args:
        address: of the scheduler.
        shards: into how many a collection is cut; None: some for each worker.
        say: told, in a line, of shards that cannot be read there; they are read here.

    Raises:
        InputError, RunError: as ``Dask``.
    """
    with Dask(address) as dask:

        def start(given: Sequence[Shard]) -> list[OnDask]:
            told: set[str] = set()
            return [OnDask(dask, shard, say, told) for shard in given]

        yield Elsewhere(shards or A_WORKER * dask.at_once, start)


def read(shard: Shard, code: str) -> None:
    """The task: a shard to its folder.

    Args:
        shard: as whoever wants it sees the files.
        code: the hash of its program.

    Raises:
        RunError: this machine sees other files, or has another program.
        Exception: as ``read_shard``.
    """
    here = f"the worker on {socket.gethostname()}"
    if code != records.code():
        raise RunError(f"{here} runs another version of this program")
    for file, size in zip(map(Path, shard.files), shard.sizes, strict=True):
        if not file.is_file() or file.stat().st_size != size:
            raise RunError(f"{here} does not see {file} as it is")
    if not Path(shard.folder).parent.is_dir():
        raise RunError(f"{here} does not see {Path(shard.folder).parents[2]}, where indexes go")
    read_shard(shard)


class OnDask(Reader):
    """A shard that is read by some worker.

    Args:
        dask: the workers.
        shard: what is read.
        say: told why it was not.
        told: what was said already.
    """

    def __init__(self, dask: Dask, shard: Shard, say: Callable[[str], None], told: set[str]):
        self._dask, self._say, self._told = dask, say, told
        self._future: Future[Any] = dask.submit(read, shard, records.code())
        self._bytes, self._folder = shard.bytes, Path(shard.folder)

    def more(self) -> int:
        """All bytes of the shard, once it is there."""
        if self._future.status != "finished":
            return 0
        more, self._bytes = self._bytes, 0
        return more

    def reads(self) -> bool:
        """Whether the task waits or runs; why it failed, if it did, is said."""
        status = self._future.status
        if status == "finished":
            return False
        if status == "lost":  # with the worker that knew that it was done, and is done again
            return not self._folder.exists()
        if status == "pending":
            return True
        try:
            self._dask.result(self._future)
        except InputError:
            pass  # the collection is broken; who reads here in its place meets that, and says it
        except (RunError, LostError) as error:
            line = f"{error}; what it should read is read here"
            if line not in self._told:
                self._told.add(line)
                self._say(line)
        return False

    def stop(self) -> None:
        """Gives it up, if it is not done."""
        if self._future.status == "pending":
            self._dask.cancel([self._future])
