"""What is fetched once (by ``download``): Terrier's two jars, each known by its sha256."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from dataclasses import dataclass
from io import BufferedRandom, BufferedReader
from pathlib import Path

from pipeline.errors import RunError


@dataclass(frozen=True)
class Resource:
    """A file that the program needs and that no Python package holds."""

    name: str
    coordinates: str
    """Where it stands in a Maven repository: ``group:artifact:version[:classifier]``."""
    sha256: str
    bytes: int
    licence: str
    needed_by: str

    @property
    def version(self) -> str:
        """The third of its coordinates."""
        return self.coordinates.split(":")[2]

    @property
    def file(self) -> str:
        """Its file name, in a Maven repository and here."""
        return "-".join(self.coordinates.split(":")[1:]) + ".jar"

    @property
    def path(self) -> str:
        """Its path in a Maven repository."""
        group, artifact, version, *_ = self.coordinates.split(":")
        return f"{group.replace('.', '/')}/{artifact}/{version}/{self.file}"


TERRIER = Resource(
    name="Terrier",
    coordinates="org.terrier:terrier-assemblies:5.11:jar-with-dependencies",
    sha256="6bd866e152573c1cb7e7ffbd731f13b48992dc926c0c34806f72e8c80935554c",
    bytes=104_445_177,
    licence="MPL-1.1",
    needed_by="engine terrier: the indexer and the weighting models",
)
HELPER = Resource(
    name="PyTerrier's helper",
    coordinates="org.terrier:terrier-python-helper:0.0.8",
    sha256="87a8040827f26bc352aeb76c46aedfb12226566853838222b0fbd790e6c9df4c",
    bytes=37_524,
    licence="MPL-1.1",
    needed_by="engine terrier: hands documents from Python to Terrier",
)
RESOURCES = (TERRIER, HELPER)

ZSTD = {
    ("Linux", "x86_64"): "linux/amd64/libzstd-jni-1.4.9-5.so",
    ("Linux", "aarch64"): "linux/aarch64/libzstd-jni-1.4.9-5.so",
    ("Darwin", "x86_64"): "darwin/x86_64/libzstd-jni-1.4.9-5.dylib",
    ("Darwin", "arm64"): "darwin/aarch64/libzstd-jni-1.4.9-5.dylib",
}.get((platform.system(), platform.machine()), "")
"""Native code in Terrier's jar for this machine. It is put beside the jar once: Java would unpack
it at every start into its temporary folder, and fail where that is read-only or noexec."""


def home() -> Path:
    """The folder of the jars: ``PYTERRIER_HOME``, else one inside the Python environment."""
    given = os.environ.get("PYTERRIER_HOME")
    return Path(given) if given else Path(sys.prefix) / "share" / "pyterrier"


def fault(resource: Resource, folder: Path) -> str:
    """What is wrong with the copy in ``folder``, byte for byte; the empty text if nothing is."""
    try:
        with (folder / resource.file).open("rb") as file:
            return fault_of(resource, file)
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read ({error.strerror})"


def fault_of(resource: Resource, file: BufferedReader | BufferedRandom) -> str:
    """What is wrong with the copy in an open file."""
    size = file.seek(0, os.SEEK_END)
    if size != resource.bytes:
        return f"has {size:,} bytes instead of {resource.bytes:,}"
    file.seek(0)
    found = hashlib.file_digest(file, "sha256").hexdigest()
    return "" if found == resource.sha256 else f"is damaged (its sha256 is {found[:12]}...)"


def require(folder: Path) -> None:
    """Checks every resource in ``folder``.

    Raises:
        RunError: one is missing or damaged.
    """
    for resource in RESOURCES:
        if wrong := fault(resource, folder):
            raise RunError(f"{folder / resource.file} {wrong}; ./run.sh setup fetches it again")
