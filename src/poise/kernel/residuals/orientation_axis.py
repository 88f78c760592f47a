"""One axis of an orientation: e is the rotation vector that takes the goal b to the axis a (rad).

In three rows e has rank two: the site may turn about the axis. With e = θ u, u = b × a / sin θ and
w = b × u, the rate is ė = u (u·ω) + w (θ / sin θ)(cos θ w·ω + sin θ b·ω); where θ is small it is
nearly that of b × a. Near a = −b the direction of u is a matter of a hair and its rate has no
bound: one is put on it, lest it drown all other rows. Where the goal rides, ω is that of the site
against it, and the whole turns with it: ė += ω_goal × e. The gradient of ½|e|² is the torque e
(`orientation.wrench`); second derivatives are left out.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.kernel.body.vectors import three, turned
from poise.kernel.compiling import compiled
from poise.kernel.residuals.sites import find_turn

OWN, GOAL, SPLIT = 0, 3, 6
"""Values: the axis in the node's frame (3), the goal (3) in the world or in the other node's frame;
for two rows also two perpendiculars of the goal in the world (6), which e is split into."""

_NEAR = 1e-4
"""Below this sine of the angle, on the side of the goal, series take the place of quotients."""
_OPPOSITE = 1e-12
"""Below this sine, on the other side, the axis to turn about is any perpendicular."""
_STEEPEST = 3e3
"""The most that θ / sin θ counts for in rates (rad)."""


def packed(own: ArrayLike, goal: ArrayLike, split: ArrayLike = ()) -> NDArray[np.float64]:
    """The values."""
    return np.concatenate([own, goal, split])


def unpacked(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The axis and the goal."""
    return values[OWN:GOAL], values[GOAL:SPLIT]


@compiled
def residual(tree, state, scratch, node, other, v, e, A, wanted):
    """Write the rows, and their Jacobian if wanted."""
    rows, goal_rows = scratch.turn_rows, scratch.goal_turn_rows
    find_turn(tree, state, node, scratch.turn, rows, wanted)
    a0, a1, a2 = turned(scratch.turn, v[OWN:GOAL])
    b0, b1, b2 = three(v, GOAL)
    if other >= 0:
        find_turn(tree, state, other, scratch.goal_turn, goal_rows, wanted)
        b0, b1, b2 = turned(scratch.goal_turn, v[GOAL:SPLIT])
    c0, c1, c2 = b1 * a2 - b2 * a1, b2 * a0 - b0 * a2, b0 * a1 - b1 * a0
    s, c = math.sqrt(c0 * c0 + c1 * c1 + c2 * c2), a0 * b0 + a1 * b1 + a2 * b2
    near = s < _NEAR and c > 0.0
    k = 1.0 + s * s / 6.0
    u0, u1, u2, theta = k * c0, k * c1, k * c2, 1.0
    if not near:
        theta = math.atan2(s, c)
        if s > _OPPOSITE:
            u0, u1, u2 = c0 / s, c1 / s, c2 / s
        else:
            u0, u1, u2 = perpendicular(b0, b1, b2)
        k = min(theta / s, _STEEPEST)
    e0, e1, e2 = theta * u0, theta * u1, theta * u2
    _write(v, e0, e1, e2, e)
    if not wanted:
        return
    w0, w1, w2 = b1 * u2 - b2 * u1, b2 * u0 - b0 * u2, b0 * u1 - b1 * u0
    for i in range(A.shape[1]):
        x, y, z = rows[0, i], rows[1, i], rows[2, i]
        o0, o1, o2 = 0.0, 0.0, 0.0
        if other >= 0:
            o0, o1, o2 = goal_rows[0, i], goal_rows[1, i], goal_rows[2, i]
            x, y, z = x - o0, y - o1, z - o2
        if near:
            v0, v1, v2 = y * a2 - z * a1, z * a0 - x * a2, x * a1 - y * a0
            along = (b0 * v0 + b1 * v1 + b2 * v2) / 3.0
            r0 = k * (b1 * v2 - b2 * v1) - along * c0
            r1 = k * (b2 * v0 - b0 * v2) - along * c1
            r2 = k * (b0 * v1 - b1 * v0) - along * c2
        else:
            out = u0 * x + u1 * y + u2 * z
            aside = k * (c * (w0 * x + w1 * y + w2 * z) + s * (b0 * x + b1 * y + b2 * z))
            r0, r1, r2 = u0 * out + w0 * aside, u1 * out + w1 * aside, u2 * out + w2 * aside
        r0, r1, r2 = r0 + o1 * e2 - o2 * e1, r1 + o2 * e0 - o0 * e2, r2 + o0 * e1 - o1 * e0
        _write(v, r0, r1, r2, A[:, i])


@compiled
def _write(v, x, y, z, out):
    """A vector as three rows, or split into two perpendiculars."""
    if out.size == 3:
        out[0], out[1], out[2] = x, y, z
    else:
        out[0] = v[SPLIT] * x + v[SPLIT + 1] * y + v[SPLIT + 2] * z
        out[1] = v[SPLIT + 3] * x + v[SPLIT + 4] * y + v[SPLIT + 5] * z


@compiled
def perpendicular(x, y, z):
    """A unit vector perpendicular to another."""
    if abs(x) < 0.6:
        length = math.sqrt(y * y + z * z)
        return 0.0, -z / length, y / length
    length = math.sqrt(x * x + z * z)
    return z / length, 0.0, -x / length
