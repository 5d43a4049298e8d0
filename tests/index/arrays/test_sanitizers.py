"""The kernels under gcc's sanitizers: no access outside of an array, no overflow, nothing undefined."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline import native

ROOT = Path(__file__).parents[3]
TESTS = [
    "tests/index/arrays/test_kernels.py",
    "tests/index/terrier/test_direct.py",
    "tests/index/terrier/test_numbering.py",
    "tests/test_native.py",
]


@pytest.fixture(scope="module")
def sanitized(tmp_path_factory) -> dict[str, str]:
    """The environment in which Python runs with kernels that stop at the first fault."""
    gcc = shutil.which("gcc")
    if gcc is None:
        pytest.skip("there is no gcc")
    found = subprocess.run(
        [gcc, "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
    )
    asan = Path(found.stdout.strip())
    if not asan.is_absolute():
        pytest.skip("gcc has no libasan")
    library = tmp_path_factory.mktemp("sanitized") / "kernels.so"
    subprocess.run(
        [
            gcc, "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion",
            "-Wno-sign-conversion", "-Werror", "-O1", "-g", "-ffp-contract=off", "-shared", "-fPIC",
            "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
            f'-DSOURCE="{native.digest()}"', "-o", library, native.SOURCE,
        ],
        check=True,
    )  # fmt: skip
    return {
        **os.environ,
        "LD_PRELOAD": str(asan.resolve()),
        "ASAN_OPTIONS": "detect_leaks=0",  # Python's own
        "PIPELINE_KERNELS": str(library),
        "PYTHONPATH": str(ROOT),
    }


def run(environ, *words):
    return subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environ, capture_output=True, text=True, check=False
    )


def test_a_fault_would_be_found(sanitized):
    code = (
        "import numpy as np; from pipeline.index.arrays import kernels as k\n"
        "assert k.IN_USE == 'C'\n"
        "k.kernels_c.Types(9).tokenise(np.zeros(4, np.uint8), np.array([99]))"
    )
    done = run(sanitized, "-c", code)
    assert done.returncode != 0
    assert "AddressSanitizer" in done.stderr
    assert "kernels.c" in done.stderr


def test_the_tests_of_the_kernels_run_without_a_fault(sanitized):
    done = run(sanitized, "-m", "pytest", "-p", "no:cacheprovider", "-m", "not terrier", *TESTS)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "skipped" not in done.stdout
