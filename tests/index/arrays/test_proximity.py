"""Places of terms and windows of two, against counting by hand and against Terrier."""

from __future__ import annotations

import base64
import math
import re
from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.index.arrays import near, positions
from pipeline.index.arrays.dtypes import TermMap
from pipeline.index.arrays.positions import DOCUMENT, Positions
from pipeline.index.arrays.proximity import ordered, unordered
from pipeline.index.arrays.tokens import Stream
from pipeline.index.models import BM25, MODELS, SDM, DirichletLM, Pairs, Statistics, Tf
from pipeline.index.settings import IndexSettings

PARTS = 6


def places(document, terms):
    """Places of terms in documents given as lists of terms, as ``Positions`` numbers them."""
    return [
        np.array(
            [
                n << DOCUMENT | at
                for n, text in enumerate(document)
                for at, t in enumerate(text)
                if t == term
            ],
            np.int64,
        )
        for term in terms
    ]


def counted_ordered(text, a, b, window):
    """For each a, whether a b is behind it."""
    return sum(
        one == a and any(other == b for other in text[at + 1 : at + window])
        for at, one in enumerate(text)
    )


def counted_unordered(text, a, b, window):
    """For each of the rarer term, whether another of the other is around it."""
    if text.count(b) < text.count(a):
        a, b = b, a
    return sum(
        one == a
        and any(
            other == b and here != at and abs(here - at) < window for here, other in enumerate(text)
        )
        for at, one in enumerate(text)
    )


TEXTS = st.lists(st.lists(st.sampled_from("abcd"), max_size=25), min_size=1, max_size=6)


@given(TEXTS, st.sampled_from(["ab", "ba", "aa", "ac"]), st.integers(2, 9))
@settings(max_examples=300, deadline=None)
def test_windows_are_those_counted_by_hand(texts, pair, window):
    one, other = places(texts, pair)
    for count, by_hand in ((ordered, counted_ordered), (unordered, counted_unordered)):
        docs, number = count(one, other, window)
        expected = {n: c for n, text in enumerate(texts) if (c := by_hand(text, *pair, window))}
        assert dict(zip(docs.tolist(), number.tolist(), strict=True)) == expected


@st.composite
def streams(draw):
    """A stream of tokens, and what its types are: no, one or several of the terms 0 to 4."""
    terms = st.lists(st.integers(0, 4), max_size=3)
    types = draw(st.lists(terms, min_size=1, max_size=7))
    parts = st.lists(
        st.lists(st.integers(0, len(types) - 1), max_size=8), min_size=PARTS, max_size=PARTS
    )
    documents = draw(st.lists(parts, min_size=1, max_size=5))
    lengths = [len(part) for document in documents for part in document]
    tokens = [token for document in documents for part in document for token in part]
    several = [found for found in types if len(found) > 1]
    kinds = iter(range(len(several)))
    first = [
        -1 if not found else found[0] if len(found) == 1 else -2 - next(kinds) for found in types
    ]
    starts = np.cumsum([0, *map(len, several)])
    stream = Stream(
        np.array(tokens, np.int32),
        np.cumsum([0, *lengths]),
        np.empty(0, np.uint8),
        np.zeros(1, np.int64),
    )
    more = np.array([term for found in several for term in found], np.int32)
    return stream, TermMap(np.array(first, np.int32), starts, more), types, documents


FIELDS = [
    [["conclusion", "premises"]],
    [["title"], ["premises", "conclusion"]],
    [["stance"], ["title"]],
]


@given(streams(), st.sampled_from(FIELDS), st.data())
@settings(max_examples=300, deadline=None)
def test_places_are_those_of_the_terms_in_the_fields(made, fields, data):
    stream, terms_of, types, documents = made
    names = ["conclusion", "premises", "title", "author", "domain", "stance"]
    order = [names.index(part) for field in fields for part in field]
    texts = [
        [t for part in order for token in document[part] for t in types[token]]
        for document in documents
    ]
    wanted = data.draw(st.lists(st.integers(0, 4), unique=True))
    chosen = sorted(data.draw(st.sets(st.integers(0, len(documents) - 1))))
    found = Positions(stream, terms_of, fields).of(wanted, np.array(chosen, np.int32))
    kept = [text if n in chosen else [] for n, text in enumerate(texts)]
    assert [array.tolist() for array in found] == [array.tolist() for array in places(kept, wanted)]


