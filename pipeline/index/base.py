"""All that a stage may ask of an index, whoever searches it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipeline.index.models import Feedback, WeightingModel
from pipeline.index.settings import IndexSettings, Part

if TYPE_CHECKING:
    import pandas as pd
    import pyterrier as pt


class Index(ABC):
    """A collection made searchable.

    A query is the text in column ``query``, analysed as the documents were; where the frame has a
    column ``query_terms`` (a dict from index term to weight), those terms are searched instead.
    Either way ``query`` comes out as it went in.
    """

    settings: IndexSettings
    """What made it."""

    @abstractmethod
    def __len__(self) -> int:
        """Number of documents."""

    @abstractmethod
    def retriever(self, model: WeightingModel, num_results: int) -> pt.Transformer:
        """From queries to rankings ``[qid, query, docno, score, rank]``.

        At most ``num_results`` a topic; rank 0 is best, ties go to the document indexed first.
        A query without any index term gives no row.
        """

    @abstractmethod
    def scores(self, model: WeightingModel, ranking: pd.DataFrame) -> pd.Series:
        """The score of each row's document for its query, with the index of ``ranking``.

        A document without any query term scores 0.

        Raises:
            InputError: a ``docno`` that the index does not hold.
        """

    @abstractmethod
    def expander(self, feedback: Feedback) -> pt.Transformer:
        """From rankings to queries ``[qid, query, query_terms]``, by their top documents.

        ``query`` is the topic's own; a topic without a word, or without documents that hold
        one, gives no row.
        """

    @abstractmethod
    def parts(self, docnos: Sequence[str], names: Sequence[Part]) -> dict[str, list[str]]:
        """Parts of documents as they stand in the collection, a list a name, in that order.

        Raises:
            InputError: a ``docno`` that the index does not hold.
        """

    def text(self, docnos: Sequence[str], field: str | None = None) -> list[str]:
        """The text of documents: the parts of ``field``, the first one if None, by blanks."""
        names = self.settings.fields[field or self.settings.text]
        columns = self.parts(docnos, names)
        return [" ".join(filter(None, row)) for row in zip(*columns.values(), strict=True)]
