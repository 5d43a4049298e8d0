import resource
import signal

import numpy as np
import pytest

from pipeline.collection.npy import save


@pytest.mark.parametrize(
    "array",
    [
        np.arange(5, dtype=np.int32),
        np.arange(12, dtype=np.int64).reshape(3, 4),
        np.arange(12, dtype=np.uint16)[::2],
        np.zeros(0, np.uint8),
        np.zeros((2, 0), np.int32),
    ],
    ids=lambda array: str(array.shape),
)
def test_as_numpy_saves_it(tmp_path, array):
    save(tmp_path / "a.npy", array)
    np.save(tmp_path / "b.npy", array)
    assert (tmp_path / "a.npy").read_bytes() == (tmp_path / "b.npy").read_bytes()


@pytest.mark.parametrize("room", [0, 100, 200, 4000])
def test_a_full_disk_is_an_error(tmp_path, room):
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            save(tmp_path / "a.npy", np.zeros(1000, np.int32))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
