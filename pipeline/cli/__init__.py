"""The command line: words into calls, errors into exit codes. Nothing is decided here.

A module holds the verbs of one kind; each verb imports what carries it out when it is called.
"""

from __future__ import annotations

import os
import signal
import sys

import click

from pipeline.cli import evaluate, report, reproduce, sweep, systems
from pipeline.cli.group import commands
from pipeline.errors import InputError, RunError

__all__ = ["commands", "evaluate", "main", "report", "reproduce", "sweep", "systems"]


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
