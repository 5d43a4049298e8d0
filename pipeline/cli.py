"""The command line: words into calls, errors into exit codes. Nothing is decided here."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from pipeline.errors import InputError, RunError

if TYPE_CHECKING:
    from pipeline.index.builders import Builder

INPUT_NAMES = ("inputDataset", "TIRA_INPUT_DATASET", "TIRA_INPUT_DIRECTORY")
OUTPUT_NAMES = ("outputDir", "TIRA_OUTPUT_DIR", "TIRA_OUTPUT_DIRECTORY")
"""Names by which TIRA's runners, old and new, hand over the two folders."""

T = TypeVar("T")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def commands() -> None:
    """Retrieves arguments for controversial questions: args.me files in, a safe TREC run out.

    ./run.sh -i IN -o OUT [-c CONFIG] is short for ./run.sh run -i IN -o OUT [-c CONFIG].
    """


def _folder(names: tuple[str, ...]) -> Callable[[click.Context, click.Parameter, str], Path]:
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
    "-i", "--input", "folder", metavar="IN", callback=_folder(INPUT_NAMES), is_eager=True,
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


@commands.command()
@input_option
@click.option(
    "-o", "--output", metavar="OUT", callback=_folder(OUTPUT_NAMES),
    help="Folder for run.txt and ir-metadata.yml; made if it is not there.",
)  # fmt: skip
@click.option(
    "-c", "--config", metavar="CONFIG", envvar="CONFIG", default="default", show_default=True,
    help="A config file, or the bare name of a shipped config.",
)  # fmt: skip
@index_option
@builder_option
@quiet_option
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
@input_option
@click.option(
    "--index", "indexes", metavar="DIR", required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the indexes, each in a folder named by its hash.",
)  # fmt: skip
@click.option(
    "-c", "--config", "configs", metavar="CONFIG", multiple=True, default=["default"],
    show_default=True, help="Whose indexes are built; may be given several times.",
)  # fmt: skip
@builder_option
@quiet_option
def index(
    folder: Path, indexes: Path, configs: tuple[str, ...], builder: Builder | None, quiet: bool
) -> None:
    """Only builds the indexes that the configs need."""
    from pipeline.experiments.build import build

    _print(build(folder, indexes, configs, builder, quiet=quiet))


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
    _print(problems)
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

    _print(list_stages(verb))


@commands.command()
@click.argument("config", default="default")
def explain(config: str) -> None:
    """Spells out what CONFIG runs, with every effective parameter, as a config."""
    from pipeline.config import catalogue, experiment
    from pipeline.experiments.explain import explain

    _print(explain(experiment.load(catalogue.find(config))))


@commands.command()
def doctor() -> None:
    """Looks at Java, the jars, memory, folders and tools, and says the cure of what is wrong."""
    from pipeline.experiments.doctor import doctor

    lines, well = doctor()
    _print(lines)
    if not well:
        sys.exit(1)


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line; leaves with 0 (done), 1 (it ran and failed) or 2 (given wrong)."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] and arguments[0] not in ("-h", "--help") and arguments[0].startswith("-"):
        arguments = ["run", *arguments]
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what is temporary is removed
    try:
        commands.main(arguments, prog_name="run.sh", standalone_mode=False)
    except click.exceptions.Abort:
        _stop(130, "stopped; nothing was written")
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except click.exceptions.Exit as error:
        sys.exit(error.exit_code)
    except InputError as error:
        _stop(2, *error.lines)
    except RunError as error:
        _stop(1, f"failed: {error}")
    except MemoryError:
        _stop(1, "failed: out of memory; give the program more, or a smaller collection")
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _stop(code: int, *lines: str) -> None:
    from pipeline.experiments.progress import tell

    for line in lines:
        tell(line)
    sys.exit(code)
