"""A sweep on Dask: groups of points are tasks of a scheduler that is there, and of its workers.

What Dask knows, its scheduler holds in memory, and it carries out again what was lost with a
worker. Neither matters here: files are what counts, and a task that is done finds that it is.
"""

from __future__ import annotations

import asyncio
import logging
import re
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.errors import InputError, RunError
from pipeline.experiments.progress import tell
from pipeline.experiments.sweep.work import Outcome, work

if TYPE_CHECKING:
    from distributed import Client, Future

EXPECTED = 8
"""Workers, while there are none."""

PATIENCE = 10
"""Seconds in which a scheduler must answer."""

WORKER = ".venv/bin/dask worker ADDRESS --nthreads 1"
"""How a worker is started, on any machine that sees the same files under the same paths."""

_address = re.compile(r"(?:([a-z]+)://)?\[?([^/\[\]]+)\]?:(\d{1,5})").fullmatch


class Dask(AbstractContextManager["Dask"]):
    """The workers of a scheduler.

    Args:
        address: of the scheduler, ``tcp://HOST:PORT``.

    Raises:
        InputError: that is no address, or Dask is not installed.
        RunError: no scheduler answers there.
    """

    def __init__(self, address: str):
        self.address = address
        self._client = connect(address)
        if not self._client.nthreads():
            tell(f"{address}: no workers yet, waiting for the first ({WORKER})")

    def __exit__(self, *_error: object) -> None:
        self._client.close()

    @property
    def at_once(self) -> int:
        """How many workers there are; a guess while none has come."""
        return len(self._client.nthreads()) or EXPECTED

    def run(self, out: Path, groups: Sequence[Sequence[int]]) -> Iterator[Outcome]:
        """Does all points of all groups; see ``Machines.run``.

        Points of a group that is lost with one worker after the other are tried once more, each
        with nothing else under way: Dask blames what waits at a worker for what ended it, too.

        Raises:
            InputError, RunError: nothing can go on, as a worker says or since no scheduler answers.
        """
        from distributed import as_completed

        given = {self.submit(work, str(out), list(group)): group for group in groups}
        waiting = set(given)
        lost: list[int] = []
        try:
            for future in as_completed(given, loop=self._client.loop):
                waiting.discard(future)
                try:
                    yield from self.result(future)
                except LostError:
                    lost += given[future]
                future.release()
            for number in lost:
                alone = self.submit(work, str(out), [number])
                waiting = {alone}
                try:
                    yield from self.result(alone)
                except LostError as error:
                    yield Outcome(number, str(error))
                waiting = set()
        finally:
            self.cancel(waiting)

    def submit(self, task: Callable[..., Any], *given: object) -> Future[Any]:
        """Has a worker carry out a task; again, where it is lost with the worker."""
        return self._client.submit(task, *given, pure=False)

    def cancel(self, futures: Iterable[Future[Any]]) -> None:
        """What they give is wanted no more; a task that runs comes to its end all the same."""
        if self._client.status == "running":
            self._client.cancel(list(futures))

    def result(self, future: Future[Any]) -> Any:
        """What came of a task that is over.

        Raises:
            LostError: it ended one worker after the other.
            InputError, RunError: as the task; or no scheduler answers, or a worker cannot run it.
        """
        from concurrent.futures import CancelledError

        from distributed import KilledWorker

        try:
            return future.result()  # waits where it was lost with its worker, and is done again
        except CancelledError:
            raise RunError(
                f"{self.address}: the scheduler answers no longer; what is finished is kept, "
                "start it and call this again"
            ) from None
        except KilledWorker as killed:
            raise LostError(
                f"it ended each worker that took it, {killed.last_worker.address} at last; "
                "look there for the cause (memory?)"
            ) from None
        except (InputError, RunError) as error:
            raise error from None
        except Exception as error:
            what = f"{type(error).__name__}: {_line(error)}"
            raise RunError(
                f"{self.address}: a worker fails: {what}; start workers by {WORKER}"
            ) from None


class LostError(Exception):
    """A task ended each worker that took it; the message is one line."""


def connect(address: str) -> Client:
    """A connection to a scheduler.

    Raises:
        InputError: that is no address, or Dask is not installed.
        RunError: no scheduler answers there.
    """
    found = _address(address)
    if not found:
        raise InputError(f"--scheduler {address}: no address of a scheduler, tcp://HOST:PORT is")
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise InputError("--scheduler needs dask: ./run.sh setup dask") from None
    for name in ("distributed", "distributed.client"):  # what is wrong, we say
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        # the client would try again and again, and wait for ever where nothing is said
        socket.create_connection((found[2], int(found[3])), PATIENCE).close()
        asyncio.run(_greet(address))
        return Client(address, timeout=PATIENCE, set_as_default=False)
    except TimeoutError:
        raise RunError(
            f"{address}: no Dask scheduler answers within {PATIENCE} seconds; is it one?"
        ) from None
    except (ValueError, TypeError) as error:
        raise InputError(f"--scheduler {address}: {_line(error)}") from None
    except (OSError, OverflowError) as error:
        raise RunError(
            f"{address}: no Dask scheduler answers: {_line(error)}; start one by "
            ".venv/bin/dask scheduler, which says its address"
        ) from None


async def _greet(address: str) -> None:
    """Asks who is there.

    Raises:
        TimeoutError: nobody says it in time.
        ValueError: it is no scheduler.
    """
    from distributed import rpc
    from distributed.security import Security

    security = Security().get_connection_args("client")
    async with rpc(address, connection_args=security) as somebody:
        about = await asyncio.wait_for(somebody.identity(), PATIENCE)
    if about["type"] != "Scheduler":
        raise ValueError(f"this is a {about['type'].lower()}, the scheduler is expected")


def _line(error: BaseException) -> str:
    """What an error says, in a line."""
    lines = str(getattr(error, "strerror", None) or error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
