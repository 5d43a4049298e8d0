"""Snowball's stemmers, of Snowball 2.2 as Terrier's; of later versions most are others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module, metadata

LANGUAGES = (
    "danish", "dutch", "english", "finnish", "french", "german", "hungarian", "italian",
    "norwegian", "portuguese", "romanian", "russian", "spanish", "swedish", "turkish",
)  # fmt: skip

IN_C, IN_PYTHON = "PyStemmer", "snowballstemmer"
VERSIONS = {IN_C: "2.2.0.3", IN_PYTHON: "2.2.0"}
"""The packages, and the versions that were compared with Terrier. The one in C is 20 times as
quick, but there is none for each Python, and in Dutch it counts bytes, Terrier characters."""

Stem = Callable[[Sequence[str]], list[str]]


def missing() -> str:
    """What is not installed of that without which there is no stemmer; "" if nothing."""
    return "" if _there(IN_PYTHON) else f"{IN_PYTHON} {VERSIONS[IN_PYTHON]}"


def stemmer(language: str) -> Stem:
    """What gives the stems of words in small letters.

    A word stays as it is where nothing would be left of it: Terrier breaks down over that.

    Args:
        language: one of ``LANGUAGES``.
    """
    exact = _in_python(language)
    quick = _in_c(language) if _there(IN_C) else exact

    def stems(words: Sequence[str]) -> list[str]:
        found = quick(words)
        if language == "dutch" and quick is not exact:
            places = [place for place, word in enumerate(words) if not word.isascii()]
            for place, stem in zip(places, exact([words[p] for p in places]), strict=True):
                found[place] = stem
        return [stem or word for stem, word in zip(found, words, strict=True)]

    return stems


def _in_c(language: str) -> Stem:
    import Stemmer

    stem: Stem = Stemmer.Stemmer(language, 0).stemWords
    return stem


def _in_python(language: str) -> Stem:
    module = import_module(f"{IN_PYTHON}.{language}_stemmer")  # its own front would choose the C
    stem: Stem = getattr(module, f"{language.title()}Stemmer")().stemWords
    return stem


@cache
def _there(package: str) -> bool:
    try:
        return metadata.version(package) == VERSIONS[package]
    except metadata.PackageNotFoundError:
        return False
