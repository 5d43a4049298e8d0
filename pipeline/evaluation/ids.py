"""What ids of documents look like: so that judgements of another collection are told as such."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pipeline.runs.rules import RELEASES

SHAPES = RELEASES | {
    "ClueWeb12": r"clueweb12-\d{4}[a-z]{2}-\d\d-\d{5}",
    "Webis-ArgQuality-20": r"AQ\d+-\d+",
    "the images of Touché 2022": r"I[0-9a-f]{16}",
    "the images of Touché 2023": r"I[0-9a-f]{24}",
}
"""What ids of documents look like, a collection each."""


def looks(docnos: Iterable[str]) -> str:
    """What ids look like, by the first of them: the name of a collection, else it, quoted."""
    docno = next(iter(docnos), None)
    if docno is None:
        return "nothing"
    known = (name for name, shape in SHAPES.items() if re.fullmatch(shape, docno))
    return next(known, repr(docno))
