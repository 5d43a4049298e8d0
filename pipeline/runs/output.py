"""The output folder of a run: run.txt, ir-metadata.yml and config.yaml, all whole or none."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from pathlib import Path

import pandas as pd

from pipeline.errors import InputError, RunError
from pipeline.runs import metadata, trec, whole
from pipeline.runs.verify import verify

RUN = "run.txt"
METADATA = "ir-metadata.yml"
CONFIG = "config.yaml"

FIRST_LINE = "# What made the run.txt beside this file, with every parameter; runs again with -c."
"""Of a config that a run left. Another ``config.yaml`` is the user's, and never touched."""


def remove_old(folder: Path) -> None:
    """Removes the run of an earlier call, and what a killed one left.

    Raises:
        InputError: something of it cannot be removed.
    """
    try:
        whole.remove_parts(folder, RUN, METADATA, CONFIG)
        for name in (RUN, f"{RUN}.gz", METADATA):
            (folder / name).unlink(missing_ok=True)
        if not users_config(folder):
            (folder / CONFIG).unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            f"{error.filename}: cannot be removed: {error.strerror}; "
            "remove it, or choose another output folder"
        ) from None


def users_config(folder: Path) -> Path | None:
    """A ``config.yaml`` in the folder that no run left; None where there is none."""
    file = folder / CONFIG
    try:
        with file.open("rb") as held:
            return None if held.readline().rstrip() == FIRST_LINE.encode() else file
    except FileNotFoundError:
        return None
    except OSError:
        return file


def publish(
    folder: Path,
    ranking: pd.DataFrame,
    topics: Sequence[trec.Topic],
    about: metadata.Metadata,
    config: bytes,
    *,
    depth: int = trec.MAX_DEPTH,
    docnos: Container[str] | None = None,
) -> trec.Summary:
    """Writes a ranking and how it was made; what an earlier call wrote goes first.

    The files are written under temporary names, read again and verified, then named, the run
    last: who sees ``run.txt`` sees a whole run with its metadata and its config. A ``config.yaml``
    of the user's stays as it is. The run's tag is that of ``about``; ``config`` is what
    ``config.yaml`` will hold; for the other arguments see ``trec.lines``.

    Raises:
        InputError: the tag is none, or an earlier run cannot be removed.
        RunError: the ranking is none that can be written, a file cannot be written, or what was
            written breaks a rule.
    """
    remove_old(folder)
    run, summary = trec.lines(ranking, topics, about.tag, depth=depth, docnos=docnos)

    def check(parts: Mapping[Path, Path]) -> None:
        wrong = verify(parts[folder / RUN], topics, docnos, gaps=False)
        wrong += metadata.problems(parts[folder / METADATA])
        if wrong:
            for file, part in parts.items():
                wrong[0] = wrong[0].replace(str(part), str(file))
            more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
            raise RunError(f"{wrong[0]}{more}; nothing was written")

    contents = {folder / CONFIG: config, folder / METADATA: metadata.content(about)}
    if users_config(folder):
        del contents[folder / CONFIG]
    whole.write(contents | {folder / RUN: run}, check)
    return summary
