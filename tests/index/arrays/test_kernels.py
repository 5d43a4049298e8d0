"""The kernels in C against those in numpy, bit for bit, and both against plain Python."""

import itertools
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline import native
from pipeline.errors import RunError
from pipeline.index.arrays import kernels, kernels_c, kernels_numpy
from pipeline.index.arrays import scores as scores_module
from pipeline.index.arrays.dtypes import TermMap

FUZZ = settings(deadline=None)
BOTH = [kernels_numpy, *([kernels_c] if native.library() else [])]


def test_c_is_tested_where_it_can_be():
    if native.library() is None:
        pytest.skip(f"only numpy is tested: {native.missing()}")


@pytest.fixture(params=["numpy", "C"])
def either(request, monkeypatch):
    """``kernels`` by each of the two."""
    if request.param == "C" and native.library() is None:
        pytest.skip(native.missing())
    for module in (kernels, scores_module):
        monkeypatch.setattr(module, "_C", request.param == "C")
    return kernels


def i32(*numbers):
    return np.array(numbers, np.int32)


def i64(*numbers):
    return np.array(numbers, np.int64)


def same(results):
    """The result that all have given: equal kinds, shapes and bytes."""
    first, *others = results
    for other in others:
        for one, two in zip(first, other, strict=True):
            assert (one.dtype, one.shape) == (two.dtype, two.shape)
            assert one.tobytes() == two.tobytes()
    return first


# ---- tokenise

BYTES = st.lists(
    st.sampled_from([b"a", b"B", b"9", b"\x80", b"\xff", b"\xc3\xa4", b" ", b"\0", b"-", b"@", b"ab"]),
    max_size=20,
).map(b"".join) | st.binary(max_size=30)  # fmt: skip


def tokenised(types, texts):
    text, ends = b"".join(texts), np.cumsum(i64(*map(len, texts)), dtype=np.int64)
    return types.tokenise(np.frombuffer(text, np.uint8), ends)


@FUZZ
@given(st.lists(st.lists(BYTES, max_size=5), max_size=4))
def test_tokenise_gives_the_runs_of_letters_and_digits(calls):
    all_types = [kernels.Types(1 << 31) for kernels in BOTH]
    numbers: dict[bytes, int] = {}
    for texts in calls:
        tokens, ends = same([tokenised(types, texts) for types in all_types])
        words = [re.findall(rb"[A-Za-z0-9\x80-\xff]+", text) for text in texts]
        assert tokens.tolist() == [
            numbers.setdefault(word, len(numbers)) for word in itertools.chain(*words)
        ]
        assert ends.tolist() == [*itertools.accumulate(map(len, words))]
    names, starts = same([types.names() for types in all_types])
    assert [
        names[begin:end].tobytes() for begin, end in itertools.pairwise(starts.tolist())
    ] == list(numbers)
    assert [len(types) for types in all_types] == [len(numbers)] * len(all_types)


def test_the_table_of_types_grows():
    words = [b"%x" % (number * 7919) for number in range(100_000)]
    long = b"y" * 100_000
    text = [b" ".join(words), b" ".join([long, *reversed(words)])]
    for module in BOTH:
        types = module.Types(1 << 31)
        tokens, ends = tokenised(types, text)
        assert tokens.tolist() == [*range(100_001), *reversed(range(100_000))]
        assert ends.tolist() == [100_000, 200_001]
        names, starts = types.names()
        assert names.tobytes() == b"".join([*words, long])
        assert len(starts) == len(types) + 1 == 100_002


def test_more_types_than_can_be_numbered_are_an_error(either):
    types = either.Types(most=3)
    types.tokenise(b"a b c a b c", i64(11))
    assert len(types) == 3
    with pytest.raises(RunError, match="more than 3 different words"):
        types.tokenise(b"a b c d", i64(7))


@pytest.mark.parametrize("ends", [(2, 1), (-1, 3), (4,)])
def test_ends_are_looked_at(either, ends):
    with pytest.raises(ValueError, match="ends"):
        either.Types().tokenise(b"a b", i64(*ends))


def test_text_may_be_any_bytes(either):
    for text in (b"a b", bytearray(b"a b"), memoryview(b"xa by")[1:4]):
        tokens, _ = either.Types().tokenise(text, i64(3))
        assert tokens.tolist() == [0, 1]


# ---- count and fill


