"""An index that Terrier made, searched through PyTerrier."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyterrier as pt

from pipeline import java
from pipeline.collection.texts import Texts
from pipeline.index.apart import Apart
from pipeline.index.base import FolderIndex
from pipeline.index.keyed import Keyed
from pipeline.index.models import Feedback, WeightingModel
from pipeline.index.settings import IndexSettings
from pipeline.index.terrier.failures import watched
from pipeline.index.terrier.queries import Tokens, matching

RANKING = {"qid": "str", "query": "str", "docno": "str", "score": "float64", "rank": "int64"}


class TerrierIndex(FolderIndex):
    """An index that Terrier made.

    Args:
        folder: where it is.
        settings: what made it.
        texts: where the texts of its documents are found.

    Raises:
        RunError: it cannot be opened.
    """

    def __init__(self, folder: Path, settings: IndexSettings, texts: Texts):
        java.start()
        super().__init__(folder, settings, texts)
        with watched(f"{folder} cannot be opened"):
            self.java: Any = pt.IndexFactory.of(str(self.folder))
            self.tokens = Tokens(settings.tokeniser)

    def __len__(self) -> int:
        return int(self.java.getCollectionStatistics().getNumberOfDocuments())

    def retriever(
        self, model: WeightingModel, num_results: int, apart: Apart | None = None
    ) -> pt.Transformer:
        """From queries to rankings ``[qid, query, docno, score, rank]``."""
        assert apart is None, "only engine arrays searches fields apart"
        return Search(self, model, num_results)

    def scores(
        self, model: WeightingModel, ranking: pd.DataFrame, apart: Apart | None = None
    ) -> pd.Series[float]:
        """The score of each row's document for its query, with the index of ``ranking``."""
        assert apart is None, "only engine arrays searches fields apart"
        topics = ranking["qid"].factorize()[0].astype(str)
        pairs = pd.DataFrame({"qid": topics, "docid": self.ids(ranking["docno"].tolist())})
        asked = self.asked(ranking.drop_duplicates("qid")).merge(pairs.drop_duplicates(), on="qid")
        if asked.empty:
            return pd.Series(0.0, index=ranking.index)
        with watched(f"scoring by {model.name}"):
            found = self.engine(model, ranking).transform(asked)
        score = found.set_index(["qid", "docid"])["score"]
        values = score.reindex(pd.MultiIndex.from_frame(pairs)).fillna(0.0)
        return pd.Series(values.to_numpy(), index=ranking.index)

    def expander(self, feedback: Feedback) -> pt.Transformer:
        """From rankings to queries ``[qid, query, query_terms]``."""
        from pipeline.index.terrier.feedback import Expansion

        return Expansion(self, feedback)

    def asked(self, queries: pd.DataFrame) -> pd.DataFrame:
        """What to ask Terrier for each row that has terms: ``[qid, query]``.

        ``qid`` is the row's number, as text: any ``qid`` may stand in the frame.
        """
        if "query_terms" in queries:
            terms = queries["query_terms"].tolist()
        else:
            terms = [self.tokens.counts(text) for text in queries["query"]]
        asked = [
            (str(row), matching(found)) for row, found in enumerate(terms) if any(found.values())
        ]
        return pd.DataFrame(asked, columns=["qid", "query"], dtype="str")

    def engine(
        self, model: WeightingModel, queries: pd.DataFrame, num_results: int | None = None
    ) -> Any:
        """PyTerrier's retriever for such queries, every parameter of the model set."""
        controls = {
            "terrierql": "off",
            "parsecontrols": "off",
            "parseql": "off",
            "matchopql": "on",
            "applypipeline": "off" if "query_terms" in queries else "on",
            **model.for_terrier(list(self.settings.fields)),
        }
        return pt.terrier.Retriever(
            self.java, controls=controls, wmodel=model.terrier, num_results=num_results
        )

    def ids(self, docnos: Sequence[str]) -> list[int]:
        """Terrier's numbers of documents: their places in the collection, since it keeps the order.

        Raises:
            InputError: the index does not hold one of them.
        """
        numbers: list[int] = self.texts.position(docnos).tolist()
        return numbers


class Search(Keyed):
    """From queries to rankings, by one weighting model.

    Equal to another on the same index with the same model and number of results.
    """

    def __init__(self, index: TerrierIndex, model: WeightingModel, num_results: int):
        self.index, self.model, self.num_results = index, model, num_results

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """The best documents for each query, ties by the order of the index."""
        asked = self.index.asked(inp)
        if asked.empty:
            return pd.DataFrame(columns=list(RANKING)).astype(RANKING)
        with watched(f"retrieving by {self.model.name}"):
            found = self.index.engine(self.model, inp, self.num_results).transform(asked)
            if found["score"].isna().any():
                found = self._with_a_score(inp, asked)
        if found.empty:
            return pd.DataFrame(columns=list(RANKING)).astype(RANKING)
        asker = inp[["qid", "query"]].iloc[found["qid"].astype(int)].reset_index(drop=True)
        found = found[["docno", "score", "rank"]].reset_index(drop=True)
        ranking: pd.DataFrame = pd.concat([asker, found], axis=1).astype(RANKING)
        return ranking

    def _with_a_score(self, inp: pd.DataFrame, asked: pd.DataFrame) -> pd.DataFrame:
        """What is found, without documents for which the model has no value, as bb2 has them.

        Terrier cuts by comparing scores: one that is no number costs it others. So nothing is cut.
        """
        found = self.index.engine(self.model, inp, len(self.index)).transform(asked)
        found = found.dropna(subset="score").assign(row=lambda frame: frame["qid"].astype(int))
        found = found.sort_values(["row", "score", "docid"], ascending=[True, False, True])
        found["rank"] = found.groupby("row").cumcount()
        kept: pd.DataFrame = found[found["rank"] < self.num_results]
        return kept

    def _key(self) -> tuple[TerrierIndex, WeightingModel, type, int]:
        return self.index, self.model, type(self.model), self.num_results

    def __repr__(self) -> str:
        return f"<{self.model!r}, {self.num_results} results>"