# ------------------------------------------------------------------------------------------ Terrier


@pytest.fixture(scope="module")
def blocks(tmp_path_factory, arguments):
    """Terrier's index of argsme-mini with places of terms."""
    from pipeline import java

    java.start()
    import pyterrier as pt

    folder = str(tmp_path_factory.mktemp("blocks"))
    texts = (
        {"docno": str(n), "text": " ".join(filter(None, (a.conclusion, a.premises)))}
        for n, a in enumerate(arguments)
    )
    pt.IterDictIndexer(folder, blocks=True, meta={"docno": 8}).index(texts)
    return pt.IndexFactory.of(folder)


@pytest.fixture(scope="module")
def pairs(arrays_mini):
    """Pairs of terms: neighbours somewhere, frequent ones, and terms with themselves."""
    random = np.random.default_rng(7)
    postings, stream = arrays_mini.postings, arrays_mini.stream()
    first = postings.type_map.first
    found = []
    for number in random.choice(stream.documents, 130, replace=False):
        span = slice(*stream.starts[[PARTS * number, PARTS * number + 2]].tolist())
        text = [term for term in first[stream.tokens[span]].tolist() if term >= 0]
        found += [text[at : at + 2] for at in random.integers(0, max(len(text) - 1, 1), 1)]
    common = np.argsort(-np.diff(postings.pointers))[:300]
    found += random.choice(common, (130, 2)).tolist()
    found += [[term, term] for term in common[::60].tolist()]
    return [tuple(pair) for pair in found if len(pair) == 2]


@pytest.mark.terrier
@pytest.mark.parametrize(
    ("operator", "count", "window"),
    [("#1", ordered, 2), ("#uw8", unordered, 8), ("#uw2", unordered, 2), ("#uw15", unordered, 15)],
)
def test_windows_are_those_of_terrier(blocks, arrays_mini, pairs, operator, count, window):
    import pyterrier as pt

    postings = arrays_mini.postings
    terms = sorted({term for pair in pairs for term in pair})
    fields = list(arrays_mini.settings.fields.values())
    every = np.arange(postings.documents, dtype=np.int32)
    where = Positions(arrays_mini.stream(), postings.type_map, fields).of(terms, every)
    where = dict(zip(terms, where, strict=True))
    asked = [f"{operator}({' '.join(map(operand, names(postings, pair)))})" for pair in pairs]
    queries = pd.DataFrame({"qid": [str(n) for n in range(len(pairs))], "query": asked})
    off = dict.fromkeys(["terrierql", "parsecontrols", "parseql", "applypipeline"], "off")
    terrier = pt.terrier.Retriever(
        blocks, wmodel="Tf", controls={**off, "matchopql": "on"}, num_results=postings.documents
    )
    expected = dict(iter(terrier.transform(queries).groupby("qid")))
    matches = 0
    for number, (a, b) in enumerate(pairs):
        docs, tf = count(where[a], where[b], window)
        rows = expected.get(str(number))
        theirs = {} if rows is None else dict(zip(rows["docid"], rows["score"], strict=True))
        assert dict(zip(docs.tolist(), tf.tolist(), strict=True)) == theirs, asked[number]
        matches += len(docs)
    assert matches > 1000
    assert len(pairs) > 250


def names(postings, pair):
    return [postings.terms.name(term) for term in pair]


def operand(term):
    plain = re.fullmatch("[a-z][a-z0-9]*", term)
    return term if plain else f"#base64({base64.b64encode(term.encode()).decode()})"


# ------------------------------------------------------------------------------------------ search

WORDS = [
    "zoo",
    "zoos",
    "ban",
    "animal",
    "tax",
    "sugar",
    "the",
    "of",
    "gun",
    "don\u2019t",
    "x\u00e9y",
]
SETTINGS = IndexSettings(engine="arrays", fields={"t": ("title",), "b": ("conclusion", "premises")})


@pytest.fixture(scope="module")
def texts(argument):
    random = np.random.default_rng(8)

    def text(most):
        return " ".join(random.choice(WORDS, random.integers(0, most)))

    return [argument(f"d{n}", text(40), text(5), text(5)) for n in range(80)]


@pytest.fixture(scope="module")
def index(make_arrays, texts):
    return make_arrays(texts, SETTINGS)


