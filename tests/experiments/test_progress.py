import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

import pytest

from pipeline.experiments import progress
from pipeline.experiments.progress import Progress, tell


def test_a_step_is_said_and_timed(capsys):
    shown = Progress()
    for _ in range(2):
        with shown.step("inverting"), shown.part("within"):
            pass
    assert capsys.readouterr().err == "inverting\ninverting\n"
    assert list(shown.seconds) == ["within", "inverting"]


def test_other_processes_count_when_they_have_ended():
    shown = Progress(quiet=True)
    burn = "import time\nwhile time.process_time() < 0.2: pass"
    with shown.part("other"):
        subprocess.run([sys.executable, "-c", burn], check=True)
    assert shown.seconds["other"].cpu >= 0.1  # the system counts in hundredths
    assert shown.seconds["other"].main_thread < 0.2


def test_a_bar_is_a_line_where_there_is_no_terminal(capsys):
    shown = Progress()
    with shown.bar("reading", 3, "B"):
        pass
    assert capsys.readouterr().err == "", "nothing was read, so nothing is said"
    with shown.bar("reading", 3, "B") as move:
        for _ in range(3):
            move(1)
    assert capsys.readouterr().err == "reading\n"


def test_a_long_bar_says_now_and_then_how_much_is_left(capsys, monkeypatch):
    clock = iter(range(0, 1000, 6))
    monkeypatch.setattr(progress.time, "monotonic", lambda: float(next(clock)))
    with Progress().bar("points", 8, "point") as move:
        for _ in range(8):
            move(1)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "points"
    # 6 seconds a move: a line every second move, and none when nothing is left
    assert lines[1:] == [
        "points: 25%, about 36 s left",
        "points: 50%, about 24 s left",
        "points: 75%, about 12 s left",
    ]


@pytest.mark.parametrize("names", [["a"], ["a", "b", "c"]])
def test_stages_are_said_where_they_are_several_and_timed(capsys, names):
    shown = Progress()
    with shown.stages("searching", len(names)) as stage:
        for name in names:
            with stage(name):
                shown.say("note")
    said = capsys.readouterr().err.splitlines()
    several = len(names) > 1
    expected = [
        line
        for number, name in enumerate(names, 1)
        for line in ([f"  {number} of 3: {name}"] if several else []) + ["note"]
    ]
    assert said == ["searching", *expected]
    assert list(shown.seconds) == names


def test_quiet_says_nothing_and_times_all_the_same(capsys):
    shown = Progress(quiet=True)
    with shown.step("a"), shown.bar("b", 2, "B") as move, shown.stages("c", 2) as stage:
        move(1)
        with stage("d"):
            shown.say("e")
    assert capsys.readouterr().err == ""
    assert list(shown.seconds) == ["d", "a"]


def test_what_is_said_is_ascii(capsys):
    tell("Touch\u00e9")
    assert capsys.readouterr().err == "Touch\\xe9\n"


CODE = """
from pipeline.experiments.progress import Progress
shown = Progress()
with shown.bar("reading", 4, "B") as move:
    for _ in range(4):
        move(1)
    shown.say("a line between")
with shown.stages("searching", 3) as stage:
    with stage("fuse"):
        with stage("bm25"):
            pass
        with stage("dph"):
            pass
"""


def test_on_a_terminal_there_are_bars():
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    child = subprocess.Popen([sys.executable, "-c", CODE], stderr=theirs, stdout=theirs)
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 1 << 16):
            shown += piece
    except OSError:  # Linux says so that the other end is closed
        pass
    assert child.wait() == 0
    os.close(ours)
    assert shown.isascii()
    text = shown.decode()
    assert "a line between" in text
    assert re.search(r"reading: 100%\|#+\| 4.00/4.00", text)
    running = re.findall(r"searching(?:, (\w+))?: +\d+%\|#*[0-9]? *\| (\d) of 3 stages", text)
    assert [pair for place, pair in enumerate(running) if pair not in running[:place]] == [
        ("", "0"), ("fuse", "0"), ("bm25", "0"), ("fuse", "1"), ("dph", "1"), ("fuse", "2"),
        ("", "3"),
    ]  # fmt: skip
