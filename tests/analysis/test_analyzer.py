# ruff: noqa: RUF001 - letters of many scripts
import random
from collections import Counter
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import java
from pipeline.analysis import analyzer, snowball
from pipeline.analysis.analyzer import Analyzer, covered
from pipeline.analysis.wordlists import WordList
from pipeline.collection.argument import Argument
from pipeline.index.settings import IndexSettings, Stemmer

DEFAULT = Analyzer("english", "terrier", "porter")


def given_words(*words):
    return WordList(name="list", words=words)


@pytest.mark.parametrize(
    ("settings", "terms"),
    [
        (("english", "terrier", "porter"), ["zoo", "ban", "caf", "aid"]),
        (("utf", "terrier", "none"), ["zoos", "banned", "cafés", "aids"]),
        (("english", "none", "weak_porter"), ["should", "zoo", "be", "ban", "in", "caf", "aid"]),
        (("utf", given_words("zoos", "café", "be"), "english"),
         ["should", "ban", "in", "café", "aid"]),
    ],
)  # fmt: skip
def test_terms_by_hand(settings, terms):
    text = "Should ZOOS be banned in cafés? (AIDS, 12345)"
    found = Analyzer(*settings).terms(text)
    assert [term for term in found if term != "s"] == terms


def test_tokens_come_before_stop_words_and_stemming():
    assert DEFAULT.tokens("The Zoos' end") == ["the", "zoos", "end"]


def test_a_stop_word_has_no_term_and_a_stem_that_looks_like_one_stays():
    assert DEFAULT.terms_of(["the", "zoos", "the", "andes"]) == [None, "zoo", None, "and"]
    assert DEFAULT.terms_of(["zoos"]) == ["zoo"]
    assert DEFAULT.terms_of([]) == []


def test_a_word_that_is_no_token_stops_nothing():
    """``aaaa`` alone is no token, but what ``AAaa`` becomes."""
    stopwords = given_words("aaaa", "e-mail", "mail", "12345")
    assert Analyzer("english", stopwords, "none").terms("AAaa e-mail") == ["aaaa", "e"]


@given(st.lists(st.text("abeisdngy", max_size=8)))
def test_terms_do_not_depend_on_what_they_are_asked_with(tokens):
    together = DEFAULT.terms_of(tokens)
    assert together == [DEFAULT.terms_of([token])[0] for token in tokens]


@pytest.mark.parametrize("stemmer", get_args(Stemmer))
@pytest.mark.parametrize("tokeniser", ["english", "utf"])
def test_all_settings_are_covered(tokeniser, stemmer):
    assert covered(tokeniser, given_words("of"), stemmer) == ""
    assert Analyzer(tokeniser, "none", stemmer).terms("x 日") in (["x"], ["x", "日"])


def test_what_is_not_covered_is_said(monkeypatch):
    monkeypatch.setattr(analyzer, "KNOWN", "another")
    assert "tokeniser: utf with Unicode 1" in covered("utf", "none", "none")
    assert covered("english", "none", "none") == ""
    monkeypatch.setattr(snowball, "missing", lambda: "a package")
    assert covered("english", "none", "dutch") == "stemmer: dutch without the package a package"
    with pytest.raises(AssertionError, match="stemmer: dutch"):
        Analyzer("english", "none", "dutch")


# ---------------------------------------------------------------------------- against Terrier

WORDS = """The andes aids of banned organizations universities e-mail don't 12345 1234 AAaa aaaa
    café Über straße İstanbul ΟΔΟΣ Α1Σ naïve 日本語 häuser aĩs kitapları evleri leri ½ x² \U0001f600
    caresses hopping İİİ日İİİ日İİİ日İİİ日İİİ日 aßbßcßdßeßfßgßhßißkß"""
STOPPED = (
    "the",
    "über",
    "οδος",
    "aaaa",
    "e-mail",
    "mail",
    "12345",
    "a,b",
    "\\u0061",
    "日本語",
    "x",
)


@pytest.mark.terrier
@pytest.mark.parametrize(
    ("tokeniser", "stopwords", "stemmer"),
    [
        ("english", "terrier", "porter"),
        ("english", given_words(*STOPPED), "english"),
        ("utf", given_words(*STOPPED), "german"),
        ("utf", "none", "porter"),
        ("utf", "terrier", "dutch"),
    ],
)
def test_the_lexicon_is_terriers(tmp_path, tokeniser, stopwords, stemmer):
    java.start()
    import pyterrier as pt

    from pipeline.index.terrier.indexer import build

    generator = random.Random(stemmer)
    texts = [" ".join(generator.choices(WORDS.split(), k=30)) for _ in range(50)]
    settings = IndexSettings(tokeniser=tokeniser, stopwords=stopwords, stemmer=stemmer)
    arguments = [
        Argument(f"d{number}", "", text, "PRO", "", "", "", 0, 0, 0)
        for number, text in enumerate(texts)
    ]
    build(arguments, settings, tmp_path)
    lexicon = pt.IndexFactory.of(str(tmp_path)).getLexicon()
    theirs = {entry.getKey(): entry.getValue().getFrequency() for entry in lexicon}
    ours = Analyzer(tokeniser, stopwords, stemmer)
    assert theirs == Counter(term for text in texts for term in ours.terms(text))