@pytest.fixture(scope="module")
def analysed(index, texts):
    """The terms of each document, title first, by Terrier's rules."""
    terms = index.queries.of_text
    return [
        [term for part in (a.title, a.conclusion, a.premises) for term, _ in terms(part).terms]
        for a in texts
    ]


QUERIES = [
    "zoo ban",
    "the ban of zoos",
    "animal tax sugar gun",
    "gun gun ban gun gun ban",
    "zoo xqzzy ban",
    "ban",
    "don\u2019t ban",
    "xqzzy",
    "",
]


def ask(query):
    return pd.DataFrame({"qid": ["1"], "query": [query]})


def collection(analysed, counts):
    """Statistics of something that each document holds so often."""
    words = sum(map(len, analysed))
    n = float(len(analysed))
    return Statistics(
        n, float(words), words / n, float(sum(c > 0 for c in counts)), float(sum(counts))
    )


@pytest.mark.parametrize("query", QUERIES)
def test_sdm_is_its_formula(index, analysed, query):
    model = SDM(mu=30.0, window=4, terms=0.7, ordered=0.2, unordered=0.4)
    terms = [term for term, _ in index.queries.of_text(query).terms]
    features = [([text.count(term) for text in analysed], 0.7) for term in terms]
    for a, b in pairwise(terms):
        features.append(([counted_ordered(text, a, b, 2) for text in analysed], 0.2))
        features.append(([counted_unordered(text, a, b, 4) for text in analysed], 0.4))
    words = sum(map(len, analysed))
    expected = {
        f"d{n}": sum(
            weight * math.log2((counts[n] + 30 * sum(counts) / words) / (len(text) + 30))
            for counts, weight in features
            if sum(counts)
        )
        for n, text in enumerate(analysed)
        if set(terms) & set(text)
    }
    found = index.retriever(model, 1000).transform(ask(query))
    assert dict(zip(found["docno"], found["score"], strict=True)) == pytest.approx(expected)
    assert found["score"].is_monotonic_decreasing
    few = index.retriever(model, 3).transform(ask(query))
    pd.testing.assert_frame_equal(few, found[:3])


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("by", [BM25(b=0.3), DirichletLM(mu=50), Tf()], ids=repr)
@pytest.mark.parametrize("which", ["adjacent", "all"])
@pytest.mark.parametrize("in_order", [True, False])
def test_pairs_are_scored_as_terms_are(index, analysed, query, by, which, in_order):
    name = next(name for name, kind in MODELS.items() if type(by) is kind)
    model = Pairs(
        window=3,
        pairs=which,
        ordered=in_order,
        by=name,
        parameters=by.model_dump(exclude_defaults=True),
    )
    terms = [term for term, _ in index.queries.of_text(query).terms]
    once = {}
    for a, b in pairwise(terms) if which == "adjacent" else combinations(terms, 2):
        if a != b:
            once.setdefault((a, b) if in_order else frozenset((a, b)), (a, b))
    expected = np.zeros(len(analysed))
    for a, b in once.values():
        count = counted_ordered if in_order else counted_unordered
        tf = np.array([count(text, a, b, 3) for text in analysed], float)
        dl = np.array([len(text) for text in analysed], float)[tf > 0]
        expected[tf > 0] += by.score(tf[tf > 0], dl, collection(analysed, tf), 1.0)
    docnos = [f"d{n}" for n in range(len(analysed))]
    ranking = ask(query).merge(pd.DataFrame({"docno": docnos[::-1]}), how="cross")
    np.testing.assert_allclose(index.scores(model, ranking), expected[::-1], rtol=1e-12)


def test_many_queries_are_read_in_groups(index, monkeypatch):
    queries = pd.DataFrame({"qid": [str(n) for n in range(9)], "query": QUERIES})
    whole = index.retriever(SDM(), 50).transform(queries)
    monkeypatch.setattr(near, "TOGETHER", 2)
    monkeypatch.setattr(positions, "BATCH", 64)
    pd.testing.assert_frame_equal(index.retriever(SDM(), 50).transform(queries), whole)
    one_by_one = [index.retriever(SDM(), 50).transform(queries[n : n + 1]) for n in range(9)]
    pd.testing.assert_frame_equal(
        pd.concat([f for f in one_by_one if len(f)], ignore_index=True), whole
    )
