"""How many processors this process may use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path


def cores(root: Path = Path("/")) -> int:
    """Those it may run on, or fewer where a control group gets less of their time; 1 at least.

    Args:
        root: where ``proc`` and ``sys`` are.
    """
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, int(min([usable or 1, *_shares(root)])))


def _shares(root: Path) -> Iterator[float]:
    """Processors whose whole time a control group gets that this process is in."""
    try:
        lines = (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        inner = Path(path.lstrip("/"))
        for group in (inner, *inner.parents):
            for top in ("sys/fs/cgroup", "sys/fs/cgroup/unified", "sys/fs/cgroup/cpu"):
                yield from _share(root / top / group)


def _share(group: Path) -> Iterator[float]:
    for files in (["cpu.max"], ["cpu.cfs_quota_us", "cpu.cfs_period_us"]):
        try:
            words = " ".join((group / file).read_text(encoding="ascii") for file in files).split()
        except OSError:
            continue
        if len(words) == 2 and words[0].isdigit() and words[1].isdigit():
            yield int(words[0]) / int(words[1])
