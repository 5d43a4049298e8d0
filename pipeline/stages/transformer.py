"""Stages at work, as PyTerrier transformers.

Not imported by ``pipeline.stages``: a stage imports this inside ``build``, since PyTerrier is slow
to load.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

import pandas as pd
import pyterrier as pt

from pipeline.stages.base import Context, Retriever, Stage

Run = Callable[[pd.DataFrame], pd.DataFrame]
"""What a stage does: from the frame before it to the frame after it."""


class StageTransformer(pt.Transformer):
    """What ``Stage.build`` returns: the stage, what it does, and what it was lent.

    Equal to another when the stages are equal and all that they were lent is. ``run`` must follow
    from those two alone.

    Args:
        stage: the stage that built it.
        run: what it does to a frame; must not change the frame.
        lent: what of the context ``run`` uses: an index, the retriever, the branches of a fusion.
    """

    def __init__(self, stage: Stage, run: Run, *lent: Hashable):
        self.stage, self.run, self.lent = stage, run, lent

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """What the stage makes of a frame."""
        return self.run(inp)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StageTransformer):
            return NotImplemented
        return (self.stage, self.lent) == (other.stage, other.lent)

    def __hash__(self) -> int:
        return hash((self.stage, self.lent))

    def __repr__(self) -> str:
        return f"<{self.stage.verb}: {self.stage.name}>"


class Chain(pt.Transformer):
    """Transformers one after the other, each carried out by ``Context.carry_out`` at its place.

    Equal to another when the transformers are equal, one by one. Empty, it changes nothing.
    """

    def __init__(self, context: Context, steps: Sequence[tuple[str, pt.Transformer]]):
        self.carry_out, self.steps = context.carry_out, tuple(steps)

    @property
    def transformers(self) -> tuple[pt.Transformer, ...]:
        """The transformers, first to last."""
        return tuple(transformer for _, transformer in self.steps)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """What comes out behind the last of them."""
        for place, transformer in self.steps:
            inp = self.carry_out(place, transformer, inp)
        return inp

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Chain):
            return NotImplemented
        return self.transformers == other.transformers

    def __hash__(self) -> int:
        return hash(self.transformers)

    def __repr__(self) -> str:
        return f"({' >> '.join(map(repr, self.transformers))})"


def chain(stages: Sequence[Stage], context: Context, place: str = "stages") -> Chain:
    """One transformer of a list of stages, built in order.

    Each stage is lent the nearest retriever before it in the list, and is told its place.

    Args:
        stages: the stages; none: the chain changes nothing.
        context: what they are lent. Its ``carry_out`` is called with ``place[0]`` and so on.
        place: where the list stands in the config.
    """
    steps: list[tuple[str, pt.Transformer]] = []
    retriever: pt.Transformer | None = None
    for number, stage in enumerate(stages):
        here = replace(context, retriever=retriever, place=f"{place}[{number}]")
        transformer = stage.build(here)
        steps.append((here.place, transformer))
        if isinstance(stage, Retriever):
            retriever = transformer
    return Chain(context, steps)
