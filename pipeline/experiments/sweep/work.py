"""The task that any process on any machine can do: some points of a sweep, done and published.

What it needs it finds in the output folder; what it makes it leaves there. To do a point twice, or
in two places at once, is harmless.
"""

from __future__ import annotations

import threading
import traceback
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from pipeline.errors import InputError, RunError
from pipeline.experiments import records
from pipeline.experiments.sweep import folders, plan
from pipeline.experiments.sweep.bench import Bench
from pipeline.experiments.sweep.memo import common
from pipeline.experiments.sweep.plan import Task

_ALONE = threading.Lock()
"""Threads of one process share what is open, one after the other."""


class Outcome(NamedTuple):
    """What became of a point."""

    number: int
    problem: str = ""
    """In one line; empty: it is there."""


def work(out: str, numbers: Sequence[int]) -> list[Outcome]:
    """Does points of the sweep in an output folder: those that are not there yet.

    Args:
        out: the folder, as this machine sees it.
        numbers: of the points.

    Raises:
        InputError: something that all points need is not as it was.
        RunError: it is not there, or the folder cannot be written.
    """
    with _ALONE:
        return list(outcomes(out, numbers))


def outcomes(out: str, numbers: Sequence[int]) -> Iterator[Outcome]:
    """As ``work``, point by point; not in the order given."""
    folder = Path(out)
    known = plan.read(folder)
    bench = _bench(known.task)
    points = {point.number: point for point in known.points}
    todo = []
    for number in numbers:
        if bench.complete(folder, points[number].key):
            yield Outcome(number)
        else:
            todo.append(points[number])
    systems = [point.experiment(folder / plan.FILE) for point in todo]
    chains = [bench.chain(system) for system in systems]
    for point, system, steps, again in zip(todo, systems, chains, common(chains), strict=True):
        problem = ""
        if not bench.complete(folder, point.key):
            try:
                contents = bench.run(point, system, steps, again)
            except (InputError, RunError) as error:
                problem = "; ".join(str(error).splitlines())
            except MemoryError:
                raise
            except Exception as error:
                problem = _bug(error)
            else:
                folders.publish(folder, point.key, contents)
        yield Outcome(point.number, problem)


@lru_cache(maxsize=1)
def _bench(task: Task) -> Bench:
    """Kept from one call to the next."""
    return Bench(task)


def _bug(error: Exception) -> str:
    """An error that nobody foresaw, with the last place of this program that led to it."""
    trace = traceback.extract_tb(error.__traceback__)
    place = [step for step in trace if Path(step.filename).is_relative_to(records.HOUSE)][-1]
    what = " ".join(str(error).split())
    return f"{type(error).__name__}: {what} ({place.filename}:{place.lineno})"
