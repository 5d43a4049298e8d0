import gzip
import json
import zlib
from unittest import mock

import numpy as np
import pytest

from pipeline.collection import texts as module
from pipeline.collection.folder import open_collection
from pipeline.collection.texts import FOLDER, Texts, TextsWriter
from pipeline.errors import InputError

NAMES = ("conclusion", "premises", "title", "author", "domain", "stance")
DOCNOS = [f"S{i}-{'x' * (i % 30)}" for i in range(60)] + ["\u65e5\u672c", "\U0001f600", "a,b", '"']


def argument(docno):
    return {
        "id": docno,
        "context": {
            "sourceText": f'The page of {docno}, "quoted"',
            "discussionTitle": f"title of {docno}",
            "author": f"author \u00e9 {docno}",
            "sourceDomain": None if docno.startswith("S1") else f"domain {docno}",
        },
        "conclusion": f"conclusion {docno}",
        "premises": [
            {"text": f"first \ud800 {docno}", "stance": "CON"},
            {"text": "second", "stance": "PRO"},
        ],
    }


def expected(docno):
    return {
        "conclusion": f"conclusion {docno}",
        "premises": f"first \ufffd {docno} second",
        "title": f"title of {docno}",
        "author": f"author \u00e9 {docno}",
        "domain": "" if docno.startswith("S1") else f"domain {docno}",
        "stance": "CON",
    }


@pytest.fixture(params=[("a.json", "b.json"), ("a.json", "b.json.gz"), ("a.json.gz", "b.json.gz")])
def collection(request, tmp_path):
    """A folder with two files, plain or packed, half of the documents in each."""
    folder = tmp_path / "collection"
    folder.mkdir()
    for name, docnos in zip(request.param, (DOCNOS[:30], DOCNOS[30:]), strict=True):
        content = json.dumps(
            {"arguments": [argument(docno) for docno in docnos]}, indent=1
        ).encode()
        (folder / name).write_bytes(gzip.compress(content) if name.endswith("z") else content)
    return folder


@pytest.fixture
def index(collection, tmp_path):
    folder = tmp_path / "index"
    folder.mkdir()
    opened = open_collection(collection)
    writer = TextsWriter(folder, opened.files)
    for one in opened.arguments():
        writer.append(one)
    writer.save()
    return folder


@pytest.fixture
def texts(index, collection):
    return Texts(index, collection)


def test_documents_have_their_place_in_the_collection(texts):
    assert len(texts) == len(DOCNOS)
    assert texts.position(DOCNOS).tolist() == list(range(len(DOCNOS)))
    assert texts.position([DOCNOS[7], DOCNOS[2], DOCNOS[7]]).tolist() == [7, 2, 7]
    assert texts.position([]).tolist() == []


def test_parts_are_those_that_were_read(texts):
    parts = texts.parts(DOCNOS, NAMES)
    assert list(parts) == list(NAMES)
    for name in NAMES:
        assert parts[name] == [expected(docno)[name] for docno in DOCNOS]


def test_parts_come_in_the_order_asked_for(texts):
    asked = [DOCNOS[i] for i in (50, 3, 50, 63, 0, 31, 3)]
    parts = texts.parts(asked, ["title"])
    assert parts == {"title": [f"title of {docno}" for docno in asked]}
    assert texts.parts([], ["title", "stance"]) == {"title": [], "stance": []}


@pytest.mark.parametrize(
    "docno", ["S", "", "S0", "S0- ", "S0-\n", "\u65e5", "S1-\ud800", DOCNOS[5] + "x"]
)
def test_unknown_id_is_an_error(texts, collection, docno):
    assert docno not in DOCNOS
    with pytest.raises(InputError) as raised:
        texts.parts([DOCNOS[0], docno], ["title"])
    expected = f"{collection}: no document {docno!r}; the index holds 64 documents"
    assert raised.value.lines == (expected,)


def test_several_unknown_ids_are_counted(texts):
    with pytest.raises(InputError, match="no document 'p', nor 2 more;"):
        texts.position(["p", DOCNOS[0], "q", "r"])


