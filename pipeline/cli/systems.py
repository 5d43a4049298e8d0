"""The verbs of one system: run it, index for it, look at it and at its run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli import options
from pipeline.cli.group import commands, show

if TYPE_CHECKING:
    from pipeline.index.builders import Builder


@commands.command()
@options.input_option
@click.option(
    "-o", "--output", metavar="OUT", callback=options.folder(options.OUTPUT_NAMES),
    help="Folder for run.txt, ir-metadata.yml and config.yaml; made if it is not there.",
)  # fmt: skip
@click.option(
    "-c", "--config", metavar="CONFIG", envvar="CONFIG", default="default", show_default=True,
    help="A config file, or the bare name of a shipped config.",
)  # fmt: skip
@options.index_option
@options.builder_option
@options.quiet_option
def run(
    folder: Path,
    output: Path,
    config: str,
    indexes: Path | None,
    builder: Builder | None,
    quiet: bool,
) -> None:
    """Runs one system over one input folder."""
    from pipeline.experiments.run import run

    click.echo(run(folder, output, config, indexes, builder, quiet=quiet))


@commands.command()
@options.input_option
@click.option(
    "--index", "indexes", metavar="DIR", required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the indexes, each in a folder named by its hash.",
)  # fmt: skip
@click.option(
    "-c", "--config", "configs", metavar="CONFIG", multiple=True, default=["default"],
    show_default=True, help="Whose indexes are built; may be given several times.",
)  # fmt: skip
@options.builder_option
@click.option(
    "--scheduler", metavar="ADDRESS", default="",
    help="Has the workers of a Dask scheduler, tcp://HOST:PORT, read the collection; they see IN "
    "and DIR at the same places.",
)  # fmt: skip
@click.option(
    "--shards", metavar="N", type=click.IntRange(min=1),
    help="Into how many shards the collection is cut for them; by default four a worker.",
)  # fmt: skip
@options.quiet_option
def index(
    folder: Path,
    indexes: Path,
    configs: tuple[str, ...],
    builder: Builder | None,
    scheduler: str,
    shards: int | None,
    quiet: bool,
) -> None:
    """Only builds the indexes that the configs need."""
    from pipeline.experiments.build import build

    if shards and not scheduler:
        raise click.UsageError("--shards is for --scheduler")
    show(build(folder, indexes, configs, builder, scheduler=scheduler, shards=shards, quiet=quiet))


@commands.command()
@click.argument("run_file", metavar="DIR_OR_FILE", type=click.Path(path_type=Path))
@click.option(
    "-i", "--input", "folder", metavar="IN", type=click.Path(path_type=Path),
    help="The input folder of the run: its topics and its documents are compared too.",
)  # fmt: skip
def verify(run_file: Path, folder: Path | None) -> None:
    """Says all that is wrong with a run, each with its line."""
    from pipeline.experiments.verify import verify

    problems, summary = verify(run_file, folder)
    show(problems)
    click.echo(summary, err=bool(problems))
    if problems:
        sys.exit(1)


@commands.command()
@click.argument("configs", nargs=-1, required=True, metavar="CONFIG_OR_FOLDER...")
def check(configs: tuple[str, ...]) -> None:
    """Says what is wrong with configs, without running anything."""
    from pipeline.experiments.check import check

    click.echo(check(configs))


@commands.command("list")
@click.argument("verb", required=False, default="")
def list_(verb: str) -> None:
    """Lists the stages that a config can name, with their parameters and meanings.

    With a VERB (rewrite, retrieve, expand, rerank, order, fuse) only those.
    """
    from pipeline.experiments.list import list_stages

    show(list_stages(verb))


@commands.command()
@click.argument("config", default="default")
def explain(config: str) -> None:
    """Spells out what CONFIG runs, with every effective parameter, as a config.

    Of a sweep, the points that it looks at.
    """
    from pipeline.experiments.explain import explain_config

    show(explain_config(config))


@commands.command()
def doctor() -> None:
    """Looks at Java, the jars, memory, folders and tools, and says the cure of what is wrong."""
    from pipeline.experiments.doctor import doctor

    lines, well = doctor()
    show(lines)
    if not well:
        sys.exit(1)