@st.composite
def streams(draw):
    """A stream of tokens and all that is asked of it."""
    parts, documents = draw(st.integers(1, 3)), draw(st.integers(0, 8))
    types, terms = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    lists = draw(st.lists(st.lists(st.integers(0, terms - 1), max_size=3), max_size=3))
    first = draw(st.lists(st.integers(-1 - len(lists), terms - 1), min_size=types, max_size=types))
    lengths = draw(
        st.lists(st.integers(0, 6), min_size=documents * parts, max_size=documents * parts)
    )
    total = sum(lengths)
    tokens = draw(st.lists(st.integers(0, types - 1), min_size=total, max_size=total))
    part = st.lists(st.integers(0, parts - 1), max_size=3).map(tuple)
    fields = draw(st.lists(part, min_size=1, max_size=3))
    begin, middle, end = sorted(draw(st.tuples(*[st.integers(0, documents)] * 3)))
    more = [term for terms in lists for term in terms]
    starts = [0, *itertools.accumulate(lengths)]
    more_starts = [0, *itertools.accumulate(map(len, lists))]
    terms_of = TermMap(i32(*first), i64(*more_starts), i32(*more))
    return (
        i32(*tokens), i64(*starts), fields, terms_of, terms, parts, begin, middle, end
    )  # fmt: skip


def counted(tokens, starts, fields, terms_of, parts, document):
    """Terms of a document in each field, counted in plain Python."""
    found = []
    for held in fields:
        terms = Counter()
        for part in held:
            at = document * parts + part
            for token in tokens[starts[at] : starts[at + 1]]:
                one = int(terms_of.first[token])
                several = slice(*terms_of.more_starts[-2 - one :][:2]) if one < -1 else slice(0)
                terms.update([one] if one >= 0 else terms_of.more[several].tolist())
        found.append(terms)
    return found


@FUZZ
@given(streams(), st.sampled_from([1, 4, 1 << 21]), st.sampled_from([np.uint16, np.uint32]))
def test_count_and_fill(given, block, kind):
    tokens, starts, fields, terms_of, number, parts, begin, middle, end = given
    stream = (tokens, starts, fields, terms_of)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels_numpy, "BLOCK", block)
        df, cf, lengths = same(
            [module.count(*stream, number, begin, end, parts) for module in BOTH]
        )
        found = {d: counted(*stream, parts, d) for d in range(begin, end)}
        assert lengths.T.tolist() == [[t.total() for t in found[d]] for d in range(begin, end)]
        held = [set().union(*found[d]) for d in range(begin, end)]
        assert df.tolist() == [sum(term in terms for terms in held) for term in range(number)]
        both = Counter()
        for terms in itertools.chain(*found.values()):
            both.update(terms)
        assert cf.tolist() == [both[term] for term in range(number)]

        pointers = np.concatenate([[0], np.cumsum(df)])
        results = []
        for module in BOTH:
            docs = np.full(pointers[-1], -7, np.int32)
            tfs = np.full((len(fields), pointers[-1]), 9, kind)
            place = pointers[:-1].copy()
            for low, high in [(begin, middle), (middle, end)]:  # as two threads would
                given = (low, high, place, docs, [*tfs], pointers, parts)
                assert module.fill(*stream, *given)
            results.append((docs, tfs, place))
    docs, tfs, place = same(results)
    assert place.tolist() == pointers[1:].tolist()
    for term, (low, high) in enumerate(itertools.pairwise(pointers)):
        of_term = [d for d in range(begin, end) if any(term in terms for terms in found[d])]
        assert docs[low:high].tolist() == of_term
        assert tfs[:, low:high].T.tolist() == [[t[term] for t in found[d]] for d in of_term]


def test_more_terms_than_buckets_and_more_postings_than_wait_in_one():
    numbers, terms, documents = np.random.default_rng(1), 9_000, 3_000
    first = numbers.integers(-2, terms, 8_000).astype(np.int32)
    first[:9] = [5, 6, -1, -2, -1, terms - 1, 6, -2, 0]  # and these occur often
    lengths = numbers.integers(0, 90, documents * 2)
    tokens = (8_000 * numbers.random(lengths.sum()) ** 8).astype(np.int32)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    stream = (tokens, starts, [(0,), (1, 0)], TermMap(first, i64(0, 3), i32(6, 2, terms - 1)))
    df, _, _ = same([module.count(*stream, terms, 0, documents, 2) for module in BOTH])
    pointers = np.concatenate([[0], np.cumsum(df)])
    results = []
    for module in BOTH:
        place, docs = pointers[:-1].copy(), np.empty(pointers[-1], np.int32)
        tfs = np.empty((2, len(docs)), np.uint16)
        assert module.fill(*stream, 0, documents, place, docs, [*tfs], pointers, 2)
        results.append((docs, tfs, place))
    assert len(same(results)[0]) > documents


