import csv
import dataclasses
import io
import json
import math

import pytest

from pipeline.experiments.entries import Entry
from pipeline.experiments.tables import data


def test_json_holds_all_that_is_known(entries, comparisons):
    found = json.loads(data.as_json(entries, comparisons))
    assert [(one["run"], one["measure"]) for one in found[:3]] == [
        ("base", "nDCG@5"),
        ("base", "P@10"),
        ("up_100%", "nDCG@5"),
    ]
    assert list(found[0]) == [
        "run", "judgements", "md5", "measure", "mean", "per_topic", "judged", "interval",
        "comparison",
    ]  # fmt: skip
    assert found[0]["comparison"] is None
    assert found[2]["comparison"]["baseline"] == "base"
    assert found[2]["comparison"]["comparisons"] == 4
    assert found[2]["comparison"]["t_holm"] == comparisons[0].t_holm
    assert [Entry.read(one) for one in found] == entries


def test_json_has_no_word_for_nan(entries, comparisons):
    odd = dataclasses.replace(entries[0], mean=math.nan, per_topic={"1": math.nan}, judged=math.nan)
    sure = dataclasses.replace(comparisons[0], run="base", effect=math.inf)
    (found,) = json.loads(data.as_json([odd], [sure]), parse_constant=pytest.fail)
    assert found["mean"] is found["judged"] is found["interval"] is None
    assert found["per_topic"] == {"1": None}
    assert found["comparison"]["effect"] is None
    back = Entry.read(found)
    assert math.isnan(back.mean)
    assert math.isnan(back.per_topic["1"])


def test_csv_has_a_line_a_run_and_measure(entries, comparisons):
    rows = list(csv.DictReader(io.StringIO(data.as_csv(entries, comparisons))))
    assert len(rows) == len(entries)
    assert rows[0]["baseline"] == rows[0]["t"] == ""
    assert float(rows[2]["mean"]) == entries[2].mean
    assert float(rows[2]["t_holm"]) == comparisons[0].t_holm
    assert rows[2]["topics"] == "5"


def test_csv_topic_by_topic(entries):
    lines = data.topics_as_csv(entries).splitlines()
    assert lines[:2] == [
        "run,judgements,measure,topic,value",
        "base,touche-2021/relevance,nDCG@5,1,0.1",
    ]
    assert len(lines) == 1 + 5 * len(entries)
