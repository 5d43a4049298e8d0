import gzip
from pathlib import Path
from typing import NamedTuple

import pytest

from pipeline.errors import InputError
from pipeline.runs import verify as module
from pipeline.runs.verify import verify


class Topic(NamedTuple):
    number: str


TOPICS = [Topic("1"), Topic("2"), Topic("10")]
RIGHT = """\
1 Q0 a 1 3.5 tag
1 Q0 b 2 3.25 tag
2 Q0 b 1 -1.0 tag
2 Q0 c 2 -1.5 tag
10 Q0 a 1 0.5 tag
"""
DOCNOS = {"a", "b", "c"}


@pytest.fixture
def problems(tmp_path):
    """What is wrong with a run of this content, as ``run.txt:LINE: ...``."""

    def check(content: str | bytes, topics=TOPICS, docnos=DOCNOS, **more) -> list[str]:
        file = tmp_path / "run.txt"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        lines = verify(tmp_path, topics, docnos, **more)
        assert not any("\n" in line for line in lines)
        return [line.replace(str(file), "run.txt") for line in lines]

    return check


def test_a_right_run(problems):
    assert problems(RIGHT) == []
    assert problems(RIGHT, None, None) == []


STRICT = "scores that fall are expected, also when rounded to float32"
SPACED = "a tab, a blank too many, or one at an end, single blanks between columns are allowed"
FINITE = "a finite number is allowed (float32)"
PLAIN = "plain digits are allowed, without an exponent"
SIX = "6 are allowed, qid Q0 docno rank score tag"


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("1 Q0 b 2 3.25", "1 q0 b 2 3.25", ["2: column 2 is q0, Q0 is allowed"]),
        ("b 2 3.25", "b 1 3.25", ["2: rank 1, 2 is expected"]),
        ("b 2 3.25", "b 2.0 3.25", ["2: rank 2.0, 2 is expected"]),
        ("b 2 3.25", "b 2 nan", [f"2: score nan, {FINITE}"]),
        ("b 2 3.25", "b 2 -inf", [f"2: score -inf, {FINITE}"]),
        ("b 2 3.25", "b 2 high", [f"2: score high, {FINITE}"]),
        ("a 1 3.5", "a 1 1e39", [f"1: score 1e39, {FINITE}"]),
        ("b 2 3.25", "b 2 3e-5", [f"2: score 3e-5, {PLAIN}"]),
        ("b 2 3.25", "b 2 +3.25", [f"2: score +3.25, {PLAIN}"]),
        ("b 2 3.25", "b 2 3.75", [f"2: score 3.75 is above the one before, {STRICT}"]),
        ("b 2 3.25", "b 2 3.5", [f"2: score 3.5 equals the one before in float32, {STRICT}"]),
        (
            "b 2 3.25",
            "b 2 3.49999999",
            [f"2: score 3.49999999 equals the one before in float32, {STRICT}"],
        ),
        ("tag", "t/g", ["1: tag t/g, letters, digits, - and _ are allowed"]),
        ("-1.0 tag", "-1.0 other", ["3: tag other after another one, one tag is allowed"]),
        ("2 Q0 c 2", "2 Q0 b 2", ["4: document b again for topic 2, each is allowed once"]),
        ("b 2 3.25", "b 2", [" 4 lines, TIRA refuses fewer than 5", f"2: columns: 5, {SIX}"]),
        (
            "-1.0 tag",
            "-1.0 my tag",
            [
                " 4 lines, TIRA refuses fewer than 5",
                f"3: columns: 7, {SIX}",
                "4: rank 2, 1 is expected",
            ],
        ),
        ("1 Q0 b 2 3.25", "\n1 Q0 b 2 3.25", ["2: a blank line, none is allowed"]),
        ("1 Q0 a", "# by me\n1 Q0 a", ["1: a comment, none is allowed"]),
        ("1 Q0 a", "qid Q0 docno rank\n1 Q0 a", [f"1: columns: 4, {SIX}"]),
        ("1 Q0 b", "1\tQ0 b", [f"2: {SPACED}"]),
        ("3.25 tag", "3.25  tag", [f"2: {SPACED}"]),
        ("3.25 tag", "3.25 tag ", [f"2: {SPACED}"]),
        ("3.25 tag\n", "3.25 tag\r\n", ["2: a carriage return at the end, none is allowed"]),
        ("0.5 tag\n", "0.5 tag", ["5: no line feed after the last line, one is expected"]),
        ("0.5 tag\n", "0.5 tag\n\n", ["6: a blank line, none is allowed"]),
        ("1 Q0 a 1", "\ufeff1 Q0 a 1", ["1: a byte order mark, none is allowed"]),
        (
            "10 Q0 a",
            "11 Q0 a",
            [
                " 1 topic without a line: 10, each needs one",
                "5: topic 11 is not in the topics, only those of the input are allowed",
            ],
        ),
        (
            "2 Q0 c",
            "2 Q0 {d}",
            [
                " 2 of 3 documents (66.7%) are in the collection",
                "4: document {d} is not in the collection, only its documents are allowed",
            ],
        ),
    ],
)  # fmt: skip
def test_one_thing_wrong(problems, old, new, found):
    assert old in RIGHT
    assert problems(RIGHT.replace(old, new)) == [f"run.txt:{line}" for line in found]


