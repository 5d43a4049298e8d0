"""YAML that remembers where each value was written.

Differs from ``yaml.safe_load``: a key given twice is an error (PyYAML keeps the last in silence);
only ``true`` and ``false`` are booleans and nothing is a date (``stopwords: no`` stays a word);
``1e-5`` is a number (PyYAML 6 reads it as text), ``012`` and ``.inf`` are text; anchors and aliases
are refused, since a config says everything where it is used.
"""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from pipeline.config.routes import Route, spell, with_value
from pipeline.errors import ConfigError, InputError, Problem


class _Loader(yaml.SafeLoader):
    """Plain scalars as YAML 1.2 reads them."""


_Loader.yaml_implicit_resolvers = {
    first: [
        (tag, pattern)
        for tag, pattern in resolvers
        if not tag.endswith((":bool", ":float", ":int", ":timestamp", ":merge", ":value"))
    ]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _tag, _pattern, _first in (
    ("bool", r"^(true|false)$", "tf"),
    ("int", r"^[-+]?(0|[1-9][0-9]*)$", "-+0123456789"),
    ("float", r"^[-+]?(0|[1-9][0-9]*|(?=\.[0-9]))(\.[0-9]*)?([eE][-+]?[0-9]+)?$", "-+.0123456789"),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), list(_first))


class Places:
    """A parsed YAML file: its ``value``, and the line and column of every part of it.

    Raises:
        InputError: the file cannot be read.
        ConfigError: the file is not YAML, gives a key twice, or uses anchors.
    """

    def __init__(self, file: Path):
        self.file = str(file)
        self._at: dict[Route, tuple[int, int]] = {}
        self._put: tuple[tuple[Route, Places, Route], ...] = ()
        self._problems: list[Problem] = []
        try:
            text = file.read_bytes().decode("utf-8-sig")
        except OSError as error:
            raise InputError(f"{file}: cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            found = f"byte 0x{error.object[error.start]:02x} is not UTF-8, UTF-8 expected"
            raise ConfigError([Problem(self.file, line, 1, "yaml", found)]) from error
        try:
            self._refuse_aliases(text)
            loader = _Loader(text)
            node = loader.get_single_node()
            self.value: Any = self._read(loader, node, ()) if node else None
        except yaml.MarkedYAMLError as error:
            line, column = _place(error.problem_mark)
            what = str(error.problem) + (f" ({error.context})" if error.context else "")
            if what.startswith("expected ',' or '}', but got '['"):
                what += "; a place as stages[0].b goes in quotes here, or on a line of its own"
            raise ConfigError([Problem(self.file, line, column, "yaml", what)]) from error
        except yaml.reader.ReaderError as error:
            line = text[: error.position].count("\n") + 1
            what = f"character {chr(error.character)!r} is not allowed in YAML"
            raise ConfigError([Problem(self.file, line, 1, "yaml", what)]) from error
        except RecursionError as error:
            what = "lists or mappings are nested too deep"
            raise ConfigError([Problem(self.file, 1, 1, "yaml", what)]) from error
        if self._problems:
            raise ConfigError(self._problems)

    @classmethod
    def of(cls, value: Any, file: str | Path) -> Places:
        """A value that no file holds, and ``file`` as the name of where it came from."""
        made = cls.__new__(cls)
        made.file, made.value, made._at, made._put, made._problems = str(file), value, {}, (), []
        return made

    def put(self, route: Route, value: Any, source: Places, at: Route) -> Places:
        """A copy that holds ``value`` at ``route``; what is wrong there stands in ``source``.

        Args:
            route: where it goes; mappings that are not there are made.
            value: what goes there.
            source: the file that says so.
            at: where it stands in that file.

        Raises:
            LookupError: there is no such place; the message says what there is.
        """
        made = copy.copy(self)
        made.value = with_value(self.value, route, value)
        made._put = (*self._put, (route, source, at))
        return made

    def problem(self, route: Route, what: str) -> Problem:
        """``what`` is wrong at ``route``; placed at the nearest part that is in the file."""
        for place, source, at in reversed(self._put):
            if route[: len(place)] == place:
                found = source.problem((*at, *route[len(place) :]), what)
                return replace(found, where=spell(route))
            if route and route == place[: len(route)] and route not in self._at:
                return replace(source.problem(at, what), where=spell(route))
        known = route
        while known and known not in self._at:
            known = known[:-1]
        line, column = self._at.get(known, (1, 1))
        return Problem(self.file, line, column, spell(route), what)

    def _refuse_aliases(self, text: str) -> None:
        for event in yaml.parse(text, Loader=_Loader):
            if anchor := getattr(event, "anchor", None):
                line, column = _place(event.start_mark)
                what = f"anchors and aliases ({anchor}) are not allowed; write it out"
                raise ConfigError([Problem(self.file, line, column, "yaml", what)])

    def _read(self, loader: yaml.SafeLoader, node: yaml.Node, route: Route) -> Any:
        self._at.setdefault(route, _place(node.start_mark))
        if isinstance(node, yaml.SequenceNode):
            return [self._read(loader, item, (*route, i)) for i, item in enumerate(node.value)]
        if not isinstance(node, yaml.MappingNode):
            return loader.construct_object(node)
        mapping: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = str(loader.construct_object(key_node, deep=True))
            here = (*route, key)
            line, column = _place(key_node.start_mark)
            if key in mapping:
                what = f"given twice (first on line {self._at[here][0]})"
                self._problems.append(Problem(self.file, line, column, spell(here), what))
            self._at[here] = (line, column)
            mapping[key] = self._read(loader, value_node, here)
        return mapping


def _place(mark: Any) -> tuple[int, int]:
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)
