"""An index of arrays, searched without Java."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from pathlib import Path

import numpy as np
import pandas as pd
import pyterrier as pt
from pandas.api.extensions import ExtensionArray

from pipeline.collection.texts import Texts
from pipeline.index.apart import Apart
from pipeline.index.arrays import special
from pipeline.index.arrays.dtypes import F64, I32
from pipeline.index.arrays.kernels import Scores
from pipeline.index.arrays.postings import Postings
from pipeline.index.arrays.queries import Queries, Query
from pipeline.index.arrays.search import Scorer
from pipeline.index.arrays.tokens import Stream
from pipeline.index.base import FolderIndex
from pipeline.index.keyed import Keyed
from pipeline.index.models import Feedback, WeightingModel
from pipeline.index.settings import IndexSettings

_NONE = np.empty(0, np.int32)


class ArraysIndex(FolderIndex):
    """An index of arrays.

    Args:
        folder: where its postings are.
        settings: what made it.
        texts: where the texts of its documents are found.
        stream: opens the token stream of its collection; called when first needed.
    """

    def __init__(
        self,
        folder: Path,
        settings: IndexSettings,
        texts: Texts,
        stream: Callable[[], Stream],
    ):
        super().__init__(folder, settings, texts)
        self.postings = Postings.open(folder)
        self.queries = Queries(settings, self.postings.terms)
        self.scorer = Scorer(self.postings)
        self.stream = cache(stream)

    def __len__(self) -> int:
        return self.postings.documents

    def retriever(
        self, model: WeightingModel, num_results: int, apart: Apart | None = None
    ) -> pt.Transformer:
        """From queries to rankings ``[qid, query, docno, score, rank]``."""
        return Search(self, model, num_results, apart)

    def scores(
        self, model: WeightingModel, ranking: pd.DataFrame, apart: Apart | None = None
    ) -> pd.Series[float]:
        """The score of each row's document for its query, with the index of ``ranking``."""
        ids = self.ids(ranking["docno"].tolist())
        topics, _ = ranking["qid"].factorize()
        queries = self.queries.of(ranking.drop_duplicates("qid"))
        matcher = special.matcher(self, model, apart, queries)
        scores = np.zeros(len(ranking))
        for number, query in enumerate(queries):
            rows = np.flatnonzero(topics == number)
            scores[rows] = (
                _looked_up(*matcher(query), ids[rows])
                if matcher
                else self.scorer.of(query, model, ids[rows])
            )
        return pd.Series(np.where(np.isnan(scores), 0.0, scores), index=ranking.index)

    def expander(self, feedback: Feedback) -> pt.Transformer:
        """From rankings to queries ``[qid, query, query_terms]``."""
        from pipeline.index.arrays.feedback import Expansion

        return Expansion(self, feedback)

    def ids(self, docnos: Sequence[str]) -> I32:
        """The numbers of documents: their places in the collection.

        Raises:
            InputError: the index does not hold one of them.
        """
        return self.texts.position(docnos).astype(np.int32)

    @cached_property
    def docnos(self) -> ExtensionArray:
        """The ids of all documents."""
        return pd.array(self.texts.docnos(), dtype="str")


class Search(Keyed):
    """From queries to rankings, by one weighting model.

    Equal to another on the same index with the same model and number of results.
    """

    def __init__(
        self, index: ArraysIndex, model: WeightingModel, num_results: int, apart: Apart | None
    ):
        self.index, self.model, self.num_results = index, model, num_results
        self.apart = apart

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """The best documents for each query, ties by the order of the index."""
        found = [(_NONE, np.empty(0)), *self.best(self.index.queries.of(inp))]
        docs = np.concatenate([docs for docs, _ in found])
        numbers = np.array([len(docs) for docs, _ in found[1:]], int)
        asker = inp[["qid", "query"]].astype("str").iloc[np.repeat(np.arange(len(inp)), numbers)]
        return asker.reset_index(drop=True).assign(
            docno=self.index.docnos.take(docs),
            score=np.concatenate([scores for _, scores in found]),
            rank=np.arange(len(docs)) - np.repeat(np.cumsum(numbers) - numbers, numbers),
        )

    def best(self, queries: Sequence[Query]) -> list[tuple[I32, F64]]:
        """For each query the numbers of the best documents and their scores, best first."""
        matcher = special.matcher(self.index, self.model, self.apart, queries)
        scores = Scores(len(self.index))
        found = []
        for query in queries:
            if matcher:
                scores.add(*matcher(query))
            else:
                self.index.scorer.add(query, self.model, scores)
            found.append(scores.best(self.num_results))
        return found

    def _key(self) -> tuple[ArraysIndex, WeightingModel, type, int, Apart | None]:
        return self.index, self.model, type(self.model), self.num_results, self.apart

    def __repr__(self) -> str:
        return f"<{self.model!r}, {self.num_results} results>"


def _looked_up(docs: I32, scores: F64, wanted: I32) -> F64:
    """The scores of documents among those found, given ascending; 0 of one that is not there."""
    if not len(docs):
        return np.zeros(len(wanted))
    places = np.minimum(np.searchsorted(docs, wanted), len(docs) - 1)
    return np.where(docs[places] == wanted, scores[places], 0.0)
