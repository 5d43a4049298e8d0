"""Clusters of this machine, and sweeps on them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

import clusters

OVER = """\
base: default
over:
  index.engine: [arrays]
  stages[0].k1: {k1}
  stages[0].b: {b}
choose: {{by: nDCG@5, folds: 2}}
"""
SMALL = OVER.format(k1="[0.9, 2, 4, 8]", b="[0.1, 0.4]")
"""8 points."""
LARGE = OVER.format(k1="{from: 0.5, to: 5, steps: 10}", b="[0.1, 0.2, 0.3, 0.4]")
"""40 points."""


class Sweep:
    """The verb, called over and over with one file; and what it comes to undisturbed."""

    def __init__(self, folder: Path, text: str, collection: Path, qrels: Path):
        self.folder, self.file = folder, folder / "tune.yaml"
        self.file.write_text(text)
        self.given = ["-i", str(collection), "--qrels", str(qrels)]
        self.points = 8 if text == SMALL else 40
        self.call("alone", "--index", self.index)
        self.table = (folder / "alone" / "table.csv").read_bytes()
        self.result = (folder / "alone" / "result.json").read_bytes()

    @property
    def index(self) -> str:
        return str(self.folder / "indexes")

    def begin(self, name: str, *words: str, **environ: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-P", "-m", "pipeline", "sweep", str(self.file), *self.given]
        return subprocess.Popen(
            [*command, "-o", str(self.folder / name), *words],
            env={**clusters.ENVIRONMENT, **environ}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def call(self, name: str, *words: str, **environ: str) -> tuple[str, str]:
        with self.begin(name, *words, **environ) as process:
            said = process.communicate(timeout=200)
        assert process.returncode == 0, said
        return said

    def done(self, name: str) -> int:
        """How many points are there."""
        return len([*(self.folder / name).glob("points/[0-9a-f]*")])

    def disturbed(
        self,
        name: str,
        disturb: Callable[[subprocess.Popen[str]], object],
        *words: str,
        least: int = 3,
        **environ: str,
    ) -> tuple[int, str]:
        """A call that is disturbed when the first points are there, and not all."""
        with self.begin(name, *words, **environ) as process:
            clusters.until(
                lambda: self.done(name) >= least or process.poll() is not None, "some points"
            )
            before = self.done(name)
            disturb(process)
            said = process.communicate(timeout=200)
        assert least <= before < self.points, (before, said)
        return process.returncode, said[1]

    def is_whole(self, name: str) -> bool:
        """Whether a sweep came to the very same as an undisturbed one."""
        out = self.folder / name
        assert not [*(out / "points").glob(".*")], "nothing unfinished is left"
        table, result = (out / file for file in ("table.csv", "result.json"))
        return table.read_bytes() == self.table and result.read_bytes() == self.result


@pytest.fixture(scope="session")
def small(tmp_path_factory) -> Sweep:
    """8 points over the tiny collection."""
    tiny = clusters.ROOT / "tests" / "collection-tiny"
    return Sweep(tmp_path_factory.mktemp("small"), SMALL, tiny, tiny / "qrels.txt")


@pytest.fixture(scope="session")
def large(tmp_path_factory, shared: Path) -> Sweep:
    """40 points over argsme-mini."""
    mini = shared / "argsme-mini"
    return Sweep(tmp_path_factory.mktemp("large"), LARGE, mini, mini / "qrels.txt")


@pytest.fixture(scope="session")
def dask_cluster(tmp_path_factory):
    """A scheduler and two workers."""
    with clusters.DaskCluster(tmp_path_factory.mktemp("dask")) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def slurm_cluster(tmp_path_factory):
    """A controller and two nodes."""
    try:
        cluster = clusters.SlurmCluster(tmp_path_factory.mktemp("slurm"))
    except clusters.NotHereError as error:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(error))
    with cluster:
        yield cluster
