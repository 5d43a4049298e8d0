"""Indexes of arrays, made of arguments that stand in no file."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pipeline.collection.argument import Argument
from pipeline.collection.texts import Texts, TextsWriter
from pipeline.index.arrays.dtypes import TermMap
from pipeline.index.arrays.index import ArraysIndex
from pipeline.index.arrays.invert import invert
from pipeline.index.arrays.postings import Postings
from pipeline.index.arrays.terms import Terms
from pipeline.index.arrays.tokens import Stream, write
from pipeline.index.settings import IndexSettings

ONE = IndexSettings(engine="arrays")
TWO = IndexSettings(
    engine="arrays", fields={"premises": ("premises",), "conclusion": ("conclusion",)}
)


@pytest.fixture(scope="session")
def make_arrays(tmp_path_factory):
    """Indexes arguments, and opens the index."""

    def make(arguments: list[Argument], settings: IndexSettings = ONE) -> ArraysIndex:
        folder = tmp_path_factory.mktemp("arrays")
        texts = TextsWriter(folder, [])
        for argument in arguments:
            texts.append(argument)
        texts.save()
        write(arguments, folder / "tokens")
        invert(Stream.open(folder / "tokens"), settings, folder / "arrays")
        return ArraysIndex(
            folder / "arrays",
            settings,
            Texts(folder, folder),
            lambda: Stream.open(folder / "tokens"),
        )

    return make


@pytest.fixture(scope="session")
def arrays_mini(make_arrays, arguments) -> ArraysIndex:
    """argsme-mini with the default settings."""
    return make_arrays(arguments)


@pytest.fixture(scope="session")
def arrays_mini_fields(make_arrays, arguments) -> ArraysIndex:
    """argsme-mini with two fields."""
    return make_arrays(arguments, TWO)


@pytest.fixture(scope="session")
def argq20(shared: Path, argument) -> list[Argument]:
    """The documents of argq20, the text of each as its premises."""
    lines = (shared / "argq20" / "docs.jsonl").read_text(encoding="utf-8").splitlines()
    return [argument(row["id"], row["text"]) for row in map(json.loads, lines)]


@pytest.fixture(scope="session")
def every_query(shared: Path):
    """The titles, descriptions and narratives of a test collection, as queries."""

    def read(name: str) -> pd.DataFrame:
        root = ET.parse(shared / name / "topics.xml").getroot()
        kinds = ("title", "description", "narrative")
        rows = [
            (f"{topic.findtext('number').strip()} {kind}", text.strip())
            for topic in root
            for kind in kinds
            if (text := topic.findtext(kind))
        ]
        return pd.DataFrame(rows, columns=["qid", "query"])

    return read


@pytest.fixture(scope="session")
def by_hand():
    """Makes postings of fields, each given as a list of tokens for every document."""
    return _by_hand


def _by_hand(fields: dict[str, list[list[str]]]) -> Postings:
    counts = [[Counter(tokens) for tokens in documents] for documents in fields.values()]
    holders: dict[str, list[int]] = {}
    for number, together in enumerate(zip(*counts, strict=True)):
        for term in set().union(*together):
            holders.setdefault(term, []).append(number)
    terms = sorted(holders, key=str.encode)
    docs = [number for term in terms for number in holders[term]]
    tfs = [
        np.array([field[number][term] for term in terms for number in holders[term]], np.uint16)
        for field in counts
    ]
    pointers = np.cumsum([0, *(len(holders[term]) for term in terms)])
    return Postings(
        fields=tuple(fields),
        terms=Terms.of(terms),
        pointers=pointers,
        docs=np.array(docs, np.int32),
        tfs=tuple(tfs),
        cfs=np.add.reduceat(sum(tf.astype(np.int64) for tf in tfs), pointers[:-1]),
        lengths=np.array([[count.total() for count in field] for field in counts], np.int32),
        type_map=TermMap(*(np.empty(0, kind) for kind in (np.int32, np.int64, np.int32))),
    )
