"""Query texts and weighted terms as an index takes them, by Terrier's rules.

Equal words of a text count once, at the first of their places, with their number as weight. Each
becomes a term; one that equals the term just before it adds its weight to that, other equal terms
stay entries of their own. Of three in a row or more the weights of the first two count, since
Terrier loses the others. Weights are divided by the largest, words that the index does not hold
counting for that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from pipeline.analysis.analyzer import Analyzer
from pipeline.index.arrays.terms import Terms
from pipeline.index.settings import IndexSettings

if TYPE_CHECKING:
    import pandas as pd

KEPT = 10_000
"""Texts of queries whose analysis is kept, for the next search."""

Weighted = tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Query:
    """What is searched for a row."""

    terms: Weighted
    """Its terms in their order, repeated as they are, each of weight 1; or the weighted ones."""
    weighted: Weighted
    """Its terms, merged and with weights up to 1, by Terrier's rules."""
    entries: tuple[tuple[int, float], ...]
    """The same by their numbers, without those that the index does not hold."""


class Queries:
    """Makes queries of texts and of weighted terms, for one index."""

    def __init__(self, settings: IndexSettings, terms: Terms):
        self._analyzer = Analyzer(settings.tokeniser, settings.stopwords, settings.stemmer)
        self._terms = terms
        self.of_text = lru_cache(KEPT)(self._of_text)

    def of(self, frame: pd.DataFrame) -> list[Query]:
        """The query of each row, by its ``query_terms``, or else by its ``query``.

        One without a term, or whose terms weigh nothing, has no ``entries``.
        """
        if "query_terms" in frame:
            return [self.of_terms(tuple(terms.items())) for terms in frame["query_terms"]]
        return [self.of_text(text) for text in frame["query"]]

    def of_terms(self, terms: Weighted) -> Query:
        """The query of weighted terms, each an index term as it stands."""
        return self._query(terms, terms)

    def has_words(self, text: str) -> bool:
        """Whether there is a token in a text; it may be a stop word."""
        return bool(self._analyzer.tokens(text))

    def _of_text(self, text: str) -> Query:
        tokens = self._analyzer.tokens(text)
        counts = Counter(tokens)
        term_of = dict(zip(counts, self._analyzer.terms_of(list(counts)), strict=True))
        terms = [term for token in tokens if (term := term_of[token]) is not None]
        counted = [
            (term, float(number))
            for token, number in counts.items()
            if (term := term_of[token]) is not None
        ]
        return self._query(tuple((term, 1.0) for term in terms), _merged(counted))

    def _query(self, terms: Weighted, merged: Weighted) -> Query:
        largest = max([0.0, *(weight for _, weight in merged)])
        if not largest:
            return Query(terms, (), ())
        weighted = tuple((term, weight / largest) for term, weight in merged)
        numbered = ((self._terms.find(term), weight) for term, weight in weighted)
        return Query(terms, weighted, tuple(entry for entry in numbered if entry[0] >= 0))


def _merged(terms: Sequence[tuple[str, float]]) -> Weighted:
    rows = [(term, list(group)) for term, group in groupby(terms, itemgetter(0))]
    return tuple((term, sum(weight for _, weight in group[:2])) for term, group in rows)
