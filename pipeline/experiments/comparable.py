"""Which published scores compare with scores over an input folder, and why others do not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from pipeline.collection.topics import Topic
from pipeline.errors import InputError, count
from pipeline.evaluation import measures
from pipeline.evaluation.judgements import Judgements, named

PRESENT = 0.99
"""Share of judged documents that a collection must have to be the one that was judged."""

Tell = Callable[[str], None]


class Comparable:
    """The judgements that scores were published on, and what the input lacks of them.

    Args:
        names: of the judgements.
        given: a file of judgements, or a folder with some.
        topics: those of the input.
        tell: told, in a line, what a user may wonder at.

    Raises:
        InputError: not one of them is there.
    """

    def __init__(self, names: Iterable[str], given: Path, topics: Sequence[Topic], tell: Tell):
        self._topics = {topic.number for topic in topics}
        self._tell = tell
        self._found: dict[str, Judgements] = {}
        self._missing: dict[str, str] = {}
        self._shares: dict[str, float] = {}
        problems: list[str] = []
        for name in dict.fromkeys(names):
            try:
                self._found[name] = named(name, given)
            except InputError as error:
                self._missing[name] = f"no judgements {name} in {given}"
                problems += error.lines
        if not self._found:
            raise InputError(*dict.fromkeys(problems))
        notes = (note for judged in self._found.values() for note in judged.notes)
        for line in (
            *(f"warning: {problem}" for problem in problems),
            *(f"note: {n}" for n in notes),
        ):
            tell(line)

    def __getitem__(self, name: str) -> Judgements:
        """The judgements of a name for which nothing is in the way."""
        return self._found[name]

    def hindrance(self, name: str, measure: str) -> str:
        """Why no score by a measure on the judgements of a name compares; "" if one does.

        What the documents say of it is known only once ``look_for`` has seen them.
        """
        if name in self._missing:
            return self._missing[name]
        judged = self._found[name]
        if judged.images is not None:
            return "it is a score of images"
        try:
            measures.parse(measure)
        except InputError as error:
            return error.lines[0]
        lacking = len(set(judged.topics) - self._topics)
        of = f"of the {count(len(judged.topics), 'judged topic')}"
        if lacking == len(judged.topics):
            return f"none {of} is in the input"
        if lacking:
            return f"{lacking} {of} {'is' if lacking == 1 else 'are'} not in the input"
        share = self._shares.get(name, 1.0)
        return "" if share >= PRESENT else f"{share:.1%} of the judged documents are in the input"

    def look_for(self, docnos: Callable[[], Iterable[str]]) -> None:
        """Looks how many of the judged documents are there; ``docnos`` gives all that are."""
        unknown = [name for name in self._found if name not in self._shares]
        known = set(docnos()) if unknown else set()
        for name in unknown:
            judged = self._found[name]
            self._shares[name] = judged.share(known)
            searched = self._topics & set(judged.topics)
            if searched and (wrong := judged.foreign(known) or judged.present(known)):
                self._tell(f"warning: {wrong}")
