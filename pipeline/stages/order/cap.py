"""Keeps any one debate, or author, from filling a topic's ranking."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from pydantic import PositiveInt

from pipeline.stages.base import Context, register
from pipeline.stages.order.base import Order
from pipeline.stages.order.kinds import By, earlier

if TYPE_CHECKING:
    import pandas as pd


@register("cap")
class Cap(Order):
    """Keeps at most so many documents of one kind in a topic.

    Kinds are compared as by dedupe. A document that has nothing to compare is kept.
    """

    num: PositiveInt
    """Documents of a kind, at most, from the top."""
    by: By = "debate"
    """What makes a kind: debate (the part of an args.me id before its first -), a part of the
    argument, or text (of the index's first field)."""
    surplus: Literal["drop", "below"] = "drop"
    """What happens with the others: they are dropped, or moved below all that stay."""

    def placer(self, context: Context) -> Callable[[pd.DataFrame], pd.Series[float]]:
        """Drops or moves each document below ``num`` of its kind."""
        index = context.index(self.index)

        def place(ranking: pd.DataFrame) -> pd.Series[float]:
            surplus = (earlier(ranking, self.by, index) >= self.num).astype(float)
            return surplus if self.surplus == "below" else surplus.where(surplus == 0)

        return place
