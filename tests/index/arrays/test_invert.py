"""Postings against those that are counted one word at a time."""

import unicodedata
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.analysis.analyzer import Analyzer
from pipeline.analysis.wordlists import SHIPPED
from pipeline.analysis.wordlists import read as words
from pipeline.collection.argument import Argument
from pipeline.collection.folder import open_collection
from pipeline.index.arrays import tokens
from pipeline.index.arrays.invert import invert
from pipeline.index.arrays.postings import Postings
from pipeline.index.arrays.tokens import PARTS, Stream
from pipeline.index.settings import IndexSettings

DEFAULT = IndexSettings()


def document(*texts):
    parts = dict(zip(PARTS, [*texts, *[""] * (6 - len(texts))], strict=True))
    return Argument(docno="a", file=0, start=0, end=0, **parts)


@pytest.fixture(scope="session")
def inverted(tmp_path_factory):
    def run(documents, of=DEFAULT, threads=None):
        folder = tmp_path_factory.mktemp("postings")
        tokens.write(documents, folder / "tokens")
        stream = Stream.open(folder / "tokens")
        invert(stream, of, folder / "arrays", threads)
        return folder / "arrays"

    return run


def spelt(postings):
    """For each term its documents, and how often each field of them holds it; all in order."""
    found = {}
    for term in range(len(postings.terms)):
        span = slice(postings.pointers[term], postings.pointers[term + 1])
        tfs = zip(*(tf[span].tolist() for tf in postings.tfs), strict=True)
        rows = list(zip(postings.docs[span].tolist(), tfs, strict=True))
        found[postings.terms.name(term)] = rows
        assert postings.df(term) == len(rows)
        assert postings.cfs[term] == sum(sum(tfs) for _, tfs in rows)
    return found


def counted(documents, of):
    analyzer = Analyzer(of.tokeniser, of.stopwords, of.stemmer)
    found, lengths = {}, np.zeros((len(of.fields), len(documents)), int)
    for number, one in enumerate(documents):
        for field, parts in enumerate(of.fields.values()):
            terms = analyzer.terms(" ".join(getattr(one, part) for part in parts))
            lengths[field, number] = len(terms)
            for term, tf in Counter(terms).items():
                rows = found.setdefault(term, {})
                rows.setdefault(number, [0] * len(of.fields))[field] = tf
    order = sorted(found, key=str.encode)
    return {term: [(d, tuple(tf)) for d, tf in found[term].items()] for term in order}, lengths


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


SETTINGS = [
    IndexSettings(),
    IndexSettings(tokeniser="utf", stopwords="none", stemmer="none"),
    IndexSettings(
        fields={"a": ("premises", "title"), "b": ("conclusion", "title")}, stopwords="none"
    ),
    IndexSettings(fields={"a": ("stance",)}),
]
WORD = st.sampled_from(
    ["Zoos", "zoo", "the", "na\u00efve", "a\u4e2db", "bans", "1234", "aaaab", "caf\u00e9"]
)
TEXT = st.lists(WORD, max_size=6).map(" ".join)
DOCUMENT = st.tuples(*[TEXT] * 6).map(lambda texts: document(*texts))


@pytest.mark.parametrize("of", SETTINGS, ids=lambda of: "-".join([of.tokeniser, *of.fields]))
@settings(max_examples=40, deadline=None)
@given(documents=st.lists(DOCUMENT, max_size=7))
def test_postings_are_what_stands_in_the_documents(inverted, of, documents):
    folder = inverted(documents, of)
    postings = Postings.open(folder)
    expected, lengths = counted(documents, of)
    assert spelt(postings) == expected
    assert list(spelt(postings)) == list(expected)
    assert postings.fields == tuple(of.fields)
    np.testing.assert_array_equal(postings.lengths, lengths)
    assert (postings.documents, postings.tokens) == (len(documents), lengths.sum())
    for threads in (2, 5):
        assert content(inverted(documents, of, threads)) == content(folder)


ENGLISH = ["ational", "ies", "ing", "eed", "ment", "ousness", "ly", "ied", "sses", "y", "bling"]
NASTY = st.sampled_from([*ENGLISH, "The ", "Relat", "aaaa", "AAaa", "12345", " ", "-", "İ", "\u4e2d", "\U0001f600", "\ue000"])  # fmt: skip
NASTY_TEXT = st.lists(NASTY | st.text(max_size=5), max_size=12).map("".join)


@pytest.mark.parametrize("tokeniser", ["english", "utf"])
@settings(max_examples=150, deadline=None)
@given(texts=st.lists(NASTY_TEXT, max_size=4))
def test_postings_are_those_of_an_independent_analysis(inverted, sketch, tokeniser, texts):
    """A second account of Terrier's tokens, stop words and stems, which shares no line with ours.

    It takes the letters of the Unicode that Python knows, so only what all versions know is asked.
    """
    old = unicodedata.ucd_3_2_0.category
    texts = ["".join(c for c in text if old(c) not in ("Cn", "Cs")) for text in texts]
    of = IndexSettings(tokeniser=tokeniser, fields={"text": ("premises",)})
    postings = Postings.open(inverted([document("", text) for text in texts], of))
    stop = set(words(SHIPPED / "terrier.txt"))
    terms = [sketch.tokens.terms(text, tokeniser, stop) for text in texts]
    expected = {}
    for number, found in enumerate(terms):
        for term, tf in Counter(found).items():
            expected.setdefault(term, []).append((number, (tf,)))
    assert spelt(postings) == expected
    assert postings.lengths[0].tolist() == [len(found) for found in terms]


def test_no_term_of_another_part_is_kept(inverted):
    postings = Postings.open(inverted([document("red", "blue", "green")]))
    assert [postings.terms.find(term) for term in ("blue", "red", "green")] == [0, 1, -1]
    assert postings.type_map.first.tolist() == [1, 0, -1]


def test_types_that_are_several_terms(inverted):
    postings = Postings.open(inverted([document("na\u00efve ve", "", "x\u00e9y")]))
    first, starts, more = postings.type_map
    assert [postings.terms.name(t) for t in range(len(postings.terms))] == ["na", "ve"]
    assert first[1] == 1
    assert first[0] == -2
    assert more[starts[0] : starts[1]].tolist() == [0, 1]


def test_a_frequency_of_more_than_16_bits(inverted):
    many = 1 << 16
    documents = [document("red " * (many - 1)), document("", "red " * many + "blue")]
    for threads in (1, 2):
        postings = Postings.open(inverted(documents, threads=threads))
        assert postings.tfs[0].dtype == np.uint32
        assert spelt(postings) == {"blue": [(1, (1,))], "red": [(0, (many - 1,)), (1, (many,))]}
    small = Postings.open(inverted(documents[:1]))
    assert small.tfs[0].dtype == np.uint16
    assert small.tfs[0].tolist() == [many - 1]


def test_real_arguments_turned_over_by_several_threads(shared, inverted):
    documents = list(open_collection(shared / "argsme-mini").arguments())
    one = content(inverted(documents, threads=1))
    assert content(inverted(documents, threads=3)) == one
    assert content(inverted(documents)) == one
