import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.config import catalogue, experiment
from pipeline.config.resolved import resolved
from pipeline.config.yaml_places import Places
from pipeline.experiments.explain import explain

TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
WORDS = st.lists(TEXT.filter(str.strip), min_size=1, max_size=3)
POSITIVE = st.floats(1e-6, 1e9)
SHARE = st.floats(0, 1)
WHOLE = st.integers(1, 10**12)


def stage(**parameters: st.SearchStrategy) -> st.SearchStrategy:
    """One stage: its verb, then some of its parameters."""
    (verb, name), *others = parameters.items()
    return st.fixed_dictionaries({verb: st.just(name)}, optional=dict(others))


RETRIEVE = st.one_of(
    stage(retrieve="bm25", k1=POSITIVE, b=SHARE, k3=POSITIVE, num_results=WHOLE),
    stage(retrieve="dirichlet_lm", mu=POSITIVE, fields=st.just({"more": 0.1, "text": 2})),
    stage(retrieve="bm25f", weights=st.dictionaries(st.sampled_from(["text", "more"]), POSITIVE)),
    stage(retrieve="dph", required=st.just(["text"])),
)
RERANK = st.one_of(
    stage(
        rerank="argument_length", full_at=WHOLE, depth=WHOLE, weight=SHARE, field=st.just("more")
    ),
    st.builds(
        lambda words: {"rerank": "lexicon", "words": words}, st.one_of(WORDS, st.just("hedges"))
    ),
    stage(rerank="sentiment", mix=st.sampled_from(["hybrid", "sigmoid"]), slope=POSITIVE),
)
BRANCH = st.fixed_dictionaries(
    {}, optional={"weight": POSITIVE, "stages": st.lists(RERANK, max_size=2)}
)
FUSE = stage(fuse="weighted_sum", normalise=st.sampled_from(["z_score", "none"])).flatmap(
    lambda plain: st.lists(BRANCH, min_size=1, max_size=2).map(lambda b: {**plain, "branches": b})
)
INDEX = st.fixed_dictionaries(
    {"engine": st.just("arrays"), "fields": st.just({"text": ["premises"], "more": ["title"]})},
    optional={
        "stopwords": st.one_of(WORDS, st.sampled_from(["terrier", "none", "questions"])),
        "stemmer": st.sampled_from(["none", "porter", "german"]),
        "tokeniser": st.sampled_from(["english", "utf"]),
    },
)
CONFIG = st.builds(
    lambda index, source, words, retrieve, after: {
        "name": "x",
        "source": source,
        "index": index,
        "stages": [{"rewrite": "keywords", "words": words}, retrieve, *after],
    },
    INDEX,
    st.text(st.characters(codec="utf-8"), max_size=8),
    WORDS,
    RETRIEVE,
    st.lists(st.one_of(RERANK, FUSE), max_size=2),
)


@given(CONFIG)
def test_any_config_comes_back_from_its_record(tmp_path_factory, raw):
    system = experiment.read(Places.of(raw, "here/x.yaml"))
    record = resolved(system)
    again = experiment.read(Places.of(json.loads(json.dumps(record)), "elsewhere/y.yaml"))
    assert again == system
    assert json.dumps(resolved(again)) == json.dumps(record)
    file = tmp_path_factory.getbasetemp() / "explained.yaml"
    file.write_text("\n".join(explain(system)), encoding="utf-8")
    assert experiment.load(file) == system


@pytest.mark.parametrize("file", catalogue.shipped(), ids=lambda file: file.stem)
def test_shipped_config_comes_back_from_its_record(file):
    system = experiment.load(file)
    assert experiment.read(Places.of(resolved(system), "y.yaml")) == system


def test_a_word_list_of_a_file_goes_along(tmp_path):
    (tmp_path / "stop.txt").write_text("The\nof\n", encoding="utf-8")
    file = tmp_path / "x.yaml"
    text = (
        "index: {stopwords: stop.txt}\nstages: [{retrieve: bm25}, {rerank: lexicon, words: hedges}]"
    )
    file.write_text(text, encoding="utf-8")
    system = experiment.load(file)
    record = resolved(system)
    assert record["index"]["stopwords"] == {"name": "stop.txt", "words": ["the", "of"]}
    assert record["stages"][1]["words"] == "hedges"
    assert experiment.read(Places.of(record, Path("nowhere/y.yaml"))) == system
    explained = tmp_path / "there" / "y.yaml"
    explained.parent.mkdir()
    explained.write_text("\n".join(explain(system)), encoding="utf-8")
    assert experiment.load(explained) == system


def test_a_record_is_in_an_order_of_its_own():
    raw = {
        "stages": [
            {
                "branches": [{"stages": [{"b": 1, "retrieve": "bm25"}], "weight": 2}],
                "fuse": "combmnz",
            }
        ],
        "expected": {"qrels": {"nDCG@5": 0.5}},
        "published_as": "tag",
        "source": "here",
        "name": "x",
    }
    record = resolved(experiment.read(Places.of(raw, "x.yaml")))
    assert list(record) == ["name", "source", "published_as", "index", "stages", "expected"]
    assert list(record["stages"][0]) == ["fuse", "normalise", "branches"]
    assert record["stages"][0]["branches"] == [
        {
            "weight": 2.0,
            "stages": [
                {
                    "retrieve": "bm25",
                    "k1": 1.2,
                    "b": 1.0,
                    "k3": 8.0,
                    "num_results": 1000,
                    "fields": {},
                    "required": [],
                }
            ],
        }
    ]
