"""What every order shares: it says where documents go, and scores and ranks follow."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

from pipeline.stages.base import Context, OnIndex, Stage

if TYPE_CHECKING:
    import pandas as pd

    from pipeline.stages.transformer import StageTransformer


class Order(Stage, OnIndex):
    """Moves or drops documents without scoring them; a subclass says where each goes.

    The scores of a topic's remaining documents are dealt out again in the new order.
    """

    verb = "order"

    @abstractmethod
    def placer(self, context: Context) -> Callable[[pd.DataFrame], pd.Series[float]]:
        """From a ranking that is not empty to a number for each row, with its index.

        Documents are sorted by it within their topic, the lowest first; equal ones keep their
        order. NaN drops the document.
        """

    def build(self, context: Context) -> StageTransformer:
        """From a ranking to a ranking of no other documents."""
        from pipeline.ranking import arranged, ranked
        from pipeline.stages.transformer import StageTransformer

        place = self.placer(context)

        def order(ranking: pd.DataFrame) -> pd.DataFrame:
            ranking = ranking.reset_index(drop=True)
            return ranked(ranking) if ranking.empty else arranged(ranking, place(ranking))

        return StageTransformer(self, order, context.index(self.index))
