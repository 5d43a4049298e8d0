"""The JSON files of args.me, read as a stream of arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from pipeline.collection.argument import Argument, BadArgumentError, Parsed, parse, parse_plain
from pipeline.collection.releases import differences
from pipeline.collection.spans import Found, Spans
from pipeline.collection.toplevel import expect, found, lists
from pipeline.collection.window import LONGEST, Window
from pipeline.errors import InputError, count

__all__ = ["Argument", "Place", "Report", "read"]

EXAMPLES = 3
"""How many doubled ids a report names."""


class Place(NamedTuple):
    """Where an argument begins."""

    file: int
    """Which of the collection's files holds it."""
    offset: int
    """Of its JSON object in that file, in bytes; 0: the file's first argument, wherever it is."""


START = Place(0, 0)


@dataclass
class Report:
    """What was met while a collection was read."""

    arguments: dict[str, int] = field(default_factory=dict)
    """How many each file holds, doubled ones too."""
    skipped: tuple[str, ...] = ()
    """JSON files without a list of arguments."""
    doubled: int = 0
    """Arguments left out, since one before has the same id."""
    doubled_ids: list[str] = field(default_factory=list)
    """The first of their ids."""
    empty: int = 0
    """Arguments kept though their premises hold no text."""

    @property
    def documents(self) -> int:
        """How many arguments were handed on."""
        return sum(self.arguments.values()) - self.doubled

    def extend(self, other: Report) -> None:
        """Adds what was met while more of the same collection was read."""
        for name, number in other.arguments.items():
            self.arguments[name] = self.arguments.get(name, 0) + number
        self.doubled += other.doubled
        self.doubled_ids = (self.doubled_ids + other.doubled_ids)[:EXAMPLES]
        self.empty += other.empty

    @property
    def warnings(self) -> list[str]:
        """What may be wrong, a line each."""
        lines = differences(self.arguments)
        if self.doubled:
            ids = ", ".join(self.doubled_ids) + (", ..." if self.doubled > EXAMPLES else "")
            lines.append(f"{count(self.doubled, 'argument')} with an id met before left out: {ids}")
        return lines

    @property
    def notes(self) -> list[str]:
        """What is good to know, a line each."""
        lines = [f'{name}: skipped, it has no list "arguments"' for name in self.skipped]
        if self.empty:
            lines.append(f"{count(self.empty, 'argument')} without a word in the premises, kept")
        return lines


def read(
    files: Sequence[Path],
    progress: Callable[[int], None] | None = None,
    report: Report | None = None,
    begin: Place = START,
    until: Callable[[Place], bool] | None = None,
) -> Iterator[Argument]:
    """The arguments of files, in the order of the files, each in its own order.

    ``id``, ``premises`` and each premise's ``text`` must be there; whatever else is missing or
    null is ``""``. Ids are kept as they are; of arguments with the same id the first is kept.

    Args:
        files: each a JSON object with a list ``arguments``; ``.json`` or ``.json.gz``.
        progress: told the bytes read since it was last told, as they count on the disk.
        report: filled on the way.
        begin: the argument to begin with. If none begins there, what comes is worth nothing.
        until: asked before each file and each argument whether to end before it.

    Raises:
        InputError: a file that is no such JSON, an argument of which something needed is missing
            or of the wrong type, an id that is no word; no argument at all.
        RunError: the disk fails.
    """
    report = Report() if report is None else report
    seen: set[str] = set()
    for number, file in enumerate(files[begin.file :], begin.file):
        if until is not None and until(Place(number, 0)):
            return
        report.arguments[file.name] = 0
        for argument in _file(file, number, begin, progress):
            if until is not None and until(Place(number, argument.start)):
                return
            report.arguments[file.name] += 1
            if argument.docno in seen:
                report.doubled += 1
                report.doubled_ids += [argument.docno] * (report.doubled <= EXAMPLES)
                continue
            seen.add(argument.docno)
            if not argument.premises or argument.premises.isspace():
                report.empty += 1
            yield argument
    if not seen:
        names = ", ".join(file.name for file in files)
        raise InputError(f"{names}: no argument in the list of arguments; nothing was indexed")


def _file(
    file: Path, number: int, begin: Place, progress: Callable[[int], None] | None
) -> Iterator[Argument]:
    spans = Spans(parse_plain)
    offset = begin.offset if number == begin.file else 0
    with Window(file, progress, offset) as window:
        for _ in lists(window, inside=offset > 0):
            place = 0
            for place, span in enumerate(spans.objects(window), start=1):
                parsed = span.value or _parsed(window, place, span)
                yield parsed.argument(number, span.start, span.end)
            _check_end(window, place)


def _parsed(window: Window, place: int, span: Found[Parsed]) -> Parsed:
    """What was read of an argument that is not just as expected."""
    try:
        return parse(span.json)
    except BadArgumentError as wrong:
        what = wrong.what
        if wrong.cut_off:
            too_long = span.end - span.start > LONGEST
            what = f"no end within {LONGEST:,} bytes" if too_long else "the file ends inside it"
        elif wrong.place is not None:
            what += f" at byte {span.offset(wrong.place):,}"
        raise _wrong(window, place, span.start, what) from None


def _check_end(window: Window, place: int) -> None:
    """Raises the error for what follows the last argument, the ``place``-th, unless it is ``]``."""
    if window.peek() != ord("]") and (not place or expect(window, ",]")):
        what = f"'{{' expected, found {found(window)}"
        raise _wrong(window, place + 1, window.offset, what)


def _wrong(window: Window, place: int, start: int, what: str) -> InputError:
    return InputError(
        f"{window.name}: argument {place:,} (byte {start:,}): {what}; nothing was indexed"
    )
