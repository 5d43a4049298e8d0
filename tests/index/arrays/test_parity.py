"""Both engines over the same documents: the same documents in the same order, the same scores."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.index.models import BM25, KL, MODELS, RM3, Bo1, DirichletLM, Tf
from pipeline.index.settings import IndexSettings

pytestmark = pytest.mark.terrier

BOTH = {name: kind for name, kind in MODELS.items() if "terrier" in kind.engines}

WITH_C = ("pl2", "inl2", "inb2", "in_exp_b2", "in_exp_c2", "ifb2", "bb2", "dfr_bm25", "lgd")
PARAMETERS = [
    ("bm25", {"k1": 3.2, "b": 0.2}),
    ("bm25", {"k1": 0.0}),
    ("bm25", {"b": 1.0, "k3": 0.5}),
    ("tf_idf", {"k1": 2.0, "b": 0.3}),
    ("lemur_tf_idf", {"k1": 2.0, "b": 0.3}),
    ("dirichlet_lm", {"mu": 100.0}),
    ("hiemstra_lm", {"lam": 0.7}),
    ("bm25f", {"weights": {"conclusion": 5.0}}),
    ("bm25f", {"b": {"conclusion": 0.0, "premises": 0.9}}),
    ("pl2f", {"weights": {"premises": 0.0}}),
    ("pl2f", {"c": {"conclusion": 7.0, "premises": 0.5}}),
    *((name, {"c": c}) for name in WITH_C for c in (7.0, 0.2)),
]
HOSTILE = [
    "schools school schooling",
    "school uniforms at school: schools",
    "uniform school uniform school teacher uniform",
    "schooling, schooled, schools and the school of schoolings",
    "law laws law lawful laws lawyers",
    "zebra12345 xqzzy school",
    "xqzzy xqzzy xqzzy school",
    "the of and",
    "THE WHO",
    "?!",
    "",
    "\x00 school \x00 gun",
    "school\ud800uniform",
    "school 😀 uniform",
    "日本語 школьная café naïve Übermut",
    "a^2 -school +uniform title:law #combine(school)",
    "don't e-cigarettes U.S.A. covid19 1,000,000 3.5",
    "school " * 1000,
]


def rows(texts):
    return pd.DataFrame({"qid": [f"q{n}" for n in range(len(texts))], "query": texts})


def same(ours, theirs):
    """Equal frames, but for the last bits of scores, which differ as logarithms of Java do."""
    assert ours["qid"].tolist() == theirs["qid"].tolist()
    assert ours["docno"].tolist() == theirs["docno"].tolist()
    np.testing.assert_allclose(ours["score"], theirs["score"], rtol=1e-11, atol=1e-12)
    columns = ["qid", "query", "docno", "rank"]
    pd.testing.assert_frame_equal(ours[columns], theirs[columns])


def by_terrier(index, model, queries):
    """As by the retriever, 1000 documents a query; it spends most of its time on reading rows."""
    import jnius

    engine = index.engine(model, queries, 1000)
    rows = []
    for row, query in index.asked(queries).itertuples(index=False):
        request = engine.manager.newSearchRequest(row, query)
        for control, value in engine.controls.items():
            request.setControl(control, str(value))
        engine.manager.runSearchRequest(request)
        found = jnius.cast("org.terrier.querying.Request", request).getResultSet()
        docs, scores = found.getDocids()[:1000], found.getScores()[:1000]
        if np.isnan(scores).any():
            return index.retriever(model, 1000).transform(queries)
        asker = queries.iloc[int(row)]
        frame = pd.DataFrame({"docno": index.texts.docnos(docs), "score": scores})
        frame = frame.assign(qid=asker["qid"], query=asker["query"], rank=range(len(docs)))
        rows.append(frame)
    return pd.concat(rows, ignore_index=True)


@pytest.fixture(scope="module")
def pairs(mini, mini_fields, arrays_mini, arrays_mini_fields):
    """Engine arrays and engine terrier, for models that need several fields or not."""
    return {False: (arrays_mini, mini), True: (arrays_mini_fields, mini_fields)}


@pytest.fixture(scope="module")
def pair_argq20(make, make_arrays, argq20):
    return make_arrays(argq20), make(argq20)


# ------------------------------------------------------------------------------------- retrieval


@pytest.mark.parametrize("name", BOTH)
def test_all_1000_documents_of_147_queries(pairs, every_query, name):
    kind, queries = BOTH[name], every_query("argsme-mini")
    assert len(queries) == 147
    ours, theirs = pairs[kind.needs_fields]
    found = ours.retriever(kind(), 1000).transform(queries)
    assert found.groupby("qid").size().max() == 1000
    expected = by_terrier(theirs, kind(), queries)
    same(found, expected)
    if name in ("bm25", "tf_idf", "bm25f"):
        assert found["score"].tolist() == expected["score"].tolist()


@pytest.mark.parametrize("name", [name for name, kind in BOTH.items() if not kind.needs_fields])
def test_argq20(pair_argq20, every_query, name):
    queries, (ours, theirs) = every_query("argq20"), pair_argq20
    found = ours.retriever(BOTH[name](), 1000).transform(queries)
    same(found, theirs.retriever(BOTH[name](), 1000).transform(queries))


@pytest.mark.parametrize(("name", "given"), PARAMETERS, ids=str)
def test_parameters_off_their_defaults(pairs, topics, name, given):
    model = BOTH[name](**given)
    ours, theirs = pairs[model.needs_fields]
    found = ours.retriever(model, 200).transform(topics[::5])
    same(found, theirs.retriever(model, 200).transform(topics[::5]))


def test_every_parameter_is_tried():
    tried = {(name, key) for name, given in PARAMETERS for key in given}
    assert tried == {(name, key) for name, kind in BOTH.items() for key in kind.model_fields}


@pytest.mark.parametrize("model", [BM25(), BM25(k1=0.9, b=0.1), DirichletLM()], ids=str)
def test_other_models_see_fields_as_one_text(pairs, topics, model):
    ours, theirs = pairs[True]
    found = ours.retriever(model, 1000).transform(topics[::5])
    same(found, theirs.retriever(model, 1000).transform(topics[::5]))


# ----------------------------------------------------------------------------------- any query


def test_hostile_queries(pairs):
    ours, theirs = pairs[False]
    for model in (BM25(), Tf()):
        found = ours.retriever(model, 50).transform(rows(HOSTILE))
        same(found, theirs.retriever(model, 50).transform(rows(HOSTILE)))


words = st.sampled_from(["school", "schools", "schooling", "uniform", "law", "laws", "the", "xqz"])
texts = st.lists(words | st.text(min_size=1, max_size=20), min_size=1, max_size=8).map(" ".join)


@given(st.lists(texts, min_size=1, max_size=5))
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_text_is_a_query(pairs, texts):
    ours, theirs = pairs[False]
    found = ours.retriever(BM25(), 5).transform(rows(texts))
    same(found, theirs.retriever(BM25(), 5).transform(rows(texts)))


def test_utf_tokens(make, make_arrays, argument):
    documents = [argument(f"d{number}", text) for number, text in enumerate(HOSTILE)]
    documents += [argument("e", "école été"), argument("s", "школа"), argument("empty", "")]
    utf = {"tokeniser": "utf", "stopwords": "none", "stemmer": "none"}
    ours = make_arrays(documents, IndexSettings(engine="arrays", **utf))
    theirs = make(documents, IndexSettings(**utf))
    asked = rows([*HOSTILE, "École", "Школа школа été"])
    for model in (Tf(), BM25()):
        found = ours.retriever(model, 50).transform(asked)
        same(found, theirs.retriever(model, 50).transform(asked))


def test_weighted_terms(pairs):
    """Index terms as they stand; the largest weight divides, that of an unknown term too."""
    ours, theirs = pairs[False]
    terms = [
        {"school": 1 / 3, "uniform": 1e-7, "monei": 2.0, "money": 5.0, "the": 1.0, "2": 0.1},
        {"school": 0.5, "gun": 0.0},
        {"gun": 0.0},
        {},
    ]
    asked = rows(["?!"] * 4).assign(query_terms=terms)
    found = ours.retriever(BM25(), 1000).transform(asked)
    same(found, theirs.retriever(BM25(), 1000).transform(asked))


# ---------------------------------------------------------------------- scores of given documents


@pytest.mark.parametrize("name", ["bm25", "bm25f", "bb2", "dirichlet_lm", "dph"])
def test_scores_of_given_documents(pairs, topics, name):
    ours, theirs = pairs[BOTH[name].needs_fields]
    docnos = ours.texts.docnos()[::25]
    ranking = topics[::10].merge(pd.DataFrame({"docno": docnos}), how="cross")
    ranking = ranking.sample(frac=1, random_state=7)
    model = BOTH[name]()
    np.testing.assert_allclose(
        ours.scores(model, ranking), theirs.scores(model, ranking), rtol=1e-12, atol=1e-12
    )


# ------------------------------------------------------------------------------------- feedback

FEEDBACK = [
    RM3(),
    RM3(fb_docs=10, fb_terms=30, fb_lambda=0.3),
    RM3(fb_lambda=1.0),
    RM3(fb_lambda=0.0),
    Bo1(),
    Bo1(fb_docs=7, fb_terms=40),
    KL(),
    KL(fb_docs=5, fb_terms=3),
]


def added(feedback, query, terms):
    """What feedback adds to each term; of equal terms of the query rm3 takes the last."""
    own = dict.fromkeys(terms, 0.0)
    total = sum(weight for _, weight in query)
    for term, weight in query:
        if isinstance(feedback, RM3):
            own[term] = feedback.fb_lambda * weight / total
        else:
            own[term] += weight
    return {term: weight - own[term] for term, weight in terms.items()}


def same_but_for_ties(ours, theirs, within):
    """As much is added, and to the same terms but for those that weigh least."""
    mine, its = (sorted(each.values(), reverse=True) for each in (ours, theirs))
    gains = [gain for gain in its if gain > within]
    assert [gain for gain in mine if gain > within] == pytest.approx(gains, abs=within)
    least = min(gains, default=0.0) + 2 * within
    clear = {term: gain for term, gain in theirs.items() if gain > least}
    assert {term: ours.get(term, 0.0) for term in clear} == pytest.approx(clear, abs=within)


@pytest.mark.parametrize("feedback", FEEDBACK, ids=str)
def test_expanded_queries(pairs, topics, feedback):
    """Weights as PyTerrier prints them, nine digits after the point; those of rm3 are floats.

    Which of equally good terms come in last, Terrier's hash table says.
    """
    ours, theirs = pairs[False]
    within = 2e-7 if isinstance(feedback, RM3) else 1e-9
    hostile = rows([text for text in HOSTILE if text.strip()])
    asked = pd.concat([topics, hostile], ignore_index=True)
    ranking = ours.retriever(DirichletLM(), 20).transform(asked)
    found = ours.expander(feedback).transform(ranking)
    expected = theirs.expander(feedback).transform(ranking)
    assert list(found) == list(expected)
    pd.testing.assert_frame_equal(found[["qid", "query"]], expected[["qid", "query"]])
    for text, mine, its in zip(
        found["query"], found["query_terms"], expected["query_terms"], strict=True
    ):
        query = ours.queries.of_text(text).weighted
        known = [term for term, _ in query if term in its]
        assert known == [term for term, _ in query if term in mine]
        same_but_for_ties(added(feedback, query, mine), added(feedback, query, its), within)


@pytest.mark.parametrize("feedback", [RM3(), Bo1(), KL()], ids=str)
def test_rankings_of_expanded_queries(pairs, topics, feedback):
    """Given the same weighted terms."""
    ours, theirs = pairs[False]
    ranking = ours.retriever(BM25(), 10).transform(topics[::5])
    queries = ours.expander(feedback).transform(ranking)
    found = ours.retriever(BM25(), 1000).transform(queries)
    same(found, theirs.retriever(BM25(), 1000).transform(queries))
