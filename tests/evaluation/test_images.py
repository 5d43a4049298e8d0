"""Each edge of the official evaluators of 2022 and 2023, and the scores that they published."""

import pytest

from pipeline.errors import InputError
from pipeline.evaluation.images import Lists, read, score
from pipeline.evaluation.judgements import find, named

A, B, C, OFF, X = (f"I{number:016x}" for number in range(1, 6))
"""Pro; con; both; off topic (though pro); not judged."""

ANSWERS = {A: "110", B: "101", C: "111", OFF: "010"}
QUESTIONS = ("ONTOPIC", "PRO", "CON")


def judged(folder, answers, *topics):
    """Judgements of images: what was answered to the three questions for each, in some topics."""
    file = folder / "images of it's year.qrels"
    rows = [
        f"{topic} {question} {image} {answer}\n"
        for topic in topics
        for image, given in answers.items()
        for question, answer in zip(QUESTIONS, given, strict=True)
    ]
    file.write_text("".join(rows), encoding="utf-8")
    return find(file)


@pytest.fixture
def scored(tmp_path):
    """The three P@10 of lines of a run, times 20, and the notes; topics 1 to 50 are judged."""
    judgements = judged(tmp_path, ANSWERS, 1, 50)
    file = tmp_path / "run of 'mine'.txt"

    def run(*lines):
        held = "\n".join(lines)
        file.write_bytes(held.encode())
        lists = read(file, judgements[0])
        notes = [note.removeprefix(str(file)) for note in lists.notes]
        rest = ": 1 of 2 judged topics with a line that counts; the mean is over these alone"
        means = [score(lists, one).mean * 20 for one in judgements]
        return [round(mean, 9) for mean in means], [note for note in notes if note != rest]

    return run


GOOD = f"1 PRO {A} 1 5 t"


def test_a_line_that_counts(scored):
    assert scored(GOOD) == ([1, 1, 1], [])


# lines that are passed over


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("", "0 fields, 6 expected"),
        ("# a comment", "3 fields, 6 expected"),
        (f"1 PRO {B} 2 4 t more", "7 fields, 6 expected"),
        (f"0 PRO {B} 2 4 t", "topic '0', 1 to 50 expected"),
        (f"51 PRO {B} 2 4 t", "topic '51', 1 to 50 expected"),
        (f"01 PRO {B} 2 4 t", "topic '01', 1 to 50 expected"),
        (f"x PRO {B} 2 4 t", "topic 'x', 1 to 50 expected"),
        (f"1 pro {B} 2 4 t", "stance 'pro', PRO or CON expected"),
        (f"1 Q0 {B} 2 4 t", "stance 'Q0', PRO or CON expected"),
        (f"1 PRO {B[:-1]} 2 4 t", f"image '{B[:-1]}', I and 16 of 0-9a-f expected"),
        (f"1 PRO {B}0 2 4 t", f"image '{B}0', I and 16 of 0-9a-f expected"),
        ("1 PRO IABCDEF0123456789 2 4 t", "image 'IABCDEF0123456789', I and 16 of 0-9a-f expected"),
        (f"1 PRO {B} 0 4 t", "rank '0', 1 to 10 expected"),
        (f"1 PRO {B} 11 4 t", "rank '11', 1 to 10 expected"),
        (f"1 PRO {B} 02 4 t", "rank '02', 1 to 10 expected"),
        (f"1 PRO {B} 2.0 4 t", "rank '2.0', 1 to 10 expected"),
        (f"1 PRO {B} 1 4 t", "rank 1 after 1 for topic 1 PRO, ranks that rise expected"),
        (f"1 PRO {B} 2 1e-05 t", "score '1e-05', plain digits expected"),
        (f"1 PRO {B} 2 .5 t", "score '.5', plain digits expected"),
        (f"1 PRO {B} 2 +4 t", "score '+4', plain digits expected"),
        (f"1 PRO {B} 2 nan t", "score 'nan', plain digits expected"),
        (f"1 PRO {B} 2 inf t", "score 'inf', plain digits expected"),
        (f"1 PRO {B} 2 10 t", "score 10 after 5 for topic 1 PRO, none above it expected"),
    ],
)
def test_passed_over(scored, line, note):
    assert scored(GOOD, line, "") == ([1, 1, 1], [f":2: passed over: {note}"])


