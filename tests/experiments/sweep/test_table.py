from pipeline.experiments.entries import Entry
from pipeline.experiments.sweep import table
from pipeline.experiments.sweep.plan import Point


def point(number: int, **values: object) -> Point:
    return Point(number, f"key{number}", {"stages[0].b": 0.1, **values}, {})


def entry(measure: str, mean: float, judgements: str = "j") -> Entry:
    return Entry("", judgements, "md5", measure, mean, {}, 0.5)


def test_a_table_byte_for_byte():
    points = [point(2, s="porter"), point(10, s=None), point(1, s=[{"rerank": "x, y"}])]
    scores = {
        "key10": [entry("nDCG@5", 1 / 3), entry("P@10", 0.25)],
        "key1": [entry("P@10", 0.5), entry("nDCG@5", 2 / 3)],
    }
    columns = [("nDCG@5", "j"), ("P@10", "j")]
    assert table.content(["s", "stages[0].b"], points, scores, columns) == (
        b"point,s,stages[0].b,nDCG@5 j,P@10 j,judged: nDCG@5 j,judged: P@10 j,key\n"
        b'1,"[{""rerank"": ""x, y""}]",0.1,0.6666666666666666,0.5,0.5,0.5,key1\n'
        b"10,null,0.1,0.3333333333333333,0.25,0.5,0.5,key10\n"
    )
