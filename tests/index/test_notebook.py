"""Indexes of documents at hand, as a notebook uses them."""

import gc
import inspect
import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pyterrier as pt
import pytest

from pipeline.errors import InputError
from pipeline.index import Index
from pipeline.index.methods import WEIGHTING
from pipeline.index.models import FEEDBACK, MODELS, RM3

ROOT = Path(__file__).parents[2]
TEXTS = {
    "d1": "Zoos protect rare animals, and zoos teach.",
    "d2": "Ban all zoos: cages are cruel.",
    "d3": "A tax on sugar works.",
    "d4": "",
    "d5": "Animals in cages are no help to anybody; cages are cruel.",
    "d6": "Rare metals are mined.",
}
OF_ALL = ["num_results", "fields", "required"]
WHOLE = ["sdm", "proximity", *(name for name, kind in MODELS.items() if kind.needs_fields)]
DOCS = [{"docno": docno, "text": text} for docno, text in TEXTS.items()]


@pytest.fixture(scope="module")
def index():
    return Index.build(DOCS)


@pytest.fixture(scope="module")
def of_fields():
    rows = [
        ("a", "Cruel cages", "Zoos are bad"),
        ("b", "Zoos", "Cages are cruel"),
        ("c", "Tax", ""),
        *((docno, "Metal", "Sugar") for docno in "defg"),
    ]
    frame = pd.DataFrame(rows, columns=["docno", "title", "body"])
    return Index.build(frame, fields=["title", "body"])


def docnos(ranking):
    return ranking["docno"].tolist()


def test_it_finds_what_holds_the_words(index):
    assert len(index) == 6
    found = index.bm25().search("zoos")
    assert list(found) == ["qid", "query", "docno", "score", "rank"]
    assert docnos(found) == ["d1", "d2"]
    assert found["rank"].tolist() == [0, 1]
    assert "6 documents" in repr(index)


def test_documents_may_come_as_a_frame_or_one_by_one(index):
    queries = pd.DataFrame({"qid": ["1", "2"], "query": ["cruel cages", "rare animals"]})
    wanted = index.bm25().transform(queries)
    for docs in (pd.DataFrame(DOCS), iter(DOCS), ({**doc, "more": 1} for doc in DOCS)):
        pd.testing.assert_frame_equal(Index.build(docs).bm25().transform(queries), wanted)


def test_parameters_count(index):
    assert docnos(index.bm25(b=0).search("cages cruel"))[0] == "d5"
    assert len(index.bm25(num_results=1).search("zoos")) == 1
    by_hand = index.retriever(MODELS["bm25"](k1=0.4, b=0.1), 1000).search("rare animals")
    pd.testing.assert_frame_equal(index.bm25(k1=0.4, b=0.1).search("rare animals"), by_hand)


@pytest.mark.parametrize("name", list(WEIGHTING))
def test_every_model_is_a_method(name, index, of_fields):
    kind = WEIGHTING[name]
    asked = of_fields if kind.needs_fields else index
    method = getattr(asked, name)
    assert name in dir(asked)
    assert list(inspect.signature(method).parameters) == [
        *kind.model_fields,
        *OF_ALL[: 1 if name in WHOLE else 3],
    ]
    assert kind.__doc__.splitlines()[0] in method.__doc__
    assert all(f"    {field}: " in method.__doc__ for field in kind.model_fields)
    ranking = method().search("cruel zoos")
    assert list(ranking) == ["qid", "query", "docno", "score", "rank"]
    assert len(ranking) >= 1


@pytest.mark.parametrize("name", list(FEEDBACK))
def test_every_feedback_is_a_method(name, index):
    expanded = index.bm25() >> getattr(index, name)(fb_docs=2) >> index.bm25()
    found = expanded.search("cruel cages")
    assert set(found["docno"]) >= {"d2", "d5"}
    assert found["query"].unique().tolist() == ["cruel cages"]


def test_feedback_takes_its_parameters(index):
    bm25 = index.bm25()
    wanted = (bm25 >> index.expander(RM3(fb_docs=2, fb_lambda=0.1))).search("cruel")
    found = (bm25 >> index.rm3(fb_docs=2, fb_lambda=0.1)).search("cruel")
    assert found["query_terms"].tolist() == wanted["query_terms"].tolist()


