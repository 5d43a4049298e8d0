"""Where the arguments of a list begin and end, found without parsing them.

An argument of args.me carries the whole page it was taken from, ``context.sourceText``: nine
tenths of all bytes, the same in every argument of the page. It is never read: one that repeats the
page before is skipped by comparing bytes, any other by looking for its closing quote.

All of this is exact for valid JSON, whatever its white space and the order of its keys. For broken
JSON the span may be wrong; what it holds is broken JSON then, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from pipeline.collection.window import Window

STRING = (
    rb'"(?:[^"]*+(?<!\\)"'  # quick: no quote inside
    rb'|(?:[^"]*+(?<=[^\\]\\)")*+[^"]*+(?<!\\)"'  # quick: each quote inside behind one backslash
    rb'|[^"\\]*+(?:\\.[^"\\]*+)*+")'  # exact
)
"""A pattern for a JSON string."""

_OTHER = rb'[^"{}]*+'
_FLAT = rb"\{" + _OTHER + rb"(?:" + STRING + _OTHER + rb")*+\}"
_NESTED = rb"\{" + _OTHER + rb"(?:(?:" + STRING + rb"|" + _FLAT + rb")" + _OTHER + rb")*+\}"
_BRACE = _OTHER + rb"(?:(?:" + STRING + rb"|" + _NESTED + rb")" + _OTHER + rb")*+[{}]"

_brace_after = re.compile(_BRACE, re.DOTALL).match
"""Matches up to the next brace outside strings, small objects on the way passed over as a whole."""

_page_after = re.compile(rb'"sourceText"[ \t\n\r]*+:[ \t\n\r]*+"').search
"""Finds the next key of that name with a string. In a string its quotes would be escaped."""

_gap_at = re.compile(rb"[ \t\n\r]*+(,[ \t\n\r]*+)?+").match
_separator_at = re.compile(rb'\}[ \t\n\r]*+,[ \t\n\r]*+\{[ \t\n\r]*+"\w++"').match
"""Matches from the last byte of an object to the first key of the next."""

_OPEN, _BACKSLASH = b"{\\"
_NEAR = 1 << 14
"""How far from its beginning the page of an argument is guessed, and from there its end."""

T = TypeVar("T")


@dataclass(slots=True)
class Found(Generic[T]):
    """One object of the list."""

    start: int
    """Offset of its first byte in the file."""
    end: int
    """Offset behind its last byte."""
    json: bytes | bytearray
    """Its bytes without the content of its first ``sourceText``."""
    cut: int
    """Where in ``json`` that content is left out."""
    value: T | None
    """What ``read`` made of it; None where ``read`` could not, or was not asked."""

    def offset(self, place: int) -> int:
        """The offset in the file of a place in ``json``."""
        left_out = self.end - self.start - len(self.json)
        return self.start + place + (left_out if place >= self.cut else 0)


def string_end(data: bytes | bytearray, begin: int, end: int) -> int:
    """The place of the quote that closes a JSON string; -1 if there is none.

    Args:
        data: what holds it.
        begin: the place behind its opening quote.
        end: where to stop looking.
    """
    quote = data.find(b'"', begin, end)
    while quote > begin and data[quote - 1] == _BACKSLASH:
        before = quote - 2
        while before >= begin and data[before] == _BACKSLASH:
            before -= 1
        if (quote - before) % 2:
            break
        quote = data.find(b'"', quote + 1, end)
    return quote


def without_page(json: bytes, start: int = 0) -> Found[Any]:
    """One object, whole or cut off, without the content of its first ``sourceText``.

    Args:
        json: its bytes.
        start: where they begin in the file.
    """
    key = _page_after(json)
    quote = string_end(json, key.end(), len(json)) if key else -1
    cut = key.end() if key and quote >= 0 else 0
    rest = json[:cut] + json[quote:] if cut else json
    return Found(start, start + len(json), rest, cut, None)


_Span: TypeAlias = tuple[int, int, bytearray, T | None]
"""End, cut, bytes without the page, and what they were read as."""


class Spans(Generic[T]):
    """Goes through the objects of lists.

    The end of an object is guessed first: what stood between the two objects before, up to the
    first key, follows this one too. The guess is right if and only if ``read`` can read what lies
    before that end as one object; where it cannot, braces are counted.
    """

    def __init__(self, read: Callable[[bytearray], T], *, guess: bool = True):
        self._read = read
        self._guess = guess
        self._page = b'"'
        self._separator = b""

    def objects(self, window: Window) -> Iterator[Found[T]]:
        """The objects from where the window stands to the first thing that is none.

        Leaves the window behind the last of them. The last may be one that has no end, or behind
        which the file ends.
        """
        window.peek()
        while True:
            base, data, at, end = window.start, window.data, window.at, window.end
            key = key_end = -1
            while at < end and data[at] == _OPEN:
                if key < at:
                    page = _page_after(data, at, end)
                    key, key_end = page.span() if page else (end, end)
                span = self._guessed(data, at, key_end, end) or self._counted(
                    data, at, key, key_end, end
                )
                if span is None:
                    break
                close, cut, json, value = span
                gap = _gap_at(data, close, end)
                assert gap is not None, "the pattern matches nothing, too"
                if gap.end() == end:
                    break
                yield Found(base + at, base + close, json, cut, value)
                at = gap.end() if gap[1] and data[gap.end()] == _OPEN else close
            window.at = at
            if at < end and data[at] != _OPEN:
                return
            if not window.more():
                break
        if window.at < window.end:
            yield without_page(bytes(window.data[window.at : window.end]), window.offset)
            window.at = window.end

    def _guessed(self, data: bytearray, at: int, page: int, end: int) -> _Span[T] | None:
        """The object at ``at``, if it ends as the one before; the next page begins at ``page``."""
        if not self._guess or not self._separator:
            return None
        cut, behind = 0, at
        if page < min(at + _NEAR, end):
            cut, behind = page - at, self._page_end(data, page, end)
        close = data.find(self._separator, behind, min(behind + _NEAR, end)) + 1
        if not behind or not close:
            return None
        json = data[at:page] + data[behind - 1 : close] if cut else data[at:close]
        try:
            return close, cut, json, self._read(json)
        except (ValueError, RecursionError):
            return None

    def _counted(self, data: bytearray, at: int, key: int, page: int, end: int) -> _Span[T] | None:
        """The object at ``at`` to its closing brace; None if that is not in memory."""
        here, stop, depth, cut = at + 1, key, 1, 0
        while depth:
            brace = _brace_after(data, here, stop)
            if brace:
                here = brace.end()
                depth += 1 if data[here - 1] == _OPEN else -1
            elif stop == end:
                return None
            else:
                behind = here = self._page_end(data, page, end)
                cut, stop = page - at, end
                if not behind:
                    return None
        json = data[at:page] + data[behind - 1 : here] if cut else data[at:here]
        separator = _separator_at(data, here - 1, end)
        self._separator = separator[0] if separator else b""
        try:
            return here, cut, json, self._read(json)
        except (ValueError, RecursionError):
            return here, cut, json, None

    def _page_end(self, data: bytearray, page: int, end: int) -> int:
        """The place behind the closing quote of a page; 0 if that is not in memory."""
        if data.startswith(self._page, page, end):
            return page + len(self._page)
        behind = string_end(data, page, end) + 1
        if behind:
            self._page = bytes(data[page:behind])
        return behind
