"""What Terrier reads first of an index: which classes open its files, and how it was analysed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pipeline.analysis.analyzer import Analyzer
from pipeline.analysis.wordlists import WordList
from pipeline.index.settings import IndexSettings

_STEMMERS = {"none": None, "porter": "PorterStemmer", "weak_porter": "WeakPorterStemmer"}

_LISTS, _ENTRIES = "bit.BitPostingIndex", "bit.BitPostingIndexInputStream"
_POSTING = "org.terrier.structures.postings.bit.BasicIterablePosting"
_HERE, _THERE = "index,structureName", "structureName,index"

_STRUCTURES = {
    "direct": (_LISTS, f"{_HERE},{_POSTING}"),
    "direct-inputstream": (_ENTRIES, f"{_HERE},document-inputstream,{_POSTING}"),
    "document": ("FSADocumentIndex", _HERE),
    "document-factory": ("BasicDocumentIndexEntry$Factory", ""),
    "document-inputstream": ("FSADocumentIndex$FSADocumentIndexIterator", _HERE),
    "inverted": (_LISTS, f"{_HERE},{_POSTING}"),
    "inverted-inputstream": (_ENTRIES, f"{_HERE},lexicon-entry-inputstream,{_POSTING}"),
    "lexicon": ("FSOMapFileLexicon", _THERE),
    "lexicon-entry-inputstream": ("FSOMapFileLexicon$MapFileLexiconEntryIterator", _THERE),
    "lexicon-inputstream": ("FSOMapFileLexicon$MapFileLexiconIterator", _THERE),
    "lexicon-keyfactory": ("seralization.FixedSizeTextFactory", "${max.term.length}"),
    "lexicon-valuefactory": ("BasicLexiconEntry$Factory", ""),
    "meta": ("ZstdCompressedMetaIndex", _HERE),
    "meta-inputstream": ("ZstdCompressedMetaIndex$InputStream", _HERE),
}
"""Of each structure the class that opens it, and what it is given."""

_TYPES = {
    "index": "org.terrier.structures.IndexOnDisk",
    "document-inputstream": "java.util.Iterator",
    "lexicon-entry-inputstream": "java.util.Iterator",
    _POSTING: "java.lang.Class",
    "": "",
}
"""Types of what is given; all else is a string."""

_ALWAYS = {
    "index.lexicon.bsearchshortcut": "charmap",
    "index.meta.key-names": "docno",
    "index.meta.reverse-key-names": "docno",
    "index.terrier.version": "5.11",
    "max.term.length": "20",
} | {
    f"index.{lists}.{name}": value
    for lists in ("direct", "inverted")
    for name, value in {
        "blocks": "0",
        "blocks.max": "0",
        "fields.count": "0",
        "fields.names": "",
    }.items()
}


def write(settings: IndexSettings, found: Mapping[str, object], folder: Path) -> None:
    """Writes the properties of an index.

    Args:
        settings: what made it.
        found: properties that depend on the collection.
        folder: of the index.
    """
    properties = {**_ALWAYS, **_structures(), **_analysis(settings), **found}
    lines = (f"{key}={_escaped(str(value))}\n" for key, value in sorted(properties.items()))
    (folder / "data.properties").write_text("".join(lines), encoding="ascii")


def stemmer(settings: IndexSettings) -> str | None:
    """Terrier's class that stems."""
    return _STEMMERS.get(settings.stemmer, f"{settings.stemmer.title()}SnowballStemmer")


def _structures() -> dict[str, str]:
    properties = {}
    for name, (opens, given) in _STRUCTURES.items():
        types = (_TYPES.get(value, "java.lang.String") for value in given.split(","))
        properties[f"index.{name}.class"] = f"org.terrier.structures.{opens}"
        properties[f"index.{name}.parameter_values"] = given
        properties[f"index.{name}.parameter_types"] = ",".join(types)
    return properties


def _analysis(settings: IndexSettings) -> dict[str, str]:
    """How the terms of a query are made."""
    steps, properties = [], {}
    if isinstance(settings.stopwords, WordList):
        tokens = Analyzer(settings.tokeniser, "none", "none").tokens
        words = [word for word in settings.stopwords.words if tokens(word) == [word]]
        properties["pyterrier.stopwords"] = ",".join(words)
        steps.append("org.terrier.python.PyTerrierCustomStopwordList$Retrieval")
    elif settings.stopwords == "terrier":
        steps.append("Stopwords")
    properties["termpipelines"] = ",".join([*steps, *filter(None, [stemmer(settings)])])
    return properties


def _escaped(value: str) -> str:
    """As Java reads a value that holds no blank and no backslash."""
    return "".join(c if c.isascii() else f"\\u{ord(c):04X}" for c in value)
