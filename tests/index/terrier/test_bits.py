"""Streams of bits, written in blocks: read back bit by bit."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.index.terrier.bits import BitFile, blocks


class Bits:
    """Reads postings from the bytes of a file."""

    def __init__(self, data):
        self.bits = np.unpackbits(np.frombuffer(data, np.uint8)).tolist()
        self.at = 0

    def zeros(self):
        begin = self.at
        self.at = self.bits.index(1, begin)
        return self.at - begin

    def posting(self, before):
        width = self.zeros() + 1
        gap = int("".join(map(str, self.bits[self.at : self.at + width])), 2)
        self.at += width
        tf = self.zeros() + 1
        self.at += 1
        return before + gap, tf

    def list(self, length, at):
        self.at, postings = at, [(-1, 0)]
        for _ in range(length):
            postings.append(self.posting(postings[-1][0]))
        return postings[1:]


def arrays(lists, kind=np.uint16):
    """Lists of postings as pointers, ids and frequencies."""
    pointers = np.cumsum([0, *map(len, lists)])
    flat = [posting for postings in lists for posting in postings]
    ids, tfs = np.array([f[0] for f in flat], np.int32), np.array([f[1] for f in flat], kind)
    return pointers, ids, tfs


def written(tmp_path, lists, most, kind=np.uint16):
    """The bytes of the file, and the bit at which each list begins."""
    pointers, ids, tfs = arrays(lists, kind)
    at = []
    with BitFile(tmp_path / "bits") as file:
        for begin, end in blocks(pointers, most):
            offsets, bits = file.append(pointers[begin : end + 1], ids, tfs)
            assert (offsets.dtype, bits.dtype) == (np.int64, np.uint8)
            at += (offsets * 8 + bits).tolist()
    return (tmp_path / "bits").read_bytes(), at


POSTINGS = st.dictionaries(st.integers(0, 5000), st.integers(1, 40), max_size=12)


@given(st.lists(POSTINGS, min_size=1, max_size=12), st.integers(1, 30))
def test_lists_are_read_back_whatever_the_blocks(tmp_path_factory, lists, most):
    lists = [sorted(postings.items()) for postings in lists]
    folder = tmp_path_factory.mktemp("bits")
    data, at = written(folder, lists, most)
    assert data == written(folder, lists, 1 << 20)[0]
    bits = Bits(data)
    assert [
        bits.list(len(postings), begin) for postings, begin in zip(lists, at, strict=True)
    ] == lists
    assert at == sorted(at)
    used = bits.at if sum(map(len, lists)) else 0
    assert data[-1] == 0
    if lists[-1]:
        assert len(data) == (used + 7) // 8 + 1


def test_the_format_by_hand(tmp_path):
    # documents 0 and 2, twice and once: gap 1 is 1, tf 2 is 01, gap 2 is 010, tf 1 is 1; then a
    # list with document 3 once: gap 4 is 00100, tf 1 is 1; in all 1 01 010 1 0|0100 1
    data, at = written(tmp_path, [[(0, 2), (2, 1)], [(3, 1)]], 1)
    assert data == bytes([0b10101010, 0b01001000, 0])
    assert at == [0, 7]


@pytest.mark.parametrize("tf", [1, 7, 8, 70_000, 1 << 20])
def test_frequencies_of_any_size(tmp_path, tf):
    lists = [[(5, tf)], [(0, 1), (1, tf)]]
    data, at = written(tmp_path, lists, 1, np.uint32)
    bits = Bits(data)
    assert [bits.list(1, at[0]), bits.list(2, at[1])] == lists


def test_blocks():
    pointers = np.array([0, 3, 3, 4, 14, 15])
    assert list(blocks(pointers, 4)) == [(0, 3), (3, 4), (4, 5)]
    assert list(blocks(pointers, 1)) == [(0, 1), (1, 3), (3, 4), (4, 5)]
    assert list(blocks(pointers, 100)) == [(0, 5)]
    assert list(blocks(np.zeros(4, np.int64), 2)) == [(0, 3)]
    assert all(a[1] == b[0] for a, b in pairwise(blocks(np.arange(100), 7)))


def test_a_file_that_was_given_up_has_no_end(tmp_path):
    def fails():
        with BitFile(tmp_path / "bits") as file:
            file.append(*arrays([[(0, 1)]]))
            raise KeyError

    with pytest.raises(KeyError):
        fails()
    assert (tmp_path / "bits").read_bytes() == b""
