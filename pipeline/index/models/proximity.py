"""Models of terms that stand near each other, for queries of several.

Places are counted over the terms of a document as they stand: what is no term of the index, as a
stop word, takes none. The fields of an index follow each other as one text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import AfterValidator, Field, ValidationError, ValidationInfo, field_validator

from pipeline.errors import meant
from pipeline.index.models.base import (
    MODELS,
    NotNegative,
    PerField,
    Positive,
    Statistics,
    WeightingModel,
)
from pipeline.index.models.functions import log

if TYPE_CHECKING:
    from pipeline.index.models.functions import Array

Window = Annotated[int, Field(ge=2, le=10_000)]


class ProximityModel(WeightingModel):
    """A model of terms near each other; not among ``MODELS``, as it sees more than one term."""

    engines = ("arrays",)
    terrier = ""
    ignores_weights = True

    window: Window = 8
    """Places that both terms must fit in; 2: side by side."""


class SDM(ProximityModel):
    """Sequential dependence model (Metzler and Croft, SIGIR 2005).

    Adds up, for each term of the query, and for each two neighbours in it side by side (ordered)
    and within the window (unordered), with tf and cf of these places:

    weight log((tf + mu cf / C) / (dl + mu))

    Over the documents that hold a term of the query, tf being 0 for all that one of them lacks.
    What the collection lacks is left out. The weight of a term in the query plays no part.
    """

    name = "sdm"

    mu: Positive = 2500.0
    """Strength of the collection's distribution, in words."""
    terms: NotNegative = 0.85
    """Weight of each term."""
    ordered: NotNegative = 0.1
    """Weight of two neighbours side by side in the order of the query."""
    unordered: NotNegative = 0.05
    """Weight of two neighbours within the window, in any order."""

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        return w * log((tf + self.mu * (s.cf / s.C)) / (dl + self.mu))


class Pairs(ProximityModel):
    """Pairs of different terms of the query near each other, weighted as if each were a term.

    tf, df and cf of the weighting model count places where both terms are within the window.
    """

    name = "proximity"

    pairs: Literal["adjacent", "all"] = "adjacent"
    """Which pairs: neighbours in the query, or all. Each counts once."""
    ordered: bool = False
    """Whether the terms must stand in the order of the query."""
    by: str = "bm25"
    """The weighting model: any that retrieve has, but those of Lucene or of several fields."""
    parameters: Annotated[dict[str, float], AfterValidator(PerField)] = PerField()
    """Its parameters, as in {k1: 1.2, b: 0.3}."""

    @field_validator("by")
    @classmethod
    def _is_one(cls, name: str) -> str:
        known = [n for n, kind in MODELS.items() if "terrier" in kind.engines]
        known = [n for n in known if not MODELS[n].needs_fields]
        if name not in known:
            raise ValueError(f"{name!r}{meant(name, known)}; there is {', '.join(sorted(known))}")
        return name

    @field_validator("parameters")
    @classmethod
    def _are_its(cls, given: PerField, info: ValidationInfo) -> PerField:
        if "by" in info.data:
            try:
                MODELS[info.data["by"]](**given)
            except ValidationError as error:
                wrong = error.errors()[0]
                place = ".".join(map(str, wrong["loc"]))
                raise ValueError(f"{info.data['by']}: {place}: {wrong['msg']}") from error
        return given

    def weighting(self) -> WeightingModel:
        """The weighting model with its parameters."""
        return MODELS[self.by](**self.parameters)

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        return self.weighting().score(tf, dl, s, w)
