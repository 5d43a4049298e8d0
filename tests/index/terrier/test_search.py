"""Rankings against an oracle that has nothing of Terrier in it."""

import os
import shutil
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.errors import InputError, RunError
from pipeline.index import models
from pipeline.index.models import BB2, BM25, BM25F, DPH, PL2, DirichletLM, InL2, Null
from pipeline.index.settings import IndexSettings

pytestmark = pytest.mark.terrier

SKETCHED = ["BM25", "DPH", "DirichletLM", "PL2", "TF_IDF", "InL2", "Hiemstra_LM", "DFRee", "LGD"]


def model(terrier_name):
    return next(kind for kind in models.MODELS.values() if kind.terrier == terrier_name)()


def same(ranking, topics, oracle, formula, num_results=1000, *, by_field=False):
    """Every topic has the oracle's documents in its order, with its scores."""
    found = dict(iter(ranking.groupby("qid")))
    for qid, query in zip(topics["qid"], topics["query"], strict=True):
        entries = oracle.entries(query)
        docnos, scores = oracle.search(entries, formula, num_results, by_field=by_field)
        if not len(docnos):
            assert qid not in found, query
            continue
        rows = found[qid]
        assert rows["rank"].tolist() == list(range(len(rows)))
        np.testing.assert_allclose(rows["score"], scores, rtol=1e-12, err_msg=query)
        assert rows["docno"].tolist() == list(docnos), query
        assert set(rows["query"]) == {query}
    assert set(found) <= set(topics["qid"])


@pytest.mark.parametrize("name", SKETCHED)
def test_all_1000_positions_are_the_oracles(mini, topics, oracle, sketch, name):
    ranking = mini.retriever(model(name), 1000).transform(topics)
    assert ranking.groupby("qid").size().max() == 1000
    same(ranking, topics, oracle, getattr(sketch.formulas, name))


def test_fields_are_weighed_apart(mini_fields, topics, oracle, sketch):
    def bm25f(tf, dl, s, w):
        return sketch.formulas.BM25F(tf, dl, s, w, w=[1.0, 3.0], c=[0.75, 0.2])

    kind = models.BM25F(weights={"conclusion": 3.0}, b={"premises": 0.75, "conclusion": 0.2})
    same(mini_fields.retriever(kind, 1000).transform(topics), topics, oracle, bm25f, by_field=True)


def test_other_models_see_the_fields_as_one_text(mini_fields, topics, oracle, sketch):
    ranking = mini_fields.retriever(BM25(), 1000).transform(topics)
    same(ranking, topics, oracle, sketch.formulas.BM25)


PARAMETERS = {
    "bm25": [{"k1": 3.2, "b": 0.2}, {"k1": 0.0}, {"b": 0.0}, {"b": 1.0}, {"k3": 0.5}],
    "tf_idf": [{"k1": 2.0, "b": 0.3}],
    "lemur_tf_idf": [{"k1": 2.0, "b": 0.3}],
    "dirichlet_lm": [{"mu": 100.0}, {"mu": 1e-3}],
    "hiemstra_lm": [{"lam": 0.7}],
    "bm25f": [{"weights": {"conclusion": 5.0}}, {"b": {"conclusion": 0.0, "premises": 0.9}}],
    "pl2f": [{"weights": {"premises": 0.0}}, {"c": {"conclusion": 7.0, "premises": 0.5}}],
}
DFR = ["pl2", "inl2", "inb2", "in_exp_b2", "in_exp_c2", "ifb2", "bb2", "dfr_bm25", "lgd"]
PARAMETERS |= {name: [{"c": 7.0}, {"c": 0.2}] for name in DFR}
BOTH = {name: kind for name, kind in models.MODELS.items() if "terrier" in kind.engines}
CASES = [(name, given) for name in BOTH for given in [{}, *PARAMETERS.get(name, [])]]


@pytest.mark.parametrize(("name", "given"), CASES, ids=str)
def test_scores_are_those_of_the_formula(mini, mini_fields, topics, oracle, formulas, name, given):
    kind = models.MODELS[name]
    fields = list(mini_fields.settings.fields)

    def formula(tf, dl, s, w):
        lists = {
            key: [value.get(field, 1.0) for field in fields] if isinstance(value, dict) else value
            for key, value in given.items()
        }
        return getattr(formulas, name)(tf, dl, s, w, **lists)

    index = mini_fields if kind.needs_fields else mini
    ranking = index.retriever(kind(**given), 100).transform(topics[::3])
    place = {docno: number for number, docno in enumerate(oracle.docnos)}
    for query, rows in ranking.groupby("query"):
        entries = oracle.entries(query)
        scores, matched = oracle.scored(entries, formula, by_field=kind.needs_fields)
        numbers = [place[docno] for docno in rows["docno"]]
        valid = scores[matched & ~np.isnan(scores)]  # bb2 has no value for a term so rare
        best = np.sort(valid)[::-1][:100]
        np.testing.assert_allclose(rows["score"], best, rtol=1e-9, atol=1e-12, err_msg=query)
        np.testing.assert_allclose(rows["score"], scores[numbers], rtol=1e-9, atol=1e-12)


