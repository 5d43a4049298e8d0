"""What every fusion shares: branches that run apart, and documents that gather points from them."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Literal

from pipeline.errors import InputError
from pipeline.stages.base import Context, Fusion

if TYPE_CHECKING:
    import pandas as pd

    from pipeline.stages.transformer import StageTransformer


class PointFusion(Fusion):
    """Each branch gives its documents points, times its weight; a document's points make its score.

    All documents of all branches come out, also of a topic that one branch alone found. Equal
    scores stand by the best rank in any branch, then by the first branch with it, then by docno.
    The query is the one that came in.
    """

    @abstractmethod
    def points(self, ranking: pd.DataFrame) -> pd.Series[float]:
        """What a branch gives each document of its ranking, before the branch's weight."""

    @abstractmethod
    def total(self, points: pd.DataFrame) -> pd.Series[float]:
        """One score a document.

        Args:
            points: a row a document, with its points in rising order (not in that of the branches,
                so that no sum depends on it), then NaN for each branch that did not find it.
        """

    def build(self, context: Context) -> StageTransformer:
        """From queries or a ranking to one ranking.

        Raises:
            InputError: when it runs, if queries come in and a branch retrieves nothing.
        """
        from pipeline.stages.fuse.table import fused
        from pipeline.stages.transformer import StageTransformer, chain

        place = f"{context.place}.branches"
        chains = [
            chain(branch.stages, context, f"{place}[{number}].stages")
            for number, branch in enumerate(self.branches)
        ]

        def fuse(frame: pd.DataFrame) -> pd.DataFrame:
            rankings = [chain.transform(frame) for chain in chains]
            for number, ranking in enumerate(rankings):
                if "docno" not in ranking:
                    raise InputError(
                        f"{place}[{number}]: only queries come out of it; retrieve in it"
                    )
            points = [
                branch.weight * self.points(ranking)
                for branch, ranking in zip(self.branches, rankings, strict=True)
            ]
            return fused(frame, rankings, points, self.total)

        return StageTransformer(self, fuse, *chains)


class ScoreFusion(PointFusion):
    """A fusion by scores."""

    normalise: Literal["min_max", "z_score", "sum", "none"] = "min_max"
    """How each branch's scores are brought to one scale, per topic: min_max (0 to 1), z_score (mean
    0, standard deviation 1), sum (they add up to 1), none."""

    def points(self, ranking: pd.DataFrame) -> pd.Series[float]:
        """The normalised score."""
        from pipeline.ranking import scale

        return scale(ranking["score"], ranking["qid"], self.normalise)
