"""What every reranker shares: which documents are scored, and how old and new scores mix."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from pydantic import PositiveInt

from pipeline.index.models.base import NotNegative, Positive
from pipeline.ranking import Mix, Scale
from pipeline.stages.base import Context, OnIndex, Stage, chosen

if TYPE_CHECKING:
    import pandas as pd

    from pipeline.index.settings import IndexSettings
    from pipeline.stages.transformer import Chain, StageTransformer

MIXING = ("weight", "scale", "mix", "slope")
"""The parameters that say how the new scores are mixed with the old ones."""


class Reranker(Stage, OnIndex):
    """Gives the top documents of each topic a new score; a subclass says which.

    A subclass has ``score``, which finds the text of each document in column ``text``; or, where it
    asks the index, ``scorer``. Neither looks at how the scores are mixed (``MIXING``).
    """

    verb = "rerank"
    needs_text: ClassVar[bool] = True
    """Whether the scorer reads column ``text``."""

    depth: PositiveInt = 100
    """Documents scored per topic, from the top; the others follow below, in their old order."""
    weight: NotNegative = 1.0
    """How much the new score counts against the old one (0: not at all)."""
    scale: Scale = "min_max"
    """How both scores are first brought to one scale, over the documents scored of each topic:
    min_max (0 to 1), z_score, sum (they add up to 1), max (the best is 1), none."""
    mix: Mix = "linear"
    """How they become one: linear ((1 - weight) old + weight new), product (old (1 + weight new)),
    replace (new), sigmoid (as linear, of 1 / (1 + exp(-slope score)) unscaled), hybrid (as linear,
    old scaled and new by sigmoid)."""
    slope: Positive = 1.0
    """How steep the sigmoid is, in mix: sigmoid and mix: hybrid."""
    field: str = ""
    """Field of the index whose text is read; the first one if none is given."""

    def score(self, ranking: pd.DataFrame) -> pd.Series[float]:
        """A number for each row, with the index of ``ranking``; higher is better, on any scale.

        Args:
            ranking: the rows to score, ``[qid, query, docno, score, rank]`` and, if ``needs_text``,
                ``text``.
        """
        raise NotImplementedError(f"{type(self).__name__} needs score or scorer")

    def scorer(self, context: Context) -> Callable[[pd.DataFrame], pd.Series[float]]:
        """What scores the rows: ``score``, if the reranker asks nothing of the context."""
        return self.score

    def build(self, context: Context) -> StageTransformer:
        """From a ranking to the same documents by their mixed scores.

        Raises:
            RunError: when it runs, if a document gets no finite score.
        """
        from pipeline import ranking as operations
        from pipeline.stages.transformer import StageTransformer

        features = self._features(context)

        def rerank(ranking: pd.DataFrame) -> pd.DataFrame:
            if ranking.empty:
                return operations.ranked(ranking)
            return operations.rescored(
                ranking.reset_index(drop=True),
                features.transform(ranking)["new"],
                depth=self.depth,
                weight=self.weight,
                scaling=self.scale,
                mixing=self.mix,
                slope=self.slope,
            )

        return StageTransformer(self, rerank, features)

    def _features(self, context: Context) -> Chain:
        """From a ranking to the new scores of its first documents, in two steps.

        Of rerankers on one ranking the first is equal where they read the same texts, the second
        where they differ only in how the scores are mixed.
        """
        from pipeline.stages.features import Documents, Scored
        from pipeline.stages.transformer import Chain

        index, scorer, place = context.index(self.index), self.scorer(context), context.place
        unmixed = self.model_copy(update={name: _DEFAULTS[name] for name in MIXING})
        documents = Documents(index, self.depth, self.field if self.needs_text else None)
        scored = Scored(unmixed, scorer, index, place)
        return Chain(context, [(f"{place}.texts", documents), (f"{place}.scores", scored)])

    def problems(
        self, indexes: Mapping[str, IndexSettings], before: Sequence[Stage]
    ) -> list[tuple[str, str]]:
        """A weight, a scale or a field that does not fit the rest."""
        found = super().problems(indexes, before)
        fields = list(chosen(indexes, self.index).fields)
        if self.field and not self.needs_text:
            found.append(("field", f"{self.name} reads no text"))
        elif self.field and self.field not in fields:
            found.append(("field", f"no field {self.field!r}; there is {', '.join(fields)}"))
        if self.mix in ("linear", "sigmoid", "hybrid") and self.weight > 1:
            found.append(("weight", f"{self.weight:g} must be at most 1 with mix: {self.mix}"))
        if self.mix == "replace" and self.weight != 1:
            found.append(("weight", "mix: replace takes no weight; use mix: linear"))
        if self.mix == "product" and self.scale == "z_score":
            found.append(("scale", "mix: product needs scores of at least 0; use scale: min_max"))
        return found


_DEFAULTS = {name: field.default for name, field in Reranker.model_fields.items()}
