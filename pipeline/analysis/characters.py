"""Letters, digits and marks of any script, and their small letters, as Java 21 knows them.

Java 21 has Unicode 15.0, each Python another; and Java takes a text for units of UTF-16, so that
what lies beyond the Basic Multilingual Plane is no letter for Terrier.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

CATEGORIES = frozenset(("Lu", "Ll", "Lt", "Lm", "Lo", "Nd", "Mn", "Mc"))
"""Letters, decimal digits, and marks that belong to the letter before them."""

CORRECTED = {"\u0cf3": "Mc", "\u0ece": "Mn", "\u0295": "Ll"}
"""Unknown before Unicode 15.0 (Python 3.11), the last of another category since 17.0."""

LATER = re.compile(
    "[\u0897\u1c89\u1c8a\ua7cb-\ua7cd\ua7da-\ua7dc"  # 16.0
    "\u088f\u0c5c\u0cdc\u1acf-\u1add\u1ae0-\u1aeb\ua7ce\ua7cf\ua7d2\ua7d4\ua7f1]"  # 17.0
)
"""New after Unicode 15.0."""

IOTA_BELOW = "\u0345"
"""The one mark that Java takes for a letter with case."""

CASED = "\u02b0-\u02b8\u02c0\u02c1\u02e0-\u02e4\u037a\u1d2c-\u1d61"
"""Letters of category Lm that Java takes for letters with case."""

JAPANESE = "\u3005\u4e00-\u9fa5\uf900-\ufa2d\u30a1-\u30fa\u30fc-\u30fe\u3041-\u3094\u309d\u309e"
"""Where Java ends a word that began in another script."""

KNOWN = "2f44614922f6"
"""What ``digest`` is where the tables above make Python's Unicode that of Java 21."""


@dataclass(frozen=True)
class Characters:
    """What texts are made of. To be had from ``characters``."""

    tokens: str
    """The characters of tokens."""
    runs: re.Pattern[str]
    """Runs of them."""
    digits: re.Pattern[str]
    """One decimal digit."""
    final_sigma: re.Pattern[str]
    """A capital sigma that becomes the one for the end of a word, and what stands before it in its
    word: something with case must, and nothing with case may follow; digits do not matter."""

    def lower(self, run: str) -> str:
        """The run in small letters."""
        if "\u03a3" in run:
            run = self.final_sigma.sub("\\1\u03c2", run).replace("\u03a3", "\u03c3")
        return run.lower()

    def digest(self) -> str:
        """12 hexadecimal digits of all that this Python takes from its Unicode."""
        known = (self.tokens, self.tokens.lower(), self.digits.pattern, self.final_sigma.pattern)
        return hashlib.sha256("\n".join(known).encode()).hexdigest()[:12]


@cache
def characters() -> Characters:
    """Those of the Basic Multilingual Plane."""
    kinds = {chr(code): unicodedata.category(chr(code)) for code in range(0x10000)}
    kinds = {c: kind for c, kind in kinds.items() if kind in CATEGORIES and not LATER.match(c)}
    kinds |= CORRECTED
    marks = _set(c for c, kind in kinds.items() if kind == "Mn")
    cased = CASED + _set(c for c, kind in kinds.items() if kind in ("Lu", "Ll", "Lt"))
    word = f"[^{JAPANESE}]*"
    before = f"[{cased}]|[^{JAPANESE}{marks}]{word}{IOTA_BELOW}"
    return Characters(
        tokens="".join(sorted(kinds)),
        runs=re.compile(f"[{_set(kinds)}]+"),
        digits=re.compile(f"[{_set(c for c, kind in kinds.items() if kind == 'Nd')}]"),
        final_sigma=re.compile(f"((?:{before}){word})\u03a3(?!{word}[{cased}{IOTA_BELOW}])"),
    )


def _set(characters: Iterable[str]) -> str:
    """The characters as ranges, for a pattern."""
    codes = sorted(map(ord, characters))
    begins = [code for code, last in zip(codes, [-2, *codes[:-1]], strict=True) if code != last + 1]
    ends = [code for code, after in zip(codes, [*codes[1:], -1], strict=True) if code + 1 != after]
    return "".join(f"{chr(begin)}-{chr(end)}" for begin, end in zip(begins, ends, strict=True))
