"""What is kept of a collection: its token stream, postings of that, Terrier's files of those."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline import resources
from pipeline.collection.texts import FOLDER as TEXTS
from pipeline.collection.texts import TextsWriter, docnos
from pipeline.errors import InputError
from pipeline.index import record
from pipeline.index.artifact import Artifact, Made, Make, OfSettings, Step

if TYPE_CHECKING:
    from pipeline.collection.argument import Argument
    from pipeline.index.arrays.tokens import Stream

TOKENS, ARRAYS, TERRIER = "tokens", "arrays", "terrier"
"""The folders of a token stream, of postings, and of what Terrier opens."""

READING, INVERTING, WRITING, INDEXING = (
    "reading",
    "inverting",
    "writing Terrier's files",
    "indexing by Terrier",
)
"""The steps of making them."""


@dataclass(frozen=True)
class Tokens(Artifact):
    """The token stream of a collection: one, whatever it is searched by."""

    what = "tokens"

    def fill(self, folder: Path, make: Make, step: Step) -> dict[str, Any]:
        """Reads the collection."""
        from pipeline.index.arrays.reading import read

        collection = self.source.collection
        with step(READING):
            counts = read(collection, folder, self.source.progress, self.source.elsewhere)
        return {"counts": counts, "report": asdict(collection.report)}


@dataclass(frozen=True)
class Arrays(OfSettings):
    """Postings as arrays."""

    what = "arrays"

    def fill(self, folder: Path, make: Make, step: Step) -> dict[str, Any]:
        """Turns the token stream over."""
        from pipeline.index.arrays.invert import invert
        from pipeline.index.arrays.tokens import Stream
        from pipeline.index.terrier.files import wordless

        tokens = make(Tokens(self.source))
        with step(INVERTING):
            found = invert(Stream.open(tokens.folder / TOKENS), self.settings, folder / ARRAYS)
            counts = {
                "documents": found.documents,
                "terms": len(found.terms),
                "tokens": found.tokens,
            }
            if not counts["terms"]:
                raise wordless(found.documents, self.settings)
            _link(tokens.folder / TEXTS, folder / TEXTS)
        about = self.about(counts, tokens.record["report"])
        return {**about, "tokens": record.identity(tokens.record)}

    def stream(self, made: Made, make: Make) -> Stream:
        """The token stream that these postings, which are made, were made of.

        Raises:
            InputError: it had to be made again, and the collection is another by now.
        """
        from pipeline.index.arrays.tokens import Stream

        tokens = make(Tokens(self.source))
        if record.identity(tokens.record) != made.record["tokens"]:
            raise InputError(
                f"{self.source.collection.folder}: its files have changed since they were indexed; "
                f"remove {made.folder} and index them again"
            )
        return Stream.open(tokens.folder / TOKENS)


@dataclass(frozen=True)
class FastTerrier(OfSettings):
    """An index of Terrier's, written by us."""

    what = f"terrier {resources.TERRIER.version}, fast"

    def fill(self, folder: Path, make: Make, step: Step) -> dict[str, Any]:
        """Writes Terrier's files of the postings."""
        from pipeline.index.arrays.postings import Postings
        from pipeline.index.terrier.files import write

        kind = Arrays(self.source, self.settings)
        arrays = make(kind)
        stream = kind.stream(arrays, make)
        with step(WRITING):
            _link(arrays.folder / TEXTS, folder / TEXTS)
            found = Postings.open(arrays.folder / ARRAYS)
            write(found, stream, self.settings, docnos(folder), folder / TERRIER)
        return self.about(arrays.record["counts"], arrays.record["report"])


@dataclass(frozen=True)
class OwnTerrier(OfSettings):
    """An index of Terrier's, built by its own indexer."""

    what = f"terrier {resources.TERRIER.version}"

    def fill(self, folder: Path, make: Make, step: Step) -> dict[str, Any]:
        """Reads the collection, and hands it to Terrier."""
        from pipeline.index.terrier.indexer import LongDocnoError
        from pipeline.index.terrier.meta import DOCNO_LENGTH

        docno_length, counts = DOCNO_LENGTH, None
        while counts is None:
            try:
                with step(INDEXING):
                    counts = self._index(folder, docno_length)
            except LongDocnoError as long:  # there are none that long in any known release
                docno_length = max(2 * docno_length, long.length)
                shutil.rmtree(folder / TERRIER)
                shutil.rmtree(folder / TEXTS)
        return self.about(counts, asdict(self.source.collection.report))

    def _index(self, folder: Path, docno_length: int) -> dict[str, int]:
        from pipeline.index.terrier import indexer

        (folder / TERRIER).mkdir()
        texts = TextsWriter(folder, self.source.collection.files)

        def arguments() -> Iterator[Argument]:
            for argument in self.source.collection.arguments(self.source.progress):
                texts.append(argument)
                yield argument

        counts = indexer.build(arguments(), self.settings, folder / TERRIER, docno_length)
        texts.save()
        return counts


def _link(source: Path, target: Path) -> None:
    """The same files at another place, without a copy where the file system can do that."""
    shutil.copytree(source, target, copy_function=_linked)


def _linked(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
