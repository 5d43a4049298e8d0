"""Searches that are not one sum over the terms of a query and all fields as one text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pipeline.index.apart import Apart
from pipeline.index.arrays.apart import FieldsApart, as_lucene
from pipeline.index.arrays.dtypes import F64, I32
from pipeline.index.arrays.queries import Query
from pipeline.index.models.base import WeightingModel
from pipeline.index.models.lucene import LuceneModel
from pipeline.index.models.proximity import SDM, Pairs

if TYPE_CHECKING:
    from pipeline.index.arrays.index import ArraysIndex

Matcher = Callable[[Query], tuple[I32, F64]]
"""From a query to every document that it finds, ascending, and its score."""


def matcher(
    index: ArraysIndex, model: WeightingModel, apart: Apart | None, queries: Sequence[Query]
) -> Matcher | None:
    """What finds documents, if the search is special: Lucene's, by fields apart or by proximity.

    Args:
        index: what is searched.
        model: what scores; none that needs several fields where ``apart`` is given.
        apart: how fields are searched apart.
        queries: all that will be asked, since they may share their reading.
    """
    if isinstance(model, SDM | Pairs):
        return _near(index, model, queries)
    if isinstance(model, LuceneModel):
        lucene = FieldsApart(index.postings, model, apart or Apart())
        return lambda query: lucene(as_lucene(query.terms, index.postings.terms))
    if apart is not None:
        by_field = FieldsApart(index.postings, model, apart)
        return lambda query: by_field(query.entries)
    return None


def _near(index: ArraysIndex, model: SDM | Pairs, queries: Sequence[Query]) -> Matcher:
    from pipeline.index.arrays.near import Dependence, Near, PairScores
    from pipeline.index.arrays.positions import Positions

    def numbers(query: Query) -> tuple[int, ...]:
        return tuple(postings.terms.find(term) for term, _ in query.terms)

    postings = index.postings
    positions = Positions(index.stream(), postings.type_map, list(index.settings.fields.values()))
    asked = map(numbers, queries)
    near: Near
    if isinstance(model, SDM):
        near = Dependence(postings, positions, asked, model)
    else:
        near = PairScores(postings, positions, asked, model)
    return lambda query: near(numbers(query))
