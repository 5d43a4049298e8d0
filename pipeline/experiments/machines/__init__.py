"""Where points of a sweep are done: in this process, in others, on other machines.

A backend hands groups of numbers to ``sweep.work.work``, which finds everything else in the output
folder, and says what became of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol, Self

from pipeline.experiments.sweep.work import Outcome

__all__ = ["Machines", "Outcome"]


class Machines(Protocol):
    """Something that does points, as long as it is entered."""

    @property
    def at_once(self) -> int:
        """How many groups it may do at the same time."""

    def run(self, out: Path, groups: Sequence[Sequence[int]]) -> Iterator[Outcome]:
        """Does all points of all groups; gives each once, in any order, when it is known.

        May be called again when all is given. A group that is lost twice, with the process that did
        it, gives outcomes with a problem.

        Args:
            out: the output folder, from the root.
            groups: numbers of points.

        Raises:
            InputError: something that all points need is not as it was.
            RunError: nothing can be done any more.
        """

    def __enter__(self) -> Self:
        """Makes ready what it needs."""

    def __exit__(self, *error: object) -> None:
        """Stops whatever it still does."""
