"""What steps have in common is carried out once, and nothing else changes."""

from collections import Counter

import pandas as pd
import pytest

from pipeline.experiments.progress import Spent
from pipeline.experiments.sweep import memo
from pipeline.experiments.sweep.memo import Memo, common
from pipeline.index.keyed import Keyed
from pipeline.stages.base import Branch, Context, Stage
from pipeline.stages.fuse.weighted_sum import WeightedSum
from pipeline.stages.transformer import StageTransformer, chain

QUERIES = pd.DataFrame({"qid": ["1", "2"], "query": ["zoos", "sugar"]})
DONE: Counter[str] = Counter()


class Finds(Stage):
    """Finds one document, and counts how often it is asked."""

    verb = "retrieve"
    name = "finds"
    takes = "queries"
    what: str

    def build(self, context):
        def run(frame):
            DONE[self.what] += 1
            return frame[["qid", "query"]].assign(docno=self.what, score=1.0, rank=0)

        return StageTransformer(self, run)


class Notes(Stage):
    """Adds a column, and counts how often."""

    verb = "rerank"
    name = "notes"
    what: str

    def build(self, context):
        def run(frame):
            DONE[self.what] += 1
            return frame.assign(**{self.what: frame["docno"] + self.what})

        return StageTransformer(self, run)


@pytest.fixture(autouse=True)
def _nothing_done():
    DONE.clear()


def search(kept: Memo, *systems: list[Stage]) -> list[pd.DataFrame]:
    """What comes out of each system, one after the other."""
    context = Context(indexes={}, carry_out=kept.carry_out)
    chains = [chain(stages, context) for stages in systems]
    found = []
    for one, again in zip(chains, common(chains), strict=True):
        kept.begin(again)
        found.append(one.transform(QUERIES))
    return found


A, B = Finds(what="a"), Finds(what="b")
X, Y = Notes(what="x"), Notes(what="y")


def test_a_common_beginning_is_carried_out_once():
    systems = [[A, X], [A, Y], [A, X, Y], [B, X]]
    found = search(Memo(), *systems)
    assert Counter(a=1, b=1, x=2, y=2) == DONE  # x behind a, and behind b; y behind a, behind x
    for given, frame in zip(systems, found, strict=True):
        pd.testing.assert_frame_equal(frame, chain(given, Context(indexes={}))(QUERIES))


def test_equal_steps_behind_different_ones_are_not_common():
    search(Memo(), [A, X], [B, X])
    assert DONE["x"] == 2


def test_what_is_not_used_again_is_not_kept():
    kept = Memo()
    search(kept, [A, X], [A, Y], [B])
    assert len(kept._kept) == 1
    assert kept.bytes == memo._size(Finds(what="a").build(None)(QUERIES))


def fusion(*branches: list[Stage], weight: float = 1.0) -> WeightedSum:
    first, *others = (Branch(stages=tuple(stages)) for stages in branches)
    return WeightedSum(branches=(first.model_copy(update={"weight": weight}), *others))


def test_branches_of_fusions_share_too():
    systems = [[fusion([A, X], [B], weight=w)] for w in (1.0, 2.0, 3.0)] + [[fusion([A], [B, Y])]]
    found = search(Memo(), *systems)
    assert Counter(a=1, b=1, x=1, y=1) == DONE
    for given, frame in zip(systems, found, strict=True):
        pd.testing.assert_frame_equal(frame, chain(given, Context(indexes={}))(QUERIES))


def test_every_pair_of_branches_carries_each_out_once():
    firsts, seconds = ([Finds(what=w)] for w in "abc"), [[Finds(what=w)] for w in "xyz"]
    search(Memo(), *([fusion(one, other)] for one in firsts for other in seconds))
    assert set(DONE.values()) == {1}


def test_a_branch_as_it_came_shares_what_came():
    search(Memo(), [A, fusion([], [X])], [A, fusion([], [X], weight=2)])
    assert Counter(a=1, x=1) == DONE


def test_what_is_too_large_is_not_kept_and_done_again():
    small = Memo(room=0)
    search(small, [A, X], [A, Y])
    assert DONE["a"] == 2
    assert small.bytes == 0


def test_room_is_for_those_used_last():
    one = memo._size(Finds(what="z").build(None)(QUERIES))
    kept = Memo(room=2 * one)
    DONE.clear()
    many = [Finds(what=what) for what in "abc"]
    search(kept, *([find, note] for find in many for note in (X, Y)))
    assert Counter(a=1, b=1, c=1, x=3, y=3) == DONE
    search(kept, [many[2], X], [many[2], Y], [many[0], X], [many[0], Y])
    assert (DONE["c"], DONE["a"]) == (1, 2)
    assert kept.bytes <= 2 * one


def test_another_frame_of_the_same_content_is_another():
    kept = Memo()
    one = chain([A], Context(indexes={}, carry_out=kept.carry_out))
    kept.begin({"stages[0]"})
    one.transform(QUERIES)
    one.transform(QUERIES.copy())
    assert DONE["a"] == 2


class Slow(Keyed):
    """Takes the time it is told to."""

    def __init__(self, clock: list[float], seconds: float):
        self.clock, self.seconds = clock, seconds

    def transform(self, inp):
        self.clock[0] += self.seconds
        return inp.copy()

    def _key(self):
        return (self.seconds,)


class Holds(Stage):
    """Made of a chain of one slow step, and slow itself."""

    verb = "rerank"
    name = "holds"
    clock: list[float]
    inner: float
    own: float

    def build(self, context):
        from pipeline.stages.transformer import Chain

        steps = Chain(context, [(f"{context.place}.inner", Slow(self.clock, self.inner))])

        def run(frame):
            frame = steps.transform(frame)
            self.clock[0] += self.own
            return frame

        return StageTransformer(self, run, steps)

    def __hash__(self):
        return hash((self.inner, self.own))


def test_seconds_are_those_of_when_it_was_carried_out(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(Spent, "now", classmethod(lambda _cls: Spent(clock[0], 0.0, 0.0)))
    kept = Memo()
    context = Context(indexes={}, carry_out=kept.carry_out)
    stages = [Holds(clock=clock, inner=4, own=own) for own in (1, 2)]
    for stage in stages:
        object.__setattr__(stage, "clock", clock)  # pydantic copied it
    chains = [chain([stage], context) for stage in stages]
    seconds = []
    for one, again in zip(chains, common(chains), strict=True):
        spent = kept.begin(again)
        one.transform(QUERIES)
        seconds.append({place: found.wall for place, found in spent.items()})
    assert seconds == [
        {"stages[0].inner": 4, "stages[0]": 4 + 1},
        {"stages[0].inner": 4, "stages[0]": 4 + 2},  # the inner step took no time this time
    ]
    assert clock[0] == 4 + 1 + 2
