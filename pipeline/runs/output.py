"""The output folder of a run: run.txt and ir-metadata.yml, both whole or neither."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from pathlib import Path

import pandas as pd

from pipeline.errors import InputError, RunError
from pipeline.runs import metadata, trec, whole
from pipeline.runs.verify import verify

RUN = "run.txt"
METADATA = "ir-metadata.yml"


def remove_old(folder: Path) -> None:
    """Removes the run of an earlier call, and what a killed one left.

    Raises:
        InputError: something of it cannot be removed.
    """
    try:
        whole.remove_parts(folder, RUN, METADATA)
        for name in (RUN, f"{RUN}.gz", METADATA):
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            f"{error.filename}: cannot be removed: {error.strerror}; "
            "remove it, or choose another output folder"
        ) from None


def publish(
    folder: Path,
    ranking: pd.DataFrame,
    topics: Sequence[trec.Topic],
    about: metadata.Metadata,
    *,
    depth: int = trec.MAX_DEPTH,
    docnos: Container[str] | None = None,
) -> trec.Summary:
    """Writes a ranking and how it was made; what an earlier call wrote goes first.

    Both files are written under temporary names, read again and verified, then named, the run
    last: who sees ``run.txt`` sees a whole run with its metadata. The run's tag is that of
    ``about``; for the other arguments see ``trec.lines``.

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

    contents = {folder / METADATA: metadata.content(about), folder / RUN: run}
    whole.write(contents, check)
    return summary
