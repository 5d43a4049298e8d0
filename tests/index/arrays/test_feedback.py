"""Expanded queries by hand; against Terrier they are in test_parity.py."""

import math

import numpy as np
import pandas as pd
import pytest

from pipeline.analysis.wordlists import WordList
from pipeline.errors import InputError
from pipeline.index.arrays import vectors
from pipeline.index.models import BM25, KL, RM3, Bo1, Tf
from pipeline.index.settings import IndexSettings

TEXTS = {
    "d0": "cat dog dog bird",
    "d1": "cat dog fish",
    **{f"f{number}": "fish" for number in range(20)},
    **{f"b{number}": "bird rock" for number in range(8)},
}
"""30 documents; cat in 2 (cf 2), dog in 2 (cf 3), bird in 9, fish in 21, rock in 8; 43 words."""

PLAIN = IndexSettings(engine="arrays", stemmer="none", stopwords="none")
KINDS = [RM3(), Bo1(), KL()]


@pytest.fixture(scope="module")
def pets(make_arrays, argument):
    return make_arrays([argument(*pair) for pair in TEXTS.items()], PLAIN)


def ranking(scores, query="cat", qid="1"):
    rows = [(qid, query, docno, score, rank) for rank, (docno, score) in enumerate(scores.items())]
    return pd.DataFrame(rows, columns=["qid", "query", "docno", "score", "rank"])


def terms(index, feedback, scores, query="cat"):
    (found,) = index.expander(feedback).transform(ranking(scores, query))["query_terms"]
    return found


# ------------------------------------------------------------------------------------------ rm3


def test_rm3_by_hand(pets):
    """Of terms in 2 to int(30 / 10) - 1 = 2 documents: cat and dog."""
    found = terms(pets, RM3(fb_docs=2, fb_terms=5, fb_lambda=0.25), {"d0": 1.0, "d1": 0.0})
    first, second = math.exp(1.0), math.exp(0.0)
    cat, dog = first * 1 / 4 + second * 1 / 3, first * 2 / 4 + second * 1 / 3
    expected = {
        "cat": 0.25 * 1.0 + 0.75 * cat / (cat + dog),
        "dog": 0.75 * dog / (cat + dog),
    }
    assert found == pytest.approx(expected, rel=1e-15)


def test_rm3_takes_the_first_of_equal_terms_by_their_text(pets):
    found = terms(pets, RM3(fb_docs=1, fb_terms=1, fb_lambda=0.5), {"d1": 1.0}, "zebra")
    assert found == {"cat": 0.5 * 1.0}, "not dog, which is as frequent"


def test_rm3_drops_what_the_index_lacks_but_counts_it(pets):
    found = terms(pets, RM3(fb_docs=1, fb_terms=1, fb_lambda=0.5), {"d0": 1.0}, "zebra zebra fish")
    assert found == {"fish": 0.5 * (0.5 / 1.5), "dog": 0.5 * 1.0}


def test_scores_that_are_far_apart_leave_the_top_document_alone(pets):
    found = terms(pets, RM3(fb_docs=2, fb_lambda=0.0), {"d1": 5000.0, "d0": -5000.0}, "zebra")
    assert found == {"cat": 1 / 2, "dog": 1 / 2}


def test_rm3_where_no_term_is_rare_enough_keeps_the_query(pets):
    assert terms(pets, RM3(), {"f0": 1.0}, "fish") == {"fish": 0.6}


# ----------------------------------------------------------------------------------- bo1 and kl


def test_bo1_by_hand(pets):
    """Terms of two of the documents, and bird, the first of those in one, with weight 0."""
    found = terms(pets, Bo1(fb_docs=2, fb_terms=3), {"d0": 1.0, "d1": 0.0})

    def weight(x, f):
        return x * math.log2((1 + f) / f) + math.log2(1 + f)

    most = weight(3, 3 / 30)
    expected = {"cat": 1 + weight(2, 2 / 30) / most, "dog": weight(3, 3 / 30) / most, "bird": 0.0}
    assert found == pytest.approx(expected, rel=1e-14)


def test_kl_by_hand(pets):
    found = terms(pets, KL(fb_docs=2, fb_terms=2), {"d0": 1.0, "d1": 0.0})
    most = 3 / 7 * math.log2(43 / 7)
    expected = {
        "cat": 1 + 2 / 7 * math.log2((2 / 7) / (2 / 43)) / most,
        "dog": 3 / 7 * math.log2((3 / 7) / (3 / 43)) / most,
    }
    assert found == pytest.approx(expected, rel=1e-14)


def test_kl_gives_nothing_to_a_term_that_is_rarer_than_in_the_collection(pets):
    """fish: once in 3 words against 21 times in 43; it is of the query, though."""
    found = terms(pets, KL(fb_docs=1, fb_terms=9), {"d1": 1.0}, "fish zebra")
    assert found["fish"] == 1.0
    assert found["zebra"] == 1.0, "stays, whether the index holds it or not"
    assert found["dog"] > 0


def test_one_document_may_have_its_terms_alone(pets):
    found = terms(pets, Bo1(fb_docs=1, fb_terms=9), {"d0": 1.0})
    assert found["bird"] > 0


def test_as_many_terms_as_the_query_has_are_taken_at_least(pets):
    found = terms(pets, Bo1(fb_docs=1, fb_terms=1), {"d0": 1.0}, "rock fish zebra")
    assert list(found) == ["rock", "fish", "zebra", "dog", "cat", "bird"]


def test_equal_terms_of_the_query_add_up(make_arrays, argument):
    settings = IndexSettings(engine="arrays")
    index = make_arrays([argument("a", "school law"), argument("b", "gun")], settings)
    found = terms(index, Bo1(fb_docs=1), {"b": 1.0}, "schools gun school")
    assert found["school"] == 1.0 + 1.0


