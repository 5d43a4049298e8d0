"""Numbers of terms: both ways to find the slots, and against a count by hand."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.index.arrays import kernels
from pipeline.index.arrays.dtypes import TermMap
from pipeline.index.arrays.invert import invert
from pipeline.index.arrays.terms import Terms
from pipeline.index.arrays.tokens import Stream, write
from pipeline.index.settings import IndexSettings
from pipeline.index.terrier import numbering
from pipeline.index.terrier.numbering import java_hashes, numbers, utf16

PLAIN = IndexSettings(stemmer="none", stopwords="none", tokeniser="utf")
only_c = pytest.mark.skipif(kernels.IN_USE != "C", reason="there are no kernels in C")


@pytest.fixture
def inverted(tmp_path_factory, argument):
    """The postings and the stream of arguments with these premises and conclusions."""

    def inverted(texts, settings=PLAIN):
        folder = tmp_path_factory.mktemp("arrays")
        arguments = [argument(f"d{n}", *text) for n, text in enumerate(texts)]
        write(arguments, folder / "tokens")
        stream = Stream.open(folder / "tokens")
        return invert(stream, settings, folder / "arrays"), stream

    return inverted


def java_hash(text):
    """``String.hashCode`` without its sign."""
    hashed = 0
    for high, low in zip(*[iter(text.encode("utf-16-be"))] * 2, strict=True):
        hashed = (hashed * 31 + high * 256 + low) & 0xFFFFFFFF
    return hashed & 0x7FFFFFFF


def by_hand(documents):
    """Numbers of terms, from documents as lists of terms that fit into tables of 277 slots."""
    found = {}
    for terms in documents:
        table = {}
        for term in dict.fromkeys(terms):
            slot = java_hash(term) % 277
            while slot in table:
                slot = (slot - 1 - java_hash(term) % 275) % 277
            table[slot] = term
        for slot in sorted(table, reverse=True):
            found.setdefault(table[slot], len(found))
    return found


def named(postings, found):
    return {postings.terms.name(n): int(number) for n, number in enumerate(found)}


@given(st.lists(st.text(max_size=20), max_size=20))
def test_hashes_are_those_of_java(words):
    words = sorted({word for word in words if word}, key=str.encode)
    terms = Terms.of(words)
    assert java_hashes(terms).tolist() == [java_hash(word) for word in words]
    units, starts = utf16(terms)
    for word, begin, end in zip(words, starts[:-1], starts[1:], strict=True):
        assert units[begin:end].tobytes().decode("utf-16-le") == word


def test_a_hash_by_hand():
    # the letters c, a, t are 99, 97, 116
    assert java_hashes(Terms.of(["cat"])).tolist() == [(99 * 31 + 97) * 31 + 116]


WORDS = st.lists(st.sampled_from([f"w{n}x" for n in range(400)]), max_size=120)


@given(st.lists(WORDS, min_size=1, max_size=8))
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_numbers_are_those_by_hand(inverted, documents):
    if not any(documents):
        return
    postings, stream = inverted([[" ".join(words)] for words in documents])
    assert named(postings, numbers(postings, stream, ["premises"])) == by_hand(documents)


def test_parts_are_read_in_the_order_of_the_field(inverted):
    words = [f"w{n}x" for n in range(120)]
    text = [" ".join(words[:70]), " ".join(words[50:])]
    for parts, order in (
        (("premises", "conclusion"), words),
        (("conclusion", "premises"), words[50:] + words[:50]),
        (("conclusion",), words[50:]),
        (("premises", "conclusion", "premises"), words),
    ):
        postings, stream = inverted([text], IndexSettings(fields={"a": parts}, stemmer="none"))
        assert named(postings, numbers(postings, stream, parts)) == by_hand([order])


def random_texts(seed):
    """Documents of 0 to 3,000 words of a few, some types standing for several terms."""
    rng = np.random.default_rng(seed)
    words = [f"w{n}x" for n in range(4000)] + [f"é{n}—ü{n}ß" for n in range(300)] + ["the"]
    sizes = [0, 1, 2, 30, 137, 138, 139, 140, 278, 279, 700, 3000, 0, 5]
    return [[" ".join(rng.choice(words, size))] for size in sizes]


@only_c
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("batch", [1, 500, 1 << 20])
def test_c_and_numpy_come_to_the_same(inverted, monkeypatch, seed, batch):
    postings, stream = inverted(random_texts(seed))
    assert len(postings.type_map.more)
    monkeypatch.setattr(numbering, "TOKENS", batch)
    firsts = postings.docs[postings.pointers[:-1]]
    wanted = np.bincount(firsts, minlength=postings.documents) > 1
    given = (postings, stream, [1], wanted, java_hashes(postings.terms), firsts)
    expected = numbering.slots_in_numpy(*given)
    assert len(set(expected.tolist())) > 1000
    assert numbering.slots_in_c(*given).tolist() == expected.tolist()


@only_c
@pytest.mark.parametrize(
    ("documents", "tokens", "starts", "first", "more"),
    [
        ([0], [2], [0, 1, 1], [0, 1], []),
        ([0], [-1], [0, 1, 1], [0, 1], []),
        ([0], [0], [0, 2, 2], [0, 1], []),
        ([0], [0], [1, 0, 0], [0, 1], []),
        ([0], [0], [-1, 1, 1], [0, 1], []),
        ([0], [0], [0, 1, 1], [2, 1], []),
        ([0], [0], [0, 1, 1], [-3, 1], [0]),
        ([0], [0], [0, 1, 1], [-2, 1], [2]),
        ([0], [0], [0, 1, 1], [-2, 1], [-1]),
    ],
)
def test_damaged_numbers_are_told(documents, tokens, starts, first, more):
    from pipeline.index.arrays import kernels_c

    terms_of = TermMap(
        np.array(first, np.int32), np.array([0, len(more)]), np.array(more, np.int32)
    )
    words = np.array([[5, -1], [6, -1], [0, 0]], np.int32)
    with pytest.raises(ValueError, match="out of range"):
        kernels_c.slots(
            np.array(tokens, np.int32), np.array(starts), [0], terms_of, 1,
            np.array(documents), words, np.array([277]),
        )  # fmt: skip


@only_c
def test_a_table_that_may_not_grow_is_told():
    from pipeline.index.arrays import kernels_c

    terms_of = TermMap(np.arange(200, dtype=np.int32), np.zeros(1, np.int64), np.zeros(0, np.int32))
    words = np.stack((np.arange(201), np.full(201, -1)), axis=1).astype(np.int32)
    with pytest.raises(ValueError, match="out of range"):
        kernels_c.slots(
            np.arange(200, dtype=np.int32), np.array([0, 200]), [0], terms_of, 1,
            np.array([0]), words, np.array([277]),
        )  # fmt: skip
