"""A small sweep and small runs, written by hand; and a real browser."""

import base64
import contextlib
import json
import re
import socket
import subprocess
import time
import urllib.error
import urllib.request
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import pytest
from debian import missing

EVIL = "</script><script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\">"

DOCUMENTS = {
    "a": ("PRO", "Zoos protect rare animals", "Zoos breed animals that would die out. " * 20),
    "b": (
        "CON",
        f"Cages are cruel {EVIL}",
        f"An animal in a cage suffers. {EVIL} &amp; <b>bold</b>",
    ),
    "c": ("PRO", "Zoos teach", "Children see animals that they only know from books."),
    "d": ("CON", "", "I accept."),
}

TOPICS = {"1": "Should zoos be closed?", "2": f"Are cages cruel? {EVIL}"}

GRADES = {"1": {"a": 2, "b": 1, "c": 0}, "2": {"b": 1, "c": 1}}


def write_collection(folder):
    """An input folder of args.me's form."""
    folder.mkdir(parents=True)
    arguments = [
        {
            "id": docno,
            "conclusion": conclusion,
            "premises": [{"text": text, "stance": stance}],
            "context": {"discussionTitle": "zoos", "sourceDomain": "debate.org"},
        }
        for docno, (stance, conclusion, text) in DOCUMENTS.items()
    ]
    (folder / "debates.json").write_text(json.dumps({"arguments": arguments}))
    lines = [json.dumps({"qid": qid, "query": title}) for qid, title in TOPICS.items()]
    (folder / "queries.jsonl").write_text("\n".join(lines))
    return folder


def write_qrels(file):
    rows = [f"{q} 0 {d} {g}\n" for q, of in GRADES.items() for d, g in of.items()]
    file.write_text("".join(rows))
    return file


def write_run(file, topics, tag="system"):
    """A run; ``topics`` gives each topic its documents in order, a letter each."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(
        "".join(
            f"{qid} Q0 {docno} {rank} {10 - rank} {tag}\n"
            for qid, docnos in topics.items()
            for rank, docno in enumerate(docnos, 1)
        )
    )
    return file


METADATA = """
tag: system
platform:
  hardware: {cpu: {model: Some Processor, number of cores: 2}, ram: 8 GB}
  software: {retrieval toolkit: [kernels in C]}
resources:
  runtime: {start: '2026-01-02T03:04:05+00:00'}
  memory: {peak: 183 MB}
  parts:
    reading: {wall: 0.5, cpu: 0.4}
    'stages[0] retrieve: bm25': {wall: 0.25, cpu: 0.2}
    'stages[1] fuse: combmnz': {wall: 1.0, cpu: 0.9}
    'stages[1].branches[0].stages[0] rerank: sentiment': {wall: 0.75, cpu: 0.7}