def test_a_ranking_is_scored_anew(index):
    first = index.bm25().search("cruel cages animals")
    again = (index.bm25() >> index.tf()).search("cruel cages animals")
    assert set(docnos(again)) == set(docnos(first))
    # cruel, cages twice, animals; cruel, cages; animals
    assert dict(zip(again["docno"], again["score"], strict=True)) == {"d5": 4, "d2": 2, "d1": 1}
    assert again["rank"].tolist() == [0, 1, 2]
    assert (index.bm25() % 1 >> index.tf()).search("animals")["rank"].tolist() == [0]


def test_pyterrier_experiments_with_it(index):
    topics = pd.DataFrame({"qid": ["1", "2"], "query": ["zoos", "no such thing"]})
    qrels = pd.DataFrame({"qid": ["1", "2"], "docno": ["d2", "d3"], "label": [1, 1]})
    table = pt.Experiment(
        [index.bm25(), index.dph() >> index.rm3() >> index.dph()], topics, qrels, ["recip_rank"]
    )
    assert table["recip_rank"].tolist() == [1 / 4, 1 / 4]  # second of two; nothing found


def test_equal_parameters_compare_equal(index):
    assert index.bm25(k1=1) == index.bm25(k1=1)
    assert len({index.bm25(k1=1), index.bm25(k1=1), index.bm25(k1=2), index.bm25().index}) == 3


def test_fields(of_fields):
    assert docnos(of_fields.bm25().search("tax")) == ["c"]
    first = of_fields.bm25f(weights={"title": 9.0}).search("zoos")
    assert docnos(first) == ["b", "a"]
    assert docnos(of_fields.bm25f(weights={"title": 0.0}).search("zoos")) == ["a", "b"]
    joined = Index.build(
        [{"docno": "x", "a": "one", "b": "two"}, {"docno": "y", "a": "three", "b": None}],
        fields={"text": ["a", "b"]}, stopwords="none",
    )  # fmt: skip
    assert docnos(joined.bm25().search("two")) == ["x"]


def test_fields_searched_apart(of_fields):
    assert docnos(of_fields.bm25(fields={"title": 1}).search("zoos")) == ["b"]
    assert of_fields.bm25(fields=["title"]) == of_fields.bm25(fields={"title": 1})
    assert docnos(of_fields.bm25(required=["body"]).search("zoos")) == ["a"]
    assert of_fields.bm25(required="body") == of_fields.bm25(required=["body"])
    assert docnos(of_fields.lucene_bm25(fields={"title": 1, "body": 9}).search("zoos")) == [
        "a",
        "b",
    ]
    assert of_fields.bm25(fields={"title": 1}) != of_fields.bm25()
    both = of_fields.bm25() >> of_fields.bm25(fields={"body": 2})
    assert docnos(both.search("zoos")) == ["a", "b"]


