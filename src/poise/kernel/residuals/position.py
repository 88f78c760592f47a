"""Components of a point: e_r = d_r · (x − g) − o_r, in metres.

The goal g stands still. Its gradient is a force at the point, along Σ e_r d_r.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.kernel.body.bends import hang
from poise.kernel.body.kinematics import locate
from poise.kernel.compiling import compiled
from poise.kernel.residuals.sites import combine, find_point, located, push

PLACE, GOAL, DIRECTIONS = 0, 3, 6
"""Values: the point in the node's frame (3), the goal (3), directions d (3 each row) in the world;
then offsets o (1 each row)."""


def packed(
    place: ArrayLike, goal: ArrayLike, directions: NDArray[np.float64], offsets: ArrayLike = 0.0
) -> NDArray[np.float64]:
    """The values."""
    rows = len(directions)
    return np.concatenate([place, goal, directions.ravel(), np.broadcast_to(offsets, rows)])


@compiled
def residual(tree, state, scratch, node, v, e, A, wanted):
    """Write the rows, and their Jacobian if wanted."""
    find_point(tree, state, node, v[PLACE:GOAL], scratch.site, scratch.site_rows, wanted)
    along(scratch.site_rows, scratch.site, v[GOAL:DIRECTIONS], v, e, A, wanted)


@compiled
def along(jacobian, x, goal, v, e, A, wanted):
    """Write the components of x − g, with the Jacobian of x − g."""
    rows = e.size
    for r in range(rows):
        d = v[DIRECTIONS + 3 * r : DIRECTIONS + 3 * (r + 1)]
        e[r] = d[0] * (x[0] - goal[0]) + d[1] * (x[1] - goal[1]) + d[2] * (x[2] - goal[2])
        e[r] -= v[DIRECTIONS + 3 * rows + r]
        if wanted:
            combine(jacobian, d, A[r])


@compiled
def pull(v, force, inequality, scale):
    """The force Σ f_r d_r of the rows, times a scale; inequalities that hold have none."""
    f0, f1, f2 = 0.0, 0.0, 0.0
    for r in range(force.size):
        f = scale * force[r]
        if inequality[r] == 0 or f < 0.0:
            at = DIRECTIONS + 3 * r
            f0 += f * v[at]
            f1 += f * v[at + 1]
            f2 += f * v[at + 2]
    return f0, f1, f2


@compiled
def wrench(state, room, node, v, e, inequality, scale):
    """Add the wrench that is the gradient of the rows."""
    force = pull(v, e, inequality, scale)
    push(room.node[node], located(state, node, v[PLACE:GOAL]), force)


@compiled
def load(state, scratch, node, v, force, inequality, scale, loads):
    """Hang the rows' force on the node, for second derivatives."""
    locate(state, node, v[PLACE:GOAL], scratch.site)
    hang(loads[node], 1.0, scratch.site, pull(v, force, inequality, scale))
