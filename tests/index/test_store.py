"""Indexes that are kept: found when they fit, never used when they do not."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas as pd
import pytest

from pipeline.collection.folder import open_collection
from pipeline.errors import InputError, RunError
from pipeline.index import lock, record
from pipeline.index.models import BM25
from pipeline.index.settings import IndexSettings
from pipeline.index.store import Store

pytestmark = pytest.mark.terrier

ROOT = Path(__file__).parents[2]
TINY = ROOT / "tests" / "collection-tiny"
SETTINGS = IndexSettings()


@pytest.fixture
def collection():
    return open_collection(TINY)


@pytest.fixture(scope="session")
def kept(tmp_path_factory) -> Path:
    """A folder with the index of the tiny collection."""
    folder = tmp_path_factory.mktemp("kept")
    with Store(folder) as store:
        store.index(open_collection(TINY), SETTINGS)
    return folder


@pytest.fixture
def copy(kept, tmp_path) -> Path:
    return Path(shutil.copytree(kept, tmp_path / "indexes"))


def index_of(folder) -> Path:
    (found,) = [path for path in folder.iterdir() if not path.name.startswith(".")]
    return found


def search(index):
    topics = pd.DataFrame({"qid": ["1"], "query": ["should schools ban phones and uniforms"]})
    return index.retriever(BM25(), 10).transform(topics)


def bytes_read(collection, folder, settings=SETTINGS, say=lambda line: None):
    """Opens the index; gives it, and how much of the collection was read for that."""
    read = []
    with Store(folder, say) as store:
        return store.index(collection, settings, read.append), sum(read)


# ----------------------------------------------------------------------------------- found again


def test_it_is_built_once(collection, copy):
    before = {path: path.stat().st_mtime_ns for path in copy.rglob("*")}
    index, read = bytes_read(collection, copy)
    assert read == 0
    assert {path: path.stat().st_mtime_ns for path in copy.rglob("*")} == before
    assert len(index) == len(index.texts) > 50
    assert not search(index).empty


def test_nothing_but_the_index_is_left_in_the_folder(kept):
    assert [path.name for path in kept.iterdir()] == [index_of(kept).name]
    assert sorted(path.name for path in index_of(kept).iterdir()) == [
        "index.json",
        "terrier",
        "texts",
    ]


def test_what_was_met_while_reading_is_kept(collection, kept):
    bytes_read(collection, kept)
    found = collection.report
    list(collection.arguments())
    assert found == collection.report
    assert found.documents > 50


def test_the_texts_are_those_of_the_collection(collection, kept):
    index, _ = bytes_read(collection, kept)
    arguments = list(collection.arguments())[:5]
    docnos = [one.docno for one in arguments]
    expected = [" ".join(filter(None, (one.conclusion, one.premises))) for one in arguments]
    assert index.text(docnos) == expected


def test_other_settings_and_other_collections_have_their_own(collection, copy, tmp_path):
    _, read = bytes_read(collection, copy, IndexSettings(stemmer="none"))
    assert read == collection.bytes
    other = Path(shutil.copytree(TINY, tmp_path / "other"))
    file = other / "debateorg.json"
    file.write_bytes(file.read_bytes().replace(b"school", b"schule", 1))
    _, read = bytes_read(open_collection(other), copy)
    assert read > 0
    assert len(list(copy.iterdir())) == 3
    for again in (IndexSettings(stemmer="none"), SETTINGS):
        assert bytes_read(collection, copy, again)[1] == 0


def test_the_folder_of_the_collection_may_move(copy, tmp_path):
    moved = Path(shutil.copytree(TINY, tmp_path / "moved"))
    index, read = bytes_read(open_collection(moved), copy)
    assert read == 0
    assert index.text(search(index)["docno"].tolist()[:2])


# --------------------------------------------------------------------------------- never used


def truncated(folder):
    file = folder / "terrier" / "data.inverted.bf"
    os.truncate(file, file.stat().st_size - 1)


def flipped(name, place):
    def damage(folder):
        content = bytearray((folder / name).read_bytes())
        content[place] ^= 1
        (folder / name).write_bytes(content)

    return damage


def without(name):
    return lambda folder: (folder / name).unlink()


def of_another(folder):
    """As if the folder had been renamed by hand: the index of other settings."""
    with Store(folder.parent) as store:
        store.index(open_collection(TINY), IndexSettings(stemmer="none"))
    (other,) = [path for path in folder.parent.iterdir() if path != folder]
    shutil.rmtree(folder)
    other.rename(folder)


def emptied(folder):
    shutil.rmtree(folder)
    folder.mkdir()


def replaced(folder):
    (folder / "index.json").write_text('{"index": [], "xxh3": "0"}')


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (truncated, "terrier/data.inverted.bf is damaged"),
        (flipped("index.json", 60), "index.json is damaged"),
        (flipped("index.json", -20), "index.json is damaged"),
        (flipped("terrier/data.properties", 200), "terrier/data.properties is damaged"),
        (flipped("terrier/data.direct.bf", 10), "terrier/data.direct.bf is damaged"),
        (flipped("texts/docnos.txt", 5), "texts/docnos.txt is damaged"),
        (without("index.json"), "index.json cannot be read: No such file or directory"),
        (without("terrier/data.meta.idx"), "data.meta.idx cannot be read"),
        (emptied, "index.json cannot be read"),
        (replaced, "index.json is damaged"),
        (of_another, "it was made with other settings"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_what_does_not_fit_is_named_and_built_anew(collection, copy, damage, why):
    expected = search(bytes_read(collection, copy)[0])
    damage(index_of(copy))
    said = []
    index, read = bytes_read(collection, copy, say=said.append)
    assert read == collection.bytes
    (line,) = said
    assert line.startswith(f"{index_of(copy)}: not used, {why}")
    pd.testing.assert_frame_equal(search(index), expected)
    assert bytes_read(collection, copy)[1] == 0


@pytest.mark.parametrize("place", range(0, 400, 37))
def test_no_byte_of_the_record_can_change_what_it_says(kept, tmp_path, place):
    folder = Path(shutil.copytree(index_of(kept), tmp_path / "one"))
    whole = json.loads((folder / "index.json").read_text())["index"]
    made_of = {key: whole[key] for key in ("format", "engine", "collection", "settings")}
    assert record.read(folder, made_of) == whole
    flipped("index.json", place)(folder)
    with contextlib.suppress(record.UnfitError):
        assert record.read(folder, made_of) == whole


# ------------------------------------------------------------------------------ folders that fail


@pytest.fixture
def read_only(copy):
    """A folder with an index that nobody may write, nor its owner."""
    for path in [*copy.rglob("*"), copy]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield copy
    for path in [copy, *copy.rglob("*")]:
        path.chmod(0o755)


def as_others(code):
    """Runs code in a process without root's power to write everywhere; gives what it prints."""
    without = []
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("root writes everywhere, and there is no setpriv")
        without = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
    with child(code, without) as process:
        return process.communicate(timeout=60)[0]


