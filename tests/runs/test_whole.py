import errno
import os
import resource
from pathlib import Path

import pytest

from pipeline.errors import RunError
from pipeline.runs import whole


@pytest.fixture
def contents(tmp_path):
    return {tmp_path / "a.yml": b"first", tmp_path / "b.txt": b"second"}


def left_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_all_files_and_nothing_else(contents, tmp_path):
    whole.write(contents)
    assert left_in(tmp_path) == {"a.yml": b"first", "b.txt": b"second"}


def test_what_was_there_is_replaced(contents, tmp_path):
    (tmp_path / "b.txt").write_bytes(b"old")
    whole.write(contents)
    assert (tmp_path / "b.txt").read_bytes() == b"second"


def test_files_get_the_rights_of_the_user(contents, tmp_path):
    old = os.umask(0o027)
    try:
        whole.write(contents)
    finally:
        os.umask(old)
    assert (tmp_path / "b.txt").stat().st_mode & 0o777 == 0o640


def test_the_check_sees_whole_files_under_other_names(contents, tmp_path):
    seen = {}

    def check(parts):
        seen.update({file: part.read_bytes() for file, part in parts.items()})
        assert not any(file.exists() for file in contents)
        assert {part.parent for part in parts.values()} == {tmp_path}
        assert all(part.name.startswith(".") and part.suffix == ".part" for part in parts.values())

    whole.write(contents, check)
    assert seen == contents


@pytest.mark.parametrize("error", [RunError("a rule is broken"), KeyboardInterrupt()])
def test_a_check_that_fails_leaves_nothing(contents, tmp_path, error):
    (tmp_path / "b.txt").write_bytes(b"old")

    def check(_):
        raise error

    with pytest.raises(type(error)):
        whole.write(contents, check)
    assert left_in(tmp_path) == {"b.txt": b"old"}


def test_a_full_disk_leaves_nothing(contents, tmp_path, monkeypatch):
    fsync, calls = os.fsync, []

    def full(number):
        calls.append(number)
        if len(calls) == 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(number)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RunError) as raised:
        whole.write(contents)
    assert str(raised.value) == (
        f"{tmp_path / 'b.txt'}: cannot be written: No space left on device; "
        "make room there, or choose another folder"
    )
    assert left_in(tmp_path) == {}


def test_a_file_cut_off_by_the_system_leaves_nothing(contents, tmp_path):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5, limits[1]))
    try:
        with pytest.raises(RunError, match=r"b.txt: cannot be written: File too large; make room"):
            whole.write(contents)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert left_in(tmp_path) == {}


def test_a_name_that_cannot_be_taken_takes_the_others_back(contents, tmp_path):
    (tmp_path / "b.txt").mkdir()
    with pytest.raises(RunError, match=rf"^{tmp_path}/b.txt: cannot be written: Is a directory"):
        whole.write(contents)
    assert [path.name for path in tmp_path.iterdir()] == ["b.txt"]


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(RunError, match="cannot be written: No such file or directory"):
        whole.write({tmp_path / "absent" / "b.txt": b""})


def test_parts_of_a_killed_call_are_removed(tmp_path):
    kept = [".other.txt.1a.part", ".run.txt", "run.txt.part"]
    for name in [*kept, ".run.txt.1a2b3c4d.part", ".ir-metadata.yml.00ff00ff.part"]:
        (tmp_path / name).touch()
    whole.remove_parts(tmp_path, "run.txt", "ir-metadata.yml")
    assert sorted(left_in(tmp_path)) == sorted(kept)
