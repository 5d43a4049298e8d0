"""Transformers over an index that are equal when they are made of equal things."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import pyterrier as pt


class Keyed(pt.Transformer):
    """A transformer that equals another of its class with an equal key.

    So that experiments and fusions share what is equal.
    """

    @abstractmethod
    def _key(self) -> tuple[Any, ...]:
        """All that it is made of."""

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())
