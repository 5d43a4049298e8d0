"""Feedback: terms of the top documents for a query, taken to be relevant unseen.

Of terms that weigh the same engine terrier takes those that come first in a hash table, which may
change with its memory; engine arrays takes the first by their text.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.index.models.base import Feedback, Share, feedback
from pipeline.index.models.functions import ln, log, where

if TYPE_CHECKING:
    from pipeline.index.models.functions import Array


@feedback("rm3", terrier="RM3")
class RM3(Feedback):
    """Terms likely under the top documents, mixed with the query (Abdul-Jaleel et al., TREC 2004).

    r(t) = sum over documents of tf / dl exp(score), for 2 <= df < N / 10
    fb_lambda w / sum w + (1 - fb_lambda) r / sum r

    Over the fb_terms largest r and the query's terms. A score counts as the logarithm of a
    likelihood: where scores are far apart, the top document alone decides. Engine terrier adds
    numbers of 7 digits in the order of a hash table, engine arrays numbers of 16.
    """

    fb_lambda: Share = 0.6
    """Share of the original query in the new one."""


@dataclass(frozen=True)
class Sample:
    """The top documents for a query, and the collection they are from."""

    N: float
    """Documents of the collection."""
    C: float
    """Its words."""
    words: float
    """Words of the top documents together."""


class Divergence(Feedback):
    """Terms whose frequency in the top documents is not what is to be expected."""

    @abstractmethod
    def gains(self, x: Array, cf: Array, s: Sample) -> Array:
        """What each term is worth: the formula's dividend.

        Args:
            x: its frequency in all the documents together.
            cf: its frequency in the collection.
            s: the documents.
        """

    @abstractmethod
    def most(self, x: float, s: Sample) -> float:
        """What a term with this frequency is worth at most: the formula's divisor."""


@feedback("bo1", terrier="Bo1QueryExpansion")
class Bo1(Divergence):
    """Terms more frequent than Bose-Einstein statistics expect (Amati, thesis, Glasgow 2003).

    f = cf / N, x = tf in all the documents together, in 2 of them at least
    w + (x log((1 + f) / f) + log(1 + f)) / (the same with f = x / N, of the heaviest term)
    """

    def gains(self, x: Array, cf: Array, s: Sample) -> Array:
        """What each term is worth."""
        f = cf / s.N
        return x * log((1 + f) / f) + log(1 + f)

    def most(self, x: float, s: Sample) -> float:
        """What a term with this frequency is worth at most."""
        f = x / s.N
        return (x * ln((1 + f) / f) + ln(1 + f)) / ln(2.0)


@feedback("kl", terrier="KLQueryExpansion")
class KL(Divergence):
    """Terms by Kullback and Leibler's divergence from the collection (Amati, thesis 2003).

    x = tf in all the documents together, in 2 of them at least; l = words of these documents
    w + x / l log(x / l C / cf) / (x / l log(C / l), of the heaviest term)

    A term that is rarer there than in the collection adds nothing.
    """

    def gains(self, x: Array, cf: Array, s: Sample) -> Array:
        """What each term is worth."""
        p, q = x / s.words, cf / s.C
        return where(p < q, 0.0, p * log(p / q))

    def most(self, x: float, s: Sample) -> float:
        """What a term with this frequency is worth at most."""
        return x * ln(s.C / s.words) / (ln(2.0) * s.words)
