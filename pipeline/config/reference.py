"""What a config can say, in words made from the code that carries it out."""

from __future__ import annotations

import json
import re
import types
import typing
from collections.abc import Iterator
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from pipeline.analysis.wordlists import WordList, shipped
from pipeline.index.settings import IndexSettings
from pipeline.stages.base import REGISTRY, Branch, Fusion, Stage

_NAMES = {
    int: "whole number",
    float: "number",
    str: "text",
    bool: "true or false",
    WordList: "list, file or shipped list of words",
}
_PLAIN = re.compile(r"(?!(?:true|false|null)$)[A-Za-z_]([A-Za-z0-9_ ./-]*[A-Za-z0-9_])?")
_NOT_IN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
"""What is not printable there, or ends a line."""
_LIMITS = (("ge", ">="), ("gt", ">"), ("le", "<="), ("lt", "<"))


def lines(verb: str = "") -> Iterator[str]:
    """Every stage of ``verb`` (of all verbs if empty), with its parameters and their meanings."""
    if not verb:
        yield "index: (how the collection is indexed)"
        yield from _parameters(IndexSettings)
    for known, stages in REGISTRY.items():
        if verb in ("", known):
            for name in sorted(stages):
                yield ""
                yield from stage(known, name)


def stage(verb: str, name: str) -> Iterator[str]:
    """One stage: its name, its first line, its parameters."""
    kind = REGISTRY[verb][name]
    yield f"{verb}: {name}"
    yield f"    {summary(kind)}"
    yield from _parameters(kind)
    if issubclass(kind, Fusion):
        yield "      in each of branches:"
        yield from (f"    {line}" for line in _parameters(Branch))


def summary(kind: type[Stage]) -> str:
    """The first line of the stage's documentation."""
    return (kind.__doc__ or "").strip().splitlines()[0]


def _parameters(model: type[BaseModel]) -> Iterator[str]:
    for name, field in model.model_fields.items():
        default = "required" if field.is_required() else f"= {written(default_of(field))}"
        meaning = " ".join((field.description or "").split())
        yield f"      {name} ({_allowed(field)}; {default}): {meaning}"


def default_of(field: FieldInfo) -> Any:
    """The value of a parameter that is left out."""
    return field.get_default(call_default_factory=True, validated_data={})


def written(value: Any) -> str:
    """A value as a config writes it."""
    if isinstance(value, WordList):
        return written(anywhere(value))
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{written(k)}: {written(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(written, value)) + "]"
    if isinstance(value, float):
        return f"{value:g}" if float(f"{value:g}") == value else repr(value)
    if isinstance(value, str) and not _PLAIN.fullmatch(value):
        quoted = json.dumps(value, ensure_ascii=False)
        return _NOT_IN_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)
    return str(value)


def anywhere(words: WordList) -> Any:
    """What a config says of a word list and means the same in any folder: no path stands alone."""
    if words.name == "list":
        return list(words.words)
    if words.name in shipped():
        return words.name
    return {"name": words.name, "words": list(words.words)}


def _allowed(field: FieldInfo) -> str:
    limits = [
        f"{sign} {getattr(rule, limit):g}"
        for rule in field.metadata
        for limit, sign in _LIMITS
        if getattr(rule, limit, None) is not None
    ]
    return " and ".join([_type(field.annotation), *limits])


def _type(kind: Any) -> str:
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return _type(inner[0])
    if origin is Literal:
        return ", ".join(map(str, inner))
    if origin in (typing.Union, types.UnionType):
        return " or ".join(dict.fromkeys(_type(part) for part in inner if part is not type(None)))
    if origin in (tuple, list):
        return f"list of {_type(inner[0])}"
    if origin is dict:
        return f"mapping of {_type(inner[0])} to {_type(inner[1])}"
    if kind is Any or (isinstance(kind, type) and issubclass(kind, Stage)):
        return "stage"
    if isinstance(kind, type) and issubclass(kind, Branch):
        return "branch"
    return _NAMES.get(kind, getattr(kind, "__name__", str(kind)))
