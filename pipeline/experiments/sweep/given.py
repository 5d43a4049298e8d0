"""What a sweep was given, looked at before anything is searched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from pipeline.collection import topics as topic_files
from pipeline.collection.topics import Topic
from pipeline.config.routes import Route
from pipeline.config.sweep import Sweep
from pipeline.errors import ConfigError, InputError, count, some
from pipeline.evaluation import judgements, measures
from pipeline.evaluation.judgements import Judgements
from pipeline.evaluation.measures import Measure

DEPTH, DEEP = 100, 1000
"""Documents kept of each topic: usually, and for a measure that looks further."""


SHOWN = 3
"""Topics named in an error."""


class Given(NamedTuple):
    """Topics, and what says how well they were searched."""

    topics: tuple[Topic, ...]
    """Those that are searched: some of the judgements have them."""
    topics_files: tuple[str, ...]
    judged: tuple[Judgements, ...]
    """Those that choose, then the others that are reported; of these topics only."""
    measures: tuple[Measure, ...]
    """That by which is chosen, then the others."""
    depth: int
    """Documents that are kept of each topic."""
    notes: list[str]
    """What to say of it."""


def read(
    sweep: Sweep,
    folder: Path,
    qrels: Path,
    wanted: Sequence[str] = (),
    topics: Sequence[Path] = (),
) -> Given:
    """What a sweep needs beside the collection.

    Args:
        sweep: the sweep.
        folder: whose topics are searched, where no files of topics are given.
        qrels: a file of judgements, or a folder with any number of them.
        wanted: measures.
        topics: files of topics.

    Raises:
        InputError: an unknown measure, judgements that are not there or judge none of the topics, a
            topic that stands in two files with different texts.
    """
    with _blamed(sweep, ("choose", "by")):
        by = measures.parse(sweep.choose.by)
    asked = tuple(dict.fromkeys([by, *map(measures.parse, wanted)]))
    files = list(topics) or [topic_files.find(folder)]
    known = topic_files.read_all(files)
    judged = _judgements(sweep, qrels, [topic.number for topic in known])
    numbers = {number for one in judged for number in one.topics}
    searched = tuple(topic for topic in known if topic.number in numbers)
    notes = [line for one in judged for line in one.notes]
    if left := len(known) - len(searched):
        notes.append(f"{left:,} of {count(len(known), 'topic')} are not searched: no judgements")
    ours = [one.of([topic.number for topic in searched]) for one in judged]
    _look_at_topics(sweep, ours)
    depth = sweep.depth or (DEEP if any(map(_looks_far, asked)) else DEPTH)
    return Given(searched, tuple(file.name for file in files), tuple(ours), asked, depth, notes)


def _judgements(sweep: Sweep, qrels: Path, topics: Sequence[str]) -> list[Judgements]:
    """Those that choose, then the others that are reported.

    Raises:
        InputError: there are none of that name, or they judge none of the topics.
    """
    if sweep.choose.on:
        with _blamed(sweep, ("choose", "on")):
            choosing = judgements.named(sweep.choose.on, qrels)
    else:
        choosing = _only(sweep, judgements.find(qrels), topics)
    found = {choosing.name: choosing}
    for at, name in enumerate(sweep.report.on if sweep.report else ()):
        if name not in found:
            with _blamed(sweep, ("report", "on", at)):
                found[name] = judgements.named(name, qrels)
    for one in found.values():
        if one.images is not None:
            raise InputError(f"{one.file}: judges images; judgements of arguments are expected")
        if not set(topics) & set(one.topics):
            raise InputError(
                f"{one.file}: judges none of the {count(len(topics), 'topic')}, which are "
                f"{some(topics, SHOWN)}; it has {some(one.topics, SHOWN)}"
            )
    return list(found.values())


def _only(sweep: Sweep, found: Sequence[Judgements], topics: Sequence[str]) -> Judgements:
    """The only judgements that may be meant where the sweep names none."""
    if len(found) == 1:
        return found[0]
    fit = [one for one in found if one.images is None and set(topics) & set(one.topics)]
    if len(fit) == 1:
        return fit[0]
    names = ", ".join(one.name for one in fit or found)
    what = f"which judgements? on: one of {names}"
    raise ConfigError([sweep.problem(("choose", "on"), what)])


def _look_at_topics(sweep: Sweep, judged: Sequence[Judgements]) -> None:
    """Whether every topic that the sweep names is searched, and judged.

    Raises:
        ConfigError: one is not.
    """
    parts = [(("choose", "topics"), sweep.choose.topics, judged[:1])]
    if sweep.report:
        told = [one for one in judged if one.name in (sweep.report.on or [judged[0].name])]
        parts.append((("report", "topics"), sweep.report.topics, told))
    problems = []
    for route, topics, ones in parts:
        known = list(dict.fromkeys(topic for one in ones for topic in one.topics))
        if unknown := topics.unknown(known):
            names = " and ".join(one.name for one in ones)
            what = (
                f"{some(unknown, SHOWN)}: not among the topics that are searched and that {names} "
                f"has, which are {some(known, SHOWN)}"
            )
            problems.append(sweep.problem(route, what))
    if problems:
        raise ConfigError(problems)


@contextmanager
def _blamed(sweep: Sweep, route: Route) -> Iterator[None]:
    """What is wrong inside is said at a place of the sweep file."""
    try:
        yield
    except InputError as error:
        raise ConfigError([sweep.problem(route, line) for line in error.lines]) from None


def _looks_far(measure: Measure) -> bool:
    """Whether it may look at more than ``DEPTH`` documents: also those that drop the unjudged."""
    drops = "condensed" in measure.name or "judged_only" in measure.name
    return measure.cutoff is None or measure.cutoff > DEPTH or drops
