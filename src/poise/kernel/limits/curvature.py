"""How limits curve: what a step along the tangent of one must give up to stay within it.

A level that presses against a limit with the force λ has the Hessian λ ∇²c besides its own, where
c ≤ 0 is the limit, in the unit of its row. Boxes, couplings, the straight edges of planar polygons
and twists that depend on the swing linearly have none. Left out are how a table of twists bends
between its entries, and how a group bends that is not linear.
"""

import math

from poise.kernel.arrays import Floats, Floats2, Ints2
from poise.kernel.body.bends import add_own
from poise.kernel.body.rotations import swing_direction, swing_direction_rate
from poise.kernel.body.tree import ROTATION, State, Tree
from poise.kernel.compiling import compiled, entry
from poise.kernel.limits.arrays import ANGLE, ELLIPSE, SPHERICAL
from poise.kernel.limits.boundaries import nearest_on_boundary
from poise.kernel.limits.bounds import CHART, FIRST, Bounds, Rows
from poise.kernel.limits.joint import rotation_angle
from poise.kernel.limits.rows import angle_slopes

_APART = 1e-4
"""How far apart (rad) slopes are taken where there is no formula."""


@compiled
def _ellipse(values, at, x, out):
    """The curvature of an ellipse at the boundary point nearest to x."""
    dx, dy, dz = swing_direction(x[0], x[1])
    edge, t = nearest_on_boundary(ELLIPSE, values, at, dx, dy, dz)
    rx, ry = values[edge + 2], values[edge + 3]
    tx, ty = -rx * math.sin(t), ry * math.cos(t)
    square = tx * tx + ty * ty
    bend = rx * ry / (square * square * math.sqrt(square))
    out[0, 0], out[0, 1], out[1, 1] = bend * tx * tx, bend * tx * ty, bend * ty * ty


@compiled
def _arc(values, edge, x, out):
    """The curvature, in the chart, of a great arc that passes x."""
    n0, n1, n2 = values[edge + 6], values[edge + 7], values[edge + 8]
    ux, uy, uz = swing_direction_rate(x[0], x[1], 1.0, 0.0)
    vx, vy, vz = swing_direction_rate(x[0], x[1], 0.0, 1.0)
    gx, gy = ux * n0 + uy * n1 + uz * n2, vx * n0 + vy * n1 + vz * n2
    length = math.sqrt(gx * gx + gy * gy)
    tx, ty = -gy / length, gx / length
    h = _APART
    ax, ay, az = swing_direction_rate(x[0] + h * tx, x[1] + h * ty, tx, ty)
    bx, by, bz = swing_direction_rate(x[0] - h * tx, x[1] - h * ty, tx, ty)
    bend = -((ax - bx) * n0 + (ay - by) * n1 + (az - bz) * n2) / (2.0 * h * length)
    out[0, 0], out[0, 1], out[1, 1] = bend * tx * tx, bend * tx * ty, bend * ty * ty


@compiled
def _angle(x, chart, out):
    """The second derivatives of the total angle."""
    angle = rotation_angle(x, chart)
    if chart == ROTATION:
        for c in range(3):
            for d in range(c, 3):
                out[c, d] = ((1.0 if c == d else 0.0) - x[c] * x[d] / (angle * angle)) / angle
        return
    for d in range(3):
        kept = x[d]
        x[d] = kept + _APART
        a0, a1, a2 = angle_slopes(x, chart, rotation_angle(x, chart))
        x[d] = kept - _APART
        b0, b1, b2 = angle_slopes(x, chart, rotation_angle(x, chart))
        x[d] = kept
        out[0, d] = 0.5 * (a0 - b0) / _APART
        if d > 0:
            out[1, d] = 0.5 * (a1 - b1) / _APART
        if d > 1:
            out[2, d] = 0.5 * (a2 - b2) / _APART


@entry
def add_bends(
    tree: Tree,
    bounds: Bounds,
    state: State,
    rows: Rows,
    count: int,
    members: Ints2,
    force: Floats,
    rank: int,
    scale: Floats,
    bend: Floats2,
    out: Floats2,
) -> None:
    """Add λ ∇²c of the limits in force to the symmetric matrix `out`.

    Args:
        tree: the figure.
        bounds: its limits.
        state: its posture.
        rows: as `write_rows` has written them there.
        count: how many.
        members: (2, …) what each row of a basis came from, as in `faces`.
        force: the multiplier of each.
        rank: how many.
        scale: (n,) the units of the coordinates.
        bend: (3, 3) room.
        out: S, to which they are added.
    """
    limits, origin = bounds.limits, rows.origin
    for b in range(rank):
        r = members[0, b]
        if not 0 <= r < count or origin[r, 0] < 0:
            continue
        joint, limit, edge = bounds.joint[origin[r, 0]], origin[r, 1], origin[r, 2]
        kind, first, chart = limits.kind[limit], joint[FIRST], joint[CHART]
        width = 3 if kind == ANGLE else 2
        x = state.member[first : first + width]
        if kind == ELLIPSE:
            _ellipse(limits.values, edge, x, bend)
        elif kind == SPHERICAL:
            _arc(limits.values, edge, x, bend)
        elif kind == ANGLE:
            _angle(x, chart, bend)
        else:
            continue
        for c in range(width):
            for d in range(c, width):
                bend[c, d] *= force[b]
        add_own(tree, state, first, width, bend, scale, out)