def test_every_parameter_is_tried():
    """So that a parameter that Terrier passes over does not go unseen."""
    tried = {(name, key) for name, given in CASES for key in given}
    assert tried == {(n, key) for n, kind in BOTH.items() for key in kind.model_fields}


# ------------------------------------------------------------------------------- any query text

HOSTILE = [
    "a^2 school",
    "school^2.5 uniform^0.1",
    "-school +uniform",
    '"school uniforms"',
    "'school' `uniforms`",
    "title:school",
    "school AND (uniforms OR NOT teachers)",
    "{school} [uniforms] <b>teachers</b> (",
    "schools/uniforms\\teachers",
    "#combine(school uniforms)",
    "#combine:0=0.1:1=0.9(school uniforms)",
    "#1(school uniforms)",
    "#uw8(school uniforms) #band(a b) #syn(gun weapon) #prefix(scho) #tag(a b)",
    "#base64(c2Nob29s)",
    "applypipeline:off schools",
    "applypipeline schools",
    "qe:on school",
    "c:99 school",
    "end:0 start:5 school",
    "matching:Nonsense wmodel:Tf school",
    "parsecontrols:off terrierql:off matchopql:on school",
    "decorate:on site:gov scope:2 school",
    "school~ uniform* te?cher",
    "school, uniform; teacher: pupil.",
    "school%20uniform &amp; a=b|c @me $5 100%",
    "?!",
    "...",
    "-",
    "+",
    '"',
    "the of and",
    "THE WHO",
    "12345 67890",
    "aaaa bbbbb",
    "x" * 21,
    "",
    " ",
    "\t\n\r",
    "\x00 school \x00",
    "school\u2028uniform\u2029teacher\x85law",
    "school\ud800uniform",
    "school 😀 uniform",
    "日本語 の テキスト",
    "школьная форма",
    "الزي المدرسي",
    "café naïve Übermut",
    "İstanbul ΣΑΣ \u017f",
    "e\u0301cole",
    "schools school schooling",
    "school uniforms at school: schools",
    "uniform school uniform school teacher uniform",
    "don't e-cigarettes U.S.A. covid19 1,000,000 3.5",
    "null true false NaN 1e5 0x1f 2 3 4th",
    "<script>alert(1)</script>; drop table topics",
    "school " * 10_000,
]


def rows(texts):
    return pd.DataFrame({"qid": [f"q{n}" for n in range(len(texts))], "query": texts})


def test_hostile_queries_are_the_words_they_hold(mini, oracle, sketch):
    topics = rows(HOSTILE)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ranking = mini.retriever(BM25(), 50).transform(topics)
    same(ranking, topics, oracle, sketch.formulas.BM25, 50)


def test_a_query_of_10_000_different_words(mini, oracle, sketch):
    words = sorted(oracle.postings)[::2][:10_000]
    topics = rows([" ".join(words)])
    entries = oracle.entries(topics["query"][0])
    assert len(entries) > 9_000
    docnos, scores = oracle.search(entries, sketch.formulas.BM25, 20)
    ranking = mini.retriever(BM25(), 20).transform(topics)
    np.testing.assert_allclose(ranking["score"], scores, rtol=1e-12)
    assert ranking["docno"].tolist() == list(docnos)


def test_hostile_queries_in_any_script(make, argument, sketch):
    """Each text is a document too, and a query that finds it."""
    texts = dict(enumerate(HOSTILE))
    index = make(
        [argument(f"d{number}", text) for number, text in texts.items()],
        IndexSettings(tokeniser="utf", stopwords="none", stemmer="none"),
    )
    ranking = index.retriever(models.Tf(), len(HOSTILE)).transform(rows(HOSTILE))
    scores = ranking.set_index(["qid", "docno"])["score"]
    for number, text in texts.items():
        counts = Counter(sketch.tokens.tokenise(text.replace("ΣΑΣ", "σας"), "utf"))
        if not counts:
            assert f"q{number}" not in scores
            continue
        expected = sum(n / max(counts.values()) * n for n in counts.values())
        assert scores[f"q{number}", f"d{number}"] == pytest.approx(expected), text


