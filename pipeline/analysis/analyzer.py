"""Text to the terms of an index, exactly as Terrier makes them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from pipeline import native
from pipeline.analysis import snowball
from pipeline.analysis.characters import KNOWN, characters
from pipeline.analysis.stemmers import porter, weak_porter
from pipeline.analysis.tokenisers import TOKENISERS
from pipeline.analysis.wordlists import SHIPPED, WordList, read


class Analyzer:
    """Cuts a text into tokens, leaves out stop words, and stems the rest.

    The order is Terrier's: a stem may be a stop word, and stays.
    """

    def __init__(self, tokeniser: str, stopwords: str | WordList, stemmer: str):
        """With values of ``IndexSettings`` that are ``covered``."""
        assert not (missing := covered(tokeniser, stopwords, stemmer)), missing
        self._tokenise = TOKENISERS[tokeniser]
        self._stopwords = frozenset(self._words(stopwords))
        self._stem = _stemmer(stemmer)

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text, in order, in small letters: before stop words and stemming."""
        return self._tokenise(text)

    def terms_of(self, tokens: Sequence[str]) -> list[str | None]:
        """The term of each token; None where it is a stop word. Quickest for many at once."""
        kept = [token for token in tokens if token not in self._stopwords]
        stems = self._stem(kept)
        if len(kept) == len(tokens):
            return [*stems]
        rest = iter(stems)
        return [None if token in self._stopwords else next(rest) for token in tokens]

    def terms(self, text: str) -> list[str]:
        """The terms of a text, in order."""
        return [term for term in self.terms_of(self.tokens(text)) if term is not None]

    def _words(self, stopwords: str | WordList) -> Sequence[str]:
        if isinstance(stopwords, WordList):  # Terrier is only told what can be a token
            return [word for word in stopwords.words if self.tokens(word) == [word]]
        return read(SHIPPED / "terrier.txt") if stopwords == "terrier" else ()


def covered(tokeniser: str, stopwords: str | WordList, stemmer: str) -> str:  # noqa: ARG001
    """What of these settings an ``Analyzer`` cannot do as Terrier does: "" if it can do all.

    Args:
        tokeniser: as in ``IndexSettings``.
        stopwords: likewise; any are covered.
        stemmer: likewise.
    """
    if tokeniser == "utf" and characters().digest() != KNOWN:
        return f"tokeniser: utf with Unicode {unicodedata.unidata_version}, which this Python has"
    if stemmer in snowball.LANGUAGES and (package := snowball.missing()):
        return f"stemmer: {stemmer} without the package {package}"
    return ""


def _stemmer(name: str) -> snowball.Stem:
    if name == "porter":
        return lambda words: native.porter(words, porter)
    if name == "weak_porter":
        return lambda words: [weak_porter(word) for word in words]
    return list if name == "none" else snowball.stemmer(name)
