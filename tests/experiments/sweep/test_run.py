"""The verb, as a user calls it: what it says, what it leaves, what it refuses."""

import json
import shutil
from pathlib import Path

import ir_measures
import pandas as pd
import pytest
import yaml

from pipeline.evaluation.significance import interval
from pipeline.experiments.sweep import plan

K1 = {"stages[0].k1": [0.5, 1.5, 3.0], "stages[0].b": [0.1, 0.9]}
STAGES = [{"retrieve": "counted"}]


def result(sweeps) -> dict:
    return json.loads((sweeps.out / "result.json").read_bytes())


def entries(sweeps, key: str) -> dict[tuple[str, str], dict]:
    scores = json.loads((sweeps.out / "points" / key / "scores.json").read_bytes())
    return {(one["measure"], one["judgements"]): one for one in scores}


# ----------------------------------------------------------------------------- what comes out


def test_the_table_is_the_grid_with_the_scores_of_trec_eval(sweeps, tiny):
    sweeps.write(K1)
    sweeps.call("--measure", "P@3")
    head, *rows = sweeps.table()
    assert head == [
        "point", "stages[0].k1", "stages[0].b", "nDCG@5 qrels", "P@3 qrels",
        "judged: nDCG@5 qrels", "judged: P@3 qrels", "key",
    ]  # fmt: skip
    grid = [(k1, b) for k1 in ("0.5", "1.5", "3.0") for b in ("0.1", "0.9")]
    assert [tuple(row[:3]) for row in rows] == [(str(n), *at) for n, at in enumerate(grid, 1)]
    judged = pd.DataFrame(ir_measures.read_trec_qrels(str(tiny / "qrels.txt")))
    judged["relevance"] = judged["relevance"].clip(lower=0)
    wanted = [ir_measures.parse_measure(name) for name in ("nDCG@5", "P@3")]
    for row in rows:
        run = list(ir_measures.read_trec_run(str(sweeps.out / "points" / row[-1] / "run.txt")))
        expected = ir_measures.calc_aggregate(wanted, judged, run)
        assert [float(row[3]), float(row[4])] == pytest.approx([expected[m] for m in wanted])


def test_each_point_is_described(sweeps):
    sweeps.write(K1)
    sweeps.call()
    for number, row in enumerate(sweeps.table()[1:], 1):
        point = sweeps.out / "points" / row[-1]
        names = sorted(file.name for file in point.iterdir())
        assert names == ["config.yaml", "ir-metadata.yml", "run.txt", "scores.json"]
        config = yaml.safe_load((point / "config.yaml").read_text(encoding="utf-8"))
        assert config["stages"][0]["k1"] == float(row[1])
        assert "stages[0] retrieve: bm25" in (point / "ir-metadata.yml").read_text("utf-8")
        [known] = [p for p in plan.read(sweeps.out).points if p.number == number]
        assert known.key == row[-1]


def test_the_best_is_chosen_and_judged_by_the_topics_that_did_not_choose_it(sweeps):
    sweeps.write(K1, choose={"by": "P@3", "folds": 3})
    shown = sweeps.call()
    found = result(sweeps)
    means = {int(row[0]): float(row[3]) for row in sweeps.table()[1:]}
    best = min(point for point, mean in means.items() if mean == max(means.values()))
    assert found["chosen"]["point"] == best
    assert found["in_sample"]["mean"] == pytest.approx(means[best])
    [honest] = found["honest"]
    assert honest["how"] == "nested"
    keys = {int(row[0]): row[-1] for row in sweeps.table()[1:]}
    for fold in honest["folds"]:
        for topic in fold["topics"]:
            of_point = entries(sweeps, keys[fold["point"]])["P@3", "qrels"]["per_topic"]
            assert honest["per_topic"][topic] == of_point[topic]
    values = list(honest["per_topic"].values())
    assert honest["mean"] == pytest.approx(sum(values) / len(values))
    assert honest["interval"] == pytest.approx(list(interval(values)))
    assert (found["points"], found["finished"], found["comparisons"]) == (6, 6, 6)
    lines = shown.out.splitlines()
    assert lines[0].startswith("P@3 on qrels, ")
    assert lines[1].split()[1:3] == ["point", str(best)]
    assert f"chosen: point {best}, the best of 6 compared" in lines
    assert lines[-2].startswith("  in sample ")
    assert lines[-1].startswith("  honest ")


