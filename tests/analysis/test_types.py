import re
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.analysis import types
from pipeline.analysis.analyzer import Analyzer
from pipeline.analysis.types import terms_of_types

ENGLISH = Analyzer("english", "terrier", "porter")
UTF = Analyzer("utf", "terrier", "porter")
RUN = re.compile(rb"[A-Za-z0-9\x80-\xff]+")


def laid_out(found):
    """Types end to end, and where they begin."""
    starts = np.array([0, *accumulate(map(len, found))], np.int64)
    return np.frombuffer(b"".join(found), np.uint8), starts


def terms_of(mapped, number):
    """The terms of a type, by its number."""
    first = mapped.first[number]
    if first < -1:
        begin, end = mapped.more_starts[-2 - first : -first]
        return [mapped.terms[term] for term in mapped.more[begin:end]]
    return [mapped.terms[first]] if first >= 0 else []


def test_by_hand():
    found = ["Zoos", "zoo", "the", "12345", "naïve", "日本語", "banned", "a\u0301a"]
    mapped = terms_of_types(ENGLISH, *laid_out([name.encode() for name in found]))
    assert mapped.terms == ["ban", "na", "ve", "zoo"]
    assert mapped.first.tolist() == [3, 3, -1, -1, -2, -1, 0, -1]
    assert mapped.more_starts.tolist() == [0, 2]
    assert mapped.more.tolist() == [1, 2]
    assert (mapped.first.dtype, mapped.more.dtype) == (np.int32, np.int32)
    assert mapped.more_starts.dtype == np.int64


def test_no_types_no_terms():
    mapped = terms_of_types(ENGLISH, *laid_out([]))
    assert (mapped.terms, len(mapped.first), len(mapped.more)) == ([], 0, 0)
    assert mapped.more_starts.tolist() == [0]


def test_bytes_that_are_no_utf8_separate():
    found = [b"ab\xff\xfecd", b"\xed\xa0\x80zoo", "zooé".encode()[:-1]]
    mapped = terms_of_types(UTF, *laid_out(found))
    assert [terms_of(mapped, number) for number in range(3)] == [["ab", "cd"], ["zoo"], ["zoo"]]


TEXTS = st.lists(
    st.text(max_size=20)
    | st.text("aAbsé1Σ ", max_size=12)
    | st.from_regex("[aA]{2,6}[0-9]{0,6}|[a-z]{18,22}", fullmatch=True)
)


@pytest.mark.parametrize("analyzer", [ENGLISH, UTF], ids=["english", "utf"])
@pytest.mark.parametrize("block", [1, 3, types.BLOCK])
@given(texts=TEXTS)
def test_the_terms_of_texts_are_those_of_their_types(monkeypatch_module, analyzer, block, texts):
    monkeypatch_module.setattr(types, "BLOCK", block)
    runs = [RUN.findall(text.encode()) for text in texts]
    found = sorted({run for row in runs for run in row})
    mapped = terms_of_types(analyzer, *laid_out(found))
    assert mapped.terms == sorted(set(mapped.terms), key=str.encode)
    number = {run: place for place, run in enumerate(found)}
    for text, row in zip(texts, runs, strict=True):
        assert analyzer.terms(text) == [
            term for run in row for term in terms_of(mapped, number[run])
        ]


@pytest.fixture(scope="module")
def monkeypatch_module():
    with pytest.MonkeyPatch.context() as patch:
        yield patch
