"""Arrays by the kind of numbers in them, and the map from types to terms that is made of three."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

U8 = npt.NDArray[np.uint8]
U16 = npt.NDArray[np.uint16]
U32 = npt.NDArray[np.uint32]
I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]
F64 = npt.NDArray[np.float64]

Frequencies = U16 | U32
"""How often terms stand in documents: of 16 bits wherever that is enough."""


class TermMap(NamedTuple):
    """What an analyzer makes of every type of a token stream: no, one or several terms."""

    first: I32
    """[types]: -1 for no term, the number of the one term, or -2 - k for the k-th of the lists."""
    more_starts: I64
    """[lists + 1]: list k is ``more[more_starts[k]:more_starts[k + 1]]``."""
    more: I32
    """Terms of the lists, in the order in which they stand in the text."""