@pytest.mark.parametrize(
    ("times", "kind", "fits"),
    [(65_535, np.uint16, True), (65_536, np.uint16, False), (70_000, np.uint32, True)],
)
def test_a_frequency_that_does_not_fit_is_said(either, times, kind, fits):
    tokens, starts = np.zeros(times, np.int32), i64(0, times)
    docs, tfs = np.empty(1, np.int32), np.empty((1, 1), kind)
    terms_of = TermMap(i32(0), i64(0), i32())
    stream = (tokens, starts, [(0,)], terms_of)
    assert either.fill(*stream, 0, 1, i64(0), docs, tfs, i64(0, 1), parts=1) == fits
    if fits:
        assert tfs.tolist() == [[times]]


GOOD = {
    "tokens": i32(0, 1, 1), "starts": i64(0, 1, 3), "fields": [(0,)],
    "terms_of": TermMap(i32(0, -2), i64(0, 2), i32(0, 1)), "number": 2, "begin": 0, "end": 2,
    "parts": 1,
}  # fmt: skip


@pytest.mark.parametrize(
    "bad",
    [
        {"tokens": i32(0, 1, 2)},
        {"tokens": i32(0, 1, -1)},
        {"tokens": i32(0, 1)},
        {"starts": i64(0, 3, 1)},
        {"starts": i64(-1, 1, 3)},
        {"starts": i64(0, 1)},
        {"end": 3},
        {"begin": -1},
        {"number": 1},
        {"fields": [(0, 1)]},
        {"fields": [(-1,)]},
        {"fields": []},
        {"terms_of": TermMap(i32(0, -3), i64(0, 2), i32(0, 1))},
        {"terms_of": TermMap(i32(0, -2), i64(0, 3), i32(0, 1))},
        {"terms_of": TermMap(i32(0, -2), i64(0, 2), i32(0, -1))},
        {"terms_of": TermMap(i32(0, -(1 << 31)), i64(0, 2), i32(0, 1))},
    ],
    ids=str,
)
def test_numbers_that_contradict_each_other_are_an_error(either, bad):
    assert either.count(**GOOD)[0].tolist() == [2, 1]
    with pytest.raises(ValueError):  # noqa: PT011  (numpy has words of its own)
        either.count(**{**GOOD, **bad})


@pytest.mark.parametrize("place", [(0, 3), (-1, 2), (1, 2), (0, 1)])
def test_nothing_is_written_outside_of_a_list(either, place):
    given = {name: value for name, value in GOOD.items() if name != "number"}
    docs, tfs = np.full(5, 99, np.int32), np.full((1, 5), 99, np.uint16)
    with pytest.raises(ValueError):  # noqa: PT011
        either.fill(**given, place=i64(*place), docs=docs, tfs=tfs, pointers=i64(0, 2, 3))
    assert docs[3:].tolist() == tfs[0, 3:].tolist() == [99, 99]


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("tokens", np.zeros(3, np.int64)),
        ("tokens", np.zeros(6, np.int32)[::2]),
        ("starts", np.zeros((3, 1), np.int64)),
        ("starts", np.zeros(3, ">i8")),
    ],
)
def test_arrays_of_another_kind_are_an_error(either, name, array):
    with pytest.raises(TypeError, match=name):
        either.count(**{**GOOD, name: array})


# ---- scores

SCORES = (
    st.sampled_from([0.0, -0.0, 1.0, 1.0, -1.0, 0.1, 1e300, np.inf, -np.inf, np.nan]) | st.floats()
)


