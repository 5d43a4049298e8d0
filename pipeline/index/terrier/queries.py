"""Query texts and weighted terms, written so that Terrier cannot take them for anything else.

Terrier's query language has operators, phrases, fields and controls (``a^2``, ``+a -b``, ``"a b"``,
``qe:on``), and PyTerrier looks for words of its own in a text. So no text reaches them: it is cut
into tokens first, by the tokeniser of the index, and each token goes in as an operand of Terrier's
second language, which has no meaning but a term and its weight.
"""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyterrier as pt

_PLAIN = re.compile(r"[a-z][a-z0-9]*")
_SEPARATORS = re.compile("[\x00\ud800-\udfff\U00010000-\U0010ffff]")
"""What separates tokens for every tokeniser, and does not pass well from Python to Java."""


class Tokens:
    """Cuts texts into tokens as an index did."""

    def __init__(self, tokeniser: str):
        names = pt.terrier.TerrierTokeniser
        self._java: Any = names.java_tokeniser(names(tokeniser))

    def of(self, text: str) -> list[str]:
        """The tokens of a text, in order, lower-cased, before stop words and stemming."""
        return list(self._java.getTokens(_SEPARATORS.sub(" ", text)))

    def counts(self, text: str) -> Counter[str]:
        """How often each token occurs, in the order of first occurrence."""
        return Counter(self.of(text))


def matching(terms: Mapping[str, float]) -> str:
    """The query of these terms, each with its weight to the last bit, in their order."""
    return " ".join(map(_operand, terms, terms.values()))


def _operand(term: str, weight: float) -> str:
    if not _PLAIN.fullmatch(term):
        term = f"#base64({base64.b64encode(term.encode()).decode()})"
    return f"#combine:0={np.format_float_positional(weight, trim='0')}({term})"


def expanded(text: str) -> dict[str, float]:
    """The weighted terms of a query that PyTerrier expanded, in its order.

    Weights of a term that is in it twice add up, as they do when Terrier reads the text.
    """
    terms: dict[str, float] = {}
    for term, weight in _weighted(text):
        terms[term] = terms.get(term, 0.0) + weight
    return terms


def _weighted(text: str) -> Iterable[tuple[str, float]]:
    for part in text.removeprefix("applypipeline:off").split():
        term, _, weight = part.rpartition("^")
        yield term, float(weight)