def test_bytes_that_are_not_utf_8(problems):
    content = RIGHT.encode().replace(b"2 Q0 c", b"2 Q0 caf\xe9")
    assert problems(content, docnos=None) == [
        "run.txt:4: bytes that are not UTF-8, UTF-8 is allowed"
    ]


def test_a_topic_in_two_pieces(problems):
    lines = RIGHT.splitlines(keepends=True)
    assert problems("".join([lines[0], *lines[2:], lines[1]])) == [
        "run.txt:5: topic 1 again, the lines of a topic stand together"
    ]


def test_topics_in_another_order(problems):
    lines = RIGHT.splitlines(keepends=True)
    assert problems("".join([*lines[4:], *lines[:4]])) == [
        "run.txt:2: topic 1 stands too late, the order of the topics is expected"
    ]


def test_more_than_a_thousand_documents(problems):
    more = "".join(f"1 Q0 d{n} {n} {9999 - n}.0 tag\n" for n in range(1, 1004))
    assert problems(more + "2 Q0 a 1 1.0 tag\n10 Q0 a 1 1.0 tag\n", docnos=None) == [
        "run.txt:1001: line 1001 of topic 1, 1000 are allowed"
    ]


def test_many_of_a_kind_are_counted_and_kinds_stand_together(problems):
    wrong = RIGHT.replace(" tag", "\ttag").replace(" Q0 ", " 0 ")
    assert problems(wrong) == [
        *(f"run.txt:{line}: {SPACED}" for line in (1, 2, 3)),
        "run.txt: 2 more lines like these",
        *(f"run.txt:{line}: column 2 is 0, Q0 is allowed" for line in (1, 2, 3)),
        "run.txt: 2 more lines like these",
    ]


def test_all_problems_at_once(problems):
    assert problems("1 Q0 a 0 nan x\n1 Q0 a 2 1.0 y y\n\n3 Q0 z 1 1 x", docnos=None) == [
        "run.txt: 2 topics without a line: 2, 10, each needs one",
        "run.txt: 2 lines, TIRA refuses fewer than 5",
        "run.txt: 2 topics, TIRA refuses fewer than 3",
        "run.txt:1: rank 0, 1 is expected",
        "run.txt:1: score nan, a finite number is allowed (float32)",
        f"run.txt:2: columns: 7, {SIX}",
        "run.txt:3: a blank line, none is allowed",
        "run.txt:4: no line feed after the last line, one is expected",
        "run.txt:4: topic 3 is not in the topics, only those of the input are allowed",
    ]


