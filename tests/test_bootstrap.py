import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from pipeline import bootstrap
from pipeline.bootstrap import SetupError, reason, set_up

ROOT = Path(__file__).parents[1]
MAIN, DEV = "requirements.lock", "tests/requirements.lock"
DASK, SLURM = "extras/dask.lock", "extras/slurm.lock"
SETUP, KERNELS = bootstrap.SOURCES


class Checkout:
    """A checkout whose installers only write down what they are asked, or fail when told."""

    def __init__(self, root: Path):
        self.root = root
        self.venv = root / ".venv"
        self.done: list[str] = []
        self.fails = ""
        self.why = ""
        self.write(MAIN, "one==1")
        self.write(DEV, "one==1\ntwo==2")
        self.write(DASK, "one==1\nthree==3")
        self.write(SLURM, "one==1\nfour==4")
        self.write(SETUP, "setup()")
        self.write(KERNELS, "int one;")

    def write(self, file: str, text: str) -> None:
        (self.root / file).parent.mkdir(parents=True, exist_ok=True)
        (self.root / file).write_text(text)

    def call(self, *command: str) -> None:
        what = "venv" if "venv" in command else Path(command[-1]).relative_to(self.root).as_posix()
        if "-e" in command:
            what = "kernels"
        self.done.append(what)
        if self.fails == what:
            raise KeyboardInterrupt
        if what == "venv":
            (self.venv / "bin").mkdir()
            for name in ("python", "pip"):
                (self.venv / "bin" / name).touch(0o755)

    def fetch(self) -> None:
        self.done.append("jars")
        if self.fails == "jars":
            sys.exit(1)
        (self.venv / "share/pyterrier").mkdir(parents=True, exist_ok=True)
        (self.venv / "share/pyterrier/terrier.jar").touch()

    def set_up(self, *locks: str, fails: str = "", repair: bool = False) -> list[str]:
        """What a call does; it is cut off at the step ``fails``."""
        self.done, self.fails = [], fails
        try:
            set_up(self.root, locks or [MAIN], repair)
        except (KeyboardInterrupt, SystemExit):
            assert fails
        return self.done

    def is_ready(self) -> bool:
        """What run.sh looks at."""
        copies = [(self.root / file, self.venv / "ready" / file) for file in (MAIN, SETUP, KERNELS)]
        return all(copy.is_file() and copy.read_text() == of.read_text() for of, copy in copies)


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    made = Checkout(tmp_path)
    monkeypatch.setattr(bootstrap.Environment, "call", lambda _self, *given: made.call(*given))
    monkeypatch.setattr(bootstrap.Environment, "fetch", lambda _self: made.fetch())
    monkeypatch.setattr(bootstrap.Environment, "slow", lambda _self: made.why)
    return made


ALL = ["venv", MAIN, "kernels", "jars"]


def test_the_first_call_sets_up_and_the_second_does_nothing(checkout, capsys):
    assert checkout.set_up() == ALL
    assert checkout.is_ready()
    said = capsys.readouterr().err.splitlines()
    assert said == [
        "run.sh: setting up, once: packages and Terrier, about 240 MB to fetch",
        "run.sh: ready after 0 seconds",
    ]
    assert checkout.set_up() == []
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("step", ["venv", MAIN])
def test_what_was_cut_off_is_made_anew(checkout, step):
    checkout.set_up(fails=step)
    assert not checkout.is_ready()
    assert checkout.set_up() == ALL
    assert checkout.is_ready()


def test_where_only_the_jars_lack_only_they_are_fetched(checkout):
    checkout.set_up(fails="jars")
    assert not checkout.is_ready()
    assert checkout.set_up() == ["jars"]
    assert checkout.is_ready()


def test_kernels_cut_off_are_compiled_by_the_next_call(checkout):
    checkout.set_up(fails="kernels")
    assert not checkout.is_ready()
    assert checkout.set_up() == ["kernels", "jars"]
    assert checkout.is_ready()


@pytest.mark.parametrize("source", [SETUP, KERNELS])
def test_another_source_of_the_kernels_compiles_them_again(checkout, source):
    checkout.set_up()
    checkout.write(source, "changed")
    assert not checkout.is_ready()
    assert checkout.set_up() == ["kernels", "jars"]
    assert checkout.is_ready()


def test_without_a_compiler_all_else_is_set_up_and_one_line_says_so(checkout, capsys):
    checkout.why = "not built; install gcc, and ./run.sh setup"
    assert checkout.set_up() == ALL
    assert checkout.is_ready()
    assert capsys.readouterr().err.splitlines()[1:-1] == [
        "run.sh: indexes are made without kernels in C, which is slower: "
        "not built; install gcc, and ./run.sh setup"
    ]
    assert checkout.set_up() == []
    assert checkout.set_up(repair=True) == ["kernels", "jars"]
    checkout.why = ""
    assert checkout.set_up(repair=True) == ["jars"]


