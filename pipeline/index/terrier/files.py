"""A genuine index of Terrier 5.11, written from postings without Java.

Its files are those of Terrier's own indexer to the byte, but for this: ``data.meta.zdata`` is
compressed in a simpler way (and ``data.meta.idx`` says where), ``data.properties`` does not say
when and where it was made, so that equal postings make equal files, and the lexicon always holds
the largest frequency of a term, which Terrier forgets where it merges lexicons (from 100,000
documents on, or short of memory). The format is written down nowhere: it was read off Terrier's own
files, and holds for this version.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from pipeline.errors import InputError, count
from pipeline.index.arrays.cores import cores
from pipeline.index.arrays.dtypes import I32, I64, U8
from pipeline.index.arrays.postings import Postings
from pipeline.index.arrays.tokens import Stream
from pipeline.index.settings import IndexSettings
from pipeline.index.terrier import direct, lexicon, meta, numbering, properties
from pipeline.index.terrier.bits import BitFile, blocks


def write(
    postings: Postings,
    stream: Stream,
    settings: IndexSettings,
    docnos: Sequence[str],
    folder: Path,
) -> None:
    """Writes the index of a collection.

    Args:
        postings: of one field.
        stream: the tokens of which they were made.
        settings: what made them; its analysis is one that ``Analyzer`` covers.
        docnos: of all documents, in order, none twice.
        folder: made, if it is not there.

    Raises:
        InputError: there is no argument, or no word to index in any.
        OSError: the disk is full.
    """
    assert len(settings.fields) == len(postings.fields) == 1, "Terrier's fields are not covered"
    assert len(docnos) == postings.documents == stream.documents
    if not docnos:
        raise InputError("there is no argument to index")
    if not len(postings.terms):
        raise wordless(len(docnos), settings)
    folder.mkdir(exist_ok=True)
    (parts,) = settings.fields.values()
    with ThreadPoolExecutor(min(2, cores())) as pool:
        forward = pool.submit(_forward, postings, stream, parts, folder)
        inverted = pool.submit(_inverted, postings, folder)
        found = {
            "num.Documents": postings.documents,
            "num.Pointers": len(postings.docs),
            "num.Terms": len(postings.terms),
            "num.Tokens": postings.tokens,
            **meta.write(docnos, folder),
        }
        begins = inverted.result()
        numbers, of_documents = forward.result()
    of_terms = lexicon.write(postings, numbers, begins, folder)
    properties.write(settings, {**found, **of_documents, **of_terms}, folder)


def wordless(documents: int, settings: IndexSettings) -> InputError:
    """What is wrong with a collection that holds no word to index."""
    return InputError(
        f"none of {count(documents, 'argument')} holds a word to index, with tokeniser: "
        f"{settings.tokeniser} and the fields {', '.join(settings.fields)}"
    )


def _forward(
    postings: Postings, stream: Stream, parts: Sequence[str], folder: Path
) -> tuple[I32, dict[str, object]]:
    """Writes the terms of each document; gives the numbers of the terms, and properties."""
    numbers = numbering.numbers(postings, stream, parts)
    return numbers, direct.write(postings, numbers, folder)


def _inverted(postings: Postings, folder: Path) -> tuple[I64, U8]:
    """Writes the documents of each term; gives the byte and the bit where they begin."""
    offsets = np.empty(len(postings.terms), np.int64)
    bits = np.empty(len(postings.terms), np.uint8)
    with BitFile(folder / "data.inverted.bf") as file:
        for begin, end in blocks(postings.pointers):
            offsets[begin:end], bits[begin:end] = file.append(
                postings.pointers[begin : end + 1], postings.docs, postings.tfs[0]
            )
    return offsets, bits
