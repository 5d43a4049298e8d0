"""What a weighting model is, and what feedback is, to those that search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, Field

if TYPE_CHECKING:
    from pipeline.index.models.functions import Array

Share = Annotated[float, Field(ge=0, le=1)]
NotNegative = Annotated[float, Field(ge=0)]
Positive = Annotated[float, Field(gt=0)]


class Settings(BaseModel):
    """Parameters with a name; equal parameters compare equal."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    name: ClassVar[str]
    """What configs call it."""
    terrier: ClassVar[str]
    """What Terrier, or for feedback PyTerrier, calls it."""


@dataclass(frozen=True)
class Statistics:
    """What a model knows of a term and of the collection."""

    N: float
    """Documents of the collection."""
    C: float
    """Its words."""
    avgdl: float
    """Words of a document, in the mean."""
    df: float
    """Documents that hold the term."""
    cf: float
    """How often they hold it."""
    fields: tuple[str, ...] = ()
    """The names of the fields, for models that need them."""
    avgdl_of: tuple[float, ...] = ()
    """Words of each field of a document, in the mean."""


class WeightingModel(Settings):
    """How well a document answers a query, from counts of their common terms."""

    engines: ClassVar[tuple[str, ...]] = ("terrier", "arrays")
    """The engines that know it."""
    controls: ClassVar[Mapping[str, str]] = {}
    """Terrier's control for each parameter."""
    ignores_weights: ClassVar[bool] = False
    """Whether a term's weight in the query changes nothing, so that expansion is lost on it."""
    needs_fields: ClassVar[bool] = False
    """Whether it weighs the fields of an index apart, and so needs several."""

    def for_terrier(self, fields: Sequence[str]) -> dict[str, str]:
        """Terrier's controls that set every parameter, on an index of these fields.

        All are set, defaults too: a control that is left out may keep an earlier value.
        """
        return {control: repr(getattr(self, name)) for name, control in self.controls.items()}

    def score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        """What one term of a query adds to the scores of documents that hold it, by the formula.

        No number where the model has no value. The order of operations is Terrier's.

        Args:
            tf: how often each document holds the term; for models that need fields, a row a field.
            dl: words of each document; for models that need fields, a row a field.
            s: of the term and the collection.
            w: weight of the term in the query; divided by the largest, as Terrier does.
        """
        import numpy as np

        with np.errstate(all="ignore"):
            return self._score(tf, dl, s, w)

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        """The formula."""
        raise NotImplementedError(type(self).__name__)


class Feedback(Settings):
    """How a query is expanded from its top documents."""

    fb_docs: Annotated[int, Field(ge=1)] = 3
    """Documents, from the top, that are taken to be relevant."""
    fb_terms: Annotated[int, Field(ge=1)] = 10
    """Terms added to the query, at most."""


class PerField(dict[str, float]):
    """A number for each of some fields of an index; never changed, so that it has a hash."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


MODELS: dict[str, type[WeightingModel]] = {}
"""Every weighting model by its name."""

FEEDBACK: dict[str, type[Feedback]] = {}
"""Every kind of feedback by its name."""

M = TypeVar("M", bound=type[WeightingModel])
F = TypeVar("F", bound=type[Feedback])


def model(name: str, terrier: str, **controls: str) -> Callable[[M], M]:
    """Makes a weighting model known to configs by ``name``.

    Args:
        name: what configs call it.
        terrier: what Terrier calls it.
        controls: Terrier's control for each of its parameters.
    """

    def add(kind: M) -> M:
        kind.name, kind.terrier = name, terrier
        kind.controls = {**kind.controls, **controls}
        assert name not in MODELS, name
        MODELS[name] = kind
        return kind

    return add


def feedback(name: str, terrier: str) -> Callable[[F], F]:
    """As ``model``, for feedback."""

    def add(kind: F) -> F:
        kind.name, kind.terrier = name, terrier
        assert name not in FEEDBACK, name
        FEEDBACK[name] = kind
        return kind

    return add
