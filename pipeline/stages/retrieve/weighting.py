"""Retrieval by a weighting model: one stage for each model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.index.models import MODELS
from pipeline.stages.base import Context, Retriever
from pipeline.stages.weighting import Weighting, one_for_each

if TYPE_CHECKING:
    import pyterrier as pt


class WeightingRetriever(Weighting, Retriever):
    """Finds the documents that a weighting model scores best."""

    def build(self, context: Context) -> pt.Transformer:
        """From queries to rankings; ties go to the document indexed first."""
        index = context.index(self.index)
        return index.retriever(self.model(), self.num_results, self.apart())


one_for_each(MODELS, WeightingRetriever, __name__)
