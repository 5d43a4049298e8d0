"""Queries expanded from their top documents, by PyTerrier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import pyterrier as pt

from pipeline.index.keyed import Keyed
from pipeline.index.models import Feedback
from pipeline.index.terrier.failures import watched
from pipeline.index.terrier.queries import expanded

if TYPE_CHECKING:
    from pipeline.index.terrier.search import TerrierIndex


class Expansion(Keyed):
    """From rankings to queries ``[qid, query, query_terms]``.

    Equal to another on the same index with the same feedback.
    """

    def __init__(self, index: TerrierIndex, feedback: Feedback):
        self.index, self.feedback = index, feedback

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """The queries, in the order of their topics; ``query`` is the topic's own."""
        topics = inp[["qid", "query"]].drop_duplicates("qid")
        words = [" ".join(self.index.tokens.of(text)) for text in topics["query"]]
        tokenised = dict(zip(topics["qid"], words, strict=True))
        ranking = inp.sort_values("rank", kind="stable")  # PyTerrier takes the first rows it finds
        ranking = pd.DataFrame(
            {
                "qid": ranking["qid"],
                "query": ranking["qid"].map(tokenised),
                "docid": self.index.ids(ranking["docno"].tolist()),
                "score": ranking["score"].astype(float),
            }
        )
        ranking = self._with_words(ranking[ranking["query"] != ""])
        terms: dict[str, dict[str, float]] = {}
        if not ranking.empty:
            with watched(f"expanding by {self.feedback.name}"):
                queries = self._engine().transform(ranking)
            terms = {
                qid: expanded(text)
                for qid, text in zip(queries["qid"], queries["query"], strict=True)
            }
        kept = topics[topics["qid"].isin(list(terms))].reset_index(drop=True)
        return kept.assign(query_terms=kept["qid"].map(terms))

    def _with_words(self, ranking: pd.DataFrame) -> pd.DataFrame:
        """The ranking without empty documents at its top, on which Terrier fails."""
        length = self.index.java.getDocumentIndex().getDocumentLength
        while True:
            top = ranking.groupby("qid").head(self.feedback.fb_docs)
            empty = [number for number in top["docid"].unique().tolist() if length(number) == 0]
            if not empty:
                return ranking
            ranking = ranking[~ranking["docid"].isin(empty)]

    def _engine(self) -> Any:
        kind = getattr(pt.rewrite, self.feedback.terrier)
        return kind(self.index.java, **self.feedback.model_dump())

    def _key(self) -> tuple[TerrierIndex, Feedback, type]:
        return self.index, self.feedback, type(self.feedback)

    def __repr__(self) -> str:
        return f"<{self.feedback!r}>"
