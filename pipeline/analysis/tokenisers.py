"""A text cut into tokens, as Terrier's tokenisers do it.

Both drop a run that is rarely a word: of more than 20 characters, with more than 4 digits, or with
more than 3 equal characters one after the other, where capital and small letters are not equal.
"""

from __future__ import annotations

import re

from pipeline.analysis.characters import characters

MOST_CHARACTERS = 20
MOST_DIGITS = 4
MOST_EQUAL = 3

_ASCII_RUNS = re.compile("[A-Za-z0-9]+")
_ASCII_DIGITS = re.compile("[0-9]")
_EQUAL = re.compile(rf"(.)\1{{{MOST_EQUAL}}}")


def english(text: str) -> list[str]:
    """Runs of ASCII letters and digits, in small letters; everything else separates."""
    return [run.lower() for run in _ASCII_RUNS.findall(text) if _is_word(run, _ASCII_DIGITS)]


def utf(text: str) -> list[str]:
    """Runs of letters, digits and marks of any script, in small letters.

    A token may have more than 20 characters then: a capital dotted i becomes two.
    """
    known = characters()
    runs = known.runs.findall(text)
    return [known.lower(run) for run in runs if _is_word(run, known.digits)]


def _is_word(run: str, digit: re.Pattern[str]) -> bool:
    return (
        len(run) <= MOST_CHARACTERS
        and len(digit.findall(run)) <= MOST_DIGITS
        and not _EQUAL.search(run)
    )


TOKENISERS = {"english": english, "utf": utf}
