import pandas as pd
import pytest

from pipeline.stages.rerank.readability import MEASURES, Counts, Readability, count

TEXT = "The cat sat on the mat. Each old argument ends!"
HARD = "Institutional accountability necessitates comprehensive transparency."


def score(*texts, **parameters):
    ranking = pd.DataFrame({"qid": "1", "text": texts})
    return Readability(**parameters).score(ranking).tolist()


def test_counts_by_hand():
    assert count("The cat sat on the mat. Each old argument ends!") == Counts(
        words=10, sentences=2, letters=17 + 19, syllables=6 + 6, long_words=1
    )


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("flesch_reading_ease", 206.835 - 1.015 * 30 / 2 - 84.6 * 45 / 30),
        ("flesch_kincaid_grade", 0.39 * 30 / 2 + 11.8 * 45 / 30 - 15.59),
        ("ari", 4.71 * 140 / 30 + 0.5 * 30 / 2 - 21.43),
        ("coleman_liau", 0.0588 * (100 * 140 / 30) - 0.296 * (100 * 2 / 30) - 15.8),
        ("gunning_fog", 0.4 * (30 / 2 + 100 * 3 / 30)),
    ],
)
def test_formulas_by_hand(measure, expected):
    n = Counts(words=30, sentences=2, letters=140, syllables=45, long_words=3)
    formula, _ = MEASURES[measure]
    assert formula(n) == pytest.approx(expected)


@pytest.mark.parametrize("measure", MEASURES)
def test_easy_texts_are_above_hard_ones_or_below(measure):
    easy, hard = score(TEXT, HARD, measure=measure, prefer="easy")
    assert easy > hard
    assert score(TEXT, HARD, measure=measure, prefer="hard") == [-easy, -hard]


def test_values_are_cut():
    endless = "no full stop " * 500
    assert score(endless) == [0]
    assert score(endless, measure="ari") == [-20]
    assert score("I do.") == [100]


def test_a_text_without_words_is_the_worst_of_its_topic():
    ranking = pd.DataFrame({"qid": ["1", "1", "2"], "text": ["?", TEXT, ""]})
    found = Readability().score(ranking).tolist()
    assert found == [found[1], found[1], 0]
    ranking = pd.DataFrame({"qid": "1", "text": ["?", TEXT, HARD]})
    found = Readability(prefer="hard").score(ranking).tolist()
    assert found[0] == found[1] < found[2]
