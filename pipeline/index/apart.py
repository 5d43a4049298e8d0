"""How the fields of an index are searched apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pipeline.index.models.base import PerField


@dataclass(frozen=True)
class Apart:
    """Fields searched each as an index of its own, their scores added up.

    A field has its own N, C, avgdl, df and cf, and its own length of each document.
    """

    weights: PerField = field(default_factory=PerField)
    """What each field's score is multiplied by; only these fields are searched. If there is none,
    all fields are, each with weight 1."""
    required: tuple[str, ...] = ()
    """Fields in which a document must hold a term of the query to be found at all."""

    def weights_of(self, fields: Iterable[str]) -> dict[str, float]:
        """Those that are searched of the fields of an index, with their weights."""
        if not self.weights:
            return dict.fromkeys(fields, 1.0)
        return {name: self.weights[name] for name in fields if name in self.weights}
