"""Reciprocal rank fusion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.index.models.base import NotNegative
from pipeline.stages.base import register
from pipeline.stages.fuse.base import PointFusion

if TYPE_CHECKING:
    import pandas as pd


@register("reciprocal_rank")
class ReciprocalRank(PointFusion):
    """Adds up 1 / (k + position) over the branches (Cormack et al., SIGIR 2009).

    A branch that did not find a document adds 0.
    """

    k: NotNegative = 60
    """How little the first positions stand out; positions count from 1."""

    def points(self, ranking: pd.DataFrame) -> pd.Series[float]:
        """1 / (k + rank + 1), rank 0 being the best."""
        return 1 / (self.k + 1 + ranking["rank"])

    def total(self, points: pd.DataFrame) -> pd.Series[float]:
        """The sum over the branches of weight / (k + rank + 1)."""
        return points.sum(axis=1)
