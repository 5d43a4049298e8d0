"""Programs that some tests need: ``python tests/debian.py`` installs them where it can.

Without them these tests are skipped, and say so.
"""

import os
import shutil
import subprocess
import sys

PACKAGES = {
    "chromium": "chromium",
    "chromedriver": "chromium-driver",
    "slurmctld": "slurmctld",
    "slurmd": "slurmd",
    "sbatch": "slurm-client",
    "munged": "munge",
}
"""The Debian package of each program."""


def program(name: str) -> str:
    """Where a program is, empty if nowhere; daemons are where a user's PATH does not look."""
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin") or ""


def missing(*names: str) -> str:
    """Why tests that need these programs cannot run; empty if they can."""
    packages = [PACKAGES[name] for name in names if not program(name)]
    return f"not there: apt-get install {' '.join(packages)}" if packages else ""


def say(line: str) -> None:
    """Writes a line to stderr."""
    sys.stderr.write(f"{line}\n")


def main() -> int:
    """Installs what is missing, if root and apt-get are there; else says what is."""
    why = missing(*PACKAGES)
    if not why:
        return 0
    if os.getuid() or not shutil.which("apt-get"):
        say(f"some tests will be skipped, {why}")
        return 0
    packages = [package for name, package in PACKAGES.items() if not program(name)]
    say(f"installing {', '.join(packages)} for the tests")
    for words in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        environ = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        done = subprocess.run(
            ["apt-get", "-qq", *words], env=environ, capture_output=True, text=True, check=False
        )
    if done.returncode:
        say(f"apt-get failed, some tests will be skipped: {done.stderr.strip()[-300:]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
