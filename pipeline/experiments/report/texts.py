"""What the documents of the rankings say, as far as their collection can still be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from pipeline.collection.folder import Collection, open_collection
from pipeline.collection.texts import FOLDER, Texts
from pipeline.errors import InputError, count
from pipeline.index.record import NAME as RECORD

LONGEST = 6000
"""Characters of a text that a page holds at most."""

SHORTEST = 100
"""Characters that it holds even if it gets larger than it should be."""


class Document(NamedTuple):
    """What the page shows of a document."""

    stance: str
    conclusion: str
    premises: str


def find(
    docnos: Sequence[str], collection: Path | None, indexes: Path | None
) -> tuple[dict[str, Document], str]:
    """The documents by their ids, and in a line why some are missing; "" where none is.

    They are found by an index of the collection where one is kept, else by reading all of it.

    Args:
        docnos: whose texts are wanted.
        collection: the input folder.
        indexes: a folder of indexes.
    """
    if collection is None:
        return {}, "Texts are left out: no input folder was named (-i IN)."
    try:
        files = open_collection(collection)
        texts = _kept(files, indexes)
        found = _of_index(docnos, texts) if texts else _by_reading(docnos, files)
    except InputError as error:
        return {}, f"Texts are left out: {error.lines[0]}"
    if missing := len(docnos) - len(found):
        return found, f"{count(missing, 'document')} of the rankings not found in {collection}."
    return found, ""


def _kept(collection: Collection, indexes: Path | None) -> Texts | None:
    """The texts of some index of the collection."""
    if indexes is None or not indexes.is_dir():
        return None
    fingerprint = collection.fingerprint()
    for record in sorted(indexes.glob(f"*/{RECORD}")):
        try:
            made_of = msgspec.json.decode(record.read_bytes())["index"]
            if made_of["collection"] == fingerprint and (record.parent / FOLDER).is_dir():
                return Texts(record.parent, collection.folder)
        except (OSError, msgspec.DecodeError, KeyError, TypeError):
            continue
    return None


def _of_index(docnos: Sequence[str], texts: Texts) -> dict[str, Document]:
    try:
        return dict(_looked_up(docnos, texts))
    except InputError:  # some id is not of this collection: the others are wanted all the same
        there = set(texts.docnos())
        return dict(_looked_up([docno for docno in docnos if docno in there], texts))


def _looked_up(docnos: Sequence[str], texts: Texts) -> Iterator[tuple[str, Document]]:
    parts = texts.parts(docnos, ["stance", "conclusion", "premises"])
    for docno, *said in zip(docnos, *parts.values(), strict=True):
        yield docno, Document(*said)


def _by_reading(docnos: Iterable[str], collection: Collection) -> dict[str, Document]:
    wanted, found = set(docnos), {}
    for argument in collection.arguments():
        if argument.docno in wanted and argument.docno not in found:
            found[argument.docno] = Document(
                argument.stance, argument.conclusion, argument.premises
            )
            if len(found) == len(wanted):
                break
    return found


def limit(documents: Mapping[str, Document], budget: int) -> int:
    """Characters of each text that fit when all together may have ``budget`` bytes."""
    texts = [document.premises for document in documents.values()]
    low, high = SHORTEST, LONGEST
    while low < high:
        middle = (low + high + 1) // 2
        size = sum(len(text[:middle].encode()) for text in texts)
        low, high = (middle, high) if size <= budget else (low, middle - 1)
    return low