def test_analysis(index):
    assert docnos(index.bm25().search("caged")) == ["d5", "d2"]
    plain = Index.build(DOCS, stemmer="none", stopwords=["zoos"])
    assert plain.bm25().search("zoos").empty
    assert docnos(plain.bm25().search("all")) == ["d2"]
    assert plain.bm25().search("animal").empty
    assert set(docnos(index.bm25().search("animal"))) == {"d1", "d5"}


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda index: index.bm25(k_1=2), "bm25 has no 'k_1', did you mean 'k1'?; it has k1, b, k3, num_results, fields, required"),
        (lambda index: index.bm25(b=2), "bm25: b: 2: Input should be less than or equal to 1"),
        (lambda index: index.bm25(num_results=0), "bm25: num_results: 0 must be at least 1"),
        (lambda index: index.rm3(fb_doc=2), "rm3 has no 'fb_doc', did you mean 'fb_docs'?; it has fb_docs, fb_terms, fb_lambda"),
        (lambda index: index.dph(k1=2), "dph has no 'k1'; it has num_results, fields, required"),
        (lambda index: index.bm25f(), "bm25f weighs the fields of an index apart, and there is 'text' only"),
        (lambda index: index.text(["d1"]), "the index has no texts: Index.build does not keep them"),
        (lambda index: index.scores(MODELS["bm25"](), pd.DataFrame({"qid": ["1"], "query": ["zoo"], "docno": ["d9"]})), "no document 'd9'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(index, call, what):
    with pytest.raises(InputError) as error:
        call(index)
    assert what in str(error.value)


def test_a_misspelt_model_is_no_attribute(index):
    with pytest.raises(AttributeError, match="no 'bm52', did you mean 'bm25'"):
        index.bm52()
    assert not hasattr(index, "anything")


def test_a_field_that_is_not_there(of_fields):
    with pytest.raises(InputError, match="bm25 names no field 'titel', did you mean 'title'"):
        of_fields.bm25(fields={"titel": 2})
    with pytest.raises(InputError, match="bm25 requires 'body', a field that is not searched"):
        of_fields.bm25(fields=["title"], required=["body"])
    with pytest.raises(InputError, match="bm25f has no 'fields'; it has weights, b, num_results"):
        of_fields.bm25f(fields={"title": 2})
    with pytest.raises(InputError, match="bm25f names no field 'titel', did you mean 'title'"):
        of_fields.bm25f(weights={"titel": 2})


@pytest.mark.parametrize(
    ("docs", "more", "what"),
    [
        ([], {}, "there is no document to index"),
        ([{"docno": "a", "text": "of the"}], {}, "none of 1 document holds a word to index"),
        ([{"docno": "a", "txt": "b"}], {}, "document 1 has no 'text', did you mean 'txt'?; it has docno, txt"),
        ([{"text": "b"}], {}, "document 1 has no 'docno'; it has text"),
        ([{"docno": "a", "text": "b"}] * 2, {}, "document 2: docno 'a' stands there twice"),
        ([{"docno": None, "text": "b"}], {}, "document 1: its docno is None, text expected"),
        ([{"docno": "", "text": "b"}], {}, "document 1: its docno is '', text expected"),
        ([{"docno": "a b", "text": "b"}], {}, "docno 'a b' has ' ', one word expected"),
        ([{"docno": "a", "text": 3}], {}, "document 1: text is 3, text expected"),
        (["zoos"], {}, "document 1 is no dict: 'zoos'"),
        (7, {}, "documents are dicts or a frame, not 7"),
        (pd.DataFrame(DOCS).rename(columns={"text": "body"}), {}, "the frame has no 'text'; it has docno, body"),
        (DOCS, {"fields": "text"}, "fields: 'text' is no list of columns; fields=['text']"),
        (DOCS, {"fields": [*"abcdefg"]}, "fields: 7 columns; 6 are the most"),
        (DOCS, {"fields": []}, "at least one field is needed"),
        (DOCS, {"fields": ["Text"]}, "small letters and digits"),
        (DOCS, {"stemer": "none"}, "Index.build has no 'stemer', did you mean 'stemmer'?; it has fields"),
        (DOCS, {"stemmer": "portr"}, "stemmer: "),
    ],
)  # fmt: skip
def test_what_cannot_be_indexed(docs, more, what, tmp_path):
    folder = tmp_path / "index"
    with pytest.raises(InputError) as error:
        Index.build(docs, folder=folder, **more)
    assert what in str(error.value)
    assert [*tmp_path.iterdir()] == []


def test_a_number_is_a_docno_and_nothing_a_text():
    frame = pd.DataFrame({"docno": [1, 2], "text": ["zoos", None]})
    assert docnos(Index.build(frame).null().search("zoos")) == ["1"]


def test_it_is_kept_and_opened_again(tmp_path):
    folder = tmp_path / "kept" / "index"
    made = Index.build(DOCS, folder=folder, stemmer="none")
    found = Index.open(str(folder))
    assert found == made
    assert found.settings.stemmer == "none"
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["index"]
    for model in ("bm25", "dirichlet_lm"):
        pd.testing.assert_frame_equal(
            getattr(found, model)().search("cages"), getattr(made, model)().search("cages")
        )
    assert not (found.bm25() >> found.rm3() >> found.bm25()).search("cages").empty
    with pytest.raises(InputError, match="overwrite=True makes it anew"):
        Index.build(DOCS, folder=folder)
    assert len(Index.build(DOCS[:2], folder=folder, overwrite=True)) == 2
    assert len(Index.open(folder)) == 2


def test_what_is_no_index_is_not_opened_nor_replaced(tmp_path):
    with pytest.raises(InputError, match="no index"):
        Index.open(tmp_path / "nowhere")
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="something else is there"):
        Index.build(DOCS, folder=tmp_path, overwrite=True)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_damaged_index_is_not_opened(tmp_path):
    folder = tmp_path / "index"
    Index.build(DOCS, folder=folder)
    file = next((folder / "arrays").glob("docs*"))
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    with pytest.raises(InputError, match="is damaged; build it again"):
        Index.open(folder)


