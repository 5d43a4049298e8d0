"""Options that several verbs share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import click

INPUT_NAMES = ("inputDataset", "TIRA_INPUT_DATASET", "TIRA_INPUT_DIRECTORY")
OUTPUT_NAMES = ("outputDir", "TIRA_OUTPUT_DIR", "TIRA_OUTPUT_DIRECTORY")
"""Names by which TIRA's runners, old and new, hand over the two folders."""


def folder(names: tuple[str, ...]) -> Callable[[click.Context, click.Parameter, str], Path]:
    """Reads a folder's option: as given, or by TIRA's variables where it is left out or literal."""

    def read(_context: click.Context, option: click.Parameter, value: str | None) -> Path:
        literal = value is not None and value.strip("${}") in names and value.startswith("$")
        if value is None or literal:
            found = next((os.environ[name] for name in names if os.environ.get(name)), None)
            if found is None:
                given = f"{value} is not set in the environment" if value else "it is missing"
                raise click.BadParameter(
                    f"{given}; a folder is needed (or one of the variables {', '.join(names)})",
                    param=option,
                )
            value = found
        return Path(value)

    return read


input_option = click.option(
    "-i", "--input", "folder", metavar="IN", callback=folder(INPUT_NAMES), is_eager=True,
    help="Folder with the collection (*.json) and topics.xml or queries.jsonl.",
)  # fmt: skip
index_option = click.option(
    "--index", "indexes", metavar="DIR", type=click.Path(path_type=Path, file_okay=False),
    help="Keeps indexes in this folder, and reuses them.",
)  # fmt: skip
builder_option = click.option(
    "--builder", metavar="WHO", type=click.Choice(["fast", "terrier"]),
    help="Who builds indexes for engine terrier: fast, which is this program, or terrier, its own "
    "indexer. By default fast, where it comes to the same index.",
)  # fmt: skip
quiet_option = click.option("--quiet", is_flag=True, help="Only the summary, no progress.")
qrels_option = click.option(
    "--qrels", metavar="FILE_OR_DIR", required=True, type=click.Path(path_type=Path),
    help="Judgements: a file, or a folder below which they are found by name or hash.",
)  # fmt: skip
topics_option = click.option(
    "--topics", metavar="FILE", multiple=True, type=click.Path(path_type=Path, dir_okay=False),
    help="Topics in place of those in IN; may be given several times.",
)  # fmt: skip