def test_it_is_reported_on_other_topics(sweeps):
    sweeps.write(K1, choose={"topics": "1, 2"}, report={"topics": "3"})
    sweeps.call()
    found = result(sweeps)
    assert list(found["in_sample"]["per_topic"]) == ["1", "2"]
    [honest] = found["honest"]
    assert (honest["how"], list(honest["per_topic"])) == ("held out", ["3"])
    assert found["warnings"] == []
    chosen = entries(sweeps, found["chosen"]["key"])["nDCG@5", "qrels"]["per_topic"]
    assert honest["mean"] == chosen["3"]
    means = {
        p.key: sum(entries(sweeps, p.key)["nDCG@5", "qrels"]["per_topic"][t] for t in "12") / 2
        for p in plan.read(sweeps.out).points
    }
    assert means[found["chosen"]["key"]] == max(means.values())


def test_it_is_reported_on_other_judgements(sweeps, tiny, tmp_path):
    folder = tmp_path / "judgements"
    folder.mkdir()
    lines = (tiny / "qrels.txt").read_text(encoding="utf-8").splitlines()
    for name, topic in (("old", "1"), ("new", "2"), ("unused", "3")):
        of = [line for line in lines if line.split()[0] == topic]
        (folder / f"{name}.qrels").write_text("\n".join(of) + "\n", encoding="utf-8")
    sweeps.write(K1, choose={"on": "old"}, report={"on": ["new"]})
    shown = sweeps.call("--qrels", folder)
    assert sweeps.table()[0][3:5] == ["nDCG@5 old", "nDCG@5 new"]
    found = result(sweeps)
    assert [one["judgements"] for one in found["honest"]] == ["new"]
    assert list(found["honest"][0]["per_topic"]) == ["2"]
    assert "are not searched: no judgements" in shown.err
    known = json.loads((sweeps.out / plan.FILE).read_bytes())
    assert [topic["number"] for topic in known["topics"]] == ["1", "2"]


def test_topics_that_chose_are_no_honest_ones(sweeps, tiny, tmp_path):
    for name in ("old", "new"):
        shutil.copy(tiny / "qrels.txt", tmp_path / f"{name}.qrels")
    sweeps.write(K1, choose={"on": "old", "topics": "1-2"}, report={"on": "new"})
    shown = sweeps.call("--qrels", tmp_path)
    [line] = [line for line in shown.err.splitlines() if line.startswith("warning")]
    assert "2 topics of new chose the point, too" in line
    assert len(result(sweeps)["warnings"]) == 1


def test_index_settings_are_swept_and_each_index_is_built_once(sweeps):
    sweeps.write({"index.stemmer": ["porter", "none"], "stages[0].b": [0.2, 0.8]})
    shown = sweeps.call()
    assert "2 indexes of " in shown.err
    assert len({row[3] for row in sweeps.table()[1:]}) > 1
    built = sorted(p.name for p in (sweeps.out / "indexes").iterdir())
    sweeps.call("--index", sweeps.out / "indexes", out=sweeps.folder / "other")
    assert sorted(p.name for p in (sweeps.out / "indexes").iterdir()) == built
    assert not (sweeps.folder / "other" / "indexes").exists()
    assert sweeps.points(sweeps.folder / "other") == sweeps.points()


def test_topics_of_other_files(sweeps, tiny, tmp_path):
    bare = shutil.copytree(tiny, tmp_path / "in")
    (bare / "topics.xml").rename(tmp_path / "topics.xml")
    sweeps.write(K1)
    sweeps.call("-i", bare, "--topics", tmp_path / "topics.xml", "--topics", tiny / "topics.xml")
    first = sweeps.points()
    sweeps.call(out=tmp_path / "other")
    assert sweeps.points(tmp_path / "other") == first


def test_two_places_that_say_the_same_are_one_system(sweeps, counted):
    sweeps.write({"stages[0].k1": [1, 1.0, 2]}, base={"stages": STAGES})
    shown = sweeps.call()
    assert "1 point like another of the sweep, done once" in shown.err
    assert counted["retrieve"] == 2
    assert [row[1] for row in sweeps.table()[1:]] == ["1", "1.0", "2"]


@pytest.mark.parametrize("by", ["random", "tpe"])
def test_a_search_does_the_same_again(sweeps, counted, by):
    if by == "tpe":
        pytest.importorskip("optuna")
    over = {"stages[0].k1": {"from": 0.5, "to": 8, "log": True}}
    search = {"by": by, "points": 6, "seed": 3}
    if by == "tpe":
        search["generation"] = 2
    sweeps.write(over, base={"stages": STAGES}, search=search)
    assert ("tpe proposed the points" in sweeps.call().err) == (by == "tpe")
    first = (sweeps.out / "table.csv").read_bytes()
    assert counted["retrieve"] == 6
    for row in sweeps.table()[2:4]:
        shutil.rmtree(sweeps.out / "points" / row[-1])
    sweeps.call()
    assert (sweeps.out / "table.csv").read_bytes() == first
    assert counted["retrieve"] == 6 + 2


