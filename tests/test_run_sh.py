import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ["requirements.lock", "setup.py", "pipeline/index/arrays/kernels.c"]
TIRA = ("inputDataset", "TIRA_INPUT_DATASET", "TIRA_INPUT_DIRECTORY")

ECHO = """#!/bin/sh
echo "PYTHONPATH=$PYTHONPATH" "$(pwd)" >&2
for word; do echo "$word"; done
exit ${CODE-0}
"""


def script(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)
    return file


def call(
    *command: str | Path, cwd: Path = ROOT, **environ: str
) -> subprocess.CompletedProcess[str]:
    known = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [str(word) for word in command],
        capture_output=True, text=True, cwd=cwd, env={**known, **environ}, check=False,
    )  # fmt: skip


@pytest.fixture
def checkout(tmp_path):
    """A checkout that is set up, with a Python that only says what it is asked to do."""
    root = tmp_path / "a checkout"
    script(root / "run.sh", (ROOT / "run.sh").read_text())
    script(root / ".venv/bin/python", ECHO)
    for file in SOURCES:
        script(root / file, "one==1\n")
        script(root / ".venv/ready" / file, "one==1\n")
    return root


PYTHON = ["-P", "-m", "pipeline"]


@pytest.mark.parametrize(
    "words",
    [
        ["list"],
        ["-i", "in put", "-o", "o*t", "-c", ""],
        ["run", "-i", "$inputDataset", "--", "-x"],
        ["--help"],
    ],
    ids=" ".join,
)
def test_words_are_passed_on_as_they_are(checkout, words):
    done = call(checkout / "run.sh", *words)
    assert done.stdout.splitlines() == PYTHON + words


def test_without_words_it_is_help(checkout):
    assert call(checkout / "run.sh").stdout.splitlines() == [*PYTHON, "--help"]


@pytest.mark.parametrize("name", TIRA)
def test_without_words_and_with_tiras_variables_it_is_run(checkout, name):
    done = call(checkout / "run.sh", **{name: "/in"})
    assert done.stdout.splitlines() == [*PYTHON, "run"]
    assert call(checkout / "run.sh", **{name: ""}).stdout.splitlines()[-1] == "--help"


def test_the_exit_code_is_passed_on(checkout):
    assert call(checkout / "run.sh", "run", CODE="2").returncode == 2


def test_works_by_any_path_and_leaves_the_working_folder(checkout, tmp_path):
    links = tmp_path / "links"
    links.mkdir()
    (links / "absolute").symlink_to(checkout / "run.sh")
    (links / "relative").symlink_to("../a checkout/run.sh")
    (links / "chain").symlink_to("relative")
    (tmp_path / "folder").symlink_to(checkout)
    path = f"{links}:{os.environ['PATH']}"
    for command, cwd in [
        (["./run.sh"], checkout),
        (["sh", "run.sh"], checkout),
        (["a checkout/run.sh"], tmp_path),
        (["../a checkout/run.sh"], links),
        (["./absolute"], links),
        (["links/relative"], tmp_path),
        (["sh", "chain"], links),
        (["chain"], tmp_path),
        (["folder/run.sh"], tmp_path),
    ]:
        done = call(*command, "list", cwd=cwd, PATH=path)
        assert done.stderr == f"PYTHONPATH={checkout} {cwd}\n", command
        assert done.stdout.splitlines() == [*PYTHON, "list"], command


def test_a_cdpath_or_pythonpath_of_the_user_changes_nothing(checkout, tmp_path):
    done = call("a checkout/run.sh", cwd=tmp_path, CDPATH="/", PYTHONPATH="/x", PYTHONHOME="/y")
    assert done.stderr == f"PYTHONPATH={checkout} {tmp_path}\n"


