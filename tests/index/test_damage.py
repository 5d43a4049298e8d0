"""What is damaged on the disk, or was never finished: never used, named, and made anew."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.collection.folder import open_collection
from pipeline.index import lock, record
from pipeline.index.artifact import Source
from pipeline.index.artifacts import Arrays, FastTerrier, Tokens
from pipeline.index.settings import IndexSettings
from pipeline.index.store import Store

ROOT = Path(__file__).parents[2]
TINY = ROOT / "tests" / "collection-tiny"
KINDS = ("tokens", "arrays", "terrier")


def all_of(collection, settings=IndexSettings()):  # noqa: B008
    source = Source(collection, collection.fingerprint())
    return Tokens(source), Arrays(source, settings), FastTerrier(source, settings)


def made(folder, say=lambda line: None, settings=IndexSettings()):  # noqa: B008
    """Finds or makes all three; gives the bytes of all files, and how often it read."""
    read = []

    @contextlib.contextmanager
    def step(name):
        read.append(name)
        yield

    with Store(folder, say, step) as store:
        for artifact in all_of(open_collection(TINY), settings):
            store.make(artifact)
    return content(folder), read


def content(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != lock.LOCK
    }


@pytest.fixture(scope="session")
def whole(tmp_path_factory) -> Path:
    """A folder with all that is kept of the tiny collection."""
    folder = tmp_path_factory.mktemp("whole")
    made(folder)
    return folder


@pytest.fixture
def copy(whole, tmp_path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "indexes"))


def of_kind(folder, kind) -> Path:
    (found,) = [path for path in folder.iterdir() if (path / kind).is_dir()]
    return found


def flipped(file, place):
    damaged = bytearray(file.read_bytes())
    damaged[place] ^= 1
    file.write_bytes(damaged)


def cut(file):
    os.truncate(file, file.stat().st_size - 1)


def emptied(file):
    os.truncate(file, 0)


def grown(file):
    with file.open("ab") as out:
        out.write(b"\0")


DAMAGES = [
    lambda file: flipped(file, 0),
    lambda file: flipped(file, file.stat().st_size // 2),
    lambda file: flipped(file, -1),
    cut,
    emptied,
    grown,
    Path.unlink,
]


@pytest.mark.parametrize("kind", KINDS)
def test_every_file_is_looked_at(whole, tmp_path, kind):
    """Each file, with each damage in turn."""
    names = [name for name, held in content(of_kind(whole, kind)).items() if held]
    assert len(names) >= 10
    expected = content(whole)
    for number, name in enumerate(names):
        damage = DAMAGES[number % len(DAMAGES)]
        folder = tmp_path / str(number)
        shutil.copytree(whole, folder)
        damage(of_kind(folder, kind) / name)
        target, said = of_kind(folder, kind), []
        assert made(folder, said.append)[0] == expected
        (line,) = said
        assert line.startswith(f"{target}: not used, ")
        assert Path(name).name in line
        assert line.endswith("; it is built anew")


@pytest.mark.parametrize("damage", DAMAGES[:-1])
@pytest.mark.parametrize(
    ("kind", "name"),
    [("tokens", "tokens.i32"), ("arrays", "docs.npy"), ("terrier", "data.inverted.bf")],
)
def test_every_damage_is_seen(whole, copy, kind, name, damage):
    damage(of_kind(copy, kind) / kind / name)
    said = []
    assert made(copy, said.append)[0] == content(whole)
    assert [line.split(": not used, ")[1].split(";")[0] for line in said] == [
        f"{kind}/{name} is damaged"
    ]


@pytest.mark.parametrize(
    ("kind", "steps"),
    [
        ("tokens", ["reading"]),
        ("arrays", ["inverting"]),
        ("terrier", ["writing Terrier's files"]),
    ],
)
def test_only_what_is_damaged_is_made_anew(copy, kind, steps):
    flipped(of_kind(copy, kind) / "index.json", 60)
    assert [step for step in made(copy)[1] if step != "opening"] == steps


def test_one_damage_to_linked_texts_is_one_to_all(whole, tmp_path):
    made(tmp_path)
    flipped(of_kind(tmp_path, "arrays") / "texts" / "docnos.txt", 5)
    said = []
    assert made(tmp_path, said.append)[0] == content(whole)
    assert len(said) == 3


def test_another_in_its_place_is_not_used(whole, tmp_path):
    """As if folders had been renamed by hand."""
    made(tmp_path, settings=IndexSettings(stemmer="none"))
    for kind in ("arrays", "terrier"):
        shutil.rmtree(of_kind(tmp_path, kind))
        shutil.copytree(of_kind(whole, kind), tmp_path / of_kind(whole, kind).name)
    other, _ = made(tmp_path, settings=IndexSettings(stemmer="none"))
    for kind in ("arrays", "terrier"):
        places = [path for path in tmp_path.iterdir() if (path / kind).is_dir()]
        mine, theirs = sorted(places, key=lambda path: path.name == of_kind(whole, kind).name)
        shutil.rmtree(mine)
        theirs.rename(mine)
    said = []
    assert made(tmp_path, said.append, IndexSettings(stemmer="none"))[0].items() <= other.items()
    assert [line.partition("not used, ")[2] for line in said] == [
        "it was made with other settings; it is built anew"
    ] * 2


def test_a_record_of_an_older_version_is_not_used(whole, copy):
    folder = of_kind(copy, "arrays")
    about = json.loads((folder / "index.json").read_text())["index"] | {"format": 1}
    (folder / "index.json").unlink()
    record.write(folder, {key: value for key, value in about.items() if key != "files"})
    said = []
    assert made(copy, said.append)[0] == content(whole)
    assert "it was made by another version of this program" in said[0]


@pytest.mark.parametrize(("damage", "why"), [
    (lambda folder: (shutil.rmtree(folder), folder.mkdir()), "index.json cannot be read"),
    (lambda folder: (folder / "index.json").write_text('{"index": [], "xxh3": "0"}'), "index.json is damaged"),
    (lambda folder: (folder / "index.json").write_bytes(b"\xff"), "index.json is damaged"),
])  # fmt: skip
def test_what_is_no_record(whole, copy, damage, why):
    said, folder = [], of_kind(copy, "terrier")
    damage(folder)
    assert made(copy, said.append)[0] == content(whole)
    assert said[0].startswith(f"{folder}: not used, {why}")


@pytest.mark.parametrize("place", range(0, 600, 37))
def test_no_byte_of_the_record_can_change_what_it_says(whole, tmp_path, place):
    folder = Path(shutil.copytree(of_kind(whole, "arrays"), tmp_path / "one"))
    held = json.loads((folder / "index.json").read_text())["index"]
    made_of = {key: held[key] for key in ("format", "what", "collection", "settings")}
    assert record.read(folder, made_of) == held
    flipped(folder / "index.json", place)
    with contextlib.suppress(record.UnfitError):
        assert record.read(folder, made_of) == held


KILLED = """
import os, signal, sys
from pathlib import Path
from test_damage import made, content

