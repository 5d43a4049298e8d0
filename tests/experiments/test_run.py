"""The main job as a user does it: the command, its exit code, its files, its words."""

import gzip
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
import yaml

from pipeline.cli import main
from pipeline.cli.options import INPUT_NAMES, OUTPUT_NAMES
from pipeline.collection import topics as topic_files
from pipeline.runs import trec

ROOT = Path(__file__).parents[2]
TINY = ROOT / "tests" / "collection-tiny"
WHOLE = ["config.yaml", "ir-metadata.yml", "run.txt"]
COMMAND = [sys.executable, "-P", "-m", "pipeline"]


def start(*arguments: object, **more: object) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **more.pop("env", {})}
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        **more,
    )


def call(*arguments: object, **more: object) -> subprocess.CompletedProcess[str]:
    process = start(*arguments, **more)
    out, err = process.communicate(timeout=300)
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)


def quick(capsys: pytest.CaptureFixture[str], *arguments: object) -> subprocess.CompletedProcess:
    """As ``call``, in this process: for what ends before Java is needed."""
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    shown = capsys.readouterr()
    return subprocess.CompletedProcess(arguments, left.value.code, shown.out, shown.err)


def fails(result: subprocess.CompletedProcess[str], code: int, *words: str) -> None:
    """It left with ``code``, said why in few lines, and showed no traceback."""
    assert result.returncode == code, result.stderr
    assert "Traceback" not in result.stderr
    for word in words:
        assert word in result.stderr
    assert result.stderr.isascii()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the tiny collection, to be broken."""
    return Path(shutil.copytree(TINY, tmp_path / "in"))


def left_in(output: Path) -> list[str]:
    return sorted(path.name for path in output.iterdir()) if output.exists() else []


# ------------------------------------------------------------------ what is wrong before any work


TOPICS = [
    ("topics.xml", "<topics></topics>", "no topic"),
    ("topics.xml", "<topics><topic>", "topics.xml"),
    ("topics.xml", '<!DOCTYPE t [<!ENTITY a "b">]><topics><topic><number>1</number><title>&a;</title></topic></topics>', "topics.xml"),
    ("topics.xml", "<topics>" + 2 * "<topic><number>1</number><title>a</title></topic>" + "</topics>", "twice"),
    ("debateorg.json", "not json", "debateorg.json"),
]  # fmt: skip
ARGUMENTS = [
    ('[{"id": "S1-A1", "conclusion": "c", "premises": [{"text": 5, "stance": "PRO"}]}]}', "argument 1 (byte 15): premises[0].text is a number"),
    ('[{"id": "S1 A1", "conclusion": "c", "premises": [{"text": "a", "stance": "PRO"}]}]}', "argument 1 (byte 15)"),
    ('[{"id": "S1-A1", "conclusion": ', "argument 1 (byte 15)"),
    (b'[{"id": "S1-A1", "conclusion": "\xff", "premises": []}]}', "argument 1 (byte 15)"),
    ("[]}", "no argument"),
]  # fmt: skip


def check_a_broken_file(folder, output, capsys, name, words):
    output.mkdir()
    (output / "run.txt").write_text("of an earlier run\n")
    (output / "mine.txt").write_text("the user's\n")
    fails(quick(capsys, "run", "-i", folder, "-o", output), 2, words, name)
    assert left_in(output) == ["mine.txt"]


@pytest.mark.parametrize(("name", "content", "words"), TOPICS)
def test_a_broken_file_is_named(folder, tmp_path, capsys, name, content, words):
    (folder / name).write_text(content)
    check_a_broken_file(folder, tmp_path / "out", capsys, name, words)


@pytest.mark.terrier
@pytest.mark.parametrize(("content", "words"), ARGUMENTS)
def test_a_broken_argument_is_named(folder, tmp_path, capsys, content, words):
    broken = content if isinstance(content, bytes) else content.encode()
    (folder / "debateorg.json").write_bytes(b'{"arguments": ' + broken)
    if words == "no argument":
        for name in ("debatepedia", "debatewise", "idebate", "parliamentary"):
            (folder / f"{name}.json").unlink()
    check_a_broken_file(folder, tmp_path / "out", capsys, "debateorg.json", words)


def test_a_folder_without_a_collection(tmp_path, capsys):
    fails(quick(capsys, "-i", tmp_path, "-o", tmp_path / "out"), 2, str(tmp_path))
    assert left_in(tmp_path / "out") == []


def test_a_folder_without_topics(folder, tmp_path, capsys):
    (folder / "topics.xml").unlink()
    fails(quick(capsys, "-i", folder, "-o", tmp_path / "out"), 2, "no topics.xml or queries.jsonl")


@pytest.mark.parametrize(
    ("arguments", "variable"),
    [([], "inputDataset"), (["-i", "x"], "outputDir"), (["-i", "$inputDataset"], "inputDataset")],
)
def test_a_missing_folder_names_the_variables(arguments, variable, capsys, monkeypatch):
    for name in (*INPUT_NAMES, *OUTPUT_NAMES):
        monkeypatch.delenv(name, raising=False)
    fails(quick(capsys, "run", *arguments), 2, variable)


def test_a_config_with_a_mistake_touches_nothing(tmp_path, capsys):
    config = tmp_path / "x.yaml"
    config.write_text("stages:\n  - retrieve: bm25\n    k: 2\n")
    output = tmp_path / "out"
    output.mkdir()
    (output / "run.txt").write_text("of an earlier run\n")
    fails(quick(capsys, "-i", TINY, "-o", output, "-c", config), 2, f"{config}:3:5: stages[0].k: ")
    assert left_in(output) == ["run.txt"]


def test_an_output_folder_that_is_a_file(tmp_path, capsys):
    (tmp_path / "out").write_text("the user's\n")
    fails(quick(capsys, "-i", TINY, "-o", tmp_path / "out"), 2, str(tmp_path / "out"))
    assert (tmp_path / "out").read_text() == "the user's\n"


def test_an_output_folder_that_cannot_be_written(capsys):
    fails(quick(capsys, "-i", TINY, "-o", "/proc/out"), 2, "/proc/out")


# ------------------------------------------------------------------------------------ whole runs


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """One whole run over the tiny collection: its output folder and its stderr."""
    output = tmp_path_factory.mktemp("done") / "new" / "out"
    result = call("-i", TINY, "-o", output)
    assert result.returncode == 0, result.stderr
    assert result.stdout == f"{output / 'run.txt'}\n"
    return output, result.stderr


@pytest.mark.terrier
def test_a_run_is_whole_and_verified(done):
    output, _ = done
    assert left_in(output) == WHOLE
    result = call("verify", output, "-i", TINY)
    assert result.returncode == 0, result.stdout
    run, assumed = trec.read(output / "run.txt")
    assert not assumed
    assert list(dict.fromkeys(run["qid"])) == [
        t.number for t in topic_files.read(TINY / "topics.xml")
    ]


@pytest.mark.terrier
def test_the_last_lines_sum_up_in_ascii(done):
    _, err = done
    assert err.isascii()
    summary = "\n".join(err.splitlines()[-10:])
    assert "done: default" in summary
    assert "run.txt" in summary


@pytest.mark.terrier
def test_the_metadata_describe_the_run(done):
    output, _ = done
    described = yaml.safe_load((output / "ir-metadata.yml").read_text())
    assert described["tag"] == "default"
    assert "bm25" in yaml.safe_dump(described["method"]["retrieval"])
    indexing = described["method"]["indexing"]
    assert indexing["stemmer"].lower().startswith("porter")
    assert (indexing["engine"], indexing["builder"]) == ("terrier", "fast")
    toolkit = described["platform"]["software"]["retrieval toolkit"]
    assert [line.split()[0].split("=")[0] for line in toolkit] == ["terrier", "java", "kernels"]
    steps = ["reading", "inverting", "writing Terrier's files", "opening"]
    parts = list(described["resources"]["parts"])
    assert parts[:5] == ["topics", *steps]


@pytest.mark.terrier
def test_an_index_is_kept_found_again_and_gives_the_same_run(done, folder, tmp_path):
    indexes, output = tmp_path / "indexes", tmp_path / "out"
    first = call("index", "-i", folder, "--index", indexes, "-c", "default", "-c", "tirex-dph")
    assert first.returncode == 0, first.stderr
    kept = [path for path in indexes.iterdir() if path.is_dir()]
    assert len(kept) == 3, "a token stream, postings, and Terrier's files of them"
    assert first.stderr.count("reading ") == 1
    moved = folder.rename(tmp_path / "elsewhere")
    again = call("-i", moved, "-o", output, "--index", indexes)
    assert again.returncode == 0, again.stderr
    assert (output / "run.txt").read_bytes() == (done[0] / "run.txt").read_bytes()
    (moved / "debatewise.json").unlink()
    other = call("-i", moved, "-o", output, "--index", indexes)
    assert other.returncode == 0, other.stderr
    assert len([path for path in indexes.iterdir() if path.is_dir()]) == 6
    assert (output / "run.txt").read_bytes() != (done[0] / "run.txt").read_bytes()


@pytest.mark.terrier
def test_terriers_own_indexer_gives_the_same_run(done, tmp_path):
    result = call("-i", TINY, "-o", tmp_path / "out", "--builder", "terrier")
    assert result.returncode == 0, result.stderr
    assert "indexing by Terrier" in result.stderr
    assert (tmp_path / "out" / "run.txt").read_bytes() == (done[0] / "run.txt").read_bytes()
    described = yaml.safe_load((tmp_path / "out" / "ir-metadata.yml").read_text())
    assert described["method"]["indexing"]["builder"] == "terrier"
    assert len(described["platform"]["software"]["retrieval toolkit"]) == 2


ARRAYS = """
indexes:
  body: {engine: arrays}
  title: {engine: arrays, fields: {title: [title]}, stemmer: none}
  all: {engine: arrays, tokeniser: utf, stopwords: none}
