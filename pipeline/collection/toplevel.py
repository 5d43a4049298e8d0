"""The way through the top level of a JSON file to its list of arguments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from pipeline.collection.spans import STRING, string_end
from pipeline.collection.window import LONGEST, Window
from pipeline.errors import InputError

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_plain_at = re.compile(rb'(?:[^"{}\[\]]++|' + STRING + rb")*+", re.DOTALL).match
_scalar_at = re.compile(rb"[-+.\w]*+").match
_is_scalar = re.compile(
    rb"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?|true|false|null|NaN|-?Infinity"
).fullmatch
"""A value that is no text, list or object; with those that Python writes though JSON has none."""


def lists(window: Window, *, inside: bool = False) -> Iterator[None]:
    """Stops where the top-level list ``arguments`` begins, behind its ``[``.

    The caller reads up to the list's ``]``, then goes on here: what follows must be JSON, too.
    Values of other keys are passed over, and only their end is looked for. A file without such a
    list is passed over as a whole, and gives nothing.

    Args:
        window: at the beginning of a file.
        inside: it is in the list already, where one of its values begins.

    Raises:
        InputError: the file is not JSON, is cut off, or has another thing of that name.
    """
    if not inside:
        window.more()
        if window.data.startswith(_BYTE_ORDER_MARK, 0, window.end):
            window.at = len(_BYTE_ORDER_MARK)
    if inside or window.peek() == ord("{"):
        yield from _members(window, inside=inside)
    else:
        _pass_value(window)
    if window.peek() >= 0:
        raise broken(window, f"the end of the file expected, found {found(window)}")


def has_list(file: Path) -> bool:
    """Whether a JSON file has a top-level list ``arguments``; reads no further than to that.

    Raises:
        InputError: as ``lists``, and where the file cannot be read.
    """
    with Window(file) as window:
        return next((True for _ in lists(window)), False)


def expect(window: Window, allowed: str) -> str:
    """Goes past the next byte that is not white space, and gives it.

    Raises:
        InputError: it is none of those allowed.
    """
    byte = window.peek()
    if byte < 0 or chr(byte) not in allowed:
        names = " or ".join(f"'{character}'" for character in allowed)
        raise broken(window, f"{names} expected, found {found(window)}")
    window.at += 1
    return chr(byte)


def found(window: Window) -> str:
    """The next byte that is not white space, in words."""
    byte = window.peek()
    if byte < 0:
        return "the end of the file"
    return repr(chr(byte)) if 32 < byte < 127 else f"0x{byte:02x}"


def broken(window: Window, what: str) -> InputError:
    """The error for what is not JSON where the window stands."""
    return InputError(f"{window.name}: {what} (byte {window.offset:,}); nothing was indexed")


def _members(window: Window, *, inside: bool) -> Iterator[None]:
    """Goes through the object that the window stands at, or in; stops in the list."""
    seen = inside
    if inside:
        yield
        expect(window, "]")
        if expect(window, ",}") == "}":
            return
    else:
        window.at += 1
        if window.peek() == ord("}"):
            window.at += 1
            return
    while True:
        name = _key(window)
        expect(window, ":")
        if name == "arguments":
            if seen or window.peek() != ord("["):
                second = 'only one "arguments"' if seen else 'a list as "arguments"'
                raise broken(window, f"{second} expected, found {found(window)}")
            seen = True
            window.at += 1
            yield
            expect(window, "]")
        else:
            _pass_value(window)
        if expect(window, ",}") == "}":
            return


def _key(window: Window) -> str:
    expect(window, '"')
    end = _string_end(window)
    try:
        name = json.loads(b'"' + window.data[window.at : end] + b'"')
    except ValueError:
        raise broken(window, "a key that is no JSON text") from None
    window.at = end + 1
    assert isinstance(name, str), "what stands in quotes is text"
    return name


def _string_end(window: Window) -> int:
    """The place of the closing quote of the text that begins at the window's place."""
    while (end := string_end(window.data, window.at, window.end)) < 0:
        if not window.more():
            near = f" within {LONGEST:,} bytes" if window.full else ""
            raise broken(window, f"a text that has no closing quote{near}")
    return end


def _pass_value(window: Window) -> None:
    """Goes past one JSON value."""
    depth = 0
    while True:
        byte = window.peek()
        if byte < 0:
            raise broken(window, f"JSON expected, found {found(window)}")
        if chr(byte) == '"':
            window.at += 1
            window.at = _string_end(window) + 1
        elif chr(byte) in "{[":
            window.at += 1
            depth += 1
        elif chr(byte) in "}]" and depth:
            window.at += 1
            depth -= 1
        elif depth:
            plain = _plain_at(window.data, window.at, window.end)
            assert plain is not None, "the pattern matches nothing, too"
            window.at = plain.end()
        else:
            _pass_scalar(window)
        if not depth:
            return


def _pass_scalar(window: Window) -> None:
    """Goes past a number, true, false or null."""
    while True:
        scalar = _scalar_at(window.data, window.at, window.end)
        assert scalar is not None, "the pattern matches nothing, too"
        word = scalar[0]
        if scalar.end() < window.end or not window.more():
            break
    if not _is_scalar(word):
        raise broken(window, f"JSON expected, found {found(window)}")
    window.at += len(word)