def test_feedback_that_is_the_whole_collection(make_arrays, argument):
    index = make_arrays([argument("a", "cat dog")], PLAIN)
    assert terms(index, KL(fb_docs=1), {"a": 1.0}) == {"cat": 1.0, "dog": 0.0}


# ----------------------------------------------------------------------------------- the frames


def test_the_query_that_comes_out_is_the_topics_own(pets):
    given = pd.concat([ranking({"d0": 1.0}, "Cat?", "7"), ranking({"d1": 1.0}, "?!", "8")])
    found = pets.expander(RM3()).transform(given)
    assert list(found) == ["qid", "query", "query_terms"]
    assert found[["qid", "query"]].to_numpy().tolist() == [["7", "Cat?"]]
    assert {"cat", "dog"} <= set(found["query_terms"][0])


@pytest.mark.parametrize("feedback", KINDS, ids=str)
def test_rank_says_which_documents_are_the_top_ones(pets, feedback):
    given = ranking({"d0": 3.0, "d1": 2.0, "f0": 1.0, "b0": 0.0, "b1": 0.0})
    before = given.copy()
    expected = pets.expander(feedback).transform(given)
    pd.testing.assert_frame_equal(given, before)
    shuffled = given.sample(frac=1, random_state=3)
    pd.testing.assert_frame_equal(pets.expander(feedback).transform(shuffled), expected)
    assert not pets.expander(feedback).transform(given[given["rank"] > 0]).equals(expected)


@pytest.mark.parametrize("feedback", KINDS, ids=str)
def test_empty_documents_are_passed_over(make_arrays, argument, feedback):
    texts = {"empty": "", **TEXTS}
    index = make_arrays([argument(*pair) for pair in texts.items()], PLAIN)
    with_it = terms(index, feedback, {"empty": 9.0, "d0": 1.0})
    assert with_it == terms(index, feedback, {"d0": 1.0})
    assert index.expander(feedback).transform(ranking({"empty": 9.0})).empty
    assert index.expander(feedback).transform(ranking({})).empty


def test_an_unknown_document_is_named(pets):
    with pytest.raises(InputError, match="nobody"):
        pets.expander(Bo1()).transform(ranking({"nobody": 1.0}))


def test_equal_expanders_are_equal(pets):
    assert pets.expander(Bo1()) == pets.expander(Bo1())
    assert hash(pets.expander(Bo1())) == hash(pets.expander(Bo1()))
    assert pets.expander(Bo1()) != pets.expander(KL())
    assert pets.expander(Bo1()) != pets.expander(Bo1(fb_terms=11))


def test_expanded_queries_are_searched_by_their_weights(pets):
    found = terms(pets, Bo1(fb_docs=2, fb_terms=2), {"d0": 1.0, "d1": 0.0})
    queries = pets.expander(Bo1(fb_docs=2, fb_terms=2)).transform(
        ranking({"d0": 1.0, "d1": 0.0}, "Cat!")
    )
    again = pets.retriever(Tf(), 5).transform(queries)
    largest = max(found.values())
    cat, dog = found["cat"] / largest, found["dog"] / largest
    assert again["score"].tolist() == pytest.approx([cat + 2 * dog, cat + dog])
    assert set(again["query"]) == {"Cat!"}


# ----------------------------------------------------------------------------- document vectors


def test_terms_of_a_document_are_counted_over_its_fields(make_arrays, argument):
    settings = IndexSettings(
        engine="arrays",
        fields={"all": ("conclusion", "premises"), "title": ("title", "conclusion")},
        stemmer="none",
    )
    index = make_arrays(
        [
            argument("a", "rock", "paper"),
            argument("b", "café naïve cat the cat", "Dog", title="dog mouse"),
        ],
        settings,
    )
    fields, held = list(settings.fields.values()), index.postings
    terms, counts = vectors.counts(index.stream(), held.type_map, fields, 1)
    found = dict(zip(map(held.terms.name, terms.tolist()), counts.tolist(), strict=True))
    assert found == {"caf": 1, "na": 1, "ve": 1, "cat": 2, "dog": 3, "mouse": 1}


def test_vectors_are_the_postings_turned_over(arrays_mini):
    held, fields = arrays_mini.postings, list(arrays_mini.settings.fields.values())
    turned = {number: {} for number in range(0, len(arrays_mini), 500)}
    for term in range(len(held.terms)):
        span = slice(*held.pointers[term : term + 2].tolist())
        docs = held.docs[span]
        for place in np.flatnonzero(docs % 500 == 0).tolist():
            turned[int(docs[place])][term] = int(held.tfs[0][span][place])
    for number, expected in turned.items():
        found = vectors.counts(arrays_mini.stream(), held.type_map, fields, number)
        assert dict(zip(*(each.tolist() for each in found), strict=True)) == expected


def test_stop_words_of_the_index_are_no_terms(make_arrays, argument):
    words = WordList(name="list", words=("cat",))
    settings = IndexSettings(engine="arrays", stopwords=words, stemmer="none", tokeniser="utf")
    index = make_arrays([argument(*pair) for pair in TEXTS.items()], settings)
    found = terms(index, Bo1(fb_docs=1, fb_terms=9), {"d0": 1.0}, "The cat, a dog?")
    assert set(found) == {"the", "a", "dog", "bird"}
    assert set(terms(index, RM3(fb_docs=1), {"d0": 1.0}, "cat")) == {"dog"}
    assert index.retriever(BM25(), 5).transform(ranking({"d0": 1.0})).empty
