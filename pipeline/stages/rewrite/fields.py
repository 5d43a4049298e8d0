"""Queries of other parts of the topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from pipeline.stages.base import Context, Rewriter, register

if TYPE_CHECKING:
    import pandas as pd

    from pipeline.stages.transformer import StageTransformer

Part = Literal["title", "description", "narrative"]


@register("fields")
class Fields(Rewriter):
    """Makes each query of parts of its topic, joined by a blank.

    A topic that has none of them keeps its query.
    """

    use: Annotated[tuple[Part, ...], Field(min_length=1)] = ("title", "description")
    """The parts, in this order."""

    def build(self, context: Context) -> StageTransformer:
        """From queries to queries."""
        from pipeline.stages.transformer import StageTransformer

        def rewrite(queries: pd.DataFrame) -> pd.DataFrame:
            rows = queries[["query", *dict.fromkeys(self.use)]].to_dict("records")
            texts = [
                " ".join(filter(None, (row[part].strip() for part in self.use))) for row in rows
            ]
            return queries.assign(
                query=[text or row["query"] for text, row in zip(texts, rows, strict=True)]
            )

        return StageTransformer(self, rewrite)
