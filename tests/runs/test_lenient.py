import gzip
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.runs.lenient import read


@pytest.fixture
def found(tmp_path):
    """Reads a run of this content: rows ``qid docno rank``, and what was assumed about it."""

    def run(content: str | bytes, *columns: str) -> tuple[list[str], list[str]]:
        file = tmp_path / "run.txt"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        ranking, assumed = read(file)
        rows = ranking[[*(columns or ("qid", "docno", "rank"))]].astype(str).agg(" ".join, axis=1)
        return rows.tolist(), [line.replace(str(file), "run.txt") for line in assumed]

    return run


STRICT = "2 Q0 b 1 2.5 tag\n2 Q0 a 2 1.5 tag\n1 Q0 a 1 3.0 tag\n"


def test_a_strict_run_needs_no_assumption(tmp_path):
    file = tmp_path / "run.txt"
    file.write_text(STRICT)
    run = read(file)
    assert run.assumed == []
    assert list(run.ranking.columns) == ["qid", "docno", "score", "rank", "tag"]
    assert run.ranking.to_numpy().tolist() == [
        ["2", "b", 2.5, 0, "tag"],
        ["2", "a", 1.5, 1, "tag"],
        ["1", "a", 3.0, 0, "tag"],
    ]


def test_ranks_from_zero_tabs_and_a_blank_at_the_end(found):
    rows, assumed = found("51\tQ0\ta\t0\t7.5\tElrond\t\n51\tQ0\tb\t1\t7.4\tElrond\t\n")
    assert rows == ["51 a 0", "51 b 1"]
    assert assumed == ["run.txt: ranks are counted from 0"]


def test_header_short_lines_and_blank_lines_are_skipped(found):
    rows, assumed = found(
        "qid Q0 doc rank score tag\n\n1 Q0 a 1 2.0 t\n1 Q0 b\n# end\n1 Q0 c 2 1.0 t\n"
    )
    assert rows == ["1 a 0", "1 c 1"]
    assert assumed == ["run.txt:1: 3 lines without five columns and a score in the fifth, skipped"]


def test_a_tag_of_several_words_and_none(found):
    rows, assumed = found('1 Q0 a 1 2.0 "Katana PSDP"\n1 Q0 b 2 1.0\n', "docno", "tag")
    assert rows == ["a Katana PSDP", "b "]
    assert assumed == [
        "run.txt: 1 line without a tag",
        "run.txt: the tag is several words, 'Katana PSDP'",
    ]


def test_several_tags(found):
    assert found("1 Q0 a 1 2 x\n1 Q0 b 2 1 y\n")[1] == ["run.txt: tags x, y, one is usual"]


def test_ties_stand_as_trec_eval_takes_them(found):
    rows, assumed = found("1 Q0 a 1 12.0000001 t\n1 Q0 c 2 12.0 t\n1 Q0 b 3 12.0 t\n")
    assert rows == ["1 c 0", "1 b 1", "1 a 2"]
    assert assumed == [
        "run.txt: 2 scores equal to another of the topic; ordered by docno, descending"
    ]


def test_ranks_are_kept_where_they_say_another_order(found):
    text = "1 Q0 a 7 1.0 t\n1 Q0 b 8 2.0 t\n2 Q0 c 1 2.0 t\n"
    rows, assumed = found(text, "docno", "rank", "file_rank")
    assert rows == ["b 0 8", "a 1 7", "c 0 1"]
    assert len(assumed) == 1


@pytest.mark.parametrize(
    "text",
    [
        "1 Q0 a 7 2.0 t\n1 Q0 b 8 1.0 t\n",
        "1 Q0 a 1 2.0 t\n1 Q0 b 1 1.0 t\n",
        "1 Q0 a 1 1.0 t\n1 Q0 b x 2.0 t\n",
        "1 PRO a 1 1.0 t\n1 CON b 1 2.0 t\n",
    ],
    ids=["same order", "ties", "no number", "apart for each stance"],
)
def test_ranks_that_say_no_other_order_are_not_kept(tmp_path, text):
    file = tmp_path / "run.txt"
    file.write_text(text)
    assert "file_rank" not in read(file).ranking


