import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from pipeline.experiments import doctor

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
OF_EXTRAS = [f"extras/{name}.lock" for name in EXTRAS]
LOCKS = ["requirements.lock", "tests/requirements.lock", "tests/tira.lock", *OF_EXTRAS]


def pins(lock: str) -> set[str]:
    """The lines ``name==version ; marker`` of a lock file."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    return {found[1].strip() for found in re.finditer(r"^([\w.-]+==.+?)\\?$", text, re.MULTILINE)}


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_has_hashes_and_nothing_else(lock):
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    entries = [line for line in lines if not line.startswith("#")]
    for line, after in zip(entries, [*entries[1:], "end"], strict=True):
        assert re.fullmatch(r"[\w.-]+==\S+( ; .+)? \\| {4}--hash=sha256:[0-9a-f]{64}( \\)?", line)
        assert line.endswith("\\") == after.startswith("    --hash")
    assert "://" not in "".join(lines)
    assert not [line for line in lines if line.startswith("#") and " /" in line]


@pytest.mark.parametrize("lock", OF_EXTRAS)
def test_the_lock_of_an_extra_holds_that_of_the_program(lock):
    assert pins("requirements.lock") < pins(lock)


@pytest.mark.parametrize("lock", ["requirements.lock", *OF_EXTRAS])
def test_the_lock_of_the_tests_holds_all_others(lock):
    assert pins(lock) <= pins("tests/requirements.lock")


def test_doctor_knows_every_extra():
    assert list(doctor.EXTRAS) == sorted(EXTRAS)
    for name, wanted in EXTRAS.items():
        assert [Requirement(line).name for line in wanted] == [doctor.EXTRAS[name][0]]
    assert sorted(file.stem for file in (ROOT / "extras").iterdir()) == sorted(EXTRAS)


@pytest.mark.parametrize(
    ("lock", "wanted"),
    [
        ("requirements.lock", PROJECT["project"]["dependencies"]),
        ("tests/requirements.lock", PROJECT["dependency-groups"]["dev"]),
        ("tests/tira.lock", PROJECT["dependency-groups"]["tira"]),
        *((f"extras/{name}.lock", wanted) for name, wanted in EXTRAS.items()),
    ],
)
def test_what_the_project_wants_is_locked(lock, wanted):
    locked = {pin.name.lower().replace("_", "-"): pin for pin in map(Requirement, pins(lock))}
    for requirement in map(Requirement, wanted):
        pin = locked[requirement.name.lower().replace("_", "-")]
        version = next(iter(pin.specifier)).version
        assert requirement.specifier.contains(version), f"{lock} is older than pyproject.toml"
