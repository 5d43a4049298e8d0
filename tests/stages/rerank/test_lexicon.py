import pandas as pd
import pytest

from pipeline.stages.rerank.lexicon import Lexicon

WORDS = ["because", "on the other hand", "on the", "isn't"]


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("Because it is, because!", 2 / 4),
        ("ON THE OTHER HAND it is", 4 / 6),
        ("on the other side", 2 / 4),
        ("it isn\u2019t", 1 / 2),
        ("onthe other hand", 0 / 3),
        ("on the", 2 / 2),
        ("nothing of it", 0 / 3),
        ("", 0),
        ("?!", 0),
    ],
)
def test_share_by_hand(text, share):
    ranking = pd.DataFrame({"text": [text]})
    assert Lexicon(words=WORDS).score(ranking).tolist() == [share]
    assert Lexicon(words=WORDS, prefer="fewer").score(ranking).tolist() == [1 - share]


def test_shipped_lists_and_files(tmp_path):
    (tmp_path / "mine.txt").write_text("# my own\nbecause\n")
    ranking = pd.DataFrame({"text": ["perhaps because of zoos"]})
    assert Lexicon(words="hedges").score(ranking).tolist() == [1 / 4]
    assert Lexicon(words="connectives").score(ranking).tolist() == [1 / 4]
    mine = Lexicon.model_validate({"words": "mine.txt"}, context={"folder": tmp_path})
    assert mine.score(ranking).tolist() == [1 / 4]
