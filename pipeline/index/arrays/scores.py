"""Sums of scores by document, and the best of them: a kernel, part of ``kernels.py``."""

from __future__ import annotations

import numpy as np

from pipeline import native
from pipeline.index.arrays import kernels_c, kernels_numpy
from pipeline.index.arrays.checks import check, check_frequencies
from pipeline.index.arrays.dtypes import F64, I32, U8, Frequencies

_C = native.in_use() == "C"


class Scores:
    """Sums of scores by document, for one query after the other."""

    def __init__(self, documents: int):
        self._documents = documents
        self._scores: kernels_c.Scores | kernels_numpy.Scores
        self._scores = kernels_c.Scores(documents) if _C else kernels_numpy.Scores(documents)

    def add(self, docs: I32, values: F64) -> None:
        """Adds a value to each document of ``docs``, which holds none twice.

        Raises:
            ValueError: a document is out of range, or there is not a value for each.
        """
        check(np.int32, docs=docs)
        check(np.float64, values=values)
        if len(docs) != len(values):
            raise ValueError("docs: not as many as values")
        try:
            self._scores.add(docs, values)
        except IndexError as error:
            raise ValueError(str(error)) from error

    def add_saturated(
        self, docs: I32, tfs: Frequencies, norms: F64, idf: float, gain: float, weight: float
    ) -> None:
        """Adds ``idf * (gain * tf / (norms[doc] + tf)) * weight``, worked from the left.

        Args:
            docs: [postings] documents, none twice.
            tfs: [postings] how often the term stands in each.
            norms: [documents] the tf that gives each document half of what it can get.
            idf: how rare the term is.
            gain: what a tf without end would give.
            weight: of the term in the query.

        Raises:
            ValueError: a document is out of range, or there is not a tf for each.
        """
        check(np.int32, docs=docs)
        check(np.float64, norms=norms)
        check_frequencies(tfs)
        if len(docs) != len(tfs) or len(norms) != self._documents:
            raise ValueError("docs: not as many as tfs; or norms: not one a document")
        try:
            self._scores.add_saturated(docs, tfs, norms, idf, gain, weight)
        except IndexError as error:
            raise ValueError(str(error)) from error

    def best(self, k: int, keep: U8 | None = None) -> tuple[I32, F64]:
        """The k best of the documents that were added to, and their scores; forgets all of them.

        The best is first; of equal scores, the lower number. Scores that are no number are left
        out.

        Args:
            k: how many, at most.
            keep: [documents] 0 for those that are left out; nothing for all.
        """
        if keep is not None:
            check(np.uint8, keep=keep)
            if len(keep) != self._documents:
                raise ValueError("keep: not one a document")
        return self._scores.best(max(k, 0), keep)
