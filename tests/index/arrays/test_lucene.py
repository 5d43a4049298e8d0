"""Lucene's models against scores that Lucene gave, and against a Lucene at work."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import defaultdict
from importlib import util
from pathlib import Path

import numpy as np
import pytest

from pipeline import java, resources
from pipeline.index.apart import Apart
from pipeline.index.arrays.apart import FieldsApart, as_lucene
from pipeline.index.models import (
    LuceneBM25,
    LuceneDFI,
    LuceneLMDirichlet,
    LuceneTFIDF,
    Statistics,
)
from pipeline.index.models.base import PerField
from pipeline.index.models.lucene import kept_length

BODY = Apart(PerField(body=1.0))
GOLDEN = {
    "lmd2000": (LuceneLMDirichlet(), BODY),
    "bm25": (LuceneBM25(), BODY),
    "bm25_k3.2_b0.2": (LuceneBM25(k1=3.2, b=0.2), BODY),
    "dfi_std": (LuceneDFI(), BODY),
    "dfi_sat": (LuceneDFI(measure="saturated"), BODY),
    "dfi_chi": (LuceneDFI(measure="chi_squared"), BODY),
    "lmd2000_body_must_title_should": (LuceneLMDirichlet(), Apart(required=("body",))),
}


@pytest.fixture(scope="module")
def golden(shared):
    """Rows (topic, docno, model, score), as Lucene 8, 9 and 10 gave them."""
    lines = (shared / "lucene" / "golden.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
    return [(topic, docno, model, float(score)) for topic, docno, model, score in rows]


# What argsme-mini needs of Unicode's word boundaries; signs of ALONE are words of one character.
ALONE = "[\u2122\u3040-\u309f\u3400-\u9fff\U0001f300-\U0001faff]"
LETTER, DIGIT, HIDDEN = rf"(?!{ALONE})[^\W\d_²³¹¼½¾]", r"\d", "[\u00ad\u2060]"
WORD = "|".join(
    [
        LETTER,
        DIGIT,
        "_",
        rf"(?<=[^\W\d_])[:.·'\u2018\u2019](?={LETTER})",
        rf"(?<={DIGIT})[,;.'\u2018\u2019](?={DIGIT})",
        rf"(?<=\w){HIDDEN}",
    ]
)
PATTERN = re.compile(rf"{ALONE}|(?:{WORD})+")


def tokens(text):
    """The words of a text as Lucene's StandardTokenizer cuts them, lower-cased."""
    return [word.lower() for word in PATTERN.findall(text) if word.strip("_")]


@pytest.fixture(scope="module")
def read(shared):
    """The docnos of argsme-mini, and the tokens of body and title of each document."""
    docnos, fields = [], {"body": [], "title": []}
    for name in ("debateorg", "debatepedia", "debatewise", "idebate"):
        text = (shared / "argsme-mini" / f"{name}.json").read_text(encoding="utf-8")
        for found in json.loads(text)["arguments"]:
            docnos.append(found["id"])
            context, body = found["context"], " ".join(p["text"] for p in found["premises"])
            title = context.get("discussionTitle") or context.get("topic") or ""
            fields["body"].append(tokens(body))
            fields["title"].append(tokens(title))
    return docnos, fields


