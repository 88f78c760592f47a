"""Arrays with a number of dimensions, for the named tuples that problems and workspaces are."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Floats = Annotated[NDArray[np.float64], 1]
"""A row of numbers; with a digit, a table of so many dimensions."""
Floats2 = Annotated[NDArray[np.float64], 2]
Floats3 = Annotated[NDArray[np.float64], 3]
Ints = Annotated[NDArray[np.int64], 1]
Ints2 = Annotated[NDArray[np.int64], 2]
