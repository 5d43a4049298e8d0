"""A sweep that is stopped, killed, or runs out of disk: what was done stays, and the rest follows."""

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import yaml

from pipeline.index import lock

pytestmark = pytest.mark.cluster

ROOT = Path(__file__).parents[3]
TINY = ROOT / "tests" / "collection-tiny"
MINI = ROOT.parent / "shared" / "data" / "argsme-mini"
INPUT = MINI if MINI.is_dir() else TINY
QRELS = INPUT / "qrels.txt"

BASE = {
    "index": {"engine": "arrays"},
    "stages": [{"retrieve": "bm25"}, {"rerank": "argument_length", "depth": 20}],
}
OVER = {
    "index.stemmer": ["porter", "none"],
    "stages[0].k1": [0.5, 1.2, 2.4, 4.8],
    "stages[1].weight": [0.0, 0.1, 0.2, 0.4, 0.8],
}
POINTS = 40


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sweep of forty points."""
    made = tmp_path_factory.mktemp("kill")
    (made / "base.yaml").write_text(yaml.safe_dump(BASE), encoding="utf-8")
    sweep = {"base": "base.yaml", "over": OVER}
    (made / "tune.yaml").write_text(yaml.safe_dump(sweep, sort_keys=False), encoding="utf-8")
    return made


def start(folder: Path, out: Path, *options: object, **more: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-P", "-m", "pipeline", "sweep", folder / "tune.yaml"]
    given = ["-i", INPUT, "-o", out, "--qrels", QRELS, *options]
    return subprocess.Popen(
        list(map(str, [*command, *given])),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        **more,
    )


def ends(process: subprocess.Popen[str], code: int = 0) -> tuple[str, str]:
    """What it said; it ended with this code."""
    out, err = process.communicate(timeout=120)
    assert process.returncode == code, err
    assert "Traceback" not in err
    return out, err


@pytest.fixture(scope="module")
def undisturbed(folder: Path) -> Path:
    ends(start(folder, folder / "undisturbed"))
    return folder / "undisturbed"


def done(out: Path) -> dict[str, tuple[int, int]]:
    """Every point that is there, and which file its run is."""
    points = out / "points"
    there = [p for p in points.iterdir() if p.name[0] != "."] if points.is_dir() else []
    files = {point.name: (point / "run.txt").stat() for point in there}
    return {name: (about.st_ino, about.st_mtime_ns) for name, about in files.items()}


def until(out: Path, number: int, process: subprocess.Popen[str]) -> None:
    """Waits until so many points are there."""
    end = time.monotonic() + 60
    while len(done(out)) < number and process.poll() is None and time.monotonic() < end:
        time.sleep(0.002)


def same(out: Path, other: Path) -> None:
    """The same results, and nothing left beside them."""
    for name in ("table.csv", "result.json"):
        assert (out / name).read_bytes() == (other / name).read_bytes()
    for name in done(other):
        for file in ("run.txt", "config.yaml", "scores.json"):
            of_point = Path("points") / name / file
            assert (out / of_point).read_bytes() == (other / of_point).read_bytes()
    assert done(out).keys() == done(other).keys()
    kept = {path.relative_to(out).as_posix() for path in out.rglob("*")}
    assert not [path for path in kept if path.endswith((".part", lock.LOCK))]


@pytest.mark.parametrize(("options", "kills"), [([], 10), (["--jobs", "2"], 2)], ids=["one", "two"])
def test_killed_at_random_moments_it_ends_as_if_nothing_had_been(
    folder, undisturbed, tmp_path, options, kills
):
    chance = random.Random(6)
    moments = sorted(chance.sample(range(POINTS - 2), kills))
    out = tmp_path / "out"
    before: dict[str, tuple[int, int]] = {}
    for number in moments:
        process = start(folder, out, *options)
        until(out, number, process)
        time.sleep(chance.random() * 0.06)
        process.kill()
        process.communicate()
        now = done(out)
        assert before.items() <= now.items(), "what is there is never done again"
        before = now
    ends(start(folder, out))
    same(out, undisturbed)
    assert before.items() <= done(out).items()
    assert len((out / "table.csv").read_text(encoding="utf-8").splitlines()) == 1 + POINTS


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_a_process_that_is_killed_is_replaced(folder, undisturbed, tmp_path):
    out = tmp_path / "out"
    process = start(folder, out, "--jobs", "2")
    until(out, 5, process)
    first = children(process.pid)
    os.kill(first[0], signal.SIGKILL)
    until(out, 15, process)
    os.kill(next(iter({*children(process.pid)} - {first[0]})), signal.SIGKILL)
    ends(process)
    same(out, undisturbed)


@pytest.mark.parametrize("options", [[], ["--jobs", "2"]], ids=["one", "two"])
def test_stopped_it_says_what_is_there_and_leaves_nothing_unfinished(
    folder, undisturbed, tmp_path, options
):
    out = tmp_path / "out"
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # it may come ignored
    process = start(folder, out, *options, preexec_fn=heard)
    until(out, 7, process)
    process.send_signal(signal.SIGINT)
    _, err = ends(process, 130)
    there = len(done(out))
    assert there < POINTS
    line = err.splitlines()[-1]
    assert line == f"stopped: {there} of 40 points are there; the same call does the others"
    assert not list((out / "points").glob(".*"))
    assert len((out / "table.csv").read_text(encoding="utf-8").splitlines()) == 1 + there
    if not options:
        ends(start(folder, out))
        same(out, undisturbed)


def test_two_at_once_in_one_folder_do_no_harm(folder, undisturbed, tmp_path):
    out = tmp_path / "out"
    both = [start(folder, out), start(folder, out)]
    for process in both:
        ends(process)
    same(out, undisturbed)


def test_a_file_that_cannot_grow_loses_nothing(folder, undisturbed, tmp_path):
    """As where a quota is used up in the middle."""
    out = tmp_path / "out"
    shutil.copytree(undisturbed, out)
    for name in list(done(out))[::2]:
        shutil.rmtree(out / "points" / name)
    before = done(out)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))

    _, err = ends(start(folder, out, "--quiet", preexec_fn=limit), 1)
    [line] = err.splitlines()
    assert "cannot be written: File too large" in line
    assert done(out) == before
    ends(start(folder, out))
    same(out, undisturbed)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with room for some of the points."""
    place = tmp_path / "small"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)]
    if os.getuid() or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk_in_the_middle_loses_nothing(folder, undisturbed, small_disk, tmp_path):
    out, indexes = small_disk / "out", undisturbed / "indexes"
    _, err = ends(start(folder, out, "--quiet", "--index", indexes, "--jobs", 2), 1)
    [line] = err.splitlines()
    assert "cannot be written: No space left on device; make room there" in line
    there = done(out)
    assert 0 < len(there) < POINTS
    moved = tmp_path / "moved"
    shutil.copytree(out, moved)
    ends(start(folder, moved, "--index", indexes))
    same(moved, undisturbed)
