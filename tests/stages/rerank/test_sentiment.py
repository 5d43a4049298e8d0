import pandas as pd
import pytest
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from pipeline.stages.rerank.sentiment import LONGEST, Sentiment

VADER = SentimentIntensityAnalyzer()
GOOD, BAD = "This is great.", "That is a horrible crime!"
G, B = (VADER.polarity_scores(text)["compound"] for text in (GOOD, BAD))


def score(text, prefer):
    return Sentiment(prefer=prefer).score(pd.DataFrame({"text": [text]})).tolist()[0]


def test_the_sentences_are_what_they_should_be():
    assert G > 0 > B


@pytest.mark.parametrize(
    ("prefer", "expected"),
    [
        ("positive", (G + B) / 2),
        ("negative", -(G + B) / 2),
        ("emotional", (G - B) / 2),
        ("neutral", 1 - (G - B) / 2),
    ],
)
def test_the_mean_over_sentences(prefer, expected):
    assert score(f"{GOOD} {BAD}", prefer) == pytest.approx(expected)


@pytest.mark.parametrize("text", ["", "?!", "The table stands."])
def test_what_says_nothing_is_neutral(text):
    assert [score(text, prefer) for prefer in ("positive", "emotional", "neutral")] == [0, 0, 1]


def test_an_endless_sentence_is_cut():
    text = "good " * LONGEST + "bad " * LONGEST
    halves = [VADER.polarity_scores(w * LONGEST)["compound"] for w in ("good ", "bad ")]
    assert score(text, "positive") == pytest.approx(sum(halves) / 2)


def test_neutral_arguments_move_up(context_with, topic):
    context = context_with({"a": {"premises": BAD}, "b": {"premises": "It is."}})
    assert list(Sentiment().build(context)(topic("a", "b"))["docno"]) == ["b", "a"]