@given(st.lists(st.text(min_size=1, max_size=30), min_size=1, max_size=5))
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_text_is_a_query(mini, oracle, sketch, texts):
    topics = rows(texts)
    same(mini.retriever(BM25(), 5).transform(topics), topics, oracle, sketch.formulas.BM25, 5)


def test_only_what_is_no_token_gives_no_row(mini):
    ranking = mini.retriever(BM25(), 5).transform(rows(["?!", "", "日本"]))
    assert ranking.empty
    assert list(ranking) == ["qid", "query", "docno", "score", "rank"]
    assert mini.retriever(BM25(), 5).transform(rows(["the of"])).empty
    assert mini.retriever(BM25(), 5).transform(rows([])).empty


# ----------------------------------------------------------------------------- the frame, the cut


def test_a_ranking_has_these_columns_and_the_frame_before_stays(mini):
    topics = rows(["school", "?", "gun law"]).assign(title="t", description="d", narrative="n")
    before = topics.copy()
    ranking = mini.retriever(BM25(), 3).transform(topics)
    pd.testing.assert_frame_equal(topics, before)
    kinds = {"qid": "str", "query": "str", "docno": "str", "score": "float64", "rank": "int64"}
    assert {name: str(kind) for name, kind in ranking.dtypes.items()} == kinds
    assert ranking["qid"].tolist() == ["q0"] * 3 + ["q2"] * 3
    assert ranking["rank"].tolist() == [0, 1, 2] * 2
    assert ranking.index.tolist() == list(range(6))


@pytest.mark.parametrize("num_results", [1, 3000, 100_000])
def test_num_results_may_be_any_number(mini, oracle, sketch, num_results):
    topics = rows(["people government law"])
    ranking = mini.retriever(DPH(), num_results).transform(topics)
    same(ranking, topics, oracle, sketch.formulas.DPH, num_results)


def test_ties_go_to_the_document_indexed_first(mini, oracle):
    ranking = mini.retriever(Null(), 50).transform(rows(["school"]))
    numbers = sorted(oracle.postings["school"][0])[:50]
    assert ranking["docno"].tolist() == [oracle.docnos[number] for number in numbers]


def test_a_document_without_a_value_is_left_out_and_costs_no_other(make, argument):
    texts = ["hapax", "school hapaxes uniform", *["school uniform law"] * 30, "school law"]
    documents = [argument(f"d{n}", text) for n, text in enumerate(texts)]
    index = make(documents, IndexSettings(stemmer="none"))
    ranking = index.retriever(BB2(c=50.0), 5).transform(rows(["hapax school uniform"]))
    assert ranking["score"].notna().all()
    assert ranking["rank"].tolist() == list(range(5))
    assert "d0" not in ranking["docno"].tolist()


# ------------------------------------------------------------------------------- weighted terms


def test_weighted_terms_are_searched_as_they_stand(mini, oracle, sketch):
    """Index terms: no stop word is dropped, nothing is stemmed; weights to the last bit."""
    terms = {"school": 1 / 3, "uniform": 1e-7, "monei": 2.0, "money": 5.0, "the": 1.0, "2": 0.1}
    topics = rows(["?!"]).assign(query_terms=[terms])
    docnos, scores = oracle.search(list(terms.items()), sketch.formulas.BM25)
    ranking = mini.retriever(BM25(), 1000).transform(topics)
    np.testing.assert_allclose(ranking["score"], scores, rtol=1e-13)
    assert ranking["docno"].tolist() == list(docnos)
    assert set(ranking["query"]) == {"?!"}
    assert "query_terms" not in ranking


def test_terms_of_other_scripts(make, argument):
    texts = {"a": "école 日本語", "b": "école été", "c": "школа"}
    index = make([argument(*pair) for pair in texts.items()], IndexSettings(tokeniser="utf"))
    terms = [{"日本語": 1.0}, {"été": 0.5, "школа": 1.0}, {"école": 1.0}]
    ranking = index.retriever(models.Tf(), 5).transform(rows([""] * 3).assign(query_terms=terms))
    found = list(ranking[["qid", "docno", "score"]].itertuples(index=False, name=None))
    assert found == [
        ("q0", "a", 1.0),
        ("q1", "c", 1.0),
        ("q1", "b", 0.5),
        ("q2", "a", 1.0),
        ("q2", "b", 1.0),
    ]


def test_terms_without_a_weight_above_0_find_nothing(mini):
    topics = rows(["school", "school"]).assign(query_terms=[{}, {"school": 0.0}])
    assert mini.retriever(BM25(), 5).transform(topics).empty