def test_ranks_must_rise_in_the_order_of_the_lines_and_may_have_gaps(scored):
    found, notes = scored(f"1 PRO {A} 3 5 t", f"1 PRO {B} 1 5 t", f"1 PRO {C} 7 5 t")
    assert found == [2, 2, 2]
    assert notes == [":2: passed over: rank 1 after 3 for topic 1 PRO, ranks that rise expected"]


def test_a_rank_is_met_before_its_score_is_looked_at(scored):
    found, notes = scored(f"1 PRO {A} 1 1e3 t", f"1 PRO {A} 1 5 t", f"1 PRO {B} 2 5 t")
    assert found == [1, 1, 0]
    assert notes == [
        ":1: passed over: score '1e3', plain digits expected",
        ":2: passed over: rank 1 after 1 for topic 1 PRO, ranks that rise expected",
    ]


def test_a_score_that_rises_is_not_the_one_before(scored):
    """10 is passed over, so 5 is still the last score, and 4 is not above it."""
    found, notes = scored(GOOD, f"1 PRO {B} 2 10 t", f"1 PRO {C} 3 4 t")
    assert (found, len(notes)) == ([2, 2, 2], 1)


# lines that count although they look odd


@pytest.mark.parametrize("scores", ["5 5", "-0.5 -1", "5. 4.25", "10 9", "0100 99"])
def test_scores_are_numbers_and_may_be_equal(scored, scores):
    first, second = scores.split()
    assert scored(f"1 PRO {A} 1 {first} t", f"1 PRO {C} 2 {second} t") == ([2, 2, 2], [])


def test_another_tag(scored):
    found, notes = scored(GOOD, f"1 PRO {C} 2 5 other")
    assert found == [2, 2, 2]
    assert notes == [": tags t and other, one is usual; all lines count"]


def test_the_same_image_in_one_list_counts_each_time(scored):
    """Three copies: 3 / 20 = 0.150."""
    found, notes = scored(*(f"1 PRO {A} {rank} 5 t" for rank in (1, 2, 3)))
    assert found == [3, 3, 3]
    assert notes == [
        ":2: 2 images again in the same list, counted again, as the official evaluator does"
    ]


def test_the_same_image_for_both_stances(scored):
    assert scored(GOOD, f"1 CON {A} 1 5 t") == ([2, 2, 1], [])


def test_an_image_that_is_not_judged_is_off_topic(scored):
    found, notes = scored(GOOD, f"1 PRO {X} 2 5 t")
    assert found == [1, 1, 1]
    assert notes == [": 1 of 2 images not judged for the topic, so off topic"]


def test_tabs_carriage_returns_and_no_end_of_line(scored):
    lines = [f"1\tPRO\t{A}\t1\t5\tt\r", f" 1  PRO \t{C} 2 5 t\r"]
    assert scored(*lines) == ([2, 2, 2], [])
    assert scored(*lines, "") == ([2, 2, 2], [])


# what is counted, and over what


def test_questions(scored):
    """On topic; an argument, too; and of the stance of its line."""
    found, _ = scored(
        *(f"1 {stance} {image} {rank} 5 t" for stance in ("PRO", "CON")
          for rank, image in enumerate((A, B, C, OFF), 1))
    )  # fmt: skip
    assert found == [6, 6, 4]


def test_on_topic_without_any_stance_is_no_argument(tmp_path):
    file = tmp_path / "run.txt"
    file.write_text(GOOD, encoding="utf-8")
    judgements = judged(tmp_path, {A: "100"}, 1)
    assert [score(read(file, one), one).mean * 20 for one in judgements] == [1, 0, 0]


