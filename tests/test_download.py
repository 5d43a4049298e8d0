import hashlib
import socket
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from pipeline import download
from pipeline.download import fetch
from pipeline.errors import RunError
from pipeline.resources import Resource, fault

CONTENT = bytes(range(256)) * 40


def resource(content: bytes = CONTENT) -> Resource:
    return Resource(
        name="Example",
        coordinates="org.example:thing:1.0:all",
        sha256=hashlib.sha256(content).hexdigest(),
        bytes=len(content),
        licence="MPL-1.1",
        needed_by="tests",
    )


@dataclass
class Site:
    """A Maven repository on this machine, whose answers are planned."""

    base: str = ""
    asked: list[str] = field(default_factory=list)
    plan: list[str] = field(default_factory=list)
    """What each request gets, in order: whole, cut, page, wrong, missing; then always whole."""


@pytest.fixture
def site(monkeypatch):
    known = Site()

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self):
            asked = self.headers.get("Range", "")
            known.asked.append(f"{self.path} {asked}".strip())
            how = known.plan.pop(0) if known.plan else "whole"
            if how == "missing":
                self.send_error(404)
                return
            body = {"page": b"<html>please log in</html>", "wrong": CONTENT[::-1]}.get(how, CONTENT)
            start = int(asked.removeprefix("bytes=").rstrip("-")) if asked else 0
            if start >= len(body):
                self.send_error(416)
                return
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(body) - start))
            self.end_headers()
            self.wfile.write(body[start : start + 5000 if how == "cut" else None])

        def log_message(self, *_):
            pass

    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("HOME", "/nonexistent")
    monkeypatch.setattr(download.time, "sleep", lambda _seconds: None)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    known.base = f"http://127.0.0.1:{server.server_port}/maven2/"
    thread = threading.Thread(target=server.serve_forever, args=[0.01])
    thread.start()
    yield known
    server.shutdown()
    server.server_close()
    thread.join()


PATH = "/maven2/org/example/thing/1.0/thing-1.0-all.jar"


def test_fetches_what_is_missing_once(site, tmp_path):
    folder = tmp_path / "new" / "folder"
    assert fetch(resource(), folder, site.base).read_bytes() == CONTENT
    assert fetch(resource(), folder, site.base) == folder / "thing-1.0-all.jar"
    assert site.asked == [PATH]
    assert [file.name for file in folder.iterdir()] == ["thing-1.0-all.jar"]


def test_base_is_pyterriers_unless_given(site, tmp_path, monkeypatch):
    from pyterrier.java import mavenresolver

    monkeypatch.setattr(mavenresolver, "MAVEN_BASE_URL", site.base)
    fetch(resource(), tmp_path)
    assert site.asked == [PATH]


def test_what_was_cut_off_goes_on_where_it_stopped(site, tmp_path):
    site.plan = ["cut"]
    assert fetch(resource(), tmp_path, site.base).read_bytes() == CONTENT
    assert site.asked == [PATH, f"{PATH} bytes=5000-"]


def test_what_a_killed_process_left_is_gone_on_with(site, tmp_path):
    (tmp_path / "thing-1.0-all.jar.part").write_bytes(CONTENT[:100])
    assert fetch(resource(), tmp_path, site.base).read_bytes() == CONTENT
    assert site.asked == [f"{PATH} bytes=100-"]


@pytest.mark.parametrize("left", [b"x" * 100, b"x" * len(CONTENT), CONTENT + b"x"])
def test_what_was_left_wrong_is_fetched_anew(site, tmp_path, left):
    (tmp_path / "thing-1.0-all.jar.part").write_bytes(left)
    assert fetch(resource(), tmp_path, site.base).read_bytes() == CONTENT
    assert site.asked[-1] == PATH


@pytest.mark.parametrize("broken", [b"", CONTENT[:-1], CONTENT[::-1], b"<html>"])
def test_a_broken_file_is_replaced(site, tmp_path, broken):
    (tmp_path / "thing-1.0-all.jar").write_bytes(broken)
    assert fetch(resource(), tmp_path, site.base).read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("page", r"what came has 26 bytes instead of 10,240"),
        ("wrong", r"what came is damaged \(its sha256 is [0-9a-f]{12}\.\.\.\)"),
        ("missing", r"HTTP 404"),
    ],
)
def test_a_wrong_answer_is_never_kept(site, tmp_path, answer, said):
    site.plan = [answer] * 3
    with pytest.raises(RunError, match=rf"thing-1.0-all.jar could not be fetched: {said}; connect"):
        fetch(resource(), tmp_path, site.base)
    assert fault(resource(), tmp_path) == "is missing"
    assert len(site.asked) == download.TRIES
    assert fetch(resource(), tmp_path, site.base).read_bytes() == CONTENT


def test_an_answer_longer_than_the_file_is_not_read_to_its_end(site, tmp_path):
    small = resource(CONTENT[:10])
    with pytest.raises(RunError, match="instead of 10"):
        fetch(small, tmp_path, site.base)


@pytest.mark.usefixtures("site")
def test_no_network_is_one_line_with_the_cure(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as closed_soon:
        base = f"http://127.0.0.1:{closed_soon.getsockname()[1]}/"
    with pytest.raises(RunError) as error:
        fetch(resource(), tmp_path, base)
    line = str(error.value)
    assert "\n" not in line
    assert "Connection refused" in line
    assert f"./run.sh setup, or put the file into {tmp_path}" in line


def test_a_copy_of_mavens_folder_is_taken(site, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    mavens = tmp_path / "me/.m2/repository/org/example/thing/1.0"
    mavens.mkdir(parents=True)
    (mavens / "thing-1.0-all.jar").write_bytes(CONTENT)
    assert fetch(resource(), tmp_path / "new", site.base).read_bytes() == CONTENT
    assert site.asked == []


def test_a_damaged_copy_of_pyterriers_folder_is_not(site, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".pyterrier").mkdir()
    (tmp_path / ".pyterrier/thing-1.0-all.jar").write_bytes(CONTENT[:-1] + b"x")
    assert fetch(resource(), tmp_path / "new", site.base).read_bytes() == CONTENT
    assert site.asked == [PATH]


def test_of_processes_at_once_one_fetches(site, tmp_path):
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(fetch(resource(), tmp_path, site.base)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [tmp_path / "thing-1.0-all.jar"] * 4
    assert fault(resource(), tmp_path) == ""
    assert site.asked == [PATH]


def test_a_folder_that_cannot_be_made_is_one_line(site, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match=r"cannot be written: (File exists|Not a dir)"):
        fetch(resource(), tmp_path / "file", site.base)
