"""Scores for other programs: CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pipeline.experiments.entries import known

if TYPE_CHECKING:
    from pipeline.evaluation.significance import Comparison
    from pipeline.experiments.entries import Entry

ABOUT = ("baseline", "topics")
NUMBERS = ("difference", "effect", "t", "t_holm", "randomisation", "randomisation_holm")
"""What is said of a comparison, as its fields are called."""


def as_json(entries: Sequence[Entry], comparisons: Sequence[Comparison]) -> str:
    """A list of ``{run, judgements, md5, measure, mean, per_topic, judged, interval, comparison}``.

    ``interval`` is ``[low, high]`` or null; ``comparison`` is null for the baseline and what is
    not compared, else it has ``baseline``, ``topics``, ``difference``, ``effect``, the p values
    ``t`` and ``randomisation``, each also with ``_holm``, and ``comparisons``, their number.
    """
    made = _by_entry(comparisons)
    found = [
        entry.plain() | {"interval": _interval(entry), "comparison": made.get(_key(entry))}
        for entry in entries
    ]
    return json.dumps(found, indent=1, ensure_ascii=False)


def as_csv(entries: Sequence[Entry], comparisons: Sequence[Comparison]) -> str:
    """A line a run, judgements and measure; what does not exist is left empty.

    The columns: ``run,judgements,measure,mean,low,high,judged``, then those of a comparison as in
    the JSON form; ``topics`` is how many are compared.
    """
    made = _by_entry(comparisons)
    tests = (*ABOUT, *NUMBERS, "comparisons")
    rows: list[Sequence[object]] = [
        ("run", "judgements", "measure", "mean", "low", "high", "judged", *tests)
    ]
    for entry in entries:
        numbers = known(entry.mean), *(_interval(entry) or (None, None)), known(entry.judged)
        compared = made.get(_key(entry), {})
        rows.append((*_key(entry), *numbers, *(compared.get(name) for name in tests)))
    return _csv(rows)


def topics_as_csv(entries: Sequence[Entry]) -> str:
    """``run,judgements,measure,topic,value``: a line a topic of each entry."""
    rows: list[Sequence[object]] = [("run", "judgements", "measure", "topic", "value")]
    for entry in entries:
        rows += [(*_key(entry), topic, known(value)) for topic, value in entry.per_topic.items()]
    return _csv(rows)


def _key(of: Entry | Comparison) -> tuple[str, str, str]:
    return of.run, of.judgements, of.measure


def _by_entry(comparisons: Sequence[Comparison]) -> dict[tuple[str, str, str], dict[str, Any]]:
    """What is said of each comparison, by what is compared."""
    return {
        _key(one): {name: getattr(one, name) for name in ABOUT}
        | {name: known(getattr(one, name)) for name in NUMBERS}
        | {"comparisons": len(comparisons)}
        for one in comparisons
    }


def _interval(entry: Entry) -> list[float] | None:
    bounds = [known(bound) for bound in entry.interval]
    return [bound for bound in bounds if bound is not None] or None


def _csv(rows: Sequence[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().removesuffix("\n")
