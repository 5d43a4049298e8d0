"""What an index costs: this program's builders and others, on one collection, in one run.

    python benchmarks/index.py FOLDER... [--only ROW]... [--json FILE] [--peers DIR] [--work DIR]

Every row is a process of its own that starts when the files are in memory, as far as there is
room. CPU seconds are those of all its processes together, and so is memory, which is looked at
twenty times a second. tantivy and bm25s are installed into an environment of their own. A row that
reads whole files with json.load is left out, with a line, where these do not fit in memory. At full
size of the corpus the last lines say what was wanted, and whether it is met.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).parents[1]))

import wanted
from measure import (
    OURS,
    PYTHON,
    FailedError,
    Row,
    Used,
    bytes_in,
    measured,
    table,
    warm,
    write_json,
)
from peers import needed, python_of_peers

from pipeline.java import memory_limit

TERRIER, ARRAYS, FURTHER = "terrier", "arrays", "further"
CONFIGS = {
    TERRIER: "stages:\n  - retrieve: bm25\n",
    ARRAYS: "index:\n  engine: arrays\nstages:\n  - retrieve: bm25\n",
    FURTHER: "index:\n  engine: arrays\n  stemmer: english\nstages:\n  - retrieve: bm25\n",
}
"""The systems whose indexes are built, by the name of their files."""


@dataclass(frozen=True)
class Places:
    """Where things are."""

    collection: Path
    work: Path
    """The configs; and the indexes meanwhile, a folder a row."""
    peers: Path
    """The environment of the peers."""


@dataclass(frozen=True)
class Build:
    """A row of this program: which index, and how."""

    title: str
    config: str
    builder: str = "fast"
    cores: int = 0
    variables: Mapping[str, str] = field(default_factory=dict)
    after: str = ""
    """The row whose folder of indexes it adds to."""

    def measured(self, places: Places, indexes: Path) -> Used:
        """Builds it."""
        command = ["index", "-i", str(places.collection), "--index", str(indexes), "--quiet"]
        chosen = ["--builder", self.builder, "-c", str(places.work / f"{self.config}.yaml")]
        return measured([*OURS, *command, *chosen], self.cores, self.variables)


@dataclass(frozen=True)
class Peer:
    """A row of another program."""

    title: str
    name: str
    installed: bool = False
    """Whether it runs in an environment of its own."""
    after: str = ""

    def measured(self, places: Places, indexes: Path) -> Used:
        """Builds its index."""
        indexes.mkdir(parents=True)
        python = [python_of_peers(places.peers), "-P"] if self.installed else PYTHON
        script = str(Path(__file__).with_name("peers.py"))
        action = [self.name, "index", str(places.collection), str(indexes)]
        return measured([*python, script, *action])


ROWS: dict[str, Build | Peer] = {
    "pyterrier": Peer("plain PyTerrier", "pyterrier"),
    "terrier": Build("--builder terrier", TERRIER, "terrier"),
    "fast": Build("--builder fast", TERRIER),
    "fast-one": Build("  the same on one core", TERRIER, cores=1),
    "arrays": Build("engine: arrays", ARRAYS),
    "arrays-one": Build("  the same on one core", ARRAYS, cores=1),
    "arrays-numpy": Build("  the same without C", ARRAYS, variables={"PIPELINE_KERNELS": "numpy"}),
    "further": Build("  another stemmer, stream kept", FURTHER, after="arrays"),
    "tantivy": Peer("tantivy", "tantivy", installed=True),
    "bm25s": Peer("bm25s", "bm25s", installed=True),
}
"""Every row by its name, in the order in which they run."""


def build_all(places: Places, only: tuple[str, ...]) -> dict[str, Used]:
    """Measures the rows, prints each; a row that another adds to runs when that one does."""
    collection = places.collection
    size = sum(file.stat().st_size for file in collection.glob("*.json*"))
    print(f"{collection}: {size / 1e6:,.0f} MB")
    row = table(["CPU s", "wall s", "peak MB", "anon. MB", "disk MB"])
    chosen = {name for name in ROWS if not only or name in only}
    before = {ROWS[name].after for name in chosen}
    found: dict[str, Used] = {}
    for name in [name for name in ROWS if name in chosen | before]:
        one = ROWS[name]
        if isinstance(one, Peer) and needed(collection) > memory_limit():
            row(one.title, f"left out: its reader would take {needed(collection) >> 30} GB")
            continue
        indexes = places.work / (one.after or name)
        there = bytes_in(indexes)
        warm(collection)
        try:
            found[name] = used = one.measured(places, indexes)
        except FailedError as error:
            row(one.title, f"failed: {error}")
        else:
            _show(row, one.title, used, bytes_in(indexes) - there)
        if name not in before:
            shutil.rmtree(indexes, ignore_errors=True)
    for line in wanted.verdicts(wanted.INDEX, size, found):
        print(line)
    return found


def _show(row: Row, title: str, used: Used, disk: int) -> None:
    memory = (f"{used.peak:,.0f}", f"{used.anonymous:,.0f}")
    row(title, f"{used.cpu:.1f}", f"{used.wall:.1f}", *memory, f"{disk / 1e6:,.0f}")


@click.command(help=__doc__)
@click.argument("folders", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--only", multiple=True, type=click.Choice(list(ROWS)), help="These rows alone.")
@click.option("--json", "file", type=click.Path(path_type=Path), help="Writes all of it.")
@click.option(
    "--peers", type=click.Path(path_type=Path), default=Path(__file__).with_name(".venv"),
    help="Environment of the peers; made if it is not there.",
)  # fmt: skip
@click.option("--work", type=click.Path(path_type=Path), help="Where the indexes go meanwhile.")
def main(
    folders: tuple[Path, ...],
    only: tuple[str, ...],
    file: Path | None,
    peers: Path,
    work: Path | None,
) -> None:
    """Prints a table a folder."""
    results = {}
    for folder in folders:
        with tempfile.TemporaryDirectory(dir=work) as place:
            for name, text in CONFIGS.items():
                Path(place, f"{name}.yaml").write_text(text)
            found = build_all(Places(folder, Path(place), peers), only)
        results[str(folder)] = {name: asdict(used) for name, used in found.items()}
    write_json(file, results)


if __name__ == "__main__":
    main()
