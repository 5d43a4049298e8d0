"""Pydantic's errors in the words of the config."""

from __future__ import annotations

import json
from types import UnionType
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from pipeline.config.routes import Route
from pipeline.config.yaml_places import Places
from pipeline.errors import Problem, meant

_LIMITS = {
    "greater_than": ("must be above", "gt"),
    "greater_than_equal": ("must be at least", "ge"),
    "less_than": ("must be below", "lt"),
    "less_than_equal": ("must be at most", "le"),
}
_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "finite": "a number",
    "string": "text",
    "bool": "true or false",
    "tuple": "a list",
    "list": "a list",
    "dict": "a mapping (name: value)",
    "model": "a mapping (name: value)",
}


def validate(
    model: type[BaseModel],
    value: Any,
    folder: str,
    places: Places,
    route: Route,
    owner: str,
    problems: list[Problem],
) -> BaseModel | None:
    """``value`` as a ``model``, or None, and what is wrong added to ``problems``.

    Text is no number, and true is no 1, as YAML reads them; a path counts from ``folder``.
    """
    try:
        text = json.dumps(value)
        return model.model_validate_json(text, strict=True, context={"folder": folder})
    except ValidationError as error:
        faults = error.errors(include_url=False)
        problems += [places.problem(*_explain(fault, model, route, owner)) for fault in faults]
        return None


def _explain(
    fault: ErrorDetails, model: type[BaseModel], route: Route, owner: str
) -> tuple[Route, str]:
    loc: Route = tuple(part for part in fault["loc"] if not _is_union_branch(part))
    inner, of = _owner(model, owner, loc)
    name, kind, given = str(loc[-1]) if loc else "", fault["type"], fault["input"]
    if kind == "extra_forbidden":
        known = [field.alias or name for name, field in inner.model_fields.items()]
        what = f"{of} has no {name!r}{meant(name, known)}; it has {', '.join(known)}"
        return (*route, *loc), what
    if kind == "missing":
        return (*route, *loc), f"{of} needs it"
    if given is None:
        what = "it is empty; leave it out for the default, or give a value"
    elif kind in _LIMITS:
        words, limit = _LIMITS[kind]
        what = f"{given} {words} {fault['ctx'][limit]:g}"
    elif kind == "literal_error":
        allowed = fault["ctx"]["expected"].replace("'", "").replace(" or ", ", ").split(", ")
        what = f"{shown(given)}{meant(given, allowed)}; there is {', '.join(allowed)}"
    elif kind == "value_error":
        what = str(fault["ctx"]["error"])
    elif kind == "too_short":
        what = "at least one is needed"
    elif wanted := _KINDS.get(kind.split("_")[0]):
        what = f"{shown(given)} is not {wanted}"
    else:
        what = f"{shown(given)}: {fault['msg']}"
    field = inner.model_fields.get(name)
    if field and field.description:
        what += f" ({name}: {first_sentence(field.description)})"
    return (*route, *loc), what


def shown(value: Any) -> str:
    """A value as it stands in a message, at most 60 characters of it."""
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def first_sentence(text: str) -> str:
    """The first line's sentence, without its full stop, to stand inside another."""
    sentence = " ".join(text.split()).split(". ")[0].rstrip(".")
    return sentence if sentence[:2].isupper() else sentence[:1].lower() + sentence[1:]


def _is_union_branch(part: str | int) -> bool:
    """Pydantic names the branch of a union inside the place: no part of the config."""
    return isinstance(part, str) and ("[" in part or part == "WordList")


def _owner(model: type[BaseModel], owner: str, loc: Route) -> tuple[type[BaseModel], str]:
    """The model, and its name in the config, that the last part of ``loc`` belongs to."""
    for part in loc[:-1]:
        field = model.model_fields.get(str(part))
        kind = field.annotation if field else None
        for one in get_args(kind) if isinstance(kind, UnionType) else [kind]:
            if isinstance(one, type) and issubclass(one, BaseModel):
                model, owner = one, str(part)
    return model, owner
