"""What makes an index: two configs that agree here, over one collection, share one."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, field_validator

from pipeline.analysis.wordlists import WordList, word_list

Part = Literal["conclusion", "premises", "title", "author", "domain", "stance"]
"""A part of an argument that a field may join; ``title`` is the title of its debate."""

Stemmer = Literal[
    "none",
    "porter",
    "weak_porter",
    "danish",
    "dutch",
    "english",
    "finnish",
    "french",
    "german",
    "hungarian",
    "italian",
    "norwegian",
    "portuguese",
    "romanian",
    "russian",
    "spanish",
    "swedish",
    "turkish",
]
"""``porter`` is Martin Porter's own; the languages are Terrier's Snowball stemmers."""


def _stopwords(value: Any, info: ValidationInfo) -> Any:
    return value if value in ("terrier", "none") else word_list(value, info, "terrier", "none")


class IndexSettings(BaseModel):
    """How the collection is indexed. Configs that agree here share one index."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    engine: Literal["terrier", "arrays"] = "terrier"
    """Who searches: terrier; or arrays, which needs no Java and finds the same."""
    fields: dict[str, tuple[Part, ...]] = {"text": ("conclusion", "premises")}
    """What is indexed: each field joins parts of an argument, by a blank. Several fields are
    searched as one text by most models, and apart by bm25f, pl2f, ml2 and mdl2."""
    tokeniser: Literal["english", "utf"] = "english"
    """english: runs of ASCII letters and digits; utf: of letters and digits of any script."""
    stopwords: Annotated[Literal["terrier", "none"] | WordList, BeforeValidator(_stopwords)] = (
        "terrier"
    )
    """Words that are not indexed: Terrier's 733, none, a file (a word a line), or a list."""
    stemmer: Annotated[Stemmer, Field(validate_default=True)] = "porter"
    """What brings words to one form; porter is for English."""

    @field_validator("fields")
    @classmethod
    def _named_well(cls, fields: dict[str, tuple[Part, ...]]) -> dict[str, tuple[Part, ...]]:
        if not fields or not all(fields.values()):
            raise ValueError("at least one field is needed, and at least one part in each")
        for name in fields:
            if not (name.isascii() and name.isalnum() and name.islower()) or name in RESERVED:
                raise ValueError(
                    f"a field is named by small letters and digits, and not {' or '.join(RESERVED)}"
                )
        return fields

    @field_validator("stemmer")
    @classmethod
    def _known_to_the_engine(cls, stemmer: Stemmer, given: ValidationInfo) -> Stemmer:
        """Asked last: all that says how texts are analysed is in ``given`` if it is right."""
        if given.data.get("engine") == "arrays" and {"tokeniser", "stopwords"} <= given.data.keys():
            from pipeline.analysis.analyzer import covered

            missing = covered(given.data["tokeniser"], given.data["stopwords"], stemmer)
            if missing:
                raise ValueError(f"engine: arrays cannot do {missing}; engine: terrier can")
        return stemmer

    @property
    def text(self) -> str:
        """The field that rerankers read: the first one."""
        return next(iter(self.fields))

    def key(self) -> str:
        """12 hexadecimal digits: equal for settings that make the same index, whoever searches."""
        made_of = self.model_dump(mode="json", exclude={"engine"})
        if isinstance(self.stopwords, WordList):
            made_of["stopwords"] = sorted(self.stopwords.words)
        text = json.dumps(made_of, sort_keys=False, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:12]


RESERVED = ("id", "docno", "srcjson")
"""Names that Terrier's indexer takes for its own."""