def test_only_topics_with_a_line_that_counts_are_divided_by(tmp_path):
    """One topic is divided by 20, and not by 20 times all: hard ones are better left out."""
    file = tmp_path / "run.txt"
    on_topic = judged(tmp_path, ANSWERS, 1, 2, 50)[0]
    file.write_text(f"{GOOD}\n2 PRO {X} 1 5 t\n3 PRO {A} 11 5 t\n", encoding="utf-8")
    lists = read(file, on_topic)
    assert score(lists, on_topic) == ("P@10", {"1": 1 / 20, "2": 0}, 1 / 2)
    assert lists.notes[-1] == (
        f"{file}: 2 of 3 judged topics with a line that counts; the mean is over these alone"
    )


def test_topics_stand_in_the_order_of_their_numbers(tmp_path):
    file = tmp_path / "run.txt"
    on_topic = judged(tmp_path, ANSWERS, 2, 10)[0]
    file.write_text(f"10 PRO {A} 1 5 t\n2 PRO {A} 1 5 t\n", encoding="utf-8")
    lists = read(file, on_topic)
    assert list(score(lists, on_topic).per_topic) == ["2", "10"]
    assert lists.rows.to_numpy().tolist() == [
        ["10", "PRO", A, 1, 5.0, 1], ["2", "PRO", A, 1, 5.0, 2],
    ]  # fmt: skip


def test_grades_of_2023(tmp_path):
    """There 2 is the strongest yes, and ids are longer."""
    image = "I00a9336e92f43b3819970e8c"
    judgements = judged(tmp_path, {image: "120"}, 51, 100)
    file = tmp_path / "run.txt"
    file.write_text(f"100 PRO {image} 1 5 t\n50 PRO {image} 1 5 t\n51 PRO {A} 1 5 t\n", "utf-8")
    lists = read(file, judgements[0])
    assert [score(lists, one).per_topic for one in judgements] == [{"100": 1 / 20}] * 3
    assert [note.removeprefix(str(file)) for note in lists.notes][:2] == [
        ":2: passed over: topic '50', 51 to 100 expected",
        f":3: passed over: image '{A}', I and 24 of 0-9a-f expected",
    ]


# what cannot be evaluated


def test_no_line_counts(scored, tmp_path):
    with pytest.raises(InputError) as caught:
        scored("1 Q0 d1 1 5 t")
    assert caught.value.lines[0].endswith(
        "no line that counts by images of it's year/on-topic; "
        f"{tmp_path}/run of 'mine'.txt:1: passed over: stance 'Q0', PRO or CON expected"
    )
    with pytest.raises(InputError, match="no line that counts"):
        scored("")


def test_judgements_of_arguments(tmp_path):
    file = tmp_path / "mine.qrels"
    file.write_text("1 0 a 1\n", encoding="utf-8")
    (arguments,) = find(file)
    with pytest.raises(InputError, match="mine: not of images, and the run is of images"):
        read(file, arguments)
    with pytest.raises(InputError, match="mine: not of images, and the run is of images"):
        score(Lists(None, ()), arguments)


def test_many_lines_passed_over_are_counted(tmp_path):
    file = tmp_path / "run.txt"
    file.write_text(GOOD + "\nx" * 30, encoding="utf-8")
    notes = read(file, judged(tmp_path, ANSWERS, 1)[0]).notes
    assert len(notes) == 11
    assert notes[-1] == f"{file}: 20 more lines passed over"


# published


@pytest.mark.parametrize(
    ("run", "on_topic", "argumentative", "on_stance"),
    [
        ("touche-2022-images/boromir-run.txt", 0.878, 0.768, 0.425),
        ("touche-2023-images/picard-run-minus-1.txt", 0.536, 0.268, 0.141),
    ],
)
def test_published_scores(shared, run, on_topic, argumentative, on_stance):
    year = run.split("/")[0]
    expected = {"on-topic": on_topic, "argumentative": argumentative, "on-stance": on_stance}
    for question, published in expected.items():
        judgements = named(f"{year}/{question}", shared / year)
        lists = read(shared / run, judgements)
        scores = score(lists, judgements)
        assert scores.mean == pytest.approx(published, abs=1e-9)
        assert len(scores.per_topic) == 50
    # Picard's begins with an empty line
    assert len(lists.notes) == ("picard" in run)
