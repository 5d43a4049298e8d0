# ruff: noqa: RUF001 - letters of many scripts
import random
from importlib import import_module, metadata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.analysis import snowball
from pipeline.analysis.stemmers import (
    LAST_ENDINGS,
    LONG_ENDINGS,
    MIDDLE_ENDINGS,
    porter,
    weak_porter,
)

ENDINGS = [*LONG_ENDINGS, *MIDDLE_ENDINGS, *LAST_ENDINGS, "s", "ss", "sses", "ies", "ed", "ing",
           "eed", "y", "e", "ll", "at", "bl", "iz"]  # fmt: skip

# Most are examples of Porter's paper; the rest are where his programs depart from it, or edges.
STEMS = """
    caresses caress  ponies poni  ties ti  caress caress  cats cat
    feed feed  agreed agre  plastered plaster  bled bled  motoring motor  sing sing
    conflated conflat  troubled troubl  sized size  hopping hop  tanned tan  falling fall
    hissing hiss  fizzed fizz  failing fail  filing file  happy happi  sky sky
    relational relat  conditional condit  rational ration  valenci valenc  digitizer digit
    radicalli radic  differentli differ  vileli vile  analogousli analog  vietnamization vietnam
    predication predic  operator oper  feudalism feudal  decisiveness decis  hopefulness hope
    callousness callous  formaliti formal  sensitiviti sensit  sensibiliti sensibl
    triplicate triplic  formative form  formalize formal  electriciti electr  electrical electr
    hopeful hope  goodness good  revival reviv  allowance allow  inference infer  airliner airlin
    gyroscopic gyroscop  adjustable adjust  defensible defens  irritant irrit  replacement replac
    adjustment adjust  dependent depend  adoption adopt  homologou homolog  communism commun
    activate activ  angulariti angular  homologous homolog  effective effect  bowdlerize bowdler
    probate probat  rate rate  cease ceas  controll control  roll roll
    assembly assembl  apology apolog  is is  as as  a a  ies i  yes ye  syzygy syzygi
    toyed toi  byyed by  yyed yy  2s 2s  22s 22  covid19s covid19  naïves naïv
"""


def test_porter_by_hand():
    words, stems = STEMS.split()[::2], STEMS.split()[1::2]
    assert {word: porter(word) for word in words} == dict(zip(words, stems, strict=True))


def test_weak_porter_takes_plural_and_past_alone():
    words = "ponies agreed hopping conflated relational relations happy"
    stems = "poni agree hop conflate relational relation happy"
    assert [weak_porter(word) for word in words.split()] == stems.split()


@given(st.text(), st.sampled_from(["", *ENDINGS]))
def test_a_stem_is_no_longer_than_its_word_and_never_nothing(front, ending):
    word = front + ending
    for stem in (porter(word), weak_porter(word)):
        assert len(stem) <= len(word)
        assert bool(stem) == bool(word)


@pytest.mark.parametrize("package", snowball.VERSIONS)
def test_snowball_is_of_the_version_that_was_compared(package):
    if package == snowball.IN_C and not snowball._there(package):
        pytest.skip(f"there is no {package} for this Python")
    assert metadata.version(package) == snowball.VERSIONS[package]


def test_another_snowball_is_not_taken_for_it(monkeypatch):
    monkeypatch.setattr(metadata, "version", lambda _: "3.1.0")
    snowball._there.cache_clear()
    assert snowball.missing() == "snowballstemmer 2.2.0"
    monkeypatch.undo()
    snowball._there.cache_clear()
    assert snowball.missing() == ""


@pytest.fixture(params=[True, False], ids=["C", "Python"])
def quick(request, monkeypatch):
    """With the package in C, and without."""
    if not request.param:
        monkeypatch.setattr(snowball, "_there", lambda package: package == snowball.IN_PYTHON)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("language", "words", "stems"),
    [
        ("english", "added organization university news", "ad organ univers news"),
        ("german", "häuser straße aufeinander", "haus strass aufeinand"),
        ("french", "continuellement majestés calais", "continuel majest cal"),
        ("dutch", "aĳheden lichamelijkheden aĩs", "aĳheden licham aĩs"),
        ("turkish", "ları kitaplar", "ları kitap"),
        ("russian", "вавиловка", "вавиловк"),
    ],
)
def test_snowball_by_hand(language, words, stems):
    assert snowball.stemmer(language)(words.split()) == stems.split()


# ---------------------------------------------------------------------------- against Terrier


def made(endings, letters, number, seed):
    """Words of up to 20 letters: few or no syllables, then up to three of the endings."""
    generator = random.Random(seed)
    words = set()
    while len(words) < number:
        size = generator.choice([0, 1, 2, 3, 4, 6, 9])
        word = "".join(generator.choice(letters) for _ in range(size))
        word += "".join(generator.choices(endings, k=generator.choice([0, 1, 1, 1, 2, 2, 3])))
        words.add(word[:20] or "a")
    return sorted(words)


@pytest.mark.terrier
@pytest.mark.parametrize(
    ("name", "stem"), [("PorterStemmer", porter), ("WeakPorterStemmer", weak_porter)]
)
def test_porter_as_terrier(terrier_stems, tokens_of_arguments, name, stem):
    words = tokens_of_arguments[::3] + made(ENDINGS, "aeiouyyybclstwxz0é", 15_000, name)
    ours = [stem(word) for word in words]
    both = zip(words, ours, terrier_stems(name, words), strict=True)
    assert [(word, our, their) for word, our, their in both if our != their] == []


def endings_of(language):
    """What the stemmer of a language looks for in words: its endings, mostly."""
    module = import_module(f"snowballstemmer.{language}_stemmer")
    tables = vars(getattr(module, f"{language.title()}Stemmer")).values()
    rows = [row for table in tables if isinstance(table, list) for row in table]
    found = {row.s.lower() for row in rows if hasattr(row, "s")}
    return sorted(ending for ending in found if ending.isalpha())


FOREIGN = "éèêëàâäáãåæçíìîïñóòôöőøœúùûüűßıİğşășțĳλя日ñ\u0301"


@pytest.mark.terrier
@pytest.mark.parametrize("language", snowball.LANGUAGES)
def test_snowball_as_terrier(terrier_stems, tokens_of_arguments, language):
    endings = endings_of(language)
    assert len(endings) > 20
    letters = "aeiou" * 3 + "abcdefghijklmnopqrstuvwxyz0" + "".join(endings) + FOREIGN
    words = tokens_of_arguments[::10] + made(endings, letters.lower(), 6_000, language)
    ours = snowball.stemmer(language)(words)
    theirs = terrier_stems(f"{language.title()}SnowballStemmer", words)
    both = zip(words, ours, theirs, strict=True)
    assert [(word, our, their) for word, our, their in both if our != (their or word)] == []
