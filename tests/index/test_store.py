"""Indexes that are kept: found when they fit, built when they are not there, by whom and how often."""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import pytest

from pipeline.analysis.wordlists import WordList
from pipeline.collection.folder import open_collection
from pipeline.errors import InputError, RunError
from pipeline.index import lock
from pipeline.index.artifact import Source
from pipeline.index.artifacts import Arrays, FastTerrier
from pipeline.index.builders import builder_of
from pipeline.index.models import BM25, RM3
from pipeline.index.settings import IndexSettings
from pipeline.index.store import Store

ROOT = Path(__file__).parents[2]
TINY = ROOT / "tests" / "collection-tiny"
TERRIER = IndexSettings()
ARRAYS = IndexSettings(engine="arrays")


@pytest.fixture
def collection():
    return open_collection(TINY)


@pytest.fixture(scope="session")
def kept(tmp_path_factory) -> Path:
    """A folder with all that is kept of the tiny collection."""
    folder = tmp_path_factory.mktemp("kept")
    collection = open_collection(TINY)
    with Store(folder) as store:
        store.make(FastTerrier(Source(collection, collection.fingerprint()), TERRIER))
    return folder


@pytest.fixture
def copy(kept, tmp_path) -> Path:
    return Path(shutil.copytree(kept, tmp_path / "indexes"))


KINDS = ("tokens", "arrays", "terrier")
"""What is kept of a collection, each named as the folder in it that the others do not have."""


def kept_in(folder, kind="terrier") -> Path:
    (found,) = [path for path in folder.iterdir() if (path / kind).is_dir()]
    return found


def search(index):
    topics = pd.DataFrame({"qid": ["1"], "query": ["should schools ban phones and uniforms"]})
    return index.retriever(BM25(), 10).transform(topics)


def bytes_read(collection, folder, settings=ARRAYS, say=lambda line: None, builder=None):
    """Opens the index; gives it, and how much of the collection was read for that."""
    read = []
    with Store(folder, say) as store:
        return store.index(collection, settings, read.append, builder), sum(read)


# ----------------------------------------------------------------------------------- found again


ENGINES = pytest.mark.parametrize(
    "settings",
    [ARRAYS, pytest.param(TERRIER, marks=pytest.mark.terrier)],
    ids=["arrays", "terrier"],
)


@ENGINES
def test_it_is_built_once(collection, copy, settings):
    before = {path: path.stat().st_mtime_ns for path in copy.rglob("*")}
    index, read = bytes_read(collection, copy, settings)
    assert read == 0
    assert {path: path.stat().st_mtime_ns for path in copy.rglob("*")} == before
    assert len(index) == len(index.texts) > 50
    assert not search(index).empty


def test_nothing_but_the_index_is_left_in_the_folder(kept):
    folders = {kept_in(kept, kind): kind for kind in KINDS}
    assert set(kept.iterdir()) == set(folders)
    for folder, kind in folders.items():
        assert {path.name for path in folder.iterdir()} == {"index.json", kind, "texts"}


def test_texts_are_on_the_disk_once(kept):
    files = [kept_in(kept, kind) / "texts" / "docnos.txt" for kind in KINDS]
    assert len({file.stat().st_ino for file in files}) == 1


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


def test_each_further_index_is_made_of_the_same_token_stream(collection, tmp_path):
    folder = tmp_path / "indexes"
    assert bytes_read(collection, folder)[1] == collection.bytes
    others = [
        IndexSettings(engine="arrays", stemmer="none"),
        IndexSettings(engine="arrays", tokeniser="utf"),
        IndexSettings(engine="arrays", stopwords=WordList(name="x", words=("school",))),
        IndexSettings(engine="arrays", fields={"a": ("premises",), "b": ("title", "author")}),
    ]
    for number, settings in enumerate(others, start=3):
        index, read = bytes_read(collection, folder, settings)
        assert read == 0
        assert len(index) == 70
        assert len(list(folder.iterdir())) == number
    for settings in others:
        assert bytes_read(collection, folder, settings)[1] == 0


def test_the_engine_makes_no_other_postings(kept, tmp_path):
    names = {path.name for path in kept.iterdir()}
    bytes_read(open_collection(TINY), tmp_path / "indexes")
    assert {path.name for path in (tmp_path / "indexes").iterdir()} < names


def test_other_collections_have_their_own(collection, copy, tmp_path):
    other = Path(shutil.copytree(TINY, tmp_path / "other"))
    file = other / "debateorg.json"
    file.write_bytes(file.read_bytes().replace(b"school", b"schule", 1))
    assert bytes_read(open_collection(other), copy)[1] > 0
    assert len(list(copy.iterdir())) == 5
    assert bytes_read(collection, copy)[1] == 0


def test_the_token_stream_is_read_when_it_is_needed(collection, tmp_path):
    """Feedback reads it; where it is gone, it is made again."""
    folder = tmp_path / "indexes"
    index, _ = bytes_read(collection, folder)
    shutil.rmtree(kept_in(folder, "tokens"))
    index, read = bytes_read(collection, folder)
    assert read == 0
    ranking = search(index)
    assert not (kept_in(folder, "arrays") / "tokens").exists()
    assert not index.expander(RM3()).transform(ranking).empty
    assert kept_in(folder, "tokens").is_dir()


