"""Properties that Terrier reads."""

import pytest

from pipeline.analysis.wordlists import WordList
from pipeline.index.settings import IndexSettings
from pipeline.index.terrier import properties


def written(tmp_path, **settings):
    properties.write(IndexSettings(**settings), {"num.Terms": 3}, tmp_path)
    lines = (tmp_path / "data.properties").read_text(encoding="ascii").splitlines()
    found = dict(line.split("=", 1) for line in lines)
    assert list(found) == sorted(found)
    return found


@pytest.mark.parametrize(
    ("settings", "steps"),
    [
        ({}, "Stopwords,PorterStemmer"),
        ({"stopwords": "none"}, "PorterStemmer"),
        ({"stemmer": "none"}, "Stopwords"),
        ({"stopwords": "none", "stemmer": "none"}, ""),
        ({"stemmer": "weak_porter"}, "Stopwords,WeakPorterStemmer"),
        ({"stemmer": "swedish"}, "Stopwords,SwedishSnowballStemmer"),
    ],
    ids=str,
)
def test_how_queries_are_analysed(tmp_path, settings, steps):
    found = written(tmp_path, **settings)
    assert found["termpipelines"] == steps
    assert "pyterrier.stopwords" not in found
    assert found["num.Terms"] == "3"


@pytest.mark.parametrize(
    ("tokeniser", "kept"), [("english", "the"), ("utf", r"the,\u017C\u00F3\u0142w")]
)
def test_a_list_of_stopwords_holds_what_can_be_a_token(tmp_path, tokeniser, kept):
    words = WordList(name="list", words=("the", "don't", "a,b\\", "żółw", "12345"))
    found = written(tmp_path, stopwords=words, tokeniser=tokeniser)
    assert found["pyterrier.stopwords"] == kept
    assert found["termpipelines"] == (
        "org.terrier.python.PyTerrierCustomStopwordList$Retrieval,PorterStemmer"
    )


def test_every_structure_has_as_many_types_as_values(tmp_path):
    found = written(tmp_path)
    names = [key.removesuffix(".class") for key in found if key.endswith(".class")]
    assert len(names) == 14
    for name in names:
        values, types = found[f"{name}.parameter_values"], found[f"{name}.parameter_types"]
        assert values.count(",") == types.count(",")
