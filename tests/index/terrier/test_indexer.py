"""Terrier's indexer: what it indexes, and that it fails aloud."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import get_args

import pandas as pd
import pytest

from pipeline.analysis.wordlists import WordList
from pipeline.errors import InputError, RunError
from pipeline.index.models import BM25, CoordinateMatch
from pipeline.index.settings import IndexSettings, Stemmer
from pipeline.index.terrier.indexer import LongDocnoError, build
from pipeline.index.terrier.search import TerrierIndex

pytestmark = pytest.mark.terrier

ROOT = Path(__file__).parents[3]
PLAIN = IndexSettings(stemmer="none", stopwords="none")


def lexicon(index):
    return {entry.getKey() for entry in index.java.getLexicon()}


def found(index, query):
    frame = pd.DataFrame({"qid": ["1"], "query": [query]})
    return index.retriever(BM25(), 100).transform(frame)["docno"].tolist()


def contents(folder):
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    files["data.properties"] = b"".join(  # it begins with a date
        line
        for line in files["data.properties"].splitlines(keepends=True)
        if not line.startswith((b"#", b"index.created"))
    )
    return files


# ---------------------------------------------------------------------------- what is indexed


def test_the_files_are_those_of_pyterriers_own_indexer(arguments, tmp_path):
    """The heap's cure and the feed change nothing."""
    import pyterrier as pt

    for name in ("ours", "again", "theirs"):
        (tmp_path / name).mkdir()
    build(arguments[:500], IndexSettings(), tmp_path / "ours")
    build(arguments[:500], IndexSettings(), tmp_path / "again")
    plain = pt.IterDictIndexer(str(tmp_path / "theirs"), meta={"docno": 64})
    plain.index(
        {"docno": one.docno, "text": " ".join(filter(None, (one.conclusion, one.premises)))}
        for one in arguments[:500]
    )
    ours = contents(tmp_path / "ours")
    assert ours == contents(tmp_path / "again")
    assert ours == contents(tmp_path / "theirs")


def test_counts_are_those_of_the_texts(mini, oracle, tmp_path, arguments):
    statistics = mini.java.getCollectionStatistics()
    assert statistics.getNumberOfDocuments() == len(mini) == len(arguments) == 5110
    assert statistics.getNumberOfUniqueTerms() == len(oracle.postings)
    assert statistics.getNumberOfTokens() == oracle.lengths.sum()
    counts = build(arguments[:10], IndexSettings(), tmp_path)
    assert counts["documents"] == 10


@pytest.mark.parametrize(
    ("stemmer", "words"),
    {
        "none": "school schools",
        "porter": "apology apologies",
        "weak_porter": "school schools",
        "danish": "hunden hundene",
        "dutch": "hond honden",
        "english": "apology apologies",
        "finnish": "talossa talon",
        "french": "maison maisons",
        "german": "kinder kindern",
        "hungarian": "asztal asztalok",
        "italian": "gatto gatti",
        "norwegian": "gutten guttene",
        "portuguese": "menino meninos",
        "romanian": "pisica pisici",
        "russian": "книга книги",
        "spanish": "gato gatos",
        "swedish": "flicka flickor",
        "turkish": "evler evlerde",
    }.items(),
)
def test_each_stemmer_brings_two_forms_together(make, argument, stemmer, words):
    one, other = words.split()
    settings = IndexSettings(tokeniser="utf", stemmer=stemmer, stopwords="none")
    index = make([argument("a", one), argument("b", "rock")], settings)
    assert found(index, one) == ["a"]
    assert found(index, other) == ([] if stemmer == "none" else ["a"])


def test_no_stemmer_is_untried():
    (mark,) = test_each_stemmer_brings_two_forms_together.pytestmark
    assert {stemmer for stemmer, _ in mark.args[1]} == set(get_args(Stemmer))


