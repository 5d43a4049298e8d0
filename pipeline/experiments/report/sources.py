"""What a folder holds that can be reported: sweeps, runs with their records, run files."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from pipeline.errors import InputError, count, some
from pipeline.experiments.report.model import Made
from pipeline.experiments.sweep.plan import FILE as SWEEP
from pipeline.runs.output import METADATA, RUN

ENDINGS = (".txt", ".run", ".trec", ".res", ".txt.gz", ".run.gz", ".gz")
"""How the name of a run file ends."""

EXPECTED = (
    f"expected is the output of a sweep ({SWEEP}), or a folder of such outputs, of outputs of run "
    f"({RUN}), or of run files"
)

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Found(NamedTuple):
    """What there is, in the order of names."""

    sweeps: list[Path]
    """Their folders."""
    runs: list[Path]
    """Run files."""


def find(folder: Path) -> Found:
    """The sweeps and runs in a folder, one or two folders down.

    Raises:
        InputError: there is none, or the folder cannot be read.
    """
    if not folder.is_dir():
        what = "a file, a folder expected" if folder.exists() else "no such folder"
        raise InputError(f"{folder}: {what}; {EXPECTED}")
    try:
        if (folder / SWEEP).is_file():
            return Found([folder], [])
        sweeps = sorted(file.parent for file in folder.glob(f"*/{SWEEP}"))
        runs = [file for file in _runs(folder) if file.parent not in sweeps]
        held = sorted(path.name for path in folder.iterdir())
    except OSError as error:
        raise InputError(f"{folder}: cannot be read: {error.strerror}") from None
    if not sweeps and not runs:
        raise InputError(
            f"{folder}: nothing to report, the folder holds {some(held, 5) or 'nothing'}; "
            f"{EXPECTED}"
        )
    return Found(sweeps, runs)


def _runs(folder: Path) -> list[Path]:
    if (folder / RUN).is_file():
        return [folder / RUN]
    inside = [*folder.glob(f"*/{RUN}"), *folder.glob(f"*/*/{RUN}")]
    inside = [file for file in inside if not any(p.startswith(".") for p in file.parts)]
    files = [
        file
        for file in folder.iterdir()
        if file.is_file() and file.name.endswith(ENDINGS) and not file.name.startswith(".")
    ]
    return sorted([*inside, *files])


def made(run: Path) -> Made:
    """What the record beside a run file says; nothing where there is none that can be read."""
    file = run.with_name(METADATA)
    try:
        tree = yaml.load(file.read_bytes(), _Loader) if run.name == RUN else {}
    except (OSError, yaml.YAMLError, UnicodeDecodeError):
        tree = {}
    return _made(tree) if isinstance(tree, dict) else Made()


def _made(tree: Mapping[str, Any]) -> Made:
    resources = _at(tree, "resources")
    return Made(
        tag=str(tree.get("tag") or ""),
        collection=str(_at(tree, "data", "test collection").get("name") or ""),
        machine=_machine(_at(tree, "platform")),
        toolkit=", ".join(map(str, _at(tree, "platform", "software").get("retrieval toolkit", []))),
        started=_moment(_at(resources, "runtime").get("start")),
        memory=str(_at(resources, "memory").get("peak") or ""),
        parts={
            str(name): (float(spent.get("wall", 0)), float(spent.get("cpu", 0)))
            for name, spent in _at(resources, "parts").items()
            if isinstance(spent, Mapping)
        },
    )


def _at(tree: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    """The mapping at a place; an empty one where there is none."""
    for key in keys:
        inner = tree.get(key)
        tree = inner if isinstance(inner, Mapping) else {}
    return tree


def _machine(platform: Mapping[str, Any]) -> str:
    cpu = _at(platform, "hardware", "cpu")
    said = [
        cpu.get("model"),
        count(cpu["number of cores"], "core") if "number of cores" in cpu else None,
        _at(platform, "hardware").get("ram"),
        _at(platform, "operating system").get("distribution"),
    ]
    return ", ".join(str(one) for one in said if one)


def _moment(given: object) -> str:
    try:
        moment = datetime.fromisoformat(str(given))
    except ValueError:
        return ""
    return f"{moment:%Y-%m-%d %H:%M} {moment.tzname() or ''}".strip()
