"""Folders that one process at a time works in; it lets go of them however it ends."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

LOCK = "lock"
"""The file in such a folder that says, by a lock of the operating system, that it is in use."""


_NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL)
"""A file system that cannot lock: then each process believes to be alone."""


@contextmanager
def alone(folder: Path, waiting: Callable[[], None]) -> Iterator[bool]:
    """Holds ``folder``, made if it is not there, against every other process.

    Waits while another holds it; calls ``waiting`` before that. Gives False where the folder was
    renamed or removed meanwhile: whoever held it has come to an end with it.

    Raises:
        OSError: the folder cannot be made or written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as opened:
        try:
            file = opened.enter_context((folder / LOCK).open("ab"))
        except FileNotFoundError:
            yield False
            return
        if not _take(file.fileno(), wait=False):
            waiting()
            _take(file.fileno(), wait=True)
        yield _is_at(file.fileno(), folder / LOCK)


@contextmanager
def becomes(part: Path, target: Path) -> Iterator[None]:
    """Renames ``part``, which we hold, to ``target`` when it is filled; ``target`` is replaced.

    Where that fails, nothing is left of ``part``.

    Raises:
        OSError: the folder cannot be written.
    """
    try:
        yield
        if target.exists():
            shutil.rmtree(target)
        part.rename(target)
        (target / LOCK).unlink()
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def remove_left(folder: Path, pattern: str) -> None:
    """Removes our own folders of this pattern whose process was killed."""
    for left in folder.glob(pattern):
        with contextlib.suppress(OSError):
            about = left.lstat()
            if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.getuid():
                continue
            with (left / LOCK).open("ab") as file:
                if _take(file.fileno(), wait=False) and _is_at(file.fileno(), left / LOCK):
                    shutil.rmtree(left, ignore_errors=True)


def _take(file: int, *, wait: bool) -> bool:
    """Takes the lock; False if another process has it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
    return True


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False
