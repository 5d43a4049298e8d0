"""Documents at hand, as dicts or a frame, read as if each were an argument.

Their columns stand where the parts of an argument do: so all that reads arguments reads them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

from pipeline.collection.argument import Argument
from pipeline.errors import InputError, meant
from pipeline.index.settings import Part

if TYPE_CHECKING:
    import pandas as pd

PARTS: tuple[Part, ...] = get_args(Part)
"""What the columns of documents are called in settings, in their order."""

Documents: TypeAlias = "Iterable[Mapping[str, Any]] | pd.DataFrame"

Fields: TypeAlias = Sequence[str] | Mapping[str, str | Sequence[str]]

_no_word = re.compile(r"[\s\x00-\x1f\x7f-\x9f\ud800-\udfff]").search


def columns_of(fields: Fields) -> dict[str, tuple[str, ...]]:
    """The columns that each field joins."""
    if isinstance(fields, str):
        raise InputError(f"fields: {fields!r} is no list of columns; fields=[{fields!r}]")
    if not isinstance(fields, Mapping):
        fields = {name: name for name in fields}
    columns = {
        name: (joined,) if isinstance(joined, str) else tuple(joined)
        for name, joined in fields.items()
    }
    number = len({name for joined in columns.values() for name in joined})
    if number > len(PARTS):
        raise InputError(f"fields: {number} columns; {len(PARTS)} are the most")
    return columns


def arguments(docs: Documents, columns: Sequence[str]) -> Iterator[Argument]:
    """Documents as if each were an argument, whose parts are the columns."""
    known: set[str] = set()
    blank = [""] * (len(PARTS) - len(columns))
    for number, row in enumerate(_rows(docs, ["docno", *columns]), start=1):
        docno = str(row[0]) if isinstance(row[0], Integral) else row[0]
        if not isinstance(docno, str) or not docno:
            raise InputError(f"document {number:,}: its docno is {row[0]!r}, text expected")
        if wrong := _no_word(docno):
            what = f"docno {docno!a} has {wrong[0]!a}, one word expected: a run has one a line"
            raise InputError(f"document {number:,}: {what}")
        if docno in known:
            raise InputError(f"document {number:,}: docno {docno!r} stands there twice")
        known.add(docno)
        texts = [_text(value, number, name) for value, name in zip(row[1:], columns, strict=True)]
        parts = dict(zip(PARTS, [*texts, *blank], strict=True))
        yield Argument(docno=docno, file=0, start=0, end=0, **parts)


def _rows(docs: Documents, columns: Sequence[str]) -> Iterator[Sequence[Any]]:
    """The values of these columns for each document."""
    if not isinstance(docs, Iterable):
        raise InputError(f"documents are dicts or a frame, not {docs!r:.60}")
    if hasattr(docs, "columns"):
        frame: Any = docs
        _has_all(columns, list(frame.columns), "the frame")
        yield from zip(*(frame[name] for name in columns), strict=True)
        return
    for number, document in enumerate(docs, start=1):
        if not isinstance(document, Mapping):
            raise InputError(f"document {number:,} is no dict: {document!r:.60}")
        try:
            yield [document[name] for name in columns]
        except KeyError:
            _has_all(columns, list(document), f"document {number:,}")
            raise


def _has_all(columns: Sequence[str], there: Sequence[str], whose: str) -> None:
    missing = [name for name in columns if name not in there]
    if missing:
        raise InputError(
            f"{whose} has no {missing[0]!r}{meant(missing[0], map(str, there))}; it has "
            f"{', '.join(map(str, there))}"
        )


def _text(value: Any, number: int, name: str) -> str:
    """A text; nothing for None and for the NaN that stands for it in frames."""
    if isinstance(value, str):
        return value
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    raise InputError(f"document {number:,}: {name} is {value!r}, text expected")
