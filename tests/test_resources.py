import pytest

from pipeline import resources
from pipeline.errors import RunError
from pipeline.resources import HELPER, TERRIER, Resource, fault, require


def test_file_and_path_follow_maven():
    assert TERRIER.file == "terrier-assemblies-5.11-jar-with-dependencies.jar"
    assert HELPER.path == "org/terrier/terrier-python-helper/0.0.8/terrier-python-helper-0.0.8.jar"
    assert HELPER.version == "0.0.8"


def test_home_is_pyterriers_where_it_is_given(monkeypatch, tmp_path):
    monkeypatch.setenv("PYTERRIER_HOME", str(tmp_path))
    assert resources.home() == tmp_path
    monkeypatch.setenv("PYTERRIER_HOME", "")
    monkeypatch.setattr(resources.sys, "prefix", "/opt/environment")
    assert str(resources.home()) == "/opt/environment/share/pyterrier"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"abc", ""),
        (b"ab", "has 2 bytes instead of 3"),
        (b"abd", "is damaged (its sha256 is a52d159f262b...)"),
        (None, "is missing"),
    ],
)
def test_fault_says_what_is_wrong(tmp_path, content, said):
    # the digest of "abc" is the first example of FIPS 180-2
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    thing = Resource("Thing", "org.example:thing:1", abc, 3, "MPL-1.1", "tests")
    if content is not None:
        (tmp_path / "thing-1.jar").write_bytes(content)
    assert fault(thing, tmp_path) == said


def test_require_names_the_file_and_the_cure(tmp_path):
    with pytest.raises(RunError, match=r"5\.11.*jar is missing; \./run\.sh setup fetches it again"):
        require(tmp_path)


@pytest.mark.terrier
def test_the_jars_here_are_those_of_the_table():
    require(resources.home())
