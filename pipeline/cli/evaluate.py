"""The verb evaluate."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from pipeline.cli import options
from pipeline.cli.group import commands, show


@commands.command()
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", type=click.Path(path_type=Path))
@options.qrels_option
@click.option(
    "--measure", "measures", metavar="M", multiple=True,
    help="As ir-measures names it, P@10 or AP(rel=2); also nDCG_organisers@5 and "
    "nDCG_condensed@5, which leave out what is not judged. May be given several times. "
    "Default: nDCG@5, nDCG_organisers@5, nDCG@10.",
)  # fmt: skip
@click.option("--per-topic", is_flag=True, help="Also the value for each topic; in JSON always.")
@click.option("--json", "as_json", is_flag=True, help="A list with all that is known.")
@click.option("--csv", "as_csv", is_flag=True, help="A line a run and measure, or a topic of them.")
@click.option("--latex", "as_latex", is_flag=True, help="A table for the package booktabs.")
@click.option(
    "--alpha", metavar="A", default=0.05, show_default=True,
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="What p may be, after Holm's correction, for a difference to be marked.",
)  # fmt: skip
def evaluate(
    runs: tuple[Path, ...],
    qrels: Path,
    measures: tuple[str, ...],
    per_topic: bool,
    as_json: bool,
    as_csv: bool,
    as_latex: bool,
    alpha: float,
) -> None:
    """Says how good runs are, with intervals, and tests each against the first.

    A RUN is a file, or a folder with run.txt in it.
    """
    from pipeline.experiments.evaluate import evaluate
    from pipeline.experiments.progress import tell
    from pipeline.experiments.tables import data, latex, text

    if as_json + as_csv + as_latex > 1:
        raise click.UsageError("--json, --csv, --latex: one at a time.")
    found = evaluate(runs, qrels, measures)
    for note in found.notes:
        tell(note)
    about = found.entries, found.comparisons
    if as_json:
        click.echo(data.as_json(*about))
    elif as_csv:
        click.echo(data.topics_as_csv(found.entries) if per_topic else data.as_csv(*about))
    elif as_latex:
        click.echo(latex.table(*about, alpha=alpha))
    else:
        width = max(80, shutil.get_terminal_size((100, 24)).columns)
        show(text.lines(*about, alpha=alpha, per_topic=per_topic, width=width))
