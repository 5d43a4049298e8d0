"""Lucene's similarities, to the bit of Lucene 8, 9 and 10, which do not differ here.

Lucene scores each field as an index of its own, and stands apart from Terrier in three things:

    dl     Lucene keeps a length in one byte: exact up to 40 words, then rounded down to about
           three significant bits (``kept_length``); avgdl and C are of the exact lengths
    N      documents with a word in the field, not all documents
    w      the term's weight in the query as it is; a term that is in it twice has weight 2

Scores are floats of 32 bits, added up in 64: so equal scores, and with them the order of a ranking,
are Lucene's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from pipeline.index.models.base import NotNegative, Share, Statistics, WeightingModel, model

if TYPE_CHECKING:
    from pipeline.index.models.functions import Array


class LuceneModel(WeightingModel):
    """A similarity of Lucene's: fields are always searched apart."""

    engines: ClassVar[tuple[str, ...]] = ("arrays",)


@model("lucene_bm25", terrier="")
class LuceneBM25(LuceneModel):
    """BM25 of Lucene's BM25Similarity, its default (after Robertson et al., TREC 1994).

    K = k1 ((1 - b) + b dl / avgdl)
    w ln(1 + (N - df + 0.5) / (df + 0.5)) tf / (tf + K)

    No term counts against a document, and there is no factor k1 + 1.
    """

    k1: NotNegative = 1.2
    """How late repeats of a term in a document stop counting; at 0 the first counts alone."""
    b: Share = 0.75
    """How much long documents are held back; 0: not at all."""

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        import numpy as np

        f32 = np.float32
        k1, b, one = f32(self.k1), f32(self.b), f32(1)
        weight = f32(w) * f32(np.log(1 + (s.N - s.df + 0.5) / (s.df + 0.5)))
        length = kept_length(dl).astype(f32)
        inverse = one / (k1 * ((one - b) + b * length / f32(s.C / s.N)))  # infinite if k1 is 0
        return (weight - weight / (one + tf.astype(f32) * inverse)).astype(np.float64)


@model("lucene_lm_dirichlet", terrier="")
class LuceneLMDirichlet(LuceneModel):
    """Query likelihood of Lucene's LMDirichletSimilarity (after Zhai and Lafferty, SIGIR 2001).

    p = (cf + 1) / (C + 1)
    w max(0, ln(1 + tf / (mu p)) + ln(mu / (dl + mu)))

    A term no more frequent in a document than in the collection adds 0; the document is found.
    """

    mu: Annotated[float, Field(gt=0)] = 2000.0
    """Strength of the collection's word distribution, in words."""

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        import numpy as np

        mu = float(np.float32(self.mu))
        p = (s.cf + 1) / (s.C + 1)
        score = np.log(1 + tf / (mu * p)) + np.log(mu / (kept_length(dl) + mu))
        return _rounded(np.maximum(np.float32(w) * score, 0.0))


@model("lucene_dfi", terrier="")
class LuceneDFI(LuceneModel):
    """Divergence from independence, DFISimilarity (Kocabaş et al., Information Retrieval 2014).

    e = (cf + 1) dl / (C + 1)
    w log(1 + m) if tf > e, else 0

    m is (tf - e) / sqrt(e) if standardized, (tf - e) / e if saturated, (tf - e)^2 / e if
    chi_squared.
    """

    measure: Literal["standardized", "saturated", "chi_squared"] = "standardized"
    """How far a frequency is from the one expected: see the formula."""

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        import numpy as np

        e = (s.cf + 1) * kept_length(dl) / (s.C + 1)
        more = np.maximum(tf - e, 0.0)
        if self.measure == "standardized":
            m = more / np.sqrt(e)
        elif self.measure == "saturated":
            m = more / e
        else:
            m = more * more / e
        return _rounded(np.float32(w) * (np.log(m + 1) / np.log(2.0)))


@model("lucene_tf_idf", terrier="")
class LuceneTFIDF(LuceneModel):
    """TF-IDF of Lucene's ClassicSimilarity, its default until version 5.

    w sqrt(tf) (1 + ln((N + 1) / (df + 1))) / sqrt(dl)

    Since Lucene 8 idf counts once, and nothing is normalised by the query.
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        import numpy as np

        f32 = np.float32
        weight = f32(w) * f32(np.log((s.N + 1) / (s.df + 1)) + 1)
        norm = (1 / np.sqrt(kept_length(dl))).astype(f32)
        return (np.sqrt(tf).astype(f32) * weight * norm).astype(np.float64)


def kept_length(dl: Array) -> Array:
    """What Lucene keeps of lengths (``SmallFloat.intToByte4``), at most the length itself.

    Up to 24 a length stands for itself; of what is above 24 the four highest bits are kept. So the
    first one lost is 41, kept as 40; 100 is kept as 96, 1000 as 984.
    """
    import numpy as np

    above = np.maximum(np.asarray(dl, dtype=np.float64) - 24, 0)
    step = np.exp2(np.maximum(np.frexp(above)[1] - 4, 0))
    return np.where(above > 0, 24 + np.floor(above / step) * step, dl)


def _rounded(scores: Array) -> Array:
    """The scores as the floats of 32 bits that Lucene makes of them."""
    import numpy as np

    return scores.astype(np.float32).astype(np.float64)
