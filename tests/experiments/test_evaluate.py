"""Runs against judgements: published scores, small runs worked by hand, what is refused."""

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.evaluation.significance import paired_t
from pipeline.experiments.evaluate import MEASURES, Evaluation, evaluate

Write = Callable[..., Path]


@pytest.fixture
def written(tmp_path: Path) -> Write:
    """Writes a run or judgements from topics and their documents."""

    def write(name: str, tag: str = "", **topics: str | dict[str, int]) -> Path:
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True, parents=True)
        lines = []
        for topic, documents in topics.items():
            for rank, docno in enumerate(documents, 1):
                grade = documents[docno] if isinstance(documents, dict) else None
                line = f"Q0 {docno} {rank} {99 - rank} {tag or file.stem}"
                lines.append(f"{topic[1:]} {line if grade is None else f'0 {docno} {grade}'}\n")
        file.write_text("".join(lines))
        return file

    return write


@pytest.fixture
def judged(written: Write) -> Path:
    grades = {"a": 2, "b": 1, "c": 0}
    return written("small.qrels", t1=grades, t2=grades, t3=grades)


def means(found: Evaluation) -> dict[tuple[str, str, str], float]:
    return {(one.run, one.judgements, one.measure): one.mean for one in found.entries}


# Published scores


def test_runs_of_2021_score_what_was_published(shared):
    folder = shared / "touche-2021"
    runs = [folder / f"{name}.txt.gz" for name in ("ElrondKRun", "seupd-jpp-dirichlet")]
    found = evaluate(runs, folder)
    expected = {"ElrondKRun": 0.7198, "seupd-jpp-dirichlet-2021": 0.6327}
    for name, mean in expected.items():
        for measure in ("nDCG@5", "nDCG_organisers@5"):
            assert round(means(found)[name, "touche-2021/relevance", measure], 4) == mean
    assert {len(one.per_topic) for one in found.entries} == {50}
    assert {(one.baseline, one.topics) for one in found.comparisons} == {("ElrondKRun", 50)}
    assert len(found.comparisons) == len(MEASURES)
    assert any("ranks are counted from 0" in note for note in found.notes)


def test_runs_of_argq20_score_what_was_published(shared):
    folder = shared / "argq20"
    names = {"BM25": 0.7319, "DPH": 0.8277, "DirichletLM": 0.8497}
    found = evaluate([folder / f"run-{name}.txt" for name in names], folder, ["nDCG@5"])
    assert [round(one.mean, 4) for one in found.entries] == list(names.values())


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        ("touche-2022-images/boromir-run.txt", (0.878, 0.768, 0.425)),
        ("touche-2023-images/picard-run-minus-1.txt", (0.536, 0.268, 0.141)),
    ],
)
def test_runs_of_images_score_what_was_published(shared, run, expected):
    found = evaluate([shared / run], shared)
    year = run.partition("/")[0]
    assert {name: round(one, 3) for (_, name, _), one in means(found).items()} == {
        f"{year}/{question}": value
        for question, value in zip(
            ("on-topic", "argumentative", "on-stance"), expected, strict=True
        )
    }
    assert {one.measure for one in found.entries} == {"P@10"}


def test_of_a_folder_every_set_that_fits_is_used(shared):
    run = shared / "touche-2021" / "ElrondKRun.txt.gz"
    assert means(evaluate([run], shared)) == means(evaluate([run], shared / "touche-2021"))


# Worked by hand


def test_scores_by_hand(written, judged):
    run = written("run.txt", t1="abx", t2="cba", t3="xyz")
    ideal = 2 / math.log2(2) + 1 / math.log2(3)
    second = 0 + 1 / math.log2(3) + 2 / math.log2(4)
    found = evaluate([run], judged, ["nDCG@5", "P@2", "Judged@2"])
    scores = {one.measure: one for one in found.entries}
    assert scores["nDCG@5"].per_topic == pytest.approx({"1": 1.0, "2": second / ideal, "3": 0.0})
    assert scores["P@2"].per_topic == pytest.approx({"1": 2 / 2, "2": 1 / 2, "3": 0 / 2})
    assert scores["P@2"].judged == pytest.approx((2 / 2 + 2 / 2 + 0 / 2) / 3)
    assert scores["Judged@2"].mean == scores["P@2"].judged
    assert found.comparisons == []


def test_a_topic_without_a_line_counts_0_and_is_said(written, judged):
    found = evaluate([written("run.txt", t1="ab")], judged, ["P@2"])
    assert found.entries[0].per_topic == {"1": 1.0, "2": 0.0, "3": 0.0}
    assert "run: no line for topics 2, 3, 2 of the 3 of small; they count 0" in found.notes


def test_runs_are_tested_against_the_first(written, judged):
    first = written("first.txt", t1="xab", t2="xab", t3="ab")
    better = written("better.txt", t1="abx", t2="xab", t3="ab")
    same = written("same.txt", t1="xab", t2="xab", t3="ab")
    found = evaluate([first, better, same], judged, ["P@1", "P@2", "Judged@2"])
    assert [(one.run, one.measure) for one in found.comparisons] == [
        ("better", "P@1"),
        ("same", "P@1"),
        ("better", "P@2"),
        ("same", "P@2"),
    ]
    assert found.comparisons[0].t == paired_t([1.0, 0.0, 0.0])
    assert (found.comparisons[1].difference, found.comparisons[1].t_holm) == (0.0, 1.0)


