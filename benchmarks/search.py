"""What searching costs: both engines of this program and others, on one collection, in one run.

    python benchmarks/search.py FOLDER [--only ROW]... [--index DIR] [--json FILE] [--peers DIR]

CPU seconds, all threads, for the titles of all topics in FOLDER, 1000 documents each, the second
time; the sweep is a hundred settings of BM25's two parameters, once. Each engine has a process of
its own. At full size of the corpus the last lines say what was wanted, and whether it is met.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

sys.path.insert(0, str(Path(__file__).parents[1]))

import wanted
from measure import OURS, FailedError, measured, table, write_json
from peers import RESULTS, needed, python_of_peers, warm_seconds

from pipeline.java import memory_limit

if TYPE_CHECKING:
    import pandas as pd

    from pipeline.index.base import Index

MODELS = ("bm25", "dph", "dirichlet_lm", "pl2", "inl2", "tf_idf")
ENGINES = ("terrier", "arrays")
PEERS = ("tantivy", "bm25s")

K1 = [0.4 + 0.4 * step for step in range(10)]
B = [0.1 * step for step in range(10)]
"""A setting of the sweep is one of each."""

ROWS = (*MODELS, "rm3", "sweep")


def searches(index: Index, queries: pd.DataFrame) -> Iterator[tuple[str, Callable[[], float]]]:
    """Each row by its name, and what gives its seconds."""
    from pipeline.index import models

    def retrieval(model: models.WeightingModel) -> Callable[[], object]:
        found = index.retriever(model, RESULTS)
        return lambda: found.transform(queries)

    for name in MODELS:
        search = retrieval(models.MODELS[name]())
        yield name, lambda search=search: warm_seconds(search)
    bm25 = index.retriever(models.BM25(), RESULTS)
    expanded = bm25 >> index.expander(models.RM3()) >> bm25
    yield "rm3", lambda: warm_seconds(lambda: expanded.transform(queries))

    def sweep() -> float:
        before = time.process_time()
        for k1 in K1:
            for b in B:
                retrieval(models.BM25(k1=k1, b=b))()
        return time.process_time() - before

    yield "sweep", sweep


def engine(name: str, folder: Path, indexes: Path, only: tuple[str, ...]) -> dict[str, float]:
    """The seconds of each row, in this process."""
    from pipeline.collection import topics
    from pipeline.collection.folder import open_collection
    from pipeline.index.settings import IndexSettings
    from pipeline.index.store import Store

    queries = topics.frame(topics.read(topics.find(folder)))
    with Store(indexes) as store:
        index = store.index(open_collection(folder), IndexSettings(engine=name))
        return {row: seconds() for row, seconds in searches(index, queries) if row in only}


def measure(folder: Path, indexes: Path, peers: Path, only: tuple[str, ...]) -> dict[str, float]:
    """The seconds of each column and row, by ``column row``."""
    found: dict[str, float] = {}
    given = [arg for row in only for arg in ("--only", row)]
    for name in ENGINES:
        command = [sys.executable, __file__, str(folder), "--index", str(indexes)]
        used = measured([*command, "--engine", name, *given])
        found |= {f"{name} {row}": value for row, value in json.loads(used.output).items()}
    script = str(Path(__file__).with_name("peers.py"))
    for name in PEERS if "bm25" in only and needed(folder) < memory_limit() else ():
        with tempfile.TemporaryDirectory() as work:
            command = [python_of_peers(peers), "-P", script, name]
            measured([*command, "index", str(folder), work])
            used = measured([*command, "search", str(folder), work])
            found[f"{name} bm25"] = float(used.output)
    return found


def show(found: dict[str, float], folder: Path) -> None:
    """Prints the table."""
    row = table([*ENGINES, *PEERS, "x less"], 16)
    for name in ROWS:
        seconds = [found.get(f"{column} {name}") for column in (*ENGINES, *PEERS)]
        if any(seconds):
            terrier, arrays, *_ = seconds
            ratio = f"{terrier / arrays:.1f}" if terrier and arrays else ""
            row(name, *("" if value is None else f"{value:.3f}" for value in seconds), ratio)
    size = sum(file.stat().st_size for file in folder.glob("*.json*"))
    for line in wanted.verdicts(wanted.SEARCH, size, found):
        print(line)


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(exists=True, path_type=Path))
@click.option("--only", multiple=True, type=click.Choice(ROWS), help="These rows alone.")
@click.option("--index", "indexes", type=click.Path(path_type=Path), help="Keeps indexes there.")
@click.option("--json", "file", type=click.Path(path_type=Path), help="Writes all of it.")
@click.option(
    "--peers", type=click.Path(path_type=Path), default=Path(__file__).with_name(".venv"),
    help="Environment of the peers; made if it is not there.",
)  # fmt: skip
@click.option("--engine", "name", type=click.Choice(ENGINES), help="In this process, as JSON.")
def main(
    folder: Path,
    only: tuple[str, ...],
    indexes: Path | None,
    file: Path | None,
    peers: Path,
    name: str | None,
) -> None:
    """Prints a table."""
    rows = only or ROWS
    with tempfile.TemporaryDirectory() as work:
        kept = indexes or Path(work, "indexes")
        if name:
            print(json.dumps(engine(name, folder, kept, rows)))
            return
        build = [*OURS, "index", "-i", str(folder), "--index", str(kept), "--quiet"]
        for one in ENGINES:
            config = Path(work, f"{one}.yaml")
            config.write_text(f"index:\n  engine: {one}\nstages:\n  - retrieve: bm25\n")
            build += ["-c", str(config)]
        try:
            measured(build)
            found = measure(folder, kept, peers, rows)
        except FailedError as error:
            sys.exit(str(error))
        show(found, folder)
        write_json(file, {str(folder): found})


if __name__ == "__main__":
    main()
