"""Something that a store keeps: named by what made it, and made of other such things."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from pipeline.collection.folder import Collection
from pipeline.index.settings import IndexSettings

if TYPE_CHECKING:
    from pipeline.index.arrays.shards import Elsewhere

FORMAT = 2
"""Raised when something is kept in another way, or comes out otherwise of the same settings."""

Progress = Callable[[int], None]
Step = Callable[[str], AbstractContextManager[object]]


@dataclass(frozen=True)
class Made:
    """Something that is whole."""

    folder: Path
    record: Mapping[str, Any]
    """What it says of itself."""


Make = Callable[["Artifact"], Made]


@dataclass(frozen=True)
class Source:
    """A collection, as what is made of it knows it."""

    collection: Collection
    fingerprint: str
    progress: Progress | None = None
    """Called with bytes read."""
    elsewhere: Elsewhere | None = None
    """Who reads most of it; None: this machine."""


@dataclass(frozen=True)
class Artifact(ABC):
    """Something that is kept."""

    what: ClassVar[str]
    """What it is: a word for each way of making it."""

    source: Source

    @property
    def made_of(self) -> dict[str, Any]:
        """All that decides what it is."""
        return {"format": FORMAT, "what": self.what, "collection": self.source.fingerprint}

    @property
    def name(self) -> str:
        """Of its folder."""
        return hashlib.sha256(json.dumps(self.made_of).encode()).hexdigest()[:16]

    @abstractmethod
    def fill(self, folder: Path, make: Make, step: Step) -> dict[str, Any]:
        """Makes it in an empty folder, and gives what its record says: counts, report.

        Args:
            folder: is there.
            make: finds or makes what this is made of.
            step: entered with the name of each step.

        Raises:
            InputError: the collection is broken, or holds nothing to index.
            RunError: it cannot be made.
            OSError: the folder cannot be written.
        """


@dataclass(frozen=True)
class OfSettings(Artifact):
    """Something that depends on how a collection is indexed, too."""

    settings: IndexSettings

    @property
    def made_of(self) -> dict[str, Any]:
        """All that decides what it is."""
        return {**super().made_of, "settings": self.settings.key()}

    def about(self, counts: Mapping[str, int], report: object) -> dict[str, Any]:
        """What its record says: its counts, what was met while the collection was read, and how."""
        made_by = self.settings.model_dump(mode="json", exclude={"engine"})
        return {"counts": counts, "report": report, "made_by": made_by}