def test_a_build_that_fails_leaves_what_was_there(tmp_path):
    folder = tmp_path / "index"
    Index.build(DOCS, folder=folder)

    def broken():
        yield DOCS[0]
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Index.build(broken(), folder=folder, overwrite=True)
    assert len(Index.open(folder)) == 6
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


def test_a_temporary_index_goes_with_what_uses_it():
    bm25 = Index.build(DOCS).bm25()
    folder = bm25.index.folder
    gc.collect()
    assert folder.is_dir()
    assert not bm25.search("zoos").empty
    del bm25
    gc.collect()
    assert not folder.exists()


def test_a_plain_script_needs_no_guard(tmp_path):
    """Nothing is done by starting the script over, and no Java is started."""
    script = tmp_path / "mine.py"
    script.write_text(
        "import json\n"
        "from pipeline.index import Index\n"
        f"index = Index.build({DOCS!r})\n"
        "import pyterrier\n"
        "print(json.dumps([*index.bm25().search('zoos')['docno'], pyterrier.java.started()]))\n"
    )
    out = subprocess.check_output(
        [sys.executable, script], text=True, env={"PYTHONPATH": str(ROOT)}
    )
    assert json.loads(out) == ["d1", "d2", False]


def test_the_name_costs_nothing():
    code = (
        "import sys; from pipeline.index import Index\n"
        "print(*sorted({'pyterrier', 'pandas', 'numpy'} & set(sys.modules)))"
    )
    out = subprocess.check_output([sys.executable, "-c", code], text=True, cwd=ROOT)
    assert out.strip() == ""


@pytest.mark.terrier
def test_terrier_ranks_the_same(arguments, topics, tmp_path):
    docs = (
        {"docno": one.docno, "title": one.conclusion, "body": one.premises} for one in arguments
    )
    index = Index.build(docs, fields={"text": ["title", "body"]})
    made = index.to_terrier(tmp_path / "terrier")
    assert index.to_terrier().path != made.path
    words = pt.rewrite.tokenise()
    for model, name in (("bm25", "BM25"), ("dph", "DPH"), ("dirichlet_lm", "DirichletLM")):
        terrier = (words >> pt.terrier.Retriever(made, wmodel=name)).transform(topics)
        ours = getattr(index, model)().transform(topics)
        assert docnos(ours) == docnos(terrier)
        assert ours["score"].tolist() == pytest.approx(terrier["score"].tolist(), rel=1e-12)
    with pytest.raises(InputError, match="something is there"):
        index.to_terrier(tmp_path / "terrier")


@pytest.mark.terrier
def test_an_index_of_terrier_has_the_same_methods(mini, topics, tmp_path):
    queries = topics.head(5)
    wanted = mini.retriever(MODELS["bm25"](k1=0.9), 10).transform(queries)
    found = mini.bm25(k1=0.9, num_results=10).transform(queries)
    pd.testing.assert_frame_equal(found, wanted)
    assert mini.to_terrier().path == mini.folder
    copied = mini.to_terrier(tmp_path / "copy")
    assert copied.collection_statistics().getNumberOfDocuments() == len(mini)


def test_terrier_has_no_file_for_several_fields(of_fields, tmp_path):
    with pytest.raises(InputError, match="written of one field, and there are title, body"):
        of_fields.to_terrier(tmp_path / "terrier")
    assert [*tmp_path.iterdir()] == []