@pytest.fixture(scope="module")
def lucene():
    """Asks a Lucene: from documents and searches to what each search finds, best first."""
    file = Path(__file__).parents[2] / "lucene.py"
    spec = util.spec_from_file_location("lucene_jars", file)
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    folder = resources.home()
    for jar in module.JARS:
        if wrong := resources.fault(jar, folder):
            pytest.skip(f"{folder / jar.file} {wrong}; python tests/lucene.py fetches it")
    program = [sys.executable, Path(__file__).with_name("lucene_at_work.py")]
    jars = [folder / jar.file for jar in module.JARS]

    def ask(documents, searches):
        done = subprocess.run(
            [*program, *jars],
            input=json.dumps({"documents": documents, "searches": searches}),
            capture_output=True,
            text=True,
            env={**os.environ, "JAVA_HOME": str(java.java_home())},
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return ask


def test_scores_are_those_that_lucene_gave(shared, golden, read, by_hand):
    docnos, fields = read
    postings = by_hand(fields)
    root = ET.parse(shared / "argsme-mini" / "topics.xml").getroot()
    queries = {t.findtext("number").strip(): tokens(t.findtext("title")) for t in root}
    expected = defaultdict(dict)
    for topic, docno, model, score in golden:
        expected[topic, model][docno] = score
    assert {model for _, model in expected} == set(GOLDEN)
    for (topic, name), scores in expected.items():
        model, apart = GOLDEN[name]
        entries = as_lucene([(term, 1.0) for term in queries[topic]], postings.terms)
        docs, values = FieldsApart(postings, model, apart)(entries)
        found = dict(zip([docnos[number] for number in docs], values.tolist(), strict=True))
        for docno, score in scores.items():
            assert abs(found[docno] - score) <= 1e-5, (topic, name, docno)
            assert np.float32(found[docno]) == np.float32(score), (topic, name, docno)
    assert len(golden) == 1808


def test_lengths_are_kept_in_one_byte():
    def kept(n):  # the 4 highest bits of what is above 24
        step = 1 << max((n - 24).bit_length() - 4, 0)
        return n if n < 24 else 24 + (n - 24) // step * step

    lengths = np.arange(100_000)
    found = kept_length(lengths.astype(float))
    assert found.tolist() == [kept(n) for n in lengths.tolist()]
    known = {40: 40, 41: 40, 100: 96, 300: 280, 438: 408, 1000: 984}
    assert {n: found[n] for n in known} == known
    np.testing.assert_array_equal(kept_length(found), found)


def test_terms_of_a_query_keep_their_weights_and_equal_ones_add_up(by_hand):
    terms = by_hand({"body": [["b", "a", "c"]]}).terms
    query = [("c", 1.0), ("a", 0.5), ("x", 9.0), ("c", 1.0), ("a", 3.0)]
    assert as_lucene(query, terms) == [(2, 2.0), (0, 3.5)]


def formula(model, tf, dl, s, w):
    """The model's docstring, a number at a time and in doubles."""
    if isinstance(model, LuceneBM25):
        norm = model.k1 * ((1 - model.b) + model.b * dl / s.avgdl)
        return w * math.log(1 + (s.N - s.df + 0.5) / (s.df + 0.5)) * tf / (tf + norm)
    if isinstance(model, LuceneLMDirichlet):
        p = (s.cf + 1) / (s.C + 1)
        return w * max(0, math.log(1 + tf / (model.mu * p)) + math.log(model.mu / (dl + model.mu)))
    if isinstance(model, LuceneDFI):
        e = (s.cf + 1) * dl / (s.C + 1)
        by = {"standardized": e**0.5 / e, "saturated": 1 / e, "chi_squared": (tf - e) / e}
        return w * math.log2(1 + (tf - e) * by[model.measure]) if tf > e else 0.0
    return w * math.sqrt(tf) * (1 + math.log((s.N + 1) / (s.df + 1))) / math.sqrt(dl)


MODELS = {
    LuceneBM25(): ["BM25Similarity", 1.2, 0.75],
    LuceneBM25(k1=3.2, b=0.2): ["BM25Similarity", 3.2, 0.2],
    LuceneBM25(k1=0.0): ["BM25Similarity", 0.0, 0.75],
    LuceneLMDirichlet(): ["LMDirichletSimilarity", 2000.0],
    LuceneLMDirichlet(mu=20.5): ["LMDirichletSimilarity", 20.5],
    LuceneDFI(): ["DFISimilarity", "IndependenceStandardized"],
    LuceneDFI(measure="saturated"): ["DFISimilarity", "IndependenceSaturated"],
    LuceneDFI(measure="chi_squared"): ["DFISimilarity", "IndependenceChiSquared"],
    LuceneTFIDF(): ["ClassicSimilarity"],
}


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_score_is_that_of_the_formula(model):
    s = Statistics(N=90.0, C=4100.0, avgdl=4100 / 90, df=30.0, cf=71.0)
    tf, dl = np.array([1.0, 2.0, 7.0, 1.0, 40.0]), np.array([1.0, 40.0, 100.0, 1000.0, 41.0])
    kept = [1, 40, 96, 984, 40]
    expected = [formula(model, *each, s, 1.5) for each in zip(tf, kept, strict=True)]
    np.testing.assert_allclose(model.score(tf, dl, s, 1.5), expected, rtol=2e-6)


def documents(random, number):
    """Words of body and title of so many documents, some of them empty, others long."""
    words = [f"w{place}" for place in range(60)]
    shares = 1 / np.arange(1, 61)
    lengths = {
        "body": random.geometric(0.02, number) - 1,
        "title": random.integers(0, 9, number),
        "note": random.integers(0, 2, number),
    }
    return {
        field: [list(map(str, random.choice(words, n, p=shares / shares.sum()))) for n in ns]
        for field, ns in lengths.items()
    }


def searches(random, number):
    """So many searches for each model: terms, some weighted or twice, and fields."""
    fields = [("body", "title", "note"), ("body", "title"), ("title",), ("note", "body")]
    for model, similarity in MODELS.items():
        for _ in range(number):
            asked = fields[random.integers(len(fields))]
            weighted, boosted = random.random(2) < 0.5
            chosen = random.choice([f"w{n}" for n in range(70)], random.integers(1, 7))
            boosts = [0.25, 0.3, 1.0, 1.0, 2.0, 7.5]
            yield (
                model,
                {
                    "similarity": similarity,
                    "terms": [(str(t), random.choice(boosts) if weighted else 1.0) for t in chosen],
                    "fields": {f: random.choice(boosts) if boosted else 1.0 for f in asked},
                    "required": [f for f in asked if random.random() < 0.3],
                },
            )


@pytest.mark.terrier
def test_lucene_finds_the_same_documents_in_the_same_order(lucene, by_hand):
    random = np.random.default_rng(5)
    held = documents(random, 300)
    asked = list(searches(random, 60))
    answers = lucene(held, [search for _, search in asked])
    postings = by_hand(held)
    rows = ties = other = 0
    for (model, search), answer in zip(asked, answers, strict=True):
        apart = Apart(PerField(search["fields"]), tuple(search["required"]))
        found = FieldsApart(postings, model, apart)(as_lucene(search["terms"], postings.terms))
        docs, scores = (array[np.lexsort((found[0], -found[1]))] for array in found)
        expected = np.array(answer).reshape(-1, 2)
        assert docs.tolist() == expected[:, 0].tolist(), search
        np.testing.assert_allclose(scores, expected[:, 1], atol=1e-5, rtol=1e-6)
        rows += len(docs)
        other += np.count_nonzero(scores != expected[:, 1])
        ties += len(docs) - len(np.unique(scores))
    assert rows > 50_000
    assert ties > 1_000
    assert other <= rows / 10_000, "the last bits are Lucene's too"