def test_ids_with_the_same_hash_are_told_apart(collection, tmp_path):
    """The hash is drawn again until all differ: here only with the third seed."""

    def hashes(names, seed):
        weak = [len(name) % 2 if seed < 2 else zlib.crc32(name) for name in names]
        return module.np.array(weak, module.np.uint64)

    with mock.patch.object(module, "_hashes", hashes):
        opened = open_collection(collection)
        writer = TextsWriter(tmp_path, opened.files)
        for one in opened.arguments():
            writer.append(one)
        writer.save()
        assert json.loads((tmp_path / FOLDER / "files.json").read_bytes())["seed"] == 2
        assert Texts(tmp_path, collection).position(DOCNOS).tolist() == list(range(len(DOCNOS)))


def test_file_of_another_size_is_an_error(index, collection):
    file = next(file for file in collection.iterdir() if file.name.startswith("a"))
    size = file.stat().st_size
    file.write_bytes(file.read_bytes() + b"\n")
    with pytest.raises(InputError) as raised:
        Texts(index, collection)
    assert raised.value.lines == (
        f"{file}: has {size + 1:,} bytes, {size:,} when the index was built; build the index again",
    )


def test_file_that_is_gone_is_an_error(index, collection):
    file = next(file for file in collection.iterdir() if file.name.startswith("b"))
    file.unlink()
    with pytest.raises(InputError, match=r"b\.json.*: cannot be read: No such file"):
        Texts(index, collection)


@pytest.mark.parametrize("collection", [("a.json", "b.json")], indirect=True)
def test_file_of_the_same_size_with_other_arguments_gives_no_wrong_text(texts, collection):
    file = collection / "a.json"
    content = file.read_bytes()
    for changed in (
        content.replace(b'"S0-"', b'"T0-"', 1),
        content.replace(b'"S0-"', b'"S0-\xff', 1),
        b" " + content.rstrip(b"}"),
        b" " * len(content),
    ):
        file.write_bytes(changed)
        with pytest.raises(InputError, match="argument S0- is no longer at byte 20: the file has"):
            texts.parts(["S0-"], ["title"])
    file.write_bytes(content)
    assert texts.parts(["S0-"], ["title"]) == {"title": ["title of S0-"]}
    file.write_bytes(content[:-1])
    with pytest.raises(InputError, match=r"a\.json: has [0-9,]+ bytes"):
        texts.parts(["S0-"], ["title"])


def test_collection_may_move(index, collection, tmp_path):
    moved = collection.rename(tmp_path / "moved")
    assert Texts(index, moved).parts([DOCNOS[40]], ["stance"]) == {"stance": ["CON"]}


def test_index_holds_no_text_of_plain_files(index, collection):
    kept = b"".join(file.read_bytes() for file in (index / FOLDER).iterdir())
    assert b"conclusion" not in kept
    packed = [file for file in collection.iterdir() if file.suffix == ".gz"]
    assert (index / FOLDER / "blocks.bin").exists() == bool(packed)


def test_ids_by_their_places(texts):
    assert texts.docnos() == DOCNOS
    assert texts.docnos([3, 63, 3, 0]) == [DOCNOS[place] for place in (3, 63, 3, 0)]
    assert texts.docnos([]) == []


def test_documents_added_together_are_as_those_added_one_by_one(collection, tmp_path):
    found = open_collection(collection)
    if any(file.suffix == ".gz" for file in found.files):
        pytest.skip("what is packed is added one by one")
    arguments = list(found.arguments())
    spans = np.array([(one.file, one.start, one.end) for one in arguments[10:]], np.int64)
    for name, one_by_one in (("a", arguments), ("b", arguments[:10])):
        (tmp_path / name).mkdir()
        writer = TextsWriter(tmp_path / name, found.files)
        for argument in one_by_one:
            writer.append(argument)
        if name == "b":
            writer.extend([one.docno for one in arguments[10:]], spans)
        writer.save()
    for file in (tmp_path / "a" / FOLDER).iterdir():
        assert file.read_bytes() == (tmp_path / "b" / FOLDER / file.name).read_bytes()
