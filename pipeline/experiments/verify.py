"""``verify``: all that is wrong with a run, and with what lies beside it."""

from __future__ import annotations

from pathlib import Path

from pipeline.collection import topics as topic_files
from pipeline.collection.folder import open_collection
from pipeline.errors import count
from pipeline.runs import metadata
from pipeline.runs import verify as runs


def verify(path: Path, folder: Path | None = None) -> tuple[list[str], str]:
    """Everything wrong with a run, a line each, and one line that sums it up.

    Args:
        path: a run file, or the folder of one; in a folder ``ir-metadata.yml`` is looked at too.
        folder: the input folder of the run, whose topics and documents are then compared.

    Raises:
        InputError: there is no run, or the input folder is not one.
    """
    topics = docnos = None
    if folder:
        topics = topic_files.read(topic_files.find(folder))
        docnos = {argument.docno for argument in open_collection(folder).arguments()}
    problems = runs.verify(path, topics, docnos)
    described = path / "ir-metadata.yml"
    if described.is_file():
        problems += metadata.problems(described)
    if problems:
        return problems, f"{path}: {count(len(problems), 'problem')}"
    against = f", compared with {folder}" if folder else ""
    return [], f"{path}: nothing is wrong with it{against}"
