"""One argument: what is kept of it, and how that is read from its JSON."""

from __future__ import annotations

import json
import re
from typing import Any, TypeVar

import msgspec


class Argument(msgspec.Struct, frozen=True, gc=False):
    """What is kept of an argument; a part that the collection does not give is ``""``."""

    docno: str
    conclusion: str
    premises: str
    """The texts of all premises, joined by blanks."""
    stance: str
    """Of the first premise: PRO or CON."""
    title: str
    """Of the debate: ``context.topic``, else ``context.discussionTitle``."""
    author: str
    domain: str
    """Where it was said, as in debate.org."""
    file: int
    """Which of the collection's files holds it."""
    start: int
    """Offset of its JSON object in that file, in uncompressed bytes."""
    end: int
    """Offset behind its JSON object."""


class _Premise(msgspec.Struct, gc=False):
    text: str
    stance: str | None = None


class _Context(msgspec.Struct, gc=False, rename="camel"):
    topic: str | None = None
    discussion_title: str | None = None
    author: str | None = None
    source_domain: str | None = None


class Parsed(msgspec.Struct, gc=False):
    """What is read of an argument's JSON. ``id``, premises and their texts must be there."""

    id: str
    premises: list[_Premise]
    conclusion: str | None = None
    context: _Context | None = None

    def argument(self, file: int, start: int, end: int) -> Argument:
        """The record of it, found at that place."""
        premises, context = self.premises, self.context or _NO_CONTEXT
        return Argument(
            self.id,
            self.conclusion or "",
            premises[0].text if len(premises) == 1 else " ".join([one.text for one in premises]),
            premises[0].stance or "" if premises else "",
            context.topic or context.discussion_title or "",
            context.author or "",
            context.source_domain or "",
            file,
            start,
            end,
        )


_NO_CONTEXT = _Context()


class BadArgumentError(ValueError):
    """An argument that cannot be read."""

    def __init__(self, what: str, place: int | None = None, *, cut_off: bool = False):
        self.what = what
        self.place = place
        """Where in its bytes; None if it is JSON and says something that is not allowed."""
        self.cut_off = cut_off
        """Whether nothing is wrong but that it ends too early."""
        super().__init__(what)


def parse_plain(argument: bytes | bytearray) -> Parsed:
    """Reads one JSON object that is as arguments are written, and no other.

    Raises:
        ValueError, RecursionError: it is not so; ``parse`` knows what is wrong, if anything is.
    """
    if not argument.isascii():
        argument.decode()
    parsed = _decode(argument)
    if not parsed.id or _breaks_word(parsed.id):
        raise ValueError
    return parsed


def parse(argument: bytes | bytearray) -> Parsed:
    """Reads one JSON object.

    Half of a surrogate pair, which JSON can spell and no file can hold, becomes U+FFFD. NaN and
    Infinity, which Python writes, pass, as nothing here is a number. Of a key that is there twice
    the last counts.

    Raises:
        BadArgumentError: it is not JSON, or is no argument.
    """
    try:
        return parse_plain(argument)
    except (ValueError, RecursionError):
        return _checked(_python_value(argument))


def _python_value(argument: bytes | bytearray) -> Any:
    try:
        text = argument.decode()
        value, _ = _python.raw_decode(text)
        return value
    except UnicodeDecodeError as error:
        cut_off = error.reason == "unexpected end of data"
        raise BadArgumentError("broken UTF-8", error.start, cut_off=cut_off) from None
    except json.JSONDecodeError as error:
        cut_off = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
        what = f"broken JSON, {error.msg[0].lower()}{error.msg[1:]}"
        raise BadArgumentError(what, len(text[: error.pos].encode()), cut_off=cut_off) from None
    except RecursionError:
        raise BadArgumentError("lists or objects nested too deeply") from None


def _checked(value: Any) -> Parsed:
    """The same as msgspec would make of it, or in words why not."""
    argument = _member({"it": value}, "it", "it", dict, needed=True)
    docno = _member(argument, "id", "id", str, needed=True)
    if not docno:
        raise BadArgumentError("id is empty, one word expected")
    if _breaks_word(docno) or _half_pair.search(docno):
        raise BadArgumentError(f"id {docno!a} has a blank or control character, one word expected")
    premises = _member(argument, "premises", "premises", list, needed=True)
    context = _member(argument, "context", "context", dict) or {}
    return Parsed(
        id=docno,
        conclusion=_text(argument, "conclusion", "conclusion"),
        premises=[_premise(premise, f"premises[{i}]") for i, premise in enumerate(premises)],
        context=_Context(
            topic=_text(context, "topic", "context.topic"),
            discussion_title=_text(context, "discussionTitle", "context.discussionTitle"),
            author=_text(context, "author", "context.author"),
            source_domain=_text(context, "sourceDomain", "context.sourceDomain"),
        ),
    )


def _premise(value: Any, where: str) -> _Premise:
    premise = _member({"it": value}, "it", where, dict, needed=True)
    return _Premise(
        text=_text(premise, "text", f"{where}.text", needed=True),
        stance=_text(premise, "stance", f"{where}.stance"),
    )


def _text(parent: dict[str, Any], key: str, where: str, *, needed: bool = False) -> str:
    return _half_pair.sub("\ufffd", _member(parent, key, where, str, needed=needed))


K = TypeVar("K", str, list[Any], dict[str, Any])


def _member(
    parent: dict[str, Any], key: str, where: str, kind: type[K], *, needed: bool = False
) -> K:
    """A member of an object; an empty one where it may be missing or null and is."""
    value = parent.get(key)
    if isinstance(value, kind):
        return value
    if value is None and not needed:
        return kind()
    what = _NAMES[type(value)] if key in parent else "missing"
    raise BadArgumentError(f"{where} is {what}, {_NAMES[kind].split()[-1]} expected")


_NAMES: dict[type, str] = {
    str: "text",
    float: "a number",
    bool: "true or false",
    type(None): "null",
    list: "a list",
    dict: "an object",
}


_decode = msgspec.json.Decoder(Parsed).decode
_python = json.JSONDecoder(parse_int=float)
_breaks_word = re.compile(r"[\s\x00-\x1f\x7f-\x9f]").search
_half_pair = re.compile("[\ud800-\udfff]")
