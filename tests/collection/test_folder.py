import gzip
import json
import os
import shutil
from pathlib import Path

import pytest

from pipeline.collection import folder as module
from pipeline.collection.folder import open_collection
from pipeline.errors import InputError


def collection_file(*docnos):
    return json.dumps({"arguments": [{"id": docno, "premises": []} for docno in docnos]}).encode()


@pytest.fixture
def folder(tmp_path):
    """A folder with two files of args.me, one of them packed, and what else may lie there."""
    (tmp_path / "b.json").write_bytes(collection_file("b"))
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(collection_file("a"), mtime=0))
    (tmp_path / "metadata.json").write_text('{"title": "args.me", "files": [{"arguments": []}]}')
    (tmp_path / "topics.xml").write_text("<topics/>")
    (tmp_path / "queries.jsonl").write_text("{}\n{}\n")
    (tmp_path / ".hidden.json").write_bytes(b"\0\5\26\7 not JSON")
    (tmp_path / "folder.json").mkdir()
    return tmp_path


def test_files_of_args_me_are_found_by_name(folder):
    collection = open_collection(folder)
    assert [file.name for file in collection.files] == ["a.json.gz", "b.json"]
    assert collection.folder == folder
    assert collection.report.skipped == ("metadata.json",)
    sizes = [(folder / name).stat().st_size for name in ("a.json.gz", "b.json")]
    assert collection.bytes == sum(sizes)


def test_arguments_can_be_read_again(folder):
    collection = open_collection(folder)
    for _ in range(2):
        told = []
        assert [one.docno for one in collection.arguments(told.append)] == ["a", "b"]
        assert sum(told) == collection.bytes
        assert collection.report.documents == 2
        assert collection.report.empty == 2
        assert collection.report.skipped == ("metadata.json",)


@pytest.mark.parametrize(
    ("names", "holds"),
    [
        ([], "nothing"),
        (["topics.xml", ".a.json"], "topics.xml"),
        (["b.txt", "a.json"], "a.json, b.txt"),
        (
            [f"{i:02}.txt" for i in range(12)],
            ", ".join(f"{i:02}.txt" for i in range(10)) + ", 2 more",
        ),
    ],
)
def test_folder_without_a_file_of_args_me(tmp_path, names, holds):
    for name in names:
        (tmp_path / name).write_text("{}")
    with pytest.raises(InputError) as raised:
        open_collection(tmp_path)
    expected = f'{tmp_path}: no file with "arguments"; the folder holds {holds}'
    assert raised.value.lines == (expected,)


def test_file_that_is_named_so_and_is_not_json(folder):
    (folder / "x.json").write_text("no JSON")
    with pytest.raises(InputError, match=r"^x\.json: JSON expected, found 'n' \(byte 0\)"):
        open_collection(folder)


def test_no_such_folder(tmp_path):
    with pytest.raises(InputError, match=r"gone: no such folder$"):
        open_collection(tmp_path / "gone")


def test_file_in_place_of_a_folder(folder):
    with pytest.raises(InputError, match=r"b\.json: a file, a folder expected$"):
        open_collection(folder / "b.json")


def test_folder_that_cannot_be_read(folder, monkeypatch):
    def refuse(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(InputError, match=r": cannot be read: Permission denied$"):
        open_collection(folder)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_file_that_cannot_be_read(folder):
    (folder / "b.json").chmod(0)
    with pytest.raises(InputError, match=r"b\.json: cannot be read: Permission denied$"):
        open_collection(folder)


def test_fingerprint_is_that_of_the_files_and_nothing_else(folder, tmp_path_factory):
    before = open_collection(folder).fingerprint()
    copy = tmp_path_factory.mktemp("another") / "place"
    shutil.copytree(folder, copy, copy_function=shutil.copyfile)
    os.utime(copy / "b.json", (0, 0))
    (copy / "metadata.json").write_text("[]")
    (copy / "topics.xml").write_text("<other/>")
    assert open_collection(copy).fingerprint() == before
    assert len(before) == 32


def test_fingerprint_changes_with_names_sizes_and_contents(folder):
    def fingerprint():
        return open_collection(folder).fingerprint()

    seen = [fingerprint()]
    (folder / "b.json").rename(folder / "c.json")
    seen.append(fingerprint())
    (folder / "c.json").write_bytes(collection_file("c"))
    seen.append(fingerprint())
    (folder / "c.json").write_bytes(collection_file("c") + b"\n")
    seen.append(fingerprint())
    (folder / "d.json").write_bytes(collection_file("d"))
    seen.append(fingerprint())
    assert len(set(seen)) == len(seen)


def test_fingerprint_of_a_long_file_is_of_blocks_over_all_of_it(folder, monkeypatch):
    """With 5 blocks of 4 bytes over 100: they begin at 0, 24, 48, 72 and 96."""
    monkeypatch.setattr(module, "BLOCK", 4)
    monkeypatch.setattr(module, "BLOCKS", 5)
    content = collection_file("x").ljust(100)
    file = folder / "b.json"
    file.write_bytes(content)
    collection = open_collection(folder)
    before = collection.fingerprint()
    seen = set()
    for place in range(100):
        file.write_bytes(content[:place] + b"#" + content[place + 1 :])
        if collection.fingerprint() != before:
            seen.add(place)
    begins = (0, 24, 48, 72, 96)
    assert seen == {begin + i for begin in begins for i in range(4)}
