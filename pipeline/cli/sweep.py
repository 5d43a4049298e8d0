"""The verb sweep: many systems that differ in some places."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli import options
from pipeline.cli.group import commands, show

if TYPE_CHECKING:
    from pipeline.experiments.machines import Machines
    from pipeline.index.builders import Builder


@commands.command()
@click.argument("config", metavar="SWEEP")
@options.input_option
@click.option(
    "-o", "--output", metavar="OUT", callback=options.folder(options.OUTPUT_NAMES),
    help="Folder for a folder a point, table.csv and result.json. What is there is not done again.",
)  # fmt: skip
@options.qrels_option
@click.option(
    "--measure", "measures", metavar="M", multiple=True,
    help="A further measure of the table, as in nDCG@10; may be given several times.",
)  # fmt: skip
@options.topics_option
@options.index_option
@options.builder_option
@click.option("--dry-run", is_flag=True, help="Only says what would be done.")
@click.option(
    "--jobs", metavar="N", type=click.IntRange(min=1), default=1, show_default=True,
    help="Processes of this machine.",
)  # fmt: skip
@click.option("--scheduler", metavar="ADDRESS", help="Uses the workers of this Dask scheduler.")
@click.option("--slurm", is_flag=True, help="Sends the points to Slurm.")
@click.option(
    "--slurm-option", "slurm_options", metavar="NAME=VALUE", multiple=True,
    help="As in partition=long; may be given several times.",
)  # fmt: skip
@options.quiet_option
def sweep(
    config: str,
    folder: Path,
    output: Path,
    qrels: Path,
    measures: tuple[str, ...],
    topics: tuple[Path, ...],
    indexes: Path | None,
    builder: Builder | None,
    dry_run: bool,
    jobs: int,
    scheduler: str | None,
    slurm: bool,
    slurm_options: tuple[str, ...],
    quiet: bool,
) -> None:
    """Searches by every system that SWEEP names, measures them all, and chooses the best.

    SWEEP is a file, or the bare name of a shipped one. Stopped, or killed, it does only the rest
    when it is called again.
    """
    from pipeline.experiments.sweep.run import sweep

    if (jobs > 1) + bool(scheduler) + slurm > 1:
        raise click.UsageError("--jobs, --scheduler and --slurm exclude each other; keep one")
    if slurm_options and not slurm:
        raise click.UsageError("--slurm-option is for --slurm")
    machines = None if dry_run else _machines(jobs, scheduler, slurm, slurm_options)
    try:
        show(
            sweep(
                config, folder, output, qrels, machines,
                measures=measures, topics=topics, indexes=indexes, builder=builder, quiet=quiet,
            )
        )  # fmt: skip
    except KeyboardInterrupt:
        sys.exit(130)  # it has said what is there


def _machines(
    jobs: int, scheduler: str | None, slurm: bool, slurm_options: tuple[str, ...]
) -> Machines:
    if scheduler:
        from pipeline.experiments.machines.dask import Dask

        return Dask(scheduler)
    if slurm:
        from pipeline.experiments.machines.slurm import Slurm

        return Slurm(dict(map(_option, slurm_options)))
    from pipeline.experiments.machines import local

    return local.Processes(jobs) if jobs > 1 else local.Here()


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r}: NAME=VALUE is expected, as in partition=long")
    return name, value