# ------------------------------------------------------------------------------ what goes wrong


def test_a_point_that_fails_leaves_the_others_and_is_tried_again(sweeps, counted):
    sweeps.write(
        {"stages[0].fails": [False, True], "stages[0].k1": [1, 2]}, base={"stages": STAGES}
    )
    shown = sweeps.call(code=1)
    assert shown.problems[-3:] == [
        "point 3 (stages[0].fails true, stages[0].k1 1): it fails, as it was told to",
        "point 4 (stages[0].fails true, stages[0].k1 2): it fails, as it was told to",
        "failed: 2 of 4 points failed, see above; the same call tries them again",
    ]
    assert [row[0] for row in sweeps.table()[1:]] == ["1", "2"]
    assert result(sweeps)["finished"] == 2
    assert [one["point"] for one in result(sweeps)["failed"]] == [3, 4]
    assert "chosen: " in shown.out
    sweeps.call(code=1)
    assert counted["retrieve"] == 4 + 2


@pytest.mark.usefixtures("counted")
def test_when_all_fail_nothing_is_chosen(sweeps):
    sweeps.write({"stages[0].fails": [True]}, base={"stages": STAGES})
    shown = sweeps.call(code=1)
    assert shown.out == ""
    assert shown.problems[-1].startswith("failed: 1 of 1 point failed")
    assert not (sweeps.out / "result.json").exists()


@pytest.mark.usefixtures("counted")
def test_a_bug_in_a_stage_is_one_line_with_its_place(sweeps, monkeypatch):
    from pipeline.stages.rerank.argument_length import ArgumentLength

    monkeypatch.setattr(ArgumentLength, "score", lambda self, ranking: ranking["no\nsuch"])
    sweeps.write(
        {"stages[1].weight": [0.5]}, base={"stages": [*STAGES, {"rerank": "argument_length"}]}
    )
    shown = sweeps.call(code=1)
    assert "Traceback" not in shown.err
    said = "point 1 (stages[1].weight 0.5): KeyError: 'no\\nsuch' ("
    assert shown.problems[-2].startswith(said)
    assert "pipeline/stages/features.py:" in shown.problems[-2]


REFUSED = [
    ({}, ["--measure", "nDGC@5"], "no measure 'nDGC@5', did you mean 'nDCG@5'?"),
    ({"choose": {"by": "nDGC@5"}}, [], "tune.yaml:"),
    ({"choose": {"on": "qrles"}}, [], "no judgements 'qrles'"),
    ({"report": {"on": ["qrles"]}}, [], "no judgements 'qrles'"),
    ({"choose": {"topics": "77"}}, [], "77"),
    ({"choose": {"topics": "1"}, "report": {"topics": "2, 77"}}, [], "77"),
    ({"base": {"stages": [{"retrieve": "dph"}]}}, [], "stages[0].k1"),
    ({}, ["--qrels", "nowhere"], "nowhere"),
    ({}, ["--topics", "nowhere.xml"], "nowhere.xml: cannot be read"),
    ({}, ["-i", "nowhere"], "nowhere"),
    ({}, ["--builder", "terrier"], "--builder terrier"),
]


@pytest.mark.parametrize(("more", "options", "what"), REFUSED, ids=[str(r[2]) for r in REFUSED])
def test_what_is_refused_before_anything_is_done(sweeps, more, options, what):
    sweeps.write(K1, **more)
    shown = sweeps.call(*options, code=2)
    assert what in shown.err
    assert "Traceback" not in shown.err
    assert not sweeps.out.exists()


def test_judgements_of_other_documents_are_refused(sweeps, tmp_path):
    (tmp_path / "other.qrels").write_text("1 0 clueweb-1 2\n", encoding="utf-8")
    sweeps.write(K1)
    shown = sweeps.call("--qrels", tmp_path / "other.qrels", code=2)
    assert "not the judged document is" in shown.err or "none of the 1 judged document" in shown.err
    assert not (sweeps.out / "table.csv").exists()


def test_judgements_of_other_topics_are_refused(sweeps, tmp_path):
    (tmp_path / "other.qrels").write_text("901 0 a 2\n", encoding="utf-8")
    sweeps.write(K1)
    shown = sweeps.call("--qrels", tmp_path / "other.qrels", code=2)
    assert "judges none of the" in shown.err
    assert "it has 901" in shown.err


