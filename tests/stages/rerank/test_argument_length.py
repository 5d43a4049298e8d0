import pandas as pd
import pytest

from pipeline.stages.rerank.argument_length import ArgumentLength


def test_long_arguments_move_up(context, ranking):
    assert list(ArgumentLength().build(context)(ranking)["docno"]) == ["long", "short"] * 2


@pytest.mark.parametrize(
    ("words", "expected"), [(0, 0.0), (1, 1 / 200), (100, 100 / 200), (200, 1.0), (900, 1.0)]
)
def test_score_by_hand(words, expected):
    ranking = pd.DataFrame({"text": [" well-known\n" * words]})
    assert ArgumentLength().score(ranking).tolist() == [expected]
