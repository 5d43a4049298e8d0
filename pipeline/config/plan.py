"""How a sweep searches its points, chooses the best one, and judges it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PositiveInt, model_validator

from pipeline.config.topics import Topics

MOST = 100_000
"""Points of a sweep, at most."""

_CONFIG = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class Search(BaseModel):
    """Which points are looked at."""

    model_config = _CONFIG

    by: Literal["grid", "random", "tpe"] = "grid"
    """grid: all; random: some, drawn by chance; tpe: some, proposed from the scores of those before
    them (Bergstra et al., NeurIPS 2011)."""
    points: Annotated[int, Field(ge=1, le=MOST)] | None = None
    """How many, of random and tpe."""
    seed: Annotated[int, Field(ge=0)] = 1
    """Where chance begins."""
    generation: PositiveInt = 8
    """Points that tpe proposes at a time: more keep more machines busy, fewer learn sooner."""

    @model_validator(mode="after")
    def _bounded(self) -> Search:
        if self.by == "grid" and self.points:
            raise ValueError("a grid has all its points; leave points out, or search by random")
        if self.by != "grid" and not self.points:
            raise ValueError(f"how many? search: {{by: {self.by}, points: 40}}")
        return self


class Choose(BaseModel):
    """By what the best point is chosen."""

    model_config = _CONFIG

    by: str = "nDCG@5"
    """Measure whose mean is highest for the best point."""
    on: str = ""
    """Name of judgements; none: the only ones that are given."""
    topics: Topics = Topics()
    """Topics, as in 1-25, 30; none: all that are judged."""
    folds: Annotated[int, Field(ge=2)] = 5
    """Parts of the topics for nested cross-validation; many: each topic is left out once."""
    seed: Annotated[int, Field(ge=0)] = 1
    """By which the topics are shuffled into folds."""


def _several(on: object) -> object:
    return (on,) if isinstance(on, str) else tuple(on) if isinstance(on, list) else on


class Report(BaseModel):
    """On what the chosen point is judged, apart from what chose it."""

    model_config = _CONFIG

    on: Annotated[tuple[str, ...], BeforeValidator(_several)] = ()
    """Names of judgements; none: those that choose."""
    topics: Topics = Topics()
    """Topics, as in 51-100; none: all that are judged."""
