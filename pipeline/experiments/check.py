"""``check``: all that is wrong with configs and sweeps, before anything runs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pipeline.config import catalogue, experiment, sweep
from pipeline.config.yaml_places import Places
from pipeline.errors import InputError, count


def check(configs: Iterable[str]) -> str:
    """A line that says how many configs, and sweeps with how many points, are ready to run.

    Args:
        configs: files, bare names of shipped configs, or folders (every ``.yaml`` below). A file
            with ``base:`` is a sweep.

    Raises:
        InputError: with every problem of every config, in the order given.
    """
    systems, sweeps, problems = 0, [], list[str]()
    for file in [file for config in configs for file in _files(config)]:
        try:
            places = Places(catalogue.find(file))
            if experiment.is_sweep(places):
                sweeps.append(sweep.read(places))
            else:
                experiment.read(places)
                systems += 1
        except InputError as error:
            problems += error.lines
    if problems:
        raise InputError(*problems, f"{count(len(problems), 'problem')}; nothing was run.")
    ready = [count(systems, "config")] if systems or not sweeps else []
    if sweeps:
        points = sum(found.wanted for found in sweeps)
        ready.append(f"{count(len(sweeps), 'sweep')} of {count(points, 'point')}")
    return f"{' and '.join(ready)} ready to run."


def _files(config: str) -> list[str]:
    """The configs in a folder; of anything else, itself."""
    folder = Path(config)
    if not folder.is_dir():
        return [config]
    files = sorted(folder.rglob("*.yaml"))
    if not files:
        raise InputError(f"{config}: no .yaml file in this folder")
    return list(map(str, files))