def test_an_environment_that_is_given_is_used_as_it_is(checkout, tmp_path):
    shutil.rmtree(checkout / ".venv")
    script(tmp_path / "venv/bin/python", ECHO)
    done = call(checkout / "run.sh", "list", PIPELINE_VENV=str(tmp_path / "venv"))
    assert done.stdout.splitlines() == [*PYTHON, "list"]
    done = call(checkout / "run.sh", "setup", PIPELINE_VENV=str(tmp_path / "venv"))
    assert done.stdout.splitlines() == ["-P", "-m", "pipeline.download"]
    done = call(checkout / "run.sh", "setup", "dask", PIPELINE_VENV=str(tmp_path / "venv"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"run.sh: setup dask: the environment is PIPELINE_VENV={tmp_path}/venv, used as it is; "
        "install them there\n"
    )


def test_files_of_the_working_folder_shadow_nothing(tmp_path):
    for name in ("json.py", "click.py", "pipeline.py", "encodings.py"):
        (tmp_path / name).write_text("raise SystemExit('shadowed')")
    done = call(ROOT / "run.sh", "list", cwd=tmp_path, PIPELINE_VENV=sys.prefix)
    assert done.returncode == 0, done.stderr
    assert "retrieve: bm25" in done.stdout


# ---- where it is not set up: Pythons that say of themselves what a test wants


def pythons(folder: Path, **versions: str) -> str:
    """A folder for PATH with Pythons of these versions; ``+`` after one: it can make environments.

    Asked for anything else, they say their name and what they are asked.
    """
    for name, version in versions.items():
        script(
            folder / name.replace("_", "."),
            f"""#!/bin/sh
            case "$2" in
                *version_info*) echo {version.rstrip("+")} ;;
                *ensurepip*) {"exit 0" if version.endswith("+") else "exit 1"} ;;
                *) echo "$0" "$@" ;;
            esac
            """,
        )
    folder.mkdir(exist_ok=True)
    for tool in ("readlink", "sh"):
        (folder / tool).symlink_to(shutil.which(tool) or "")
    return str(folder)


@pytest.fixture
def fresh(checkout):
    shutil.rmtree(checkout / ".venv")
    return checkout


@pytest.mark.parametrize(
    ("versions", "chosen"),
    [
        ({"python3": "3.11+"}, "python3"),
        ({"python3": "3.9+", "python3_12": "3.12+"}, "python3.12"),
        ({"python3": "3.12", "python3_11": "3.11+"}, "python3.11"),
        ({"python3": "3.12", "python3_11": "3.11"}, "python3"),
        ({"python": "3.14+"}, "python"),
        ({"python": "2.7+", "python3": "3.10+", "python3_13": "3.13+"}, "python3.13"),
    ],
    ids=str,
)
def test_a_python_from_3_11_on_is_found_that_can_make_environments(fresh, versions, chosen):
    done = call(fresh / "run.sh", "setup", PATH=pythons(fresh / "bin", **versions))
    bootstrap = f"{fresh}/pipeline/bootstrap.py"
    assert done.stdout == f"{fresh}/bin/{chosen} -I {bootstrap} --repair\n", done.stderr


@pytest.mark.parametrize(
    ("versions", "found"),
    [
        ({"python3": "3.10+"}, "python3 is 3.10"),
        ({"python3": "3.9+", "python": "2.7"}, "python3 is 3.9, python is 2.7"),
        ({}, "there is none at all"),
    ],
    ids=str,
)
def test_no_python_from_3_11_on_is_one_line(fresh, versions, found):
    done = call(fresh / "run.sh", "-i", "in", PATH=pythons(fresh / "bin", **versions))
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        f"run.sh: no Python from 3.11 on ({found}); install one, as python3 or python3.11 on PATH\n"
    )


@pytest.mark.parametrize("source", SOURCES)
def test_another_lock_or_kernel_is_set_up_first(checkout, source):
    (checkout / source).write_text("one==2\n")
    done = call(checkout / "run.sh", "list", PATH=pythons(checkout / "bin", python3="3.11+"))
    bootstrap = f"{checkout}/bin/python3 -I {checkout}/pipeline/bootstrap.py"
    assert done.stdout.splitlines() == [bootstrap, *PYTHON, "list"]


