"""Feedback from the top documents: one stage for each kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from pipeline.index.models import FEEDBACK, Feedback
from pipeline.stages.base import Context, Expander, Retriever, Stage, chosen
from pipeline.stages.weighting import ByModel, one_for_each, taken

if TYPE_CHECKING:
    import pandas as pd
    import pyterrier as pt

    from pipeline.index.settings import IndexSettings


class FeedbackExpander(Expander):
    """Adds terms of the top documents to each query, then repeats the retrieval before it.

    The topic's own query comes out again.
    """

    kind: ClassVar[type[Feedback]]

    def feedback(self) -> Feedback:
        """The feedback, with the parameters of the stage."""
        return taken(self, self.kind)

    def build(self, context: Context) -> pt.Transformer:
        """From rankings to rankings of the expanded queries, by the retriever lent."""
        from pipeline.stages.transformer import StageTransformer

        expander = context.index(self.index).expander(self.feedback())
        retriever = context.retriever
        assert retriever, "problems() has seen to it"

        def expand(ranking: pd.DataFrame) -> pd.DataFrame:
            found: pd.DataFrame = retriever.transform(expander.transform(ranking))
            return found

        return StageTransformer(self, expand, expander, retriever)

    def problems(
        self, indexes: Mapping[str, IndexSettings], before: Sequence[Stage]
    ) -> list[tuple[str, str]]:
        """Nothing to retrieve with again, or nothing that expanded queries are of use to."""
        found = super().problems(indexes, before)
        retriever = next(
            (stage for stage in reversed(before) if isinstance(stage, Retriever)), None
        )
        if retriever is None:
            what = (
                "it retrieves again, with the nearest retrieve before it in its list; there is none"
            )
            return [*found, ("", what)]
        if isinstance(retriever, ByModel) and retriever.kind.ignores_weights:
            what = (
                f"it repeats retrieve: {retriever.name}, which ignores the weights of terms: the "
                "new ones would count as much as the query's own; retrieve by bm25, dph, pl2, "
                "hiemstra_lm or another"
            )
            return [*found, ("", what)]
        mine, its = chosen(indexes, self.index), chosen(indexes, retriever.index)
        for part in ("tokeniser", "stopwords", "stemmer"):
            if getattr(mine, part) != getattr(its, part):
                what = f"its index and that of retrieve: {retriever.name} differ in {part}"
                found.append(("index", f"{what}; terms of the one are none of the other"))
        return found


one_for_each(FEEDBACK, FeedbackExpander, __name__)
