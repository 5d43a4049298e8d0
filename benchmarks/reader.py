"""Speed and memory of the args.me reader.

    python benchmarks/reader.py FOLDER [--sample MEGABYTES] [--scratch FOLDER]

Reads the collection in FOLDER as it is, then a part of it rewritten in other layouts, each in a
process of its own, after the system has it in memory as far as there is room. CPU seconds are user
and system time together; "of all" is what all of FOLDER would take in that layout. Layouts of the
same part must give the same number of arguments and of characters in them.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

sys.path.insert(0, str(Path(__file__).parents[1]))

from measure import Row, table, warm

from pipeline.collection.argsme import read
from pipeline.collection.folder import open_collection

Json = dict[str, Any]


def _compact(argument: Json) -> str:
    return json.dumps(argument, separators=(",", ":"), ensure_ascii=False)


def _reversed(argument: Json) -> str:
    return json.dumps(dict(reversed(argument.items())), ensure_ascii=False)


def _indented(argument: Json) -> str:
    return "\n  " + json.dumps(argument, indent=2, ensure_ascii=False)


def _shuffled(argument: Json) -> str:
    chance = random.Random(argument["id"])
    context = argument["context"]
    argument["context"] = {key: context[key] for key in chance.sample(list(context), len(context))}
    keys = chance.sample(list(argument), len(argument))
    separators = chance.choice([(",", ":"), (", ", ": "), (" ,\n", " :  ")])
    return json.dumps({key: argument[key] for key in keys}, separators=separators)


LAYOUTS: dict[str, Callable[[Json], str]] = {
    "compact": _compact,
    "blanks, only ASCII": json.dumps,
    "keys reversed": _reversed,
    "indented": _indented,
    "keys and blanks at random": _shuffled,
}


def rewrite(old: Path, new: Path, share: float, dump: Callable[[Json], str]) -> None:
    """Writes the arguments in the first ``share`` of a file in another layout."""
    stop = share * old.stat().st_size
    with old.open("rb") as source, new.open("w", encoding="utf-8") as target:
        target.write('{"arguments": [')
        for number, argument in enumerate(read([old])):
            if number and argument.end > stop:
                break
            source.seek(argument.start)
            value = json.loads(source.read(argument.end - argument.start))
            target.write("," * (number > 0) + dump(value))
        target.write("]}\n")


def measure(folder: Path) -> Json:
    """Reads a collection in this process."""
    began, before = time.perf_counter(), _cpu()
    collection = open_collection(folder)
    arguments = characters = 0
    for argument in collection.arguments():
        arguments += 1
        characters += len(argument.conclusion) + len(argument.premises) + len(argument.title)
    return {
        "arguments": arguments,
        "characters": characters,
        "bytes": collection.bytes,
        "cpu": _cpu() - before,
        "wall": time.perf_counter() - began,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _in_own_process(folder: Path) -> Json:
    warm(folder)
    out = subprocess.check_output([sys.executable, __file__, str(folder), "--only"], text=True)
    return dict(json.loads(out))


def _show(row: Row, layout: str, part: Json, whole: Json) -> None:
    megabytes = part["bytes"] / 1e6
    row(
        layout,
        f"{megabytes:,.0f}",
        f"{part['cpu']:.2f}",
        f"{part['wall']:.2f}",
        f"{megabytes / part['wall']:,.0f}",
        f"{part['cpu'] * whole['arguments'] / part['arguments']:.2f}",
        f"{part['memory']:.0f}",
        part["arguments"],
        part["characters"],
    )


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--sample", default=1000.0, help="Megabytes that are rewritten in other layouts.")
@click.option("--scratch", type=click.Path(path_type=Path), help="Where they are written.")
@click.option("--only", is_flag=True, help="Reads FOLDER in this process, prints JSON.")
def main(folder: Path, sample: float, scratch: Path | None, only: bool) -> None:
    """Measures the reader on the collection in FOLDER."""
    if only:
        print(json.dumps(measure(folder)))
        return
    collection = open_collection(folder)
    share = min(1.0, sample * 1e6 / collection.bytes)
    row = table(
        ["MB", "CPU s", "wall s", "MB/s", "of all", "peak MB", "arguments", "characters"], 26
    )
    whole = _in_own_process(folder)
    _show(row, "as it is", whole, whole)
    for layout, dump in LAYOUTS.items():
        with tempfile.TemporaryDirectory(dir=scratch) as part:
            for file in collection.files:
                rewrite(file, Path(part) / file.name, share, dump)
            _show(row, layout, _in_own_process(Path(part)), whole)


if __name__ == "__main__":
    main()
