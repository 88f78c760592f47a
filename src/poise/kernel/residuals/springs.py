"""Coordinates drawn to a goal, or back into a zone: e = √s (x − the nearest value of the zone).

One row for each of some coordinates, in radians or metres. A goal is a zone of no width. Inside a
zone the row is zero and so is its derivative; at its ends e² has a kink in its curvature only. Rows
are straight elsewhere: there are no second derivatives. Criteria are made of these where others
beside them have rows of their own; elsewhere `kernel.problem.spring` does the same without rows.
"""

import numpy as np
from numpy.typing import NDArray

from poise.kernel.compiling import compiled
from poise.kernel.filling import clear

COORDINATE, LOW, HIGH, ROOT, SPRING = range(5)
"""Values, for each row: which coordinate, the ends of its zone, √s; so many numbers."""


def packed(
    coordinates: NDArray[np.int64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    strength: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The values, of arrays (k,): coordinates, the ends of their zones, and how strong each is."""
    return np.stack([coordinates, low, high, np.sqrt(strength)], axis=1, dtype=np.float64).ravel()


@compiled
def residual(state, v, e, A, wanted):
    """Write the rows, and their Jacobian if wanted."""
    if wanted:
        clear(A, e.size)
    for r in range(e.size):
        row = v[SPRING * r : SPRING * (r + 1)]
        i, low, high = int(row[COORDINATE]), row[LOW], row[HIGH]
        away = state.coordinate[i] - min(max(state.coordinate[i], low), high)
        e[r] = row[ROOT] * away
        if wanted and (away != 0.0 or low == high):
            A[r, i] = row[ROOT]
