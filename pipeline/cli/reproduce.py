"""The verb reproduce."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli import options
from pipeline.cli.group import commands, show

if TYPE_CHECKING:
    from pipeline.index.builders import Builder


@commands.command()
@click.argument("configs", nargs=-1, metavar="[CONFIG]...")
@options.input_option
@options.qrels_option
@options.topics_option
@click.option(
    "--runs", metavar="DIR", type=click.Path(path_type=Path, file_okay=False),
    help="Run files as submitted, to compare with; found by name or tag.",
)  # fmt: skip
@options.index_option
@click.option(
    "-o", "--output", metavar="OUT", type=click.Path(path_type=Path, file_okay=False),
    help="Keeps each run, in a folder by the name of its config.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="JSON, with the scores of each topic.")
@options.builder_option
@options.quiet_option
def reproduce(
    configs: tuple[str, ...],
    folder: Path,
    qrels: Path,
    topics: tuple[Path, ...],
    runs: Path | None,
    indexes: Path | None,
    output: Path | None,
    as_json: bool,
    builder: Builder | None,
    quiet: bool,
) -> None:
    """Runs configs, and compares their scores with the published ones.

    Without CONFIG, every shipped config that has scores below expected:. A score is ok up to
    0.0005 from the published one, close up to 0.02, and differs beyond; with the run file that was
    submitted (published_as: in the config names its tag) it is significantly below where a paired
    t test over topics says so. Leaves with 1 if a score differs or is significantly below, or if
    none could be compared.
    """
    from pipeline.experiments import published
    from pipeline.experiments.reproduce import reproduce

    rows = reproduce(
        configs, folder, qrels, runs, indexes, output, builder, topics=topics, quiet=quiet
    )
    if as_json:
        click.echo(json.dumps([row.plain() for row in rows], indent=1, ensure_ascii=False))
    else:
        show(published.lines(rows))
    if not published.held(rows):
        sys.exit(1)
