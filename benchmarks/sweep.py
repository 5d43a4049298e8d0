"""What a sweep costs: a hundred settings of BM25, by this program and by pt.GridScan.

    python benchmarks/sweep.py FOLDER [--index DIR] [--jobs N] [--peer]

The indexes are there before anything is measured. Judgements are made up of what is found: what
they say costs nothing. ``again`` is the same call a second time: all is there, and only read. At
full size of the corpus the last line says what was wanted, and whether it is met.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).parents[1]))

import wanted
from measure import OURS, FailedError, Used, measured, table

K1 = [round(0.4 + 0.4 * step, 1) for step in range(10)]
B = [round(0.1 * step, 1) for step in range(10)]
"""A setting is one of each."""

SWEEP = f"""\
base: default
over:
  index.engine: [arrays]
  stages[0].k1: {K1}
  stages[0].b: {B}
choose: {{by: nDCG@5}}
"""


def judge(run: Path, qrels: Path) -> None:
    """Judgements of 40 topmost documents a topic, every third of them relevant."""
    rows = [line.split() for line in run.read_text(encoding="utf-8").splitlines()]
    judged = (
        f"{qid} 0 {docno} {int(rank) % 3 == 0:d}\n"
        for qid, _, docno, rank, *_ in rows
        if int(rank) <= 40
    )
    qrels.write_text("".join(judged), encoding="utf-8")


def grid_scan(folder: Path, indexes: Path, judged: Path) -> None:
    """The same by PyTerrier, over Terrier's index."""
    import pyterrier as pt

    from pipeline.collection import topics
    from pipeline.collection.folder import open_collection
    from pipeline.index.settings import IndexSettings
    from pipeline.index.store import Store

    queries = topics.frame(topics.read(topics.find(folder)))[["qid", "query"]]
    queries["query"] = queries["query"].str.replace(r"[^\w\s]", " ", regex=True)
    qrels = pt.io.read_qrels(str(judged))
    with Store(indexes) as store:
        index = store.index(open_collection(folder), IndexSettings())
        bm25 = pt.terrier.Retriever(
            str(index.folder), wmodel="BM25", controls={"bm25.k_1": 1.2, "bm25.b": 0.75}
        )
        over = {bm25: {"bm25.k_1": K1, "bm25.b": B}}
        pt.GridScan(bm25, over, queries, qrels, ["ndcg_cut_5"])


def measure(folder: Path, indexes: Path, jobs: int, peer: bool, work: Path) -> dict[str, Used]:
    """Each row by its name."""
    sweep = work / "sweep.yaml"
    sweep.write_text(SWEEP, encoding="utf-8")
    arrays = work / "arrays.yaml"
    arrays.write_text("index: {engine: arrays}\nstages:\n  - retrieve: bm25\n", encoding="utf-8")
    kept = ["-i", str(folder), "--index", str(indexes), "--quiet"]
    needed = [
        arg for config in [str(arrays), *(["default"] if peer else [])] for arg in ("-c", config)
    ]
    measured([*OURS, "index", *kept, *needed])
    measured([*OURS, "run", *kept, "-c", str(arrays), "-o", str(work / "run")])
    qrels = work / "qrels.txt"
    judge(work / "run" / "run.txt", qrels)
    command = [*OURS, "sweep", str(sweep), *kept, "--qrels", str(qrels)]
    command += ["-o", str(work / "out"), "--jobs", str(jobs)]
    found = {"sweep": measured(command), "again": measured(command)}
    if peer:
        found["pt.GridScan"] = measured(
            [sys.executable, __file__, str(folder), "--index", str(indexes), "--scan", str(qrels)]
        )
    return found


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(exists=True, path_type=Path))
@click.option("--index", "indexes", type=click.Path(path_type=Path), help="Keeps indexes there.")
@click.option("--jobs", default=1, help="Processes.")
@click.option("--peer", is_flag=True, help="Measures pt.GridScan, too: minutes at full size.")
@click.option("--scan", type=click.Path(path_type=Path), hidden=True, help="Is pt.GridScan.")
def main(folder: Path, indexes: Path | None, jobs: int, peer: bool, scan: Path | None) -> None:
    """Prints a table."""
    with tempfile.TemporaryDirectory() as work:
        kept = indexes or Path(work, "indexes")
        if scan:
            grid_scan(folder, kept, scan)
            return
        try:
            found = measure(folder, kept, jobs, peer, Path(work))
        except FailedError as error:
            sys.exit(str(error))
    row = table(["CPU s", "wall s", "peak MB", "anonymous"], 16)
    for name, used in found.items():
        row(
            name, f"{used.cpu:.2f}", f"{used.wall:.2f}", f"{used.peak:.0f}", f"{used.anonymous:.0f}"
        )
    size = sum(file.stat().st_size for file in folder.glob("*.json*"))
    for line in wanted.verdicts(wanted.SWEEP, size, found):
        print(line)


if __name__ == "__main__":
    main()
