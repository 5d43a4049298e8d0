"""What a reranker works on, as steps that other rerankers on the same ranking share.

Not imported by ``pipeline.stages``, as ``stages.transformer`` is not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pandas as pd

from pipeline.errors import RunError
from pipeline.index.keyed import Keyed
from pipeline.ranking import cut
from pipeline.stages.base import Stage

if TYPE_CHECKING:
    from pipeline.index.base import Index

Score = Callable[[pd.DataFrame], "pd.Series[float]"]


class Documents(Keyed):
    """From a ranking to the first documents of each topic, with their texts in column ``text``.

    The rows are numbered as those of the whole ranking are, from 0.

    Args:
        index: where the texts are found.
        depth: documents a topic.
        field: whose text it is; "": of the index's first field. None: none is needed.
    """

    def __init__(self, index: Index, depth: int, field: str | None):
        self.index, self.depth, self.field = index, depth, field

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """The documents."""
        top = cut(inp.reset_index(drop=True), self.depth)
        if self.field is None:
            return top
        return top.assign(text=self.index.text(top["docno"].tolist(), self.field or None))

    def _key(self) -> tuple[Any, ...]:
        return self.index, self.depth, self.field


class Scored(Keyed):
    """From documents to their scores by a reranker: ``[qid, docno, new]``, rows as they came.

    Args:
        stage: the reranker, all that does not change these scores left out.
        score: what gives each row a number.
        index: what ``score`` asks.
        place: where the reranker stands, for errors.
    """

    def __init__(self, stage: Stage, score: Score, index: Index, place: str):
        self.stage, self.score, self.index, self.place = stage, score, index, place

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """The scores, each a finite number.

        Raises:
            RunError: one is not.
        """
        scores = self.score(inp).reindex(inp.index).astype(float)
        bad = ~(scores.abs() < float("inf"))
        if bad.any():
            docno, qid = inp.loc[bad, ["docno", "qid"]].iloc[0]
            raise RunError(
                f"{self.place}: rerank: {self.stage.name} gave document {docno} of topic {qid} the "
                f"score {scores[bad].iloc[0]}, a finite number is needed; leave the stage out, or "
                "mend it"
            )
        return inp[["qid", "docno"]].assign(new=scores)

    def _key(self) -> tuple[Any, ...]:
        return self.stage, self.index
