"""The kernels in C as a library: found, compared with their source, and loaded; or why not.

The library is made from ``kernels.c`` when the project is installed and a compiler is there. It
says from which source it was made: one that was made from another is never used. Everything works
without it, slower.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from pipeline.errors import InputError

SOURCE = Path(__file__).parent / "index" / "arrays" / "kernels.c"
VARIABLE = "PIPELINE_KERNELS"
"""Environment variable: ``numpy`` for no library, or the path of the one to use."""


class UnusableError(Exception):
    """A library that cannot be used; the message says why, in a few words."""


def library() -> ctypes.CDLL | None:
    """The kernels in C, if they can be used.

    Raises:
        InputError: the library that the environment names cannot be used.
    """
    return _found()[0]


def missing() -> str:
    """Why there are no kernels in C, and the cure; empty where there are.

    Raises:
        InputError: the library that the environment names cannot be used.
    """
    return _found()[1]


def in_use() -> str:
    """Which kernels run: ``C`` or ``numpy``.

    Raises:
        InputError: the library that the environment names cannot be used.
    """
    return "C" if library() else "numpy"


@cache
def _found() -> tuple[ctypes.CDLL | None, str]:
    given = os.environ.get(VARIABLE, "")
    if given == "numpy":
        return None, f"{VARIABLE}=numpy"
    if given:
        try:
            return load(Path(given)), ""
        except UnusableError as error:
            raise InputError(f"{VARIABLE}={given}: {error}; 'numpy' or a library") from error
    reason = "not built"
    for file in sorted(SOURCE.parent.glob("_kernels*.so")):
        try:
            return load(file), ""
        except UnusableError as error:
            reason = f"{file.name}: {error}"
    venv = os.environ.get("PIPELINE_VENV")
    cure = f"{venv}/bin/python setup.py build_ext --inplace" if venv else "./run.sh setup"
    return None, f"{reason}; install gcc, and {cure}"


def load(file: Path) -> ctypes.CDLL:
    """The library in a file.

    Raises:
        UnusableError: it is none, or was made from another source.
    """
    try:
        loaded = ctypes.CDLL(str(file.absolute()))
        made_from = loaded.kernels_source
    except (OSError, AttributeError) as error:
        raise UnusableError("not a library of these kernels that this machine can load") from error
    made_from.restype = ctypes.c_char_p
    if made_from().decode() != digest():
        raise UnusableError(f"made from another {SOURCE.name}")
    loaded.porter.argtypes = [ctypes.c_char_p, ctypes.c_int64]
    loaded.porter.restype = ctypes.c_int64
    return loaded


def digest() -> str:
    """What a library must say that it was made from: 16 hexadecimal digits."""
    source = SOURCE.read_bytes() if SOURCE.exists() else b""
    return hashlib.sha256(source).hexdigest()[:16]


def porter(words: Sequence[str], otherwise: Callable[[str], str]) -> list[str]:
    """The Porter stems of words, as Terrier makes them.

    Args:
        words: lower-cased.
        otherwise: the stem of one word: for words that are not ASCII, and where there is no C.
    """
    loaded = library()
    if loaded is None:
        return [otherwise(word) for word in words]
    text = "\n".join([*words, ""])
    if text.isascii() and text.count("\n") == len(words):
        buffer = ctypes.create_string_buffer(text.encode(), len(text))
        length = loaded.porter(buffer, len(text))
        return buffer.raw[:length].decode().split("\n")[:-1]
    stems = iter(porter([word for word in words if _is_plain(word)], otherwise))
    return [next(stems) if _is_plain(word) else otherwise(word) for word in words]


def _is_plain(word: str) -> bool:
    """Whether the kernel takes the word."""
    return word.isascii() and "\n" not in word