data: {test collection: {name: Zoo collection}}
"""


def write_sweep(
    out, collection, qrels, points, chosen=None, places=("stages[0].b", "stages[0].k1")
):
    """The output of a sweep. ``points``: values of the places, rankings of the topics, and nDCG@5 a topic."""
    listed = []
    for number, (values, topics, scores) in enumerate(points, 1):
        key = f"{number:016x}"
        listed.append(
            {
                "number": number,
                "key": key,
                "values": dict(zip(places, values, strict=True)),
                "config": {},
            }
        )
        if topics is None:
            continue
        write_run(out / "points" / key / "run.txt", topics, "base")
        (out / "points" / key / "ir-metadata.yml").write_text(METADATA)
        entry = {
            "run": key, "judgements": "zoos", "md5": "0", "measure": "nDCG@5",
            "mean": sum(scores.values()) / len(scores), "per_topic": scores, "judged": 0.75,
        }  # fmt: skip
        (out / "points" / key / "scores.json").write_text(json.dumps([entry]))
    about = {
        "format": 1, "name": "tune", "base": "default", "places": list(places), "input": str(collection),
        "indexes": str(out / "indexes"), "topics": [{"number": q, "title": t} for q, t in TOPICS.items()],
        "judgements": [{"name": "zoos", "file": str(qrels), "md5": "0"}], "measures": ["nDCG@5"],
        "choose": {"by": "nDCG@5", "on": "zoos", "topics": "", "folds": 2, "seed": 1}, "report": None,
        "search": {"by": "grid"}, "points": listed,
    }  # fmt: skip
    out.mkdir(parents=True, exist_ok=True)
    (out / "sweep.json").write_text(json.dumps(about))
    if chosen:
        said = {"judgements": "zoos", "measure": "nDCG@5", "per_topic": {"1": 1, "2": 1}}
        result = {
            "chosen": {"point": chosen}, "warnings": ["Mind the gap."],
            "in_sample": {**said, "mean": 0.9, "interval": [0.8, 1.0]},
            "honest": [{**said, "how": "nested", "mean": 0.7, "interval": [0.5, 0.85], "folds": [{}, {}]}],
        }  # fmt: skip
        (out / "result.json").write_text(json.dumps(result))
    return out


POINTS = [
    ((0.1, 1), {"1": "abcd", "2": "bc"}, {"1": 0.75, "2": 0.25}),
    ((0.1, 2), {"1": "bacd", "2": "bc"}, {"1": 1.0, "2": 0.75}),
    ((0.4, 1), {"1": "cabd", "2": "cb"}, {"1": 0.5, "2": 0.25}),
    ((0.4, 2), {"1": "dcba", "2": "da"}, {"1": 0.25, "2": 0.25}),
]


@pytest.fixture
def collection(tmp_path) -> Path:
    return write_collection(tmp_path / "in")


@pytest.fixture
def qrels(tmp_path) -> Path:
    return write_qrels(tmp_path / "zoos.qrels")


@pytest.fixture
def swept(tmp_path, collection, qrels) -> Path:
    return write_sweep(tmp_path / "tune", collection, qrels, POINTS, chosen=2)


@pytest.fixture
def runs(tmp_path) -> Path:
    write_run(tmp_path / "runs" / "first.txt", {"1": "abc", "2": "cb"}, "first")
    write_run(tmp_path / "runs" / "second" / "run.txt", {"1": "cbad", "2": "b"}, "second")
    return tmp_path / "runs"


class Page(HTMLParser):
    """Elements of a page: names, attributes, and the text in each."""

    EMPTY = frozenset(("meta", "link", "br", "img", "input"))

    def __init__(self, html):
        super().__init__()
        self.all = []
        self.open = []
        self.feed(html)
        assert not self.open, f"not closed: {[one['tag'] for one in self.open]}"

    def handle_starttag(self, tag, attrs):
        one = {"tag": tag, **dict(attrs), "text": ""}
        self.all.append(one)
        if tag not in self.EMPTY:
            self.open.append(one)

    def handle_startendtag(self, tag, attrs):
        self.all.append({"tag": tag, **dict(attrs), "text": ""})

    def handle_endtag(self, tag):
        assert self.open, f"{tag} is closed and was not opened"
        assert self.open[-1]["tag"] == tag, f"{tag} closes {self.open[-1]['tag']}"
        self.open.pop()

    def handle_data(self, data):
        for one in self.open:
            one["text"] += data

    def find(self, tag, **wanted):
        wanted = {name.rstrip("_"): value for name, value in wanted.items()}
        return [
            one for one in self.all
            if one["tag"] == tag and all(re.search(value, one.get(name) or "") for name, value in wanted.items())
        ]  # fmt: skip

    @property
    def data(self):
        return json.loads(self.find("script", id="data")[0]["text"])


def read_page(file):
    return Page(file.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def by_hand():
    """What tests write their input with, and read pages with."""
    return SimpleNamespace(
        run=write_run, qrels=write_qrels, collection=write_collection, sweep=write_sweep, page=read_page,
        EVIL=EVIL, DOCUMENTS=DOCUMENTS, TOPICS=TOPICS, POINTS=POINTS,
    )  # fmt: skip


KEYS = {"right": "\ue014", "left": "\ue012", "down": "\ue015", "tab": "\ue004", "enter": "\ue007"}
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--force-prefers-reduced-motion",
]  # fmt: skip


class Browser:
    """Chromium without a window, driven over WebDriver's plain HTTP."""

    def __init__(self, address):
        self.address = address

    def call(self, path, body=None, method=None):
        data = None if body is None else json.dumps(body).encode()
        method = method or ("GET" if body is None else "POST")
        json_type = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.address + path, data, json_type, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def open(self, url):
        self.call("/url", {"url": "about:blank"})
        self.call("/url", {"url": url})

    def run(self, script):
        return self.call("/execute/sync", {"script": f"return {script}", "args": []})

    def texts(self, selector):
        return self.run(
            f"[...document.querySelectorAll({selector!r})].filter(e => e.offsetParent).map(e => e.innerText)"
        )

    def press(self, *keys):
        strokes = [
            {"type": kind, "value": KEYS.get(key, key)}
            for key in keys
            for kind in ("keyDown", "keyUp")
        ]
        self.call("/actions", {"actions": [{"type": "key", "id": "keys", "actions": strokes}]})

    def choose(self, select, value):
        self.run(
            f"(() => {{ const s = document.querySelector({select!r}); s.value = {value!r};"
            " s.dispatchEvent(new Event('change', {bubbles: true})); })()"
        )

    def resize(self, width, height):
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.devtools("Emulation.setDeviceMetricsOverride", size)

    def devtools(self, command, parameters):
        return self.call("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def pdf(self):
        got = self.devtools("Page.printToPDF", {"preferCSSPageSize": True, "printBackground": True})
        return base64.b64decode(got["data"])

    def log(self):
        return self.call("/se/log", {"type": "browser"})


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """A real browser; the test is skipped where there is none."""
    if why := missing("chromium", "chromedriver"):
        pytest.skip(why)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    driver = subprocess.Popen(["chromedriver", f"--port={port}"], **quiet)
    one = Browser(f"http://127.0.0.1:{port}")
    try:
        for _ in range(200):
            with contextlib.suppress(urllib.error.URLError, ConnectionError):
                if one.call("/status")["ready"]:
                    break
            time.sleep(0.05)
        options = {"args": [*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"]}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        session = one.call("/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        one.address += f"/session/{session}"
        yield one
        one.call("", method="DELETE")
    finally:
        driver.terminate()
        driver.wait(20)
