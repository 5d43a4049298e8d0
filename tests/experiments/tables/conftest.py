"""Three runs over five topics, with scores whose means are easily worked."""

import pytest

from pipeline.evaluation.significance import Comparison, compare
from pipeline.experiments.entries import Entry, cells

TOPICS = ["1", "2", "3", "4", "5"]
VALUES = {
    "base": [0.1, 0.2, 0.3, 0.4, 0.5],
    "up_100%": [0.6, 0.71, 0.82, 0.9, 1.0],
    "down": [0.0, 0.2, 0.3, 0.3, 0.5],
}


def entry(run, measure, values, judgements="touche-2021/relevance", judged=0.96):
    per_topic = dict(zip(TOPICS, values, strict=True))
    mean = sum(values) / len(values)
    return Entry(run, judgements, "0" * 32, measure, mean, per_topic, judged)


@pytest.fixture
def entries() -> list[Entry]:
    return [
        entry(run, measure, values)
        for run, values in VALUES.items()
        for measure in ("nDCG@5", "P@10")
    ]


@pytest.fixture
def comparisons(entries: list[Entry]) -> list[Comparison]:
    return compare(cells(entries))