# ------------------------------------------------------------------------- nothing is left behind


def test_models_leave_nothing_to_those_after_them(mini, mini_fields):
    topics = rows(["should school uniforms be worn", "gun control laws"])
    tried = [PL2(c=9.0), BM25(k1=0.1, b=0.0), PL2(), InL2(), DirichletLM(mu=1.0), DirichletLM()]
    tried += [BM25(), InL2(c=0.1)]
    first = {model: mini.retriever(model, 20).transform(topics) for model in tried}
    fields = [BM25F(weights={"premises": 9.0}), BM25F(), BM25F(b={"conclusion": 0.0})]
    of_fields = {model: mini_fields.retriever(model, 20).transform(topics) for model in fields}
    for model in reversed(tried):
        pd.testing.assert_frame_equal(mini.retriever(model, 20).transform(topics), first[model])
    for model in reversed(fields):
        again = mini_fields.retriever(model, 20).transform(topics)
        pd.testing.assert_frame_equal(again, of_fields[model])


def test_equal_retrievers_are_equal(mini, mini_fields):
    one = mini.retriever(BM25(), 10)
    assert one == mini.retriever(BM25(), 10)
    assert hash(one) == hash(mini.retriever(BM25(), 10))
    others = [(mini, BM25(), 11), (mini, BM25(b=0.1), 10), (mini, DPH(), 10)]
    for index, kind, number in [*others, (mini_fields, BM25(), 10)]:
        assert one != index.retriever(kind, number)


# ------------------------------------------------------------------------- scores of given documents


def test_scores_are_those_of_retrieval_in_any_order(mini, topics):
    ranking = mini.retriever(DPH(), 200).transform(topics)
    shuffled = ranking.sample(frac=1, random_state=1)
    before = shuffled.copy()
    scores = mini.scores(DPH(), shuffled)
    pd.testing.assert_series_equal(scores, shuffled["score"], check_names=False)
    pd.testing.assert_frame_equal(shuffled, before)


def test_a_document_without_a_word_of_the_query_scores_0(mini, oracle, sketch):
    ranking = pd.DataFrame(
        {"qid": ["7", "7", "8", "9"], "query": ["school", "school", "?!", "the"]}
    ).assign(docno=[oracle.docnos[n] for n in (0, 1, 0, 1)], score=0.0, rank=[0, 1, 0, 0])
    scores, _ = oracle.scored(oracle.entries("school"), sketch.formulas.BM25)
    expected = [scores[0], scores[1], 0.0, 0.0]
    np.testing.assert_allclose(mini.scores(BM25(), ranking), expected, rtol=1e-12)
    assert mini.scores(BM25(), ranking[:0]).empty


def test_more_documents_than_terrier_would_return(mini, oracle, sketch):
    ranking = pd.DataFrame({"docno": oracle.docnos[::-1], "qid": "1", "query": "law people"})
    expected, _ = oracle.scored(oracle.entries("law people"), sketch.formulas.BM25)
    np.testing.assert_allclose(mini.scores(BM25(), ranking), expected[::-1], rtol=1e-12)


@pytest.mark.parametrize("docno", ["nobody", "", "x" * 500, "Ünbekannt", "1\x00"])
def test_an_unknown_document_is_named(mini, docno):
    ranking = pd.DataFrame({"qid": ["1"], "query": ["school"], "docno": [docno]})
    with pytest.raises(InputError, match="no document"):
        mini.scores(BM25(), ranking)


# ------------------------------------------------------------------------------- what fails


def test_what_fails_in_java_is_one_line(mini, capfd):
    class Nonsense(models.WeightingModel):
        name, terrier = "nonsense", "Nonsense"

    with pytest.raises(RunError, match="retrieving by nonsense: Terrier failed: ") as caught:
        mini.retriever(Nonsense(), 5).transform(rows(["school law"]))
    assert "\n" not in str(caught.value)
    with pytest.raises(RunError, match="scoring by nonsense: Terrier failed: "):
        mini.scores(Nonsense(), mini.retriever(BM25(), 5).transform(rows(["school law"])))
    assert capfd.readouterr().err == ""


def test_an_index_that_cannot_be_opened_is_told(mini, tmp_path, capfd):
    from pipeline.index.terrier.search import TerrierIndex

    folder = Path(shutil.copytree(mini.folder, tmp_path / "copy"))
    os.truncate(folder / "data.properties", 0)
    with pytest.raises(RunError, match="cannot be opened: Terrier failed: "):
        TerrierIndex(folder, mini.settings, mini.texts)
    assert capfd.readouterr().err == ""
