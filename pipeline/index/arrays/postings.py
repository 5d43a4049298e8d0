"""Postings: for each term the documents that hold it, and how often, as arrays."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.index.arrays.dtypes import I32, I64, Frequencies, TermMap
from pipeline.index.arrays.terms import Terms

FIELDS, POINTERS, DOCS, TFS = "fields.json", "pointers.npy", "docs.npy", "tfs-{}.npy"
CFS, LENGTHS = "cfs.npy", "lengths.npy"
TYPE_MAP = ("types-first.npy", "types-starts.npy", "types-more.npy")


@dataclass(frozen=True, eq=False)
class Postings:
    """Who holds what, with what a weighting model must know.

    The postings of term t are at ``pointers[t]:pointers[t + 1]``; there is one for each document
    that holds the term in any field. All arrays are mapped, and nothing is held in memory.
    """

    fields: tuple[str, ...]
    """Names, in the order of ``tfs`` and ``lengths``."""
    terms: Terms
    """The terms that stand in some field of some document."""
    pointers: I64
    """Where the postings of each term begin; then their number."""
    docs: I32
    """The document of each posting, ascending for each term: its place in the collection."""
    tfs: tuple[Frequencies, ...]
    """How often the document holds the term, an array a field."""
    cfs: I64
    """How often each term occurs, in all fields together."""
    lengths: I32
    """The number of terms of each document: [fields, documents]."""
    type_map: TermMap
    """Which terms the types of the token stream are."""

    @cached_property
    def documents(self) -> int:
        """How many there are, those without a term too."""
        return int(self.lengths.shape[1])

    @cached_property
    def tokens(self) -> int:
        """How many terms stand in all documents, each as often as it does."""
        return int(self.lengths.sum(dtype=np.int64))

    def df(self, term: int) -> int:
        """How many documents hold a term."""
        return int(self.pointers[term + 1] - self.pointers[term])

    @classmethod
    def open(cls, folder: Path) -> Postings:
        """The postings in a folder.

        Raises:
            OSError, ValueError: there are none, or they are not whole.
        """

        def load(name: str) -> Any:
            return np.load(folder / name, mmap_mode="r").view(np.ndarray)

        fields = tuple(json.loads((folder / FIELDS).read_text(encoding="utf-8")))
        return cls(
            fields=fields,
            terms=Terms.open(folder),
            pointers=load(POINTERS),
            docs=load(DOCS),
            tfs=tuple(load(TFS.format(number)) for number in range(len(fields))),
            cfs=load(CFS),
            lengths=load(LENGTHS),
            type_map=TermMap(*map(load, TYPE_MAP)),
        )
