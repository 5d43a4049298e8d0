"""Who builds an index: this program, which is fast, or Terrier's own indexer."""

from __future__ import annotations

from typing import Literal

from pipeline.analysis.analyzer import covered
from pipeline.errors import InputError
from pipeline.index.settings import IndexSettings

Builder = Literal["fast", "terrier"]


def builder_of(settings: IndexSettings, wanted: Builder | None) -> Builder:
    """Who builds an index: who is wanted, else ``fast`` where it comes to what Terrier would.

    Raises:
        InputError: who is wanted cannot build it, or engine arrays does not cover the settings.
    """
    missing = uncovered(settings)
    if settings.engine == "arrays":
        if missing:
            raise InputError(f"engine: arrays does not cover {missing}; engine: terrier does")
        if wanted == "terrier":
            raise InputError("--builder terrier builds for engine: terrier, not for arrays")
        return "fast"
    if wanted == "fast" and missing:
        raise InputError(f"--builder fast does not cover {missing}; --builder terrier does")
    return wanted or ("terrier" if missing else "fast")


def uncovered(settings: IndexSettings) -> str:
    """What of the settings ``fast`` does not cover, in words; "" if it covers all."""
    missing = covered(settings.tokeniser, settings.stopwords, settings.stemmer)
    if not missing and settings.engine == "terrier" and len(settings.fields) > 1:
        return f"several fields ({', '.join(settings.fields)}) for engine: terrier"
    return missing
