from pathlib import Path

from pipeline.config import experiment
from pipeline.experiments.describe import sentence, steps

CONFIG = """
stages:
  - rewrite: keywords
  - fuse: weighted_sum
    branches:
      - stages:
          - retrieve: bm25
          - expand: rm3
      - weight: 0.5
        stages:
          - {retrieve: bm25, b: 0.1}
  - rerank: sentiment
"""


def test_each_step_says_what_it_takes_up(tmp_path: Path):
    file = tmp_path / "x.yaml"
    file.write_text(CONFIG, encoding="utf-8")
    stages = experiment.load(file).stages
    found = steps(stages)
    assert [(s["name"], s["method"], s.get("reranks"), s.get("interpolates")) for s in found] == [
        ("keywords", "rewrite: keywords", None, None),
        ("bm25", "retrieve: bm25", None, None),
        ("rm3", "expand: rm3", "bm25", None),
        ("bm25-2", "retrieve: bm25", None, None),
        ("weighted_sum", "fuse: weighted_sum", None, ["rm3", "bm25-2"]),
        ("sentiment", "rerank: sentiment", "weighted_sum", None),
    ]
    assert found[3]["b"] == 0.1
    assert found[4]["weights"] == [1.0, 0.5]
    assert sentence(stages) == (
        "rewrite: keywords, then fuse: weighted_sum of (retrieve: bm25, then expand: rm3; "
        "retrieve: bm25), then rerank: sentiment"
    )
