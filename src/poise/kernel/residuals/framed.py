"""Components of a point in a frame that rides on a node: e_r = d_r · (y − g) − o_r, in metres.

y is the point as the frame sees it. What counts is how the point moves against the place of the
frame that it is at: the Jacobian is that of both. `outside` and `surface` measure y, too.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.kernel.body.kinematics import locate, point_rows
from poise.kernel.body.vectors import turned
from poise.kernel.compiling import compiled
from poise.kernel.filling import clear
from poise.kernel.residuals.sites import combine, find_point, subtract

PLACE, GOAL, FRAME, ROTATION, OWN = 0, 3, 6, 9, 18
"""Values: the point in the node's frame (3), a goal in the riding frame (3), that frame on the
other node as its position (3) and rotation (9); then each kind's own: here directions d (3 each
row) in the frame, then offsets o (1 each row)."""


def packed(
    place: ArrayLike,
    goal: ArrayLike,
    frame: tuple[NDArray[np.float64], NDArray[np.float64]],
    *own: ArrayLike,
) -> NDArray[np.float64]:
    """The values: the frame by its position and its rotation matrix, each kind's own in order."""
    position, rotation = frame
    rest = [np.asarray(each, np.float64).ravel() for each in own]
    return np.concatenate([place, goal, position, rotation.ravel(), *rest])


@compiled
def find_framed(tree, state, scratch, node, other, v, wanted):
    """Write the point in the frame, how the frame is turned, and the Jacobian if wanted."""
    site, goal, frame = scratch.site, scratch.goal, scratch.goal_turn
    R = state.rotation[other]
    find_point(tree, state, node, v[PLACE:GOAL], site, scratch.site_rows, wanted)
    locate(state, other, v[FRAME:ROTATION], goal)
    for r in range(3):
        for c in range(3):
            s = 0.0
            for k in range(3):
                s += R[3 * r + k] * v[ROTATION + 3 * k + c]
            frame[3 * r + c] = s
    for c in range(3):
        s = 0.0
        for r in range(3):
            s += frame[3 * r + c] * (site[r] - goal[r])
        scratch.local[c] = s
    if wanted:
        clear(scratch.goal_rows, 3)
        point_rows(tree, state, other, site, scratch.goal_rows)
        subtract(scratch.site_rows, scratch.goal_rows)


@compiled
def distance(y, v, k, count):
    """d · (y − g) − o of the k-th of so many directions."""
    at = OWN + 3 * k
    s = (
        v[at] * (y[0] - v[GOAL])
        + v[at + 1] * (y[1] - v[GOAL + 1])
        + v[at + 2] * (y[2] - v[GOAL + 2])
    )
    return s - v[OWN + 3 * count + k]


@compiled
def slope(scratch, v, k, row):
    """Write the Jacobian of the k-th component into a row."""
    combine(scratch.site_rows, turned(scratch.goal_turn, v[OWN + 3 * k : OWN + 3 * (k + 1)]), row)


@compiled
def residual(tree, state, scratch, node, other, v, e, A, wanted):
    """Write the rows, and their Jacobian if wanted."""
    find_framed(tree, state, scratch, node, other, v, wanted)
    for r in range(e.size):
        e[r] = distance(scratch.local, v, r, e.size)
        if wanted:
            slope(scratch, v, r, A[r])
