import pytest

from pipeline.index import record


@pytest.mark.parametrize("place", [0, 1 << 20, 1_500_000, -1])
def test_no_byte_of_a_file_can_change(tmp_path, place):
    content = bytearray(bytes(range(256)) * 8192)  # 2 MiB
    (tmp_path / "data").write_bytes(content)
    record.write(tmp_path, {"settings": "a"})
    assert record.read(tmp_path, {"settings": "a"})["settings"] == "a"
    content[place] ^= 1
    (tmp_path / "data").write_bytes(content)
    with pytest.raises(record.UnfitError, match="data is damaged"):
        record.read(tmp_path, {"settings": "a"})
