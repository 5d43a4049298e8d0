"""What is running and how much is left: bars on a terminal, plain ASCII lines elsewhere."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import UTC, datetime
from typing import NamedTuple, NoReturn

from tqdm import tqdm

OFTEN = 10.0
"""Seconds between two lines about the same bar, where there is no terminal."""

STAGES = "{desc}{percentage:3.0f}%|{bar}| {n_fmt} of {total_fmt} stages [{elapsed}]"
"""Stages differ too much for a guess of how long the rest will take."""


class Spent(NamedTuple):
    """Seconds."""

    wall: float
    cpu: float
    """Of all threads, Java's too, and of processes that have ended."""
    main_thread: float
    """CPU seconds of Python's main thread; Terrier's indexer has a thread of its own."""

    @classmethod
    def now(cls) -> Spent:
        """Since some moment before."""
        of_others = sum(os.times()[2:4])
        return cls(time.perf_counter(), time.process_time() + of_others, time.thread_time())


class Progress:
    """Says on stderr what a run does, and keeps the seconds of each of its parts."""

    def __init__(self, *, quiet: bool = False):
        self.quiet = quiet
        self.started = datetime.now(UTC)
        self.seconds: dict[str, Spent] = {}
        """What each part took, in the order in which they ran."""

    def say(self, line: str) -> None:
        """A line on stderr, in ASCII, unless quiet; above a bar, where there is one."""
        if not self.quiet:
            with tqdm.external_write_mode(sys.stderr):
                tell(line)

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Times a part; a part that comes again adds to itself."""
        begun = Spent.now()
        try:
            yield
        finally:
            spent, before = Spent.now(), self.seconds.get(name, Spent(0.0, 0.0, 0.0))
            self.seconds[name] = Spent(
                *(b + now - then for b, now, then in zip(before, spent, begun, strict=True))
            )

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """A part that is said when it begins."""
        self.say(name)
        with self.part(name):
            yield

    @contextmanager
    def bar(self, what: str, total: int, unit: str) -> Iterator[Callable[[int], None]]:
        """A bar on a terminal, elsewhere a line now and then, from the first move on.

        Gives the function that moves it on.
        """
        with ExitStack() as shown:
            moves: list[Callable[[int], object]] = []

            def move(step: int) -> None:
                if not moves:
                    bar = shown.enter_context(self._bar(what, total, unit))
                    moves.append(self._lines(what, total) if bar.disable else bar.update)
                moves[0](step)

            yield move

    @contextmanager
    def stages(
        self, what: str, total: int
    ) -> Iterator[Callable[[str], AbstractContextManager[None]]]:
        """A bar that moves on with each stage, and names the one that runs; elsewhere, lines.

        Gives what is entered with the name of each stage: it is a part, too.
        """
        with self._bar(what, total, "stage") as bar:
            begun, named = 0, f"{what}: "
            bar.set_description_str(named)
            if bar.disable:
                self.say(what)

            @contextmanager
            def stage(name: str) -> Iterator[None]:
                nonlocal begun, named
                begun, before, named = begun + 1, named, f"{what}, {name}: "
                if bar.disable and total > 1:
                    self.say(f"  {begun} of {total}: {name}")
                bar.set_description_str(named)
                with self.part(name):
                    yield
                named = before
                bar.n += 1
                bar.set_description_str(named)

            yield stage

    def _bar(self, what: str, total: int, unit: str) -> tqdm[NoReturn]:
        return tqdm(
            total=total, desc=what, unit=unit, unit_scale=unit == "B", ascii=True,
            disable=self.quiet or not sys.stderr.isatty(),
            bar_format=STAGES if unit == "stage" else None,
        )  # fmt: skip

    def _lines(self, what: str, total: int) -> Callable[[int], None]:
        """Says what begins, and every ten seconds how much is done and left."""
        self.say(what)
        done, begun = 0, time.monotonic()
        said = begun

        def move(step: int) -> None:
            nonlocal done, said
            done, now = done + step, time.monotonic()
            if now - said >= OFTEN and 0 < done < total:
                said, left = now, (now - begun) * (total - done) / done
                self.say(f"{what}: {done / total:.0%}, about {left:,.0f} s left")

        return move


def tell(line: str) -> None:
    """A line on stderr in ASCII: a remote runner's reader may stumble over anything else."""
    sys.stderr.write(line.encode("ascii", "backslashreplace").decode() + "\n")
    sys.stderr.flush()
