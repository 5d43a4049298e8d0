"""Queries expanded from their top documents, without Java."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from pipeline.index.arrays import vectors
from pipeline.index.arrays.dtypes import F64, I32, I64
from pipeline.index.arrays.postings import Postings
from pipeline.index.arrays.queries import Weighted
from pipeline.index.keyed import Keyed
from pipeline.index.models import RM3, Feedback
from pipeline.index.models.feedback import Divergence, Sample

if TYPE_CHECKING:
    from pipeline.index.arrays.index import ArraysIndex

MOST = float(np.float32(0.1))
"""The share of all documents from which on a term is too common for rm3, as Terrier has it."""

Vector = tuple[I32, I64]
"""The terms of a document, ascending, and how often it holds each."""


class Expansion(Keyed):
    """From rankings to queries ``[qid, query, query_terms]``.

    Equal to another on the same index with the same feedback.
    """

    def __init__(self, index: ArraysIndex, feedback: Feedback):
        self.index, self.feedback = index, feedback

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """The queries, in the order of their topics; ``query`` is the topic's own."""
        topics = inp[["qid", "query"]].drop_duplicates("qid")
        terms: dict[str, dict[str, float]] = {}
        top = self._top(inp)
        for qid, text in zip(topics["qid"], topics["query"], strict=True):
            if qid in top and self.index.queries.has_words(text):
                terms[qid] = self._expanded(text, *top[qid])
        kept = topics[topics["qid"].isin(list(terms))].reset_index(drop=True)
        return kept.assign(query_terms=kept["qid"].map(terms))

    def _top(self, ranking: pd.DataFrame) -> dict[str, tuple[I32, F64]]:
        """The numbers and scores of each topic's first documents, but for those without a word."""
        numbers = self.index.ids(ranking["docno"].tolist())
        rows = ranking[["qid", "score", "rank"]].assign(number=numbers)
        rows = rows.iloc[np.flatnonzero(self.index.postings.lengths[:, numbers].any(axis=0))]
        rows = rows.sort_values("rank", kind="stable").groupby("qid").head(self.feedback.fb_docs)
        return {
            str(qid): (found["number"].to_numpy(), found["score"].to_numpy(float))
            for qid, found in rows.groupby("qid")
        }

    def _expanded(self, text: str, numbers: I32, scores: F64) -> dict[str, float]:
        index, feedback = self.index, self.feedback
        query = index.queries.of_text(text).weighted
        fields, type_map = list(index.settings.fields.values()), index.postings.type_map
        found = [vectors.counts(index.stream(), type_map, fields, number) for number in numbers]
        if isinstance(feedback, RM3):
            return rm3(feedback, index.postings, query, found, scores)
        assert isinstance(feedback, Divergence), feedback
        return divergence(feedback, index.postings, query, found)

    def _key(self) -> tuple[ArraysIndex, Feedback, type]:
        return self.index, self.feedback, type(self.feedback)

    def __repr__(self) -> str:
        return f"<{self.feedback!r}>"


def rm3(
    feedback: RM3, postings: Postings, query: Weighted, documents: list[Vector], scores: F64
) -> dict[str, float]:
    """The terms of the new query with their weights, by the formula.

    Terms that the index does not hold count for the sum of the query's weights, and are gone. Of
    equal terms of the query the last counts.

    Args:
        feedback: the parameters.
        postings: of the index.
        query: the terms of the old query.
        documents: those that are taken to be relevant, none of them empty.
        scores: theirs.
    """
    likely = np.exp(scores - scores.max())
    shares = [tf / tf.sum() * p for (_, tf), p in zip(documents, likely, strict=True)]
    terms, place = np.unique(np.concatenate([each for each, _ in documents]), return_inverse=True)
    r = np.bincount(place, np.concatenate(shares))
    df = postings.pointers[terms + 1] - postings.pointers[terms]
    fit = np.flatnonzero((df >= 2) & (df < int(MOST * postings.documents)))
    best = fit[np.lexsort([terms[fit], -r[fit]])][: feedback.fb_terms]
    new: dict[str, float] = defaultdict(float)
    total = sum(weight for _, weight in query)
    for term, weight in query:
        if postings.terms.find(term) >= 0:
            new[term] = feedback.fb_lambda * (weight / total)
    for number, share in zip(terms[best].tolist(), r[best] / r[best].sum(), strict=True):
        new[postings.terms.name(number)] += (1 - feedback.fb_lambda) * float(share)
    return dict(new)


def divergence(
    feedback: Divergence, postings: Postings, query: Weighted, documents: list[Vector]
) -> dict[str, float]:
    """As ``rm3``; terms that the index does not hold stay, and equal ones are added up.

    A term in one document alone adds nothing, if there are several and it is not in the query.
    """
    all_terms = np.concatenate([terms for terms, _ in documents])
    terms, place, holders = np.unique(all_terms, return_inverse=True, return_counts=True)
    x = np.bincount(place, np.concatenate([tf for _, tf in documents])).astype(float)
    s = Sample(float(postings.documents), float(postings.tokens), float(x.sum()))
    gains = feedback.gains(x, postings.cfs[terms].astype(float), s)
    asked = np.isin(terms, [postings.terms.find(term) for term, _ in query])
    gains = np.where(asked | (holders >= min(2, len(documents))), gains, 0.0)
    heaviest = int(gains.argmax())
    if gains[heaviest] > 0:
        gains = gains / feedback.most(float(x[heaviest]), s)
    best = np.lexsort([terms, -gains])[: max(feedback.fb_terms, len(query))]
    new: dict[str, float] = defaultdict(float)
    for term, weight in query:
        new[term] += weight
    for number, gain in zip(terms[best].tolist(), gains[best].tolist(), strict=True):
        new[postings.terms.name(number)] += gain
    return dict(new)
