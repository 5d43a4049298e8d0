import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.collection import blocks
from pipeline.collection.blocks import PACKED, Blocks, BlocksWriter


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 64)


def write(folder, rows):
    """Writes rows; gives the span of each."""
    writer = BlocksWriter(folder)
    starts = [writer.append(row) for row in rows]
    writer.close()
    return [(start, start + len(row)) for start, row in zip(starts, rows, strict=True)]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.binary(min_size=1, max_size=200), max_size=20), st.data())
def test_rows_are_found_in_any_order(tmp_path_factory, rows, data):
    folder = tmp_path_factory.mktemp("blocks")
    spans = write(folder, rows)
    chosen = data.draw(
        st.lists(st.integers(0, len(rows) - 1), max_size=30) if rows else st.just([])
    )
    found = list(Blocks(folder).rows(spans[place] for place in chosen))
    assert found == [rows[place] for place in chosen]


def test_rows_follow_each_other(tmp_path):
    assert write(tmp_path, [b"one", b"2", b"three"]) == [(0, 3), (3, 4), (4, 9)]


def test_blocks_are_compressed(tmp_path):
    write(tmp_path, [b"the same again and again " * 40] * 50)
    assert (tmp_path / PACKED).stat().st_size < 25 * 40 * 50 / 10
