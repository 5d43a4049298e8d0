"""The image, built by a real engine and run as TIRA and others run it."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

import pytest

pytestmark = pytest.mark.image

ROOT = Path(__file__).parents[1]
TINY = ROOT / "tests" / "collection-tiny"
ENGINE = ROOT.parent / "shared" / "tools" / "docker-engine.sh"
NAME = "argument-retrieval-test"

HARD = [
    "--network=none", "--read-only", "--tmpfs=/tmp", "--cap-drop=ALL", "--memory=2g",
    "--security-opt=no-new-privileges", "--pids-limit=300",
]  # fmt: skip


def give_up(reason: str) -> NoReturn:
    """In CI the image must be tested; elsewhere an engine may be missing."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)


def call(*command: str | Path, environ: dict[str, str] | None = None, seconds: int = 300):
    try:
        return subprocess.run(
            [str(word) for word in command],
            capture_output=True, text=True, env=environ, check=False, timeout=seconds,
        )  # fmt: skip
    except FileNotFoundError as error:
        return subprocess.CompletedProcess(command, 127, "", str(error))


@pytest.fixture(scope="session")
def engine() -> Iterator[dict[str, str]]:
    """The environment in which ``docker`` works: an engine that runs, else a private one."""
    if call("docker", "info").returncode == 0:
        yield {**os.environ}
        return
    if not ENGINE.exists():
        give_up(f"no Docker engine runs, and {ENGINE} is not there to start one")
    was_up = call(ENGINE, "status").returncode == 0
    up = call(ENGINE, "up", seconds=600)
    if up.returncode != 0:
        give_up(f"no Docker engine: {(up.stderr.splitlines() or ['it says nothing'])[-1]}")
    listed = call("bash", "-c", f"{up.stdout}\nenv -0").stdout
    yield dict(variable.split("=", 1) for variable in listed.split("\0") if "=" in variable)
    if not was_up:
        call(ENGINE, "down")


@pytest.fixture(scope="session")
def docker(engine):
    def docker(*words: str | Path) -> subprocess.CompletedProcess[str]:
        return call("docker", *words, environ=engine, seconds=600)

    return docker


@pytest.fixture(scope="session")
def image(docker) -> str:
    built = docker("build", "--network", "host", "--tag", NAME, ROOT)
    assert built.returncode == 0, built.stdout[-3000:] + built.stderr[-3000:]
    return NAME


@pytest.fixture(scope="session")
def run(docker, image, tmp_path_factory):
    """Runs the image on the tiny collection; gives the folder it wrote, and what was said."""

    def run(
        options: Sequence[str] = (), words: Sequence[str] = ("-i", "/in", "-o", "/out"), mode="rw"
    ) -> tuple[Path, subprocess.CompletedProcess[str]]:
        out = tmp_path_factory.mktemp("out")
        out.chmod(0o777)
        mounts = ["-v", f"{TINY}:/in:ro", "-v", f"{out}:/out:{mode}"]
        return out, docker("run", "--rm", *mounts, *options, image, *words)

    return run


@pytest.fixture(scope="session")
def expected(run) -> bytes:
    """The run that every other must equal: as root, without any option."""
    out, done = run()
    assert done.returncode == 0, done.stderr
    return (out / "run.txt").read_bytes()


def test_builds_from_the_files_of_the_project_and_is_no_larger_than_needed(docker, image):
    size = int(docker("image", "inspect", "--format", "{{.Size}}", image).stdout)
    assert size < 650e6


@pytest.mark.parametrize(
    ("options", "words"),
    [
        pytest.param(HARD, None, id="hardened root"),
        pytest.param([*HARD, "--user", "12345:12345"], None, id="any user"),
        pytest.param([*HARD, "--user", "65534", "--cpus", "1"], None, id="nobody, one processor"),
        pytest.param([*HARD, "--memory", "1g", "--memory-swap", "1g"], None, id="1 GB"),
        pytest.param([*HARD, "-w", "/proc"], None, id="another working folder"),
        pytest.param(["--network", "none", "--read-only"], None, id="no /tmp at all"),
        pytest.param(
            ["--network", "none", "-e", "inputDataset=/in", "-e", "outputDir=/out"], [],
            id="TIRA's variables, no word",
        ),
        pytest.param(
            [*HARD, "-e", "TIRA_INPUT_DIRECTORY=/in", "-e", "TIRA_OUTPUT_DIRECTORY=/out"],
            ["-i", "$inputDataset", "-o", "$outputDir"],
            id="names that nobody has replaced",
        ),
    ],
)  # fmt: skip
def test_runs_the_same_everywhere(run, expected, options, words):
    out, done = run(options, ["-i", "/in", "-o", "/out"] if words is None else words)
    assert done.returncode == 0, done.stderr
    assert (out / "run.txt").read_bytes() == expected
    assert sorted(file.name for file in out.iterdir()) == [
        *("config.yaml", "ir-metadata.yml", "run.txt")
    ]
    assert done.stdout.isascii()
    assert done.stderr.isascii()


