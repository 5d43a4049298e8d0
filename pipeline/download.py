"""The only downloader: what ``resources`` lists is fetched once, and nothing after that.

``python -m pipeline.download`` fetches what is missing; run.sh does so when it sets up.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import ssl
import sys
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.client import HTTPException
from io import BufferedRandom
from pathlib import Path

from pipeline.errors import RunError
from pipeline.resources import RESOURCES, TERRIER, ZSTD, Resource, fault, fault_of, home

TRIES = 3
SILENCE = 30
"""Seconds without a byte after which a connection is given up."""


def fetch(resource: Resource, folder: Path, base: str = "") -> Path:
    """The resource's file in ``folder``, fetched unless it is there whole.

    A good copy in Maven's or PyTerrier's own folder is taken before the network is asked. What
    was cut off goes on where it stopped; only a file of the right sha256 gets its name.

    Args:
        resource: what to fetch.
        folder: where to; made if it is not there.
        base: address of a Maven repository, with a slash at its end; PyTerrier's own if empty.

    Raises:
        RunError: it cannot be had, or not be written.
    """
    target = folder / resource.file
    if not fault(resource, folder):
        return target
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _alone(folder / f"{resource.file}.part") as part:
            if fault(resource, folder):  # else another process has just fetched it
                if not _copy(resource, part):
                    _download(resource, part, base)
                part.flush()
                os.fsync(part.fileno())
                Path(part.name).replace(target)
    except OSError as error:
        raise RunError(f"{target} cannot be written: {error.strerror or error}") from error
    return target


@contextmanager
def _alone(path: Path) -> Iterator[BufferedRandom]:
    """A file to go on with where it ends, open in this process and in no other."""
    path.touch()
    with path.open("r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file


def _copy(resource: Resource, part: BufferedRandom) -> bool:
    """Takes a good copy from where Maven or PyTerrier keep theirs, if there is one."""
    try:
        user = Path.home()
    except RuntimeError:  # a user without a home
        return False
    for folder in (user / ".m2/repository" / Path(resource.path).parent, user / ".pyterrier"):
        if not fault(resource, folder):
            _empty(part)
            with (folder / resource.file).open("rb") as file:
                shutil.copyfileobj(file, part, 1 << 20)
            return True
    return False


def _download(resource: Resource, part: BufferedRandom, base: str) -> None:
    if not base:
        from pyterrier.java import mavenresolver

        base = str(mavenresolver.MAVEN_BASE_URL)
    reason = ""
    for attempt in range(TRIES):
        time.sleep(attempt)
        reason = _receive(resource, part, base)
        wrong = fault_of(resource, part)
        if not wrong:
            return
        reason = reason or f"what came {wrong}"
        if part.seek(0, os.SEEK_END) >= resource.bytes:
            _empty(part)  # whole and wrong: nothing to go on with
    raise RunError(
        f"{resource.file} could not be fetched: {reason}; connect to the network and call "
        f"./run.sh setup, or put the file into {Path(part.name).parent}"
    )


def _receive(resource: Resource, part: BufferedRandom, base: str) -> str:
    """Adds what is missing to ``part``; says what went wrong, if anything did."""
    have = part.seek(0, os.SEEK_END)
    headers = {"User-Agent": "argument-retrieval-pipeline"}
    if have:
        headers["Range"] = f"bytes={have}-"
    request = urllib.request.Request(base + resource.path, headers=headers)
    try:
        answer = urllib.request.urlopen(request, timeout=SILENCE, context=_trust())
    except urllib.error.HTTPError as error:
        _empty(part)  # 416 too: the server has nothing after what is here
        return f"HTTP {error.code}"
    except (OSError, HTTPException) as error:
        return str(getattr(error, "reason", error))
    with answer:
        if answer.status != 206:
            _empty(part)
        say(f"fetching {resource.file}, {(resource.bytes - part.tell()) / 1e6:.1f} MB")
        while part.tell() <= resource.bytes:
            try:
                chunk = answer.read(1 << 20)
            except (OSError, HTTPException) as error:
                return str(error)
            if not chunk:
                break
            part.write(chunk)
    return ""


@cache
def _trust() -> ssl.SSLContext:
    """The system's certificates, and certifi's for a Python that does not find those."""
    import certifi

    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


def _empty(part: BufferedRandom) -> None:
    part.seek(0)
    part.truncate()


def unpack_zstd(folder: Path) -> None:
    """Puts Terrier's native code for this machine beside the jar, if there is any.

    Raises:
        RunError: it cannot be written.
    """
    if not ZSTD:
        return
    target = folder / Path(ZSTD).name
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        with zipfile.ZipFile(folder / TERRIER.file) as jar:
            part.write_bytes(jar.read(ZSTD))
        part.replace(target)
    except OSError as error:
        raise RunError(f"{target} cannot be written: {error.strerror or error}") from error


def say(line: str) -> None:
    """Writes a line about the set-up to stderr."""
    sys.stderr.write(f"run.sh: {line}\n")
    sys.stderr.flush()


def main() -> None:
    """Fetches all that is missing into ``home()``."""
    try:
        for resource in RESOURCES:
            fetch(resource, home())
        unpack_zstd(home())
    except RunError as error:
        say(str(error))
        sys.exit(1)


if __name__ == "__main__":
    main()
