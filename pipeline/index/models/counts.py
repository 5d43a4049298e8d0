"""Plain counts, as models: to build on, and to compare with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.index.models.base import Statistics, WeightingModel, model

if TYPE_CHECKING:
    from pipeline.index.models.functions import Array


@model("tf", terrier="Tf")
class Tf(WeightingModel):
    """How often the document holds the term.

    w tf
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        return w * tf


@model("dl", terrier="Dl")
class Dl(WeightingModel):
    """Words of the document, once for each term of the query that it holds.

    dl
    """

    ignores_weights = True

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        return dl


@model("coordinate_match", terrier="CoordinateMatch")
class CoordinateMatch(WeightingModel):
    """How many terms of the query the document holds (Witten et al., Managing Gigabytes 1999).

    w
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        return w + 0 * tf


@model("null", terrier="Null")
class Null(WeightingModel):
    """Nothing: finds the documents that hold a term of the query, in the order of the index.

    0

    YAML takes the bare word for no value: ``retrieve: "null"``.
    """

    ignores_weights = True

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        return 0 * tf
