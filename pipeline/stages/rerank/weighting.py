"""Reranking by a weighting model: one stage for each model."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pipeline.index.models import MODELS
from pipeline.stages.base import Context
from pipeline.stages.rerank.base import Reranker
from pipeline.stages.weighting import Weighting, one_for_each

if TYPE_CHECKING:
    import pandas as pd


class WeightingReranker(Weighting, Reranker):
    """Scores documents by a weighting model; one without any term of the query gets 0."""

    needs_text = False

    def scorer(self, context: Context) -> Callable[[pd.DataFrame], pd.Series[float]]:
        """The model's score of each row's document for its query, by the index."""
        index, model, apart = context.index(self.index), self.model(), self.apart()
        return lambda ranking: index.scores(model, ranking, apart)


one_for_each(MODELS, WeightingReranker, __name__)
