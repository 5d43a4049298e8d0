"""Prefers neutral, emotional, positive or negative arguments."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from pipeline.analysis.prose import sentences
from pipeline.stages.base import register
from pipeline.stages.rerank.base import Reranker

if TYPE_CHECKING:
    import pandas as pd

LONGEST = 100
"""Words after which a sentence without an end is cut: VADER's time grows with their square."""


@register("sentiment")
class Sentiment(Reranker):
    """Scores an argument by its sentiment by VADER (Hutto and Gilbert, ICWSM 2014).

    VADER gives a sentence its compound c, from -1 (negative) to 1 (positive). An argument has the
    mean over its sentences: of a whole argument, c is mostly near -1 or 1, and far slower to have.
    """

    prefer: Literal["neutral", "emotional", "positive", "negative"] = "neutral"
    """What goes up: emotional (mean of VADER's compound without its sign), neutral (1 less that),
    positive (mean of the compound), negative (-1 times that)."""

    def score(self, ranking: pd.DataFrame) -> pd.Series[float]:
        """As ``prefer`` says, 0 to 1 or (positive, negative) -1 to 1. Without words, c is 0."""
        return ranking["text"].map(self._of).astype(float)

    def _of(self, text: str) -> float:
        compounds = [_compound(part) for part in _parts(text)] or [0.0]
        if self.prefer in ("positive", "negative"):
            mean = sum(compounds) / len(compounds)
            return mean if self.prefer == "positive" else -mean
        mean = sum(map(abs, compounds)) / len(compounds)
        return mean if self.prefer == "emotional" else 1 - mean


def _parts(text: str) -> list[str]:
    """The sentences, those of more than ``LONGEST`` words in pieces of at most so many."""
    parts = []
    for sentence in sentences(text):
        words = sentence.split()
        parts += [" ".join(words[i : i + LONGEST]) for i in range(0, len(words), LONGEST)]
    return parts


def _compound(text: str) -> float:
    return float(_vader().polarity_scores(text)["compound"])


@cache
def _vader() -> Any:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it opens its lexicon by codecs.open
        from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

        return SentimentIntensityAnalyzer()
