"""What an input folder holds: the files of a collection."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import xxhash

from pipeline.collection.argsme import Place, Report, read
from pipeline.collection.argument import Argument
from pipeline.collection.toplevel import has_list
from pipeline.errors import InputError

BLOCK, BLOCKS = 1 << 16, 64
"""Of each file so many blocks of so many bytes are hashed; a file no longer than that is whole."""

NAMED = 10
"""How many files of a folder an error names."""


@dataclass
class Collection:
    """Documents in a folder. Two folders with the same files are the same collection."""

    folder: Path
    files: tuple[Path, ...]
    """By name; the ``file`` of an argument is a place in it."""
    report: Report = field(default_factory=Report, compare=False)
    """What was met while the arguments were read; complete after the last."""

    @property
    def bytes(self) -> int:
        """The size of the files on the disk."""
        return sum(file.stat().st_size for file in self.files)

    def arguments(
        self,
        progress: Callable[[int], None] | None = None,
        until: Callable[[Place], bool] | None = None,
    ) -> Iterator[Argument]:
        """The arguments in order; see ``argsme.read``."""
        self.report = Report(skipped=self.report.skipped)
        return read(self.files, progress, self.report, until=until)

    def fingerprint(self) -> str:
        """A hash of names and sizes of the files, and of blocks evenly spread over each.

        It depends on neither the folder nor the dates of the files. A change that keeps the size
        and lies between the blocks is not seen: all of 8 GB would take as long as reading it.
        """
        whole = xxhash.xxh3_128()
        for file in self.files:
            size = file.stat().st_size
            whole.update(f"{file.name}\0{size}\0{_sample(file, size).hexdigest()}\n".encode())
        return whole.hexdigest()


def _sample(file: Path, size: int) -> xxhash.xxh3_128:
    sample = xxhash.xxh3_128()
    with file.open("rb", buffering=0) as data:
        if size <= BLOCK * BLOCKS:
            sample.update(data.read())
            return sample
        for block in range(BLOCKS):
            data.seek((size - BLOCK) * block // (BLOCKS - 1))
            sample.update(data.read(BLOCK))
    return sample


def open_collection(folder: Path) -> Collection:
    """The collection in a folder: its ``*.json`` and ``*.json.gz`` with a list ``arguments``.

    Other JSON files are named in the report; hidden files and subfolders do not count.

    Raises:
        InputError: there is no such folder, none of its files is of args.me, or one that is named
            so is not JSON.
    """
    paths = _paths(folder)
    files = [path for path in paths if path.name.endswith((".json", ".json.gz"))]
    of_argsme = tuple(file for file in files if has_list(file))
    if not of_argsme:
        raise InputError(f'{folder}: no file with "arguments"; the folder holds {_holds(paths)}')
    skipped = tuple(file.name for file in files if file not in of_argsme)
    return Collection(folder, of_argsme, Report(skipped=skipped))


def _holds(paths: list[Path]) -> str:
    more = [f"{len(paths) - NAMED:,} more"] if len(paths) > NAMED else []
    return ", ".join([path.name for path in paths[:NAMED]] + more) or "nothing"


def _paths(folder: Path) -> list[Path]:
    """The files in a folder by name, hidden ones left out."""
    if not folder.exists():
        raise InputError(f"{folder}: no such folder")
    if not folder.is_dir():
        raise InputError(f"{folder}: a file, a folder expected")
    try:
        return sorted(
            path for path in folder.iterdir() if path.is_file() and not path.name.startswith(".")
        )
    except OSError as error:
        raise InputError(f"{folder}: cannot be read: {error.strerror}") from error