def test_a_collection_that_changed_unseen_is_told(tmp_path):
    """Its fingerprint is of samples; the token stream, made again, is another."""
    first, second = tmp_path / "a", tmp_path / "b"
    for folder, word in ((first, "red"), (second, "blue")):
        folder.mkdir()
        texts = [{"id": "x", "premises": [{"text": f"{word:4} cats"}]}]
        (folder / "x.json").write_text(json.dumps({"arguments": texts}))
    before, after = open_collection(first), open_collection(second)
    after.fingerprint = before.fingerprint
    bytes_read(before, tmp_path / "indexes")
    shutil.rmtree(kept_in(tmp_path / "indexes", "tokens"))
    index, _ = bytes_read(after, tmp_path / "indexes")
    with pytest.raises(InputError, match="its files have changed since they were indexed; remove"):
        index.stream()


def test_the_folder_of_the_collection_may_move(copy, tmp_path):
    moved = Path(shutil.copytree(TINY, tmp_path / "moved"))
    index, read = bytes_read(open_collection(moved), copy)
    assert read == 0
    assert index.text(search(index)["docno"].tolist()[:2])


# ------------------------------------------------------------------------------------ the builder


TWO_FIELDS = IndexSettings(fields={"a": ("premises",), "b": ("conclusion",)})


def test_fast_is_taken_where_it_covers():
    assert builder_of(TERRIER, None) == builder_of(TERRIER, "fast") == "fast"
    assert builder_of(TERRIER, "terrier") == "terrier"
    assert builder_of(TWO_FIELDS, None) == "terrier"
    assert builder_of(TWO_FIELDS.model_copy(update={"engine": "arrays"}), None) == "fast"


@pytest.mark.parametrize(
    ("settings", "wanted", "words"),
    [
        (TWO_FIELDS, "fast", r"--builder fast does not cover several fields \(a, b\) for engine"),
        (ARRAYS, "terrier", "--builder terrier builds for engine: terrier, not for arrays"),
    ],
)
def test_who_does_not_cover_it_is_refused(settings, wanted, words, collection, tmp_path):
    with pytest.raises(InputError, match=words):
        bytes_read(collection, tmp_path / "indexes", settings, builder=wanted)
    assert not (tmp_path / "indexes").exists()


@pytest.mark.terrier
def test_what_fast_does_not_cover_terrier_builds_with_a_line(collection, tmp_path):
    for said in (["Terrier's own indexer is used: fast does not cover several fields (a, b) for "
                  "engine: terrier"], []):  # fmt: skip
        lines = []
        index, _ = bytes_read(collection, tmp_path / "indexes", TWO_FIELDS, lines.append)
        assert lines == said
        assert not search(index).empty


@pytest.mark.terrier
def test_each_builder_has_its_own_and_they_search_alike(collection, copy):
    fast, read = bytes_read(collection, copy, TERRIER)
    assert read == 0
    own, read = bytes_read(collection, copy, TERRIER, builder="terrier")
    assert read == collection.bytes
    assert fast.folder != own.folder
    pd.testing.assert_frame_equal(search(fast), search(own))
    assert bytes_read(collection, copy, TERRIER, builder="terrier")[1] == 0


def test_steps_are_told_in_their_order(collection, tmp_path):
    steps = []

    @contextmanager
    def step(name):
        assert steps == [] or steps[-1].startswith("/")
        steps.append(name)
        yield
        steps.append(f"/{name}")

    source = Source(collection, collection.fingerprint())
    with Store(tmp_path, step=step) as store:
        store.make(FastTerrier(source, TERRIER))
    assert steps[::2] == ["reading", "inverting", "writing Terrier's files"]
    steps.clear()
    with Store(tmp_path, step=step) as store:
        store.make(FastTerrier(source, TERRIER))
        store.make(FastTerrier(source, TERRIER))
    assert steps[::2] == ["opening"]


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
        f"index = Store(Path({str(read_only)!r}), say).index(collection, IndexSettings(engine='arrays'), say)\n"
        "topics = pd.DataFrame({'qid': ['1'], 'query': ['school']})\n"
        "print(len(index.retriever(BM25(), 3).transform(topics)))\n"
    )
    assert as_others(code) == "3\n"


