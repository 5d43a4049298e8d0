"""Scores of documents for a query, over postings."""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np

from pipeline.index.arrays.dtypes import F64, I32, I64, U32, Frequencies
from pipeline.index.arrays.kernels import Scores
from pipeline.index.arrays.postings import Postings
from pipeline.index.arrays.queries import Query
from pipeline.index.models import BM25, Statistics, WeightingModel

SETTINGS = 4
"""Settings of bm25 of which the norms of all documents are kept."""

TERMS = 100_000
"""Terms of which the statistics are kept."""

_ALL = slice(None)


class Scorer:
    """Scores documents by weighting models, over the postings of one index."""

    def __init__(self, postings: Postings):
        self.postings = postings
        self._avgdl = postings.tokens / postings.documents
        self._norms = lru_cache(SETTINGS)(self._norms_of)
        self.statistics = lru_cache(TERMS)(self._statistics_of)
        """What a model knows of the term with this number."""

    def add(self, query: Query, model: WeightingModel, scores: Scores) -> None:
        """Adds the score of every document that holds a term of the query."""
        if type(model) is BM25:
            self._add_bm25(query, model, scores)
            return
        for number, weight in query.entries:
            scores.add(self._docs(number), self._values(number, weight, model))

    def of(self, query: Query, model: WeightingModel, docs: I32) -> F64:
        """The score of each of these documents; 0 of one that holds no term of the query."""
        total = np.zeros(len(docs))
        for number, weight in query.entries:
            holders = self._docs(number)
            places = np.searchsorted(holders, docs)
            holds = holders[np.minimum(places, len(holders) - 1)] == docs
            total[holds] += self._values(number, weight, model, places[holds])
        return total

    def _statistics_of(self, number: int) -> Statistics:
        held = self.postings
        return Statistics(
            N=float(held.documents),
            C=float(held.tokens),
            avgdl=self._avgdl,
            df=float(held.df(number)),
            cf=float(held.cfs[number]),
            fields=held.fields,
            avgdl_of=self._avgdl_of,
        )

    def _add_bm25(self, query: Query, model: BM25, scores: Scores) -> None:
        """As by ``model.score``, to the last bit, in one pass over the postings of a term."""
        norms = self._norms(model.k1, model.b)
        for number, weight in query.entries:
            idf, last = model.idf(self.statistics(number)), model.of_query(weight)
            docs, tfs = self._docs(number), self._tf(number)
            scores.add_saturated(docs, tfs, norms, idf, model.k1 + 1, last)

    def _values(
        self, number: int, weight: float, model: WeightingModel, chosen: slice | I64 = _ALL
    ) -> F64:
        """What a term adds to the scores of the documents that hold it, or of some of them."""
        docs = self._docs(number)[chosen]
        if model.needs_fields:
            tf = np.array([tfs[chosen] for tfs in self._tfs(number)], float)
            dl = self._dl_of[:, docs]
        else:
            tf, dl = self._tf(number)[chosen].astype(float), self._dl[docs]
        return model.score(tf, dl, self.statistics(number), weight)

    def _span(self, number: int) -> slice:
        begin, end = self.postings.pointers[number : number + 2].tolist()
        return slice(begin, end)

    def _docs(self, number: int) -> I32:
        return self.postings.docs[self._span(number)]

    def _tfs(self, number: int) -> list[Frequencies]:
        return [tfs[self._span(number)] for tfs in self.postings.tfs]

    def _tf(self, number: int) -> Frequencies:
        """How often each document holds the term, in all its fields."""
        tfs = self._tfs(number)
        if len(tfs) == 1:
            return tfs[0]
        total: U32 = np.add.reduce(tfs, axis=0, dtype=np.uint32)
        return total

    def _norms_of(self, k1: float, b: float) -> F64:
        return BM25(k1=k1, b=b).norms(self._dl, self._avgdl)

    @cached_property
    def _dl(self) -> F64:
        """Words of each document."""
        lengths: F64 = self.postings.lengths.sum(axis=0, dtype=float)
        return lengths

    @cached_property
    def _dl_of(self) -> F64:
        """Words of each field of each document."""
        return self.postings.lengths.astype(float)

    @cached_property
    def _avgdl_of(self) -> tuple[float, ...]:
        return tuple((self._dl_of.sum(axis=1) / self.postings.documents).tolist())
