"""Fields searched apart, each as an index of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipeline.index.apart import Apart
from pipeline.index.arrays.dtypes import F64, I32
from pipeline.index.arrays.postings import Postings
from pipeline.index.arrays.terms import Terms
from pipeline.index.models.base import Statistics, WeightingModel
from pipeline.index.models.lucene import LuceneModel

Entries = Sequence[tuple[int, float]]
"""The terms of a query by their numbers, each with its weight."""


class FieldsApart:
    """Finds documents by a weighting model that sees one field at a time.

    For Lucene's models the sums are rounded to floats of 32 bits where Lucene rounds them: it takes
    terms of fields that have weight 1 and are not required together, and adds up other fields first
    each by itself.

    Args:
        postings: of the index.
        model: any model but those that need several fields.
        apart: which fields, and how; its fields are those of the index.
    """

    def __init__(self, postings: Postings, model: WeightingModel, apart: Apart):
        self._postings, self._model = postings, model
        self._fields = [
            _field(postings, name, weight, name in apart.required, isinstance(model, LuceneModel))
            for name, weight in apart.weights_of(postings.fields).items()
        ]

    def __call__(self, entries: Entries) -> tuple[I32, F64]:
        """The documents that a query finds, ascending, and their scores."""
        documents = self._postings.documents
        needed, others = np.zeros(documents), np.zeros(documents)
        found, kept = np.zeros(documents, bool), np.ones(documents, bool)
        for field in self._fields:
            scores, held = self._in_field(field, entries)
            found |= held
            if field.required:
                kept &= held
                needed += self._rounded(scores)
            else:
                others += scores if field.weight == 1 else self._rounded(scores)
        docs = np.flatnonzero(found & kept).astype(np.int32)
        both = self._rounded(needed[docs]) + self._rounded(others[docs])
        return docs, self._rounded(both)

    def _in_field(self, field: _Field, entries: Entries) -> tuple[F64, np.ndarray]:
        """Of every document the field's score, and whether the field holds a term."""
        scores = np.zeros(self._postings.documents)
        held = np.zeros(self._postings.documents, bool)
        for term, weight in entries:
            docs, tf = holders(self._postings, term, [field.place])
            if len(docs):
                s = replace(field.statistics, df=float(len(docs)), cf=float(tf.sum()))
                dl = field.lengths[docs].astype(np.float64)
                scores[docs] += self._values(tf, dl, s, weight, field.weight)
                held[docs] = True
        return scores, held

    def _values(self, tf: F64, dl: F64, s: Statistics, weight: float, of_field: float) -> F64:
        if isinstance(self._model, LuceneModel):
            boost = np.float32(weight) * np.float32(of_field)
            return self._model.score(tf, dl, s, float(boost))
        return of_field * self._model.score(tf, dl, s, weight)

    def _rounded(self, scores: F64) -> F64:
        if isinstance(self._model, LuceneModel):
            return scores.astype(np.float32).astype(np.float64)
        return scores


@dataclass(frozen=True, eq=False)
class _Field:
    place: int
    weight: float
    required: bool
    lengths: I32
    statistics: Statistics
    """Of the field; what is a term's is filled in."""


def _field(postings: Postings, name: str, weight: float, required: bool, lucene: bool) -> _Field:
    place = postings.fields.index(name)
    lengths = postings.lengths[place]
    words = float(lengths.sum(dtype=np.int64))
    documents = float(np.count_nonzero(lengths) if lucene else len(lengths))
    mean = words / documents if documents else 0.0
    return _Field(place, weight, required, lengths, Statistics(documents, words, mean, 0.0, 0.0))


def holders(postings: Postings, term: int, fields: Sequence[int]) -> tuple[I32, F64]:
    """The documents that hold a term in some of the fields, and how often in all of these.

    Args:
        postings: of the index.
        term: the number of the term.
        fields: places of fields in the index, each at most once.
    """
    here = slice(int(postings.pointers[term]), int(postings.pointers[term + 1]))
    docs = postings.docs[here]
    tf = np.zeros(len(docs))
    for field in fields:
        tf += postings.tfs[field][here]
    if len(fields) == len(postings.fields):
        return docs, tf
    some = tf > 0
    return docs[some], tf[some]


def as_lucene(terms: Iterable[tuple[str, float]], known: Terms) -> list[tuple[int, float]]:
    """What Lucene makes of the terms of a query: those of the index, weights of equal ones added.

    Args:
        terms: as they stand in the query, each with its weight.
        known: the terms of the index.
    """
    weights: dict[int, float] = {}
    for term, weight in terms:
        number = known.find(term)
        if number >= 0:
            weights[number] = weights.get(number, 0.0) + float(np.float32(weight))
    return list(weights.items())
