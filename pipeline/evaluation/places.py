"""Files of judgements below a folder: found by name or by what they hold."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pipeline.errors import InputError
from pipeline.evaluation import qrels
from pipeline.evaluation.official import OFFICIAL, Official, of_file
from pipeline.runs import lenient

LARGEST = 4 << 20
"""Bytes above which a file without a name of judgements is not looked into."""


class Place(NamedTuple):
    """A file of judgements below a folder."""

    file: Path
    official: Official | None
    stem: str
    """What its judgements are called where they are not official, or what that begins with."""

    @property
    def names(self) -> tuple[str, ...]:
        """What its judgements are called."""
        if not self.official:
            return (self.stem,)
        return tuple(one.name for one in OFFICIAL.values() if one.md5 == self.official.md5)


def search(folder: Path) -> list[Place]:
    """The files of judgements below a folder, in the order of their paths.

    These are the official files, whatever they are called, and all ``*.qrels`` and
    ``qrels*.txt``, plain or compressed. What begins with a dot is passed over. Of files of one
    name and content there is one.

    Raises:
        InputError: there are none.
    """
    places: dict[tuple[str, str], Place] = {}
    for file in _files(folder):
        usual = _is_usual(file.name) or of_file(file.name, "") is not None
        if usual or _is_like(file):
            digest = md5(lenient.content(file))
            official = of_file(file.name, digest)
            if usual or official:
                place = Place(file, official, stem(file.name))
                places.setdefault((digest, place.names[0]), place)
    if not places:
        raise InputError(f"{folder}: no judgements below it; *.qrels and qrels*.txt are read")
    return list(_told_apart(list(places.values()), folder))


def stem(name: str) -> str:
    """The name of a file without what its kind adds."""
    return name.removesuffix(".gz").removesuffix(".txt").removesuffix(".qrels")


def md5(content: bytes) -> str:
    """The hash by which official files are known."""
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    for path, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            file = Path(path, name)
            if not name.startswith(".") and file.is_file():
                yield file


def _is_usual(name: str) -> bool:
    plain = name.removesuffix(".gz")
    return plain.endswith(".qrels") or (plain.startswith("qrels") and plain.endswith(".txt"))


def _is_like(file: Path) -> bool:
    """Whether the first line is one of judgements, in a file of their size."""
    try:
        if file.stat().st_size > LARGEST:
            return False
        with file.open("rb") as stream:
            return qrels.is_like(stream.readline(500).decode("utf-8", "replace"))
    except OSError:
        return False


def _told_apart(places: list[Place], folder: Path) -> Iterator[Place]:
    """The places; those of one name get the folders before it, too."""
    stems = [place.stem for place in places if not place.official]
    for place in places:
        if stems.count(place.stem) > 1:
            below = place.file.relative_to(folder).parent / place.stem
            yield place._replace(stem=below.as_posix())
        else:
            yield place
