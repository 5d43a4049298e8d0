"""Prefers documents where words of the query stand near each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pipeline.index.models import Pairs
from pipeline.stages.base import Context
from pipeline.stages.rerank.base import Reranker
from pipeline.stages.weighting import ByModel, one_for_each

if TYPE_CHECKING:
    import pandas as pd


class ProximityReranker(ByModel, Reranker):
    """Scores documents by pairs of terms of the query; one without any pair gets 0."""

    needs_text = False

    def scorer(self, context: Context) -> Callable[[pd.DataFrame], pd.Series[float]]:
        """The model's score of each row's document for its query, by the index."""
        index, model = context.index(self.index), self.model()
        return lambda ranking: index.scores(model, ranking)


one_for_each({"proximity": Pairs}, ProximityReranker, __name__)
