"""What of a ranking is looked at, before it becomes a run."""

import numpy as np
import pandas as pd
import pytest

from pipeline.collection.topics import Topic
from pipeline.experiments.sweep.bench import enough
from pipeline.runs import trec

TOPICS = [Topic(number, "x") for number in "123"]


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("depth", [1, 3, 10, 100])
def test_the_run_is_that_of_the_whole_ranking(seed, depth):
    draw = np.random.default_rng(seed)
    rows = [
        (qid, f"d{draw.integers(30) if seed % 2 else rank}", score, rank)
        for qid in "123"
        for rank, score in enumerate(np.sort(draw.normal(size=draw.integers(1, 25)))[::-1])
    ]
    ranking = pd.DataFrame(rows, columns=["qid", "docno", "score", "rank"])
    if seed % 3 == 0:
        ranking.loc[draw.integers(len(ranking), size=4), "score"] = np.nan
    ranking = ranking.sample(frac=1, random_state=seed)
    lines, errors = [], []
    for given in (ranking, enough(ranking, depth)):
        try:
            lines.append(trec.lines(given, TOPICS, "tag", depth=depth)[0])
        except Exception as error:
            errors.append(str(error))
    assert len(set(lines)) + len(set(errors)) == 1
    assert len(lines) != 1


def test_no_more_is_looked_at_than_is_needed():
    rows = [("1", f"d{rank}", float(-rank), rank) for rank in range(50)]
    ranking = pd.DataFrame(rows, columns=["qid", "docno", "score", "rank"])
    assert len(enough(ranking, 10)) == 10
    ranking.loc[3, "docno"] = "d2"
    assert len(enough(ranking, 10)) == 50