@pytest.mark.parametrize(
    ("stopwords", "left"),
    [
        ("terrier", {"zebra", "aardvark"}),
        ("none", {"the", "zebra", "aardvark"}),
        (WordList(name="list", words=("zebra", "don't", "a,b\\", "żółw")), {"the", "aardvark"}),
        (WordList(name="list", words=("?",)), {"the", "zebra", "aardvark"}),
    ],
    ids=["terrier", "none", "list", "list of no words"],
)
def test_stopwords_are_left_out_of_documents_and_queries(make, argument, stopwords, left):
    settings = IndexSettings(stopwords=stopwords, stemmer="none")
    index = make([argument("a", "The zebra"), argument("b", "the aardvark")], settings)
    assert lexicon(index) == left
    for word in ("the", "zebra"):
        assert bool(found(index, word)) == (word in left)
    reopened = TerrierIndex(index.folder, settings, index.texts)
    assert found(reopened, "the zebra") == found(index, "the zebra")


@pytest.mark.parametrize(
    ("tokeniser", "left"), [("english", {"caf", "na", "ve"}), ("utf", {"café", "naïve", "школа"})]
)
def test_tokenisers(make, argument, tokeniser, left):
    settings = IndexSettings(tokeniser=tokeniser, stemmer="none", stopwords="none")
    index = make([argument("a", "Café naïve школа")], settings)
    assert lexicon(index) == left
    assert found(index, "CAFÉ") == ["a"]


def test_fields_are_counted_apart_and_stand_in_the_order_of_the_config(make, argument):
    fields = {"zeta": ("title", "author"), "alpha": ("premises", "stance", "domain")}
    settings = IndexSettings(fields=fields, stemmer="none", stopwords="none")
    one = argument("a", premises="red red", title="blue", author="green", domain="red", stance="")
    index = make([one, argument("b", premises="blue")], settings)
    statistics = index.java.getCollectionStatistics()
    assert list(statistics.getFieldNames()) == ["zeta", "alpha"]
    assert list(statistics.getFieldTokens()) == [2, 3 + 1 + 1]  # stance PRO of b
    assert lexicon(index) == {"red", "blue", "green", "pro"}


def test_an_index_of_fields_leaves_nothing_to_the_next(make, argument):
    make(
        [argument("a", "red", title="blue")],
        IndexSettings(fields={"a": ("title",), "b": ("premises",)}),
    )
    index = make([argument("a", "red", conclusion="blue", title="green")], PLAIN)
    assert lexicon(index) == {"red", "blue"}
    assert index.java.getCollectionStatistics().getNumberOfFields() == 0


@pytest.mark.parametrize(
    "text",
    [
        "red\u2028blue\u2029rock\x85fish\n\r\tcat",
        "red \"blue\" \\ rock {fish} 'cat'",
        "red\x00blue rock, fish; cat",
    ],
    ids=["line ends", "quotes", "null"],
)
def test_texts_come_through_whole(make, argument, text):
    index = make([argument("a", text), argument("b", "x")], PLAIN)
    assert {"red", "blue", "rock", "fish", "cat"} < lexicon(index)
    assert len(index) == 2


def test_empty_documents_are_counted_and_not_found(make, argument):
    index = make([argument("a"), argument("b", "red"), argument("c", "?")], PLAIN)
    assert len(index) == 3
    assert found(index, "red") == ["b"]
    assert index.ids(["c", "a"]) == [2, 0]


@pytest.mark.parametrize("docno", ["x" * 64, "Ünïcödé-ж-日本", "\U0001f600-1", "id", 'a\\"b,c'])
def test_docnos_are_kept_to_the_letter(make, argument, docno):
    index = make([argument("first", "red"), argument(docno, "blue"), argument("z", "red")], PLAIN)
    assert found(index, "blue") == [docno]
    assert index.ids([docno]) == [1]


# ------------------------------------------------------------------------------- what fails


def breaks(after, error):
    def documents(argument):
        yield from (argument(f"d{number}", "word " * 2000) for number in range(after))
        raise error

    return documents


@pytest.mark.parametrize("after", [0, 1, 500])
def test_what_the_reader_raises_is_raised(argument, tmp_path, after):
    error, threads = ValueError("the reader's own"), threading.active_count()
    with pytest.raises(ValueError, match="the reader's own") as caught:
        build(breaks(after, error)(argument), PLAIN, tmp_path)
    assert caught.value is error
    assert threading.active_count() == threads


