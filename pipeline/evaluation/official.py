"""The published judgements by name: their files, what their grades mean, what they judge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Official:
    """A published file of judgements, or what one such file says about one question."""

    name: str
    """As configs name it, ``touche-2021/relevance``."""
    files: tuple[str, ...]
    """The names that its file is known by."""
    md5: str
    """The hash of its file; "" if not known: then only its name tells it."""
    grades: Mapping[int, str]
    """What each grade means. One below 0 counts as 0."""
    topics: range
    """The numbers of its topics lie here; not each of them must be judged."""
    documents: str
    """The collection that it judges."""
    source: str
    """Where it was published."""
    question: str = ""
    """Of images: ``on-topic``, ``argumentative`` or ``on-stance``, all three from one file."""


QUESTIONS = ("on-topic", "argumentative", "on-stance")
"""What a file of judgements of images says."""

ARGSME, FIRST, CLUEWEB = "args.me 2020-04-01", "args.me 1.0", "ClueWeb12"

SCALE = {0: "not relevant", 1: "relevant", 2: "highly relevant"}
SPAM = {-2: "spam, no argument"}
QUALITY = {0: "low quality", 1: "sufficient quality", 2: "high quality"}
UNCORRECTED = SPAM | {
    1: "very low relevance",
    2: "low relevance",
    3: "moderate relevance",
    4: "high relevance",
    5: "very high relevance",
}
MORE = {0: "not relevant", 1: "little relevance", 2: "some relevance", 3: "most relevant"}
IMAGES = {0: "no", 1: "yes", 2: "yes, strongly"}


def _files() -> Iterable[Official]:
    """Hashes as ir_datasets lists them, and of the files themselves where they could be had."""
    zenodo = "Zenodo {}".format
    first = "touche2020-task1-relevance-args-me-corpus-version-{}.qrels".format
    yield Official(
        "touche-2020/relevance", (first("2020-04-01-corrected"),),
        "6a645e2ebd4f1d6c44da4d9509624598",
        SPAM | SCALE, range(1, 51), ARGSME, zenodo(6862281),
    )  # fmt: skip
    yield Official(
        "touche-2020/args-me-2020-04-01", (first("2020-04-01"),),
        "6a27d7123423540664ccfe0391e4e417",
        UNCORRECTED, range(1, 51), ARGSME, zenodo(6862281),
    )  # fmt: skip
    yield Official(
        "touche-2020/args-me-1.0", (first("1"),), "10f043e086818f9159ac37a9ebe5ce5d",
        UNCORRECTED, range(1, 51), FIRST, zenodo(6862281),
    )  # fmt: skip
    yield Official(
        "touche-2020-task2/relevance", ("touche2020-task2-relevance-withbaseline.qrels",),
        "b230436beb3a9eecbeb19c84ee6c855c",
        SCALE, range(1, 51), CLUEWEB, zenodo(6797876),
    )  # fmt: skip
    yield Official(
        "touche-2021/relevance", ("touche-task1-51-100-relevance.qrels",),
        "76b4e8348bde353167ce52ffa598a6b1",
        SPAM | SCALE, range(51, 101), ARGSME, zenodo(6798216),
    )  # fmt: skip
    yield Official(
        "touche-2021/quality", ("touche-task1-51-100-quality.qrels",),
        "c899bcab9b00fdd28f77d08a1d26298a",
        SPAM | QUALITY, range(51, 101), ARGSME, zenodo(6798216),
    )  # fmt: skip
    yield Official(
        "touche-2021-task2/relevance", ("touche-task2-51-100-relevance.qrels",),
        "970b48e0c057afaee17a7832100ab67c",
        SCALE, range(51, 101), CLUEWEB, zenodo(6798217),
    )  # fmt: skip
    yield Official(
        "touche-2021-task2/quality", ("touche-task2-51-100-quality.qrels",),
        "062bea3b8307ae481876fe31253092b5",
        QUALITY, range(51, 101), CLUEWEB, zenodo(6798217),
    )  # fmt: skip
    yield Official(
        "webis-argquality-20/relevance",
        ("webis-argquality-20-relevance.qrels", "webis-argquality20-relevance.qrels"),
        "ff009c638b0babce33ae9cc940766951",
        MORE, range(1, 51), "Webis-ArgQuality-20", "Gienapp et al. 2020",
    )  # fmt: skip
    for question in ("relevance", "argument", "trust"):
        yield Official(
            f"shahshahani-kamps/{question}", (), "", {}, range(1, 51),
            "", "Shahshahani and Kamps 2020; never published as a file",
        )  # fmt: skip
    images = Official(
        "touche-2022-images", ("touche-task3-001-050-relevance.qrels",),
        "83ec2d715d0205b68b9b63f9c30da784",
        IMAGES, range(1, 51), "Touché images 2022", zenodo(6873575),
    )  # fmt: skip
    later = Official(
        "touche-2023-images", ("touche-task3-051-100-relevance.qrels",),
        "3f1627f4f1b46c8bf8cd9c92cc2e5c68",
        IMAGES, range(51, 101), "Touché images 2023", "Touché 2023, Task 3",
    )  # fmt: skip
    for year in (images, later):
        for question in QUESTIONS:
            yield replace(year, name=f"{year.name}/{question}", question=question)


OFFICIAL: Mapping[str, Official] = {official.name: official for official in _files()}
"""All that configs may name without a file, by name."""


def of_file(name: str, md5: str) -> Official | None:
    """The official judgements that a file is by its hash, else by its name; of images the first.

    The one found by name may have another hash than the file: that is another file.
    """
    found = [one for one in OFFICIAL.values() if md5 and one.md5 == md5]
    found += [one for one in OFFICIAL.values() if name.removesuffix(".gz") in one.files]
    return found[0] if found else None
