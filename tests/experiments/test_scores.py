"""Whole runs on real data, against scores that others computed without this program.

Those of ``argsme-mini`` and ``argq20`` come from a numpy implementation of the models over a Python
implementation of Terrier's tokens, made apart from this program; those of the published runs are
the runs' own.
"""

import json
from collections.abc import Callable
from pathlib import Path

import ir_measures
import pandas as pd
import pytest
from ir_measures import nDCG

from pipeline.collection import topics as topic_files
from pipeline.collection.folder import open_collection
from pipeline.config import experiment
from pipeline.experiments import assemble
from pipeline.experiments.progress import Progress
from pipeline.experiments.run import run
from pipeline.index.store import Store
from pipeline.runs import trec

pytestmark = pytest.mark.terrier

BM25, OURS, DPH, DLM, PL2 = (
    "{retrieve: bm25}",
    "{retrieve: bm25, k1: 3.2, b: 0.2}",
    "{retrieve: dph}",
    "{retrieve: dirichlet_lm}",
    "{retrieve: pl2}",
)


def score(qrels: Path, run_file: Path) -> float:
    """nDCG@5 as trec_eval has it; grades below 0 count as 0."""
    judged = pd.DataFrame(ir_measures.read_trec_qrels(str(qrels)))
    judged["relevance"] = judged["relevance"].clip(lower=0)
    ranking, _ = trec.read(run_file)
    found = ranking.rename(columns={"qid": "query_id", "docno": "doc_id"})
    return ir_measures.calc_aggregate([nDCG @ 5], judged, found)[nDCG @ 5]


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path, str], Path]:
    """Runs a stage over a folder, with an index that is kept, and gives the run file."""
    work = tmp_path_factory.mktemp("scores")

    def one(folder: Path, stage: str) -> Path:
        config = work / "x.yaml"
        config.write_text(f"stages:\n  - {stage}\n", encoding="utf-8")
        return run(folder, work / "out", str(config), work / "indexes", quiet=True)

    return one


@pytest.fixture(scope="module")
def argq20(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Webis-ArgQuality-20 in the form of args.me: a premise, and no conclusion."""
    folder = tmp_path_factory.mktemp("argq20")
    lines = (shared / "argq20" / "docs.jsonl").read_text(encoding="utf-8").splitlines()
    arguments = [
        {
            "id": row["id"],
            "conclusion": "",
            "premises": [{"text": row["text"], "stance": row["stance"]}],
        }
        for row in map(json.loads, lines)
    ]
    (folder / "argq20.json").write_text(json.dumps({"arguments": arguments}), encoding="utf-8")
    topics = (shared / "argq20" / "topics.xml").read_text(encoding="utf-8")
    (folder / "topics.xml").write_text(topics, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("stage", "expected"),
    [(DLM, 0.627790), (BM25, 0.388477), (OURS, 0.634477), (DPH, 0.444562), (PL2, 0.403438)],
)
def test_real_arguments(shared, scored, stage, expected):
    mini = shared / "argsme-mini"
    file = scored(mini, stage)
    assert trec.read(file)[0]["qid"].nunique() == 49
    assert score(mini / "qrels.txt", file) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("stage", "expected", "published", "its_score"),
    [
        (BM25, 0.795795, "BM25", 0.7319),
        (DPH, 0.837015, "DPH", 0.8277),
        (DLM, 0.791186, "DirichletLM", 0.8497),
    ],
)
def test_completely_judged_arguments(shared, argq20, scored, stage, expected, published, its_score):
    """The published runs searched all of args.me: the same models, over other statistics."""
    qrels = shared / "argq20" / "relevance.qrels"
    assert score(qrels, scored(argq20, stage)) == pytest.approx(expected, abs=1e-6)
    theirs = shared / "argq20" / f"run-{published}.txt"
    assert score(qrels, theirs) == pytest.approx(its_score, abs=0.00006)


@pytest.mark.parametrize("stage", [BM25, DLM])
def test_the_file_is_the_ranking(shared, scored, tmp_path, stage):
    """The same documents in the same order, each score within 1e-6 of the ranking's."""
    mini = shared / "argsme-mini"
    written, assumed = trec.read(scored(mini, stage))
    assert not assumed
    (tmp_path / "x.yaml").write_text(f"stages:\n  - {stage}\n", encoding="utf-8")
    system = experiment.load(tmp_path / "x.yaml")
    shown = Progress(quiet=True)
    with Store() as store:
        found = assemble.indexes(system, open_collection(mini), store, shown)
        queries = topic_files.frame(topic_files.read(mini / "topics.xml"))
        ranking = assemble.search(system, found, queries, shown)
    order = {qid: place for place, qid in enumerate(queries["qid"])}
    ranking = ranking.assign(place=ranking["qid"].map(order)).sort_values(["place", "rank"])
    assert written["qid"].tolist() == ranking["qid"].tolist()
    assert written["docno"].tolist() == ranking["docno"].tolist()
    off = written["score"].to_numpy() / ranking["score"].to_numpy() - 1
    assert abs(off).max() < 1e-6