stages:
  - {retrieve: bm25, index: body}
  - {expand: rm3, index: body}
  - {rerank: dph, index: title, weight: 0.1}
  - {rerank: pl2, index: all, weight: 0.1}
  - {rerank: readability, weight: 0.1, index: body}
"""


def test_engine_arrays_needs_no_java_and_reads_once(tmp_path):
    config = tmp_path / "arrays.yaml"
    config.write_text(ARRAYS)
    nowhere = {"JAVA_HOME": "/nonexistent", "PYTERRIER_HOME": "/nonexistent"}
    indexes, output = tmp_path / "indexes", tmp_path / "out"
    result = call("-i", TINY, "-o", output, "-c", config, "--index", indexes, env=nowhere)
    assert result.returncode == 0, result.stderr
    said = [line.split(" of ")[0] for line in result.stderr.splitlines()]
    assert said[:7] == ["reading 73.4 kB", "inverting", "index body", "inverting", "index title",
                        "inverting", "index all"]  # fmt: skip
    assert call("verify", output, "-i", TINY).returncode == 0
    assert len(list(indexes.iterdir())) == 4
    described = yaml.safe_load((output / "ir-metadata.yml").read_text())
    indexing = described["method"]["indexing"]
    assert (indexing["engine"], indexing["builder"]) == ("arrays", "fast")
    (kernels,) = described["platform"]["software"]["retrieval toolkit"]
    assert kernels in ("kernels of this program in C", "kernels of this program in numpy")


def test_a_builder_that_does_not_cover_it_is_told_before_any_work(folder, tmp_path, capsys):
    config = tmp_path / "x.yaml"
    config.write_text("index: {fields: {a: [premises], b: [title]}}\nstages:\n  - retrieve: bm25\n")
    words = ["-c", config, "--index", tmp_path / "indexes", "--builder"]
    result = quick(capsys, "index", "-i", folder, *words, "fast")
    fails(
        result, 2, "--builder fast does not cover several fields (a, b)", "--builder terrier does"
    )
    config.write_text("index: {engine: arrays}\nstages:\n  - retrieve: bm25\n")
    result = quick(capsys, "index", "-i", folder, *words, "terrier")
    fails(result, 2, "--builder terrier builds for engine: terrier, not for arrays")
    assert left_in(tmp_path / "indexes") == []


@pytest.mark.terrier
def test_paths_may_be_relative_and_hold_blanks_and_any_letter(folder, tmp_path):
    folder.rename(tmp_path / "in ü")
    words = ["-i", "in ü", "-o", "out ß", "--index", "an index é"]
    result = call(*words, cwd=tmp_path, env={"LC_ALL": "C"})
    assert result.returncode == 0, result.stderr
    assert left_in(tmp_path / "out ß") == WHOLE
    assert left_in(tmp_path) == ["an index é", "in ü", "out ß"]


@pytest.mark.terrier
def test_compressed_files_and_queries_as_json_lines(done, folder, tmp_path):
    for file in folder.glob("*.json"):
        with gzip.open(f"{file}.gz", "wb") as packed:
            packed.write(file.read_bytes())
        file.unlink()
    topics = topic_files.read(folder / "topics.xml")
    (folder / "topics.xml").unlink()
    rows = [{"qid": int(topic.number), "query": topic.title} for topic in topics]
    pd.DataFrame(rows).to_json(folder / "queries.jsonl", orient="records", lines=True)
    length = tmp_path / "default.yaml"
    length.write_text(
        "stages:\n  - {retrieve: bm25, k1: 3.2, b: 0.2}\n  - {rerank: argument_length, weight: 0}\n"
    )
    result = call("-i", folder, "-o", tmp_path / "out", "-c", length)
    assert result.returncode == 0, result.stderr
    runs = [trec.read(out / "run.txt")[0] for out in (done[0], tmp_path / "out")]
    assert runs[0][["qid", "docno"]].equals(runs[1][["qid", "docno"]])


@pytest.mark.terrier
def test_every_shipped_stage_runs_in_one_config(tmp_path):
    config = tmp_path / "all.yaml"
    config.write_text("""
