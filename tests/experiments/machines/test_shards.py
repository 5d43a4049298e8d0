"""Collections read by the workers of a scheduler: to the byte what one process reads."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import clusters
import pytest

from pipeline.collection.folder import open_collection
from pipeline.errors import InputError, RunError
from pipeline.experiments import records
from pipeline.experiments.machines import shards
from pipeline.experiments.machines.shards import on_dask
from pipeline.index.arrays import processes, reading
from pipeline.index.arrays.shards import Elsewhere

TINY = clusters.ROOT / "tests" / "collection-tiny"
CONFIG = "name: arrays\nindex: {engine: arrays}\nstages: [{retrieve: bm25}]\n"


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def index(tmp_path):
    """Begins the verb; its indexes go to a folder of this name."""
    (tmp_path / "arrays.yaml").write_text(CONFIG)

    def run(collection: Path, name: str, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "pipeline", "index", "-i", str(collection), "--index",
             str(tmp_path / name), "-c", str(tmp_path / "arrays.yaml"), *words],
            env=clusters.ENVIRONMENT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    return run


@pytest.mark.cluster
def test_a_worker_killed_in_the_middle_changes_no_byte(shared, index, dask_cluster, tmp_path):
    mini = shared / "argsme-mini"
    with index(mini, "alone") as alone:
        said = alone.communicate(timeout=200)
    words = ("--scheduler", dask_cluster.address, "--shards", "24")
    with index(mini, "many", *words) as lead:
        clusters.until(
            lambda: [*tmp_path.glob("many/.*.part/shards/[0-9]*")] or lead.poll() is not None,
            "the first shard",
        )
        left = 24 - len([*tmp_path.glob("many/.*.part/shards/[0-9]*")])
        dask_cluster.kill(dask_cluster.workers[1])
        assert lead.communicate(timeout=200) == said
    assert left > 2
    assert files(tmp_path / "many") == files(tmp_path / "alone")
    assert [*(tmp_path / "many").glob(".*")] == []


def read(collection, folder, elsewhere=None):
    """What is written, reported and told; or the error."""
    told = []
    folder.mkdir()
    try:
        reading.read(collection, folder, told.append, elsewhere)
    except InputError as error:
        return str(error)
    return files(folder), collection.report, sum(told)


@pytest.mark.cluster
def test_every_shard_but_the_first_is_read_by_workers(dask_cluster, tmp_path, taken):
    collection = open_collection(TINY)
    with on_dask(dask_cluster.address, 5) as elsewhere:
        many = read(collection, tmp_path / "many", elsewhere)
    assert taken == [4]
    assert many == read(collection, tmp_path / "alone")
    with on_dask(dask_cluster.address) as elsewhere:
        assert elsewhere.shards % shards.A_WORKER == 0, "a worker killed before may not be back"


@pytest.mark.cluster
def test_what_is_broken_is_said_as_by_one_process(dask_cluster, tmp_path):
    whole = (TINY / "debateorg.json").read_bytes()
    place = whole.rindex(b'"premises"')
    (tmp_path / "in").mkdir()
    broken = tmp_path / "in" / "debateorg.json"
    broken.write_bytes(whole[:place] + b"premises" + whole[place + 10 :])
    collection, said = open_collection(broken.parent), []
    with on_dask(dask_cluster.address, 4, said.append) as elsewhere:
        many = read(collection, tmp_path / "many", elsewhere)
    assert many == read(collection, tmp_path / "alone")
    assert many.startswith("debateorg.json: argument ")
    assert said == []


@pytest.mark.cluster
def test_what_workers_cannot_read_is_read_here_and_said_once(
    dask_cluster, tmp_path, taken, monkeypatch
):
    monkeypatch.setattr(records, "code", lambda: "another")
    collection, said = open_collection(TINY), []
    with on_dask(dask_cluster.address, 4, said.append) as elsewhere:
        many = read(collection, tmp_path / "many", elsewhere)
    assert many == read(collection, tmp_path / "alone")
    assert taken == [0]
    (line,) = said
    assert line.startswith("the worker on ")
    assert line.endswith(" runs another version of this program; what it should read is read here")


@pytest.mark.cluster
def test_a_scheduler_that_ends_in_the_middle_leaves_all_to_us(tmp_path, taken):
    collection, said = open_collection(TINY), []
    with (
        clusters.DaskCluster(tmp_path / "dask", workers=0) as cluster,
        on_dask(cluster.address, 4, said.append) as elsewhere,
    ):

        def start(given):
            readers = elsewhere.start(given)
            clusters.end(cluster.scheduler)
            return readers

        many = read(collection, tmp_path / "many", replace(elsewhere, start=start))
    assert many == read(collection, tmp_path / "alone")
    assert taken == [0]
    (line,) = said
    assert line.startswith(f"{cluster.address}: the scheduler answers no longer; ")


# ------------------------------------------------------------------------ what a worker may not see


@pytest.fixture
def shard(tmp_path):
    """A shard of the tiny collection, as it is asked for."""
    found = []

    def start(given):
        found.extend(given)
        return processes.start([])

    with pytest.raises(ValueError, match="zip"):
        read(open_collection(TINY), tmp_path / "it", Elsewhere(2, start))
    (tmp_path / "it" / "shards").mkdir(exist_ok=True)
    return found[0]


def changed(shard, **values):
    return type(shard)(**{name: values.get(name, getattr(shard, name))
                          for name in shard.__struct_fields__})  # fmt: skip


def test_a_worker_reads_what_it_is_asked(shard):
    shards.read(shard, records.code())
    about = json.loads((Path(shard.folder) / "report.json").read_text())
    assert about["end"] is None
    shards.read(shard, records.code())
    assert [path.name for path in Path(shard.folder).parent.iterdir()] == ["1"]


def test_a_worker_says_what_it_does_not_see(shard, tmp_path):
    with pytest.raises(RunError, match="runs another version of this program"):
        shards.read(shard, "another")
    sizes = (shard.sizes[0] + 1, *shard.sizes[1:])
    for other in (changed(shard, sizes=sizes), changed(shard, files=("/no/a.json",))):
        with pytest.raises(RunError, match=r"does not see /.*\.json as it is"):
            shards.read(other, records.code())
    with pytest.raises(RunError, match=rf"does not see {tmp_path}, where indexes go"):
        shards.read(changed(shard, folder=f"{tmp_path}/gone/shards/1"), records.code())


# ----------------------------------------------------------------------------------- the verb, wrong


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--shards", "4"], 2, "--shards is for --scheduler"),
        (["--shards", "0", "--scheduler", "tcp://127.0.0.1:9"], 2, "0 is not in the range x>=1"),
        (
            ["--scheduler", "tcp://127.0.0.1:9", "--builder", "terrier"],
            2,
            "--scheduler: Terrier's own indexer reads alone; leave out one of the two",
        ),
        (["--scheduler", "tcp://127.0.0.1:9"], 1, "127.0.0.1:9: no Dask scheduler answers"),
        (["--scheduler", "here"], 2, "--scheduler here: no address of a scheduler, tcp://HOST"),
    ],
)
def test_what_is_asked_wrongly_is_a_line(tmp_path, words, code, said):
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pipeline", "index", "-i", TINY, "--index",
         tmp_path / "indexes", *words],
        env=clusters.ENVIRONMENT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr.splitlines()[-1]
    assert not (tmp_path / "indexes").exists()
