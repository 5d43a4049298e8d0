"""Texts and weighted terms to what is searched; worked by hand after Terrier's rules."""

import pandas as pd
import pytest

from pipeline.analysis.wordlists import WordList
from pipeline.index.arrays.queries import Queries
from pipeline.index.arrays.terms import Terms
from pipeline.index.settings import IndexSettings

TERMS = ["gun", "law", "school", "uniform"]
GUN, LAW, SCHOOL, UNIFORM = range(4)


@pytest.fixture(scope="module")
def queries():
    return Queries(IndexSettings(engine="arrays"), Terms.of(TERMS))


@pytest.mark.parametrize(
    ("text", "weighted"),
    [
        ("Should guns be banned?", {"gun": 1, "ban": 1}),
        ("school gun school", {"school": 2 / 2, "gun": 1 / 2}),
        ("school gun gun gun", {"school": 1 / 3, "gun": 3 / 3}),
        ("the of and", {}),
        ("?! 12345", {}),
        ("", {}),
    ],
)
def test_words_become_terms_with_weights_up_to_1(queries, text, weighted):
    assert dict(queries.of_text(text).weighted) == weighted


def test_equal_terms_side_by_side_are_one_entry(queries):
    assert queries.of_text("schools school gun").weighted == (("school", 2 / 2), ("gun", 1 / 2))


def test_equal_terms_apart_stay_two_entries(queries):
    expected = (("school", 1.0), ("gun", 1.0), ("school", 1.0))
    assert queries.of_text("schools gun school").weighted == expected


def test_a_stop_word_does_not_come_between(queries):
    assert queries.of_text("schools the school gun").weighted == (("school", 1.0), ("gun", 0.5))


def test_a_word_that_came_before_does_not_come_between(queries):
    """Words are counted first: gun, schools, school."""
    expected = (("gun", 2 / 2), ("school", 2 / 2))
    assert queries.of_text("gun schools gun school").weighted == expected


@pytest.mark.parametrize("more", [1, 2, 3])
def test_of_three_equal_terms_in_a_row_two_count(queries, more):
    """schools 1, school 1, schooling 2 more times or not: as Terrier has it."""
    text = "schools school " + "schooling " * more + "gun"
    assert queries.of_text(text).weighted == (("school", 2 / 2), ("gun", 1 / 2))


def test_words_that_the_index_does_not_hold_count_for_the_largest_weight(queries):
    query = queries.of_text("zebra zebra zebra zebra gun gun law")
    assert query.weighted == (("zebra", 4 / 4), ("gun", 2 / 4), ("law", 1 / 4))
    assert query.entries == ((GUN, 2 / 4), (LAW, 1 / 4))


def test_terms_stand_in_their_order_as_often_as_in_the_text(queries):
    query = queries.of_text("Schools: the gun, the school; zebra")
    expected = (("school", 1.0), ("gun", 1.0), ("school", 1.0), ("zebra", 1.0))
    assert query.terms == expected


def test_weighted_terms_are_taken_as_they_stand(queries):
    given = (("schools", 4.0), ("the", 1.0), ("uniform", 2.0), ("gun", 0.0))
    query = queries.of_terms(given)
    assert query.terms == given
    assert query.weighted == (("schools", 1.0), ("the", 1 / 4), ("uniform", 2 / 4), ("gun", 0.0))
    assert query.entries == ((UNIFORM, 2 / 4), (GUN, 0.0))


@pytest.mark.parametrize("given", [(), (("gun", 0.0),), (("gun", -1.0),)])
def test_terms_without_weight_are_no_query(queries, given):
    assert queries.of_terms(given).weighted == queries.of_terms(given).entries == ()


def test_a_frame_is_taken_by_its_weighted_terms_if_it_has_them(queries):
    frame = pd.DataFrame({"query": ["law", "?!"]})
    assert [query.entries for query in queries.of(frame)] == [((LAW, 1.0),), ()]
    frame["query_terms"] = [{"gun": 2.0}, {"school": 1.0, "law": 1.0}]
    found = [query.entries for query in queries.of(frame)]
    assert found == [((GUN, 1.0),), ((SCHOOL, 1.0), (LAW, 1.0))]


def test_the_analysis_is_that_of_the_index():
    stopwords = WordList(name="list", words=("gun",))
    settings = IndexSettings(engine="arrays", tokeniser="utf", stopwords=stopwords, stemmer="none")
    queries = Queries(settings, Terms.of(["été", "школа"]))
    query = queries.of_text("GUN Été, the Школа")
    assert query.entries == ((0, 1.0), (1, 1.0))
    assert [term for term, _ in query.weighted] == ["été", "the", "школа"]


def test_a_text_has_words_or_not(queries):
    assert queries.has_words("The")
    assert not queries.has_words("?! 12345 日本")
