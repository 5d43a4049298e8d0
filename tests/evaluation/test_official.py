import csv
import subprocess
import sys

import pytest

from pipeline.evaluation.official import OFFICIAL, of_file


@pytest.mark.parametrize("name", OFFICIAL)
def test_each_says_what_it_is(name):
    official = OFFICIAL[name]
    assert official.name == name
    assert official.source
    assert len(official.md5) == 32 * bool(official.files)
    assert list(official.grades) == sorted(official.grades)
    assert (official.question != "") == ("images" in name)


def test_no_two_share_a_file():
    """But the three that one file of images holds."""
    files = {}
    for official in OFFICIAL.values():
        for file in official.files:
            files.setdefault(file, set()).add((official.md5, official.name.rpartition("/")[0]))
    assert all(len(found) == 1 for found in files.values())


def test_a_hash_tells_more_than_a_name():
    quality = OFFICIAL["touche-2021/quality"]
    assert of_file("x.txt", quality.md5) == quality
    relevance = OFFICIAL["touche-2021/relevance"]
    assert of_file(relevance.files[0], quality.md5) == quality
    assert of_file(f"{relevance.files[0]}.gz", "") == relevance
    assert of_file("qrels.txt", "") is None


def test_all_that_published_rows_name(shared):
    rows = shared.parent / "design" / "facts" / "rows.tsv"
    if not rows.is_file():
        pytest.skip(f"{rows} is not there")
    with rows.open(encoding="utf-8") as stream:
        found = list(csv.DictReader(stream, delimiter="\t"))
    names = {row[f"judgements {n}"] for row in found for n in range(1, 5)} - {"", None}
    kiesel = {name for name in names if "/" not in name}
    assert names - kiesel <= set(OFFICIAL)


def test_names_are_known_without_anything_heavy():
    code = (
        "import sys; from pipeline.evaluation import names, official; names.parse('nDCG@5')\n"
        "names.parse('AP'); print({'numpy', 'pandas'} & set(sys.modules))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout == "set()\n"