def test_where_the_program_cannot_be_installed_the_rest_goes_on(checkout, monkeypatch, capsys):
    def call(_self, *command):
        checkout.call(*command)
        if "-e" in command:
            raise SetupError("it did not work")

    monkeypatch.setattr(bootstrap.Environment, "call", call)
    checkout.why = "not built"
    assert checkout.set_up() == ALL
    assert "run.sh: it did not work\n" in capsys.readouterr().err


def test_another_lock_makes_it_anew_and_keeps_the_jars(checkout):
    checkout.set_up()
    (checkout.venv / "lib").mkdir()
    (checkout.venv / "share/man").mkdir()
    checkout.write(MAIN, "one==2")
    checkout.set_up(fails="venv")
    left = {str(file.relative_to(checkout.venv)) for file in checkout.venv.rglob("*")}
    assert left == {"unfinished", "share", "share/pyterrier", "share/pyterrier/terrier.jar"}
    assert checkout.set_up() == ALL


def test_a_python_that_is_gone_makes_it_anew(checkout):
    checkout.set_up()
    (checkout.venv / "bin/python").unlink()
    assert checkout.set_up() == ALL


def test_a_second_lock_is_added(checkout):
    checkout.set_up()
    assert checkout.set_up(MAIN, DEV) == [DEV, "jars"]
    assert checkout.set_up(MAIN, DEV) == []
    assert checkout.set_up() == []


def test_a_second_lock_cut_off_leaves_the_program_ready_and_is_made_anew(checkout):
    checkout.set_up()
    checkout.set_up(MAIN, DEV, fails=DEV)
    assert checkout.is_ready()
    assert checkout.set_up(MAIN, DEV) == ["venv", MAIN, DEV, "kernels", "jars"]


def test_an_extra_stays_when_all_is_made_anew(checkout):
    checkout.set_up()
    assert checkout.set_up(MAIN, DASK) == [DASK, "jars"]
    checkout.write(MAIN, "one==2")
    assert checkout.set_up() == ["venv", MAIN, DASK, "kernels", "jars"]
    assert checkout.set_up(MAIN, DASK, SLURM) == [SLURM, "jars"]
    checkout.write(DASK, "three==4")
    assert checkout.set_up() == [DASK, "jars"]
    (checkout.root / DASK).unlink()
    assert checkout.set_up() == []
    assert checkout.set_up(repair=True) == ["jars"]


def test_an_extra_is_asked_for_by_its_name_any_other_lock_by_its_path(checkout):
    assert bootstrap.lock_of(checkout.root, "dask") == DASK
    assert bootstrap.lock_of(checkout.root, DEV) == DEV


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("ray", "run.sh: setup: there is no extra 'ray'; there is dask, slurm\n"),
        (
            "tests/other.lock",
            "run.sh: setup: there is no extra 'tests/other.lock'; there is dask, slurm\n",
        ),
        ("extras", "run.sh: setup: there is no extra 'extras'; there is dask, slurm\n"),
    ],
)
def test_an_extra_that_is_not_there_is_one_line_with_those_that_are(
    checkout, monkeypatch, capsys, word, said
):
    (checkout.root / "pipeline").mkdir(exist_ok=True)
    monkeypatch.setattr(bootstrap, "__file__", str(checkout.root / "pipeline/bootstrap.py"))
    assert bootstrap.main(["--repair", "dask", word]) == 2
    assert capsys.readouterr().err == said
    assert not checkout.venv.exists()


def test_repair_looks_at_the_jars(checkout):
    checkout.set_up()
    assert checkout.set_up(repair=True) == ["jars"]


def test_a_folder_of_someone_else_is_left_alone(checkout):
    (checkout.venv / "bin").mkdir(parents=True)
    (checkout.venv / "bin/python").touch()
    with pytest.raises(SetupError, match=r"not made by run\.sh: move it away, or .*PIPELINE_VENV="):
        checkout.set_up()
    assert [file.name for file in checkout.venv.rglob("*")] == ["bin", "python"]


def test_a_colon_in_the_path_is_named(tmp_path):
    with pytest.raises(SetupError, match="a path with ':' in it will not do"):
        set_up(tmp_path / "a:b", [])


@pytest.fixture
def bare(monkeypatch):
    """A Python that cannot make environments; what is asked of uv is written down."""
    asked: list[list[str]] = []
    monkeypatch.setattr(bootstrap, "find_spec", lambda _name: None)
    monkeypatch.setattr(bootstrap.Environment, "call", lambda _self, *given: asked.append([*given]))
    return asked


