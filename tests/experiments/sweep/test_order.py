from pipeline.experiments.sweep import order
from pipeline.experiments.sweep.plan import Point


def systems(*stages: list[dict]) -> list[Point]:
    return [Point(n, "", {}, {"index": {}, "stages": s}) for n, s in enumerate(stages, 1)]


def test_equal_beginnings_follow_each_other():
    a, b, x, y = ({"rerank": name} for name in "abxy")
    points = systems([a, x], [b, x], [a, y], [b, y], [a, x, y])
    assert order.groups(points, 1) == [[1, 5, 3, 2, 4]]


def test_an_index_counts_as_a_beginning():
    points = systems([{"retrieve": "bm25"}], [{"retrieve": "dph"}], [{"retrieve": "bm25"}])
    points[1] = Point(2, "", {}, {"index": {"stemmer": "none"}, "stages": [{"retrieve": "bm25"}]})
    assert order.groups(points, 1) == [[1, 3, 2]]


def test_several_groups_for_each_process_and_none_empty():
    points = systems(*([{"retrieve": str(n)}] for n in range(40)))
    groups = order.groups(points, 2)
    assert [len(group) for group in groups] == [5] * 8
    assert sorted(number for group in groups for number in group) == list(range(1, 41))
    assert order.groups(points[:3], 8) == [[1], [2], [3]]


def test_no_group_is_very_large():
    points = systems(*([{"retrieve": str(n)}] for n in range(450)))
    assert [len(group) for group in order.groups(points, 1)] == [200, 200, 50]
