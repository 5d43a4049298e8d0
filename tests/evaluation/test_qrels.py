from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.evaluation.qrels import is_like, parse

FILE = Path("a.qrels")


def rows(text):
    return [tuple(row) for row in parse(text, FILE)[0].itertuples(index=False)]


def test_lines_with_blanks_tabs_and_carriage_returns():
    assert rows("1 0 a 2\r\n\n2\tQ0\tb\t-2\n") == [("1", "", "a", 2), ("2", "", "b", -2)]


def test_numbers_and_documents_stay_text():
    frame, notes = parse("007 0 0012 1\n", FILE)
    assert [str(kind) for kind in frame.dtypes] == ["str", "str", "str", "int64"]
    assert frame.iloc[0].tolist() == ["007", "", "0012", 1]
    assert notes == []


def test_images():
    assert rows("1 ONTOPIC a 1\n1 PRO a 0\n") == [("1", "ONTOPIC", "a", 1), ("1", "PRO", "a", 0)]


def test_grades_with_a_decimal_point():
    """As in the uncorrected judgements of 2020."""
    frame, notes = parse("1 0 a 5.0\n1 0 b -2.0\n1 0 c 1\n", FILE)
    assert frame["grade"].tolist() == [5, -2, 1]
    assert notes == ["a.qrels:1: 2 grades with a decimal point, taken as whole numbers"]


def test_the_same_line_again():
    frame, notes = parse("1 0 a 1\n1 0 b 1\n1 0 a 1\n", FILE)
    assert frame["docno"].tolist() == ["a", "b"]
    assert notes == ["a.qrels:3: 1 line again, taken once"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "a.qrels: no judgements in it; qid 0 docno grade expected"),
        (" \n\n", "a.qrels: no judgements in it; qid 0 docno grade expected"),
        ("1 0 a 1\n1 0 b\n", "a.qrels:2: 3 columns, qid 0 docno grade expected"),
        (
            "1 Q0 a 1 3.5 tag\n",
            "a.qrels:1: 6 columns, qid 0 docno grade expected; this looks like a run",
        ),
        ("1 0 a good\n", "a.qrels:1: grade 'good', a whole number expected"),
        ("1 0 a nan\n", "a.qrels:1: grade 'nan', a whole number expected"),
        ("1 0 a inf\n", "a.qrels:1: grade 'inf', a whole number expected"),
        ("1 0 a 0.5\n", "a.qrels:1: grade 0.5, a whole number expected"),
        (
            "1 0 a 1\n2 0 a 0\n1 0 a 0\n",
            "a.qrels:3: document a for topic 1 has grade 0, and 1 in line 1; one is allowed",
        ),
        (
            "1 PRO a 1\n1 0 a 1\n",
            "a.qrels: only some lines have ONTOPIC, PRO or CON in column 2",
        ),
    ],
)
def test_what_is_none(text, line):
    with pytest.raises(InputError) as caught:
        parse(text, FILE)
    assert caught.value.lines == (line,)


def test_what_may_be_a_line():
    assert is_like("1 0 a 2\n")
    assert not is_like("1 Q0 a 1 3.5 tag\n")
    assert not is_like("some text of four\n")
    assert not is_like("")
