"""Joint limits as linear rows for a solver, valid near the present configuration."""

import math

import numpy as np

from poise.kernel.arrays import Floats, Floats2
from poise.kernel.body.rotations import (
    direction_swing,
    quaternion_rotation_vector,
    swing_direction,
    swing_direction_rate,
    swing_twist_quaternion,
    swing_twist_rates,
)
from poise.kernel.body.tree import ROTATION
from poise.kernel.compiling import compiled, entry
from poise.kernel.limits.arrays import ANGLE, EDGE, ELLIPSE, HEADER, PLANAR, SPHERICAL, Limits
from poise.kernel.limits.boundaries import edge_swing, nearest_on_boundary
from poise.kernel.limits.joint import rotation_angle, twist_ends
from poise.kernel.limits.swings import (
    TOLERANCE,
    polygon_in_chart,
    polygon_on_sphere,
    region_violation,
)


@compiled
def _is_far(values, edge, sx, sy, reach):
    """Whether every tangent of an ellipse is certainly farther away than `reach`."""
    rx, ry = values[edge + 2], values[edge + 3]
    x, y = (sx - values[edge]) / rx, (sy - values[edge + 1]) / ry
    room = 1.0 - reach / min(rx, ry)
    return room > 0.0 and x * x + y * y < room * room


@compiled
def _ellipse_tangent(kind, values, at, sx, sy):
    """The tangent, in the chart, at the boundary point nearest along the sphere: g (2), h."""
    x, y, z = swing_direction(sx, sy)
    edge, t = nearest_on_boundary(kind, values, at, x, y, z)
    tx, ty = edge_swing(kind, values, edge, t)
    gx, gy = math.cos(t) * values[edge + 3], math.sin(t) * values[edge + 2]
    length = math.sqrt(gx * gx + gy * gy)
    gx, gy = gx / length, gy / length
    room = gx * (tx - sx) + gy * (ty - sy)
    # Outside a long ellipse the tangent may be farther away than the violation says.
    if region_violation(kind, values, at, sx, sy) <= TOLERANCE:
        room = max(room, 0.0)
    return gx, gy, room


@compiled
def _arc_tangent(values, edge, sx, sy):
    """The tangent, in the chart, of a great arc at its nearest point: g (2), h, and the angle."""
    x, y, z = swing_direction(sx, sy)
    height = x * values[edge + 6] + y * values[edge + 7] + z * values[edge + 8]
    b = x * values[edge + 3] + y * values[edge + 4] + z * values[edge + 5]
    t = math.atan2(b, x * values[edge] + y * values[edge + 1] + z * values[edge + 2])
    length = values[edge + 9]
    if not 0.0 <= t <= length:
        # Beyond the arc, the end whose angle is nearer to the foot's.
        past = t - length if t > 0.0 else t - length + 2.0 * math.pi
        t = length if past < (-t if t < 0.0 else 2.0 * math.pi - t) else 0.0
    c, s = math.cos(t), math.sin(t)
    tx, ty = direction_swing(
        c * values[edge] + s * values[edge + 3],
        c * values[edge + 1] + s * values[edge + 4],
        c * values[edge + 2] + s * values[edge + 5],
    )
    ux, uy, uz = swing_direction_rate(tx, ty, 1.0, 0.0)
    vx, vy, vz = swing_direction_rate(tx, ty, 0.0, 1.0)
    gx = -(ux * values[edge + 6] + uy * values[edge + 7] + uz * values[edge + 8])
    gy = -(vx * values[edge + 6] + vy * values[edge + 7] + vz * values[edge + 8])
    length = math.sqrt(gx * gx + gy * gy)
    gx, gy = gx / length, gy / length
    angle = math.asin(min(1.0, max(-1.0, height)))
    return gx, gy, gx * (tx - sx) + gy * (ty - sy), angle