@pytest.mark.parametrize("rank", ["1", "x"])
def test_scores_decide_against_ranks(found, rank):
    rows, assumed = found(f"1 Q0 a {rank} 1.0 t\n1 Q0 b 2 2.0 t\n")
    assert rows == ["1 b 0", "1 a 1"]
    assert assumed == [
        "run.txt: ranks that contradict the scores, or are no numbers; the scores decide"
    ]


def test_the_best_of_a_doubled_document_counts(found):
    rows, assumed = found("1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n1 Q0 a 3 1 t\n2 Q0 a 1 1 t\n")
    assert rows == ["1 a 0", "1 b 1", "2 a 0"]
    assert assumed == ["run.txt: 1 document again in the same topic; the best score counts"]


def test_scores_that_are_no_numbers_come_last(found):
    rows, assumed = found("1 Q0 a 1 nan t\n1 Q0 b 2 1e3 t\n1 Q0 c 3 1e300 t\n")
    assert rows == ["1 c 0", "1 b 1", "1 a 2"]
    assert "run.txt: 1 score NaN or infinite" in assumed


def test_a_stance_in_column_2(found):
    rows, assumed = found(
        "1 NEUTRAL a 1 3 t\n1 FIRST b 2 2 t\n1 SECOND c 3 1 t\n", "docno", "rank", "stance"
    )
    assert rows == ["a 0 NEUTRAL", "b 1 FIRST", "c 2 SECOND"]
    assert assumed == ["run.txt: column 2 is NEUTRAL, FIRST, SECOND, not Q0; kept as stance"]


def test_a_ranking_for_each_stance(found):
    rows, assumed = found(
        "1 PRO a 1 2 t\n1 PRO b 2 1 t\n1 CON b 1 2 t\n1 CON a 2 1 t\n", "docno", "rank", "stance"
    )
    assert rows == ["b 0 CON", "a 1 CON", "a 0 PRO", "b 1 PRO"]
    assert assumed == [
        "run.txt: column 2 is PRO, CON, not Q0; kept as stance",
        "run.txt: ranks are counted apart for each value of column 2",
    ]


def test_compressed_whatever_its_name(found):
    assert found(gzip.compress(STRICT.encode()))[0] == found(STRICT)[0]


def test_line_ends_marks_and_bytes_of_other_places(found):
    expected = found(STRICT)
    assert found(STRICT.replace("\n", "\r\n")) == expected
    assert found("\ufeff" + STRICT) == expected
    rows, assumed = found(STRICT.replace("tag", "café").encode("latin-1"), "tag")
    assert rows == ["café"] * 3
    assert assumed == ["run.txt: not UTF-8; read as Latin-1"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no line of a run in it; qid Q0 docno rank score tag expected"),
        (b"qid Q0 docno rank score tag\n", "no line of a run in it"),
        (gzip.compress(STRICT.encode())[:-9], "broken gzip: "),
        (b"\x1f\x8bnot gzip at all", "broken gzip: "),
    ],
    ids=["empty", "only a header", "cut off", "no gzip"],
)
def test_what_is_no_run(found, tmp_path, content, words):
    with pytest.raises(InputError) as raised:
        found(content)
    assert str(raised.value).startswith(f"{tmp_path / 'run.txt'}: {words}")


def test_what_is_not_there(tmp_path):
    with pytest.raises(InputError, match="absent: cannot be read: No such file or directory"):
        read(tmp_path / "absent")


@pytest.mark.parametrize(
    ("file", "rows", "tag", "words"),
    [
        ("touche-2021/ElrondKRun.txt.gz", 50_000, "ElrondKRun", ["9,738 scores equal", "from 0"]),
        ("touche-2022-images/boromir-run.txt", 1_000, "Boromir_BERT_OCR", ["PRO, CON", "apart"]),
        ("touche-2023-images/picard-run-minus-1.txt", 1_000, "-", ["PRO, CON", "apart"]),
        ("argq20/run-DPH.txt", 958, "argq20-DPH", ["42 documents again"]),
    ],
)
def test_runs_in_the_wild(shared: Path, file, rows, tag, words):
    ranking, assumed = read(shared / file)
    assert len(ranking) == rows
    assert set(ranking["tag"]) == {tag}
    assert [word for word in words if word not in "\n".join(assumed)] == []
