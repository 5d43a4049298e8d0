"""What makes an index, whoever searches it."""

import pytest
from pydantic import ValidationError

from pipeline.analysis import snowball
from pipeline.index.settings import IndexSettings


def test_engines_share_what_is_made():
    assert IndexSettings(engine="arrays").key() == IndexSettings(engine="terrier").key()
    assert IndexSettings(engine="arrays") != IndexSettings(engine="terrier")


@pytest.mark.parametrize(
    "other",
    [
        {"stemmer": "none"},
        {"tokeniser": "utf"},
        {"stopwords": "none"},
        {"fields": {"text": ("premises",)}},
        {"fields": {"all": ("conclusion", "premises")}},
    ],
    ids=str,
)
def test_all_else_makes_another_index(other):
    assert IndexSettings(**other).key() != IndexSettings().key()


def test_a_list_of_words_counts_by_its_words():
    keys = {IndexSettings(stopwords=words).key() for words in (["a", "b"], ["b", "a"], ["B", "a"])}
    assert len(keys) == 1


@pytest.mark.parametrize("name", ["Title", "two words", "id", "docno", ""])
def test_fields_are_named_well(name):
    with pytest.raises(ValidationError, match="small letters"):
        IndexSettings(fields={name: ("title",)})


@pytest.fixture
def other_snowball(monkeypatch):
    """As if another version of the stemmers were installed than those that are Terrier's."""
    monkeypatch.setitem(snowball.VERSIONS, snowball.IN_PYTHON, "0.1")
    snowball._there.cache_clear()
    yield
    monkeypatch.undo()
    snowball._there.cache_clear()


@pytest.mark.usefixtures("other_snowball")
def test_engine_arrays_refuses_an_analysis_that_it_cannot_do():
    assert IndexSettings(engine="terrier", stemmer="turkish")
    assert IndexSettings(engine="arrays")
    with pytest.raises(ValidationError) as caught:
        IndexSettings(engine="arrays", stemmer="turkish")
    (fault,) = caught.value.errors()
    assert fault["loc"] == ("stemmer",)
    assert str(fault["ctx"]["error"]) == (
        "engine: arrays cannot do stemmer: turkish without the package snowballstemmer 0.1; "
        "engine: terrier can"
    )
