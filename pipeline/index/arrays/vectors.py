"""The terms of documents, counted from the token stream."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.index.arrays.dtypes import I32, I64, TermMap
from pipeline.index.arrays.tokens import PARTS, Stream


def counts(
    stream: Stream, type_map: TermMap, fields: Sequence[Sequence[str]], document: int
) -> tuple[I32, I64]:
    """The terms of a document, ascending, and how often each stands in its fields.

    Args:
        stream: the tokens of the collection.
        type_map: the terms of the index that types are.
        fields: the parts that each field joins.
        document: its place in the collection.
    """
    found = [_terms(stream, type_map, document, part) for parts in fields for part in parts]
    return np.unique(np.concatenate(found), return_counts=True)


def _terms(stream: Stream, type_map: TermMap, document: int, part: str) -> I32:
    """The terms of a part; several of one type come at its end."""
    place = document * len(PARTS) + PARTS.index(part)
    begin, end = stream.starts[place : place + 2].tolist()
    first = type_map.first[stream.tokens[begin:end]]
    lists = (-2 - first[first < -1]).tolist()
    several = [
        type_map.more[type_map.more_starts[number] : type_map.more_starts[number + 1]]
        for number in lists
    ]
    return np.concatenate([first[first >= 0], *several])
