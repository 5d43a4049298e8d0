"""``check``: all that is wrong with configs, before anything runs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pipeline.config import catalogue, experiment
from pipeline.errors import InputError, count


def check(configs: Iterable[str]) -> str:
    """A line that says how many configs are ready to run.

    Args:
        configs: files, bare names of shipped configs, or folders (every ``.yaml`` below).

    Raises:
        InputError: with every problem of every config, in the order given.
    """
    lines: list[str] = []
    files = [file for config in configs for file in _files(config)]
    for file in files:
        try:
            experiment.load(file)
        except InputError as error:
            lines += error.lines
    if lines:
        raise InputError(*lines, f"{count(len(lines), 'problem')}; nothing was run.")
    return f"{count(len(files), 'config')} ready to run."


def _files(config: str) -> list[Path]:
    folder = Path(config)
    if not folder.is_dir():
        return [catalogue.find(config)]
    files = sorted(folder.rglob("*.yaml"))
    if not files:
        raise InputError(f"{config}: no .yaml file in this folder")
    return files
