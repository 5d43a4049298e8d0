"""``list``: every stage that a config can name."""

from __future__ import annotations

from collections.abc import Iterable

import pipeline.stages  # noqa: F401  (registers them)
from pipeline.config import reference
from pipeline.errors import InputError, meant
from pipeline.stages.base import VERBS


def list_stages(verb: str = "") -> Iterable[str]:
    """The reference of the stages of ``verb``, of all verbs if empty.

    Raises:
        InputError: no such verb.
    """
    if verb and verb not in VERBS:
        raise InputError(f"no verb {verb!r}{meant(verb, VERBS)}; there is {', '.join(VERBS)}")
    return reference.lines(verb)
