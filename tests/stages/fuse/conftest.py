"""Branches that give a ranking written down, whatever comes in."""

import pandas as pd
import pytest

from pipeline.stages.base import Branch, Stage
from pipeline.stages.transformer import StageTransformer

QUERIES = pd.DataFrame({"qid": ["1", "2"], "query": ["q1", "q2"], "title": ["t1", "t2"]})


class Gives(Stage):
    """Gives its rows, whatever comes in."""

    verb = "retrieve"
    name = "gives"
    rows: tuple[tuple[str, str, float], ...]
    stance: str = ""

    def build(self, context):
        frame = pd.DataFrame(list(self.rows), columns=["qid", "docno", "score"])
        frame = frame.assign(rank=frame.groupby("qid").cumcount(), query="rewritten")
        if self.stance:
            frame = frame.assign(stance=self.stance)
        return StageTransformer(self, lambda queries: frame)


@pytest.fixture
def queries():
    return QUERIES


@pytest.fixture
def branch():
    """From scores by docno, best first, of topic 1 (and of topic 2) to a branch."""

    def make(first, second=None, *, weight=1.0, stance=""):
        rows = [("1", docno, float(score)) for docno, score in first.items()]
        rows += [("2", docno, float(score)) for docno, score in (second or {}).items()]
        return Branch(weight=weight, stages=(Gives(rows=tuple(rows), stance=stance),))

    return make


@pytest.fixture
def fuse(context, queries):
    """From a fusion to docno -> score of topic 1, best first."""

    def run(stage, frame=queries):
        new = stage.build(context)(frame)
        first = new[new["qid"] == "1"].sort_values("rank")
        return dict(zip(first["docno"], first["score"], strict=True))

    return run
