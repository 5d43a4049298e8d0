import dataclasses
import math

import pytest

from pipeline.experiments.tables import bounds, number, probability, text

SHOWN = """\
touche-2021/relevance, 5 topics

run      nDCG@5                 P@10                   Judged@5  Judged@10
base     0.3000 [.180, .420]    0.3000 [.180, .420]    0.960     0.960
up_100%  0.8060 [.682, .924] ^  0.8060 [.682, .924] ^  0.960     0.960
down     0.2600 [.120, .400]    0.2600 [.120, .400]    0.960     0.960

against base, over 5 topics

run      measure  difference  d       p of t  Holm    p of flips  Holm
up_100%  nDCG@5   +0.5060     +56.57  <.0001  <.0001  .0625       .2500
down     nDCG@5   -0.0400     -0.73   .1778   .3556   .5000       1
up_100%  P@10     +0.5060     +56.57  <.0001  <.0001  .0625       .2500
down     P@10     -0.0400     -0.73   .1778   .3556   .5000       1

[ ]   95 % bootstrap interval of the mean over topics
^ v   significantly better, worse than base (paired t test, Holm over 4 comparisons, alpha 0.05)
d     effect size: mean of the differences over their standard deviation
p     two-sided, of the paired t test and of random flips of signs; Holm: of 4 comparisons"""


def test_a_table_for_a_terminal(entries, comparisons):
    assert "\n".join(text.lines(entries, comparisons)) == SHOWN


def test_alpha_decides_what_is_marked(entries, comparisons):
    shown = text.lines(entries, comparisons, alpha=0.4)
    assert shown[5].count("0.2600 [.120, .400] v") == 2
    assert "alpha 0.4)" in shown[-3]


def test_one_run_has_no_tests(entries):
    shown = text.lines(entries[:2], [])
    assert shown[3].startswith("base ")
    assert shown[4:] == ["", "[ ]   95 % bootstrap interval of the mean over topics"]


def test_what_there_is_no_room_for_goes_below():
    rows = [["run", "first", "second"], ["a", "0.1", "0.2"]]
    assert text.grid(rows, width=12) == ["run  first", "a    0.1", "", "run  second", "a    0.2"]
    assert text.grid(rows) == ["run  first  second", "a    0.1    0.2"]
    assert text.grid([["run", "many words"], ["a", "1"]], width=5) == ["run  many words", "a    1"]


def test_topic_by_topic(entries, comparisons):
    shown = text.lines(entries, comparisons, per_topic=True)
    begins = shown.index("nDCG@5 topic by topic")
    assert shown[begins + 2 : begins + 5] == [
        "topic  base    up_100%  down",
        "1      0.1000  0.6000   0.0000",
        "2      0.2000  0.7100   0.2000",
    ]


def test_what_does_not_exist_is_a_dash(entries):
    lone = dataclasses.replace(entries[0], per_topic={"1": 0.3}, judged=math.nan)
    gone = dataclasses.replace(lone, run="gone", per_topic={}, mean=math.nan)
    other = dataclasses.replace(lone, run="other", measure="AP")
    assert text.lines([lone, gone, other], [])[2:6] == [
        "run    nDCG@5  AP",
        "base   0.3000  -",
        "gone   -       -",
        "other  -       0.3000",
    ]


def test_each_comparison_says_its_topics_where_they_are_not_the_same(entries, comparisons):
    fewer = [dataclasses.replace(comparisons[0], topics=3), *comparisons[1:]]
    shown = text.lines(entries, fewer)
    assert shown[7] == "against base, over the topics for which both have a value"
    assert [line.split()[-1] for line in shown[9:12]] == ["topics", "3", "5"]


def test_judgements_stand_below_each_other(entries):
    others = [dataclasses.replace(entry, judgements="touche-2021/quality") for entry in entries]
    shown = text.lines([*entries, *others], [])
    assert [line for line in shown if "topics" in line][:2] == [
        "touche-2021/relevance, 5 topics",
        "touche-2021/quality, 5 topics",
    ]


@pytest.mark.parametrize(
    ("value", "shown"), [(0.71984, "0.7198"), (1, "1.0000"), (1234.56, "1,234.6"), (math.nan, "-")]
)
def test_number(value, shown):
    assert number(value) == shown


def test_bounds():
    assert bounds(0.6541, 1.0) == "[.654, 1.000]"
    assert bounds(-0.25, 0.0) == "[-.250, .000]"
    assert bounds(0.9999, 12.5) == "[1.000, 12.5]"
    assert bounds(math.nan, math.nan) == ""


@pytest.mark.parametrize(
    ("p", "shown"),
    [(0.01324, ".0132"), (0.00004, "<.0001"), (0.0, "<.0001"), (1.0, "1"), (0.99997, "1")],
)
def test_probability(p, shown):
    assert probability(p) == shown
