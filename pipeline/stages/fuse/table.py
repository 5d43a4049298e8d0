"""Many rankings to one, by way of a table with a row a document and a column a branch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pipeline.ranking import ranked

if TYPE_CHECKING:
    import pandas as pd

TOPIC = ("query", "query_terms", "title", "description", "narrative")
"""Columns that say something of a topic; the others say something of a document."""


def fused(
    came: pd.DataFrame,
    rankings: Sequence[pd.DataFrame],
    points: Sequence[pd.Series[float]],
    total: Callable[[pd.DataFrame], pd.Series[float]],
) -> pd.DataFrame:
    """The documents of all rankings, by the total of their points.

    What is known of a document is taken from the first ranking that knows it; a text that none
    knows is empty. What is known of a topic is what came in.

    Args:
        came: the queries, or the ranking, that came into the fusion.
        rankings: one a branch.
        points: of each document of each ranking, with its index.
        total: from points, as ``PointFusion.total`` has them, to a score a document.
    """
    import pandas as pd

    branches = [
        ranking.assign(points=given, branch=number)
        for number, (ranking, given) in enumerate(zip(rankings, points, strict=True))
    ]
    entries = pd.concat(branches).sort_values(["rank", "branch"], kind="stable")
    documents = entries.drop_duplicates(["qid", "docno"])
    documents = documents.assign(score=_scores(entries, len(branches), total).to_numpy())
    tie = documents.sort_values(["rank", "branch", "docno"])[["qid", "docno", "score"]]
    tie = tie.assign(rank=range(len(tie)))
    topics = came[[column for column in ("qid", *TOPIC) if column in came]].drop_duplicates("qid")
    return ranked(topics.merge(tie, on="qid").merge(_known(entries), on=["qid", "docno"]))


def _scores(
    entries: pd.DataFrame, branches: int, total: Callable[[pd.DataFrame], pd.Series[float]]
) -> pd.Series[float]:
    """The total of each document, in the order in which ``entries`` first have it."""
    import numpy as np
    import pandas as pd

    row = entries.groupby(["qid", "docno"], sort=False).ngroup().to_numpy()
    table = np.full((row.max(initial=-1) + 1, branches), np.nan)
    table[row, entries["branch"].to_numpy(int)] = entries["points"].to_numpy(float)
    return total(pd.DataFrame(np.sort(table, axis=1)))


def _known(entries: pd.DataFrame) -> pd.DataFrame:
    """The other columns of each document, each from the first ranking that has it."""
    ours = {"score", "rank", "points", "branch", *TOPIC}
    others = [column for column in entries if column not in ours]
    known = entries.sort_values("branch", kind="stable")[others]
    known = known.groupby(["qid", "docno"], sort=False, as_index=False).first()
    text = known.select_dtypes(["object", "string"]).columns
    return known.assign(**{column: known[column].fillna("") for column in text})
