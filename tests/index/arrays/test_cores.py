import os

import pytest

from pipeline.index.arrays.cores import cores


@pytest.fixture
def of(tmp_path, monkeypatch):
    """Cores of a machine with eight, in a control group with these files."""

    def run(group, **files):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
        (tmp_path / "proc/self").mkdir(parents=True)
        (tmp_path / "proc/self/cgroup").write_text(group)
        for name, text in files.items():
            file = tmp_path / "sys/fs/cgroup" / name.replace("__", "/").replace("-", ".")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return cores(tmp_path)

    return run


@pytest.mark.parametrize(
    ("group", "files", "expected"),
    [
        ("0::/\n", {}, 8),
        ("0::/\n", {"cpu-max": "max 100000\n"}, 8),
        ("0::/\n", {"cpu-max": "250000 100000\n"}, 2),
        ("0::/\n", {"cpu-max": "50000 100000\n"}, 1),
        ("0::/a/b\n", {"a__cpu-max": "300000 100000\n", "a__b__cpu-max": "max 100000\n"}, 3),
        (
            "4:cpu,cpuacct:/\n",
            {"cpu__cpu-cfs_quota_us": "150000\n", "cpu__cpu-cfs_period_us": "50000"},
            3,
        ),
        (
            "4:cpu,cpuacct:/\n",
            {"cpu__cpu-cfs_quota_us": "-1\n", "cpu__cpu-cfs_period_us": "50000"},
            8,
        ),
        ("4:memory:/\n", {"cpu-max": "100000 100000\n"}, 8),
    ],
)
def test_a_control_group_may_have_less(of, group, files, expected):
    assert of(group, **files) == expected


def test_without_control_groups(tmp_path):
    assert cores(tmp_path) >= 1
