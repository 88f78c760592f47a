"""A line of sight: e = d − v, d = (p − r)/|p − r| against the site's axis v; three rows, rank two.

Zhao & Badler 1994, eq. 13. Where the goal p lies on the site r the direction is undefined: all is
zero. Straight behind, where nothing says which way to turn, a hair is added across. Where the goal
stands still, the gradient is a force across d at the site and a torque, and second derivatives are
those of r and v as points and, with P = 1 − ddᵀ and ρ = |p − r|, for two coordinates i and j that
move the site by x_i and x_j: −((d·x_j)(f·Px_i) + (d·x_i)(f·Px_j) + (f·d)(x_i·Px_j))/ρ².
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.kernel.body.bends import add_form, hang, hang_axis
from poise.kernel.body.kinematics import locate, point_rows
from poise.kernel.body.vectors import add, cross, dot, minus, times, turned
from poise.kernel.compiling import compiled
from poise.kernel.filling import clear
from poise.kernel.residuals.orientation_axis import perpendicular
from poise.kernel.residuals.sites import TORQUE, find_point, find_turn, located, push, subtract

PLACE, AXIS, GOAL, SIZE = 0, 3, 6, 9
"""Values: the site's point in its node (3), its axis there (3), the goal p (3) in the world or in
the other node's frame; how many they are."""

_NOWHERE = 1e-9
"""Goals nearer than this (m) lie on the site."""
_BEHIND = 1e-9
"""d · v nearer to −1 than this is straight behind."""
_HAIR = 1e-2
"""What is added across, there."""


def packed(place: ArrayLike, axis: ArrayLike, goal: ArrayLike) -> NDArray[np.float64]:
    """The values."""
    return np.concatenate([place, axis, goal])


@compiled
def residual(tree, state, scratch, node, other, v, e, A, wanted):
    """Write the rows, and their Jacobian if wanted."""
    site, goal, rows = scratch.site, scratch.goal, scratch.site_rows
    find_point(tree, state, node, v[PLACE:AXIS], site, rows, wanted)
    find_turn(tree, state, node, scratch.turn, scratch.turn_rows, wanted)
    if other >= 0:
        find_point(tree, state, other, v[GOAL:SIZE], goal, scratch.goal_rows, wanted)
        if wanted:
            subtract(rows, scratch.goal_rows)
    else:
        goal[0], goal[1], goal[2] = v[GOAL], v[GOAL + 1], v[GOAL + 2]
    d0, d1, d2 = minus(goal, site)
    length = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
    if length < _NOWHERE:
        e[0], e[1], e[2] = 0.0, 0.0, 0.0
        if wanted:
            clear(A, 3)
        return
    d0, d1, d2 = d0 / length, d1 / length, d2 / length
    v0, v1, v2 = turned(scratch.turn, v[AXIS:GOAL])
    e[0], e[1], e[2] = d0 - v0, d1 - v1, d2 - v2
    if d0 * v0 + d1 * v1 + d2 * v2 < -1.0 + _BEHIND:  # no way round is the shorter
        add(e, 0, times(_HAIR, perpendicular(d0, d1, d2)))
    if not wanted:
        return
    turning = scratch.turn_rows
    for i in range(A.shape[1]):
        x, y, z = rows[0, i] / length, rows[1, i] / length, rows[2, i] / length
        w0, w1, w2 = turning[0, i], turning[1, i], turning[2, i]
        along = d0 * x + d1 * y + d2 * z
        A[0, i] = d0 * along - x - (w1 * v2 - w2 * v1)
        A[1, i] = d1 * along - y - (w2 * v0 - w0 * v2)
        A[2, i] = d2 * along - z - (w0 * v1 - w1 * v0)


@compiled
def _sight(x, goal):
    """The direction from a point to another, and the distance."""
    d0, d1, d2 = minus(goal, x)
    length = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
    if length < _NOWHERE:
        return (0.0, 0.0, 0.0), 0.0
    return (d0 / length, d1 / length, d2 / length), length


@compiled
def wrench(state, room, node, v, e, scale):
    """Add the wrench on the node that is the gradient of the rows."""
    x, f = located(state, node, v[PLACE:AXIS]), times(scale, e)
    d, length = _sight(x, v[GOAL:SIZE])
    if length == 0.0:  # no direction is wanted
        return
    f0, f1, f2 = minus(times(dot(d, f), d), f)
    push(room.node[node], x, (f0 / length, f1 / length, f2 / length))
    torque = cross(turned(state.rotation[node], v[AXIS:GOAL]), f)
    add(room.node[node], TORQUE, times(-1.0, torque))


@compiled
def load(state, scratch, node, other, v, force, scale, loads):
    """Hang the rows' force on the axis and on the site, for second derivatives.

    The direction to the goal turns as the site moves: f · d″ = −(f − d (d·f)) · r″/ρ and more.
    """
    if other >= 0:
        return
    f, x = times(scale, force), scratch.site
    hang_axis(loads[node], -1.0, turned(state.rotation[node], v[AXIS:GOAL]), f)
    locate(state, node, v[PLACE:AXIS], x)
    d, length = _sight(x, v[GOAL:SIZE])
    if length > 0.0:
        hang(loads[node], -1.0 / length, x, minus(f, times(dot(d, f), d)))


@compiled
def add_curvature(tree, state, scratch, node, other, v, terms, scale, out):
    """Add what the direction has besides: α = −(f·d)/ρ², h = −(f − 3/2 (f·d) d)/ρ²."""
    if other >= 0:
        return
    x, rows, f = scratch.site, scratch.site_rows, times(terms.weight, terms.force)
    locate(state, node, v[PLACE:AXIS], x)
    d, length = _sight(x, v[GOAL:SIZE])
    if length == 0.0:
        return
    factor, along = -1.0 / (length * length), dot(f, d)
    h = times(factor, minus(f, times(1.5 * along, d)))
    clear(rows, 3)
    point_rows(tree, state, node, x, rows)
    add_form(tree, node, rows, factor * along, d, h, scale, out)
