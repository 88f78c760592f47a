"""How people hold themselves: e = W (φ − μ), with a constant W; as many rows as W has.

φ are coordinates that follow each other, and then how far two axes of a node point up: x · ẑ and
y · ẑ, the x and y components of the up direction as the node sees it. All rows are straight in the
coordinates; the axes are points of the node without a force on the whole, and their second
derivatives those of such points, exact. Rotations about the vertical and motions of all change
nothing.
"""

import numpy as np
from numpy.typing import NDArray

from poise.kernel.body.bends import hang_axis
from poise.kernel.body.vectors import turned
from poise.kernel.compiling import compiled
from poise.kernel.filling import clear
from poise.kernel.residuals.sites import find_turn

AXES, FIRST, COUNT, MEAN = 0, 6, 7, 8
"""Values: the two axes in the node's frame (6), the first coordinate, how many there are (c); then
the mean μ (c + 2) and W by rows (r, c + 2). Columns of coordinates that take no part are zero: that
is quicker than looking up which do."""

UPS = 2
"""The features that are no coordinates: the last ones."""


def packed(
    axes: NDArray[np.float64],
    indices: NDArray[np.int64],
    mean: NDArray[np.float64],
    rows: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The values.

    Args:
        axes: rows (2, 3) in the node's frame.
        indices: (k,) of the coordinates that take part.
        mean: (k + 2,) of these, and of the axes.
        rows: (r, k + 2) of W.
    """
    first, last = int(indices.min()), int(indices.max())
    count = last - first + 1
    columns = np.concatenate([indices - first, [count, count + 1]])
    means, matrix = np.zeros(count + UPS), np.zeros((len(rows), count + UPS))
    means[columns], matrix[:, columns] = mean, rows
    return np.concatenate([axes.ravel(), [first, count], means, matrix.ravel()], dtype=np.float64)


@compiled
def residual(tree, state, scratch, node, v, e, A, wanted):
    """Write the rows, and their Jacobian if wanted."""
    first, count, turns = int(v[FIRST]), int(v[COUNT]), scratch.turn_rows
    features = count + UPS
    rows = MEAN + features
    find_turn(tree, state, node, scratch.turn, turns, wanted)
    x = turned(scratch.turn, v[AXES : AXES + 3])
    y = turned(scratch.turn, v[AXES + 3 : AXES + 6])
    off_x, off_y = x[2] - v[MEAN + count], y[2] - v[MEAN + count + 1]
    q, mean = state.coordinate[first : first + count], v[MEAN : MEAN + count]
    if wanted:
        clear(A, e.size)
    for r in range(e.size):
        w = v[rows + features * r : rows + features * (r + 1)]
        wx, wy = w[count], w[count + 1]
        s = wx * off_x + wy * off_y
        for j in range(count):
            s += w[j] * (q[j] - mean[j])
        e[r] = s
        if not wanted:
            continue
        # ẑ · (ω × a) = ω_x a_y − ω_y a_x
        a, b = wx * x[1] + wy * y[1], wx * x[0] + wy * y[0]
        row = A[r]
        if a != 0.0 or b != 0.0:
            for i in range(row.size):
                row[i] = a * turns[0, i] - b * turns[1, i]
        own = row[first : first + count]
        for j in range(count):
            own[j] += w[j]


@compiled
def load(state, node, v, force, scale, loads):
    """Hang the rows' force on the axes, for second derivatives."""
    count = int(v[COUNT])
    features = count + UPS
    rows = MEAN + features
    fx, fy = 0.0, 0.0
    for r in range(force.size):
        fx += v[rows + features * r + count] * force[r]
        fy += v[rows + features * r + count + 1] * force[r]
    x = turned(state.rotation[node], v[AXES : AXES + 3])
    y = turned(state.rotation[node], v[AXES + 3 : AXES + 6])
    hang_axis(loads[node], scale, x, (0.0, 0.0, fx))
    hang_axis(loads[node], scale, y, (0.0, 0.0, fy))
