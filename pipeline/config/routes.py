"""Where a value stands in a config: ``stages[0].mu``, in errors, sweeps and records alike."""

from __future__ import annotations

import re
from typing import Any

Route = tuple[str | int, ...]
"""The way to a value: ``("stages", 0, "mu")``."""

_STEP = re.compile(r"\.?([^\s.,\[\]]+)|\[(0|[1-9][0-9]*)\]")


def spell(route: Route) -> str:
    """``("stages", 0, "mu")`` as ``stages[0].mu``."""
    spelled = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in route)
    return spelled.lstrip(".") or "top"


def route_of(spelled: str) -> Route:
    """``stages[0].mu`` as ``("stages", 0, "mu")``.

    Raises:
        ValueError: it is no place.
    """
    route: list[str | int] = []
    at = 0
    while at < len(spelled) or not route:
        step = _STEP.match(spelled, at)
        bare = step is not None and step[1] is not None and spelled[at] != "."
        if not step or bare != (not route):  # a name stands bare at the start, and only there
            raise ValueError(f"{spelled!r} is no place; a place is written as in stages[0].mu")
        route.append(step[1] if step[1] is not None else int(step[2]))
        at = step.end()
    return tuple(route)


def with_value(whole: Any, route: Route, value: Any, done: int = 0) -> Any:
    """A copy of ``whole`` with ``value`` at ``route``; what is not on the way is shared.

    Args:
        whole: a parsed config, or what stands at ``route[:done]`` of it.
        route: where the value goes; mappings that are not there are made.
        value: what goes there.
        done: how much of the route has been gone.

    Raises:
        LookupError: there is no such place; the message says what there is.
    """
    if done == len(route):
        return value
    part, here = route[done], spell(route[:done])
    if isinstance(part, str):
        if whole is not None and not isinstance(whole, dict):
            kind = "a list" if isinstance(whole, list) else repr(whole)
            raise LookupError(f"{here} is {kind}, there is no {part!r} in it")
        held = whole or {}
        return {**held, part: with_value(held.get(part), route, value, done + 1)}
    if not isinstance(whole, list):
        kind = "is not there" if whole is None else "is no list"
        raise LookupError(f"{here} {kind}, so there is no {here}[{part}]")
    if part >= len(whole):
        last = len(whole) - 1
        there = "it is empty" if last < 0 else f"there is {here}[0]"
        there += f" to {here}[{last}]" if last > 0 else ""
        raise LookupError(f"no {here}[{part}]; {there}")
    return [*whole[:part], with_value(whole[part], route, value, done + 1), *whole[part + 1 :]]
