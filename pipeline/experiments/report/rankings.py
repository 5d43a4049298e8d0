"""The top of every ranking shown, in the form that the script of the page reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from pipeline.evaluation.judgements import Judgements
from pipeline.experiments.report.model import Column, Report, System
from pipeline.experiments.report.texts import Document
from pipeline.runs import lenient

if TYPE_CHECKING:
    import pandas as pd

TOP = 10
"""Documents shown a topic."""

Ranking: TypeAlias = Mapping[str, Sequence[tuple[str, float]]]
"""For each topic its documents, best first, with their scores."""


@dataclass(frozen=True)
class Shown:
    """What the page holds of rankings."""

    systems: Sequence[System]
    rankings: Sequence[Ranking]
    """Of each system."""

    def topics(self) -> list[str]:
        """All that any of them has, first come, first served."""
        return list(dict.fromkeys(qid for ranking in self.rankings for qid in ranking))

    def docnos(self) -> list[str]:
        """Every document that is shown, in an order that depends on nothing else."""
        tops = (docs[:TOP] for ranking in self.rankings for docs in ranking.values())
        return sorted({docno for docs in tops for docno, _ in docs})


def read(systems: Sequence[System], known: Mapping[str, pd.DataFrame]) -> Shown:
    """The rankings of systems.

    Args:
        systems: whose.
        known: rankings that were read already, by the names of their systems.

    Raises:
        InputError: a run cannot be read.
    """
    rows = [
        known[one.name] if one.name in known else lenient.read(one.run).ranking for one in systems
    ]
    return Shown(systems, [_ranking(ranking) for ranking in rows])


def _ranking(rows: pd.DataFrame) -> Ranking:
    if "stance" in rows:  # a list for PRO and one for CON: the first of each, the second of each
        rows = rows.sort_values("rank", kind="stable")
    found: dict[str, list[tuple[str, float]]] = {}
    columns = (rows[name].tolist() for name in ("qid", "docno", "score"))
    for qid, docno, score in zip(*columns, strict=True):
        found.setdefault(qid, []).append((docno, score))
    return found


def data(
    report: Report,
    shown: Shown,
    documents: Mapping[str, Document],
    limit: int,
) -> dict[str, Any]:
    """All that the script needs, with documents and topics by their place in a list.

    Args:
        report: what the page is about.
        shown: the rankings.
        documents: their texts, as far as they are known.
        limit: characters of a text that are kept.
    """
    qids = [topic.number for topic in report.topics]
    docnos = shown.docnos()
    place = {docno: number for number, docno in enumerate(docnos)}
    return {
        "top": TOP,
        "topics": [[topic.number, topic.title, topic.description] for topic in report.topics],
        "systems": [system.name for system in shown.systems],
        "labels": [system.label for system in shown.systems],
        "baseline": report.baseline,
        "columns": [f"{column.measure} {column.judgements}" for column in report.columns],
        "judgements": [_judgements(one, qids, place) for one in report.judgements],
        "docs": [_document(docno, documents.get(docno), limit) for docno in docnos],
        "runs": [[_top(ranking.get(qid, ()), place) for qid in qids] for ranking in shown.rankings],
        "values": [
            [_values(system, column, qids) for column in report.columns] for system in shown.systems
        ],
    }


def _top(docs: Sequence[tuple[str, float]], place: Mapping[str, int]) -> list[list[Any]]:
    """Ranks from 1 of all documents that the page holds, and the scores of the first."""
    ranks = [(place[docno], rank) for rank, (docno, _) in enumerate(docs, 1) if docno in place]
    scores = [float(f"{score:.5g}") for _, score in docs[:TOP]]
    return [[number for number, _ in ranks], [rank for _, rank in ranks], scores]


def _document(docno: str, document: Document | None, limit: int) -> list[Any]:
    if document is None:
        return [docno]
    text = document.premises
    if len(text) > limit:
        text = text[:limit] + "\u2026"
    return [docno, document.stance, document.conclusion, text]


def _judgements(
    judgements: Judgements, qids: Iterable[str], place: Mapping[str, int]
) -> dict[str, Any]:
    of_topics = judgements.by_topic
    meanings = judgements.official.grades if judgements.official else {}
    return {
        "name": judgements.name,
        "meanings": {str(grade): meaning for grade, meaning in sorted(meanings.items())},
        "grades": [
            {
                str(place[docno]): grade
                for docno, grade in sorted(of_topics.get(qid, {}).items())
                if docno in place
            }
            for qid in qids
        ],
    }


def _values(system: System, column: Column, qids: Iterable[str]) -> list[float | None]:
    entry = system.entries.get(column)
    values = entry.per_topic if entry else {}
    found = [values.get(qid) for qid in qids]
    return [None if v is None or v != v else round(float(v), 4) for v in found]