name: everything
stages:
  - rewrite: fields
    use: [title, description]
  - rewrite: keywords
  - fuse: reciprocal_rank
    branches:
      - stages:
          - retrieve: bm25
          - expand: rm3
      - stages:
          - retrieve: dph
          - expand: bo1
          - expand: kl
  - rerank: dirichlet_lm
    weight: 0.3
  - rerank: argument_length
    weight: 0.1
  - rerank: sentiment
    weight: 0.1
  - rerank: readability
    weight: 0.1
  - fuse: weighted_sum
    branches:
      - weight: 0.9
      - stages:
          - rerank: lexicon
            words: hedges
            mix: replace
  - order: dedupe
    by: text
  - order: cap
    num: 3
""")
    output = tmp_path / "out"
    result = call("-i", TINY, "-o", output, "-c", config)
    assert result.returncode == 0, result.stderr
    assert call("verify", output, "-i", TINY).returncode == 0


@pytest.mark.terrier
def test_a_reranker_changes_the_order_and_not_the_documents(done, tmp_path):
    config = tmp_path / "length.yaml"
    config.write_text(
        "stages:\n  - {retrieve: bm25, k1: 3.2, b: 0.2}\n"
        "  - {rerank: argument_length, depth: 1000, mix: replace, full_at: 1000}\n"
    )
    result = call("-i", TINY, "-o", tmp_path / "out", "-c", config)
    assert result.returncode == 0, result.stderr
    old, new = (trec.read(out / "run.txt")[0] for out in (done[0], tmp_path / "out"))
    pairs = [set(zip(run["qid"], run["docno"], strict=True)) for run in (old, new)]
    assert pairs[0] == pairs[1]
    assert list(old["docno"]) != list(new["docno"])


HOSTILE = {
    "operators": 'zoos AND NOT (animals OR "plastic bags") +uniform -school',
    "quotes": "\"zoos' “animals” ''` \"",
    "slashes": "zoos/animals\\uniform //",
    "braces": "{zoos} [animals] (uniform) <school> #combine(zoos) #uw8(a b) $zoos %zoos",
    "controls": "applypipeline:off qe:on start:5 end:1 wmodel:Null zoos",
    "weights": "zoos^2.0 animals^0 uniform^-1",
    "stopwords": "the of and is should be",
    "punctuation": "?!... --- ;;",
    "digits": "12345678",
    "scripts": "动物园 зоопарк ζωολογικός zoos",
    "emoji": "🙂🙂 zoos 🦁",
    "only-emoji": "🙂🦁",
    "long": " ".join(f"word{i % 997} zoos" for i in range(5000)),
    "unknown": "qqqqzzx",
}
NOTHING = ["stopwords", "punctuation", "digits", "only-emoji", "unknown"]


@pytest.mark.terrier
def test_hostile_topics_get_their_rows_or_are_named(folder, tmp_path):
    rows = [{"qid": qid, "query": text} for qid, text in HOSTILE.items()]
    (folder / "topics.xml").unlink()
    pd.DataFrame(rows).to_json(folder / "queries.jsonl", orient="records", lines=True)
    output = tmp_path / "out"
    result = call("-i", folder, "-o", output)
    assert result.returncode == 0, result.stderr
    found = set(trec.read(output / "run.txt")[0]["qid"])
    assert set(HOSTILE) - found == set(NOTHING)
    summary = " ".join(result.stderr.splitlines()[-10:])
    assert [qid for qid in NOTHING if qid not in summary] == []


@pytest.mark.terrier
def test_the_names_of_tira_are_understood(tmp_path):
    names = {"inputDataset": str(TINY), "outputDir": str(tmp_path / "a"), "CONFIG": "tirex-pl2"}
    assert call("run", env=names, cwd=tmp_path).returncode == 0
    literal = ["-i", "$inputDataset", "-o", "${outputDir}"]
    names["outputDir"] = str(tmp_path / "b")
    assert call(*literal, env=names, cwd=tmp_path).returncode == 0
    runs = [(tmp_path / name / "run.txt").read_text() for name in "ab"]
    assert runs[0] == runs[1]
    assert " tirex-pl2\n" in runs[0]


# ------------------------------------------------------------------------- what fails on the way


@pytest.mark.terrier
def test_a_heap_too_small_is_said(tmp_path):
    result = call("-i", TINY, "-o", tmp_path / "out", env={"JAVA_TOOL_OPTIONS": "-Xmx4m"})
    fails(result, 1, "heap")
    assert "run.txt" not in left_in(tmp_path / "out")


@pytest.mark.terrier
def test_no_java_is_said(tmp_path):
    result = call("-i", TINY, "-o", tmp_path / "out", env={"JAVA_HOME": "/nonexistent"})
    fails(result, 2, "JAVA_HOME")
    assert "run.txt" not in left_in(tmp_path / "out")


@pytest.mark.terrier
def test_a_broken_jar_is_named(tmp_path):
    from pipeline import resources

    home = tmp_path / "home"
    home.mkdir()
    for jar in resources.home().glob("*.jar"):
        (home / jar.name).write_bytes(jar.read_bytes()[:100_000])
    environment = {"PYTERRIER_HOME": str(home)}
    result = call("-i", TINY, "-o", tmp_path / "out", env=environment)
    fails(result, 1, ".jar")
    assert "run.txt" not in left_in(tmp_path / "out")


@pytest.mark.terrier
def test_a_full_disk_leaves_nothing(folder, tmp_path):
    """Every file is limited to 64 KiB, as a full disk would cut it; the index is kept elsewhere."""
    indexes = tmp_path / "indexes"
    assert call("index", "-i", folder, "--index", indexes).returncode == 0
    topics = "".join(
        f"<topic><number>{n}</number><title>should school uniforms zoos plastic be</title></topic>"
        for n in range(60)
    )
    (folder / "topics.xml").write_text(f"<topics>{topics}</topics>")

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 10, 64 << 10))

    output = tmp_path / "out"
    result = call("-i", folder, "-o", output, "--index", indexes, preexec_fn=limit)
    fails(result, 1, str(output))
    assert left_in(output) == []


@pytest.mark.terrier
def test_killed_at_any_moment_it_leaves_a_whole_run_or_none(done, tmp_path):
    chance = random.Random(7)
    output, indexes = tmp_path / "out", tmp_path / "indexes"
    whole = (done[0] / "run.txt").read_bytes()
    for _ in range(5):
        process = start("-i", TINY, "-o", output, "--index", indexes)
        time.sleep(chance.uniform(0.5, 6.0))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        run = output / "run.txt"
        assert not run.exists() or run.read_bytes() == whole
    result = call("-i", TINY, "-o", output, "--index", indexes)
    assert result.returncode == 0, result.stderr
    assert left_in(output) == WHOLE
    assert (output / "run.txt").read_bytes() == whole
