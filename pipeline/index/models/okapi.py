"""Models of the Okapi family: saturated term frequency times inverse document frequency."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.index.models.base import (
    NotNegative,
    Positive,
    Share,
    Statistics,
    WeightingModel,
    model,
)
from pipeline.index.models.functions import log

if TYPE_CHECKING:
    from pipeline.index.models.functions import Array


@model("bm25", terrier="BM25", k1="bm25.k_1", b="bm25.b", k3="bm25.k_3")
class BM25(WeightingModel):
    """Okapi BM25 (Robertson et al., TREC 1994).

    K = k1 ((1 - b) + b dl / avgdl)
    log((N - df + 0.5) / (df + 0.5)) (k1 + 1) tf / (K + tf) (k3 + 1) w / (k3 + w)

    A term in more than half of the documents counts against a document.
    """

    k1: NotNegative = 1.2
    """How late repeats of a term in a document stop counting; at 0 the first counts alone."""
    b: Share = 0.75
    """How much long documents are held back; 0: not at all."""
    k3: Positive = 8.0
    """How late repeats of a term in the query stop counting."""

    def norms(self, dl: Array, avgdl: float) -> Array:
        """K of the formula for documents of these lengths."""
        return self.k1 * ((1 - self.b) + self.b * dl / avgdl)

    def idf(self, s: Statistics) -> float:
        """The formula's first factor."""
        return log((s.N - s.df + 0.5) / (s.df + 0.5))

    def of_query(self, w: float) -> float:
        """The formula's last factor."""
        return (self.k3 + 1) * w / (self.k3 + w)

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        saturated = (self.k1 + 1) * tf / (self.norms(dl, s.avgdl) + tf)
        return self.idf(s) * saturated * self.of_query(w)


@model("tf_idf", terrier="TF_IDF", k1="tf_idf.k_1", b="tf_idf.b")
class TFIDF(WeightingModel):
    """Okapi's term frequency with the first idf (Spärck Jones, Journal of Documentation 1972).

    w k1 tf / (tf + k1 ((1 - b) + b dl / avgdl)) log(N / df + 1)
    """

    k1: Positive = 1.2
    """How late repeats of a term in a document stop counting."""
    b: Share = 0.75
    """How much long documents are held back; 0: not at all."""

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        return w * _saturated(tf, dl, s, self.k1, self.b) * log(s.N / s.df + 1)


@model("lemur_tf_idf", terrier="LemurTF_IDF", k1="LemurTF_IDF.k_1", b="LemurTF_IDF.b")
class LemurTFIDF(WeightingModel):
    """TF-IDF as Lemur has it, with idf squared (Zhai, Notes on the Lemur TFIDF model, 2001).

    w k1 tf / (tf + k1 ((1 - b) + b dl / avgdl)) log(N / df)^2
    """

    k1: Positive = 1.2
    """How late repeats of a term in a document stop counting."""
    b: Share = 0.75
    """How much long documents are held back; 0: not at all."""

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        return w * _saturated(tf, dl, s, self.k1, self.b) * log(s.N / s.df) ** 2


def _saturated(tf: Array, dl: Array, s: Statistics, k1: float, b: float) -> Array:
    return k1 * tf / (tf + k1 * ((1 - b) + b * dl / s.avgdl))
