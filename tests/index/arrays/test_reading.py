"""Several processes give what one gives, to the byte, whatever the collection looks like."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipeline.collection.argsme import Place
from pipeline.collection.folder import open_collection
from pipeline.collection.middle import middle
from pipeline.errors import InputError
from pipeline.index.arrays import processes, reading
from pipeline.index.arrays.shard import read_shard
from pipeline.index.arrays.shards import Elsewhere, Others, Reader, Shard

ROOT = Path(__file__).parents[3]


def argument(docno, text="Yes, zoos.", **more):
    return {
        "id": docno,
        "conclusion": "Zoos",
        "premises": [{"text": text, "stance": "PRO"}],
        **more,
    }


ARGUMENTS = [
    argument(f"a{n}", f"word{n} all" * (n % 5), context={"topic": f"t{n}"}) for n in range(40)
]


@pytest.fixture
def write(tmp_path):
    """Writes files, each a list of arguments or the bytes of one, and gives the collection."""

    def run(*files, **layout):
        folder = tmp_path / "in"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        layout = layout or {"separators": (",", ":")}
        for number, content in enumerate(files):
            if not isinstance(content, bytes):
                content = json.dumps({"arguments": content}, **layout).encode()
            (folder / f"{number}.json").write_bytes(content)
        return open_collection(folder)

    return run


class AtOnce(Reader):
    """Reads a shard before anything else is done."""

    def __init__(self, shard):
        self.left = shard.bytes
        with contextlib.suppress(InputError):
            read_shard(shard)

    def more(self):
        left, self.left = self.left, 0
        return left

    def reads(self):
        return False

    def stop(self):
        pass


def at_once(shards):
    return [*map(AtOnce, shards)]


def read(collection, folder, shards=None, start=at_once):
    """What is written, reported and told; or the error."""
    told = []
    folder.mkdir(parents=True)
    elsewhere = shards and Elsewhere(shards, start)
    try:
        reading.read(collection, folder, told.append, elsewhere)
    except InputError as error:
        return str(error)
    files = {str(path.relative_to(folder)): path.read_bytes()
             for path in folder.rglob("*") if path.is_file()}  # fmt: skip
    assert [*folder.parent.iterdir()] == [folder]
    assert sum(told) == collection.bytes
    return files, collection.report


@pytest.fixture
def same(tmp_path):
    """Reads a collection in one shard and in several, compares, and gives what came out."""

    def run(collection, shards=2, start=at_once):
        one, more = (read(collection, tmp_path / f"by-{n}" / "it", n, start) for n in (1, shards))
        for n in (1, shards):
            shutil.rmtree(tmp_path / f"by-{n}")
        assert one == more
        return one

    return run


# ------------------------------------------------------------------------------- a guess that fits


@pytest.fixture
def cut(monkeypatch):
    """Cuts collections at these places."""

    def run(*places):
        monkeypatch.setattr(reading, "cuts", lambda _files, shards: [*places][: shards - 1])

    return run


@pytest.mark.parametrize("share", [0.02, 0.5, 0.75, 0.97])
def test_real_arguments_cut_in_each_file(shared, same, taken, cut, share):
    collection = open_collection(shared / "argsme-mini")
    cut(middle(collection.files, share))
    same(collection)
    assert taken == [1]


@pytest.mark.parametrize("start", [at_once, processes.start])
def test_real_arguments_in_many_shards(shared, same, taken, start):
    same(open_collection(shared / "argsme-mini"), 4, start)
    assert taken == [3]


def test_as_many_shards_as_there_are_arguments_or_fewer(write, same, taken):
    same(write(ARGUMENTS[:2], ARGUMENTS[2:4]), 30)
    assert taken == [3]
    same(write(ARGUMENTS[:1]), 30)
    assert taken == [3]


@pytest.mark.parametrize(
    "layout",
    [{"indent": 1}, {"separators": (" ,\r\n", "\t:\n")}, {"sort_keys": True}],
    ids=lambda layout: next(iter(layout)),
)
def test_layouts(write, same, taken, layout):
    same(write(ARGUMENTS[:25], ARGUMENTS[25:], **layout))
    same(write(ARGUMENTS[:25], ARGUMENTS[25:], **layout), 4)
    assert taken == [1, 3]


def test_cut_between_files(write, same, taken, cut):
    cut(Place(1, 0), Place(2, 0))
    same(write(ARGUMENTS[:1], ARGUMENTS[1:3], ARGUMENTS[3:]), 3)
    same(write([], ARGUMENTS[1:3], ARGUMENTS[3:]), 3)
    assert taken == [2, 2]


def test_ids_doubled_within_a_half(write, same, taken):
    _, report = same(write([*ARGUMENTS[:20], ARGUMENTS[0], *ARGUMENTS[20:], ARGUMENTS[-1]]))
    assert (report.doubled, report.doubled_ids) == (2, ["a0", "a39"])
    assert taken == [1]


# --------------------------------------------------------------------------- a guess that does not


def test_an_object_in_an_argument_that_looks_like_one(write, same, taken):
    inner = [{"id": f"x{n}", "text": "no", "conclusion": '},{"id":"z"'} for n in range(200)]
    same(write([argument("a"), argument("b", more=inner), argument("c")]))
    assert taken == [0]


def test_a_text_that_looks_like_arguments(write, same, taken):
    text = '{"id":"x","premises":[]},' * 300
    for given in (
        [argument("a", text), argument("b", text)],
        [argument("a", context={"sourceText": text})] * 1,
    ):
        same(write(given, ARGUMENTS))
    assert taken == [1, 1]


@pytest.mark.parametrize("place", [Place(0, 1), Place(0, 12), Place(0, 10**6), Place(5, 0)])
def test_any_other_place(write, same, taken, cut, place):
    cut(place)
    same(write(ARGUMENTS[:20], ARGUMENTS[20:]))
    assert taken == [0]


def test_a_wrong_guess_between_right_ones(write, same, taken, cut):
    """The shard before it goes on to the next; what was read from it on is not looked at."""
    collection = write(ARGUMENTS[:20], ARGUMENTS[20:])
    first, second = (middle(collection.files, share) for share in (0.2, 0.9))
    cut(first, Place(first.file, first.offset + 1), Place(0, 10**6), Place(1, 0), second)
    same(collection, 6)
    assert taken == [3]
    cut(Place(0, 1), first, Place(1, 0))
    same(collection, 4)
    assert taken == [3, 2]


def test_ids_doubled_across_the_shards(write, same, taken):
    _, report = same(write([*ARGUMENTS, ARGUMENTS[3], argument("new")]))
    assert (report.doubled, report.documents) == (1, 41)
    same(write([*ARGUMENTS[:20], *ARGUMENTS[:20]]))
    assert taken == [0, 0]
    same(write([*ARGUMENTS[:20], ARGUMENTS[2], *ARGUMENTS[20:]]), 6)
    assert 0 < taken[2] < 5, "those behind both are taken"


# ------------------------------------------------------------------------------------- what is broken


GOOD = json.dumps({"arguments": ARGUMENTS}, separators=(",", ":")).encode()
LATE = GOOD.rindex(b'"premises"')


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (GOOD[:LATE] + b"premises" + GOOD[LATE + 10 :], r"0\.json: argument 40 \(byte 4,\d\d\d\)"),
        (GOOD.replace(b"word33", b"\xff"), "0.json: argument 34 .*broken UTF-8"),
        (GOOD[:-60], "0.json: argument 40 .*the file ends inside it"),
        (GOOD[:-2] + b'],"arguments":[]}', 'only one "arguments" expected'),
        (GOOD + b"}", "the end of the file expected"),
        (GOOD.replace(b"word3 ", b"\xff"), "0.json: argument 4 .*broken UTF-8"),
    ],
)  # fmt: skip
def test_errors_are_those_of_one_process(write, same, taken, content, words):
    for shards in (2, 5):
        error = same(write(content, ARGUMENTS[:1]), shards)
        assert isinstance(error, str)
        assert re.search(words, error), error
    assert taken == [0, 0]


@pytest.mark.parametrize("program", ["pipeline.no_such", "this", "pipeline.index.arrays.cores"])
def test_a_process_that_fails_or_leaves_nothing(write, same, taken, monkeypatch, program):
    monkeypatch.setattr(processes, "PROGRAM", program)
    same(write(ARGUMENTS), 2, processes.start)
    assert taken == [0]


def test_no_process_at_all(write, same, taken, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    same(write(ARGUMENTS), 2, processes.start)
    assert taken == []


@pytest.mark.parametrize(("killed", "left"), [(1, 2), (2, 1), (3, 0)])
def test_a_process_that_is_killed(write, same, taken, killed, left):
    """What lies behind its shard is taken all the same."""

    def start(shards):
        started = at_once(shards[: killed - 1])
        dead = processes.Process(shards[killed - 1])
        dead._process.kill()
        return [*started, dead, *at_once(shards[killed:])]

    same(write(ARGUMENTS), 4, start)
    assert taken == [left]


# --------------------------------------------------------------------------- who begins, who ends


def test_small_and_packed_collections_are_read_alone(write, taken, tmp_path, monkeypatch):
    collection = write(ARGUMENTS)
    read(collection, tmp_path / "small" / "it")
    assert taken == []
    monkeypatch.setattr(reading, "ALONE", 1)
    for number in (1, 2):
        monkeypatch.setattr(reading, "cores", lambda number=number: number)
        read(collection, tmp_path / f"large-{number}" / "it")
    assert taken == [1]


@pytest.fixture
def endless(tmp_path):
    """A file from which nobody ever comes back."""
    os.mkfifo(tmp_path / "0.json")
    return tmp_path / "0.json"


def is_there(process):
    try:
        return (
            f"\n{process} " if "zombie" not in Path(f"/proc/{process}/status").read_text() else ""
        )
    except FileNotFoundError:
        return ""


def shard(file, folder):
    return Shard(str(folder / "1"), (str(file),), (9,), Place(0, 1), ())


def test_it_ends_when_it_is_left(endless, tmp_path):
    def stopped():
        one = shard(endless, folder)
        reader = processes.Process(one)
        with Others([one], [reader], folder, 9):
            left.append(reader._process.pid)
            assert is_there(left[0])
            raise KeyboardInterrupt

    folder = tmp_path / "it" / "shards"
    folder.mkdir(parents=True)
    left = []
    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert not is_there(left[0])
    assert [*folder.parent.iterdir()] == []
    assert {path.name for path in tmp_path.iterdir()} == {"0.json", "it"}


def test_it_ends_when_who_started_it_is_killed(endless, tmp_path):
    code = (
        "import time; from pipeline.collection.argsme import Place\n"
        "from pipeline.index.arrays.processes import Process\n"
        "from pipeline.index.arrays.shards import Shard\n"
        f"one = Shard({str(tmp_path / '1')!r}, ({str(endless)!r},), (9,), Place(0, 1), ())\n"
        "print(Process(one)._process.pid, flush=True); time.sleep(60)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True
    ) as parent:
        child = int(parent.stdout.readline())
        while not [*tmp_path.glob(".1.*.part/tokens")]:
            time.sleep(0.01)
        assert is_there(child)
        parent.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 30
    while is_there(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_there(child)
