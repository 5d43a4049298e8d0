"""The verb report."""

from __future__ import annotations

from pathlib import Path

import click

from pipeline.cli import options
from pipeline.cli.group import commands, show


@commands.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", "file", metavar="FILE.html", type=click.Path(path_type=Path, dir_okay=False),
    help="The page; by default report.html in DIR. The leaderboard for LaTeX goes beside it.",
)  # fmt: skip
@click.option(
    "--qrels", metavar="FILE_OR_DIR", type=click.Path(path_type=Path, exists=True),
    help="Judgements of runs; a sweep names its own.",
)  # fmt: skip
@click.option(
    "-i", "--input", "collection", metavar="IN", type=click.Path(path_type=Path),
    help="The input folder of runs, for texts and titles; a sweep names its own.",
)  # fmt: skip
@click.option(
    "--baseline", metavar="NAME", default="",
    help="The system that the others are held against: its name, or the number of a point. By "
    "default the point that is as the base of its sweep is, else the first.",
)  # fmt: skip
@options.index_option
def report(
    folder: Path,
    file: Path | None,
    qrels: Path | None,
    collection: Path | None,
    baseline: str,
    indexes: Path | None,
) -> None:
    """Makes one page of a sweep, or of runs: scores, pictures, rankings side by side.

    DIR is the output of a sweep, or a folder of such, of outputs of run, or of run files.
    """
    from pipeline.experiments.progress import tell
    from pipeline.experiments.report import report

    files, notes = report(folder, file, qrels, collection, indexes, baseline)
    for note in notes:
        tell(f"note: {note}")
    show(map(str, files))