@pytest.mark.parametrize(
    ("options", "mode"), [(HARD, "ro"), ([*HARD, "--user", "12345"], "rw")], ids=["ro", "user"]
)
def test_an_output_that_cannot_be_written_is_named_before_any_work(
    docker, image, tmp_path, options, mode
):
    mounts = ["-v", f"{TINY}:/in:ro", "-v", f"{tmp_path}:/out:{mode}"]
    tmp_path.chmod(0o755)
    done = docker("run", "--rm", *mounts, *options, image, "-i", "/in", "-o", "/out")
    assert done.returncode == 2, done.stderr
    assert re.search(r"^/out: ", done.stderr, re.MULTILINE)
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_tunes_evaluates_and_reports(docker, image, tmp_path):
    tmp_path.chmod(0o777)
    mounts = ["-v", f"{TINY}:/in:ro", "-v", f"{tmp_path}:/out"]
    given = ["-i", "/in", "--qrels", "/in/qrels.txt"]
    for words in (
        ["sweep", "tune-dirichlet", *given, "-o", "/out/tuned", "--jobs", "2"],
        ["report", "/out/tuned"],
        ["run", "-i", "/in", "-o", "/out/run"],
        ["evaluate", "/out/run", "--qrels", "/in/qrels.txt", "--json"],
    ):
        done = docker("run", "--rm", *mounts, *HARD, "--user", "12345:12345", image, *words)
        assert done.returncode == 0, done.stderr
    assert {one["run"] for one in json.loads(done.stdout)} == {"default"}
    assert len((tmp_path / "tuned" / "table.csv").read_text().splitlines()) == 1 + 8
    assert "tune-dirichlet" in (tmp_path / "tuned" / "report.html").read_text(encoding="utf-8")


def test_doctor_finds_nothing_wrong(docker, image):
    done = docker("run", "--rm", *HARD, "--user", "12345", image, "doctor")
    assert done.returncode == 0, done.stdout
    assert "heap of Java 1,365 MB" in done.stdout
    assert "nothing can be executed" in done.stdout
    assert "ok     kernels: C\n" in done.stdout


def test_says_what_it_can_do_without_a_word(docker, image):
    done = docker("run", "--rm", *HARD, image)
    assert done.stdout.startswith("Usage: run.sh")


@pytest.fixture(scope="session")
def tira_run() -> Path:
    """The client of TIRA, which runs images as its server does, in an environment of its own."""
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    venv = caches / "argument-retrieval-tests" / "tira"
    lock, stamp = ROOT / "tests" / "tira.lock", venv / "tira.lock"
    if not (stamp.exists() and stamp.read_bytes() == lock.read_bytes()):
        shutil.rmtree(venv, ignore_errors=True)
        made = call(sys.executable, "-m", "venv", venv)
        assert made.returncode == 0, made.stdout
        pip = [venv / "bin/python", "-m", "pip", "install", "--quiet", "--require-hashes"]
        installed = call(*pip, "-r", lock)
        assert installed.returncode == 0, installed.stderr
        shutil.copyfile(lock, stamp)
    return venv / "bin" / "tira-run"


def test_runs_under_tira(tira_run, engine, image, expected, tmp_path):
    (tmp_path / "out").mkdir()
    done = call(
        tira_run, "--image", image,
        "--command", "/app/run.sh -i $inputDataset -o $outputDir",
        "--input-directory", TINY, "--output-directory", tmp_path / "out",
        "--fail-if-output-is-empty",
        environ={**engine, "HOME": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    # the client leaves with 0 when the program failed, too
    assert (tmp_path / "out" / "run.txt").read_bytes() == expected


def test_the_commands_of_the_readme(engine, expected, tmp_path):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    build, run = re.findall(r"^docker .*$", readme, re.MULTILINE)
    build = build.replace("docker build", "docker build --network host")  # as the engine needs it
    built = call("sh", "-c", f"cd '{ROOT}' && {build}", environ=engine, seconds=600)
    assert built.returncode == 0, built.stderr[-3000:]
    shutil.copytree(TINY, tmp_path / "tests" / "collection-tiny")
    done = call("sh", "-c", f"cd '{tmp_path}' && {run}", environ={**engine, "PWD": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "run.txt").read_bytes() == expected
    assert call("docker", "rmi", "argument-retrieval", environ=engine).returncode == 0
