"""An index without Java, and frames written down shortly."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import pytest

from pipeline.index.base import Index
from pipeline.index.settings import IndexSettings
from pipeline.stages.base import Context

PARTS = {
    "short": {"conclusion": "Yes", "premises": "no", "title": "Zoos"},
    "long": {"conclusion": "No", "premises": "it should be because " * 3, "title": "Zoos"},
}


class StubIndex(Index):
    """Holds what it is given; any other document is empty. Scores are the lengths of docnos."""

    def __init__(self, parts: dict[str, dict[str, str]]):
        self.settings = IndexSettings()
        self.documents = parts
        self.asked: list[str] = []

    def __len__(self):
        return len(self.documents)

    def parts(self, docnos, names):
        self.asked += docnos
        return {n: [self.documents.get(d, {}).get(n, "") for d in docnos] for n in names}

    def scores(self, model, ranking, apart=None):
        return ranking["docno"].str.len().astype(float)

    def retriever(self, model, num_results, apart=None):
        raise NotImplementedError

    def expander(self, feedback):
        raise NotImplementedError


@pytest.fixture
def index() -> StubIndex:
    return StubIndex(PARTS)


@pytest.fixture
def context(index: StubIndex) -> Context:
    return Context(indexes={"": index})


@pytest.fixture
def context_with() -> Callable[[dict[str, dict[str, str]]], Context]:
    """From docno -> part -> text to a context with an index of these documents."""
    return lambda parts: Context(indexes={"": StubIndex(parts)})


@pytest.fixture
def topic() -> Callable[..., pd.DataFrame]:
    """From documents, best first, to a ranking of one topic; scores fall by 1 to 1.0."""

    def make(*docnos: str, scores: Sequence[float] = (), qid: str = "1") -> pd.DataFrame:
        count = len(docnos)
        return pd.DataFrame(
            {
                "qid": [qid] * count,
                "query": [f"query {qid}"] * count,
                "docno": docnos,
                "score": list(map(float, scores or range(count, 0, -1))),
                "rank": range(count),
            }
        )

    return make
