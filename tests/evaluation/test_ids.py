import pytest

from pipeline.evaluation.ids import looks


@pytest.mark.parametrize(
    ("docno", "like"),
    [
        ("S1b03f390-A22aff8a0", "args.me 2020-04-01"),
        ("c67482ba-2019-04-18T13:32:05Z-00000-000", "args.me 1.0"),
        ("clueweb12-0001wb-05-12311", "ClueWeb12"),
        ("AQ15859-4", "Webis-ArgQuality-20"),
        ("Ib7fc7d5f8ee59d62", "the images of Touché 2022"),
        ("I00a9336e92f43b3819970e8c", "the images of Touché 2023"),
        ("d1", "'d1'"),
    ],
)
def test_ids_tell_their_collection(docno, like):
    assert looks([docno]) == like


def test_no_ids_at_all():
    assert looks([]) == "nothing"