@st.composite
def queries(draw, documents=12):
    """What is added to scores for a query, and how many are asked for."""
    steps = []
    for _ in range(draw(st.integers(0, 4))):
        docs = draw(st.lists(st.integers(0, documents - 1), unique=True))
        values = draw(st.lists(SCORES, min_size=len(docs), max_size=len(docs)))
        tfs = draw(st.lists(st.integers(1, 1 << 16), min_size=len(docs), max_size=len(docs)))
        weights = draw(st.tuples(SCORES, SCORES, SCORES)) if draw(st.booleans()) else None
        steps.append((i32(*docs), np.array(values, np.float64), np.array(tfs, np.uint32), weights))
    keep = draw(st.none() | st.lists(st.integers(0, 1), min_size=documents, max_size=documents))
    keep = None if keep is None else np.array(keep, np.uint8)
    return steps, draw(st.integers(0, documents + 2)), keep


NORMS = np.array([0.5, 1, 1, 2.25, 1e9, 0, 3, 0.1, 1, 1, 1, 1])


@FUZZ
@given(st.lists(queries(), min_size=1, max_size=3))
def test_scores_of_query_after_query(given):
    all_sums = [module.Scores(12) for module in BOTH]
    for steps, k, keep in given:
        sums: dict[int, np.float64] = {}
        for docs, values, tfs, weights in steps:
            for scores in all_sums:
                if weights is None:
                    scores.add(docs, values)
                else:
                    scores.add_saturated(docs, tfs, NORMS, *weights)
            with np.errstate(all="ignore"):
                if weights is not None:
                    idf, gain, weight = weights
                    values = idf * (gain * tfs / (NORMS[docs] + tfs)) * weight
                for doc, value in zip(docs.tolist(), values, strict=True):
                    sums[doc] = sums.get(doc, np.float64(0)) + value
        docs, found = same([scores.best(k, keep) for scores in all_sums])
        kept = [d for d in sums if sums[d] == sums[d] and (keep is None or keep[d])]
        assert docs.tolist() == sorted(kept, key=lambda d: (-sums[d], d))[:k]
        assert found.tolist() == [sums[doc] for doc in docs.tolist()]


def test_many_scores_with_ties_at_the_cut():
    numbers = np.random.default_rng(1)
    docs = numbers.permutation(20_000).astype(np.int32)
    values = numbers.integers(-50, 50, 20_000).astype(np.float64)
    for k in (1, 999, 1000, 19_999, 20_000, 20_001):
        results = []
        for module in BOTH:
            scores = module.Scores(20_000)
            scores.add(docs, values)
            results.append(scores.best(k, None))
        best, _ = same(results)
        assert best.tolist() == docs[np.lexsort((docs, -values))[:k]].tolist()


def test_scores_look_at_documents(either):
    scores = either.Scores(3)
    for wrong in (3, -1):
        with pytest.raises(ValueError, match="out of"):
            scores.add(i32(wrong), np.ones(1))
        with pytest.raises(ValueError, match="out of"):
            scores.add_saturated(i32(wrong), np.ones(1, np.uint16), np.ones(3), 1, 1, 1)
    with pytest.raises(ValueError, match="not one a document"):
        scores.best(1, np.ones(2, np.uint8))
    with pytest.raises(ValueError, match="not as many"):
        scores.add(i32(1, 2), np.ones(1))


# ---- encode and transpose

TFS = st.integers(1, 5) | st.integers(60, 70)


@st.composite
def lists_of_postings(draw):
    """Lists of ascending ids, with a frequency each."""
    lists = draw(st.lists(st.sets(st.integers(0, 40) | st.integers(0, (1 << 31) - 1), max_size=6)))
    ids = [number for held in lists for number in sorted(held)]
    frequencies = draw(st.lists(TFS, min_size=len(ids), max_size=len(ids)))
    kind = draw(st.sampled_from([np.uint16, np.uint32]))
    pointers = [0, *itertools.accumulate(map(len, lists))]
    return i64(*pointers), i32(*ids), np.array(frequencies, kind)


def decoded(bits, at, number):
    """So many postings from bit ``at`` on, and the bit after them."""
    found, before = [], -1
    for _ in range(number):
        zeros = bits.index("1", at) - at
        before += int(bits[at + zeros : at + 2 * zeros + 1], 2)
        at += 2 * zeros + 1
        end = bits.index("1", at) + 1
        found.append((before, end - at))
        at = end
    return found, at


