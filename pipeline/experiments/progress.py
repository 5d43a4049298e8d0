"""What is running and how much is left: bars on a terminal, plain ASCII lines elsewhere."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import NamedTuple, NoReturn

from tqdm import tqdm


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
        self.seconds: dict[str, Spent] = {}
        """What each part took, in the order in which they ran."""

    def say(self, line: str) -> None:
        """A line on stderr, in ASCII, unless quiet."""
        if not self.quiet:
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
        """A bar on a terminal, elsewhere one line, from the first move on.

        Gives the function that moves it on.
        """
        with ExitStack() as shown:
            bars: list[tqdm[NoReturn]] = []

            def move(step: int) -> None:
                if not bars:
                    plain = self.quiet or not sys.stderr.isatty()
                    if plain:
                        self.say(what)
                    bar: tqdm[NoReturn] = tqdm(
                        total=total, desc=what, unit=unit, unit_scale=True, ascii=True,
                        disable=plain,
                    )  # fmt: skip
                    bars.append(shown.enter_context(bar))
                bars[0].update(step)

            yield move


def tell(line: str) -> None:
    """A line on stderr in ASCII: a remote runner's reader may stumble over anything else."""
    sys.stderr.write(line.encode("ascii", "backslashreplace").decode() + "\n")
    sys.stderr.flush()
