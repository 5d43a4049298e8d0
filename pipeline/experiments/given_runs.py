"""Runs given on the command line: found, read, and told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from pipeline.errors import InputError
from pipeline.runs import lenient, verify


class GivenRun(NamedTuple):
    """A run that was read."""

    name: str
    """No other run given has it."""
    file: Path
    ranking: pd.DataFrame
    """As ``lenient.read`` has it."""
    assumed: list[str]
    """How what does not go without saying was taken."""


def read(paths: Sequence[Path]) -> list[GivenRun]:
    """Reads runs, each a file or a folder with ``run.txt`` in it.

    A run is called by its tag; one without a tag, or with several, by its folder or its file. Where
    two would have the same name, folders before it tell them apart.

    Raises:
        InputError: one is not there, holds no line of a run, or is given twice.
    """
    files = [verify.run_file(path) for path in paths]
    for file, times in Counter(file.resolve() for file in files).items():
        if times > 1:
            raise InputError(f"{file}: given {times} times, once is enough")
    read = [lenient.read(file) for file in files]
    tags = [_tag(run.ranking) for run in read]
    names = _apart([name or _stem(file) for name, file in zip(tags, files, strict=True)], files)
    return [
        GivenRun(name, file, run.ranking, run.assumed)
        for name, file, run in zip(names, files, read, strict=True)
    ]


def _tag(ranking: pd.DataFrame) -> str:
    """The tag of the run, if it has one that says something."""
    tags = [tag for tag in ranking["tag"].unique() if tag]
    one = tags[0] if len(tags) == 1 else ""
    return one if any(map(str.isalnum, one)) else ""


def _stem(file: Path) -> str:
    """The name of a file without ``.txt.gz``, or of its folder where it is only ``run.txt``."""
    stem = file.name.removesuffix(".gz").removesuffix(".txt")
    return file.resolve().parent.name if stem == "run" else stem


def _apart(names: Sequence[str], files: Sequence[Path]) -> list[str]:
    """Names without doubles: with their folder, else the whole path."""
    found = list(names)
    folders = [f"{file.resolve().parent.name}/" for file in files]
    for other in (
        [folder + name for folder, name in zip(folders, names, strict=True)],
        list(map(str, files)),
    ):
        often = Counter(found)
        found = [new if often[old] > 1 else old for old, new in zip(found, other, strict=True)]
    return found
