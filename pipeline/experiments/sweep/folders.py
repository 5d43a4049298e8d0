"""The output folder of a sweep: a folder a point, there whole or not at all.

Nothing is written but in a folder ``points/.NAME.RANDOM.part`` that its process holds by a lock,
and renamed from there. So what has its name is whole, whoever is killed when, and two that do the
same point do no harm: the later one drops what it made.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pipeline.errors import InputError, RunError
from pipeline.experiments.entries import Entry
from pipeline.index import lock
from pipeline.runs.whole import PART, sync

POINTS = "points"
SCORES = "scores.json"


def point(out: Path, key: str) -> Path:
    """The folder of a point."""
    return out / POINTS / key


def prepare(out: Path) -> None:
    """Makes an output folder ready: what processes left that were killed is removed.

    Raises:
        InputError: it cannot be written.
    """
    try:
        (out / POINTS).mkdir(parents=True, exist_ok=True)
        lock.remove_left(out / POINTS, f".*{PART}")
        for left in (out / POINTS).glob(f"[!.]*/{lock.LOCK}"):  # killed just after the rename
            left.unlink(missing_ok=True)
        with tempfile.TemporaryFile(dir=out), tempfile.TemporaryFile(dir=out / POINTS):
            pass
    except OSError as error:
        raise InputError(
            f"{out}: cannot be written: {error.strerror}; a folder that can be is needed for the "
            "sweep"
        ) from None


def publish(out: Path, key: str, contents: Mapping[str, bytes]) -> None:
    """Writes the folder of a point; one that is there already stays as it is.

    Raises:
        RunError: the disk is full, or the folder cannot be written for another reason.
    """
    with _part(out, key) as part:
        for name, content in contents.items():
            _write(part / name, content)
        sync(part)
        with contextlib.suppress(FileExistsError):
            _rename(part, point(out, key))
            (point(out, key) / lock.LOCK).unlink(missing_ok=True)
    sync(out / POINTS)


def write(out: Path, name: str, content: bytes) -> None:
    """Writes a file of an output folder whole; an earlier one is replaced.

    Args:
        out: the output folder.
        name: of the file, from there.
        content: what it will hold.

    Raises:
        RunError: as ``publish``.
    """
    file = out / name
    with _part(out, file.name) as part:
        _write(part / file.name, content)
        (part / file.name).replace(file)
    sync(file.parent)


def entries(out: Path, key: str) -> list[Entry] | None:
    """The scores of a point; None where the point is not there."""
    try:
        plain: list[Any] = json.loads((point(out, key) / SCORES).read_bytes())
        return [Entry.read(one) for one in plain]
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RunError(f"{error.filename}: cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, KeyError):
        return []  # damaged: computed anew


def scores(all_of: list[Entry]) -> bytes:
    """What ``scores.json`` holds: equal entries give equal bytes, in whatever order they come."""
    ordered = sorted(all_of, key=lambda e: (e.judgements, e.md5, e.measure))
    lines = ",\n".join(json.dumps(entry.plain(), ensure_ascii=False) for entry in ordered)
    return f"[\n{lines}\n]\n".encode()


@contextlib.contextmanager
def _part(out: Path, name: str) -> Iterator[Path]:
    """A folder to write in, removed in the end where it was not renamed."""
    try:
        with contextlib.ExitStack() as held:
            mine = False
            while not mine:  # before we had it, a sweep that begins may have taken it for dead
                part = out / POINTS / f".{name}.{secrets.token_hex(4)}{PART}"
                mine = held.enter_context(lock.alone(part, lambda: None))
            held.callback(shutil.rmtree, part, ignore_errors=True)
            yield part
    except OSError as error:
        raise RunError(
            f"{out}: cannot be written: {error.strerror or error}; make room there and call "
            "again: what is finished stays"
        ) from None


def _write(file: Path, content: bytes) -> None:
    with file.open("xb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _rename(part: Path, target: Path) -> None:
    try:
        part.rename(target)
    except OSError:
        if not target.is_dir():
            raise
        raise FileExistsError from None  # another process was faster
