import gzip
import hashlib

import pytest

from pipeline.errors import InputError
from pipeline.evaluation.judgements import OFFICIAL, find, named, read

MINE = "2 0 a 1\n10 0 b -2\n10 0 c 3\n2 0 c 0\n"
IMAGES = "1 ONTOPIC a 1\n1 PRO a 1\n1 CON a 0\n1 CON b 2\n1 ONTOPIC b 0\n1 PRO b 0\n2 ONTOPIC a 1\n"


@pytest.fixture
def mine(tmp_path):
    """Judgements of one's own."""
    file = tmp_path / "mine.qrels"
    file.write_text(MINE, encoding="utf-8")
    return file


def line_of(call, *arguments):
    with pytest.raises(InputError) as caught:
        call(*arguments)
    (line,) = caught.value.lines
    return line


def rows(frame):
    return [tuple(row) for row in frame.itertuples(index=False)]


# one file


def test_a_file_of_ones_own(mine):
    judged = read(mine)
    assert (judged.name, judged.file, judged.official) == ("mine", mine, None)
    assert rows(judged.grades) == [("2", "a", 1), ("10", "b", 0), ("10", "c", 3), ("2", "c", 0)]
    assert judged.topics == ("2", "10")
    assert judged.by_topic == {"2": {"a": 1, "c": 0}, "10": {"b": 0, "c": 3}}
    assert judged.docnos == ("a", "b", "c")
    assert judged.notes == (f"{mine}: 1 grade below 0 (-2), counted as 0",)
    assert read(mine, "mine").name == "mine"


def test_compressed_with_a_mark_and_odd_letters(tmp_path):
    file = tmp_path / "mine.qrels.gz"
    file.write_bytes(gzip.compress("\ufeff1 0 ä 1\n".encode()))
    assert (read(file).name, rows(read(file).grades)) == ("mine", [("1", "ä", 1)])
    file.write_bytes(b"1 0 \xe4 1\n")
    assert rows(read(file).grades) == [("1", "\ufffd", 1)]


def test_some_topics_only(mine):
    some = read(mine).of(["10", "11"])
    assert some.topics == ("10",)
    assert some.by_topic == {"10": {"b": 0, "c": 3}}
    assert (some.name, some.md5) == ("mine", read(mine).md5)


def test_no_document_is_relevant(tmp_path):
    file = tmp_path / "none.qrels"
    file.write_text("1 0 a 0\n", encoding="utf-8")
    assert read(file).notes == (f"{file}: not one grade is above 0",)


def test_what_cannot_be_read(tmp_path, mine):
    assert line_of(read, tmp_path) == f"{tmp_path}: a folder; a file of judgements is expected"
    missing = tmp_path / "x.qrels"
    assert line_of(read, missing) == f"{missing}: cannot be read: No such file or directory"
    assert line_of(read, mine, "mien") == (
        f"{mine}: no judgements 'mien' there, did you mean 'mine'?; there is mine"
    )


def test_another_file_with_an_official_name(tmp_path):
    file = tmp_path / "touche-task1-51-100-relevance.qrels"
    file.write_text("1 0 a 1\n", encoding="utf-8")
    line = (
        f"{file}: called like the file of touche-2021/relevance, and is another one: its md5 is "
        f"{hashlib.md5(file.read_bytes()).hexdigest()}, not 76b4e8348bde353167ce52ffa598a6b1; "
        "rename it, or get the published one (Zenodo 6798216)"
    )
    assert line_of(read, file) == line
    assert line_of(find, tmp_path) == line


# ids of another corpus


def test_the_share_of_judged_documents_that_are_there(mine):
    judged = read(mine)
    assert judged.share({"a", "c", "x"}) == 2 / 3
    assert judged.present({"a", "c", "x"}) == (
        "mine: 2 of 3 judged documents (66.7%) are in the collection"
    )
    assert judged.present({"a", "b", "c"}, "the run") == ""
    assert judged.foreign({"a"}) == ""
    assert judged.foreign(["x", "y"], "the run") == (
        "mine: none of the 3 judged documents is in the run: "
        "judged ids look like 'a', those there like 'x'"
    )
    assert judged.foreign([]).endswith("those there like nothing")


def test_judgements_of_another_release(tmp_path):
    file = tmp_path / "mine.qrels"
    file.write_text("1 0 c67482ba-2019-04-18T13:32:05Z-00000-000 1\n", encoding="utf-8")
    judged = read(file)
    assert judged.foreign({"S1b03f390-A22aff8a0"}) == (
        "mine: none of the 1 judged document is in the collection: "
        "judged ids look like args.me 1.0, those there like args.me 2020-04-01"
    )
    file.write_text("1 0 Sa-Ab 1\n", encoding="utf-8")
    assert read(file).foreign({"S1b03f390-A22aff8a0"}) == (
        "mine: none of the 1 judged document is in the collection"
    )


# images


