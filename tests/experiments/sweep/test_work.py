"""Points done in this process: what is shared, what is skipped, what comes out."""

import json
import shutil

import pytest

from pipeline.errors import InputError, RunError
from pipeline.experiments.sweep import plan, work
from pipeline.runs import trec

STAGES = [{"retrieve": "counted"}, {"rerank": "counted", "weight": 0.5}]


def redo(sweeps) -> dict:
    """Every point alone, with nothing kept from the others."""
    alone = sweeps.folder / "alone"
    (alone / "points").mkdir(parents=True)
    shutil.copy(sweeps.out / plan.FILE, alone)
    for point in plan.read(sweeps.out).points:
        work._bench.cache_clear()
        assert work.work(str(alone), [point.number]) == [work.Outcome(point.number)]
    return sweeps.points(alone)


def test_weights_of_a_reranker_share_the_search_and_its_scores(sweeps, counted):
    weights = [0.0, 0.25, 0.5, 0.75, 1.0]
    sweeps.write({"stages[1].weight": weights}, base={"stages": STAGES})
    sweeps.call()
    assert counted == {"retrieve": 1, "score": 1}
    assert len({files["run.txt"] for files in sweeps.points().values()}) > 1
    assert sweeps.points() == redo(sweeps)
    assert counted == {"retrieve": 1 + 5, "score": 1 + 5}


def test_a_grid_searches_once_for_each_retriever(sweeps, counted):
    over = {
        "stages[1].weight": [0.2, 0.8],
        "stages[0].k1": [0.5, 1.5, 3.0],
        "stages[1].mix": ["linear", "product"],
        "stages[1].every": [1, 50],
    }
    sweeps.write(over, base={"stages": STAGES})
    sweeps.call()
    assert len(sweeps.table()) == 1 + 2 * 3 * 2 * 2
    assert counted == {"retrieve": 3, "score": 3 * 2}
    assert sweeps.points() == redo(sweeps)


def test_depths_share_the_search_only(sweeps, counted):
    sweeps.write({"stages[1].depth": [2, 4]}, base={"stages": STAGES})
    sweeps.call()
    assert counted == {"retrieve": 1, "score": 2}


def test_branches_share_what_they_have_in_common(sweeps, counted):
    branches = [{"stages": [{"retrieve": "counted"}]}, {"stages": [{"retrieve": "dph"}]}]
    fuse = {"fuse": "weighted_sum", "branches": branches}
    weights = {"stages[0].branches[0].weight": [1, 2, 3], "stages[0].normalise": ["sum", "none"]}
    sweeps.write(weights, base={"stages": [fuse]})
    sweeps.call()
    assert counted == {"retrieve": 1}
    assert sweeps.points() == redo(sweeps)


def test_what_is_there_is_not_done_again(sweeps, counted):
    file = sweeps.write({"stages[0].k1": [1.0, 2.0]}, base={"stages": STAGES})
    sweeps.call()
    first = sweeps.points()
    sweeps.call()
    assert counted["retrieve"] == 2
    file.write_text(file.read_text(encoding="utf-8").replace("- 2.0", "- 3.0"), encoding="utf-8")
    sweeps.call()
    assert counted["retrieve"] == 3
    assert len(sweeps.points()) == 3  # that of the sweep before stays
    assert first.items() <= sweeps.points().items()
    assert [row[1] for row in sweeps.table()[1:]] == ["1.0", "3.0"]  # and is not in the table


def test_another_measure_is_computed_of_the_runs(sweeps, counted):
    sweeps.write({"stages[0].k1": [1.0, 2.0]}, base={"stages": STAGES})
    sweeps.call()
    runs = {key: files["run.txt"] for key, files in sweeps.points().items()}
    sweeps.call("--measure", "P@10", "--measure", "nDCG_organisers@5")
    assert counted["retrieve"] == 2
    assert sweeps.table()[0][2:5] == ["nDCG@5 qrels", "P@10 qrels", "nDCG_organisers@5 qrels"]
    assert {key: files["run.txt"] for key, files in sweeps.points().items()} == runs
    together = sweeps.points()
    shutil.rmtree(sweeps.out / "points")
    sweeps.call("--measure", "P@10", "--measure", "nDCG_organisers@5")
    assert sweeps.points() == together  # to the last bit, whether scored at once or of the file


def test_damaged_scores_are_computed_again(sweeps, counted):
    sweeps.write({"stages[0].k1": [1.0, 2.0]}, base={"stages": STAGES})
    sweeps.call()
    before = sweeps.points()
    for point in (sweeps.out / "points").iterdir():
        (point / "scores.json").write_bytes(b"")
    sweeps.call()
    assert sweeps.points() == before
    assert counted["retrieve"] == 2


def test_a_point_is_what_run_makes_of_its_config(sweeps, tiny, capsys, tmp_path):
    from pipeline.cli import main

    sweeps.write({"stages[0].k1": [1.0, 2.0]}, depth=1000)
    sweeps.call()
    for point in (sweeps.out / "points").iterdir():
        out = tmp_path / f"out-{point.name}"

        main_arguments = ["run", "-i", str(tiny), "-o", str(out), "-c", str(point / "config.yaml")]
        main(main_arguments)
        assert (out / "run.txt").read_bytes() == (point / "run.txt").read_bytes()
        assert (out / "config.yaml").read_bytes() == (point / "config.yaml").read_bytes()
    capsys.readouterr()


def test_its_run_keeps_to_the_depth(sweeps):
    sweeps.write({"stages[0].k1": [1.0]}, depth=3)
    sweeps.call()
    [files] = sweeps.points().values()
    (sweeps.folder / "run.txt").write_bytes(files["run.txt"])
    ranking, assumed = trec.read(sweeps.folder / "run.txt")
    assert not assumed
    assert ranking.groupby("qid").size().max() == 3


@pytest.mark.parametrize(
    ("name", "value", "error", "what"),
    [
        ("code", "another", InputError, "another version of the program"),
        ("collection", "another", InputError, "not the collection that the sweep was begun on"),
    ],
)
def test_another_program_or_collection_is_refused(sweeps, name, value, error, what):
    sweeps.write({"stages[0].k1": [1.0]})
    sweeps.call()
    known = json.loads((sweeps.out / plan.FILE).read_bytes())
    (sweeps.out / plan.FILE).write_text(json.dumps({**known, name: value}), encoding="utf-8")
    with pytest.raises(error, match=what):
        work.work(str(sweeps.out), [1])


def test_a_machine_that_does_not_see_the_folder_says_so(tmp_path):
    with pytest.raises(RunError, match=r"sweep.json: cannot be read: .*every machine needs to see"):
        work.work(str(tmp_path), [1])
