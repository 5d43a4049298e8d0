"""Measures: those of ir-measures, and two that read the first ranks otherwise.

``nDCG@k`` is trec_eval's: DCG over that of the best order of the judged documents, where
DCG = sum of grade / log2(rank + 1), and what is not judged has grade 0.

``nDCG_organisers@k`` is that of the evaluate.py of Touché: of the first k rows, by the rank in the
file, those not judged are dropped and the others close up. Topics of which none is left, or to
which no document is relevant at all, do not count.

``nDCG_condensed@k`` drops what is not judged from the whole ranking before it is cut (Sakai, SIGIR
2007); it is ``nDCG(judged_only=True)@k`` of ir-measures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pipeline.errors import InputError
from pipeline.evaluation.names import CONDENSED, OURS, Measure, parse

if TYPE_CHECKING:
    import pandas as pd

    from pipeline.evaluation.judgements import Judgements
    from pipeline.evaluation.tops import Tops

__all__ = ["Measure", "Scores", "parse", "score"]

BESIDE = 10
"""The k of ``Judged@k`` beside a measure that looks at the whole ranking."""

JUDGED = "Judged"


class Scores(NamedTuple):
    """What a ranking scores by one measure."""

    measure: str
    per_topic: dict[str, float]
    """In the order of the topics' numbers; only the topics that count."""
    judged: float
    """The mean of ``Judged@k``: how many of the first k documents are judged, 0 to 1."""

    @property
    def mean(self) -> float:
        """Over the topics that count; NaN if there are none."""
        return sum(self.per_topic.values()) / len(self.per_topic) if self.per_topic else math.nan


def score(
    ranking: pd.DataFrame, judgements: Judgements, measures: Sequence[Measure]
) -> list[Scores]:
    """What a ranking scores, a measure each.

    A judged topic that the ranking has not counts 0, as by ``trec_eval -c``; topics that are not
    judged do not count. Whether any document is judged is not looked at: see
    ``Judgements.foreign``.

    Args:
        ranking: ``[qid, docno, rank]``; ``rank`` decides, and ``file_rank``, where a lenient
            reader has put it, for ``nDCG_organisers``.
        judgements: any, but those of images for each stance.
        measures: any number.

    Raises:
        InputError: the judgements are of images, and for each stance.
    """
    if judgements.question == "on-stance":
        raise InputError(f"{judgements.name}: only a run with a stance in column 2 can be scored")
    from pipeline.evaluation import tops

    grades = judgements.by_topic
    documents = tops.of(ranking, grades)
    values = _values(documents, judgements, [one for one in measures if not OURS.match(one.name)])
    shares: dict[int, float] = {}
    scores = []
    for one in measures:
        if one.name not in values:
            values[one.name] = _ours(one, ranking, documents, judgements)
        beside = one.cutoff or BESIDE
        if beside not in shares:
            judged = tops.judged(documents, grades, beside).values()
            shares[beside] = sum(judged) / max(len(judged), 1)
        found = values[one.name]
        per_topic = {qid: float(found[qid]) for qid in judgements.topics if qid in found}
        scores.append(Scores(one.name, per_topic, shares[beside]))
    return scores


def _ours(
    measure: Measure, ranking: pd.DataFrame, documents: Tops, judgements: Judgements
) -> dict[str, float]:
    """The values of a measure that ir-measures lacks: those of its nDCG over fewer documents."""
    from pipeline.evaluation import tops

    grades, plain = judgements.by_topic, parse(f"nDCG@{measure.cutoff}")
    if measure.name.startswith(CONDENSED):
        judged = tops.condensed(documents, grades, measure.cutoff)
        return _values(judged, judgements, [plain])[plain.name]
    if tops.STATED in ranking:
        documents = tops.of(ranking, grades, by=tops.STATED)
    first = tops.cut(documents, measure.cutoff)
    judged = tops.condensed(first, grades)
    found = _values(judged, judgements, [plain])[plain.name]
    return {qid: found[qid] for qid, top in judged.items() if top and any(grades[qid].values())}


def _values(
    documents: Tops, judgements: Judgements, measures: Sequence[Measure]
) -> dict[str, dict[str, float]]:
    """The values of measures of ir-measures, by measure and topic."""
    from pipeline.evaluation import tops

    values: dict[str, dict[str, float]] = {one.name: {} for one in measures}
    for one in measures:
        if one.name.startswith(JUDGED):
            values[one.name] = tops.judged(documents, judgements.by_topic, one.cutoff)
    others = [one for one in measures if not one.name.startswith(JUDGED)]
    if not others:
        return values
    # what stops at a cutoff sees no more than that: the fewer rows, the faster
    deep = any(one.cutoff is None or "judged_only" in one.name for one in others)
    depth = None if deep else max(one.cutoff or 0 for one in others)
    # falling scores, exact also in float32, so that there are no ties to break; and all above 0,
    # which Compat takes for a document that is not in the ranking
    run = {
        qid: dict(zip(top, map(float, range(len(top), 0, -1)), strict=True))
        for qid, top in tops.cut(documents, depth).items()
    }
    for metric in _evaluator(judgements, tuple(one.name for one in others)).iter_calc(run):
        values[repr(metric.measure)][metric.query_id] = metric.value
    return values


def _evaluator(judgements: Judgements, names: tuple[str, ...]) -> Any:
    """An evaluator of ir-measures, made once for the same judgements and measures."""
    import ir_measures

    if names not in judgements.kept:
        parsed = [ir_measures.parse_measure(name) for name in names]
        judgements.kept[names] = ir_measures.evaluator(parsed, judgements.by_topic)
    return judgements.kept[names]
