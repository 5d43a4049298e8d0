"""Queries without the words that only ask."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pydantic import Field

from pipeline.analysis.wordlists import Words
from pipeline.stages.base import Context, Rewriter, register

if TYPE_CHECKING:
    import pandas as pd

    from pipeline.stages.transformer import StageTransformer

_EDGES = re.compile(r"^[\W_]+|[\W_]+$")


@register("keywords")
class Keywords(Rewriter):
    """Drops the words of a list from each query.

    "Should teachers get tenure?" becomes "teachers get tenure?". Works on the query as it stands,
    word by word between blanks; case, and punctuation around a word, do not count. A query of which
    nothing would be left stays.
    """

    words: Words = Field("questions", validate_default=True)
    """The words to drop: a shipped list, a file (a word a line), or written out."""

    def build(self, context: Context) -> StageTransformer:
        """From queries to queries."""
        from pipeline.stages.transformer import StageTransformer

        drop = frozenset(self.words.words)

        def rewrite(queries: pd.DataFrame) -> pd.DataFrame:
            return queries.assign(query=[_keep(query, drop) for query in queries["query"]])

        return StageTransformer(self, rewrite)


def _keep(query: str, drop: frozenset[str]) -> str:
    kept = [word for word in query.split() if _bare(word) not in drop]
    return " ".join(kept) if any(map(_bare, kept)) else query


def _bare(word: str) -> str:
    return _EDGES.sub("", word.lower().replace("\u2019", "'"))
