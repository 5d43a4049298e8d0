"""Where the seconds of each system went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.experiments.report.model import System

KINDS = (
    "topics",
    "index",
    "rewrite",
    "retrieve",
    "expand",
    "rerank",
    "fuse",
    "order",
    "write",
)
"""What the parts of a run are gathered into, in the order in which they are drawn."""


@dataclass(frozen=True)
class Times:
    """Of one system."""

    system: System
    seconds: Mapping[str, float]
    """By kind."""
    cpu: float

    @property
    def total(self) -> float:
        """Seconds of all kinds."""
        return sum(self.seconds.values())


def kind(part: str) -> str:
    """What a part of a run belongs to; "" for a part of another part.

    ``stages[0] retrieve: bm25`` is the verb's. A stage inside a fusion is counted there.
    """
    if part.startswith("stages["):
        place, _, name = part.partition(" ")
        verb = name.partition(":")[0]
        inside = ".branches[" in place or "." in place
        return "" if inside else verb if verb in KINDS else "order"
    return part if part in ("topics", "write") else "index"


def times(system: System) -> Times:
    """What each kind of part took."""
    found: dict[str, float] = {}
    cpu = 0.0
    for part, (wall, used) in system.made.parts.items():
        if of := kind(part):
            found[of] = found.get(of, 0.0) + wall
            cpu += used
    return Times(system, {name: found[name] for name in KINDS if name in found}, cpu)


def used(all_times: Sequence[Times]) -> list[tuple[int, str]]:
    """The kinds that took any time, each with its number, by which it is coloured."""
    return [
        (number, name)
        for number, name in enumerate(KINDS)
        if any(one.seconds.get(name) for one in all_times)
    ]
