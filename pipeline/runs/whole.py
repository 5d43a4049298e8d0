"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path

from pipeline.errors import RunError

PART = ".part"
"""How the name of an unfinished file ends; it begins with a dot and the name it will get."""


def write(
    contents: Mapping[Path, bytes], check: Callable[[Mapping[Path, Path]], None] | None = None
) -> None:
    """Writes files, all of them whole or none of them.

    Each is written under a temporary name in its own folder and brought to disk. When all are
    there, and ``check`` raised nothing, they get their names in the order given.

    Args:
        contents: what each file will hold.
        check: called with the temporary name of each file.

    Raises:
        RunError: the disk is full, or a file cannot be written for another reason.
    """
    parts: dict[Path, Path] = {}
    named: list[Path] = []
    file = next(iter(contents))
    try:
        for file, content in contents.items():
            parts[file] = file.with_name(f".{file.name}.{secrets.token_hex(4)}{PART}")
            with parts[file].open("xb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
        if check:
            check(parts)
        for file, part in parts.items():
            part.replace(file)
            named.append(file)
    except BaseException as error:
        _remove(*parts.values(), *named)
        if isinstance(error, OSError):
            raise RunError(
                f"{file}: cannot be written: {error.strerror}; "
                "make room there, or choose another folder"
            ) from None
        raise
    for folder in {file.parent for file in contents}:
        sync(folder)


def remove_parts(folder: Path, *names: str) -> None:
    """Removes what a killed run left of files of these names.

    Raises:
        OSError: one of them cannot be removed.
    """
    for name in names:
        for part in folder.glob(f".{name}.*{PART}"):
            part.unlink(missing_ok=True)


def _remove(*files: Path) -> None:
    for file in files:
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)


def sync(folder: Path) -> None:
    """Brings the names in a folder to disk, where the file system can do that."""
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
