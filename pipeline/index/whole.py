"""A folder that is there whole or not at all, for what a user names a folder for."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from pipeline.index import lock


def make(target: Path, fill: Callable[[Path], None], may_be_made: Callable[[Path], None]) -> None:
    """Makes a folder; where that fails, nothing is left of it, and what was there stays.

    Args:
        target: the folder; its parents are made, too.
        fill: fills an empty folder, which is renamed when it is whole.
        may_be_made: raises an error if there is something that must not be lost; else what is there
            is replaced.

    Raises:
        OSError: it cannot be written.
        Exception: what the two raise.
    """
    may_be_made(target)
    while not _made(target, fill, may_be_made):
        may_be_made(target)  # another process has just made it


def _made(target: Path, fill: Callable[[Path], None], may_be_made: Callable[[Path], None]) -> bool:
    part = target.with_name(f".{target.name}.part")
    with lock.alone(part, lambda: None) as mine:
        if not mine:
            return False
        with lock.becomes(part, target):
            may_be_made(target)
            for left in part.iterdir():  # of a process that was killed
                if left.name != lock.LOCK:
                    shutil.rmtree(left) if left.is_dir() else left.unlink()
            fill(part)
    return True
