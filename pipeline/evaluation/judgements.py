"""Judgements: grades of documents for topics, by name, from a file or a folder."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from pipeline.collection.topics import in_order
from pipeline.errors import InputError, count, meant
from pipeline.evaluation import places, qrels
from pipeline.evaluation.ids import looks
from pipeline.evaluation.official import OFFICIAL, QUESTIONS, Official, of_file
from pipeline.runs import lenient

__all__ = ["OFFICIAL", "Judgements", "Official", "find", "named", "read"]


@dataclass(frozen=True, eq=False)
class Judgements:
    """Grades of documents for topics, and where they come from."""

    name: str
    """``touche-2021/relevance``; of a file that is none of those, its own without suffix."""
    file: Path
    md5: str
    """Of what the file holds, unpacked."""
    grades: pd.DataFrame
    """``[qid, docno, grade]``: each document once a topic; whole numbers of at least 0.

    Of images: 1 for those on topic; for the other two questions, for those that are an argument.
    """
    notes: tuple[str, ...]
    """What does not go without saying about the file, and how it was taken."""
    official: Official | None = None
    question: str = ""
    """Of images: ``on-topic``, ``argumentative`` or ``on-stance``."""
    images: pd.DataFrame | None = None
    """Of images: ``[qid, docno, question, grade]``, the question ONTOPIC, PRO or CON."""

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """The topics with a judged document, in the order of their numbers."""
        return tuple(in_order(self.by_topic))

    @cached_property
    def by_topic(self) -> dict[str, dict[str, int]]:
        """The grade of each document, topic by topic. Not to be changed."""
        found: dict[str, dict[str, int]] = {}
        columns = (self.grades[column].tolist() for column in ("qid", "docno", "grade"))
        for qid, docno, grade in zip(*columns, strict=True):
            found.setdefault(qid, {})[docno] = grade
        return found

    @cached_property
    def docnos(self) -> tuple[str, ...]:
        """The judged documents, each once."""
        return tuple(dict.fromkeys(self.grades["docno"].tolist()))

    @cached_property
    def kept(self) -> dict[Any, Any]:
        """What measures keep from one call to the next."""
        return {}

    def of(self, topics: Iterable[str]) -> Judgements:
        """Only the judgements of these topics."""
        wanted = list(topics)
        images = self.images
        if images is not None:
            images = images[images["qid"].isin(wanted)].reset_index(drop=True)
        grades = self.grades[self.grades["qid"].isin(wanted)].reset_index(drop=True)
        return replace(self, grades=grades, images=images)

    def share(self, docnos: Container[str]) -> float:
        """How many of the judged documents are among these: 0 to 1."""
        return sum(docno in docnos for docno in self.docnos) / max(len(self.docnos), 1)

    def foreign(self, docnos: Iterable[str], where: str = "the collection") -> str:
        """One line that says so when not one judged document is there; else "".

        Args:
            docnos: the ids of all documents that there are.
            where: what holds them, as in ``the run``.
        """
        known = docnos if isinstance(docnos, Container) else set(docnos)
        if self.share(known):
            return ""
        theirs, ours = looks(self.docnos), looks(docnos)
        same = "" if theirs == ours else f": judged ids look like {theirs}, those there like {ours}"
        judged = count(len(self.docnos), "judged document")
        return f"{self.name}: none of the {judged} is in {where}{same}"

    def present(self, docnos: Container[str], where: str = "the collection") -> str:
        """One line that says how many judged documents are there, when not all are; else ""."""
        share = self.share(docnos)
        if share == 1:
            return ""
        known, judged = round(share * len(self.docnos)), count(len(self.docnos), "judged document")
        return f"{self.name}: {known:,} of {judged} ({share:.1%}) are in {where}"


def read(file: Path, name: str = "") -> Judgements:
    """Reads a file of judgements, ``qid 0 docno grade`` a line, plain or compressed.

    Args:
        file: the file. That of images holds three judgements.
        name: the name of those wanted; the first without.

    Raises:
        InputError: it cannot be read or holds no judgements, a document has two grades for a
            topic, it has the name of an official file and is another one, or it does not hold
            those wanted.
    """
    held = _held(file)
    return _pick(name, held, file) if name else held[0]


def find(given: Path) -> list[Judgements]:
    """All judgements of a file, or of the files below a folder (``places.search``).

    The official ones come first.

    Raises:
        InputError: there are none, or some cannot be read.
    """
    if not given.is_dir():
        return _held(given)
    found = [one for place in places.search(given) for one in _held(place.file, place.stem)]
    order = {name: at for at, name in enumerate(OFFICIAL)}
    return sorted(found, key=lambda one: (order.get(one.name, len(order)), one.name))


def named(name: str, given: Path) -> Judgements:
    """The judgements of a name, from a file or from below a folder (``places.search``).

    Official files have their name. Others have that of their file without its suffix, and where
    several would be called the same, their folders before it.

    Raises:
        InputError: there are none of this name, or they cannot be read.
    """
    if not given.is_dir():
        return read(given, name)
    found = places.search(given)
    for place in found:
        if {name, name.rpartition("/")[0]}.intersection(place.names):
            return _pick(name, _held(place.file, place.stem), given)
    raise _unknown(name, [name for place in found for name in place.names], given)


def _pick(name: str, held: Sequence[Judgements], given: Path) -> Judgements:
    """Those of the name.

    Raises:
        InputError: there are none.
    """
    for one in held:
        if one.name == name:
            return one
    raise _unknown(name, [one.name for one in held], given)


def _unknown(name: str, there: Sequence[str], given: Path) -> InputError:
    official = OFFICIAL.get(name)
    cure = meant(name, [*there, *OFFICIAL]) if official is None else ""
    if official and official.files:
        cure = f": they are {official.files[0]} ({official.source}), md5 {official.md5}"
    elif official:
        cure = f": {official.source}"
    return InputError(f"{given}: no judgements {name!r} there{cure}; there is {', '.join(there)}")


def _held(file: Path, stem: str = "") -> list[Judgements]:
    """All judgements of a file: one, of images three.

    Raises:
        InputError: see ``read``.
    """
    if file.is_dir():
        raise InputError(f"{file}: a folder; a file of judgements is expected")
    content = lenient.content(file)
    md5 = places.md5(content)
    official = of_file(file.name, md5)
    if official and official.md5 != md5:
        raise InputError(
            f"{file}: called like the file of {official.name}, and is another one: its md5 is {md5}"
            f", not {official.md5}; rename it, or get the published one ({official.source})"
        )
    rows, notes = qrels.parse(content.decode("utf-8-sig", "replace"), file)
    if (below := rows.loc[rows["grade"] < 0, "grade"]).size:
        values = ", ".join(map(str, sorted(set(below))))
        notes.append(f"{file}: {count(below.size, 'grade')} below 0 ({values}), counted as 0")
        rows = rows.assign(grade=rows["grade"].clip(lower=0))
    if not rows["grade"].any():
        notes.append(f"{file}: not one grade is above 0")
    name = official.name if official else stem or places.stem(file.name)
    one = Judgements(name, file, md5, rows[["qid", "docno", "grade"]], tuple(notes), official)
    return _of_images(one, rows) if rows["question"].any() else [one]


def _of_images(one: Judgements, rows: pd.DataFrame) -> list[Judgements]:
    """The three judgements that a file of images holds."""
    images = rows[["qid", "docno", "question", "grade"]]
    wide = (images.assign(grade=images["grade"] > 0)).pivot_table(
        index=["qid", "docno"], columns="question", values="grade", aggfunc="any", sort=False
    )
    wide = wide.reindex(columns=list(qrels.QUESTIONS)).fillna(False).astype(bool).reset_index()
    argues = wide["ONTOPIC"] & (wide["PRO"] | wide["CON"])
    family = one.name.rpartition("/")[0] if one.official else one.name
    return [
        replace(
            one,
            name=f"{family}/{question}",
            official=OFFICIAL.get(f"{family}/{question}"),
            question=question,
            images=images,
            grades=wide[["qid", "docno"]].assign(grade=grade.astype("int64")),
        )
        for question, grade in zip(QUESTIONS, (wide["ONTOPIC"], argues, argues), strict=True)
    ]
