"""CombMIN."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.stages.base import register
from pipeline.stages.fuse.base import ScoreFusion

if TYPE_CHECKING:
    import pandas as pd


@register("combmin")
class CombMIN(ScoreFusion):
    """The lowest of a document's scores (Fox and Shaw, TREC 1993).

    Only branches that found the document count: one found by a single branch has that branch's
    score, and so may stand above one that all found.
    """

    def total(self, points: pd.DataFrame) -> pd.Series[float]:
        """The lowest weight times normalised score, of the branches that found it."""
        return points.min(axis=1)