def test_a_topic_with_two_texts_is_refused(sweeps, tiny, tmp_path):
    text = (tiny / "topics.xml").read_text(encoding="utf-8")
    changed = text.replace("<title>", "<title>Really, ", 1)
    (tmp_path / "topics.xml").write_text(changed, encoding="utf-8")
    sweeps.write(K1)
    shown = sweeps.call(
        "--topics", tiny / "topics.xml", "--topics", tmp_path / "topics.xml", code=2
    )
    assert "one topic a number is expected" in shown.err


def test_an_output_that_cannot_be_written_is_refused(sweeps, tmp_path):
    (tmp_path / "file").touch()
    sweeps.write(K1)
    shown = sweeps.call(out=tmp_path / "file" / "out", code=2)
    assert "cannot be written" in shown.err


@pytest.mark.parametrize(
    "options",
    [["--jobs", "2", "--slurm"], ["--scheduler", "tcp://x:1", "--slurm"], ["--jobs", "0"]],
)
def test_where_it_runs_is_said_once(sweeps, options):
    sweeps.write(K1)
    sweeps.call(*options, code=2)


# ---------------------------------------------------------------------------------- other things


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_a_dry_run_says_what_would_be_done_and_does_nothing(sweeps):
    sweeps.write(K1)
    shown = sweeps.call("--dry-run")
    assert shown.out.splitlines()[0] == "tune: 6 points, 6 to be done"
    assert "1 to be built" in shown.out
    assert not sweeps.out.exists()
    sweeps.call()
    shutil.rmtree(sweeps.out / "points" / sweeps.table()[3][-1])
    before = files(sweeps.out)
    shown = sweeps.call("--dry-run")
    assert shown.out.splitlines()[0] == "tune: 6 points, 1 to be done"
    assert "0 to be built" in shown.out
    assert [line for line in shown.out.splitlines() if line.startswith("  point 3 ")] == [
        "  point 3  stages[0].k1 1.5, stages[0].b 0.1"
    ]
    assert files(sweeps.out) == before


def test_quiet_says_nothing_but_results(sweeps):
    sweeps.write(K1)
    shown = sweeps.call("--quiet")
    assert shown.err == ""
    assert "chosen: " in shown.out


def test_a_sweep_of_another_file_in_the_same_folder(sweeps):
    sweeps.write(K1)
    sweeps.call()
    first = sweeps.points()
    sweeps.write({"stages[0].k1": [1.5, 9.0], "stages[0].b": [0.9]})
    sweeps.call()
    assert [row[1:3] for row in sweeps.table()[1:]] == [["1.5", "0.9"], ["9.0", "0.9"]]
    assert first.items() <= sweeps.points().items()
    assert len(sweeps.points()) == 6 + 1


def test_a_refused_sweep_leaves_the_table_of_the_one_before(sweeps, tmp_path):
    sweeps.write(K1)
    sweeps.call()
    before = (sweeps.out / "table.csv").read_bytes()
    (tmp_path / "other.qrels").write_text("1 0 clueweb-1 2\n", encoding="utf-8")
    sweeps.call("--qrels", tmp_path / "other.qrels", code=2)
    assert (sweeps.out / "table.csv").read_bytes() == before


def test_the_key_follows_from_what_decides_and_nothing_else(sweeps, tmp_path, tiny):
    def keys(out: Path) -> set[str]:
        return {point.name for point in (out / "points").iterdir()}

    sweeps.write({"stages[0].k1": [1.0, 2.0]})
    sweeps.call()
    moved = shutil.copytree(tiny, tmp_path / "moved")
    sweeps.write({"stages[0].k1": [2.0]}, choose={"by": "P@5"}, name="another")
    sweeps.call("-i", moved, out=tmp_path / "same")
    assert keys(tmp_path / "same") < keys(sweeps.out)
    sweeps.write({"stages[0].k1": [1.0, 2.0]}, depth=7)
    sweeps.call(out=tmp_path / "deep")
    topics = (moved / "topics.xml").read_text(encoding="utf-8")
    (moved / "topics.xml").write_text(topics.replace("<title>", "<title>Really, "), "utf-8")
    sweeps.write({"stages[0].k1": [1.0, 2.0]})
    sweeps.call("-i", moved, out=tmp_path / "topics")
    with (moved / "idebate.json").open("ab") as file:
        file.write(b"\n")
    sweeps.call("-i", moved, out=tmp_path / "collection")
    others = [keys(tmp_path / name) for name in ("deep", "topics", "collection")]
    everything = set.union(keys(sweeps.out), *others)
    assert len(everything) == 2 * 4


def test_the_base_is_pointed_out(sweeps):
    sweeps.write({"stages[0].k1": [0.5, 1.2, 3.0]})
    sweeps.call()
    assert json.loads((sweeps.out / plan.FILE).read_bytes())["base_point"] == 2
