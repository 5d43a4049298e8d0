"""Documents scored by terms of a query that stand near each other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, pairwise

import numpy as np

from pipeline.index.arrays.apart import holders
from pipeline.index.arrays.dtypes import F64, I32, I64
from pipeline.index.arrays.positions import Positions
from pipeline.index.arrays.postings import Postings
from pipeline.index.arrays.proximity import ordered, unordered
from pipeline.index.models.base import Statistics
from pipeline.index.models.proximity import SDM, Pairs

TOGETHER = 64
"""Queries whose terms are looked for at once."""

Terms = tuple[int, ...]
"""The terms of a query by their numbers, as they stand; -1 for one that the index lacks."""

Pair = tuple[int, int]
"""The numbers of two terms."""

Found = tuple[I32, F64]
"""Documents, ascending, with a number each: a score, or how often they hold something."""


class Near(ABC):
    """Finds documents by a model of terms near each other.

    The token stream is read only in documents that hold both terms of a pair; what a pair has in
    the whole collection is exact all the same, as no other document adds to it.

    Args:
        postings: of the index.
        positions: of its terms.
        queries: all that will be asked, since they share their reading.
    """

    def __init__(self, postings: Postings, positions: Positions, queries: Iterable[Terms]):
        self._postings, self._positions = postings, positions
        self._dl = postings.lengths.sum(axis=0, dtype=np.float64)
        words, documents = float(postings.tokens), float(postings.documents)
        self._statistics = Statistics(documents, words, words / max(documents, 1.0), 0.0, 0.0)
        self._queries = list(dict.fromkeys(queries))
        self._group = {terms: place // TOGETHER for place, terms in enumerate(self._queries)}
        self._read = lru_cache(1)(self._read_group)

    def __call__(self, terms: Terms) -> Found:
        """The documents that one of the queries finds and their scores."""
        return self._found(terms, self._read(self._group[terms]))

    @abstractmethod
    def _pairs(self, terms: Terms) -> list[Pair]:
        """The pairs of a query whose positions are asked for."""

    @abstractmethod
    def _found(self, terms: Terms, positions: Mapping[int, I64]) -> Found:
        """The documents that a query finds and their scores."""

    def _held(self, term: int) -> Found:
        return holders(self._postings, term, range(len(self._postings.fields)))

    def _of(self, held: Found) -> Statistics:
        """What a weighting model knows of a thing that these documents hold so often."""
        docs, tf = held
        return replace(self._statistics, df=float(len(docs)), cf=float(tf.sum()))

    def _read_group(self, group: int) -> dict[int, I64]:
        """The positions of all terms that have a pair in the queries of a group."""
        queries = self._queries[group * TOGETHER : (group + 1) * TOGETHER]
        pairs = {pair for terms in queries for pair in self._pairs(terms)}
        needed = np.zeros(self._postings.documents, bool)
        for one, other in pairs:
            here = np.zeros(self._postings.documents, bool)
            here[self._held(one)[0]] = True
            docs = self._held(other)[0]
            needed[docs[here[docs]]] = True
        terms = sorted({term for pair in pairs for term in pair})
        documents = np.flatnonzero(needed).astype(np.int32)
        return dict(zip(terms, self._positions.of(terms, documents), strict=True))


class Dependence(Near):
    """Finds documents by the sequential dependence model."""

    def __init__(
        self, postings: Postings, positions: Positions, queries: Iterable[Terms], model: SDM
    ):
        super().__init__(postings, positions, queries)
        self._model = model

    def _pairs(self, terms: Terms) -> list[Pair]:
        if not (self._model.ordered or self._model.unordered):
            return []
        return [pair for pair in pairwise(terms) if min(pair) >= 0]

    def _found(self, terms: Terms, positions: Mapping[int, I64]) -> Found:
        model = self._model
        features = [
            (self._held(term), number * model.terms)
            for term, number in Counter(term for term in terms if term >= 0).items()
        ]
        some = np.zeros(self._postings.documents, bool)
        for (docs, _), _ in features:
            some[docs] = True
        for (a, b), number in Counter(self._pairs(terms)).items():
            first, second = positions[a], positions[b]
            features.append((ordered(first, second, 2), number * model.ordered))
            features.append((unordered(first, second, model.window), number * model.unordered))
        found = np.flatnonzero(some).astype(np.int32)
        total = np.zeros(len(found))
        for held, weight in features:
            if weight and len(held[0]):
                tf = np.zeros(len(found))
                tf[np.searchsorted(found, held[0])] = held[1]
                total += model.score(tf, self._dl[found], self._of(held), weight)
        return found, total


class PairScores(Near):
    """Finds documents by a weighting model over pairs of terms."""

    def __init__(
        self, postings: Postings, positions: Positions, queries: Iterable[Terms], model: Pairs
    ):
        super().__init__(postings, positions, queries)
        self._model = model

    def _pairs(self, terms: Terms) -> list[Pair]:
        pairs = combinations(terms, 2) if self._model.pairs == "all" else pairwise(terms)
        once: dict[Pair, Pair] = {}
        for a, b in pairs:
            if a != b and min(a, b) >= 0:
                once.setdefault((a, b) if self._model.ordered else (min(a, b), max(a, b)), (a, b))
        return list(once.values())

    def _found(self, terms: Terms, positions: Mapping[int, I64]) -> Found:
        count = ordered if self._model.ordered else unordered
        some = np.zeros(self._postings.documents, bool)
        total = np.zeros(self._postings.documents)
        for a, b in self._pairs(terms):
            docs, tf = held = count(positions[a], positions[b], self._model.window)
            if len(docs):
                some[docs] = True
                total[docs] += self._model.score(tf, self._dl[docs], self._of(held), 1.0)
        found = np.flatnonzero(some).astype(np.int32)
        return found, total[found]
