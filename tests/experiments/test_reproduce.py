"""Published scores and ours, on a collection that is judged completely: Webis-ArgQuality-20.

Its published runs searched all of args.me, so ours, which search only what was judged, score
otherwise: what ``tests/experiments/test_scores.py`` says they do.
"""

import gzip
import json
import math
import shutil
from pathlib import Path

import pytest

from pipeline.cli import main
from pipeline.config import catalogue, experiment
from pipeline.errors import InputError
from pipeline.evaluation.agreement import Agreement
from pipeline.evaluation.judgements import OFFICIAL
from pipeline.experiments import published
from pipeline.experiments.published import Row, Run
from pipeline.experiments.reproduce import reproduce
from pipeline.experiments.submitted import Submitted

NAME = "webis-argquality-20/relevance"


@pytest.fixture(scope="module")
def theirs(shared: Path) -> Path:
    """Judgements and published runs."""
    return shared / "argq20"


@pytest.fixture(scope="module")
def argq20(theirs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The judged arguments in the form of args.me: a premise, and no conclusion."""
    folder = tmp_path_factory.mktemp("argq20")
    rows = map(json.loads, (theirs / "docs.jsonl").read_text(encoding="utf-8").splitlines())
    arguments = [
        {"id": row["id"], "premises": [{"text": row["text"], "stance": row["stance"]}]}
        | {"conclusion": ""}
        for row in rows
    ]
    (folder / "argq20.json").write_text(json.dumps({"arguments": arguments}), encoding="utf-8")
    shutil.copyfile(theirs / "topics.xml", folder / "topics.xml")
    return folder


@pytest.fixture
def config(tmp_path: Path):
    """Writes a config with engine arrays, and gives its path as text."""

    def write(name: str, stage: str, expected: str = "", more: str = "") -> str:
        file = tmp_path / f"{name}.yaml"
        lines = ["index: {engine: arrays}", f"stages: [{{retrieve: {stage}}}]", more]
        lines += [f"expected: {{{expected}}}"] if expected else []
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return str(file)

    return write


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("indexes")


def of(measure: str, value: float, name: str = NAME) -> str:
    return f"{name}: {{{measure}: {value}}}"


def test_each_status_and_the_submitted_runs(argq20, theirs, indexes, config, capsys):
    configs = [
        config("dlm", "dirichlet_lm", of("nDCG@5", 0.8497), "published_as: argq20-DirichletLM"),
        config("run-DPH", "dph", f"{of('nDCG@5', 0.8277)}, {of('nDCG@5', 0.6, 'touche-2021/relevance')}"),
        config("bm25", "bm25", of("nDCG@5", 0.7958)),
        config("bad", "dph, num_results: 2", of("nDCG@5", 0.8497), "published_as: run-DirichletLM"),
    ]  # fmt: skip
    dlm, dph, absent, ok, bad = reproduce(configs, argq20, theirs, theirs, indexes)
    assert (dlm.status, dlm.ours) == ("differs", pytest.approx(0.791186, abs=1e-6))
    assert dlm.difference == pytest.approx(0.791186 - 0.8497, abs=1e-6)
    assert (dph.status, dph.ours) == ("close", pytest.approx(0.837015, abs=1e-6))
    assert (ok.status, ok.ours) == ("ok", pytest.approx(0.795795, abs=1e-6))
    assert (absent.status, absent.ours) == ("cannot be run", pytest.approx(math.nan, nan_ok=True))
    assert absent.why == f"no judgements touche-2021/relevance in {theirs}"
    assert dph.run.file == str(theirs / "run-DPH.txt")
    assert dph.run.mean == pytest.approx(0.8277, abs=0.00006)
    assert dph.run.p > 0.05
    assert bad.status == "significantly below"
    assert bad.run.p < 0.05
    assert len(bad.per_topic) == len(bad.run.per_topic) == 20
    assert ok.run is None
    assert 0 < dph.run.agreement.overlap < 1
    told = capsys.readouterr().err
    assert f"note: {theirs}: no run named or tagged bm25\n" in told
    assert told.count("reading ") <= 1, "one index serves all"


def test_our_own_run_agrees_with_itself(argq20, theirs, indexes, config, tmp_path):
    given = config("bm25", "bm25", of("nDCG@5", 0.795795))
    output = tmp_path / "kept"
    reproduce([given], argq20, theirs, None, indexes, output, quiet=True)
    assert sorted(path.name for path in (output / "bm25").iterdir()) == [
        *("config.yaml", "ir-metadata.yml", "run.txt")
    ]
    [row] = reproduce([given], argq20, theirs, output, indexes, output, quiet=True)
    assert row.run.file == str(output / "bm25" / "run.txt")
    assert row.run.agreement == pytest.approx(Agreement(1.0, 1.0, 1.0))
    assert (row.run.p, row.run.below, row.status) == (1.0, False, "ok")


def test_what_hinders_a_comparison_is_said_and_the_others_go_on(
    argq20, theirs, indexes, config, tmp_path, capsys
):
    (tmp_path / "in").mkdir()
    shutil.copyfile(argq20 / "argq20.json", tmp_path / "in" / "argq20.json")
    topics = (argq20 / "topics.xml").read_text(encoding="utf-8")
    first, *others = topics.split("</topic>")
    (tmp_path / "in" / "topics.xml").write_text(
        "</topic>".join([first, *others[-1:]]), encoding="utf-8"
    )
    given = config("bm25", "bm25", of("nDCG@5", 0.7958))
    [row] = reproduce([given], tmp_path / "in", theirs, None, indexes, quiet=True)
    assert row.why == "19 of the 20 judged topics are not in the input"

    configs = [
        config("a", "bm25", of("nDGC@5", 0.5)),
        config("b", "bm25", of("nDCG@5", 0.5)),
        config("c", "bm25", of("nDCG@5", 0.7958)),
    ]
    fields = "index: {fields: {a: [premises], b: [conclusion]}}"
    text = Path(configs[1]).read_text().replace("index: {engine: arrays}", fields)
    Path(configs[1]).write_text(text)
    measure, builder, fine = reproduce(
        configs, argq20, theirs, None, indexes, builder="fast", quiet=True
    )
    assert measure.why.startswith("no measure 'nDGC@5'")
    assert builder.why.startswith("--builder fast does not cover")
    assert fine.status == "ok"
    assert f"b: {builder.why}\n" in capsys.readouterr().err


def test_a_sample_is_not_compared(shared, config, capsys):
    given = config("bm25", "bm25", of("nDCG@5", 0.7, "touche-2020/relevance"))
    [row] = reproduce([given], shared / "argsme-mini", shared / "touche-2020", quiet=True)
    assert row.status == "cannot be run"
    assert row.why == "30.7% of the judged documents are in the input"  # 669 / 2179
    warned = capsys.readouterr().err
    assert "touche-2020/relevance: 669 of 2,179 judged documents (30.7%) are in the" in warned


def test_topics_may_come_from_several_files(argq20, theirs, indexes, config, tmp_path):
    given = config("bm25", "bm25", of("nDCG@5", 0.7958))
    head, *topics = (argq20 / "topics.xml").read_text(encoding="utf-8").split("<topic>")
    halves = [tmp_path / "a.xml", tmp_path / "b.xml"]
    halves[0].write_text("<topic>".join([head, *topics[:9]]) + "</topics>", encoding="utf-8")
    halves[1].write_text("<topic>".join([head, *topics[9:]]), encoding="utf-8")
    words = [argq20, theirs, None, indexes, tmp_path / "out"]
    [row] = reproduce([given], *words, topics=halves, quiet=True)
    assert row.status == "ok"
    described = (tmp_path / "out" / "bm25" / "ir-metadata.yml").read_text()
    assert "topics: a.xml, b.xml\n" in described


@pytest.mark.terrier
def test_both_engines_score_alike(argq20, theirs, indexes, config):
    """The shipped DPH, which engine terrier searches, and ours by arrays."""
    given = config("dph", "dph", of("nDCG@5", 0.837))
    other = Path(given).with_name("other.yaml")
    text = (catalogue.SHIPPED / "tirex" / "tirex-dph.yaml").read_text(encoding="utf-8")
    other.write_text(f"{text.partition('expected:')[0]}expected: {{{of('nDCG@5', 0.837)}}}\n")
    rows = reproduce([given, str(other)], argq20, theirs, None, indexes, quiet=True)
    assert [row.status for row in rows] == ["ok", "ok"]
    assert rows[0].per_topic == pytest.approx(rows[1].per_topic)


# -------------------------------------------------------------------------- the command line


def call(capsys, *arguments: object) -> tuple[int, str, str]:
    code = 0
    try:
        main([str(argument) for argument in arguments])
    except SystemExit as left:
        code = left.code
    shown = capsys.readouterr()
    assert shown.err.isascii()
    return code, shown.out, shown.err


def test_the_table(argq20, theirs, indexes, config, capsys):
    good = config("bm25", "bm25", of("nDCG@5", 0.7958))
    words = ["-i", argq20, "--qrels", theirs, "--index", indexes, "--quiet"]
    code, out, _ = call(capsys, "reproduce", good, *words)
    assert (code, out.splitlines()) == (0, [
        "config  judgements                     measure  published    ours  difference  judged  status",
        "bm25    webis-argquality-20/relevance  nDCG@5   0.7958     0.7958     -0.0000   1.000  ok",
        "",
        "1 published score: 1 ok",
    ])  # fmt: skip
    expected = f"{of('nDCG@5', 0.9)}, {of('P@10', 0.1, 'touche-2020/relevance')}"
    bad = config("low", "bm25", expected, "published_as: argq20-BM25")
    code, out, _ = call(capsys, "reproduce", good, bad, *words, "--runs", theirs)
    assert code == 1
    lines = out.splitlines()
    assert lines[0].split()[-4:] == ["overlap@10", "RBO", "tau", "status"]
    assert lines[1].split()[-4:] == ["-", "-", "-", "ok"]
    assert lines[2].split()[:7] == ["low", NAME, "nDCG@5", "0.900", "0.7958", "-0.1042", "1.000"]
    assert lines[2].endswith("  differs")
    assert all(0 < float(value) < 1 for value in lines[2].split()[7:10])
    assert lines[3].endswith(f"cannot be run: no judgements touche-2020/relevance in {theirs}")
    assert lines[-1] == "3 published scores: 1 ok, 1 differs, 1 cannot be run"


def test_json_says_all(argq20, theirs, indexes, config, capsys):
    given = config("dph", "dph", f"{of('nDCG@5', 0.8277)}, {of('P@1', 1, 'touche-2020/relevance')}",
                   "published_as: argq20-DPH")  # fmt: skip
    words = ["-i", argq20, "--qrels", theirs, "--index", indexes, "--runs", theirs, "--json"]
    code, out, _ = call(capsys, "reproduce", given, *words)
    one, other = json.loads(out)
    assert code == 0
    assert (one["config"], one["status"], one["published"]) == ("dph", "close", 0.8277)
    assert one["ours"] == pytest.approx(0.837015, abs=1e-6)
    assert one["ours"] == pytest.approx(sum(one["per_topic"].values()) / 20)
    assert one["run"].keys() == {"file", "mean", "per_topic", "p", "overlap@10", "rbo", "tau"}
    assert (other["status"], other["ours"], other["run"]) == ("cannot be run", None, None)
    assert other["why"]


def test_nothing_compared_is_no_success(argq20, theirs, config, tmp_path, capsys):
    shutil.copytree(argq20, tmp_path / "in")
    (tmp_path / "in" / "topics.xml").write_text(
        "<topics><topic><number>99</number><title>zoos</title></topic></topics>"
    )
    given = config("bm25", "bm25", of("nDCG@5", 0.7958))
    code, out, _ = call(capsys, "reproduce", given, "-i", tmp_path / "in", "--qrels", theirs)
    assert code == 1
    assert "none of the 20 judged topics is in the input" in out


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (["reproduce", "tirex-dhp"], ["tirex-dhp", "did you mean 'tirex-dph'?"]),
        (["reproduce", "default"], ["default: no scores below expected:"]),
        (["reproduce", "GOOD", "GOOD"], ["good: the name of 2 configs given"]),
        (["reproduce", "GOOD", "--qrels", "NOWHERE"], ["nowhere"]),
        (["reproduce", "tirex-dph"], ["no judgements 'touche-2020/relevance' there"]),
        (["reproduce", "GOOD", "--runs", "NOWHERE"], ["nowhere: no such folder"]),
        (["reproduce", "GOOD", "-o", "/proc/out"], ["/proc/out: cannot be written"]),
        (["reproduce", "GOOD", "-i", "NOWHERE"], ["nowhere"]),
    ],
)
def test_what_is_given_wrong(argq20, theirs, config, tmp_path, capsys, broken, words):
    names = {
        "GOOD": config("good", "bm25", of("nDCG@5", 0.7958)),
        "NOWHERE": str(tmp_path / "nowhere"),
    }
    given = [names.get(word, word) for word in broken]
    for option, value in (("-i", argq20), ("--qrels", theirs)):
        given += [] if option in given else [option, value]
    code, out, err = call(capsys, *given)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) <= 3
    assert all(word in err for word in words)


# -------------------------------------------------------------------------------------- the parts


def row(ours: float, published: float = 0.7, run: Run | None = None, why: str = "") -> Row:
    return Row("x", "y", "nDCG@5", published, ours=ours, run=run, why=why)


@pytest.mark.parametrize(
    ("ours", "status"),
    [
        (0.7005, "ok"), (0.6995, "ok"), (0.70051, "close"), (0.72, "close"), (0.68, "close"),
        (0.7201, "differs"), (0.6799, "differs"), (0.0, "differs"), (math.nan, "cannot be run"),
    ],
)  # fmt: skip
def test_how_far_is_how_good(ours, status):
    assert row(ours).status == status


@pytest.mark.parametrize(
    ("ours", "p", "below", "status"),
    [
        (0.6, 0.01, True, "significantly below"),
        (0.69, 0.049, True, "significantly below"),
        (0.69, 0.05, True, "close"),
        (0.6, 0.2, True, "differs"),
        (0.8, 0.01, False, "differs"),
        (0.7, 0.01, True, "ok"),
        (0.6, math.nan, False, "differs"),
    ],
)
def test_significance_where_topics_are_known(ours, p, below, status):
    run = Run("f", 0.7, {}, p, below, Agreement(0, 0, 0))
    assert row(ours, run=run).status == status


def test_it_holds_if_something_was_compared_and_all_of_it_is_close():
    close, differs, none = row(0.71), row(0.8), row(math.nan, why="no judgements")
    assert published.held([close, none])
    assert not published.held([close, differs])
    assert not published.held([none, none])


LINE = "51\tQ0\tS1-A1\t0\t7.5\t{}\n"


def test_submitted_runs_are_found_by_name_then_tag(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "tagged.txt").write_text(LINE.format("theirs"))
    (tmp_path / "a" / "run.txt").write_text(LINE.format("a-tag"))
    with gzip.open(tmp_path / "packed.txt.gz", "wt") as file:
        file.write(LINE.format('"several words"'))
    (tmp_path / "named.run").write_text(LINE.format("theirs2"))
    (tmp_path / "other").write_text(LINE.format("named"))
    (tmp_path / "no-tag.txt").write_text("1 Q0 d 1 0.5\n")
    (tmp_path / "readme.txt").write_text("nothing of the kind\n")
    (tmp_path / "broken.gz").write_bytes(b"\x1f\x8b\x08")
    (tmp_path / ".hidden.txt").write_text(LINE.format("hidden"))
    found = Submitted(tmp_path)

    def of(name: str, published_as: str = "") -> str | None:
        file = found.of(
            experiment.Experiment(name=name, published_as=published_as, stages=(), indexes={})
        )
        return file and file.relative_to(tmp_path).as_posix()

    assert of("theirs") == "a/tagged.txt"
    assert of("mine", "theirs") == "a/tagged.txt"
    assert of("a") == "a/run.txt"
    assert of("a-tag") == "a/run.txt"
    assert of("mine", "several words") == "packed.txt.gz"
    assert of("packed") == "packed.txt.gz"
    assert of("named") == "named.run", "names count more than tags"
    assert of("no-tag") == "no-tag.txt"
    assert [of(name) for name in ("readme", "broken", "hidden", "Theirs")] == [None] * 4
    (tmp_path / "again.txt").write_text(LINE.format("theirs"))
    found = Submitted(tmp_path)
    with pytest.raises(InputError, match=r"a/tagged.txt, .*again.txt: all of them the run theirs"):
        of("theirs")


@pytest.mark.parametrize("file", catalogue.shipped(), ids=lambda file: file.stem)
def test_shipped_configs_name_judgements_that_there_are(file):
    system = experiment.load(file)
    assert set(system.expected) <= set(OFFICIAL)
