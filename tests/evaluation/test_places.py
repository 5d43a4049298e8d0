import gzip

import pytest

from pipeline.errors import InputError
from pipeline.evaluation.places import search, stem

ROW = "1 0 a 1\n"


def test_by_name_and_only_those(tmp_path):
    for name in (
        "b.qrels",
        "qrels-mine.txt",
        "run.txt",
        "topics.xml",
        ".qrels.txt",
        "x.qrels.part",
    ):
        (tmp_path / name).write_text(f"{name.strip('.')} 0 a 1\n", encoding="utf-8")
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "c.qrels.gz").write_bytes(gzip.compress(b"2 0 a 1\n"))
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "qrels.txt").write_text("3 0 a 1\n", encoding="utf-8")
    assert [place.names for place in search(tmp_path)] == [("b",), ("qrels-mine",), ("c",)]


def test_files_of_one_name_and_content_are_one(tmp_path):
    (tmp_path / "x").mkdir()
    (tmp_path / "a.qrels").write_text(ROW, encoding="utf-8")
    (tmp_path / "x" / "a.qrels.gz").write_bytes(gzip.compress(ROW.encode()))
    (tmp_path / "x" / "b.qrels").write_text(ROW, encoding="utf-8")
    assert [place.stem for place in search(tmp_path)] == ["a", "b"]


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path):
    for number, folder in enumerate(("x", "y/z", "")):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / "qrels.txt").write_text(f"{number} 0 a 1\n", encoding="utf-8")
    (tmp_path / "other.qrels").write_text("9 0 a 1\n", encoding="utf-8")
    assert [place.stem for place in search(tmp_path)] == ["other", "qrels", "x/qrels", "y/z/qrels"]


def test_nothing_there(tmp_path):
    (tmp_path / "run.txt").write_text("1 Q0 a 1 2.0 tag\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        search(tmp_path)
    assert caught.value.lines == (
        f"{tmp_path}: no judgements below it; *.qrels and qrels*.txt are read",
    )


def test_official_ones_under_any_name(shared, tmp_path):
    """A copy under a name of its own, packed; and what lies under a name for everything."""
    official = "touche-task1-51-100-relevance.qrels"
    packed = gzip.compress((shared / "touche-2021" / official).read_bytes())
    (tmp_path / "judged.gz").write_bytes(packed)
    (tmp_path / "judged.txt").write_bytes((shared / "touche-2021" / official).read_bytes())
    (place,) = search(tmp_path)
    assert (place.file.name, place.names) == ("judged.txt", ("touche-2021/relevance",))
    found = {name: place.file.name for place in search(shared) for name in place.names}
    assert found["touche-2022-images/on-stance"] == "qrels.txt"
    assert found["webis-argquality-20/relevance"] == "relevance.qrels"
    assert found["qrels"] == "qrels.txt"


@pytest.mark.parametrize("name", ["a.qrels", "a.qrels.txt", "a.qrels.gz", "a.txt", "a"])
def test_the_stem_of_a_name(name):
    assert stem(name) == "a"
