"""Retrieval by words that stand near each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.index.models import SDM
from pipeline.stages.base import Context, Retriever
from pipeline.stages.weighting import ByModel, one_for_each

if TYPE_CHECKING:
    import pyterrier as pt


class DependenceRetriever(ByModel, Retriever):
    """Finds the documents that a model of dependence between terms scores best."""

    def build(self, context: Context) -> pt.Transformer:
        """From queries to rankings; ties go to the document indexed first."""
        return context.index(self.index).retriever(self.model(), self.num_results)


one_for_each({"sdm": SDM}, DependenceRetriever, __name__)