def test_topics_that_the_organisers_leave_out_are_not_compared(written, judged):
    first = written("first.txt", t1="ab", t2="ba", t3="xyz")  # no judged document for topic 3
    second = written("second.txt", t1="ab", t2="ab", t3="ab")
    found = evaluate([first, second], judged, ["nDCG_organisers@5"])
    assert [(one.topics, one.left_out) for one in found.comparisons] == [(2, 1)]
    assert (
        "second: compared with first by nDCG_organisers@5 on 2 topics; "
        "on 1 only one of them has a value"
    ) in found.notes


def test_few_judged_documents_are_said(written, judged):
    run = written("run.txt", t1="uvwxa", t2="uvwxb", t3="uvwxa")
    found = evaluate([run], judged, ["nDCG@5", "nDCG_condensed@5"])
    said = [note for note in found.notes if "judged in" in note]
    assert said == [
        "run: only 20.0% of what nDCG@5 looks at is judged in small; "
        "it takes the rest for wrong, nDCG_condensed leaves it out"
    ]


def test_a_measure_asked_for_twice_is_measured_once(written, judged):
    found = evaluate([written("run.txt", t1="ab")], judged, ["P@2", "P@2", "nDCG@5", "NDCG@5"])
    assert [one.measure for one in found.entries] == ["P@2", "nDCG@5"]


def test_doubled_documents_are_said(written, judged):
    found = evaluate([written("run.txt", t1="aab")], judged, ["P@2"])
    assert any("1 document again in the same topic" in note for note in found.notes)
    assert found.entries[0].per_topic["1"] == 1.0


def test_runs_of_different_judgements_have_each_their_baseline(written, tmp_path):
    written("qrels/one.qrels", t1={"a": 1}, t2={"a": 1})
    written("qrels/two.qrels", t8={"a": 1}, t9={"a": 1})
    runs = [
        written("x.txt", t1="a", t2="a"),
        written("y.txt", t8="a", t9="a"),
        written("z.txt", t8="a", t9="ba"),
    ]
    found = evaluate(runs, tmp_path / "qrels", ["P@1"])
    assert [(one.run, one.baseline) for one in found.comparisons] == [("z", "y")]


# Refused


def refused(*given) -> str:
    with pytest.raises(InputError) as error:
        evaluate(*given)
    (line,) = error.value.lines
    return line


def test_an_unknown_measure_is_refused(written, judged):
    assert "did you mean 'nDCG@5'" in refused([written("run.txt", t1="a")], judged, ["nDGC@5"])


def test_an_empty_run_is_refused(tmp_path, judged):
    (tmp_path / "run.txt").write_text("\n\n")
    assert "no line of a run" in refused([tmp_path], judged)


def test_a_run_that_is_not_there_is_refused(tmp_path, judged):
    assert refused([tmp_path / "none.txt"], judged).startswith(f"{tmp_path / 'none.txt'}: ")
    (tmp_path / "empty").mkdir()
    assert "no run.txt" in refused([tmp_path / "empty"], judged)


def test_judgements_that_are_not_there_are_refused(tmp_path, written):
    run = written("run.txt", t1="a")
    assert refused([run], tmp_path / "none").startswith(f"{tmp_path / 'none'}: ")
    (tmp_path / "empty").mkdir()
    assert "no judgements" in refused([run], tmp_path / "empty")


def test_other_topics_are_refused(written, judged):
    run = written("run.txt", t51="a", t52="b")
    assert refused([run], judged) == (
        f"{run}: small has judgements for topics 1, 2, 3, the run has topics 51, 52"
    )


def test_ids_of_another_corpus_are_refused_and_both_shapes_named(shared, written):
    run = shared / "touche-2021" / "ElrondKRun.txt.gz"
    images = written("images.qrels", **{f"t{topic}": {"I0a1b2c": 1} for topic in range(51, 101)})
    line = refused([run], images)
    assert "'I0a1b2c'" in line
    assert "args.me 2020-04-01" in line


def test_judgements_of_images_want_a_run_of_images(shared):
    run = shared / "touche-2021" / "ElrondKRun.txt.gz"
    line = refused([run], shared / "touche-2023-images")
    assert "of images: PRO or CON is expected in column 2" in line


def test_every_run_that_nothing_fits_is_named(written, judged):
    good, bad, worse = (
        written("good.txt", t1="a"),
        written("bad.txt", t1="xyz"),
        written("worse.txt", t7="a"),
    )
    with pytest.raises(InputError) as error:
        evaluate([good, bad, worse], judged)
    assert [line.partition(": ")[0] for line in error.value.lines] == [str(bad), str(worse)]


def test_of_a_folder_the_nearest_judgements_are_named(written, tmp_path):
    written("qrels/far.qrels", t8={"a": 1})
    written("qrels/near.qrels", t1={"a": 1})
    line = refused([written("run.txt", t1="x")], tmp_path / "qrels")
    assert "none of the 2 judgements in" in line
    assert "near: none of the 1 judged document" in line
