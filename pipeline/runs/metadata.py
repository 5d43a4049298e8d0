"""ir-metadata.yml: how a run was made, in the form that TIRA and LongEval read."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path

import yaml

from pipeline.errors import InputError

SCORE_TIES = "none: scores fall strictly, also in float32; ties of a stage stand in its own order"

REQUIRED = {
    "tag": str,
    "actor": {"team": str},
    "research goal": {"description": str},
    "platform": {"software": {"libraries": list}},
    "implementation": {"source": {"repository": str}},
    "data": {"test collection": {"name": str}, "training data": [{"name": str}]},
    "method": {
        "name": str,
        "description": str,
        "automatic": bool,
        "indexing": {"tokenizer": str, "stemmer": str, "stopwords": str},
        "retrieval": [
            {
                "name": str,
                "lexical": bool,
                "deep_neural_model": bool,
                "sparse_neural_model": bool,
                "single_stage_retrieval": bool,
            }
        ],
    },
}
"""What TIRA's run-with-metadata and LongEval ask for; a list stands for any number of entries."""

DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
"""A sweep writes many of these files; libyaml, where it is there, is four times as fast."""

KINDS = {str: "text", list: "a list", bool: "true or false", dict: "a mapping"}


@cache
def this_machine() -> Mapping[str, object]:
    """What runs this program: processor, usable cores, memory, operating system."""
    model = platform.processor()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        lines = (line.partition(":") for line in info.read_text(errors="replace").splitlines())
        models = (value.strip() for key, _, value in lines if key.strip() == "model name")
        model = next(models, model)
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    cpu = {
        "model": model,
        "architecture": platform.machine(),
        "number of cores": len(os.sched_getaffinity(0)),
    }
    try:
        distribution = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        distribution = platform.system()
    return {
        "hardware": {"cpu": cpu, "ram": f"{memory / 2**30:.0f} GB"},
        "operating system": {"kernel": platform.release(), "distribution": distribution},
    }


@dataclass(frozen=True, kw_only=True)
class Metadata:
    """How a run was made."""

    tag: str
    description: str
    """The system in one sentence."""
    retrieval: Sequence[Mapping[str, object]]
    """Its stages in order, each with its ``name`` and parameters; ``reranks`` and
    ``interpolates`` name the stage whose ranking it takes up."""
    tokeniser: str
    stemmer: str
    stopwords: str
    indexing: Mapping[str, object] = field(default_factory=dict)
    """What else made the index."""
    libraries: Sequence[str]
    """With their versions: ``pandas==3.1.1``."""
    toolkit: Sequence[str]
    """What searches, with its version: ``terrier==5.11``."""
    command: str
    """As it was called."""
    collection: str
    """Name of the test collection."""
    topics: str
    """Name of their file."""
    hashes: Mapping[str, str] = field(default_factory=dict)
    """Of all that the ranking follows from, by name."""
    started: datetime
    stopped: datetime
    parts: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Seconds of each part of the run by their kind, in the order in which they ran."""
    memory: str = ""
    """At most, of the process: ``183 MB``."""
    machine: Mapping[str, object] = field(default_factory=this_machine)
    """``hardware`` and ``operating system``."""
    training: Sequence[str] = ()
    """Names of the test collections that learned stages or parameters were fitted on."""
    team: str = "anonymous"
    goal: str = "Argument retrieval for controversial questions"
    repository: str = "not published"
    commit: str = ""


def content(metadata: Metadata) -> bytes:
    """What the file holds: YAML, its keys always in the same order."""
    text: str = yaml.dump(
        _plain(_tree(metadata)), Dumper=DUMPER, sort_keys=False, allow_unicode=True, width=100
    )
    return text.encode()


def _tree(of: Metadata) -> dict[str, object]:
    flags = {
        "lexical": True,
        "deep_neural_model": False,
        "sparse_neural_model": False,
        "single_stage_retrieval": len(of.retrieval) == 1,
    }
    indexing = {"tokenizer": of.tokeniser, "stemmer": of.stemmer, "stopwords": of.stopwords}
    source = {"lang": ["Python"], "repository": of.repository}
    software = {"libraries": of.libraries, "retrieval toolkit": of.toolkit}
    return {
        "schema version": "0.2",
        "run version": "1.0",
        "tag": of.tag,
        "actor": {"team": of.team, "role": "experimenter"},
        "research goal": {"description": of.goal},
        "platform": {**of.machine, "software": software},
        "implementation": {
            "executable": {"cmd": of.command},
            "source": source | ({"commit": of.commit} if of.commit else {}),
        },
        "resources": {
            "runtime": {
                "start": of.started.isoformat(timespec="seconds"),
                "stop": of.stopped.isoformat(timespec="seconds"),
                "wallclock": f"{(of.stopped - of.started).total_seconds():.1f} s",
            },
            **({"memory": {"peak": of.memory}} if of.memory else {}),
            "parts": of.parts,
        },
        "data": {
            "test collection": {"name": of.collection, "topics": of.topics},
            "training data": [{"name": name} for name in of.training],
        },
        "method": {
            "name": of.tag,
            "description": of.description,
            "automatic": True,
            "score ties": SCORE_TIES,
            "indexing": indexing | dict(of.indexing),
            "retrieval": [{"name": step["name"], **flags, **step} for step in of.retrieval],
        },
        "hashes": of.hashes,
    }


def _plain(value: object) -> object:
    """The same in mappings, lists, texts, numbers and truth values alone."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    for kind in (bool, int, float):
        if isinstance(value, kind):
            return kind(value)
    return None if value is None else str(value)


def problems(file: Path) -> list[str]:
    """What TIRA or LongEval would miss in a file; nothing, if it is right.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        tree = yaml.safe_load(file.read_bytes())
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        return [f"{file}: not YAML: {' '.join(str(error).split())}"]
    return [f"{file}: {problem}" for problem in _missing(tree, REQUIRED, "")]


def _missing(held: object, wanted: object, place: str) -> Iterator[str]:
    kind = wanted if isinstance(wanted, type) else type(wanted)
    if not isinstance(held, kind):
        what = "is missing" if held is None else f"is {held!r}"
        yield f"{place or 'the file'} {what}, {KINDS[kind]} is expected"
    elif isinstance(held, dict) and isinstance(wanted, dict):
        for key, one in wanted.items():
            yield from _missing(held.get(key), one, f"{place}.{key}" if place else key)
    elif isinstance(held, list) and isinstance(wanted, list):
        for number, one in enumerate(held):
            yield from _missing(one, wanted[0], f"{place}[{number}]")