@compiled(allocates=True)
def angle_slopes(x, chart, angle):
    """The rates of the total angle with the coordinates: n · ω, n the axis of the rotation."""
    if chart == ROTATION:
        return x[0] / angle, x[1] / angle, x[2] / angle
    w, i, j, k = swing_twist_quaternion(x[0], x[1], x[2])
    i, j, k = quaternion_rotation_vector(w, i, j, k)
    rates = np.empty((3, 3))
    swing_twist_rates(x[0], x[1], rates)
    gx = (rates[0, 0] * i + rates[1, 0] * j + rates[2, 0] * k) / angle
    gy = (rates[0, 1] * i + rates[1, 1] * j + rates[2, 1] * k) / angle
    gt = (rates[0, 2] * i + rates[1, 2] * j + rates[2, 2] * k) / angle
    return gx, gy, gt


@compiled
def _write(rows, count, gx, gy, gt, room, limit, edge):
    rows[count, 0] = gx
    rows[count, 1] = gy
    rows[count, 2] = gt
    rows[count, 3] = 0.0 if abs(room) < TOLERANCE else room  # on the boundary, but for rounding
    rows[count, 4] = limit
    rows[count, 5] = edge


@entry
def tangents(
    x: Floats, chart: int, limits: Limits, first: int, last: int, reach: float, rows: Floats2
) -> int:
    """Write rows g·Δx ≤ h that stand for the limits of a joint near a valid configuration.

    An ellipse gives its tangent at the boundary point nearest to x, unless that is farther away
    than `reach` (radians) anyhow; a convex polygon the tangent of each edge within `reach`; a
    concave one that of the nearest edge only; a twist interval its two ends with their slopes; a
    total angle its linearisation. Rows of regions have unit length in (sx, sy). At a valid
    configuration all h are at least 0, so Δx = 0 is allowed; a limit that is broken has h < 0.
    The box gives no rows: it is a bound on the coordinates.

    Args:
        x: the configuration, valid.
        chart: SWING, BALL or ROTATION.
        limits: the limits.
        first: the first limit of the joint.
        last: one past its last.
        reach: how near an edge must be.
        rows: (at least the sum of limits.rows, 6), written: g, whose third is 0 for a swing; h; the
            limit, and where its edge, or it, begins in `limits.values`.

    Returns:
        How many rows were written.
    """
    kinds, starts, values = limits.kind, limits.start, limits.values
    count = 0
    for i in range(first, last):
        kind, at = kinds[i], starts[i]
        if kind == ELLIPSE:
            if _is_far(values, at + HEADER, x[0], x[1], reach):
                continue
            gx, gy, room = _ellipse_tangent(kind, values, at, x[0], x[1])
            _write(rows, count, gx, gy, 0.0, room, i, at)
            count += 1
        elif kind == PLANAR or kind == SPHERICAL:
            from_edge, near = at + HEADER, reach
            to_edge = from_edge + EDGE * int(values[at])
            if values[at + 2] == 0.0:
                if kind == PLANAR:
                    from_edge = polygon_in_chart(values, at, x[0], x[1])[1]
                else:
                    a, b, c = swing_direction(x[0], x[1])
                    from_edge = polygon_on_sphere(values, at, a, b, c)[1]
                to_edge, near = from_edge + EDGE, np.inf
            for e in range(from_edge, to_edge, EDGE):
                if kind == PLANAR:
                    gx, gy = -values[e + 4], -values[e + 5]
                    room = gx * (values[e] - x[0]) + gy * (values[e + 1] - x[1])
                    away = room
                else:
                    gx, gy, room, away = _arc_tangent(values, e, x[0], x[1])
                if away <= near:
                    _write(rows, count, gx, gy, 0.0, room, i, e)
                    count += 1
        elif kind == ANGLE:
            angle = rotation_angle(x, chart)
            if angle >= 1e-9:  # else there is no axis, and no limit near
                gx, gy, gt = angle_slopes(x, chart, angle)
                _write(rows, count, gx, gy, gt, values[at] - angle, i, at)
                count += 1
        else:
            low, high, low_x, low_y, high_x, high_y = twist_ends(kind, values, at, x[0], x[1])
            _write(rows, count, low_x, low_y, -1.0, x[2] - low, i, at)
            _write(rows, count + 1, -high_x, -high_y, 1.0, high - x[2], i, at)
            count += 2
    return count
