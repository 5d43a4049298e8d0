"""Errors a user can act on: each names the place, what was found there, and what is allowed."""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


class InputError(Exception):
    """What was given is wrong: exit code 2, nothing written.

    ``lines`` are what is shown, each ``where: what was found, what is allowed``.
    """

    def __init__(self, *lines: str):
        self.lines = lines
        super().__init__("\n".join(lines))


class RunError(Exception):
    """What was given is right, and the run failed all the same: exit code 1, nothing written.

    The message is one line: what failed, and the cure.
    """


@dataclass(frozen=True, order=True)
class Problem:
    """One thing wrong at one place of one file."""

    file: str
    line: int
    column: int
    where: str
    """Path inside the file's value, as in ``stages[0].mu``."""
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.where}: {self.what}"


class ConfigError(InputError):
    """A config that cannot be run. ``problems`` holds all that was found, in file order."""

    def __init__(self, problems: Iterable[Problem]):
        self.problems = sorted(set(problems))
        super().__init__(*map(str, self.problems))


def count(number: int, thing: str) -> str:
    """``1 topic``, ``2 topics``, ``1,204 arguments``, ``2 indexes``."""
    ending = "" if number == 1 else "es" if thing.endswith("x") else "s"
    return f"{number:,} {thing}{ending}"


def some(names: Sequence[object], shown: int) -> str:
    """``1, 2, 3 and 47 more``: the first names, and how many there are beside."""
    more = f" and {len(names) - shown:,} more" if len(names) > shown else ""
    return ", ".join(map(str, names[:shown])) + more


def meant(word: object, known: Iterable[str]) -> str:
    """``, did you mean 'x'?`` where something known is close, else nothing."""
    close = difflib.get_close_matches(str(word), list(known), n=1)
    return f", did you mean {close[0]!r}?" if close else ""
