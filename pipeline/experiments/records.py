"""What a ranking follows from, as hashes, and the config of a run as a file.

Where config, code, collection and topics have the same hashes, ``run.txt`` and ``config.yaml`` are
the same byte for byte.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pipeline.config.experiment import Experiment
from pipeline.config.reference import written
from pipeline.config.resolved import resolved

if TYPE_CHECKING:
    from pipeline.collection.topics import Topic

HOUSE = Path(__file__).parents[1]

SOURCES = (".py", ".c", ".txt")
"""How the files end that hold code, or words that it reads."""

APART = ("cli", "evaluation", "experiments", "__main__.py", "bootstrap.py", "download.py")
"""What no ranking follows from."""

OF_EXPERIMENTS = ("assemble.py", "records.py", "run.py")
"""But these of ``experiments`` count."""

LIBRARIES = ("numpy", "pandas", "pyterrier")
"""Those that compute, or order, what is ranked."""


class Hashes(NamedTuple):
    """What a run follows from."""

    config: str
    """Of ``config.yaml``: 16 hexadecimal digits of its sha256."""
    code: str
    """Of this program."""
    collection: str
    """Of the files with the documents."""
    topics: str
    """Of the topics as they were read."""


def hashes(config: bytes, fingerprint: str, topics: Sequence[Topic]) -> Hashes:
    """What a run follows from.

    Args:
        config: the content of its ``config.yaml``.
        fingerprint: of the collection.
        topics: those that are searched.
    """
    return Hashes(of_bytes(config), code(), fingerprint, of_topics(topics))


@cache
def code() -> str:
    """16 hexadecimal digits: equal for programs that rank alike.

    Every source counts that a ranking can follow from, and the version of every library that
    computes one; the command line, evaluation and reports do not.
    """
    whole = hashlib.sha256()
    for name in LIBRARIES:
        whole.update(f"{name}=={version(name)}\n".encode())
    for file in sorted(_sources()):
        whole.update(
            f"{file.relative_to(HOUSE).as_posix()}\n{_sha256(file.read_bytes())}\n".encode()
        )
    return whole.hexdigest()[:16]


def of_topics(topics: Sequence[Topic]) -> str:
    """16 hexadecimal digits: equal for the same topics in the same order, whatever their file."""
    return of_value([[t.number, t.title, t.description, t.narrative] for t in topics])


def of_value(value: Any) -> str:
    """16 hexadecimal digits of a value that JSON can hold; the order of keys does not count."""
    return of_bytes(json.dumps(value, sort_keys=True, ensure_ascii=False).encode())


def of_bytes(content: bytes) -> str:
    """The first 16 hexadecimal digits of its sha256."""
    return _sha256(content)[:16]


def config(experiment: Experiment) -> bytes:
    """A config with every effective parameter, as YAML: equal experiments give the same bytes.

    It loads to an equal experiment, wherever it lies.
    """
    from pipeline.runs.output import FIRST_LINE

    lines = [FIRST_LINE, *_lines(resolved(experiment), "")]
    return "".join(f"{line}\n" for line in lines).encode()


def _lines(mapping: Mapping[str, Any], indent: str) -> Iterator[str]:
    for key, value in mapping.items():
        if isinstance(value, Mapping) and (key in ("index", "indexes", "expected") or _deep(value)):
            yield f"{indent}{written(key)}:"
            yield from _lines(value, indent + "  ")
        elif isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value):
            yield f"{indent}{written(key)}:"
            for one in value:
                first, *others = _lines(one, indent + "    ")
                yield f"{indent}  - {first.lstrip()}"
                yield from others
        else:
            yield f"{indent}{written(key)}: {written(value)}"


def _deep(value: Mapping[str, Any]) -> bool:
    return any(isinstance(one, Mapping) for one in value.values())


def _sources() -> Iterator[Path]:
    for part in HOUSE.iterdir():
        if part.name not in APART:
            files = part.rglob("*") if part.is_dir() else [part]
            yield from (file for file in files if file.suffix in SOURCES)
    yield from (HOUSE / "experiments" / name for name in OF_EXPERIMENTS)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
