"""Arrays with a number of dimensions, for the named tuples that problems and workspaces are."""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Floats = Annotated[NDArray[np.float64], 1]
"""A row of numbers; with a digit, a table of so many dimensions."""
Floats2 = Annotated[NDArray[np.float64], 2]
Floats3 = Annotated[NDArray[np.float64], 3]
Ints = Annotated[NDArray[np.int64], 1]
Ints2 = Annotated[NDArray[np.int64], 2]


def aligned(*shape: int) -> NDArray[np.float64]:
    """Zeros that begin with a cache line: vector registers are filled in one go, 1.4 times faster.

    So do all rows if their length is a multiple of eight.
    """
    size = math.prod(shape)
    buffer = np.zeros(size + 7)
    first = -buffer.ctypes.data % 64 // 8
    return buffer[first : first + size].reshape(shape)
