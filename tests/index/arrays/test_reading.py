"""Two processes give what one gives, to the byte, whatever the collection looks like."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from pipeline.collection import middle as middles
from pipeline.collection.argsme import Place
from pipeline.collection.folder import open_collection
from pipeline.errors import InputError
from pipeline.index.arrays import halves, reading
from pipeline.index.arrays.halves import Half

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


@pytest.fixture
def taken(monkeypatch):
    """Whether the work of each other process was taken, in their order."""
    seen = []

    class Seen(Half):
        def __exit__(self, *error):
            seen.append(self.work is not None)
            super().__exit__(*error)

    monkeypatch.setattr(reading, "Half", Seen)
    return seen


def read(collection, folder, processes):
    """What is written, reported and told; or the error."""
    told = []
    folder.mkdir()
    try:
        reading.read(collection, folder, told.append, processes)
    except InputError as error:
        return str(error)
    files = {str(path.relative_to(folder)): path.read_bytes()
             for path in folder.rglob("*") if path.is_file()}  # fmt: skip
    assert not (folder / reading.HALF).exists()
    assert sum(told) == collection.bytes
    return files, collection.report


@pytest.fixture
def same(tmp_path):
    """Reads a collection by one process and by two, compares, and gives what came out."""

    def run(collection):
        one, two = (read(collection, tmp_path / f"by-{n}", n) for n in (1, 2))
        for n in (1, 2):
            shutil.rmtree(tmp_path / f"by-{n}")
        assert one == two
        return one

    return run


# ------------------------------------------------------------------------------- a guess that fits


@pytest.mark.parametrize("share", [0.02, 0.5, 0.75, 0.97])
def test_real_arguments_cut_in_each_file(shared, same, taken, monkeypatch, share):
    monkeypatch.setattr(reading, "middle", partial(middles.middle, share=share))
    same(open_collection(shared / "argsme-mini"))
    assert taken == [True]


@pytest.mark.parametrize(
    "layout",
    [{"indent": 1}, {"separators": (" ,\r\n", "\t:\n")}, {"sort_keys": True}],
    ids=lambda layout: next(iter(layout)),
)
def test_layouts(write, same, taken, layout):
    same(write(ARGUMENTS[:25], ARGUMENTS[25:], **layout))
    assert taken == [True]


def test_cut_between_files(write, same, taken, monkeypatch):
    monkeypatch.setattr(reading, "middle", lambda _: Place(1, 0))
    same(write(ARGUMENTS[:1], ARGUMENTS[1:3], ARGUMENTS[3:]))
    assert taken == [True]


def test_ids_doubled_within_a_half(write, same, taken):
    _, report = same(write([*ARGUMENTS[:20], ARGUMENTS[0], *ARGUMENTS[20:], ARGUMENTS[-1]]))
    assert (report.doubled, report.doubled_ids) == (2, ["a0", "a39"])
    assert taken == [True]


# --------------------------------------------------------------------------- a guess that does not


def test_an_object_in_an_argument_that_looks_like_one(write, same, taken):
    inner = [{"id": f"x{n}", "text": "no", "conclusion": '},{"id":"z"'} for n in range(200)]
    same(write([argument("a"), argument("b", more=inner), argument("c")]))
    assert taken == [False]


def test_a_text_that_looks_like_arguments(write, same, taken):
    text = '{"id":"x","premises":[]},' * 300
    for given in (
        [argument("a", text), argument("b", text)],
        [argument("a", context={"sourceText": text})] * 1,
    ):
        same(write(given, ARGUMENTS))
    assert taken == [True, True]


@pytest.mark.parametrize("place", [Place(0, 1), Place(0, 12), Place(0, 10**6), Place(5, 0)])
def test_any_other_place(write, same, taken, monkeypatch, place):
    monkeypatch.setattr(reading, "middle", lambda _: place)
    same(write(ARGUMENTS[:20], ARGUMENTS[20:]))
    assert taken == [False]


def test_ids_doubled_across_the_halves(write, same, taken):
    _, report = same(write([*ARGUMENTS, ARGUMENTS[3], argument("new")]))
    assert (report.doubled, report.documents) == (1, 41)
    same(write([*ARGUMENTS[:20], *ARGUMENTS[:20]]))
    assert taken == [False, False]


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
    error = same(write(content, ARGUMENTS[:1]))
    assert isinstance(error, str)
    assert re.search(words, error), error
    assert taken == [False]


@pytest.mark.parametrize("program", ["pipeline.no_such", "this", "pipeline.index.arrays.cores"])
def test_a_process_that_fails_or_leaves_nothing(write, same, taken, monkeypatch, program):
    monkeypatch.setattr(halves, "PROGRAM", program)
    same(write(ARGUMENTS))
    assert taken == [False]


def test_no_process_at_all(write, same, taken, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    same(write(ARGUMENTS))
    assert taken == []


def test_a_process_that_is_killed(write, same, taken, monkeypatch):
    listen = Half._listen

    def kill(self, *, wait):
        if self._process:
            self._process.kill()
        listen(self, wait=wait)

    monkeypatch.setattr(Half, "_listen", kill)
    same(write(ARGUMENTS))
    assert taken == [False]


# --------------------------------------------------------------------------- who begins, who ends


def test_small_and_packed_collections_are_read_alone(write, taken, tmp_path, monkeypatch):
    collection = write(ARGUMENTS)
    read(collection, tmp_path / "small", None)
    assert taken == []
    monkeypatch.setattr(reading, "ALONE", 1)
    for number in (1, 2):
        monkeypatch.setattr(reading, "cores", lambda number=number: number)
        read(collection, tmp_path / f"large-{number}", None)
    assert taken == [True]


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


def test_it_ends_when_it_is_left(endless, tmp_path):
    def stopped():
        with Half([endless], Place(0, 1), tmp_path / "half") as half:
            left.append(half._process.pid)
            assert is_there(left[0])
            raise KeyboardInterrupt

    left = []
    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert not is_there(left[0])
    assert not (tmp_path / "half").exists()


def test_it_ends_when_who_started_it_is_killed(endless, tmp_path):
    code = (
        "import sys, time; from pathlib import Path\n"
        "from pipeline.collection.argsme import Place\n"
        "from pipeline.index.arrays.halves import Half\n"
        f"half = Half([Path({str(endless)!r})], Place(0, 1), Path({str(tmp_path / 'half')!r}))\n"
        "print(half._process.pid, flush=True); time.sleep(60)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True
    ) as parent:
        child = int(parent.stdout.readline())
        while not (tmp_path / "half" / "tokens").exists():
            time.sleep(0.01)
        assert is_there(child)
        parent.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 30
    while is_there(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_there(child)
