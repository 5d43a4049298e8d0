"""Makes the Python environment that run.sh runs in, once, from lock files.

Called by run.sh with the Python that it found, before anything is installed: so only the standard
library. What was cut off at any moment is made again; of two calls at once the second waits.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

MAIN = "requirements.lock"
EXTRAS = "extras"
"""The folder of the lock files of what is wanted only by some: ``setup dask`` is that of Dask."""
SOURCES = ("setup.py", "pipeline/index/arrays/kernels.c")
"""What the kernels are compiled from; run.sh looks at them too."""
KEPT = Path("share/pyterrier")
"""The jars, checked by their sha256 and large: an environment that is made anew keeps them."""

NO_NETWORK = (
    "NewConnectionError", "NameResolutionError", "ConnectTimeoutError", "ProxyError",
    "name resolution", "dns error", "error sending request",
)  # fmt: skip
"""What pip and uv write when they reach nothing."""


class SetupError(Exception):
    """The environment cannot be made; the message is one line, with the cure."""

    code = 1


class GivenError(SetupError):
    """What was asked for is not there."""

    code = 2


class Environment:
    """The folder ``.venv`` of a checkout.

    A lock file's copy in ``ready/`` says that all of it is there, and is what run.sh looks at; in
    ``ready/*.installed``, that its packages are. ``unfinished`` says that they are being changed.
    Copies of the sources say that it was tried to compile them.
    """

    def __init__(self, root: Path):
        self.root = root
        self.folder = root / ".venv"
        self.python = self.folder / "bin" / "python"
        self.ready = self.folder / "ready"
        self.unfinished = self.folder / "unfinished"
        self.lock = -1
        self.environ = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("PYTHON")
            and name not in ("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_USER", "VIRTUAL_ENV")
        }

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Waits for any other call that sets up.

        Installers inherit the lock, since they live on for a while when this process is killed.
        """
        with (self.root / ".venv.lock").open("w") as file:
            self.lock = file.fileno()
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say("another call is setting up; waiting for it")
                fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def lacks(self, files: Sequence[str], suffix: str = "") -> list[str]:
        """The files of the checkout that have no equal copy in ``ready/``."""
        return [
            file
            for file in files
            if not (copy := self.ready / f"{file}{suffix}").is_file()
            or copy.read_bytes() != (self.root / file).read_bytes()
        ]

    def extras(self) -> list[str]:
        """The lock files of the extras that were installed, and that the checkout still has."""
        locks = (f"{EXTRAS}/{copy.name}" for copy in (self.ready / EXTRAS).glob("*.lock"))
        return sorted(lock for lock in locks if (self.root / lock).is_file())

    def keep(self, file: str, suffix: str = "") -> None:
        """Makes the copy of a file of the checkout in ``ready/``."""
        copy = self.ready / f"{file}{suffix}"
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.root / file, copy)

    def clear(self) -> None:
        """Removes everything but the jars, if run.sh made it.

        Raises:
            SetupError: someone else did.
        """
        self.folder.mkdir(exist_ok=True)
        ours = self.unfinished.exists() or self.ready.exists()
        if not ours and any(self.folder.iterdir()):
            raise SetupError(
                f"{self.folder} is there, and not made by run.sh: move it away, or have it used "
                f"as it is by PIPELINE_VENV={self.folder}"
            )
        self.unfinished.touch()
        kept = [self.unfinished, *(self.folder / part for part in (KEPT, *KEPT.parents))]
        for folder in [self.folder, self.folder / KEPT.parent]:
            for entry in [*folder.iterdir()] if folder.is_dir() else []:
                if entry in kept:
                    continue
                if entry.is_dir() and not entry.is_symlink():
                    shutil.rmtree(entry)
                else:
                    entry.unlink()

    def make(self) -> None:
        """Makes the environment, without packages."""
        base = os.path.realpath(sys.executable)  # its versioned name: an upgrade is then noticed
        if find_spec("ensurepip"):
            self.call(base, "-I", "-m", "venv", str(self.folder))
        else:
            self.call("uv", "venv", "-q", "--allow-existing", "--python", base, str(self.folder))

    def install(self, lock: str) -> None:
        """Installs all packages of a lock file, each with the sha256 that stands there."""
        self.unfinished.touch()
        self.pip("--require-hashes", "--no-deps", "-r", str(self.root / lock))
        self.keep(lock, ".installed")
        self.unfinished.unlink()

    def build(self) -> None:
        """Installs the project itself, which compiles its kernels where there is a compiler.

        All works without either, slower: why they are not there is said.
        """
        try:
            self.pip("--no-build-isolation", "--no-deps", "--no-index", "-e", str(self.root))
        except SetupError as error:
            say(f"{error}")
        if why := self.slow():
            say(f"indexes are made without kernels in C, which is slower: {why}")
        for file in SOURCES:
            self.keep(file)

    def slow(self) -> str:
        """Why there are no kernels in C, empty where there are."""
        code = "from pipeline import native; print(native.missing())"
        environ = {**self.environ, "PYTHONPATH": str(self.root)}
        environ.pop("PIPELINE_KERNELS", None)
        command = [str(self.python), "-P", "-c", code]
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
        return done.stdout.strip() if done.returncode == 0 else "Python does not start"

    def pip(self, *given: str) -> None:
        """Installs by pip, or by uv where that is not there."""
        if (self.folder / "bin" / "pip").exists():
            options = ["--no-input", "--no-compile", "--disable-pip-version-check"]
            self.call(str(self.python), "-I", "-m", "pip", "install", *options, *given)
        else:
            self.call("uv", "pip", "install", "--python", str(self.python), *given)

    def fetch(self) -> None:
        """Fetches the jars, by the program's own downloader, which says what goes wrong."""
        environ = {**self.environ, "PYTHONPATH": str(self.root)}
        command = [str(self.python), "-P", "-m", "pipeline.download"]
        if subprocess.run(command, env=environ, pass_fds=[self.lock], check=False).returncode:
            sys.exit(1)

    def call(self, *command: str) -> None:
        """Runs an installer, whose words go into a log.

        Raises:
            SetupError: it failed.
        """
        file = self.folder / "setup.log"
        with file.open("w+", encoding="utf-8", errors="replace") as log:
            done = subprocess.run(
                command,
                env=self.environ,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                pass_fds=[self.lock],
                check=False,
            )
            log.seek(0)
            if done.returncode:
                raise SetupError(f"{reason(log.read())} (all that was said: {file})")


def reason(log: str) -> str:
    """Why an installer failed, in a line: the network, else its last error."""
    if "certificate" in log:
        return (
            "the packages cannot be fetched: a certificate is not trusted; name a file with the "
            "trusted ones by PIP_CERT and SSL_CERT_FILE"
        )
    if any(sign in log for sign in NO_NETWORK):
        return "the packages cannot be fetched: no network; connect, and call this again"
    lines = [line.strip() for line in log.splitlines() if line.strip()] or ["it says nothing"]
    errors = [line for line in lines if line.lower().startswith("error")]
    return f"the packages cannot be installed: {(errors or lines)[-1]}"


def set_up(root: Path, locks: Sequence[str], repair: bool = False) -> None:
    """Makes the environment of ``root`` hold the packages of the lock files, kernels and jars.

    Args:
        root: the checkout.
        locks: lock files, by their path in ``root``, the program's own first; extras are kept.
        repair: look at kernels and jars also where everything seems to be there.

    Raises:
        SetupError: that failed.
    """
    if os.pathsep in str(root):
        raise SetupError(f"{root}: a path with '{os.pathsep}' in it will not do; move the folder")
    here = Environment(root)
    start = time.monotonic()
    with here.alone():
        locks = [*locks, *(lock for lock in here.extras() if lock not in locks)]
        whole = os.access(here.python, os.X_OK) and not here.unfinished.exists()
        missing = here.lacks(locks)
        if whole and not missing and not here.lacks(SOURCES) and not repair:
            return
        bare = [lock for lock in here.lacks(locks, ".installed") if lock in missing]
        if not whole or locks[0] in bare:
            if not find_spec("ensurepip") and not shutil.which("uv"):
                raise SetupError(
                    f"{sys.executable} cannot make environments: install the package "
                    "python3-venv (apt-get install python3-venv), or uv"
                )
            say("setting up, once: packages and Terrier, about 240 MB to fetch")
            here.clear()
            here.make()
            missing = bare = list(locks)
        for lock in bare:
            here.install(lock)
        if here.lacks(SOURCES) or (repair and here.slow()):
            here.build()
        here.fetch()
        for lock in missing:
            (here.ready / f"{lock}.installed").replace(here.ready / lock)
        say(f"ready after {time.monotonic() - start:.0f} seconds")


def lock_of(root: Path, word: str) -> str:
    """The lock file that a word asks for: an extra by its name, any other by its path.

    Raises:
        GivenError: it is neither.
    """
    extras = sorted(file.stem for file in (root / EXTRAS).glob("*.lock"))
    lock = f"{EXTRAS}/{word}.lock" if word in extras else word
    if (root / lock).is_file():
        return lock
    raise GivenError(f"setup: there is no extra {word!r}; there is {', '.join(extras) or 'none'}")


def say(line: str) -> None:
    """Writes a line to stderr."""
    sys.stderr.write(f"run.sh: {line}\n")
    sys.stderr.flush()


def main(arguments: list[str]) -> int:
    """Sets up the checkout that this file is part of; ``--repair``, extras, further lock files."""
    root = Path(__file__).resolve().parents[1]
    words = {word: None for word in arguments if word != "--repair"}
    try:
        set_up(root, [MAIN, *(lock_of(root, word) for word in words)], "--repair" in arguments)
    except SetupError as error:
        say(str(error))
        return error.code
    except OSError as error:
        say(
            f"cannot set up: {error.filename or root}: {error.strerror or error}; call it once "
            "as a user who can write there, or name a ready environment by PIPELINE_VENV"
        )
        return 1
    except KeyboardInterrupt:
        say("set-up cut off; the next call makes it whole")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
