"""Terrier's own indexer, with each of its silent failures made a loud one.

By itself it takes an index for whole when the documents break off, cuts docnos that are longer
than was said, and goes on after most failures to write. Here everything that it logs as an error
is one, and the counts are compared in the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyterrier as pt

from pipeline import java
from pipeline.analysis.wordlists import WordList
from pipeline.errors import InputError, RunError, count
from pipeline.index.settings import IndexSettings
from pipeline.index.terrier import properties
from pipeline.index.terrier.failures import heap, watched
from pipeline.index.terrier.feed import Document, feed
from pipeline.index.terrier.files import wordless
from pipeline.index.terrier.meta import DOCNO_LENGTH
from pipeline.index.terrier.queries import Tokens

if TYPE_CHECKING:
    from pipeline.collection.argument import Argument

BYTES_A_POSTING = 64
"""Of Java's heap, for each posting that is turned over from documents to terms in one pass.

By itself Terrier asks how much memory is free, and counts as used what is not yet collected: where
the heap is small it makes a pass over all documents for a few terms.
"""

NO_TERMS = "Index has no terms. Inverted index creation aborted."
"""What Terrier logs of documents without a word."""


class LongDocnoError(Exception):
    """A docno is longer than the room made for it. ``length`` is its number of bytes."""

    def __init__(self, length: int):
        self.length = length
        super().__init__(f"a docno has {length} bytes")


def build(
    arguments: Iterable[Argument],
    settings: IndexSettings,
    folder: Path,
    docno_length: int = DOCNO_LENGTH,
) -> dict[str, int]:
    """Indexes arguments, in their order; gives the counts ``documents``, ``terms``, ``tokens``.

    Raises:
        LongDocnoError: a docno has more than ``docno_length`` bytes; call again with more.
        InputError: there is no argument, or no word to index in any.
        RunError: Terrier fails: heap or disk are full, or the index is not whole.
        Exception: whatever ``arguments`` raises.
    """
    java.start()
    what = f"indexing into {folder}"
    with watched(what) as log:
        indexer = _indexer(settings, folder, docno_length)
        documents = _documents(arguments, settings, docno_length)
        sent = feed(documents, list(settings.fields), lambda source: _index(indexer, source))
        if not sent:
            raise InputError("there is no argument to index")
        if log() == [NO_TERMS]:
            raise wordless(sent, settings)
    counts = _counts(folder)
    if counts["documents"] != sent:
        raise RunError(f"{what}: Terrier has {counts['documents']:,} of {count(sent, 'argument')}")
    return counts


def _documents(
    arguments: Iterable[Argument], settings: IndexSettings, docno_length: int
) -> Iterator[Document]:
    """The docno of each argument, and the text of each field, its parts joined by blanks."""
    fields = [attrgetter("docno", *parts) for parts in settings.fields.values()]
    for argument in arguments:
        docno = argument.docno
        if len(docno) * 4 > docno_length and (length := len(docno.encode())) > docno_length:
            raise LongDocnoError(length)
        yield docno, *(" ".join(filter(None, field(argument)[1:])) for field in fields)


def _indexer(settings: IndexSettings, folder: Path, docno_length: int) -> Any:
    fields = list(settings.fields)
    stopwords: str | list[str]
    if isinstance(settings.stopwords, WordList):
        tokens = Tokens(settings.tokeniser)  # what is no token can match none, and may need escapes
        stopwords = [word for word in settings.stopwords.words if tokens.of(word) == [word]]
    else:
        stopwords = settings.stopwords
    return pt.IterDictIndexer(
        str(folder.resolve()),  # Terrier counts a relative path from a folder of its own
        meta={"docno": docno_length},
        meta_reverse=["docno"],
        text_attrs=fields,
        fields=len(fields) > 1,
        tokeniser=settings.tokeniser,
        stopwords=stopwords,
        stemmer=properties.stemmer(settings),
        threads=1,
        properties={
            "invertedfile.lexiconscanner": "pointers",
            "invertedfile.processpointers": str(heap() // BYTES_A_POSTING),
        },
    )


def _index(indexer: Any, source: str) -> None:
    """What ``IterDictIndexer.index`` does, but for its way of writing the documents."""
    from jnius import detach

    terrier = pt.terrier.J
    try:
        indexer._setup()
        kind, merger = indexer.indexerAndMergerClasses()
        documents = terrier.CollectionFromDocumentIterator(terrier.JsonlDocumentIterator(source))
        terrier.ParallelIndexer.buildParallel([documents], indexer.index_dir, kind, merger)
        for hook in indexer.cleanup_hooks:  # keeps a list of stop words in the index
            terrier.Index.setIndexLoadingProfileAsRetrieval(False)
            index = pt.IndexFactory.of(indexer.index_dir)
            terrier.Index.setIndexLoadingProfileAsRetrieval(True)
            hook(indexer, index)
    finally:
        detach()


def _counts(folder: Path) -> dict[str, int]:
    """What the index says of itself, as it stands on the disk."""
    lines = (folder / "data.properties").read_text(encoding="latin-1").splitlines()
    properties = dict(line.split("=", 1) for line in lines if "=" in line)
    names = {"documents": "num.Documents", "terms": "num.Terms", "tokens": "num.Tokens"}
    return {name: int(properties.get(key, 0)) for name, key in names.items()}
