"""CombMAX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.stages.base import register
from pipeline.stages.fuse.base import ScoreFusion

if TYPE_CHECKING:
    import pandas as pd


@register("combmax")
class CombMAX(ScoreFusion):
    """The highest of a document's scores (Fox and Shaw, TREC 1993)."""

    def total(self, points: pd.DataFrame) -> pd.Series[float]:
        """The highest weight times normalised score, of the branches that found it."""
        return points.max(axis=1)
