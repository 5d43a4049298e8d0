"""CombMNZ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.stages.base import register
from pipeline.stages.fuse.base import ScoreFusion

if TYPE_CHECKING:
    import pandas as pd


@register("combmnz")
class CombMNZ(ScoreFusion):
    """The sum of a document's scores, times how many branches found it (Fox and Shaw, TREC 1993).

    A branch that did not find a document adds 0; one of weight 0 still counts as having found it.
    Scores below 0, as of z_score, fall by being found more often.
    """

    def total(self, points: pd.DataFrame) -> pd.Series[float]:
        """The number of branches that found it, times the sum of weight times normalised score."""
        return points.count(axis=1) * points.sum(axis=1)
