from pipeline.evaluation.significance import interval
from pipeline.experiments.entries import Entry, cells


def entry(run, measure, values, judgements="j"):
    return Entry(run, judgements, "", measure, 0.0, values, 1.0)


def test_cells_hold_runs_in_their_order():
    one, two, three = {"1": 0.1}, {"1": 0.2}, {"1": 0.3}
    found = cells(
        [
            entry("b", "P@5", one),
            entry("a", "P@5", two),
            entry("b", "P@5", three, "k"),
            entry("b", "Judged@5", one),
        ]
    )
    assert found == {("j", "P@5"): {"b": one, "a": two}, ("k", "P@5"): {"b": three}}
    assert list(found["j", "P@5"]) == ["b", "a"]


def test_interval_is_over_topics():
    assert entry("a", "P@5", {"1": 0.2, "2": 0.6}).interval == interval([0.2, 0.6])
