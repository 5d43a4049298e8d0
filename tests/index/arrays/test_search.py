"""Scores over postings made by hand or at random, against every formula written out again."""

from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.index.arrays.dtypes import TermMap
from pipeline.index.arrays.kernels import Scores
from pipeline.index.arrays.postings import Postings
from pipeline.index.arrays.queries import Query
from pipeline.index.arrays.search import Scorer
from pipeline.index.arrays.terms import Terms
from pipeline.index.models import BM25, BM25F, MODELS, Null, Tf, WeightingModel

FIELDS = ("premises", "conclusion")
DOCUMENTS, TERMS = 200, 12
NONE = TermMap(np.empty(0, np.int32), np.zeros(1, np.int64), np.empty(0, np.int32))


def postings(counts):
    """Of counts [fields, terms, documents]."""
    held = [np.flatnonzero(row) for row in counts.sum(axis=0)]
    pointers = np.cumsum([0, *map(len, held)])
    numbers = np.repeat(np.arange(len(held)), np.diff(pointers))
    docs = np.concatenate(held)
    return Postings(
        fields=FIELDS[: len(counts)],
        terms=Terms.of([f"t{number:02}" for number in range(len(held))]),
        pointers=pointers,
        docs=docs.astype(np.int32),
        tfs=tuple(field[numbers, docs].astype(np.uint16) for field in counts),
        cfs=counts.sum(axis=(0, 2)),
        lengths=counts.sum(axis=1).astype(np.int32),
        type_map=NONE,
    )


@pytest.fixture(scope="module")
def counts():
    """Terms from rare to common; each document has words besides these, as all documents do."""
    random = np.random.default_rng(5)
    rates = np.geomspace(0.01, 1.5, TERMS)[None, :, None]
    found = random.poisson(rates, (2, TERMS, DOCUMENTS))
    rest = random.integers(1, 60, (2, 1, DOCUMENTS))
    return np.concatenate([found, rest], axis=1)


@pytest.fixture(scope="module")
def scorers(counts):
    """For one field, and for two."""
    return {False: Scorer(postings(counts.sum(axis=0)[None])), True: Scorer(postings(counts))}


def query(*entries):
    return Query((), (), entries)


def found(scorer, asked, model, num_results=DOCUMENTS):
    scores = Scores(scorer.postings.documents)
    scorer.add(asked, model, scores)
    docs, values = scores.best(num_results)
    return docs.tolist(), values.tolist()


ASKED = query((1, 1.0), (4, 0.5), (8, 0.25), (11, 1.0), (4, 0.75))
WITH_C = ("pl2", "inl2", "inb2", "in_exp_b2", "in_exp_c2", "ifb2", "bb2", "dfr_bm25", "lgd")
CASES = [
    *((name, {}) for name, kind in MODELS.items() if "terrier" in kind.engines),
    *((name, {"c": 3.0}) for name in WITH_C),
    ("bm25", {"k1": 2.0, "b": 0.1, "k3": 1.0}),
    ("tf_idf", {"k1": 2.0, "b": 0.1}),
    ("lemur_tf_idf", {"k1": 2.0, "b": 0.1}),
    ("dirichlet_lm", {"mu": 10.0}),
    ("hiemstra_lm", {"lam": 0.5}),
    ("bm25f", {"weights": {"premises": 3.0}, "b": {"conclusion": 0.25}}),
    ("pl2f", {"weights": {"premises": 3.0}, "c": {"conclusion": 0.25}}),
]


def by_formula(formula, given, asked, counts, *, by_field):
    """A score for every document."""
    lengths = counts.sum(axis=1).astype(float)
    total = np.zeros(DOCUMENTS)
    for number, weight in asked.entries:
        tf, dl = counts[:, number].astype(float), lengths
        s = SimpleNamespace(
            N=float(DOCUMENTS),
            C=lengths.sum(),
            avgdl=lengths.sum() / DOCUMENTS,
            favg=lengths.mean(axis=1),
            df=float((tf.sum(axis=0) > 0).sum()),
            cf=tf.sum(),
        )
        holds = tf.sum(axis=0) > 0
        if not by_field:
            tf, dl = tf.sum(axis=0), dl.sum(axis=0)
        lists = {
            key: [value.get(field, 1.0) for field in FIELDS] if isinstance(value, dict) else value
            for key, value in given.items()
        }
        total[holds] += formula(tf[..., holds], dl[..., holds], s, weight, **lists)
    return total