def test_a_file_of_images_holds_three(tmp_path):
    file = tmp_path / "pictures.qrels"
    file.write_text(IMAGES, encoding="utf-8")
    topical, argues, stance = find(file)
    assert [one.name for one in (topical, argues, stance)] == [
        "pictures/on-topic", "pictures/argumentative", "pictures/on-stance",
    ]  # fmt: skip
    assert rows(topical.grades) == [("1", "a", 1), ("1", "b", 0), ("2", "a", 1)]
    assert rows(argues.grades) == [("1", "a", 1), ("1", "b", 0), ("2", "a", 0)]
    assert rows(stance.images)[3] == ("1", "b", "CON", 2)
    assert [one.question for one in (topical, argues, stance)] == [
        "on-topic", "argumentative", "on-stance",
    ]  # fmt: skip
    assert rows(stance.of(["2"]).images) == [("2", "a", "ONTOPIC", 1)]
    assert read(file).name == "pictures/on-topic"
    assert read(file, "pictures/on-stance").question == "on-stance"
    assert named("pictures/argumentative", tmp_path).question == "argumentative"
    assert "did you mean 'pictures/on-stance'" in line_of(named, "pictures/onstance", tmp_path)


# by name


def test_names_below_a_folder(mine, tmp_path):
    (tmp_path / "other.qrels").write_text("1 0 a 1\n", encoding="utf-8")
    assert [one.name for one in find(tmp_path)] == ["mine", "other"]
    assert [one.name for one in find(mine)] == ["mine"]
    assert named("other", tmp_path).by_topic == {"1": {"a": 1}}
    assert named("mine", mine).name == "mine"
    there = "; there is mine, other"
    assert line_of(named, "othr", tmp_path) == (
        f"{tmp_path}: no judgements 'othr' there, did you mean 'other'?{there}"
    )
    assert line_of(named, "touche-2021/relevnce", tmp_path) == (
        f"{tmp_path}: no judgements 'touche-2021/relevnce' there, "
        f"did you mean 'touche-2021/relevance'?{there}"
    )
    assert line_of(named, "touche-2021/quality", tmp_path) == (
        f"{tmp_path}: no judgements 'touche-2021/quality' there: they are "
        "touche-task1-51-100-quality.qrels (Zenodo 6798216), "
        f"md5 c899bcab9b00fdd28f77d08a1d26298a{there}"
    )
    assert line_of(named, "shahshahani-kamps/trust", tmp_path) == (
        f"{tmp_path}: no judgements 'shahshahani-kamps/trust' there: "
        f"Shahshahani and Kamps 2020; never published as a file{there}"
    )


@pytest.mark.usefixtures("mine")
def test_a_broken_file_beside_the_one_named(tmp_path):
    (tmp_path / "qrels-notes.txt").write_text("to do\n", encoding="utf-8")
    assert named("mine", tmp_path).name == "mine"
    assert line_of(find, tmp_path) == (
        f"{tmp_path / 'qrels-notes.txt'}:1: 2 columns, qid 0 docno grade expected"
    )


# the published ones


PUBLISHED = {
    "touche-2020/relevance": (2298, 49, 296 + 2 * 636),
    "touche-2020-task2/relevance": (1783, 50, 448 + 2 * 374),
    "touche-2021/relevance": (3711, 50, 736 + 2 * 1082),
    "webis-argquality-20/relevance": (1610, 20, 265 + 2 * 579 + 3 * 625),
    "touche-2022-images/on-topic": (6607, 50, 4422),
    "touche-2022-images/argumentative": (6607, 50, 3244 + 1070 - 282),
    "touche-2022-images/on-stance": (6607, 50, 3244 + 1070 - 282),
    "touche-2023-images/on-topic": (6692, 50, 3520),
    # 11 that have a stance are off topic
    "touche-2023-images/argumentative": (6692, 50, 1263 + 701 - 148 - 11),
    "touche-2023-images/on-stance": (6692, 50, 1263 + 701 - 148 - 11),
    "qrels": (712, 49, 113 + 2 * 364),
}


def test_those_that_are_there(shared):
    """Rows, topics and the sum of all grades, as counted by others."""
    found = {
        one.name: (len(one.grades), len(one.topics), int(one.grades["grade"].sum()))
        for one in find(shared)
    }
    assert found == PUBLISHED
    assert list(found) == list(PUBLISHED)


def test_grades_and_topics_are_those_of_the_table(shared):
    for one in find(shared):
        if official := one.official:
            assert OFFICIAL[one.name] == official
            assert {int(qid) for qid in one.topics} <= set(official.topics)
            assert set(one.grades["grade"]) <= set(official.grades)


def test_a_subset_of_official_ones_is_none(shared):
    """Its own name, and its note on grades below 0; real arguments, some of them missing."""
    mini = named("qrels", shared / "argsme-mini")
    assert mini.official is None
    assert mini.notes == (f"{mini.file}: 105 grades below 0 (-2), counted as 0",)
    whole = named("touche-2020/relevance", shared / "touche-2020")
    assert whole.foreign(mini.docnos) == ""
    assert 0.3 < whole.share(set(mini.docnos)) < 0.35
    assert mini.share(set(whole.docnos)) == 1
