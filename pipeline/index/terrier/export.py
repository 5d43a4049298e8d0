"""Any index of this program as PyTerrier's users know one."""

from __future__ import annotations

import atexit
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyterrier as pt

from pipeline import java
from pipeline.errors import InputError
from pipeline.index import whole
from pipeline.index.store import Store
from pipeline.index.terrier.search import TerrierIndex

if TYPE_CHECKING:
    from pipeline.index.base import Index


def export(index: Index, folder: str | Path | None) -> Any:
    """See ``Index.to_terrier``."""
    if isinstance(index, TerrierIndex) and folder is None:
        return pt.terrier.TerrierIndex(index.folder)
    target = Path(folder).resolve() if folder else _temporary()
    whole.make(target, lambda part: _fill(index, part), _new_or_empty)
    java.start()
    return pt.terrier.TerrierIndex(target)


def _fill(index: Index, folder: Path) -> None:
    from pipeline.index.arrays.index import ArraysIndex
    from pipeline.index.terrier import files

    if isinstance(index, TerrierIndex):
        shutil.copytree(index.folder, folder, dirs_exist_ok=True)
        return
    assert isinstance(index, ArraysIndex)
    if len(names := list(index.settings.fields)) > 1:
        raise InputError(
            f"Terrier's files are written of one field, and there are {', '.join(names)}; join "
            "what they hold in one, as in fields={'text': ['title', 'body']}"
        )
    files.write(index.postings, index.stream(), index.settings, index.texts.docnos(), folder)


def _new_or_empty(target: Path) -> None:
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        raise InputError(f"{target}: something is there; a new or empty folder is needed")


def _temporary() -> Path:
    """A folder until the program ends: Terrier opens some files only when it needs them."""
    store = Store()
    atexit.register(store.__exit__)
    return store.folder / "terrier"
