"""Terrier's own tokenisers and stemmers, and words to try them on."""

import json

import pytest

from pipeline import java
from pipeline.analysis.tokenisers import TOKENISERS


@pytest.fixture(scope="session")
def terrier_tokens():
    """Tokens of a text by Terrier's tokeniser of a name, in a Java that has Unicode 15.0."""
    java.start()
    import pyterrier as pt

    if pt.java.J.System.getProperty("java.specification.version") not in ("20", "21"):
        pytest.skip("this Java has another Unicode")
    string = pt.java.autoclass("java.lang.String")
    reader = pt.java.autoclass("java.io.StringReader")

    def tokens(tokeniser: str, text: str) -> list[str]:
        made = pt.java.autoclass(f"org.terrier.indexing.tokenisation.{tokeniser}Tokeniser")()
        stream = made.tokenise(reader(string(text.encode("utf-16-be"), "UTF-16BE")))
        found = []
        while stream.hasNext():
            if (token := stream.next()) is not None:
                found.append(token)
        return found

    return tokens


@pytest.fixture(scope="session")
def terrier_stems():
    """Stems of words by Terrier's stemmer of a name."""
    java.start()
    import pyterrier as pt

    def stems(name: str, words: list[str]) -> list[str]:
        stem = pt.java.autoclass(f"org.terrier.terms.{name}")(None).stem
        return [stem(word) for word in words]

    return stems


@pytest.fixture(scope="session")
def tokens_of_arguments(shared):
    """Every token of the real arguments, by either tokeniser."""
    texts: set[str] = set()

    def read(value):
        texts.update(value.split() if isinstance(value, str) else ())
        for inner in value.values() if isinstance(value, dict) else ():
            read(inner)
        for inner in value if isinstance(value, list) else ():
            read(inner)

    for file in sorted((shared / "argsme-mini").glob("*.json")):
        for argument in json.loads(file.read_text(encoding="utf-8"))["arguments"]:
            argument["context"].pop("sourceText", None)
            read(argument)
    text = " ".join(texts)
    return sorted({token for tokenise in TOKENISERS.values() for token in tokenise(text)})
