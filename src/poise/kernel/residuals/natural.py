"""How people hold themselves: e = W (φ − μ), with a constant W; as many rows as W has.

φ are some coordinates, and then how far two axes of a node point up: x · ẑ and y · ẑ, the x and y
components of the up direction as the node sees it. All rows are straight in the coordinates; the
axes are points of the node without a force on the whole, and their second derivatives those of such
points, exact. Rotations about the vertical and motions of all change nothing.
"""

import numpy as np
from numpy.typing import NDArray

from poise.kernel.body.bends import hang_axis
from poise.kernel.body.vectors import turned
from poise.kernel.compiling import compiled
from poise.kernel.filling import clear
from poise.kernel.residuals.sites import find_turn

AXES, COUNT, INDICES = 0, 6, 7
"""Values: the two axes in the node's frame (6), how many coordinates (c), which they are (c); then
the mean μ (c + 2) and W by rows (r, c + 2)."""

UPS = 2
"""The features that are no coordinates: the last ones."""


def packed(
    axes: NDArray[np.float64],
    indices: NDArray[np.int64],
    mean: NDArray[np.float64],
    rows: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The values; axes are rows (2, 3) in the node's frame."""
    return np.concatenate(
        [axes.ravel(), [indices.size], indices, mean, rows.ravel()], dtype=np.float64
    )


@compiled
def _mean_of(v):
    """Where in the values the mean begins, and how many features there are."""
    count = int(v[COUNT])
    return INDICES + count, count + UPS


@compiled
def residual(tree, state, scratch, node, v, e, A, wanted):
    """Write the rows, and their Jacobian if wanted."""
    mean, features = _mean_of(v)
    count, first, turns = features - UPS, mean + features, scratch.turn_rows
    find_turn(tree, state, node, scratch.turn, turns, wanted)
    x = turned(scratch.turn, v[AXES : AXES + 3])
    y = turned(scratch.turn, v[AXES + 3 : COUNT])
    off_x, off_y = x[2] - v[mean + count], y[2] - v[mean + count + 1]
    if wanted:
        clear(A, e.size)
    for r in range(e.size):
        w = v[first + features * r : first + features * (r + 1)]
        wx, wy = w[count], w[count + 1]
        s = wx * off_x + wy * off_y
        for j in range(count):
            s += w[j] * (state.coordinate[int(v[INDICES + j])] - v[mean + j])
        e[r] = s
        if not wanted:
            continue
        # ẑ · (ω × a) = ω_x a_y − ω_y a_x
        a, b = wx * x[1] + wy * y[1], wx * x[0] + wy * y[0]
        row = A[r]
        if a != 0.0 or b != 0.0:
            for i in range(row.size):
                row[i] = a * turns[0, i] - b * turns[1, i]
        for j in range(count):
            row[int(v[INDICES + j])] += w[j]


@compiled
def load(state, node, v, force, scale, loads):
    """Hang the rows' force on the axes, for second derivatives."""
    mean, features = _mean_of(v)
    count, first = features - UPS, mean + features
    fx, fy = 0.0, 0.0
    for r in range(force.size):
        fx += v[first + features * r + count] * force[r]
        fy += v[first + features * r + count + 1] * force[r]
    x = turned(state.rotation[node], v[AXES : AXES + 3])
    y = turned(state.rotation[node], v[AXES + 3 : COUNT])
    hang_axis(loads[node], scale, x, (0.0, 0.0, fx))
    hang_axis(loads[node], scale, y, (0.0, 0.0, fy))
