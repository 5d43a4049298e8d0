"""What an index says of itself: written last when it is made, checked before it is used."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import xxhash

from pipeline.index.lock import LOCK

NAME = "index.json"
BLOCK = 1 << 20
"""Bytes of a file that are read at once."""


_OTHER = {
    "collection": "of another collection",
    "settings": "with other settings",
    "what": "into something else",
    "format": "by another version of this program",
}


class UnfitError(Exception):
    """An index that must not be used; the text says why."""


def write(folder: Path, made: Mapping[str, Any], *, sync: bool = True) -> dict[str, Any]:
    """Writes what the index was made of, and every file of it with its size and its sum.

    Args:
        folder: where the index is.
        made: what the record says, but for the files.
        sync: all of it is brought to disk, so that whoever finds the record finds the rest.

    Returns:
        The record.
    """
    record = {**made, "files": {name: _sum(folder / name) for name in _files(folder)}}
    whole = {"xxh3": _sealed(record), "index": record}
    (folder / NAME).write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
    if sync:
        _bring_to_disk(folder)
    return record


def identity(record: Mapping[str, Any]) -> str:
    """16 hexadecimal digits: equal for records of files that are equal byte for byte."""
    return _sealed(record["files"])


def _bring_to_disk(folder: Path) -> None:
    for path in [*folder.rglob("*"), folder]:
        opened = os.open(path, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def read(folder: Path, made_of: Mapping[str, Any]) -> dict[str, Any]:
    """The record of the index in a folder.

    Args:
        folder: where the index is.
        made_of: what it must have been made of, and by what.

    Raises:
        UnfitError: it is not whole, or made of something else.
    """
    try:
        whole = json.loads((folder / NAME).read_text(encoding="utf-8"))
        record: dict[str, Any] = whole["index"]
        if whole["xxh3"] != _sealed(record):
            raise UnfitError(f"{NAME} is damaged")
        for what, value in made_of.items():
            if record[what] != value:
                raise UnfitError(f"it was made {_OTHER.get(what, 'otherwise')}")
        for name, known in record["files"].items():
            if _sum(folder / name) != known:
                raise UnfitError(f"{name} is damaged")
    except OSError as error:
        missing = Path(error.filename or NAME).name
        raise UnfitError(f"{missing} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnfitError(f"{NAME} is damaged") from error
    return record


def _files(folder: Path) -> list[str]:
    paths = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in paths if path not in (NAME, LOCK))


def _sum(file: Path) -> list[Any]:
    """Its size, and the XXH3 of all of it: a tenth of a second for the index of 387,740 arguments.

    Terrier does not notice a damaged file; it may search in one without end.
    """
    whole = xxhash.xxh3_64()
    with file.open("rb", buffering=0) as stream:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(0)
        while block := stream.read(BLOCK):
            whole.update(block)
    return [size, whole.hexdigest()]


def _sealed(record: Mapping[str, Any]) -> str:
    return xxhash.xxh3_64_hexdigest(json.dumps(record, sort_keys=True).encode())
