"""Arrays to files.

numpy's own ``tofile``, and ``save`` which calls it, may not notice that a disk is full.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt


def save(file: Path, array: npt.NDArray[Any]) -> None:
    """Writes an array to a file, as ``np.save`` does.

    Raises:
        OSError: the disk is full.
    """
    array = np.ascontiguousarray(array)
    with file.open("wb") as out:
        about = np.lib.format.header_data_from_array_1_0(array)
        np.lib.format.write_array_header_1_0(out, about)
        write(out, array)


def write(out: BinaryIO, array: npt.NDArray[Any]) -> None:
    """Appends the bytes of an array, which is contiguous, to a file.

    Raises:
        OSError: the disk is full.
    """
    if array.size:
        out.write(array.data)
