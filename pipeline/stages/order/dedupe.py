"""Drops what a topic already has."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pipeline.stages.base import Context, register
from pipeline.stages.order.base import Order
from pipeline.stages.order.kinds import By, earlier

if TYPE_CHECKING:
    import pandas as pd


@register("dedupe")
class Dedupe(Order):
    """Keeps the first of a topic's documents that read alike, and drops the others.

    Small and capital letters are alike, and so is any white space. A document that has nothing to
    compare is kept.
    """

    by: By = "text"
    """What is compared: text (of the index's first field), a part of the argument, or debate (the
    part of an args.me id before its first -)."""

    def placer(self, context: Context) -> Callable[[pd.DataFrame], pd.Series[float]]:
        """Drops each document below another of its kind."""
        index = context.index(self.index)

        def place(ranking: pd.DataFrame) -> pd.Series[float]:
            above = earlier(ranking, self.by, index).astype(float)
            return above.where(above == 0)

        return place
