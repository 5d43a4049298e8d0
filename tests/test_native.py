import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline import native
from pipeline.analysis.stemmers import LAST_ENDINGS, LONG_ENDINGS, MIDDLE_ENDINGS, porter
from pipeline.errors import InputError

BUILT = native.library()
needs_c = pytest.mark.skipif(BUILT is None, reason=native.missing() or "-")


@pytest.fixture
def found(monkeypatch):
    """Looks for a library anew, with a variable set."""
    monkeypatch.delenv("PIPELINE_VENV", raising=False)

    def found(value: str | None = None):
        monkeypatch.setenv(native.VARIABLE, value or "")
        native._found.cache_clear()
        return native.library()

    yield found
    native._found.cache_clear()


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A folder with a copy of the source, and no library."""
    source = tmp_path / "kernels.c"
    source.write_bytes(native.SOURCE.read_bytes())
    monkeypatch.setattr(native, "SOURCE", source)
    return tmp_path


def test_numpy_can_be_asked_for(found):
    assert found("numpy") is None
    assert (native.in_use(), native.missing()) == ("numpy", "PIPELINE_KERNELS=numpy")


@pytest.mark.usefixtures("tree")
def test_without_a_library_it_is_numpy_and_the_cure_is_said(found):
    assert found() is None
    assert native.missing() == "not built; install gcc, and ./run.sh setup"


@pytest.mark.usefixtures("tree")
def test_in_an_environment_of_ones_own_the_cure_is_another(found, monkeypatch):
    monkeypatch.setenv("PIPELINE_VENV", "/venv")
    assert found() is None
    assert native.missing().endswith("and /venv/bin/python setup.py build_ext --inplace")


@pytest.mark.parametrize("content", [b"", b"\x7fELF", b"no library"])
def test_what_is_no_library_is_passed_over(found, tree, content):
    (tree / "_kernels.abi3.so").write_bytes(content)
    assert found() is None
    assert native.missing() == (
        "_kernels.abi3.so: not a library of these kernels that this machine can load; "
        "install gcc, and ./run.sh setup"
    )


def test_the_library_of_something_else_is_passed_over(found, tree):
    code = "import _ctypes; print(_ctypes.__file__)"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    (tree / "_kernels.so").symlink_to(other.stdout.strip())
    assert found() is None
    assert "not a library of these kernels" in native.missing()


@pytest.mark.parametrize("path", ["nowhere.so", __file__])
def test_a_library_that_is_asked_for_must_be_one(found, path):
    with pytest.raises(InputError, match=rf"PIPELINE_KERNELS={path}: not a library .*'numpy' or"):
        found(path)


@needs_c
def test_a_library_beside_its_source_is_used_and_none_of_another(found, tree):
    (tree / "_kernels.abi3.so").symlink_to(BUILT._name)
    (tree / "_kernels.aaa.so").touch()
    assert found() is not None
    assert (native.in_use(), native.missing()) == ("C", "")
    with (tree / "kernels.c").open("a") as source:
        source.write("\n")
    assert found() is None
    assert native.missing().startswith("_kernels.abi3.so: made from another kernels.c; ")
    with pytest.raises(InputError, match=r"made from another kernels\.c"):
        found(BUILT._name)


ENDINGS = [*LONG_ENDINGS, *MIDDLE_ENDINGS, *LAST_ENDINGS, "sion", "tion", "s", "ss", "sses", "ies",
           "ed", "ing", "eed", "y", "e", "l", "ll", "at", "bl", "iz"]  # fmt: skip
WORDS = st.builds(
    lambda *parts: "".join(parts),
    st.text("aeiouybcdlstwxz0", max_size=6),
    st.sampled_from(["", *ENDINGS]),
    st.sampled_from(["", *ENDINGS]),
) | st.text(st.characters(codec="utf-8"), max_size=5)


@settings(deadline=None)
@given(st.lists(WORDS))
def test_porter_is_the_same_in_c(words):
    assert native.porter(words, porter) == [porter(word) for word in words]


def test_porter_works_without_c(found):
    assert found("numpy") is None
    assert native.porter(["zoos", "a\nb"], str.upper) == ["ZOOS", "A\nB"]


@needs_c
def test_words_that_c_does_not_take_go_elsewhere():
    words = ["zoos", "naïve", "a\nb", "banned", ""]
    assert native.porter(words, str.upper) == ["zoo", "NAÏVE", "A\nB", "ban", ""]
    assert native.porter([], str.upper) == []
