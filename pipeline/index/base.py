"""All that a stage may ask of an index, whoever searches it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.errors import count
from pipeline.index.methods import Methods
from pipeline.index.models import Feedback, WeightingModel
from pipeline.index.settings import IndexSettings, Part

if TYPE_CHECKING:
    import pandas as pd
    import pyterrier as pt

    from pipeline.collection.texts import Texts
    from pipeline.index.apart import Apart
    from pipeline.index.documents import Documents, Fields


class Index(Methods, ABC):
    """A collection made searchable; ``Index.build`` makes one of documents at hand.

    A query is the text in column ``query``, analysed as the documents were; where the frame has a
    column ``query_terms`` (a dict from index term to weight), those terms are searched instead.
    Either way ``query`` comes out as it went in.
    """

    settings: IndexSettings
    """What made it."""

    @staticmethod
    def build(
        docs: Documents,
        *,
        fields: Fields = ("text",),
        folder: str | Path | None = None,
        overwrite: bool = False,
        **settings: Any,
    ) -> Index:
        """An index of documents at hand, searched by engine arrays.

        Args:
            docs: dicts, or a frame: each has a ``docno`` and a text in each column of ``fields``.
                They are read once, one after the other, and not kept.
            fields: the columns that are indexed, each as a field of its own; or for each field the
                column, or the columns, that it joins: ``{"text": ["title", "body"]}``.
            folder: where the index is kept, for ``Index.open``; without one it is temporary.
            overwrite: replaces an index that is there.
            settings: ``tokeniser``, ``stopwords`` (a list, too) and ``stemmer``, as in a config.

        Raises:
            InputError: what was given is wrong; there is no index then.
        """
        from pipeline.index import notebook

        return notebook.build(docs, fields, folder, overwrite, settings)

    @staticmethod
    def open(folder: str | Path) -> Index:
        """The index that ``Index.build`` made in a folder.

        Raises:
            InputError: there is none, or it is not whole.
        """
        from pipeline.index import notebook

        return notebook.open_(folder)

    def to_terrier(self, folder: str | Path | None = None) -> Any:
        """The same as an index of Terrier's, for ``pt.terrier.Retriever`` and whatever takes one.

        Args:
            folder: where it goes, new or empty; without one it is temporary.

        Raises:
            InputError: Terrier's files cannot hold it, or there is something in the folder.
            RunError: there is no Java, or the disk is full.
        """
        from pipeline.index.terrier.export import export

        return export(self, folder)

    @abstractmethod
    def __len__(self) -> int:
        """Number of documents."""

    def __repr__(self) -> str:
        return f"<index of {count(len(self), 'document')}, engine {self.settings.engine}>"

    @abstractmethod
    def retriever(
        self, model: WeightingModel, num_results: int, apart: Apart | None = None
    ) -> pt.Transformer:
        """From queries to rankings ``[qid, query, docno, score, rank]``.

        At most ``num_results`` a topic; rank 0 is best, ties go to the document indexed first.
        A query without any index term gives no row.

        Args:
            model: what scores. The engine is one of its ``engines``.
            num_results: documents a topic, at most.
            apart: how fields are searched apart, by engine arrays; None: as the model does.
        """

    @abstractmethod
    def scores(
        self, model: WeightingModel, ranking: pd.DataFrame, apart: Apart | None = None
    ) -> pd.Series[float]:
        """The score of each row's document for its query, with the index of ``ranking``.

        A document without any query term scores 0. Model and ``apart`` are as in ``retriever``.

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


class FolderIndex(Index):
    """An index in a folder. Equal to another of its kind in the same folder, of the same settings.

    Args:
        folder: where it is.
        settings: what made it.
        texts: where the texts of its documents are found.
    """

    def __init__(self, folder: Path, settings: IndexSettings, texts: Texts):
        self.folder, self.settings, self.texts = folder.resolve(), settings, texts

    def parts(self, docnos: Sequence[str], names: Sequence[Part]) -> dict[str, list[str]]:
        """Parts of documents as they stand in the collection, a list a name, in that order."""
        return self.texts.parts(docnos, names)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return (self.folder, self.settings) == (other.folder, other.settings)

    def __hash__(self) -> int:
        return hash(self.folder)