def test_a_folder_that_cannot_be_written_is_told(read_only):
    code = (
        f"try: Store(Path({str(read_only)!r}), say).index(collection, IndexSettings(engine='arrays', stemmer='none'))\n"
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


@contextmanager
def files_limited_to(size):
    """As a full disk would cut them."""
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


FULL = r"the index cannot be written: .*; free some space"


@pytest.mark.parametrize(
    "name", ["tokens/tokens.i32", "texts/docnos.txt", "arrays/docs.npy", "arrays/terms.bin"]
)
def test_a_full_disk_is_told_and_leaves_nothing(collection, kept, tmp_path, name):
    kind = name.split("/")[0]
    size = (kept_in(kept, kind if kind in KINDS else "tokens") / name).stat().st_size
    with files_limited_to(size - 1), pytest.raises(RunError, match=FULL):
        bytes_read(collection, tmp_path / "indexes")
    assert list((tmp_path / "indexes").iterdir()) == []


def test_a_disk_that_is_full_at_any_of_terriers_files_is_told(collection, kept, tmp_path):
    source = Source(collection, collection.fingerprint())
    files = list((kept_in(kept) / "terrier").iterdir())
    assert len(files) >= 9
    with Store(tmp_path / "indexes") as store:
        store.make(Arrays(source, TERRIER))
        whole = set((tmp_path / "indexes").iterdir())
        for size in sorted({file.stat().st_size for file in files}):
            with files_limited_to(size - 1), pytest.raises(RunError, match=FULL):
                store.make(FastTerrier(source, TERRIER))
            assert set((tmp_path / "indexes").iterdir()) == whole
        store.make(FastTerrier(source, TERRIER))


def test_no_word_to_index_is_told(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    arguments = [{"id": name, "premises": [{"text": "the?!"}]} for name in "ab"]
    (folder / "x.json").write_text(json.dumps({"arguments": arguments}))
    said = "none of 2 arguments holds a word to index, with tokeniser: english and the fields text"
    with pytest.raises(InputError, match=said):
        bytes_read(open_collection(folder), tmp_path / "indexes")
    with pytest.raises(InputError, match=said):
        bytes_read(open_collection(folder), tmp_path / "indexes", TERRIER)


# --------------------------------------------------------------------- kept by nobody, and killed


def test_without_a_folder_nothing_stays(collection, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with Store() as store:
        assert not search(store.index(collection, ARRAYS)).empty
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
    "    def arguments(self, *given):\n"
    "        for number, one in enumerate(super().arguments(*given)):\n"
    "            if number == 20:\n"
    "                print('half', flush=True)\n"
    "                time.sleep(60)\n"
    "            yield one\n"
    "slow = Slow(collection.folder, collection.files)\n"
)


def test_what_a_killed_process_built_is_swept(collection, tmp_path, monkeypatch):
    folder, temporary = tmp_path / "indexes", tmp_path / "tmp"
    temporary.mkdir()
    for given in (f"Path({str(folder)!r})", "None"):
        code = HALF_WAY + f"Store({given}, say).index(slow, IndexSettings(engine='arrays'))"
        with child(code, TMPDIR=str(temporary)) as process:
            assert process.stdout.readline() == "half\n"
            process.send_signal(signal.SIGKILL)
    assert {path.name[0] for path in folder.iterdir()} == {"."}
    assert len(list(temporary.iterdir())) == 1
    said = []
    assert bytes_read(collection, folder, say=said.append)[1] == collection.bytes
    assert said == []
    assert {kept_in(folder, kind) for kind in ("tokens", "arrays")} == {*folder.iterdir()}
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    with Store() as store:
        assert list(temporary.iterdir()) == [store.folder]


def test_two_processes_build_one_index(collection, tmp_path):
    folder, go = tmp_path / "indexes", tmp_path / "go"
    until = f"\n                while not Path({str(go)!r}).exists(): time.sleep(0.01)"
    slow = HALF_WAY.replace("time.sleep(60)", until)
    open_it = f"print(len(Store(Path({str(folder)!r}), say).index({{}}, IndexSettings(engine='arrays'), read)))"
    count = "def read(step): print('read', flush=True)\n"
    with child(slow + count + open_it.format("slow")) as first:
        assert "half\n" in iter(first.stdout.readline, "")
        with child(count + open_it.format("collection")) as second:
            waiting = second.stdout.readline()
            go.touch()
            out, _ = second.communicate(timeout=60)
        first.communicate(timeout=60)
    assert (first.returncode, second.returncode) == (0, 0)
    assert waiting.endswith("another process builds this index; waiting for it\n")
    assert int(out) == len(bytes_read(collection, folder)[0])
    assert len(list(folder.iterdir())) == 2


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


@pytest.mark.terrier
@pytest.mark.parametrize("builder", ["fast", "terrier"])
def test_docnos_may_be_long(tmp_path, builder):
    docno = "x" * 200
    folder = tmp_path / "in"
    folder.mkdir()
    arguments = [
        {"id": name, "conclusion": "c", "premises": [{"text": text, "stance": "PRO"}]}
        for name, text in (("a", "red"), (docno, "blue"))
    ]
    (folder / "x.json").write_text(json.dumps({"arguments": arguments}))
    collection = open_collection(folder)
    index, _ = bytes_read(collection, tmp_path / "indexes", TERRIER, builder=builder)
    topics = pd.DataFrame({"qid": ["1"], "query": ["blue"]})
    assert index.retriever(BM25(), 5).transform(topics)["docno"].tolist() == [docno]
    assert index.text([docno]) == ["c blue"]
