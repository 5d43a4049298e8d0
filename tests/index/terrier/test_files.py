"""Terrier's files, written without it: byte by byte those of its own indexer."""

import json
import random
import shutil
import string
from collections import Counter
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from pipeline.analysis.analyzer import Analyzer
from pipeline.analysis.wordlists import WordList
from pipeline.collection.folder import open_collection
from pipeline.errors import InputError
from pipeline.index import models
from pipeline.index.arrays.invert import invert
from pipeline.index.arrays.tokens import Stream, write
from pipeline.index.models import BM25, KL, RM3, Bo1, Tf
from pipeline.index.settings import IndexSettings
from pipeline.index.terrier import direct, files
from pipeline.index.terrier.indexer import LongDocnoError, build
from pipeline.index.terrier.search import TerrierIndex

PLAIN = IndexSettings(stemmer="none", stopwords="none", tokeniser="utf")

OTHERWISE = {"data.meta.zdata", "data.meta.idx", "data.properties"}
"""Files that are not Terrier's to the byte: their content is compared instead."""


@pytest.fixture(scope="session")
def fast(tmp_path_factory):
    """Writes the index of arguments without Terrier; gives its folder."""

    def fast(arguments, settings=PLAIN):
        folder = tmp_path_factory.mktemp("fast")
        write(arguments, folder / "tokens")
        stream = Stream.open(folder / "tokens")
        postings = invert(stream, settings, folder / "arrays")
        docnos = [argument.docno for argument in arguments]
        files.write(postings, stream, settings, docnos, folder / "index")
        return folder / "index"

    return fast


@pytest.fixture(scope="session")
def slow(tmp_path_factory):
    """Has Terrier index arguments; gives the folder."""

    def slow(arguments, settings=PLAIN):
        folder = tmp_path_factory.mktemp("slow")
        try:
            build(arguments, settings, folder)
        except LongDocnoError as long:  # as the store does
            shutil.rmtree(folder)
            folder.mkdir()
            build(arguments, settings, folder, max(2 * 64, long.length))
        return folder

    return slow


@pytest.fixture(scope="module")
def both(fast, mini, arguments):
    """argsme-mini from our files and from Terrier's."""
    return TerrierIndex(fast(arguments, mini.settings), mini.settings, mini.texts), mini


def properties(folder):
    lines = (folder / "data.properties").read_text(encoding="ascii").splitlines()
    found = dict(line.split("=", 1) for line in lines if not line.startswith("#"))
    found.pop("index.created", None)
    return found


def opened(folder, settings=PLAIN):
    return TerrierIndex(folder, settings, SimpleNamespace())


