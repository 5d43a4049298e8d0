"""Weighting models and feedback as data."""

import math

import numpy as np
import pytest
from pydantic import ValidationError

from pipeline.index.models import (
    BB2,
    BM25,
    BM25F,
    FEEDBACK,
    MODELS,
    PL2,
    PL2F,
    RM3,
    TFIDF,
    DirichletLM,
    HiemstraLM,
    InL2,
    Statistics,
    functions,
)

BOTH = {name: kind for name, kind in MODELS.items() if "terrier" in kind.engines}


def test_every_model_of_terrier_that_works_is_there():
    names = """BM25 DirichletLM Hiemstra_LM DPH PL2 TF_IDF LemurTF_IDF DLH DLH13 InL2 InB2 In_expB2
        In_expC2 IFB2 BB2 DFR_BM25 DFRee DFReeKLIM LGD Js_KLs XSqrA_M DFIC DFIZ Tf Dl
        CoordinateMatch Null BM25F PL2F ML2 MDL2"""
    assert sorted(kind.terrier for kind in BOTH.values()) == sorted(names.split())
    assert {name: kind.name for name, kind in MODELS.items()} == {name: name for name in MODELS}
    assert sorted(FEEDBACK) == ["bo1", "kl", "rm3"]
    lucenes = ["lucene_bm25", "lucene_dfi", "lucene_lm_dirichlet", "lucene_tf_idf"]
    assert sorted(MODELS.keys() - BOTH.keys()) == lucenes


@pytest.mark.parametrize("kind", [*MODELS.values(), *FEEDBACK.values()], ids=lambda kind: kind.name)
def test_each_says_what_it_is(kind):
    """A line with the source, a formula, and a meaning for each parameter."""
    first, _, rest = kind.__doc__.partition("\n")
    assert first.endswith(".")
    assert rest.strip()
    assert all(field.description for field in kind.model_fields.values())
    assert kind() == kind()
    assert hash(kind()) == hash(kind())
    with pytest.raises(ValidationError):
        kind(c_=1)


def test_all_parameters_go_to_terrier_with_every_query():
    assert BM25(b=0.5).for_terrier(["text"]) == {
        "bm25.k_1": "1.2",
        "bm25.b": "0.5",
        "bm25.k_3": "8.0",
    }
    assert PL2().for_terrier([]) == InL2().for_terrier([]) == {"dfr.c": "1.0"}
    assert DirichletLM(mu=1e-7).for_terrier([]) == {"dirichletlm.mu": "1e-07"}
    assert BM25F(weights={"title": 2}, b={"text": 0.75}).for_terrier(["text", "title"]) == {
        "w.0": "1.0",
        "w.1": "2.0",
        "c.0": "0.75",
        "c.1": "1.0",
    }
    for kind in BOTH.values():
        assert set(kind.controls) == set(kind.model_fields)
        assert "c" not in kind().for_terrier(["text", "title"]), "it stays for every later model"


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        (BM25, {"k1": -0.1}),
        (BM25, {"b": 1.1}),
        (BM25, {"k3": 0}),
        (DirichletLM, {"mu": 0}),
        (HiemstraLM, {"lam": 1}),
        (PL2, {"c": 0}),
        (BM25F, {"weights": {"text": -1}}),
        (BM25F, {"b": {"text": 1.5}}),
        (PL2F, {"c": {"text": 0}}),
        (RM3, {"fb_docs": 0}),
        (RM3, {"fb_terms": 0}),
        (RM3, {"fb_lambda": 1.01}),
    ],
)
def test_values_out_of_range_are_refused(kind, given):
    with pytest.raises(ValidationError):
        kind(**given)


def test_numbers_by_field_are_part_of_what_a_model_is():
    one = BM25F(weights={"a": 1, "b": 2})
    assert one == BM25F(weights={"b": 2.0, "a": 1.0})
    assert hash(one) == hash(BM25F(weights={"b": 2.0, "a": 1.0}))
    assert one != BM25F(weights={"a": 1})
    assert one.model_dump(mode="json") == {"weights": {"a": 1.0, "b": 2.0}, "b": {}}


def test_which_models_ignore_the_weights_of_terms():
    assert {name for name, kind in MODELS.items() if kind.ignores_weights} == {
        "dirichlet_lm",
        "dl",
        "null",
    }


def test_every_model_is_known_to_engine_arrays():
    assert {kind.engines for kind in BOTH.values()} == {("terrier", "arrays")}
    assert {kind.engines for kind in MODELS.values()} <= {("terrier", "arrays"), ("arrays",)}


def test_a_score_is_worked_by_hand():
    """A term in 2 of 8 documents, 4 times in 64 words; twice in 16 words, and once in 4."""
    tf, dl = np.array([2.0, 1.0]), np.array([16.0, 4.0])
    s = Statistics(N=8.0, C=64.0, avgdl=8.0, df=2.0, cf=4.0)
    assert TFIDF(k1=2.0, b=0.5).score(tf, dl, s, 0.5) == pytest.approx(
        [
            0.5 * (2 * 2 / (2 + 2 * (0.5 + 0.5 * 16 / 8))) * math.log2(8 / 2 + 1),
            0.5 * (2 * 1 / (1 + 2 * (0.5 + 0.5 * 4 / 8))) * math.log2(8 / 2 + 1),
        ]
    )
    assert DirichletLM(mu=16.0).score(tf, dl, s, 0.5) == pytest.approx(
        [
            math.log2(1 + 2 / (16 * 4 / 64)) + math.log2(16 / (16 + 16)),
            math.log2(1 + 1 / (16 * 4 / 64)) + math.log2(16 / (4 + 16)),
        ]
    )


def test_a_model_without_a_value_says_so_without_a_warning():
    s = Statistics(N=8.0, C=64.0, avgdl=8.0, df=1.0, cf=1.0)
    assert np.isnan(BB2(c=50.0).score(np.array([1.0]), np.array([2.0]), s, 1.0)).all()


def test_logarithms_of_what_has_none():
    assert functions.ln(0.0) == -math.inf
    assert math.isnan(functions.ln(-1.0))
    assert functions.log(8.0) == pytest.approx(3.0, rel=1e-15)


@pytest.mark.parametrize("x", [0.1, 0.49, 0.5, 1.0, 2.5, 30.0, 1e6])
def test_the_gamma_function(x):
    (ours,) = functions.ln_gamma(np.array([x]))
    assert ours == pytest.approx(math.lgamma(x), rel=1e-12, abs=1e-12)


def test_the_gamma_function_below_0_may_be_negative():
    with np.errstate(invalid="ignore"):
        assert np.isnan(functions.ln_gamma(np.array([-0.7]))).all()
