"""Two axes as vectors: cx (x − xg), cy (y − yg), the orientation of the papers; six rows.

Zhao & Badler 1989, 1994 (eq. 10). An axis is a point without a force on the whole: its gradient is
the torque x × e. Second derivatives are those of such points, where the goals stand still.
"""

import numpy as np
from numpy.typing import NDArray

from poise.kernel.body.bends import hang_axis
from poise.kernel.body.vectors import add, cross, three, times, turned
from poise.kernel.compiling import compiled
from poise.kernel.residuals.sites import TORQUE, find_turn

OWN, GOALS, FACTORS = 0, 6, 12
"""Values: x and y axes in the node's frame (6), their goals (6) in the world or in the other node's
frame, cx, cy."""


def packed(
    own: NDArray[np.float64], goals: NDArray[np.float64], cx: float = 1.0, cy: float = 1.0
) -> NDArray[np.float64]:
    """The values; axes and their goals are rows."""
    return np.concatenate([own.ravel(), goals.ravel(), [cx, cy]])


@compiled
def residual(tree, state, scratch, node, other, v, e, A, wanted):
    """Write the rows, and their Jacobian if wanted."""
    rows, goal_rows = scratch.turn_rows, scratch.goal_turn_rows
    find_turn(tree, state, node, scratch.turn, rows, wanted)
    if other >= 0:
        find_turn(tree, state, other, scratch.goal_turn, goal_rows, wanted)
    for k in range(2):
        c, r = v[FACTORS + k], 3 * k
        a0, a1, a2 = turned(scratch.turn, v[OWN + r : OWN + r + 3])
        b0, b1, b2 = three(v, GOALS + r)
        if other >= 0:
            b0, b1, b2 = turned(scratch.goal_turn, v[GOALS + r : GOALS + r + 3])
        e[r], e[r + 1], e[r + 2] = c * (a0 - b0), c * (a1 - b1), c * (a2 - b2)
        if not wanted:
            continue
        for i in range(A.shape[1]):
            x, y, z = rows[0, i], rows[1, i], rows[2, i]
            r0, r1, r2 = y * a2 - z * a1, z * a0 - x * a2, x * a1 - y * a0
            if other >= 0:
                x, y, z = goal_rows[0, i], goal_rows[1, i], goal_rows[2, i]
                r0 -= y * b2 - z * b1
                r1 -= z * b0 - x * b2
                r2 -= x * b1 - y * b0
            A[r, i], A[r + 1, i], A[r + 2, i] = c * r0, c * r1, c * r2


@compiled
def wrench(state, room, node, v, e, scale):
    """Add the torque on the node that is the gradient of the rows."""
    for k in range(2):
        axis = turned(state.rotation[node], v[OWN + 3 * k : OWN + 3 * (k + 1)])
        torque = times(scale * v[FACTORS + k], cross(axis, three(e, 3 * k)))
        add(room.node[node], TORQUE, torque)


@compiled
def load(state, node, other, v, force, scale, loads):
    """Hang the rows' force on the axes, for second derivatives."""
    for k in range(2 if other < 0 else 0):
        axis = turned(state.rotation[node], v[OWN + 3 * k : OWN + 3 * (k + 1)])
        hang_axis(loads[node], scale * v[FACTORS + k], axis, three(force, 3 * k))