whole, folder = Path(sys.argv[1]), Path(sys.argv[2])
expected = content(whole)

def build_and_die(moment):
    left = [moment]
    def at(event, arguments):
        if event == "open" and isinstance(arguments[2], int) and not arguments[2] & 3:
            return
        if event.split(".")[0] in ("open", "os", "shutil") and str(folder) in str(arguments):
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(at)
    made(folder)
    os._exit(0)

moment, status = 1, signal.SIGKILL
while status:
    process = os.fork()
    if not process:
        build_and_die(moment)
    _, status = os.waitpid(process, 0)
    there = {path.name for path in folder.iterdir()}
    assert {name for name in there if name[0] != "."} <= {path.name for path in whole.iterdir()}
    said = []
    for name in there:
        if name[0] != ".":
            assert content(folder / name).items() >= {
                key.partition("/")[2]: held for key, held in expected.items() if key.startswith(name)
            }.items(), (moment, name)
    if moment % 4 == 0:
        assert made(folder, said.append)[0] == expected, moment
        assert said == [], (moment, said)
        import shutil
        shutil.rmtree(folder)
        folder.mkdir()
    moment += 1
print(moment)
"""


def test_killed_at_any_moment_it_leaves_nothing_that_is_used(whole, tmp_path):
    """Killed at every file that is opened, linked, renamed or removed, one after the other.

    Three are killed in a row over what the ones before left; the fourth, too, then it is made.
    """
    (tmp_path / "indexes").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", KILLED, whole, tmp_path / "indexes"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(Path(__file__).parent)])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 50
