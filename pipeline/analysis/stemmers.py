"""Porter's stemmer for English, as Martin Porter's own programs and Terrier have it."""

from __future__ import annotations

import re
from collections.abc import Mapping

CONSONANTS = "[^aeiou][^aeiouy]*"
"""A run of consonants: y is one where no consonant stands before it, a digit everywhere."""
VOWELS = "[aeiouy][aeiou]*"

_FRONT = re.compile(f"(?:{CONSONANTS})?")
_SYLLABLE = re.compile(VOWELS + CONSONANTS)
_SHORT = re.compile(f"{CONSONANTS}[aeiouy][^aeiouwxy]")
_TO_CONSONANT = re.compile(f"(?:{CONSONANTS})?+(?:{VOWELS}{CONSONANTS})*+")

LONG_ENDINGS = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize",
    "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize",
    "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful",
    "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
"""``bli`` (for ``abli``) and ``logi`` are where the programs depart from the paper."""

MIDDLE_ENDINGS = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip

LAST_ENDINGS = {
    "al": "", "ance": "", "ence": "", "er": "", "ic": "", "able": "", "ible": "", "ant": "",
    "ement": "", "ment": "", "ent": "", "ion": "", "ou": "", "ism": "", "ate": "", "iti": "",
    "ous": "", "ive": "", "ize": "",
}  # fmt: skip


def porter(word: str) -> str:
    """The stem of a word in small letters (Porter, Program 1980).

    Words of one or two letters stay as they are.
    """
    if len(word) <= 2:
        return word
    word = weak_porter(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = f"{word[:-1]}i"
    word = _replaced(word, LONG_ENDINGS, above=0)
    word = _replaced(word, MIDDLE_ENDINGS, above=0)
    word = _replaced(word, LAST_ENDINGS, above=1)
    return _shortened(word)


def weak_porter(word: str) -> str:
    """The word without the endings of plural and past: the first of Porter's steps."""
    if len(word) <= 2:
        return word
    if word.endswith("s"):
        word = _singular(word)
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            stem = word.removesuffix(ending)
            return _mended(stem) if _has_vowel(stem) else word
    return word


def _singular(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word if word.endswith("ss") else word[:-1]


def _mended(stem: str) -> str:
    """The word from which ``ed`` or ``ing`` was cut: conflat(e), hop(p), hop(e)."""
    if stem.endswith(("at", "bl", "iz")):
        return f"{stem}e"
    if stem[-1] == stem[-2:-1] and _TO_CONSONANT.fullmatch(stem):
        return stem if stem[-1] in "lsz" else stem[:-1]
    return f"{stem}e" if _SHORT.fullmatch(stem) else stem


def _replaced(word: str, endings: Mapping[str, str], above: int) -> str:
    """The longest of the endings replaced, if what stands before it measures more than ``above``.

    ``ion`` is only cut from behind s and t.
    """
    for length in range(min(len(word), 7), 1, -1):
        ending = word[-length:]
        if ending in endings:
            stem = word[:-length]
            if _measure(stem) <= above or (ending == "ion" and stem[-1] not in "st"):
                return word
            return stem + endings[ending]
    return word


def _shortened(word: str) -> str:
    """The word without an e at the end, and with one l there for two, if it is long enough."""
    if word.endswith("e"):
        measure = _measure(word)
        if measure > 1 or (measure == 1 and not _SHORT.fullmatch(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word


def _measure(stem: str) -> int:
    """How often consonants follow vowels: Porter's m."""
    return len(_SYLLABLE.findall(stem, _front(stem)))


def _has_vowel(stem: str) -> bool:
    return _front(stem) < len(stem)


def _front(stem: str) -> int:
    """How many consonants it begins with."""
    found = _FRONT.match(stem)
    return found.end() if found else 0
