"""CombSUM with weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.stages.base import register
from pipeline.stages.fuse.base import ScoreFusion

if TYPE_CHECKING:
    import pandas as pd


@register("weighted_sum")
class WeightedSum(ScoreFusion):
    """Adds up each document's scores over the branches (CombSUM; Fox and Shaw, TREC 1993).

    A branch that did not find a document adds 0.
    """

    def total(self, points: pd.DataFrame) -> pd.Series[float]:
        """The sum over the branches of weight times normalised score."""
        return points.sum(axis=1)
