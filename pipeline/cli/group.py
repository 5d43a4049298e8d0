"""What every verb belongs to."""

from __future__ import annotations

from collections.abc import Iterable

import click


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def commands() -> None:
    """Retrieves arguments for controversial questions: args.me files in, a safe TREC run out.

    ./run.sh -i IN -o OUT [-c CONFIG] is short for ./run.sh run -i IN -o OUT [-c CONFIG].
    """


def show(lines: Iterable[str]) -> None:
    """Writes lines to stdout."""
    for line in lines:
        click.echo(line)