@pytest.mark.parametrize(("name", "given"), CASES, ids=str)
def test_scores_are_those_of_the_formula(scorers, counts, formulas, name, given):
    kind = MODELS[name]
    expected = by_formula(getattr(formulas, name), given, ASKED, counts, by_field=kind.needs_fields)
    docs, values = found(scorers[kind.needs_fields], ASKED, kind(**given))
    np.testing.assert_allclose(values, expected[docs], rtol=1e-9, atol=1e-12)
    holds = np.flatnonzero(counts[:, [1, 4, 8, 11]].sum(axis=(0, 1)))
    assert sorted(docs) == [number for number in holds if not np.isnan(expected[number])]


@pytest.mark.parametrize(("name", "given"), CASES, ids=str)
def test_scores_of_given_documents_are_those_of_retrieval(scorers, name, given):
    model = MODELS[name](**given)
    scorer = scorers[model.needs_fields]
    wanted = np.random.default_rng(1).permutation(DOCUMENTS).astype(np.int32)
    scores = dict(zip(wanted.tolist(), scorer.of(ASKED, model, wanted).tolist(), strict=True))
    for doc, value in zip(*found(scorer, ASKED, model), strict=True):
        assert scores.pop(doc) == value
    assert all(score == 0 or np.isnan(score) for score in scores.values())


@pytest.mark.parametrize("fields", [False, True])
@pytest.mark.parametrize("given", [{}, {"k1": 0.0}, {"k1": 3.2, "b": 1.0}, {"b": 0.0, "k3": 0.1}])
def test_bm25_in_one_pass_is_bm25_by_its_formula_to_the_last_bit(scorers, fields, given):
    class Plain(BM25):
        """Not the fast way."""

    model = BM25(**given)
    plain = Plain(**given)
    assert found(scorers[fields], ASKED, model) == found(scorers[fields], ASKED, plain)


@pytest.mark.parametrize("name", ["bm25", "dirichlet_lm", "pl2"])
def test_other_models_see_fields_as_one_text(scorers, name):
    model = MODELS[name]()
    assert found(scorers[True], ASKED, model) == found(scorers[False], ASKED, model)


def test_a_frequency_over_two_fields_may_exceed_16_bits():
    most = np.full((2, 1, 1), 65_535)
    assert found(Scorer(postings(most)), query((0, 1.0)), Tf()) == ([0], [2 * 65_535.0])


def test_statistics_are_those_of_all_fields(scorers, counts):
    s = scorers[True].statistics(4)
    assert (s.N, s.C, s.avgdl) == (DOCUMENTS, counts.sum(), counts.sum() / DOCUMENTS)
    assert s.df == (counts[:, 4].sum(axis=0) > 0).sum()
    assert s.cf == counts[:, 4].sum()
    assert s.fields == FIELDS
    assert s.avgdl_of == pytest.approx(tuple(counts.sum(axis=(1, 2)) / DOCUMENTS))


def test_ties_go_to_the_document_first_in_the_index_at_the_cut_too(scorers, counts):
    holders = np.flatnonzero(counts[:, 11].sum(axis=0)).tolist()
    docs, values = found(scorers[False], query((11, 1.0)), Null(), 7)
    assert (docs, values) == (holders[:7], [0.0] * 7)


def test_scores_below_0_stay(scorers):
    docs, values = found(scorers[False], query((12, 1.0)), BM25())
    assert len(docs) == DOCUMENTS, "all hold it"
    assert max(values) < 0


def test_no_entry_finds_nothing(scorers):
    assert found(scorers[False], query(), BM25()) == ([], [])
    assert scorers[False].of(query(), BM25(), np.arange(3, dtype=np.int32)).tolist() == [0.0] * 3


def test_a_field_without_a_word_in_any_document_adds_nothing():
    counts = np.zeros((2, 2, 3), int)
    counts[0] = [[1, 2, 0], [3, 1, 2]]
    docs, values = found(Scorer(postings(counts)), query((0, 1.0)), BM25F(b={"premises": 0.75}))
    assert sorted(docs) == [0, 1]
    assert np.isfinite(values).all()


def test_a_model_without_a_formula_is_our_mistake(scorers):
    class Nameless(WeightingModel):
        name, terrier = "nameless", "Nameless"

    with pytest.raises(NotImplementedError, match="Nameless"):
        found(scorers[False], ASKED, Nameless())
