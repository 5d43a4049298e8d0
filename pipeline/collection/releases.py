"""How many arguments the known releases of args.me hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Release:
    """A published version of the corpus."""

    name: str
    record: str
    """Its record on Zenodo."""
    arguments: Mapping[str, int]
    """How many each of its files holds; files are named without ``.json``."""


RELEASES = (
    Release("1.0", "3274636", {"args-me": 387_692}),
    Release("1.0-cleaned", "4139439", {"args-me-1.0-cleaned": 382_545}),
    Release(
        "2020-04-01",
        "3734893",
        {
            "debateorg": 338_620,
            "debatepedia": 21_197,
            "debatewise": 14_353,
            "idebate": 13_522,
            "parliamentary": 48,
        },
    ),
)
"""As counted by ir_datasets."""


SAMPLE = 0.02
"""A collection with less than this share of a release's arguments is a sample, and meant as one."""


def differences(arguments: Mapping[str, int]) -> list[str]:
    """What differs from the releases whose files a collection has, a line a release.

    Args:
        arguments: how many arguments each file holds, by file name.
    """
    counts = {_stem(name): number for name, number in arguments.items()}
    lines = []
    for release in RELEASES:
        wrong = [
            f"{name}.json has {counts[name]:,} of {number:,}"
            if name in counts
            else f"{name}.json is not there"
            for name, number in release.arguments.items()
            if counts.get(name) != number
        ]
        meant = sum(counts.values()) >= SAMPLE * sum(release.arguments.values())
        if wrong and meant and counts.keys() & release.arguments.keys():
            lines.append(f"this is not args.me {release.name} as published: {', '.join(wrong)}")
    return lines


def release_of(files: Iterable[str], documents: int) -> str:
    """The name of the release with these files and as many arguments; "" if there is none."""
    stems = {_stem(file) for file in files}
    for release in RELEASES:
        if stems == set(release.arguments) and documents == sum(release.arguments.values()):
            return f"args.me {release.name}"
    return ""


def _stem(name: str) -> str:
    return name.removesuffix(".gz").removesuffix(".json")