def test_ctrl_c_stops_it(argument, tmp_path):
    threads = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        build(breaks(50, KeyboardInterrupt())(argument), PLAIN, tmp_path)
    assert threading.active_count() == threads


@pytest.mark.parametrize("docno", ["x" * 65, "ж" * 33])
def test_a_docno_that_would_be_cut_is_told(argument, tmp_path, docno):
    documents = [argument("a", "red"), argument(docno, "blue")]
    with pytest.raises(LongDocnoError) as caught:
        build(documents, PLAIN, tmp_path)
    longer = tmp_path / "longer"
    longer.mkdir()
    build(documents, PLAIN, longer, caught.value.length)
    assert found(TerrierIndex(longer, PLAIN, SimpleNamespace()), "blue") == [docno]


def test_no_document_is_an_error(tmp_path):
    with pytest.raises(InputError, match="no argument to index"):
        build([], PLAIN, tmp_path)


def test_documents_without_any_word_are_an_error(argument, tmp_path):
    with pytest.raises(InputError, match="none of 2 arguments holds a word to index"):
        build([argument("a", "школа"), argument("b", "?")], PLAIN, tmp_path)


def test_what_terrier_only_logs_is_an_error(arguments, tmp_path):
    """The folder vanishes while documents are read; Terrier goes on."""

    def documents():
        yield from arguments[:200]
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()

    folder = tmp_path / "index"
    folder.mkdir()
    with pytest.raises(RunError, match=f"indexing into {folder}: "):
        build(documents(), PLAIN, folder)


def child(code, tmp_path, **environment):
    """Runs code in a process of its own, with 400 documents ``documents`` at hand."""
    before = (
        "from types import SimpleNamespace as Argument\n"
        "from pathlib import Path\n"
        "from pipeline.index.settings import IndexSettings\n"
        "from pipeline.index.terrier.indexer import build\n"
        f"folder = Path({json.dumps(str(tmp_path))})\n"
        "def documents(number):\n"
        "    for n in range(number):\n"
        "        words = ' '.join(f'w{(n * 97 + i) % 50000}x' for i in range(200))\n"
        "        yield Argument(docno=f'd{n}', premises=words, conclusion='')\n"
    )
    return subprocess.run(
        [sys.executable, "-c", before + code],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_full_disk_is_told(tmp_path):
    """Files may grow to 256 KiB, as a full disk would let them."""
    code = (
        "from pipeline import java; java.start()\n"
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 18, 1 << 18))\n"
        "try: build(documents(4000), IndexSettings(), folder)\n"
        "except Exception as error: print(type(error).__name__, error)\n"
    )
    result = child(code, tmp_path)
    assert result.stdout.startswith(f"RunError indexing into {tmp_path}: no space"), result.stderr
    assert result.stdout.count("\n") == 1
    assert result.stderr == ""


def test_a_full_heap_is_told(tmp_path):
    code = (
        "try: build(documents(100000), IndexSettings(), folder)\n"
        "except Exception as error: print(type(error).__name__, error)\n"
    )
    result = child(code, tmp_path, JAVA_TOOL_OPTIONS="-Xmx24m")
    assert "RunError" in result.stdout, result.stderr
    assert "heap of " in result.stdout
    assert "JAVA_TOOL_OPTIONS=-Xmx" in result.stdout


def test_a_small_heap_is_enough(tmp_path):
    code = "print(build(documents(2500), IndexSettings(), folder))\n"
    result = child(code, tmp_path, JAVA_TOOL_OPTIONS="-Xmx128m")
    assert result.stdout.startswith("{'documents': 2500,"), result.stderr


def test_words_shared_by_fields_count_once_a_query(make, argument):
    settings = IndexSettings(fields={"text": ("premises",), "title": ("title",)}, stemmer="none")
    index = make([argument("a", "red", title="red"), argument("b", "red blue")], settings)
    frame = pd.DataFrame({"qid": ["1"], "query": ["red blue"]})
    ranking = index.retriever(CoordinateMatch(), 5).transform(frame)
    assert ranking["docno"].tolist() == ["b", "a"]
    assert ranking["score"].tolist() == [2.0, 1.0]
