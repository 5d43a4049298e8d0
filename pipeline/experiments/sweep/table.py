"""``table.csv``: a line a point, in the order of the grid."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pipeline.experiments.entries import Entry
from pipeline.experiments.sweep import plan

FILE = "table.csv"


def content(
    places: Sequence[str],
    points: Iterable[plan.Point],
    scores: Mapping[str, Sequence[Entry]],
    columns: Sequence[tuple[str, str]],
) -> bytes:
    """What the file holds: the same bytes of the same points, whenever and wherever each was done.

    ``point``, the swept places, ``MEASURE JUDGEMENTS`` each with the mean over the topics, then
    ``judged: MEASURE JUDGEMENTS``, the share of judged documents down to its cutoff, then ``key``.

    Args:
        places: that are swept.
        points: of the sweep; those without scores are left out.
        scores: of the points, by key.
        columns: measure and judgements of each score.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = [f"{measure} {judgements}" for measure, judgements in columns]
    judged = [f"judged: {name}" for name in names]
    writer.writerow(["point", *places, *names, *judged, "key"])
    for point in sorted(points, key=lambda point: point.number):
        if point.key in scores:
            held = {(one.measure, one.judgements): one for one in scores[point.key]}
            found = [held[column] for column in columns]
            means = [repr(one.mean) for one in found] + [repr(one.judged) for one in found]
            values = [cell(point.values[place]) for place in places]
            writer.writerow([point.number, *values, *means, point.key])
    return text.getvalue().encode()


def cell(value: Any) -> str:
    """Text as it is; anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
