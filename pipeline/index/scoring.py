"""A weighting model as PyTerrier's users know it: retriever and reranker in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import pyterrier as pt

from pipeline.index.models import WeightingModel
from pipeline.ranking import ranked

if TYPE_CHECKING:
    from pipeline.index.apart import Apart
    from pipeline.index.base import Index


class Scoring(pt.Transformer):
    """From queries to rankings ``[qid, query, docno, score, rank]``, by one weighting model.

    A frame with a column ``docno`` is a ranking: the same documents come out, scored anew.

    Equal to another on the same index with the same model and number of results.
    """

    def __init__(
        self, index: Index, model: WeightingModel, num_results: int, apart: Apart | None = None
    ):
        self.index, self.model, self.apart = index, model, apart
        self._retriever = index.retriever(model, num_results, apart)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """The best documents for each query, or those that are there, by their scores."""
        with pt.validate.any(inp) as asked:
            asked.columns(includes=["qid", "query"], excludes=["docno"])
            asked.columns(includes=["qid", "query", "docno"])
        if "docno" not in inp:
            found: pd.DataFrame = self._retriever.transform(inp)
            return found
        inp = inp.reset_index(drop=True)
        if "rank" not in inp:
            inp = inp.assign(rank=inp.groupby("qid").cumcount())
        return ranked(inp.assign(score=self.index.scores(self.model, inp, self.apart)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scoring) and self._retriever == other._retriever

    def __hash__(self) -> int:
        return hash(self._retriever)

    def __repr__(self) -> str:
        return repr(self._retriever)
