import pytest

from pipeline.errors import InputError
from pipeline.experiments import given_runs


def names(*files):
    return [run.name for run in given_runs.read(files)]


@pytest.fixture
def written(tmp_path):
    def write(file, *tags):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        lines = [f"1 Q0 d{rank} {rank} {9 - rank} {tag}\n" for rank, tag in enumerate(tags, 1)]
        (tmp_path / file).write_text("".join(lines))
        return tmp_path / file

    return write


def test_a_run_is_called_by_its_tag(written, tmp_path):
    written("out/run.txt", "bm25", "bm25")
    assert names(tmp_path / "out") == ["bm25"]


def test_one_without_a_tag_by_its_file_or_folder(written, tmp_path):
    assert names(written("picard.txt", "-"), written("mixed.run.txt", "a", "b")) == [
        "picard",
        "mixed.run",
    ]
    written("out-dph/run.txt", "")
    assert names(tmp_path / "out-dph") == ["out-dph"]


def test_those_of_one_name_are_told_apart(written):
    files = [written(f"{folder}/run.txt", "bm25") for folder in ("one", "two")]
    other = written("dph.txt", "dph")
    assert names(*files, other) == ["one/bm25", "two/bm25", "dph"]
    beside = [written(f"one/{name}.txt", "bm25") for name in ("x", "y")]
    assert names(*beside) == list(map(str, beside))


def test_a_run_given_twice_is_refused(written, tmp_path):
    file = written("out/run.txt", "bm25")
    with pytest.raises(InputError, match=r"run\.txt: given 2 times, once is enough"):
        names(file, tmp_path / "out")
