"""An index of documents at hand, in a folder: built, and opened again.

It holds the same as that of a collection: token stream, postings, ids of documents. Their texts are
not kept: whoever gave them has them.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from pipeline.collection.texts import Texts, TextsWriter
from pipeline.errors import InputError, count, meant
from pipeline.index import record, whole
from pipeline.index.artifact import FORMAT
from pipeline.index.artifacts import ARRAYS, TOKENS
from pipeline.index.documents import PARTS, Documents, Fields, arguments, columns_of
from pipeline.index.settings import IndexSettings
from pipeline.index.store import Store

if TYPE_CHECKING:
    from pipeline.index.arrays.index import ArraysIndex

MADE_OF = {"format": FORMAT, "what": "arrays of documents at hand"}
"""What the record of such an index says of how it was made."""


_OURS = "Value error, "
"""What Pydantic puts before a message of ours."""


def build(
    docs: Documents,
    fields: Fields,
    folder: str | Path | None,
    overwrite: bool,
    analysis: Mapping[str, Any],
) -> ArraysIndex:
    """See ``Index.build``."""
    columns = columns_of(fields)
    names = list(dict.fromkeys(name for joined in columns.values() for name in joined))
    settings = _settings(columns, names, analysis)
    if folder is None:
        with ExitStack() as held:
            made = held.enter_context(Store()).folder / "index"
            _fill(made, docs, names, settings, lasts=False)
            index = opened(made, settings)
            weakref.finalize(index, held.pop_all().close)
        return index
    target = Path(folder).resolve()
    whole.make(
        target,
        lambda part: _fill(part, docs, names, settings, lasts=True),
        lambda there: _may_be_written(there, overwrite),
    )
    return opened(target, settings)


def open_(folder: str | Path) -> ArraysIndex:
    """See ``Index.open``."""
    target = Path(folder).resolve()
    if not (target / record.NAME).is_file():
        raise InputError(f"{folder}: no index of Index.build")
    try:
        about = record.read(target, MADE_OF)
    except record.UnfitError as error:
        raise InputError(f"{folder}: not used, {error}; build it again") from None
    return opened(target, IndexSettings.model_validate(about["made_by"]))


def opened(folder: Path, settings: IndexSettings) -> ArraysIndex:
    """The index in a folder that is whole."""
    from pipeline.index.arrays.index import ArraysIndex
    from pipeline.index.arrays.tokens import Stream

    texts = _Docnos(folder, folder)
    return ArraysIndex(folder / ARRAYS, settings, texts, lambda: Stream.open(folder / TOKENS))


class _Docnos(Texts):
    """The ids of documents whose texts are not kept."""

    def parts(self, docnos: Sequence[str], names: Sequence[str]) -> dict[str, list[str]]:
        """Raises InputError."""
        raise InputError("the index has no texts: Index.build does not keep them")


def _settings(
    columns: Mapping[str, Sequence[str]], names: Sequence[str], analysis: Mapping[str, Any]
) -> IndexSettings:
    """Settings in which the columns, in the order of their names, are the parts of an argument."""
    unknown = [name for name in analysis if name not in IndexSettings.model_fields]
    if unknown:
        known = ["fields", "tokeniser", "stopwords", "stemmer", "folder", "overwrite"]
        what = f"Index.build has no {unknown[0]!r}{meant(unknown[0], known)}"
        raise InputError(f"{what}; it has {', '.join(known)}")
    fields = {
        field: tuple(PARTS[names.index(name)] for name in joined)
        for field, joined in columns.items()
    }
    try:
        return IndexSettings(engine="arrays", fields=fields, **analysis)
    except ValidationError as error:
        faults = error.errors(include_url=False)
        raise InputError(
            *(
                f"{'.'.join(map(str, fault['loc'][:2]))}: {fault['msg'].removeprefix(_OURS)}"
                for fault in faults
            )
        ) from None


def _may_be_written(target: Path, overwrite: bool) -> None:
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return
    if not (target / record.NAME).is_file():
        raise InputError(f"{target}: something else is there; an empty or new folder is needed")
    if not overwrite:
        raise InputError(
            f"{target}: there is an index; Index.open opens it, overwrite=True makes it anew"
        )


def _fill(
    folder: Path, docs: Documents, columns: Sequence[str], settings: IndexSettings, *, lasts: bool
) -> None:
    """Writes all of an index to a folder, which is made if it is not there."""
    from pipeline.index.arrays.invert import invert
    from pipeline.index.arrays.tokens import Stream, StreamWriter

    folder.mkdir(exist_ok=True, parents=True)
    texts, stream = TextsWriter(folder, []), StreamWriter(folder / TOKENS)
    for argument in arguments(docs, columns):
        texts.append(argument)
        stream.append(argument)
    counts = stream.close()
    if not counts["documents"]:
        raise InputError("there is no document to index")
    texts.save()
    found = invert(Stream.open(folder / TOKENS), settings, folder / ARRAYS)
    if not len(found.terms):
        raise InputError(f"none of {count(found.documents, 'document')} holds a word to index")
    about = {**MADE_OF, "made_by": settings.model_dump(mode="json")}
    record.write(folder, about, sync=lasts)