def test_a_folder_that_cannot_be_written_will_do_if_the_index_is_there(read_only):
    code = (
        "import pandas as pd\n"
        "from pipeline.index.models import BM25\n"
        f"index = Store(Path({str(read_only)!r}), say).index(collection, IndexSettings(), say)\n"
        "topics = pd.DataFrame({'qid': ['1'], 'query': ['school']})\n"
        "print(len(index.retriever(BM25(), 3).transform(topics)))\n"
    )
    assert as_others(code) == "3\n"


def test_a_folder_that_cannot_be_written_is_told(read_only):
    code = (
        f"try: Store(Path({str(read_only)!r}), say).index(collection, IndexSettings(stemmer='none'))\n"
        "except Exception as error: print(type(error).__name__, error)\n"
    )
    said = as_others(code)
    assert said.startswith(
        f"InputError {read_only}: cannot be written: Permission denied; it holds"
    )


def test_a_file_is_no_folder(collection, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        bytes_read(collection, tmp_path / "file")


def test_a_broken_collection_leaves_nothing(tmp_path):
    broken = Path(shutil.copytree(TINY, tmp_path / "broken"))
    file = broken / "idebate.json"
    file.write_bytes(file.read_bytes()[:-200])
    with pytest.raises(InputError, match=r"idebate\.json"):
        bytes_read(open_collection(broken), tmp_path / "indexes")
    assert list((tmp_path / "indexes").iterdir()) == []


# --------------------------------------------------------------------- kept by nobody, and killed


def test_without_a_folder_nothing_stays(collection, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with Store() as store:
        assert not search(store.index(collection, SETTINGS)).empty
        assert list(tmp_path.iterdir()) == [store.folder]
    assert list(tmp_path.iterdir()) == []


def test_it_is_removed_when_the_run_fails(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(KeyboardInterrupt), Store():
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_no_folder_for_temporary_files_is_told(monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/nonexistent")
    with pytest.raises(RunError, match="set TMPDIR"):
        Store()


def child(code, prefix=(), **environment):
    """Runs code in a process of its own, the tiny collection at hand."""
    before = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from pipeline.collection.folder import open_collection\n"
        "from pipeline.index.settings import IndexSettings\n"
        "from pipeline.index.store import Store\n"
        f"collection = open_collection(Path({str(TINY)!r}))\n"
        "def say(line): print(line, flush=True)\n"
    )
    return subprocess.Popen(
        [*prefix, sys.executable, "-c", before + code],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.PIPE,
        text=True,
    )


HALF_WAY = (
    "class Slow(type(collection)):\n"
    "    def arguments(self, progress=None):\n"
    "        for number, one in enumerate(super().arguments(progress)):\n"
    "            if number == 20: print('half', flush=True); time.sleep(60)\n"
    "            yield one\n"
    "slow = Slow(collection.folder, collection.files)\n"
)


def test_what_a_killed_process_built_is_swept(collection, tmp_path, monkeypatch):
    folder, temporary = tmp_path / "indexes", tmp_path / "tmp"
    temporary.mkdir()
    for given in (f"Path({str(folder)!r})", "None"):
        code = HALF_WAY + f"Store({given}, say).index(slow, IndexSettings())"
        with child(code, TMPDIR=str(temporary)) as process:
            assert process.stdout.readline() == "half\n"
            process.send_signal(signal.SIGKILL)
    (left,) = folder.iterdir()
    assert left.name.startswith(".")
    assert len(list(temporary.iterdir())) == 1
    said = []
    assert bytes_read(collection, folder, say=said.append)[1] == collection.bytes
    assert said == []
    assert not index_of(folder).name.startswith(".")
    assert len(list(folder.iterdir())) == 1
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    with Store() as store:
        assert list(temporary.iterdir()) == [store.folder]


def test_two_processes_build_one_index(collection, tmp_path):
    folder = tmp_path / "indexes"
    slow = HALF_WAY.replace("sleep(60)", "sleep(3)")
    open_it = f"print(len(Store(Path({str(folder)!r}), say).index({{}}, IndexSettings(), read)))"
    count = "def read(step): print('read', flush=True)\n"
    with child(slow + count + open_it.format("slow")) as first:
        assert "half\n" in iter(first.stdout.readline, "")
        with child(count + open_it.format("collection")) as second:
            out, _ = second.communicate(timeout=60)
        first.communicate(timeout=60)
    assert (first.returncode, second.returncode) == (0, 0)
    waiting, number = out.splitlines()
    assert waiting.endswith("another process builds this index; waiting for it")
    assert int(number) == len(bytes_read(collection, folder)[0])
    assert len(list(folder.iterdir())) == 1


def test_a_folder_in_use_is_not_swept(tmp_path):
    with lock.alone(tmp_path / "a", lambda: None) as mine:
        assert mine
        code = f"from pipeline.index import lock; lock.remove_left(Path({str(tmp_path)!r}), '*')"
        with child(code) as process:
            assert process.wait() == 0
        assert (tmp_path / "a").is_dir()
    lock.remove_left(tmp_path, "*")
    assert not (tmp_path / "a").exists()


def test_a_link_is_not_followed(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "mine")
    lock.remove_left(tmp_path, "link")
    assert (tmp_path / "mine").is_dir()
    assert list((tmp_path / "mine").iterdir()) == []


def test_long_docnos_only_make_it_start_again(tmp_path):
    docno = "x" * 200
    folder = tmp_path / "in"
    folder.mkdir()
    arguments = [
        {"id": name, "conclusion": "c", "premises": [{"text": text, "stance": "PRO"}]}
        for name, text in (("a", "red"), (docno, "blue"))
    ]
    (folder / "x.json").write_text(json.dumps({"arguments": arguments}))
    index, _ = bytes_read(open_collection(folder), tmp_path / "indexes")
    topics = pd.DataFrame({"qid": ["1"], "query": ["blue"]})
    assert index.retriever(BM25(), 5).transform(topics)["docno"].tolist() == [docno]
    assert index.text([docno]) == ["c blue"]
