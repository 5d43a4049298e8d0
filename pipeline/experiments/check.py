"""``check``: all that is wrong with configs, before anything runs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pipeline.config import experiment
from pipeline.errors import InputError, count


def check(configs: Iterable[str]) -> str:
    """A line that says how many configs are ready to run.

    Args:
        configs: files, bare names of shipped configs, or folders (every ``.yaml`` below).

    Raises:
        InputError: with every problem of every config, in the order given.
    """
    files = [file for config in configs for file in _files(config)]
    try:
        experiment.load_all(files)
    except InputError as error:
        lines = error.lines
        raise InputError(*lines, f"{count(len(lines), 'problem')}; nothing was run.") from None
    return f"{count(len(files), 'config')} ready to run."


def _files(config: str) -> list[str]:
    """The configs in a folder; of anything else, itself."""
    folder = Path(config)
    if not folder.is_dir():
        return [config]
    files = sorted(folder.rglob("*.yaml"))
    if not files:
        raise InputError(f"{config}: no .yaml file in this folder")
    return list(map(str, files))