def same(ours, theirs, docnos):
    """Holds that both folders are the same index, docnos looked up by Terrier both ways."""
    names = {file.name for file in theirs.glob("data.*")}
    assert {file.name for file in ours.iterdir()} == names
    for name in names - OTHERWISE:
        assert (ours / name).read_bytes() == (theirs / name).read_bytes(), name
    assert properties(ours) == properties(theirs)
    docnos_of = opened(ours).java.getMetaIndex()
    for number in range(0, len(docnos), len(docnos) // 200 + 1):
        assert docnos_of.getItem("docno", number) == docnos[number]
        assert docnos_of.getDocument("docno", docnos[number]) == number
    assert docnos_of.getDocument("docno", "nobody") == -1


# ------------------------------------------------------------------------ the files, without Java


def decoded(folder):
    """Terms with (cf, df, most, postings), and documents with (length, terms), from the bytes."""
    lexicon = np.fromfile(
        folder / "data.lexicon.fsomapfile",
        [("n", "u1"), ("term", "S60"), ("number", ">i4"), ("cf", ">i4"), ("df", ">i4"),
         ("most", ">i4"), ("offset", ">i8"), ("bit", "u1")],
    )  # fmt: skip
    documents = np.fromfile(
        folder / "data.document.fsarrayfile",
        [("length", ">i4"), ("offset", ">i8"), ("bit", "u1"), ("terms", ">i4")],
    )
    inverted, forward = (Lists(folder / f"data.{name}.bf") for name in ("inverted", "direct"))
    terms = {
        row["term"].decode(): (*row[["cf", "df", "most"]].item(), inverted.list(row, row["df"]))
        for row in lexicon
    }
    names = {row["number"]: row["term"].decode() for row in lexicon}
    assert sorted(names) == list(range(len(lexicon)))
    held = [
        (int(row["length"]), {names[n]: tf for n, tf in forward.list(row, row["terms"]).items()})
        for row in documents
    ]
    return terms, held


class Lists:
    """A file of posting lists."""

    def __init__(self, path):
        self.bits = "".join(f"{byte:08b}" for byte in path.read_bytes())

    def list(self, row, length):
        at, found, id_ = int(row["offset"]) * 8 + int(row["bit"]), {}, -1
        for _ in range(length):
            one = self.bits.index("1", at)
            end = one + (one - at) + 1
            id_ += int(self.bits[one:end], 2)
            at = self.bits.index("1", end) + 1
            found[id_] = at - end
        return found


def counted(texts):
    """The same by counting words."""
    terms = {}
    for number, text in enumerate(texts):
        for word in text.split():
            held = terms.setdefault(word, {})
            held[number] = held.get(number, 0) + 1
    held = [(len(text.split()), {w: text.split().count(w) for w in text.split()}) for text in texts]
    return {
        word: (sum(of.values()), len(of), max(of.values()), of) for word, of in terms.items()
    }, held


@pytest.mark.parametrize("block", [1, 7, 1 << 21])
def test_the_bytes_say_what_the_texts_held(fast, argument, monkeypatch, block):
    monkeypatch.setattr(files.blocks, "__defaults__", (block,))
    monkeypatch.setattr(direct, "BLOCK", block)
    rng = random.Random(1)
    words = [f"w{n}x" for n in range(300)] + ["żółw", "日本", "\uff21bc".lower(), "ﬁre", "a" * 3]
    sizes = [0, 3, 400, 0, 17, *[rng.randrange(40) for _ in range(60)], 0]
    texts = [" ".join(rng.choices(words, k=size)) for size in sizes]
    folder = fast([argument(f"d{n}", text) for n, text in enumerate(texts)])
    assert decoded(folder) == counted(texts)


def test_one_core_and_two_write_the_same(fast, argument, monkeypatch):
    arguments = [argument(f"d{n}", f"red blue w{n}x " * (n % 7)) for n in range(300)]
    one, two = (
        monkeypatch.setattr(files, "cores", lambda cores=cores: cores) or fast(arguments)
        for cores in (1, 2)
    )
    assert [file.name for file in sorted(one.iterdir())] == [
        file.name for file in sorted(two.iterdir())
    ]
    for file in one.iterdir():
        assert file.read_bytes() == (two / file.name).read_bytes()


def test_no_argument_is_an_error(fast):
    with pytest.raises(InputError, match="there is no argument to index"):
        fast([])


def test_arguments_without_a_word_are_an_error(fast, argument):
    with pytest.raises(InputError, match=r"none of 2 arguments holds a word.* fields text$"):
        fast([argument("a", "?"), argument("b")])


def test_what_terrier_has_no_room_for_is_no_index(fast, argument, monkeypatch):
    """No analysis makes such a term; if one did, it would be cut and found by its beginning."""
    monkeypatch.setattr(files.lexicon, "MOST_BYTES", 5)
    with pytest.raises(AssertionError, match="too long for Terrier: longer"):
        fast([argument("a", "short longer")])


# --------------------------------------------------------------------------- against Terrier's own


@pytest.mark.terrier
def test_real_arguments(both, slow, fast, arguments):
    ours, theirs = both
    docnos = [argument.docno for argument in arguments]
    same(ours.folder, theirs.folder, docnos)
    same(fast(arguments, PLAIN), slow(arguments, PLAIN), docnos)


@pytest.mark.terrier
def test_the_tiny_collection(fast, slow):
    folder = Path(__file__).parents[2] / "collection-tiny"
    fields = {"all": ("title", "premises", "conclusion", "author", "domain", "stance")}
    for settings in (IndexSettings(), IndexSettings(fields=fields)):
        found = list(open_collection(folder).arguments())
        same(fast(found, settings), slow(found, settings), [one.docno for one in found])


@pytest.mark.terrier
def test_judged_arguments(fast, slow, argument, shared):
    lines = (shared / "argq20" / "docs.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    found = [argument(row["id"], row["text"]) for row in rows]
    same(fast(found, PLAIN), slow(found, PLAIN), [one.docno for one in found])


WORDS = WordList(name="list", words=("people", "zebra", "don't", "żółw", "the"))
KINDS = list(product(["english", "utf"], ["terrier", "none", WORDS], ["none", "porter", "french"]))


@pytest.mark.terrier
@pytest.mark.parametrize(
    ("tokeniser", "stopwords", "stemmer"), KINDS, ids=lambda kind: getattr(kind, "name", kind)
)
def test_every_kind_of_analysis(fast, slow, arguments, argument, tokeniser, stopwords, stemmer):
    settings = IndexSettings(tokeniser=tokeniser, stopwords=stopwords, stemmer=stemmer)
    some = [*arguments[:120], argument("x", "Żółw ŻÓŁW naïve Übermut, chevaux! don't café zebra")]
    ours, theirs = fast(some, settings), slow(some, settings)
    same(ours, theirs, [one.docno for one in some])
    query = pd.DataFrame({"qid": ["1"], "query": ["the people: zebras, żółw, naïve chevaux"]})
    mine, other = (
        opened(folder, settings).retriever(BM25(), 200).transform(query)
        for folder in (ours, theirs)
    )
    pd.testing.assert_frame_equal(mine, other)


def random_arguments(argument, seed):
    """Texts of words and of anything, empty ones, long ones, and one word very often."""
    rng = random.Random(seed)
    letters = (
        string.ascii_letters
        + "0123456789 éßøğİ\u017f\u212ażЖяאבकि日本語\ufb01\uff21\uff19\uff76가\u2028\ud7ff\ue000\ufffd\U0001f600-'\"\\^#:"
    )
    words = ["".join(rng.choices(letters, k=rng.randrange(1, 24))) for _ in range(600)]
    sizes = [rng.choice([0, 1, 5, 60, 139, 300, 1200]) for _ in range(rng.randrange(1, 40))]
    texts = [" ".join(rng.choices(words, k=size)) for size in sizes]
    texts[rng.randrange(len(texts))] += " often" * rng.choice([1, 300, 70_001])
    docnos = [
        f"d{n}-" + "".join(rng.choices("aZ9é日\U0001f600\uff21_", k=rng.randrange(15)))
        for n in range(len(texts))
    ]
    if rng.random() < 0.3:
        docnos[-1] += "x" * rng.choice([64, 128, 200, 300])
    if rng.random() < 0.5:
        docnos.sort()
    return [
        argument(docno, text, conclusion=text[:9])
        for docno, text in zip(docnos, texts, strict=True)
    ]


@pytest.mark.terrier
@pytest.mark.parametrize("seed", range(24))
def test_random_arguments(fast, slow, argument, seed):
    settings = IndexSettings(
        tokeniser=["utf", "english"][seed % 4 == 3],
        stopwords="none",
        stemmer=["none", "porter"][seed % 3 == 2],
    )
    found = random_arguments(argument, seed)
    same(fast(found, settings), slow(found, settings), [one.docno for one in found])


@pytest.mark.terrier
@pytest.mark.parametrize(
    "texts",
    [
        ["red"],
        ["red " * 7],  # ends with a byte
        ["red", "red red", "red"],
        ["", "red", "", "blue red", ""],
        ["a b c d e f g", "h"],
        [" ".join(f"w{n}x" for n in range(20_000))],
        ["日本 \uff41 \ufb01 ß \ue000 \uff5a ǆ é zz"],  # some beyond the surrogates
        ["abcdefghijklmnopqrst " + "日本" * 10 + " İ1" * 2 + " " + "aİ" * 10 + " " + "ab" * 11],
    ],
    ids=["one", "eight bits", "one term", "empty", "ascending", "many", "scripts", "long"],
)
def test_edges(fast, slow, argument, texts):
    found = [argument(f"d{n}", text) for n, text in enumerate(texts)]
    same(fast(found), slow(found), [one.docno for one in found])


# ------------------------------------------------------------------------------ what is made of it


MODELS = [
    "bm25",
    "pl2",
    "dph",
    "dirichlet_lm",
    "hiemstra_lm",
    "inl2",
    "lgd",
    "tf_idf",
    "bb2",
    "dlh",
]


@pytest.mark.terrier
@pytest.mark.parametrize("name", MODELS)
def test_rankings_and_scores_are_the_same(both, topics, name):
    mine, other = (
        index.retriever(models.MODELS[name](), 1000).transform(topics[::6]) for index in both
    )
    assert len(mine) > 5_000
    pd.testing.assert_frame_equal(mine, other, check_exact=True)


@pytest.mark.terrier
@pytest.mark.parametrize(
    "feedback", [RM3(fb_docs=10, fb_terms=30), Bo1(), KL(fb_terms=40)], ids=str
)
def test_expanded_queries_are_the_same_to_the_last_bit(both, topics, feedback):
    mine, other = (
        index.expander(feedback).transform(index.retriever(BM25(), 20).transform(topics))
        for index in both
    )
    assert len(mine) == len(topics)
    assert mine["query_terms"].tolist() == other["query_terms"].tolist()
    assert [list(terms) for terms in mine["query_terms"]] == [
        list(terms) for terms in other["query_terms"]
    ]


@pytest.mark.terrier
def test_documents_are_read_back(both, arguments):
    mine, analyzer = both[0].java, Analyzer("english", "terrier", "porter")
    names, forward, index = mine.getLexicon(), mine.getDirectIndex(), mine.getDocumentIndex()
    for number in range(0, len(arguments), 499):
        postings, found = forward.getPostings(index.getDocumentEntry(number)), Counter()
        while postings.next() != postings.END_OF_LIST:
            name = names.getLexiconEntry(postings.getId()).getKey()
            found[name] = postings.getFrequency()
        text = f"{arguments[number].conclusion} {arguments[number].premises}"
        assert found == Counter(analyzer.terms(text))
        assert index.getDocumentLength(number) == found.total()


@pytest.mark.terrier
def test_a_frequency_beyond_two_bytes_is_found(fast, argument):
    index = opened(fast([argument("a", "often " * 70_001 + "red"), argument("b", "often")]))
    ranking = index.retriever(Tf(), 5).transform(pd.DataFrame({"qid": ["1"], "query": ["often"]}))
    assert ranking["score"].tolist() == [70_001.0, 1.0]
