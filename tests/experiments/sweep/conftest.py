"""Sweeps over the collection written by hand, and stages that count what they do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import PositiveInt

from pipeline.cli import main
from pipeline.errors import RunError
from pipeline.stages.base import REGISTRY, Context, Retriever, register
from pipeline.stages.rerank.base import Reranker

TINY = Path(__file__).parents[2] / "collection-tiny"

CALLS: Counter[str] = Counter()
"""How often the stages of tests did their work."""


class CountedRetriever(Retriever):
    """BM25, counted."""

    k1: float = 1.2
    fails: bool = False

    def build(self, context: Context) -> Any:
        from pipeline.index.models import BM25
        from pipeline.stages.transformer import StageTransformer

        index = context.index(self.index)
        search = index.retriever(BM25(k1=self.k1), self.num_results)

        def run(queries: Any) -> Any:
            CALLS["retrieve"] += 1
            if self.fails:
                raise RunError("it fails, as it was told to")
            return search.transform(queries)

        return StageTransformer(self, run, index)


class CountedReranker(Reranker):
    """Prefers long documents, counted."""

    every: PositiveInt = 1

    def score(self, ranking: Any) -> Any:
        CALLS["score"] += 1
        return ranking["text"].str.len() // self.every


@pytest.fixture
def counted() -> Iterator[Counter[str]]:
    """``retrieve: counted`` and ``rerank: counted`` are there meanwhile; gives their calls."""
    register("counted")(CountedRetriever)
    register("counted")(CountedReranker)
    CALLS.clear()
    yield CALLS
    for verb in ("retrieve", "rerank"):
        del REGISTRY[verb]["counted"]


BASE = {"name": "base", "index": {"engine": "arrays"}, "stages": [{"retrieve": "bm25"}]}


class Sweeps:
    """A folder in which sweeps are written and called, in this process."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]):
        self.folder, self.capsys = folder, capsys
        self.out = folder / "out"

    def write(self, over: Mapping[str, Any], **more: Any) -> Path:
        """A sweep; ``base`` and ``stages`` are of its base."""
        base = {**BASE, **more.pop("base", {})}
        (self.folder / "base.yaml").write_text(yaml.safe_dump(base), encoding="utf-8")
        file = self.folder / "tune.yaml"
        whole = {"base": "base.yaml", "over": dict(over), **more}
        file.write_text(yaml.safe_dump(whole, sort_keys=False), encoding="utf-8")
        return file

    def call(self, *options: object, out: Path | None = None, code: int = 0) -> Shown:
        """``sweep tune.yaml`` over the tiny collection, and what it said."""
        given = [self.folder / "tune.yaml", "-o", out or self.out, *options]
        if "-i" not in options:
            given += ["-i", TINY]
        if "--qrels" not in options:
            given += ["--qrels", TINY / "qrels.txt"]
        left = 0
        try:
            main(["sweep", *map(str, given)])
        except SystemExit as error:
            left = int(error.code or 0)
        out_, err = self.capsys.readouterr()
        assert left == code, err
        assert err.isascii()
        return Shown(out_, err)

    def table(self, out: Path | None = None) -> list[list[str]]:
        """The lines of the table, split."""
        text = ((out or self.out) / "table.csv").read_text(encoding="utf-8")
        return [line.split(",") for line in text.splitlines()]

    def points(self, out: Path | None = None) -> dict[str, dict[str, bytes]]:
        """Every file of every point that must be the same of the same key."""
        folder = (out or self.out) / "points"
        return {
            point.name: {
                file.name: file.read_bytes()
                for file in point.iterdir()
                if file.name != "ir-metadata.yml"
            }
            for point in folder.iterdir()
        }


class Shown:
    """What a call said."""

    def __init__(self, out: str, err: str):
        self.out, self.err = out, err
        self.problems = [line for line in err.splitlines() if not line.startswith("note")]


@pytest.fixture
def sweeps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Sweeps:
    return Sweeps(tmp_path, capsys)


@pytest.fixture
def tiny() -> Path:
    return TINY