def test_another_lock_of_an_extra_that_is_there_is_set_up_first(checkout):
    path = pythons(checkout / "bin", python3="3.11+") + f":{os.environ['PATH']}"
    script(checkout / "extras/dask.lock", "two==2\n")
    script(checkout / "extras/slurm.lock", "three==3\n")
    script(checkout / ".venv/ready/extras/dask.lock", "two==2\n")
    script(checkout / ".venv/ready/extras/gone.lock", "four==4\n")
    plain = [*PYTHON, "list"]
    assert call(checkout / "run.sh", "list", PATH=path).stdout.splitlines() == plain
    (checkout / "extras/dask.lock").write_text("two==3\n")
    bootstrap = f"{checkout}/bin/python3 -I {checkout}/pipeline/bootstrap.py"
    assert call(checkout / "run.sh", "list", PATH=path).stdout.splitlines() == [bootstrap, *plain]


def test_a_set_up_that_fails_runs_nothing(fresh):
    folder = pythons(fresh / "bin", python3="3.11+")
    script(
        fresh / "bin/python3",
        '#!/bin/sh\n[ "$1" = -I ] && exit 1\n[ -n "${2##*info*}" ] || echo 3.11',
    )
    done = call(fresh / "run.sh", "list", PATH=folder)
    assert (done.returncode, done.stdout) == (1, "")


# ---- for real: packages and jars are fetched


@pytest.fixture
def clone(tmp_path):
    """What a fresh clone holds of the program."""
    root = tmp_path / "clone"
    for name in ("pipeline", "configs"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in (
        "run.sh",
        "requirements.lock",
        "setup.py",
        "pyproject.toml",
        "README.md",
        "LICENSE",
    ):
        shutil.copy(ROOT / name, root)
    for library in root.rglob("*.so"):
        library.unlink()
    return root


def begin(root: Path, *words: str) -> subprocess.Popen[str]:
    environ = {name: value for name, value in os.environ.items() if name != "PYTERRIER_HOME"}
    return subprocess.Popen(
        [root / "run.sh", *words], env=environ, text=True, cwd="/", start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


@pytest.mark.terrier
def test_first_calls_cut_off_and_at_once_end_in_one_that_works(clone):
    with begin(clone, "list") as killed:
        while not (clone / ".venv/lib").exists():
            time.sleep(0.05)
        time.sleep(5)  # in the middle of the packages
        os.killpg(killed.pid, signal.SIGKILL)
    assert not (clone / ".venv/ready/requirements.lock").exists()

    with begin(clone, "list") as first, begin(clone, "doctor") as second:
        listed, first_said = first.communicate()
        examined, second_said = second.communicate()
    assert (first.returncode, second.returncode) == (0, 0), first_said + second_said
    assert "retrieve: bm25" in listed
    assert "wrong" not in examined
    if shutil.which("gcc"):
        assert "ok     kernels: C\n" in examined
    assert examined.splitlines()[-1].endswith("starts, with Terrier 5.11")
    said = sorted((first_said.splitlines(), second_said.splitlines()), key=len)
    assert said[0] == ["run.sh: another call is setting up; waiting for it"]
    assert said[1][-1].startswith("run.sh: ready after ")

    with begin(clone, "list") as later:
        assert later.communicate() == (listed, "")


@pytest.mark.terrier
def test_no_network_is_one_line_with_the_cure(clone):
    done = call(
        clone / "run.sh", "list",
        PIP_NO_CACHE_DIR="1", PIP_RETRIES="1",
        http_proxy="http://127.0.0.1:9", https_proxy="http://127.0.0.1:9", no_proxy="",
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.splitlines()[1:] == [
        "run.sh: the packages cannot be fetched: no network; connect, and call this again "
        f"(all that was said: {clone}/.venv/setup.log)"
    ]
