"""Other programs over the same collection, each as its own documentation would have it.

    PYTHON benchmarks/peers.py PEER index|search|run FOLDER WORK

``index`` makes an index of the collection in FOLDER in WORK; ``search`` asks it for the titles of
all topics, twice, and prints the CPU seconds of the second time; ``run``, for pyterrier, goes from
the collection to a run file. One plain reader gives all of them the same texts. PYTHON is that of
``python_of_peers`` for tantivy and bm25s; nothing else of this repository is imported there.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

VERSIONS = ("tantivy==0.27.0", "bm25s==0.3.16", "PyStemmer==3.1.0", "numpy==2.4.6")

RESULTS = 1000


def python_of_peers(folder: Path) -> str:
    """The Python of an environment in ``folder`` that holds the peers, made if it is not there."""
    python, made = folder / "bin" / "python", folder / "made.txt"
    wanted = "\n".join(VERSIONS)
    if not made.is_file() or made.read_text() != wanted:
        if uv := shutil.which("uv"):
            subprocess.run([uv, "venv", "-q", "--clear", "-p", sys.executable, folder], check=True)
            install = [uv, "pip", "install", "-q", "-p", str(python)]
        else:
            folder.mkdir(parents=True, exist_ok=True)
            subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
            install = [str(python), "-m", "pip", "install", "-q"]
        subprocess.run([*install, *VERSIONS], check=True)
        made.write_text(wanted)
    return str(python)


def needed(folder: Path) -> int:
    """Bytes of memory that ``documents`` takes at most, about.

    A file as bytes, as text of two to four bytes a letter, and as values, all at once.
    """
    return 5 * max((file.stat().st_size for file in folder.glob("*.json")), default=0)


def documents(folder: Path) -> Iterator[tuple[str, str]]:
    """Docno, conclusion and premises of each argument: a whole file at a time."""
    for file in sorted(folder.glob("*.json")):
        for argument in json.loads(file.read_text(encoding="utf-8")).get("arguments", []):
            text = " ".join(premise["text"] for premise in argument["premises"])
            yield argument["id"], f"{argument['conclusion']} {text}"


def titles(folder: Path) -> list[tuple[str, str]]:
    """Number and title of each topic."""
    topics = xml.etree.ElementTree.parse(folder / "topics.xml").iter("topic")
    return [(topic.findtext("number", "").strip(), topic.findtext("title", "")) for topic in topics]


def warm_seconds(search: Callable[[], object]) -> float:
    """CPU seconds of all threads, the second time."""
    search()
    before = time.process_time()
    search()
    return time.process_time() - before


def pyterrier(folder: Path, work: Path) -> None:
    """PyTerrier as in its documentation; run by the Python that has it."""
    from pipeline import java

    java.start()
    import pyterrier as pt

    fed = ({"docno": docno, "text": text} for docno, text in documents(folder))
    pt.IterDictIndexer(str(work.resolve()), meta={"docno": 64}).index(fed)


def _bm25_of_pyterrier(folder: Path, work: Path) -> Callable[[], Any]:
    from pipeline import java

    java.start()
    import pandas as pd
    import pyterrier as pt

    bm25 = pt.terrier.Retriever(str(work.resolve()), wmodel="BM25", num_results=RESULTS)
    topics = pd.DataFrame(titles(folder), columns=["qid", "query"])
    return lambda: (pt.rewrite.tokenise() >> bm25).transform(topics)


def search_pyterrier(folder: Path, work: Path) -> float:
    """BM25."""
    return warm_seconds(_bm25_of_pyterrier(folder, work))


def run_pyterrier(folder: Path, work: Path) -> None:
    """Index, BM25 and run file in one process."""
    pyterrier(folder, work)
    ranking = _bm25_of_pyterrier(folder, work)()
    import pyterrier as pt

    pt.io.write_results(ranking, str(work / "run.txt"))


def tantivy(folder: Path, work: Path) -> None:
    """Tantivy with its English analyzer, frequencies without positions."""
    import tantivy as peer

    schema = peer.SchemaBuilder()
    schema.add_text_field("docno", stored=True, tokenizer_name="raw", index_option="basic")
    schema.add_text_field("text", tokenizer_name="en_stem", index_option="freq")
    index = peer.Index(schema.build(), path=str(work))
    writer = index.writer()
    for docno, text in documents(folder):
        writer.add_document(peer.Document(docno=docno, text=text))
    writer.commit()
    writer.wait_merging_threads()


def search_tantivy(folder: Path, work: Path) -> float:
    """BM25, which is all it has."""
    import tantivy as peer

    index = peer.Index.open(str(work))
    searcher = index.searcher()

    def search() -> None:
        for _, title in titles(folder):
            words = "".join(letter if letter.isalnum() else " " for letter in title)
            for _, address in searcher.search(index.parse_query(words, ["text"]), RESULTS).hits:
                searcher.doc(address)["docno"]

    return warm_seconds(search)


def bm25s(folder: Path, work: Path) -> None:
    """Bm25s with its English stop words and Snowball's English stemmer."""
    import bm25s as peer
    import Stemmer

    docnos, texts = zip(*documents(folder), strict=True)
    tokens = peer.tokenize(
        list(texts), stopwords="en", stemmer=Stemmer.Stemmer("english"), show_progress=False
    )
    index = peer.BM25()
    index.index(tokens, show_progress=False)
    index.save(str(work), corpus=list(docnos), show_progress=False)


def search_bm25s(folder: Path, work: Path) -> float:
    """BM25, its scores computed when it was indexed."""
    import bm25s as peer
    import Stemmer

    index = peer.BM25.load(str(work), load_corpus=True)
    stemmer = Stemmer.Stemmer("english")

    def search() -> None:
        words = [title for _, title in titles(folder)]
        tokens = peer.tokenize(words, stopwords="en", stemmer=stemmer, show_progress=False)
        found = min(RESULTS, index.scores["num_docs"])
        index.retrieve(tokens, k=found, show_progress=False)

    return warm_seconds(search)


INDEX = {"pyterrier": pyterrier, "tantivy": tantivy, "bm25s": bm25s}
SEARCH = {"pyterrier": search_pyterrier, "tantivy": search_tantivy, "bm25s": search_bm25s}
RUN = {"pyterrier": run_pyterrier}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peer", choices=INDEX)
    parser.add_argument("action", choices=["index", "search", "run"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("work", type=Path)
    given = parser.parse_args()
    actions: dict[str, Any] = {"index": INDEX, "search": SEARCH, "run": RUN}
    done = actions[given.action][given.peer](given.folder, given.work)
    if done is not None:
        print(done)
