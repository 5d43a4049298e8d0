"""Prefers arguments with many, or few, words of a list."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Literal

from pipeline.analysis.prose import words as words_of
from pipeline.analysis.wordlists import Words
from pipeline.stages.base import register
from pipeline.stages.rerank.base import Reranker

if TYPE_CHECKING:
    import pandas as pd

Phrases = dict[str, list[list[str]]]
"""Entries of a word list as words, the longest first, by their first word."""


@register("lexicon")
class Lexicon(Reranker):
    """Scores an argument by the share of its words that stand in a word list.

    An entry of several words (as in, on the other hand) counts all of them where they stand side by
    side. Small and capital letters are alike.
    """

    words: Words
    """The list: a shipped one (connectives, hedges), a file (an entry a line), or written out."""
    prefer: Literal["more", "fewer"] = "more"
    """What goes up: arguments with more of these words (their share), or with fewer (1 - share)."""

    def score(self, ranking: pd.DataFrame) -> pd.Series[float]:
        """The share of the words, or 1 less it: 0 to 1. A text without words has share 0."""
        phrases = _phrases(self.words.words)
        share = ranking["text"].map(lambda text: _share(text, phrases)).astype(float)
        return share if self.prefer == "more" else 1 - share


def _phrases(entries: tuple[str, ...]) -> Phrases:
    phrases: Phrases = defaultdict(list)
    for entry in sorted((words_of(entry.lower()) for entry in entries), key=len, reverse=True):
        if entry:
            phrases[entry[0]].append(entry)
    return dict(phrases)


def _share(text: str, phrases: Phrases) -> float:
    """Words of the text inside an entry, the longest entry first, over all its words."""
    words = words_of(text.lower())
    inside = at = 0
    while at < len(words):
        found = (p for p in phrases.get(words[at], ()) if words[at : at + len(p)] == p)
        length = len(next(found, ()))
        inside += length
        at += length or 1
    return inside / len(words) if words else 0.0
