"""The benchmarks measure what they say, on something small; how much it is, no test says."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"
TINY = Path(__file__).parent / "collection-tiny"


@pytest.fixture(scope="module")
def benchmark():
    """Gives a module of the benchmarks by its name."""
    sys.path.insert(0, str(FOLDER))
    yield importlib.import_module
    sys.path.remove(str(FOLDER))


def test_all_processes_count(benchmark):
    measure = benchmark("measure")
    busy = "import time\nwhile time.process_time() < 0.5: pass"
    code = (
        f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {busy!r}])\nprint('done')"
    )
    used = measure.measured([sys.executable, "-c", code])
    assert used.output == "done\n"
    assert used.cpu >= 0.5
    held = "import time; kept = bytearray(150_000_000); time.sleep(0.3)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {held!r}])"
    used = measure.measured([sys.executable, "-c", code])
    assert 150 < used.anonymous <= used.peak < 300


def test_a_mapped_file_is_not_anonymous(benchmark, tmp_path):
    file = tmp_path / "large"
    file.write_bytes(b"x" * 100_000_000)
    code = (
        "import mmap, sys, time\n"
        "opened = open(sys.argv[1], 'rb')\n"
        "mapped = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)\n"
        "sum(mapped[::4096]); time.sleep(0.3)"
    )
    used = benchmark("measure").measured([sys.executable, "-c", code, str(file)])
    assert used.anonymous < 60
    assert used.peak > 95


def test_cores_and_variables_are_set(benchmark):
    code = "import os; print(len(os.sched_getaffinity(0)), os.environ['PIPELINE_KERNELS'])"
    used = benchmark("measure").measured(
        [sys.executable, "-c", code], cores=1, variables={"PIPELINE_KERNELS": "numpy"}
    )
    assert used.output == "1 numpy\n"


def test_a_command_that_fails_says_why(benchmark):
    measure = benchmark("measure")
    with pytest.raises(measure.FailedError, match="no such thing"):
        measure.measured([sys.executable, "-c", "import sys; sys.exit('what\\nno such thing')"])


def test_a_file_with_two_names_is_on_the_disk_once(benchmark, tmp_path):
    (tmp_path / "a").write_bytes(b"x" * 10)
    (tmp_path / "b").hardlink_to(tmp_path / "a")
    (tmp_path / "c").write_bytes(b"x" * 5)
    assert benchmark("measure").bytes_in(tmp_path) == 10 + 5


def test_what_was_wanted_is_judged_by_size(benchmark):
    wanted = benchmark("wanted")
    rows = {"arrays bm25": 0.04, "arrays sweep": 4.0}
    assert wanted.verdicts(wanted.SEARCH, 10**6, rows) == []
    assert wanted.verdicts(wanted.SEARCH, 10**9, rows) == [
        "met     50 x 1000 by bm25, CPU s: 0.04, wanted 0.05 at most",
        "NOT MET 100 settings, CPU s: 4, wanted 3 at most",
    ]
    assert len(wanted.verdicts(wanted.SEARCH, 8 * 10**9, {"arrays bm25": 0.04})) == 1


def test_the_plain_reader_reads_what_ours_does(benchmark):
    from pipeline.collection.folder import open_collection

    ours = [(a.docno, f"{a.conclusion} {a.premises}") for a in open_collection(TINY).arguments()]
    assert [*benchmark("peers").documents(TINY)] == ours


@pytest.mark.terrier
def test_rows_of_the_index(tmp_path):
    command = [sys.executable, FOLDER / "index.py", TINY, "--json", tmp_path / "found.json"]
    chosen = ["--only", "pyterrier", "--only", "fast", "--only", "further"]
    shown = subprocess.check_output([*command, *chosen], text=True)
    assert "failed" not in shown
    rows = json.loads((tmp_path / "found.json").read_text())["rows"][str(TINY)]
    assert [*rows] == ["pyterrier", "fast", "arrays", "further"]
    assert all(row["cpu"] > 0 and row["anonymous"] > 0 for row in rows.values())


@pytest.mark.terrier
def test_rows_of_the_search(tmp_path):
    command = [sys.executable, FOLDER / "search.py", TINY, "--json", tmp_path / "found.json"]
    shown = subprocess.check_output([*command, "--only", "dph", "--only", "rm3"], text=True)
    rows = json.loads((tmp_path / "found.json").read_text())["rows"][str(TINY)]
    assert sorted(rows) == ["arrays dph", "arrays rm3", "terrier dph", "terrier rm3"]
    assert [line.split()[0] for line in shown.splitlines()[1:]] == ["dph", "rm3"]


@pytest.mark.terrier
def test_rows_of_the_sweep():
    shown = subprocess.check_output(
        [sys.executable, FOLDER / "sweep.py", TINY, "--peer"], text=True
    )
    rows = [line.split() for line in shown.splitlines()]
    assert [row[0] for row in rows[1:]] == ["sweep", "again", "pt.GridScan"]
    assert all(float(row[1]) > 0 for row in rows[1:])
