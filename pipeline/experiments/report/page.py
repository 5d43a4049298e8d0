"""The page itself: templates, styles and script filled with a report."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from pipeline.errors import count
from pipeline.experiments.report import head, rankings, times
from pipeline.experiments.report.axes import space
from pipeline.experiments.report.board import FIRST, Board, board, said
from pipeline.experiments.report.differences import differences, rival
from pipeline.experiments.report.model import NONE, Report, Sweep, System, number
from pipeline.experiments.report.plots import Plots, plots
from pipeline.experiments.report.texts import Document, limit

if TYPE_CHECKING:
    from pipeline.evaluation.significance import Comparison

PACKAGE = "pipeline.experiments.report"

BYTES = 4_400_000
"""Of a page, about, if its texts can be cut so that it holds them."""

DATA = "<!-- data -->"
"""Where the data go, in the template."""

SHOWN = 10
"""Systems whose rankings and seconds are shown; the leaderboard has all of them."""


def render(
    report: Report,
    made: Sequence[Comparison],
    shown: rankings.Shown,
    documents: Mapping[str, Document],
) -> str:
    """The whole page.

    Args:
        report: what it is about.
        made: the comparisons of its systems with the baseline.
        shown: the rankings of ``report.shown(SHOWN)``.
        documents: the texts of their documents, as far as they are known.
    """
    leaderboard = board(report, made)
    comparisons = _comparisons(report, leaderboard, shown.systems)
    script = _file("page.js")
    given = {
        "report": report,
        "sentence": head.sentence(report),
        "facts": head.facts(report),
        "choices": head.choices(report),
        "board": leaderboard if report.columns else None,
        "first": FIRST,
        "linked": [system.name for system in shown.systems],
        "pictures": list(_pictures(report)),
        "shown": shown.systems,
        "pair": _pair(report, shown.systems),
        "css": Markup(_file("page.css")),
        "script": Markup(script),
        "script_hash": _hash(script),
        **_bars(report, shown.systems, comparisons),
        **_times(shown.systems),
    }
    page = _environment().get_template("page.html").render(given, sections=_sections(given))
    room = BYTES - len(page.encode()) - len(embedded(rankings.data(report, shown, {}, 0)).encode())
    cut = limit(documents, room)
    data = {
        **rankings.data(report, shown, documents, cut),
        "comparisons": comparisons,
        "cut": _cut(documents, cut),
    }
    before, after = page.split(DATA)
    return f"{before}{embedded(data)}{after}\n"


def _cut(documents: Mapping[str, Document], cut: int) -> str:
    """What is said of texts that are too long."""
    longer = sum(len(one.premises) > cut for one in documents.values())
    if not longer:
        return ""
    return f"Texts are cut after {cut:,} characters; {longer:,} of {len(documents):,} are longer."


def embedded(data: object) -> str:
    """JSON that may stand in a script element: no text in it can end that, or begin a comment."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _comparisons(report: Report, leaderboard: Board, systems: Sequence[System]) -> dict[str, str]:
    """What is said of a system by a column, by the places of both."""
    return {
        f"{at} {place}": said(leaderboard.tested[system.name, column])
        for at, system in enumerate(systems)
        for place, column in enumerate(report.columns)
        if (system.name, column) in leaderboard.tested
    }


def _bars(
    report: Report, systems: Sequence[System], comparisons: Mapping[str, str]
) -> dict[str, Any]:
    """What the differences by topic need; ``bars`` is None where there are none."""
    other, main = rival(report), report.main
    if not (report.baseline and other and main):
        return {"bars": None, "others": [], "comparison": ""}
    return {
        "bars": differences(report, other, main),
        "others": [system for system in systems if system.name != report.baseline],
        "comparison": comparisons.get(f"{list(systems).index(other)} 0", ""),
    }


def _times(systems: Sequence[System]) -> dict[str, Any]:
    rows = [one for one in map(times.times, systems) if one.seconds]
    longest = max((one.total for one in rows), default=0) or 1
    return {
        "times": {"rows": rows, "longest": longest} if rows else None,
        "kinds": times.used(rows),
    }


def _pictures(report: Report) -> Iterator[tuple[dict[str, str], Plots]]:
    """Each sweep with more than one value of a place, as it is headed, and its pictures."""
    for sweep in report.sweeps:
        points = [system for system in report.systems if system.sweep == sweep.name]
        made = space(sweep, points)
        columns = [c for c in report.columns if any(c in system.entries for system in points)]
        if made.axes and columns:
            yield _told(sweep, len(points)), plots(made, columns)


def _told(sweep: Sweep, points: int) -> dict[str, str]:
    missing = sweep.points - points
    wanting = f", {count(missing, 'point')} not finished" if missing > 0 else ""
    return {
        "heading": f"What {sweep.name} found",
        "sentence": f"{count(points, 'point')} of a {sweep.search} search{wanting}. Scores of the "
        "topics that the choice was made on are in-sample.",
    }


def _pair(report: Report, systems: Sequence[System]) -> tuple[str, str]:
    """The baseline on the left and its rival on the right; without scores the first two."""
    names = [system.name for system in systems]
    other = rival(report)
    if report.baseline and other:
        return report.baseline, other.name
    return (names[0], names[min(1, len(names) - 1)]) if names else ("", "")


def _sections(given: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the bar at the top leads to."""
    pictures = given["pictures"]
    sweeps = [
        (f"sweep-{place}", told["heading"] if len(pictures) > 1 else "Sweep")
        for place, (told, _) in enumerate(pictures, 1)
    ]
    sections = [
        ("top", "Overview", True),
        ("leaderboard", "Leaderboard", given["board"]),
        ("topics", "Topic by topic", given["bars"]),
        *((*sweep, True) for sweep in sweeps),
        ("time", "Time", given["times"]),
        ("rankings", "Rankings", given["shown"]),
    ]
    return [(place, name) for place, name, there in sections if there]


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader(PACKAGE, "templates"), autoescape=True, undefined=StrictUndefined
    )
    made.filters |= {
        "number": number,
        "signed": lambda value: ("+" if value > 0 else "") + number(value),
        "percent": lambda share: NONE if math.isnan(share) else f"{100 * share:.0f} %",
        "seconds": _seconds,
        "measure": lambda name: name.replace("_", " "),
    }
    return made


def _seconds(value: float) -> str:
    """Three digits or so."""
    digits = next((d for d, below in ((3, 0.9995), (2, 9.995), (1, 99.95)) if value < below), 0)
    return f"{value:,.{digits}f}"


def _file(name: str) -> str:
    return (resources.files(PACKAGE) / name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    """By which the page allows this script, and none that a text might bring."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
