"""Where the files of a collection can be cut, so that several processes read a part each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from pipeline.collection.argsme import Place
from pipeline.collection.spans import STRING
from pipeline.collection.toplevel import lists
from pipeline.collection.window import LONGEST, Window
from pipeline.errors import InputError, RunError

_SPACE = rb"[ \t\n\r]*+"
_key_at = re.compile(rb"\{" + _SPACE + rb"(" + STRING + rb")", re.DOTALL).match


def middle(files: Sequence[Path], share: float = 0.5) -> Place | None:
    """The argument that begins behind about this share of all bytes, as far as one can guess.

    In what is broken, or nested in a strange way, no argument may begin there. None where there is
    none behind it, or a file into which one cannot leap.

    Raises:
        OSError: a file cannot be read.
    """
    if any(file.suffix == ".gz" for file in files):
        return None
    sizes = [file.stat().st_size for file in files]
    offset, number = int(sum(sizes) * share), 0
    while offset > sizes[number]:
        offset -= sizes[number]
        number += 1
    found = _behind(files[number], offset)
    if found:
        return Place(number, found)
    return Place(number + 1, 0) if number + 1 < len(files) else None


def _behind(file: Path, offset: int) -> int:
    """Where an argument seems to begin behind an offset; 0 if nowhere near.

    It stands behind another object and a comma, and begins with the key of the file's first one.
    """
    try:
        with Window(file) as window:
            inside = next((True for _ in lists(window)), False)
            window.peek()
            key = _key_at(window.data, window.at, window.end) if inside else None
    except (InputError, RunError):  # it will be met again, and told, when the file is read
        return 0
    if key is None:
        return 0
    begin = rb"(?=\{" + _SPACE + re.escape(key[1]) + _SPACE + rb":)"
    with file.open("rb") as data:
        data.seek(offset)
        found = re.search(rb"\}" + _SPACE + rb"," + _SPACE + begin, data.read(LONGEST))
    return offset + found.end() if found else 0
