"""Topics, the information needs of a test collection: topics.xml and queries.jsonl."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from lxml import etree

from pipeline.errors import InputError, count

if TYPE_CHECKING:
    import pandas as pd

FILES = ("topics.xml", "queries.jsonl")
"""Where an input folder has its topics; the first one found is read."""

SHOWN = 10
"""Problems shown of one file; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Topic:
    """One information need. Its texts hold single blanks, and none around them."""

    number: str
    """One word, the ``qid``."""
    title: str
    description: str = ""
    narrative: str = ""


def find(folder: Path) -> Path:
    """The file of topics in an input folder.

    Raises:
        InputError: there is none, or the folder cannot be read.
    """
    try:
        held = sorted(path.name for path in folder.iterdir())
    except OSError as error:
        raise InputError(f"{folder}: cannot be read: {error.strerror}") from None
    for name in FILES:
        if name in held:
            return folder / name
    more = [f"{len(held) - SHOWN} more"] if len(held) > SHOWN else []
    holds = ", ".join(held[:SHOWN] + more) or "nothing"
    raise InputError(f"{folder}: no {' or '.join(FILES)}; the folder holds {holds}")


def read(file: Path) -> list[Topic]:
    """The topics of an XML file or, where its name ends so, of a ``.jsonl`` file, in file order.

    Raises:
        InputError: the file cannot be read, or topics are wrong; each line names its place.
    """
    try:
        content = file.read_bytes()
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from None
    if not content.strip():
        raise InputError(f"{file}: the file is empty, topics expected")
    topics: list[Topic] = []
    problems: list[str] = []
    lines: dict[str, int] = {}
    for line, given in (_json_lines if file.suffix == ".jsonl" else _xml)(content):
        wrong = [given] if isinstance(given, str) else given.problems()
        if not isinstance(given, str) and not wrong:
            topic = Topic(given.numbers[0], *given.texts)
            if first := lines.get(topic.number):
                wrong = [f"topic {topic.number} is there twice, first in line {first}"]
            else:
                lines[topic.number] = line
                topics.append(topic)
        problems += [f"{file}:{line}: {what}" for what in wrong]
    if len(problems) > SHOWN:
        problems[SHOWN:] = [f"{file}: {count(len(problems) - SHOWN, 'more problem')}"]
    if problems:
        raise InputError(*problems)
    if not topics:
        raise InputError(f"{file}: no topics in it, at least one expected")
    return topics


def read_all(files: Iterable[Path]) -> list[Topic]:
    """The topics of several files, each once, in the order in which they first come.

    Raises:
        InputError: as ``read``; or a number stands in two files for different topics.
    """
    found: dict[str, tuple[Topic, Path]] = {}
    for file in files:
        for topic in read(file):
            known, where = found.setdefault(topic.number, (topic, file))
            if known != topic:
                raise InputError(
                    f"{file}: topic {topic.number} is '{topic.title}', and in {where} it is "
                    f"'{known.title}' or says more; one topic a number is expected"
                )
    return [topic for topic, _ in found.values()]


def in_order(numbers: Iterable[str]) -> list[str]:
    """Numbers of topics, each once, as one counts: 9 before 10; those that are words last."""
    return sorted(set(numbers), key=lambda number: (not number.isdigit(), len(number), number))


def frame(topics: Sequence[Topic]) -> pd.DataFrame:
    """The topics as queries ``[qid, query, title, description, narrative]``; query is the title."""
    import pandas as pd

    rows = [(t.number, t.title, t.title, t.description, t.narrative) for t in topics]
    columns = ["qid", "query", "title", "description", "narrative"]
    return pd.DataFrame(rows, columns=columns, dtype="str")


class _Given:
    """What a file gives as one topic, right or wrong."""

    def __init__(self, numbers: Sequence[str | int | None], *texts: str | None):
        words = (_clean(str(number)) for number in numbers if number is not None)
        self.numbers = list(dict.fromkeys(filter(None, words)))
        self.texts = [_clean(text or "") for text in texts]

    def problems(self) -> list[str]:
        wrong = []
        if not self.numbers:
            titled = f" with the title '{self.texts[0]}'" if self.texts[0] else ""
            wrong.append(f"a topic{titled} has no number, one expected")
        elif len(self.numbers) > 1:
            wrong.append(f"a topic has the numbers {' and '.join(self.numbers)}, one expected")
        elif " " in self.numbers[0] or not self.numbers[0].isprintable():
            wrong.append(f"topic number {self.numbers[0]!r} is not one word, one word expected")
        if not self.texts[0]:
            numbered = f"topic {self.numbers[0]}" if self.numbers else "a topic"
            wrong.append(f"{numbered} has no title, one expected")
        return wrong


def _clean(text: str) -> str:
    return " ".join(text.split())


def _xml(content: bytes) -> Iterator[tuple[int, _Given | str]]:
    """Line and content of each ``<topic>`` in the root element, or what is wrong there."""
    parser = etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        dtd_validation=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root: Any = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        what = re.sub(r", line \d+, column \d+$", "", error.msg or "it is cut off")
        yield error.lineno or 1, f"not well-formed XML: {_clean(what)}"
        return
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and any(True for _ in declared.iterentities()):
        line = content.count(b"\n", 0, max(content.find(b"<!DOCTYPE"), 0)) + 1
        yield line, "a DOCTYPE with entities is never read, text expected"
        return
    for entity in root.iter(etree.Entity):
        yield entity.sourceline, f"unknown entity {entity.text}, text expected"
    for element in root.iterchildren("topic"):
        original = element.find("original_query")
        text, original_text = _reader(element), _reader(original)
        yield (
            element.sourceline,
            _Given(
                [element.get("number"), text("number"), text("num")],
                text("title") or text("query") or original_text("title"),
                text("description") or original_text("description"),
                text("narrative") or original_text("narrative"),
            ),
        )


def _reader(element: etree._Element | None) -> Callable[[str], str]:
    """From a name to all the text in the element's children of that name."""
    children: list[Any] = [] if element is None else list(element)
    return lambda name: " ".join("".join(c.itertext()) for c in children if c.tag == name)


class _Texts(msgspec.Struct):
    title: str | None = None
    description: str | None = None
    narrative: str | None = None


class _Query(_Texts):
    """One line of queries.jsonl, in the spellings of TIREx and of ir_datasets."""

    qid: str | int | None = None
    query_id: str | int | None = None
    number: str | int | None = None
    query: str | None = None
    text: str | None = None
    original_query: _Texts | None = None


def _json_lines(content: bytes) -> Iterator[tuple[int, _Given | str]]:
    """Number and content of each line that is not empty, or what is wrong with it."""
    decoder = msgspec.json.Decoder(_Query)
    for line, text in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not text.strip():
            continue
        try:
            query = decoder.decode(text)
        except UnicodeDecodeError:
            yield line, "not UTF-8"
        except msgspec.MsgspecError as error:
            yield line, f"not a query: {str(error).replace('`', '').replace(' | null', '')}"
        else:
            original = query.original_query or _Texts()
            yield (
                line,
                _Given(
                    [query.qid, query.query_id, query.number],
                    query.query or query.title or query.text or original.title,
                    query.description or original.description,
                    query.narrative or original.narrative,
                ),
            )
