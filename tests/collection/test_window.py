import gzip
import io
import zlib

import pytest

from pipeline.collection import window as module
from pipeline.collection.window import Window
from pipeline.errors import InputError, RunError

CONTENT = bytes(range(33, 123)) * 30


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(module, "STRETCH", 64)
    monkeypatch.setattr(module, "LONGEST", 1000)


@pytest.fixture(params=["plain", "gzip"])
def file(request, tmp_path):
    path = tmp_path / ("a.json" if request.param == "plain" else "a.json.gz")
    path.write_bytes(CONTENT if request.param == "plain" else gzip.compress(CONTENT))
    return path


def test_every_byte_is_seen_once_in_order(file):
    seen = b""
    with Window(file) as window:
        while window.more():
            assert window.offset == len(seen)
            seen += window.data[window.at : window.end]
            window.at = window.end
            assert len(window.data) == 64
    assert seen == CONTENT


def test_what_follows_the_place_is_kept(file):
    with Window(file) as window:
        window.more()
        window.at = 10
        while window.more():
            assert window.offset == 10
            assert window.data[window.at : window.end] == CONTENT[10 : 10 + window.end - window.at]
        assert window.full
        assert len(window.data) <= 2 * 1000 + 64


def test_progress_counts_the_bytes_on_the_disk(file):
    told = []
    with Window(file, told.append) as window:
        while window.more():
            window.at = window.end
    assert sum(told) == file.stat().st_size


def test_peek_passes_white_space_across_stretches(tmp_path):
    file = tmp_path / "a.json"
    file.write_bytes(b" \n\t\r" * 50 + b"x" + b" " * 100)
    with Window(file) as window:
        assert window.peek() == ord("x")
        assert window.peek() == ord("x")
        assert window.offset == 4 * 50
        window.at += 1
        assert window.peek() == -1


def test_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match=r"gone\.json: cannot be read: No such file"):
        Window(tmp_path / "gone.json")


@pytest.mark.parametrize(
    "content",
    [
        b"no gzip",
        gzip.compress(CONTENT)[:-30],
        gzip.compress(CONTENT)[:15] + b"\xff\xff\xff" + gzip.compress(CONTENT)[18:],
        gzip.compress(CONTENT) + b"rubbish",
        zlib.compress(CONTENT),
    ],
)
def test_broken_gzip_is_an_error_of_the_input(tmp_path, content):
    file = tmp_path / "a.json.gz"
    file.write_bytes(content)
    with pytest.raises(InputError, match=r"^a\.json\.gz: byte [0-9,]+: broken gzip data \("):
        read_through(file)


def read_through(file):
    with Window(file) as window:
        while window.more():
            window.at = window.end


def test_disk_that_fails_is_no_error_of_the_input(tmp_path, monkeypatch):
    class Disk(io.BytesIO):
        def readinto(self, _):
            raise OSError(5, "Input/output error")

    (tmp_path / "a.json").write_bytes(CONTENT)
    with Window(tmp_path / "a.json") as window:
        window.more()
        window._disk.close()
        monkeypatch.setattr(window, "_disk", Disk())
        with pytest.raises(RunError, match=r"a\.json: byte 64: reading failed: Input/output error"):
            window.more()
