"""Models that weigh the fields of an index apart; they need an index of several fields.

tf_i, dl_i, avgdl_i    as above, of field i alone
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import pi
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, Field

from pipeline.index.models.base import (
    NotNegative,
    PerField,
    Positive,
    Share,
    Statistics,
    WeightingModel,
    model,
)
from pipeline.index.models.divergence import poisson
from pipeline.index.models.functions import ln, ln_gamma, log, where

if TYPE_CHECKING:
    from pipeline.index.models.functions import Array

_Kept = (AfterValidator(PerField), Field(validate_default=True))
Weights = Annotated[dict[str, NotNegative], *_Kept]
Shares = Annotated[dict[str, Share], *_Kept]
Positives = Annotated[dict[str, Positive], *_Kept]


class FieldModel(WeightingModel):
    """A model that weighs the fields of an index apart.

    ``controls`` holds the first part of a control's name; the place of the field follows.
    """

    needs_fields = True

    def per_field(self) -> dict[str, Mapping[str, float]]:
        """The parameters that hold a number for each of some fields, by their names."""
        return {name: getattr(self, name) for name in self.controls}

    def for_terrier(self, fields: Sequence[str]) -> dict[str, str]:
        """Terrier's controls that set every parameter for every field; 1 where none is given."""
        return {
            f"{control}.{place}": repr(getattr(self, name).get(field, 1.0))
            for name, control in self.controls.items()
            for place, field in enumerate(fields)
        }


@model("bm25f", terrier="BM25F", weights="w", b="c")
class BM25F(FieldModel):
    """BM25 over frequencies that are fitted to length field by field (Zaragoza et al., TREC 2004).

    t = sum over i of weights_i tf_i / ((1 - b_i) + b_i dl_i / avgdl_i)
    log((N - df + 0.5) / (df + 0.5)) 2.2 t / (1.2 + t) 9 w / (8 + w)
    """

    weights: Weights = PerField()
    """How much a word counts in a field, by the field's name; 1 in a field that is not named."""
    b: Shares = PerField()
    """How much a long field is held back, by its name; 0: not at all; 1 if it is not named."""

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        t = 0 * tf[0]
        for i, field in enumerate(s.fields):
            b = self.b.get(field, 1.0)
            fitted = tf[i] / ((1 - b) + b * dl[i] / s.avgdl_of[i])
            t = t + where(tf[i] > 0, self.weights.get(field, 1.0) * fitted, 0.0)
        idf = log((s.N - s.df + 0.5) / (s.df + 0.5))
        return where(t == 0, 0.0, 9 * w / (8 + w) * (2.2 * t / (1.2 + t)) * idf)


@model("pl2f", terrier="PL2F", weights="w", c="c")
class PL2F(FieldModel):
    """PL2 over frequencies that are fitted to length field by field (Macdonald et al., CLEF 2005).

    tfn = sum over i of weights_i tf_i log(1 + c_i avgdl_i / dl_i), the rest as in pl2
    """

    weights: Weights = PerField()
    """How much a word counts in a field, by the field's name; 1 in a field that is not named."""
    c: Positives = PerField()
    """How little a long field is held back, by its name; 1 if it is not named."""

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        tfn = 0 * tf[0]
        for i, field in enumerate(s.fields):
            fitted = _fitted(tf[i], dl[i], s.avgdl_of[i], self.c.get(field, 1.0))
            tfn = tfn + self.weights.get(field, 1.0) * fitted
        return where(tfn == 0, 0.0, poisson(tfn, s, w))


@model("ml2", terrier="ML2")
class ML2(FieldModel):
    """Multinomial randomness over fields (Plachouras and Ounis, ECIR 2007).

    tfn_i = tf_i log(1 + avgdl_i / dl_i), over the k fields; p = 1 / (k N); g(x) = log(gamma(x))
    Sums go over the fields that hold the term, r of them.
    w / (sum tfn_i + 1) (sum (g(tfn_i + 1) - tfn_i log(p)) - g(cf + 1)
                         + g(cf - sum tfn_i + 1) - (cf - sum tfn_i) log(1 - r p))
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        p = 1 / (len(tf) * s.N)
        score, total = -ln_gamma(s.cf + 1 + 0 * tf[0]) / ln(2.0), 0 * tf[0]
        others, share = s.cf + total, 1.0 + total
        for tf_i, dl_i, avgdl_i in zip(tf, dl, s.avgdl_of, strict=True):
            tfn, holds = _fitted(tf_i, dl_i, avgdl_i), tf_i > 0
            score = score + where(holds, (ln_gamma(tfn + 1) - tfn * ln(p)) / ln(2.0), 0.0)
            total, others = total + tfn, others - tfn
            share = share - where(holds, p, 0.0)
        score = score + (ln_gamma(others + 1) - others * ln(share)) / ln(2.0)
        divergence: Array = w * (score / (total + 1))
        return divergence


@model("mdl2", terrier="MDL2")
class MDL2(FieldModel):
    """An approximation of ml2 (Plachouras and Ounis, ECIR 2007), as Terrier computes it.

    w (r / 2 log(2 pi cf) - cf log(1 - (k - r) r / N))

    Of k fields r hold the term. Terrier 5.11 passes over these very fields, so that nothing else
    of a document counts.
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        holds = (tf > 0).sum(axis=0) + 0.0
        share = 1.0 + 0 * tf[0]
        for tf_i in tf:
            share = share - where(tf_i > 0, 0.0, 1 / s.N * holds)
        score = holds / 2 * ln(2 * pi * s.cf) / ln(2.0)
        divergence: Array = w * (score + s.cf * ln(s.cf / (s.cf * share)) / ln(2.0))
        return divergence


def _fitted(tf: Array, dl: Array, avgdl: float, c: float = 1.0) -> Array:
    """``tfn`` of a field; 0 where it does not hold the term."""
    return where(tf > 0, tf * log(1 + c * avgdl / dl), 0.0)
