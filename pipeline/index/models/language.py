"""Language models: how likely a document's word distribution is to make the query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from pipeline.index.models.base import Positive, Statistics, WeightingModel, model
from pipeline.index.models.functions import log

if TYPE_CHECKING:
    from pipeline.index.models.functions import Array


@model("dirichlet_lm", terrier="DirichletLM", mu="dirichletlm.mu")
class DirichletLM(WeightingModel):
    """Query likelihood with Dirichlet smoothing (Zhai and Lafferty, TOIS 2004).

    log(1 + tf / (mu cf / C)) + log(mu / (dl + mu))

    Over the terms that the document holds; the weight of a term in the query plays no part.
    """

    ignores_weights = True

    mu: Positive = 2500.0
    """Strength of the collection's word distribution, in words."""

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        return log(1 + tf / (self.mu * (s.cf / s.C))) + log(self.mu / (dl + self.mu))


@model("hiemstra_lm", terrier="Hiemstra_LM", lam="hiemstra_lm.lambda")
class HiemstraLM(WeightingModel):
    """Query likelihood with linear smoothing (Hiemstra, thesis, Twente 2001).

    w log(1 + lam tf C / ((1 - lam) cf dl))
    """

    lam: Annotated[float, Field(gt=0, lt=1)] = 0.15
    """Lambda: the document's share against the collection's."""

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        return log(1 + self.lam * tf * s.C / ((1 - self.lam) * s.cf * dl)) * w
