"""Word lists, each by its name here, by a file, or written out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationInfo, field_validator

from pipeline.errors import meant

SHIPPED = Path(__file__).parent / "words"
"""One plain file a list: a word a line, its source and licence in the first lines, after ``#``."""


class WordList(BaseModel):
    """Words, and where they came from; a config may say both: ``{name: x.txt, words: [...]}``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    """Name of a shipped list, path of a file as given, or ``list``."""
    words: tuple[str, ...]
    """The words, lower-cased, each once, in the order of the list."""

    @field_validator("words")
    @classmethod
    def _each_once(cls, words: tuple[str, ...]) -> tuple[str, ...]:
        return _tidy(words)


def shipped() -> list[str]:
    """The names of the shipped lists."""
    return sorted(file.stem for file in SHIPPED.glob("*.txt"))


def read(file: Path) -> tuple[str, ...]:
    """The words of a file: a word a line; blank lines and lines that begin with ``#`` do not count.

    Raises:
        ValueError: the file cannot be read, is not UTF-8, or holds no word.
    """
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise ValueError(f"{file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{file} is not UTF-8 (byte {error.start:,})") from error
    words = [word for line in lines if (word := line.strip()) and not word.startswith("#")]
    if not words:
        raise ValueError(f"{file} holds no word; a word a line is expected")
    return _tidy(words)


def resolve(value: Any, info: ValidationInfo) -> Any:
    """A list of words, the name of a shipped list, or a file (a path beside the config).

    A record says of a file both its name and its words, and the file is not asked.
    """
    return word_list(value, info)


def word_list(value: Any, info: ValidationInfo, *others: str) -> Any:
    """As ``resolve``; ``others`` are words that would have been right too, for the error."""
    name = "list"
    if isinstance(value, dict) and value.keys() == {"name", "words"}:
        name, value = str(value["name"]), value["words"]
    if isinstance(value, list | tuple):
        if not value or not all(isinstance(word, str) and word.strip() for word in value):
            raise ValueError("a list of words is expected, each of them text")
        return WordList(name=name, words=_tidy([word.strip() for word in value]))
    if not isinstance(value, str):
        return value
    if value in shipped():
        return WordList(name=value, words=read(SHIPPED / f"{value}.txt"))
    if "/" in value or value.endswith(".txt"):
        folder = Path((info.context or {}).get("folder", "."))
        return WordList(name=value, words=read(folder / value))
    known = list(dict.fromkeys([*others, *shipped()]))
    raise ValueError(
        f"no word list {value!r}{meant(value, known)}; there is {', '.join(known)}, a file (a path "
        "that ends in .txt), or a list of words"
    )


def _tidy(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.lower() for word in words))


Words = Annotated[WordList, BeforeValidator(resolve)]
"""A parameter that is a word list."""
