"""Indexes of real arguments, built once, and an oracle that counts the same words by itself."""

import json
import xml.etree.ElementTree as ET
from importlib import util
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from pipeline.collection.argument import Argument
from pipeline.collection.texts import Texts, TextsWriter
from pipeline.index.settings import IndexSettings

DEFAULT = IndexSettings()
TWO_FIELDS = IndexSettings(fields={"premises": ("premises",), "conclusion": ("conclusion",)})


def _argument(docno, premises="", conclusion="", title="", author="", domain="", stance="PRO"):
    """An argument that stands in no file."""
    return Argument(docno, conclusion, premises, stance, title, author, domain, 0, 0, 0)


@pytest.fixture(scope="session")
def argument():
    """Makes an argument."""
    return _argument


@pytest.fixture(scope="session")
def arguments(shared: Path) -> list[Argument]:
    """The 5,110 arguments of argsme-mini."""
    return [
        _argument(
            found["id"],
            premises=" ".join(premise["text"] for premise in found["premises"]),
            conclusion=found["conclusion"],
        )
        for file in sorted((shared / "argsme-mini").glob("*.json"))
        for found in json.loads(file.read_text(encoding="utf-8"))["arguments"]
    ]


@pytest.fixture(scope="session")
def topics(shared: Path) -> pd.DataFrame:
    """The 49 titles of argsme-mini."""
    root = ET.parse(shared / "argsme-mini" / "topics.xml").getroot()
    rows = [(topic.findtext("number"), topic.findtext("title")) for topic in root]
    return pd.DataFrame([(a.strip(), b.strip()) for a, b in rows], columns=["qid", "query"])


@pytest.fixture(scope="session")
def make(tmp_path_factory):
    """Indexes arguments, and opens the index."""
    from pipeline.index.terrier.indexer import build
    from pipeline.index.terrier.search import TerrierIndex

    def make(arguments, settings=DEFAULT):
        folder = tmp_path_factory.mktemp("index")
        build(arguments, settings, folder)
        texts = TextsWriter(folder, [])
        for one in arguments:
            texts.append(one)
        texts.save()
        return TerrierIndex(folder, settings, Texts(folder, folder))

    return make


@pytest.fixture(scope="session")
def mini(make, arguments):
    """argsme-mini with the default settings."""
    return make(arguments)


@pytest.fixture(scope="session")
def mini_fields(make, arguments):
    """argsme-mini with two fields."""
    return make(arguments, TWO_FIELDS)


@pytest.fixture(scope="session")
def formulas() -> ModuleType:
    """Every weighting model as a function, by its name."""
    return load(Path(__file__).with_name("formulas.py"))


@pytest.fixture(scope="session")
def sketch(shared: Path) -> SimpleNamespace:
    """The tried sketches of Terrier's tokens and formulas."""
    folder = shared.parent / "sketch" / "terrier"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    return SimpleNamespace(**{name: load(folder / f"{name}.py") for name in ("tokens", "formulas")})


def load(file: Path) -> ModuleType:
    spec = util.spec_from_file_location(f"sketch_{file.stem}", file)
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Oracle:
    """Counts of an index, made from the texts without Terrier, and scores by a formula.

    A formula is a function of tf, dl (numbers a document), s (with N, C, avgdl, df, cf) and w; of
    several fields, tf and dl are lists of them, and s.favg holds the mean lengths.
    """

    def __init__(self, sketch, arguments, fields, stopwords):
        self.tokens, self.stopwords, self.fields = sketch.tokens, stopwords, fields
        self.docnos = np.array([argument.docno for argument in arguments])
        stems: dict[str, str | None] = {}
        lengths = np.zeros((len(fields), len(arguments)))
        counts: dict[str, dict[int, list[int]]] = {}
        for place, parts in enumerate(fields):
            for number, argument in enumerate(arguments):
                text = " ".join(filter(None, (getattr(argument, part) for part in parts)))
                for token in self.tokens.tokenise(text):
                    if token not in stems:
                        stems[token] = None if token in stopwords else self.tokens.porter(token)
                    if (stem := stems[token]) is not None:
                        lengths[place, number] += 1
                        found = counts.setdefault(stem, {}).setdefault(number, [0] * len(fields))
                        found[place] += 1
        self.lengths = lengths
        self.postings = {
            term: (np.array(list(found)), np.array(list(found.values())).T.astype(float))
            for term, found in counts.items()
        }

    def statistics(self, term):
        numbers, tfs = self.postings[term]
        words = self.lengths.sum()
        return SimpleNamespace(
            N=float(len(self.docnos)),
            C=words,
            avgdl=words / len(self.docnos),
            favg=self.lengths.mean(axis=1),
            df=float(len(numbers)),
            cf=tfs.sum(),
        )

    def entries(self, text):
        """The terms of a query text with their weights, as Terrier makes them."""
        return self.tokens.query_entries(text, stop=self.stopwords)

    def search(self, entries, formula, num_results=1000, *, by_field=False):
        """Docnos and scores, best first, ties by the order of the index."""
        scores, matched = self.scored(entries, formula, by_field=by_field)
        found = np.flatnonzero(matched)
        best = found[np.lexsort([found, -scores[found]])][:num_results]
        return self.docnos[best], scores[best]

    def scored(self, entries, formula, *, by_field=False):
        """A score for every document, and whether it holds a term."""
        scores = np.zeros(len(self.docnos))
        matched = np.zeros(len(self.docnos), bool)
        for term, weight in self.tokens.normalised(entries):
            if term in self.postings:
                numbers, tfs = self.postings[term]
                dls = self.lengths[:, numbers]
                if not by_field:
                    tfs, dls = tfs.sum(axis=0), dls.sum(axis=0)
                scores[numbers] += formula(tfs, dls, self.statistics(term), weight)
                matched[numbers] = True
        return scores, matched


@pytest.fixture(scope="session")
def stopwords(sketch) -> set[str]:
    """Terrier's own list."""
    from pipeline import resources

    return sketch.tokens.load_stopwords(resources.home() / resources.TERRIER.file)


@pytest.fixture(scope="session")
def oracle(sketch, arguments, stopwords) -> Oracle:
    """Counts of argsme-mini; of two fields, which a formula of one field sees summed."""
    return Oracle(sketch, arguments, list(TWO_FIELDS.fields.values()), stopwords)
