"""Measures by name: those of ir-measures, and ours."""

from __future__ import annotations

import contextlib
import difflib
import re
from dataclasses import dataclass
from typing import Any

from pipeline.errors import InputError

ORGANISERS, CONDENSED = "nDCG_organisers", "nDCG_condensed"
OURS = re.compile(rf"({ORGANISERS}|{CONDENSED})@([1-9][0-9]*)")

WITH_US = ("pytrec_eval", "judged", "compat", "msmarco")
"""Providers of ir-measures that come with it; others must be installed to be of use."""

BROKEN = ("accuracy",)
"""Those that divide by zero where each document is relevant, or none."""

SOME = "nDCG@5, nDCG_organisers@5, nDCG_condensed@5, P@10, R@100, AP, RR, Judged@5"


@dataclass(frozen=True)
class Measure:
    """What evaluates a ranking."""

    name: str
    """As ir-measures writes it, or ours."""
    cutoff: int | None
    """The k that it stops at; none if it looks at the whole ranking."""


def parse(name: str) -> Measure:
    """The measure of a name.

    Raises:
        InputError: there is none, or it cannot be computed here.
    """
    name = name.strip()
    if ours := OURS.fullmatch(name):
        return Measure(name, int(ours[2]))
    if name.startswith((ORGANISERS, CONDENSED)):
        raise InputError(f"no measure {name!r}; it takes a cutoff, as in {ORGANISERS}@5")
    found = _parsed(name)
    return Measure(repr(found), found.params.get("cutoff"))


def _parsed(name: str) -> Any:
    """The measure of ir-measures.

    Raises:
        InputError: there is none, or it cannot be computed here.
    """
    import ir_measures

    try:
        found: Any = ir_measures.parse_measure(name)
        found.validate_params()
    except NameError:
        raise InputError(f"no measure {name!r}{_meant(name)}; there is {SOME} and more") from None
    except (ValueError, AssertionError):
        raise InputError(
            f"no measure {name!r}; one looks like P@10, P(rel=2)@10, IPrec@0.1 or AP"
        ) from None
    if found.params.get("cutoff", 1) < 1:
        raise InputError(f"no measure {name!r}; a cutoff is at least 1")
    providers = [one for one in ir_measures.DefaultPipeline.providers if one.NAME not in BROKEN]
    supporting = [one for one in providers if one.supports(found)]
    if not any(one.NAME in WITH_US or one.is_available() for one in supporting):
        needed = " or ".join(one.NAME for one in supporting)
        lacks = f"it needs {needed}, which is not here" if needed else "nothing here computes it"
        raise InputError(f"measure {name!r}: {lacks}; there is {SOME} and more")
    return found


def _meant(name: str) -> str:
    """``, did you mean 'nDCG@5'?`` where one is close, or where trec_eval calls one so."""
    import ir_measures

    base = re.split(r"[@(]", name)[0]
    registry = ir_measures.measures.registry
    known = {alias.casefold(): measure.NAME for alias, measure in registry.items()}
    known |= {one.casefold(): one for one in (ORGANISERS, CONDENSED)}
    close = difflib.get_close_matches(base.casefold(), known, n=1)
    with contextlib.suppress(ValueError):
        return f", did you mean '{ir_measures.parse_trec_measure(name)[0]}'?"
    return f", did you mean {known[close[0]] + name[len(base) :]!r}?" if close else ""