def test_uv_is_used_where_python_cannot(bare, monkeypatch, tmp_path):
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    (tmp_path / KERNELS).parent.mkdir(parents=True)
    for file in (MAIN, SETUP, KERNELS):
        (tmp_path / file).touch()
    monkeypatch.setattr(bootstrap.Environment, "fetch", lambda _self: None)
    monkeypatch.setattr(bootstrap.Environment, "slow", lambda _self: "")
    set_up(tmp_path, [MAIN])
    venv = tmp_path / ".venv"
    base = os.path.realpath(sys.executable)
    assert bare == [
        ["uv", "venv", "-q", "--allow-existing", "--python", base, str(venv)],
        ["uv", "pip", "install", "--python", str(venv / "bin/python"), "--require-hashes",
         "--no-deps", "-r", str(tmp_path / MAIN)],
        ["uv", "pip", "install", "--python", str(venv / "bin/python"), "--no-build-isolation",
         "--no-deps", "--no-index", "-e", str(tmp_path)],
    ]  # fmt: skip


@pytest.mark.usefixtures("bare")
def test_without_uv_the_package_to_install_is_named(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    (tmp_path / MAIN).touch()
    with pytest.raises(SetupError, match=r"cannot make environments: install .* python3-venv"):
        set_up(tmp_path, [MAIN])
    assert not (tmp_path / ".venv").exists()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("log", "said"),
    [
        (
            "WARNING: Retrying (Retry(total=0)) after: 'NewConnectionError(...)\n"
            "ERROR: Could not find a version that satisfies the requirement click==8.5.1\n"
            "ERROR: No matching distribution found for click==8.5.1\n",
            "the packages cannot be fetched: no network; connect, and call this again",
        ),
        (
            "Collecting click==8.5.1\nERROR: Could not install packages due to an OSError: "
            "[Errno 28] No space left on device\n\n",
            "the packages cannot be installed: ERROR: Could not install packages due to an "
            "OSError: [Errno 28] No space left on device",
        ),
        (
            "WARNING: Retrying after connection broken by 'SSLError(SSLCertVerificationError(1, "
            "'[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed\n",
            "the packages cannot be fetched: a certificate is not trusted; name a file with the "
            "trusted ones by PIP_CERT and SSL_CERT_FILE",
        ),
        ("Killed\n", "the packages cannot be installed: Killed"),
        ("", "the packages cannot be installed: it says nothing"),
    ],
)
def test_reason_is_the_network_or_the_last_error(log, said):
    assert reason(log) == said


def test_the_installers_words_are_kept_for_later(tmp_path):
    here = bootstrap.Environment(tmp_path)
    here.folder.mkdir()
    with here.alone(), pytest.raises(SetupError, match=r"installed: error: two .*setup\.log\)"):
        here.call("sh", "-c", "echo one; echo error: two >&2; exit 3")
    assert (here.folder / "setup.log").read_text() == "one\nerror: two\n"


def test_of_two_calls_at_once_the_second_waits(checkout, monkeypatch, capsys):
    started = threading.Event()

    def slow(_self, *command):
        started.set()
        time.sleep(0.3)
        checkout.call(*command)

    monkeypatch.setattr(bootstrap.Environment, "call", slow)
    first = threading.Thread(target=set_up, args=[checkout.root, [MAIN]])
    first.start()
    assert started.wait(10)
    set_up(checkout.root, [MAIN])
    assert checkout.is_ready()
    first.join()
    assert checkout.done == ALL
    assert "run.sh: another call is setting up; waiting for it\n" in capsys.readouterr().err


def test_an_installer_outlives_its_killed_caller_and_is_waited_for(tmp_path):
    code = f"""
        from pathlib import Path
        from pipeline import bootstrap
        here = bootstrap.Environment(Path({str(tmp_path)!r}))
        here.folder.mkdir()
        with here.alone():
            here.call("sh", "-c", "echo > begun; sleep 1; echo > ended")
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=tmp_path, env=environ) as caller:
        while not (tmp_path / "begun").exists():
            time.sleep(0.01)
        caller.send_signal(signal.SIGKILL)
    with bootstrap.Environment(tmp_path).alone():
        assert (tmp_path / "ended").exists()


def test_a_folder_that_cannot_be_written_is_one_line_with_the_cure(tmp_path, monkeypatch, capsys):
    (tmp_path / "pipeline").mkdir()
    (tmp_path / ".venv.lock").mkdir()
    (tmp_path / MAIN).touch()
    monkeypatch.setattr(bootstrap, "__file__", str(tmp_path / "pipeline/bootstrap.py"))
    assert bootstrap.main([]) == 1
    assert capsys.readouterr().err == (
        f"run.sh: cannot set up: {tmp_path}/.venv.lock: Is a directory; call it once as a user "
        "who can write there, or name a ready environment by PIPELINE_VENV\n"
    )
