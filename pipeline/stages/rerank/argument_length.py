"""Prefers longer arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import PositiveInt

from pipeline.stages.base import register
from pipeline.stages.rerank.base import Reranker

if TYPE_CHECKING:
    import pandas as pd


@register("argument_length")
class ArgumentLength(Reranker):
    """Scores an argument by its number of words.

    Short documents of args.me are rarely arguments (Thakur et al., SIGIR 2024).
    """

    full_at: PositiveInt = 200
    """Words from which an argument counts as long; more words add nothing."""

    def score(self, ranking: pd.DataFrame) -> pd.Series[float]:
        """Words in ``text`` (between blanks), at most ``full_at``, over ``full_at``: 0 to 1."""
        words = ranking["text"].str.count(r"\S+")
        return words.clip(upper=self.full_at) / self.full_at
