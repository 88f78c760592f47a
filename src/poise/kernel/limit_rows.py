"""Joint limits as linear rows for a solver, valid near the present configuration."""

import math

import numpy as np

from poise.kernel.boundaries import edge_swing, nearest_on_boundary
from poise.kernel.compiling import compiled
from poise.kernel.limit_arrays import ANGLE, EDGE, ELLIPSE, HEADER, PLANAR, SPHERICAL
from poise.kernel.limits import rotation_angle, twist_ends
from poise.kernel.rotations import (
    quaternion_rotation_vector,
    swing_direction,
    swing_direction_rate,
    swing_twist_quaternion,
    swing_twist_rates,
)
from poise.kernel.swings import polygon_in_chart, polygon_on_sphere
from poise.kernel.tree import ROTATION


@compiled
def _write(rows, count, gx, gy, gt, room):
    rows[count, 0] = gx
    rows[count, 1] = gy
    rows[count, 2] = gt
    rows[count, 3] = 0.0 if abs(room) < 1e-12 else room  # on the boundary, but for rounding
    return count + 1


@compiled
def _ellipse_row(x, region, rows, count):
    """The tangent, in the chart, at the boundary point nearest along the sphere."""
    a, b, c = swing_direction(x[0], x[1])
    _, _, t = nearest_on_boundary(ELLIPSE, region, a, b, c)
    edge = region[HEADER : HEADER + EDGE]
    sx, sy = edge_swing(ELLIPSE, edge, t)
    gx, gy = math.cos(t) * edge[3], math.sin(t) * edge[2]
    length = math.sqrt(gx * gx + gy * gy)
    gx, gy = gx / length, gy / length
    return _write(rows, count, gx, gy, 0.0, gx * (sx - x[0]) + gy * (sy - x[1]))


@compiled
def _planar_row(x, edge, reach, rows, count):
    """An edge that is straight in the chart, if it is within reach."""
    room = (x[0] - edge[0]) * edge[4] + (x[1] - edge[1]) * edge[5]
    if room > reach:
        return count
    return _write(rows, count, -edge[4], -edge[5], 0.0, room)


@compiled
def _arc_row(x, edge, reach, rows, count):
    """The tangent, in the chart, of a great arc at its nearest point, if it is within reach."""
    a, b, c = swing_direction(x[0], x[1])
    height = a * edge[6] + b * edge[7] + c * edge[8]
    if math.asin(min(1.0, max(-1.0, height))) > reach:
        return count
    t = math.atan2(a * edge[3] + b * edge[4] + c * edge[5], a * edge[0] + b * edge[1] + c * edge[2])
    if not 0.0 <= t <= edge[9]:
        # Beyond the arc, the end whose angle is nearer to the foot's.
        past = t - edge[9] if t > 0.0 else t - edge[9] + 2.0 * math.pi
        t = edge[9] if past < (-t if t < 0.0 else 2.0 * math.pi - t) else 0.0
    sx, sy = edge_swing(SPHERICAL, edge, t)
    ux, uy, uz = swing_direction_rate(sx, sy, 1.0, 0.0)
    vx, vy, vz = swing_direction_rate(sx, sy, 0.0, 1.0)
    gx = -(ux * edge[6] + uy * edge[7] + uz * edge[8])
    gy = -(vx * edge[6] + vy * edge[7] + vz * edge[8])
    length = math.sqrt(gx * gx + gy * gy)
    gx, gy = gx / length, gy / length
    return _write(rows, count, gx, gy, 0.0, gx * (sx - x[0]) + gy * (sy - x[1]))


@compiled
def _angle_row(x, chart, maximum, rows, count):
    """The total angle grows at the rate n · ω, with n the axis of the whole rotation."""
    angle = rotation_angle(x, chart)
    if angle < 1e-9:  # no axis, and no limit near
        return count
    if chart == ROTATION:
        gx, gy, gt = x[0] / angle, x[1] / angle, x[2] / angle
        return _write(rows, count, gx, gy, gt, maximum - angle)
    w, i, j, k = swing_twist_quaternion(x[0], x[1], x[2])
    i, j, k = quaternion_rotation_vector(w, i, j, k)
    rates = np.empty((3, 3))
    swing_twist_rates(x[0], x[1], rates)
    gx = (rates[0, 0] * i + rates[1, 0] * j + rates[2, 0] * k) / angle
    gy = (rates[0, 1] * i + rates[1, 1] * j + rates[2, 1] * k) / angle
    gt = (rates[0, 2] * i + rates[1, 2] * j + rates[2, 2] * k) / angle
    return _write(rows, count, gx, gy, gt, maximum - angle)


@compiled
def tangents(x, chart, limits, first, last, reach, rows):
    """Write rows g·Δx ≤ h that stand for the limits of a joint near a valid configuration.

    An ellipse gives its tangent at the boundary point nearest to x; a convex polygon the tangent
    of each edge within `reach` (radians) of x; a concave one that of the nearest edge only; a
    twist interval its two ends with their slopes; a total angle its linearisation. Rows of
    regions have unit length in (sx, sy). At a valid configuration all h are at least 0, so Δx = 0
    is allowed; a limit that is broken has h < 0.
    The box gives no rows: it is a bound on the coordinates.

    Args:
        x: the configuration, valid.
        chart: SWING, BALL or ROTATION.
        limits: the limits.
        first: the first limit of the joint.
        last: one past its last.
        reach: how near an edge must be.
        rows: (at least the sum of limits.rows, 4), written: g, whose third is 0 for a swing, and h.

    Returns:
        How many rows were written.
    """
    count = 0
    for i in range(first, last):
        kind = limits.kind[i]
        values = limits.values[limits.start[i] : limits.start[i + 1]]
        if kind == ELLIPSE:
            count = _ellipse_row(x, values, rows, count)
        elif kind == PLANAR or kind == SPHERICAL:
            edges = values[HEADER : HEADER + EDGE * int(values[0])].reshape(-1, EDGE)
            from_edge, to_edge, near = 0, edges.shape[0], reach
            if values[2] == 0.0:
                if kind == PLANAR:
                    from_edge = polygon_in_chart(values, x[0], x[1])[1]
                else:
                    a, b, c = swing_direction(x[0], x[1])
                    from_edge = polygon_on_sphere(values, a, b, c)[1]
                to_edge, near = from_edge + 1, np.inf
            for k in range(from_edge, to_edge):
                if kind == PLANAR:
                    count = _planar_row(x, edges[k], near, rows, count)
                else:
                    count = _arc_row(x, edges[k], near, rows, count)
        elif kind == ANGLE:
            count = _angle_row(x, chart, values[0], rows, count)
        else:
            low, high, low_x, low_y, high_x, high_y = twist_ends(kind, values, x[0], x[1])
            count = _write(rows, count, low_x, low_y, -1.0, x[2] - low)
            count = _write(rows, count, -high_x, -high_y, 1.0, high - x[2])
    return count