@FUZZ
@given(lists_of_postings(), st.integers(0, 7), st.sampled_from([2, 1 << 21]))
def test_encoded_postings_can_be_read(given, at, block):
    pointers, ids, tfs = given
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels_numpy, "BLOCK", block)
        coded, offsets, bits = same([module.encode(*given, at) for module in BOTH])
    text = "".join(f"{byte:08b}" for byte in coded.tolist())
    end = at
    for low, high, offset, bit in zip(pointers, pointers[1:], offsets, bits, strict=False):
        assert offset * 8 + bit == end
        found, end = decoded(text, end, high - low)
        assert found == list(zip(ids[low:high], tfs[low:high], strict=True))
    assert len(text) - end in range(8)
    assert "1" not in text[:at] + text[end:]


@pytest.mark.parametrize("tf", [63, 64, 65, 127, 128, 129, 65_535, 65_536, 3_000_000])
@pytest.mark.parametrize("at", [0, 7])
def test_a_frequency_may_be_of_any_size(tf, at):
    tfs = np.array([1, tf, 2], np.uint32)
    coded, _, _ = same([m.encode(i64(0, 3), i32(0, 5, 6), tfs, at) for m in BOTH])
    text = "0" * at + "11" + "00101" + "0" * (tf - 1) + "1" + "101"
    assert "".join(f"{byte:08b}" for byte in coded.tolist()).rstrip("0") == text


@FUZZ
@given(lists_of_postings(), st.data())
def test_encoding_can_go_on_where_it_ended(given, data):
    pointers, ids, tfs = given
    cut = data.draw(st.integers(0, len(pointers) - 1))
    for module in BOTH:
        whole, _, _ = module.encode(pointers, ids, tfs, 0)
        first, _, _ = module.encode(pointers[: cut + 1], ids, tfs, 0)
        _, offsets, bits = module.encode(np.append(pointers[: cut + 1], pointers[cut]), ids, tfs, 0)
        byte, bit = int(offsets[-1]), int(bits[-1])
        second, _, _ = module.encode(pointers[cut:], ids, tfs, bit)
        joined = np.zeros(len(whole) + 1, np.uint8)
        joined[: len(first)] |= first
        joined[byte : byte + len(second)] |= second
        assert joined[: len(whole)].tobytes() == whole.tobytes()


@pytest.mark.parametrize(
    ("pointers", "ids", "tfs"),
    [
        ((0, 2), (3, 3), (1, 1)),
        ((0, 2), (3, 2), (1, 1)),
        ((0, 1), (-1,), (1,)),
        ((0, 1), (-(1 << 31),), (1,)),
        ((0, 1), (0,), (0,)),
        ((0, 3), (1, 2), (1, 1)),
        ((1, 0), (1, 2), (1, 1)),
        ((-1, 1), (1, 2), (1, 1)),
        ((), (1, 2), (1, 1)),
        ((0, 1), (1, 2), (1,)),
    ],
)
def test_lists_that_cannot_be_encoded_are_an_error(either, pointers, ids, tfs):
    with pytest.raises(ValueError, match=r"out of range|pointers"):
        either.encode(i64(*pointers), i32(*ids), np.array(tfs, np.uint16))


@FUZZ
@given(lists_of_postings(), st.sampled_from([np.uint16, np.uint32]))
def test_transposed_twice_is_the_same(given, kind):
    pointers, ids, tfs = given
    docs, tfs = ids % 41, tfs.astype(kind)
    by_document, terms, tfs_out = same([m.transpose(pointers, docs, tfs, 41) for m in BOTH])
    assert len(by_document) == 42
    owner = np.repeat(np.arange(len(pointers) - 1), np.diff(pointers)).tolist()
    wanted = sorted(zip(docs.tolist(), owner, range(len(docs)), strict=True))
    assert terms.tolist() == [term for _, term, _ in wanted]
    assert tfs_out.tolist() == [tfs[at] for _, _, at in wanted]
    lists = len(pointers) - 1
    back, again, tfs_back = same([m.transpose(by_document, terms, tfs_out, lists) for m in BOTH])
    assert back.tolist() == pointers.tolist()
    if len(set(zip(owner, docs.tolist(), strict=True))) == len(docs):
        assert sorted(again.tolist()) == sorted(docs.tolist())
        assert tfs_back.sum() == tfs.sum()


def test_transpose_looks_at_documents(either):
    for doc in (-1, 2):
        with pytest.raises(ValueError, match="out of range"):
            either.transpose(i64(0, 1), i32(doc), np.ones(1, np.uint16), 2)
