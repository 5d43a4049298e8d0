"""Steps that several points have in common are carried out once.

A step is common to two points where their transformers are equal and what comes before it is the
same: then so is what comes after it. Frames are never changed in place, so each may be handed on
any number of times.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from pipeline.experiments.progress import Spent
from pipeline.stages.base import plainly
from pipeline.stages.transformer import Chain, StageTransformer

if TYPE_CHECKING:
    import pandas as pd
    import pyterrier as pt

ROOM = 512 << 20
"""Bytes of frames that are kept, at most."""

NOTHING = Spent(0.0, 0.0, 0.0)


class _Step(NamedTuple):
    """A transformer, and what comes before it: by its identity, as long as it lives."""

    transformer: pt.Transformer
    before: int


class _Kept(NamedTuple):
    before: pd.DataFrame
    """Held, so that nothing else gets its identity."""
    after: pd.DataFrame
    spent: Spent
    bytes: int


class Memo:
    """Frames that come out of steps, the ones used last; only those that are used again.

    Args:
        room: bytes that are kept, at most.
    """

    def __init__(self, room: int = ROOM):
        self.room, self.bytes = room, 0
        self._kept: OrderedDict[_Step, _Kept] = OrderedDict()
        self._again: Collection[str] = ()
        self._seconds: dict[str, Spent] = {}
        self._saved = NOTHING

    def begin(self, again: Collection[str]) -> dict[str, Spent]:
        """Makes ready for the next point.

        Args:
            again: the places of steps that other points have, too; see ``common``.

        Returns:
            To be filled: what the step at each place took when it was carried out, with all that
            it is made of, though that was for another point.
        """
        self._again, self._seconds = again, {}
        return self._seconds

    def carry_out(
        self, place: str, transformer: pt.Transformer, frame: pd.DataFrame
    ) -> pd.DataFrame:
        """What comes out of a step, kept or carried out: see ``stages.base.CarryOut``."""
        step = _Step(transformer, id(frame))
        if kept := self._kept.get(step):
            self._kept.move_to_end(step)
            self._seconds[place] = kept.spent
            self._saved = _plus(self._saved, kept.spent)
            return kept.after
        begun, saved = Spent.now(), self._saved
        after = plainly(place, transformer, frame)
        spent = _plus(_minus(Spent.now(), begun), _minus(self._saved, saved))
        self._seconds[place] = spent
        if place in self._again:
            self._keep(step, _Kept(frame, after, spent, _size(after)))
        return after

    def _keep(self, step: _Step, kept: _Kept) -> None:
        self._kept[step] = kept
        self.bytes += kept.bytes
        while self.bytes > self.room:
            _, dropped = self._kept.popitem(last=False)
            self.bytes -= dropped.bytes


def common(chains: Iterable[Chain]) -> list[frozenset[str]]:
    """For each chain the places of the steps that others of them have, too.

    What would be carried out only as a part of a step that is kept is not counted again.
    """
    numbers: dict[tuple[int, pt.Transformer], int] = {}
    used: Counter[int] = Counter()
    steps: list[list[tuple[str, int]]] = []
    for chain in chains:
        steps.append([])
        for place, before, transformer in _walk(chain, 0, numbers):
            number = numbers[before, transformer]
            used[number] += 1
            steps[-1].append((place, number))
    return [frozenset(place for place, number in found if used[number] > 1) for found in steps]


def _walk(
    chain: Chain, before: int, numbers: dict[tuple[int, pt.Transformer], int]
) -> Iterator[tuple[str, int, pt.Transformer]]:
    """The steps of a chain and, of those that no chain before had, the steps they are made of.

    Each with the number of what comes before it; ``numbers`` gives what comes after it one.
    """
    for place, transformer in chain.steps:
        known = (before, transformer) in numbers
        after = numbers.setdefault((before, transformer), len(numbers) + 1)
        yield place, before, transformer
        if not known and isinstance(transformer, StageTransformer):
            for inner in transformer.lent:
                if isinstance(inner, Chain):
                    yield from _walk(inner, before, numbers)
        before = after


def _size(frame: pd.DataFrame) -> int:
    return int(frame.memory_usage(index=False, deep=True).sum())


def _plus(one: Spent, other: Spent) -> Spent:
    return Spent(*(a + b for a, b in zip(one, other, strict=True)))


def _minus(one: Spent, other: Spent) -> Spent:
    return Spent(*(a - b for a, b in zip(one, other, strict=True)))
