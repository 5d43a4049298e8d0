"""Prefers arguments that are easy, or hard, to read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

from pipeline.analysis.prose import sentences, syllables, words
from pipeline.stages.base import register
from pipeline.stages.rerank.base import Reranker

if TYPE_CHECKING:
    import pandas as pd


class Counts(NamedTuple):
    """What the formulas count in a text that has words."""

    words: int
    sentences: int
    letters: int
    """Letters and digits."""
    syllables: int
    long_words: int
    """Words of three syllables or more."""


def flesch_reading_ease(n: Counts) -> float:
    """206.835 - 1.015 words / sentences - 84.6 syllables / words (Flesch, J. Appl. Psych. 1948)."""
    return 206.835 - 1.015 * n.words / n.sentences - 84.6 * n.syllables / n.words


def flesch_kincaid_grade(n: Counts) -> float:
    """0.39 words / sentences + 11.8 syllables / words - 15.59 (Kincaid et al., 1975)."""
    return 0.39 * n.words / n.sentences + 11.8 * n.syllables / n.words - 15.59


def automated_readability(n: Counts) -> float:
    """4.71 letters / words + 0.5 words / sentences - 21.43 (Smith and Senter, 1967)."""
    return 4.71 * n.letters / n.words + 0.5 * n.words / n.sentences - 21.43


def coleman_liau(n: Counts) -> float:
    """5.88 letters / words - 29.6 sentences / words - 15.8 (Coleman and Liau, 1975)."""
    return 5.88 * n.letters / n.words - 29.6 * n.sentences / n.words - 15.8


def gunning_fog(n: Counts) -> float:
    """0.4 (words / sentences + 100 long words / words) (Gunning, 1952); every long word counts."""
    return 0.4 * (n.words / n.sentences + 100 * n.long_words / n.words)


Measure = Literal[
    "flesch_reading_ease", "flesch_kincaid_grade", "ari", "coleman_liau", "gunning_fog"
]

GRADES = (0.0, 20.0)
MEASURES: dict[str, tuple[Callable[[Counts], float], tuple[float, float]]] = {
    "flesch_reading_ease": (flesch_reading_ease, (0.0, 100.0)),
    "flesch_kincaid_grade": (flesch_kincaid_grade, GRADES),
    "ari": (automated_readability, GRADES),
    "coleman_liau": (coleman_liau, GRADES),
    "gunning_fog": (gunning_fog, GRADES),
}
"""Each measure's formula, and the range that its values are cut to. Only the first is an ease."""


@register("readability")
class Readability(Reranker):
    """Scores an argument by a readability formula for English.

    Values are cut to 0 to 100 (ease) or 0 to 20 (grades): a post without a full stop would else be
    one sentence of grade 300, and all others alike beside it.
    """

    measure: Measure = "flesch_reading_ease"
    """The formula: flesch_reading_ease says how easy a text is, the others the school grade that
    it asks for (ari is the automated readability index)."""
    prefer: Literal["easy", "hard"] = "easy"
    """What goes up."""

    def score(self, ranking: pd.DataFrame) -> pd.Series[float]:
        """The ease, or minus the grade; negated for ``hard``.

        A text without words gets the worst score of its topic (0 if all are without).
        """
        formula, (low, high) = MEASURES[self.measure]
        counts = ranking["text"].map(count)
        value = counts.map(lambda n: formula(n) if n.words else float("nan")).astype(float)
        easy_is_high = self.measure == "flesch_reading_ease"
        score = value.clip(low, high) * (1 if easy_is_high == (self.prefer == "easy") else -1)
        return score.fillna(score.groupby(ranking["qid"]).transform("min")).fillna(0.0)


def count(text: str) -> Counts:
    """What the formulas need; ``analysis.prose`` says what a word, sentence and syllable is."""
    found = words(text)
    beats = [syllables(word) for word in found]
    return Counts(
        words=len(found),
        sentences=len(sentences(text)),
        letters=sum(len(word) - word.count("'") for word in found),
        syllables=sum(beats),
        long_words=sum(beat >= 3 for beat in beats),
    )
