"""``doctor``: what the program needs of this machine, and the cure of what is wrong."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib import metadata
from pathlib import Path

from pipeline import java, resources
from pipeline import native as library
from pipeline.errors import InputError, RunError, count, some

LOCK = Path(__file__).parents[2] / "requirements.lock"

EXTRAS = {
    "dask": ("distributed", "for --scheduler"),
    "optuna": ("optuna", "for sweeps with search: tpe"),
    "slurm": ("submitit", "for sweep --slurm"),
}
"""What is wanted only by some: the package that says whether it is there, and what for."""

LEAST_MEMORY = 900 << 20
"""Bytes: below this, Java and Python together are soon killed."""

LEAST_DISK = 500 << 20
"""Bytes that an index of a few thousand documents, and Java, find room in."""


def doctor() -> tuple[list[str], bool]:
    """A line for each thing looked at, ``ok`` or ``wrong`` with its cure; and whether all is ok."""
    checks: list[Callable[[], str]] = [python, packages, kernels, java_found]
    checks += [partial(jar, resource) for resource in resources.RESOURCES]
    checks += [native, memory, temporary]
    checks += [partial(extra, name) for name in EXTRAS]
    lines = [_line(check) for check in checks]
    well = all(line.startswith("ok") for line in lines)
    if well:
        lines.append(_line(java_starts))
        well = lines[-1].startswith("ok")
    return lines, well


def _line(check: Callable[[], str]) -> str:
    try:
        return f"ok     {check()}"
    except (InputError, RunError) as error:
        return f"wrong  {error}"


def python() -> str:
    """Which Python this is."""
    return f"Python {platform.python_version()}, in {sys.prefix}"


def packages() -> str:
    """Whether the installed packages are those of the lock file."""
    if not LOCK.exists():
        return "packages: not compared, there is no requirements.lock"
    wanted, wrong = _compared(LOCK)
    if wrong:
        raise RunError(f"packages: {wrong}; remove .venv, and ./run.sh setup")
    return f"{count(wanted, 'package')}, as in requirements.lock"


def extra(name: str) -> str:
    """Whether an extra is there, and as in its lock file; without one is not wrong."""
    package, purpose = EXTRAS[name]
    installed, cure = _installed(package), f"./run.sh setup {name}"
    if not installed:
        return f"extra {name}: not there, {purpose}: {cure}"
    lock = LOCK.parent / "extras" / f"{name}.lock"
    wrong = _compared(lock, LOCK)[1] if lock.exists() else ""
    if wrong:
        raise RunError(f"extra {name}: {wrong}; {cure}")
    return f"extra {name}: {package} {installed}, {purpose}"


def _compared(lock: Path, beside: Path | None = None) -> tuple[int, str]:
    """How many packages a lock file wants, beside another, and which are installed otherwise."""
    wanted = dict(locked(lock.read_text(encoding="utf-8")))
    for name, _ in locked(beside.read_text(encoding="utf-8")) if beside else ():
        wanted.pop(name, None)
    wrong = [
        f"{name} {_installed(name) or 'missing'} instead of {version}"
        for name, version in wanted.items()
        if _installed(name) != version
    ]
    return len(wanted), some(wrong, 3)


def _installed(package: str) -> str:
    """Its version, empty if it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def locked(lock: str) -> Iterator[tuple[str, str]]:
    """Name and version of the packages that a lock file wants for this Python and system."""
    from packaging.markers import Marker

    for line in re.finditer(r"^([\w.-]+)==([^\s;]+)(?: ; ([^\\\n]+))?", lock, re.MULTILINE):
        name, version, marker = line.groups()
        if marker is None or Marker(marker.strip()).evaluate():
            yield name, version


def kernels() -> str:
    """Which kernels are in use; without a compiler those in numpy, which is not wrong."""
    why = library.missing()
    return f"kernels: {library.in_use()}" + (f", slower than C: {why}" if why else "")


def java_found() -> str:
    """Which Java will be used."""
    home = java.java_home()
    return f"Java {java.java_version(home)}, in {home}"


def jar(resource: resources.Resource) -> str:
    """Whether a jar is there, byte for byte."""
    file = resources.home() / resource.file
    if wrong := resources.fault(resource, resources.home()):
        raise RunError(f"{file} {wrong}; ./run.sh setup fetches it again")
    return f"{resource.name} {resource.version}, sha256 as it should be: {file}"


def native() -> str:
    """Whether Java gets at Terrier's native code where temporary files cannot be executed."""
    file = resources.home() / Path(resources.ZSTD).name
    if resources.ZSTD and file.is_file():
        return f"native code of zstd: {file}"
    folder = temporary_folder()
    if _noexec(folder):
        raise RunError(f"{folder} is mounted noexec and {file} is missing; ./run.sh setup makes it")
    return f"native code of zstd: from the jar, by way of {folder}"


def memory() -> str:
    """The memory limit, and what Java gets of it."""
    limit = java.memory_limit()
    if limit < LEAST_MEMORY:
        raise RunError(
            f"memory: limited to {limit >> 20:,} MB; {LEAST_MEMORY >> 20} are the least, "
            "2,048 are better (docker run --memory)"
        )
    given = re.search(r"-Xmx\w+", java.given_options())
    heap = given[0] if given else f"{java.heap_megabytes(limit):,} MB"
    return f"memory: {limit >> 20:,} MB, heap of Java {heap}"


def temporary() -> str:
    """Whether temporary files can be written, with room for an index."""
    folder = temporary_folder()
    free = shutil.disk_usage(folder).free
    if free < LEAST_DISK:
        raise RunError(
            f"temporary files: {free >> 20:,} MB free in {folder}, {LEAST_DISK >> 20} are the "
            "least; set TMPDIR to a folder with more room, or keep the index elsewhere by --index"
        )
    noexec = ", where nothing can be executed" if _noexec(folder) else ""
    return f"temporary files: {folder}, {free / 1e9:,.1f} GB free{noexec}"


def temporary_folder() -> Path:
    """Where temporary files go.

    Raises:
        RunError: nowhere.
    """
    try:
        return Path(tempfile.gettempdir())
    except FileNotFoundError as error:
        raise RunError(
            "temporary files: no folder can be written; set TMPDIR to one that can "
            "(docker run --tmpfs /tmp)"
        ) from error


def _noexec(folder: Path) -> bool:
    return bool(os.statvfs(folder).f_flag & getattr(os, "ST_NOEXEC", 0))


def java_starts() -> str:
    """Whether Java starts, with Terrier in it."""
    versions = java.versions()
    return f"Java {versions['java']} starts, with Terrier {versions['terrier']}"