def test_what_a_small_collection_may_lack(problems):
    small = "1 Q0 a 1 1.0 tag\n"
    assert problems(small) == [
        "run.txt: 2 topics without a line: 2, 10, each needs one",
        "run.txt: 1 line, TIRA refuses fewer than 5",
        "run.txt: 1 topic, TIRA refuses fewer than 3",
    ]
    assert problems(small, gaps=False) == []


OLD = "10113b57-2019-04-18T17:05:08Z-00001-000"
NEW = "Sf9294c83-Af186e851"


@pytest.mark.parametrize(
    ("theirs", "ours", "hint"),
    [
        (OLD, NEW, "; the others look like args.me 1.0, the collection like args.me 2020-04-01"),
        (NEW, OLD, "; the others look like args.me 2020-04-01, the collection like args.me 1.0"),
        (
            OLD[:20],
            OLD,
            "; the others look like args.me 1.0, cut off after 20 characters, "
            "the collection like args.me 1.0",
        ),
        ("S1-A1", NEW, ""),
        ("clueweb12-1", NEW, ""),
        (OLD, "d1", "; the others look like args.me 1.0"),
    ],
)
def test_ids_of_another_release(problems, theirs, ours, hint):
    share, first, *_ = problems(RIGHT.replace(" a ", f" {theirs} "), docnos=[ours, "b", "c"])
    assert share == f"run.txt: 2 of 3 documents (66.7%) are in the collection{hint}"
    assert first.startswith(f"run.txt:1: document {theirs} is not in the collection")


def test_nothing_of_the_run_in_the_collection(problems):
    assert problems(RIGHT, docnos=[])[0] == "run.txt: 0 of 3 documents (0.0%) are in the collection"


def test_an_empty_run(problems):
    nothing = "run.txt: no line of a run, 'qid Q0 docno rank score tag' is expected"
    assert problems("") == [nothing]
    assert problems("\n") == [nothing, "run.txt:1: a blank line, none is allowed"]


def test_a_file_too_large_for_tira(problems, monkeypatch):
    monkeypatch.setattr(module, "MAX_BYTES", len(RIGHT) - 1)
    size = len(RIGHT)
    assert problems(RIGHT) == [f"run.txt: {size} bytes, TIRA refuses more than {size - 1}"]


def test_a_file_by_itself_and_compressed(tmp_path):
    wrong = RIGHT.replace("b 2 3.25", "b 3 3.25").encode()
    for file, content in [
        (tmp_path / "mine.txt", wrong),
        (tmp_path / "run.txt.gz", gzip.compress(wrong)),
    ]:
        file.write_bytes(content)
        assert verify(file) == [f"{file}:2: rank 3, 2 is expected"]
    assert verify(tmp_path) == [f"{tmp_path / 'run.txt.gz'}:2: rank 3, 2 is expected"]


def test_two_runs_in_a_folder(problems, tmp_path):
    (tmp_path / "run.txt.gz").touch()
    assert problems(RIGHT) == ["run.txt: run.txt.gz is there too, one of the two is allowed"]


def test_a_folder_without_a_run(tmp_path):
    (tmp_path / "out.txt").touch()
    with pytest.raises(InputError) as raised:
        verify(tmp_path)
    assert str(raised.value) == (f"{tmp_path}: no run.txt or run.txt.gz; the folder holds out.txt")


def test_what_is_not_there(tmp_path):
    with pytest.raises(InputError, match="absent: cannot be read: No such file or directory"):
        verify(tmp_path / "absent")


def test_an_official_run_breaks_what_it_is_known_to_break(shared: Path):
    file = shared / "touche-2021" / "ElrondKRun.txt.gz"
    kinds = [line for line in verify(file) if line.startswith(f"{file}: ")]
    assert kinds == [
        f"{file}: 49,997 more lines like these",
        f"{file}: 49,997 more lines like these",
        f"{file}: 9,735 more lines like these",
    ]
