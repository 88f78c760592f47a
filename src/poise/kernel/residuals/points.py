"""Residuals of points: against planes, outside convex bodies, on ellipsoids.

Rows 0–2 of the Jacobian in `Scratch` are those of the point, less those of what it is measured
against where that moves: of the other point of a gap; of the same place on the frame that a goal
rides on.
"""

import math

from poise.kernel.compiling import compiled, entry
from poise.kernel.residuals.blocks import PLACED
from poise.kernel.residuals.turns import combine, turned


@compiled
def along_residual(jacobian, x, goal, v, e, A, wanted):
    """Components of a point: e_r = d_r · (x − g) − o_r.

    Values: the point in the node's frame (3), the goal (3), directions d (3 each row) in the
    world, offsets o (1 each row).
    """
    rows = e.size
    for r in range(rows):
        d0, d1, d2 = v[6 + 3 * r], v[7 + 3 * r], v[8 + 3 * r]
        e[r] = d0 * (x[0] - goal[0]) + d1 * (x[1] - goal[1]) + d2 * (x[2] - goal[2])
        e[r] -= v[6 + 3 * rows + r]
        if wanted:
            combine(jacobian, 0, d0, d1, d2, A[r])


@compiled
def ride_residual(jacobian, y, frame, v, e, A, wanted):
    """Components of a point in a frame that moves: e_r = d_r · (y − g) − o_r.

    y is the point and `frame` the rotation of that frame. Values: those of PLACED; directions d (3
    each row) in the frame, offsets o (1 each row).
    """
    rows = e.size
    for r in range(rows):
        at = PLACED + 3 * r
        e[r] = v[at] * (y[0] - v[3]) + v[at + 1] * (y[1] - v[4]) + v[at + 2] * (y[2] - v[5])
        e[r] -= v[PLACED + 3 * rows + r]
        if wanted:
            d0, d1, d2 = turned(frame, v[at], v[at + 1], v[at + 2])
            combine(jacobian, 0, d0, d1, d2, A[r])


@compiled
def outside_residual(jacobian, y, frame, v, e, A, wanted):
    """Outside a convex body: the greatest of e = d_k · (y − g) − o_k over its faces.

    As `ride_residual`, with any number of faces for one row. Inside, that is the nearest face.
    """
    faces = (v.size - PLACED) // 4
    best, most = 0, -math.inf
    for k in range(faces):
        at = PLACED + 3 * k
        s = v[at] * (y[0] - v[3]) + v[at + 1] * (y[1] - v[4]) + v[at + 2] * (y[2] - v[5])
        s -= v[PLACED + 3 * faces + k]
        if s > most:
            best, most = k, s
    e[0] = most
    if wanted:
        at = PLACED + 3 * best
        d0, d1, d2 = turned(frame, v[at], v[at + 1], v[at + 2])
        combine(jacobian, 0, d0, d1, d2, A[0])


@compiled
def ellipsoid_residual(jacobian, y, frame, v, e, A, wanted):
    """Signed distance to an ellipsoid about the frame's origin, positive outside, less a distance.

    Values: those of PLACED; semi-axes (3), the distance wanted. The gradient is the outward normal
    at the nearest point; where several are nearest it is that of one of them.
    """
    distance, n0, n1, n2 = nearest(y[0], y[1], y[2], v[PLACED], v[PLACED + 1], v[PLACED + 2])
    e[0] = distance - v[PLACED + 3]
    if wanted:
        d0, d1, d2 = turned(frame, n0, n1, n2)
        combine(jacobian, 0, d0, d1, d2, A[0])


@entry(exact=True)
def nearest(
    x: float, y: float, z: float, a: float, b: float, c: float
) -> tuple[float, float, float, float]:
    """Signed distance of a point to an ellipsoid along the axes; the normal where it is nearest.

    With semi-axes r_i, least among them r, the nearest point is p_i = r_i w_i with
    w_i = a_i/(u + δ_i), a_i = |x_i| r_i/r², δ_i = r_i²/r² − 1, where u ≥ 0 makes |w| = 1; the point
    is outside where u > 1. 1/|w| is an increasing concave function of u: from the left Newton's
    method comes to the root from below, without a step too far. Where a_i is zero for every axis
    as short as r, |w| may stay below 1 down to u = 0: then there are two nearest points or a circle
    or sphere of them, and w along a shortest axis takes up what is lacking.
    """
    least = min(a, min(b, c))
    a0, a1, a2 = _scaled(x, a, least), _scaled(y, b, least), _scaled(z, c, least)
    d0 = (a - least) * (a + least) / (least * least)
    d1 = (b - least) * (b + least) / (least * least)
    d2 = (c - least) * (c + least) / (least * least)
    u = max(0.0, max(a0 - d0, max(a1 - d1, a2 - d2)))
    w0, w1, w2 = 0.0, 0.0, 0.0
    for _ in range(60):
        w0 = a0 / (u + d0) if a0 > 0.0 else 0.0
        w1 = a1 / (u + d1) if a1 > 0.0 else 0.0
        w2 = a2 / (u + d2) if a2 > 0.0 else 0.0
        square = w0 * w0 + w1 * w1 + w2 * w2
        if square <= 1.0:
            break
        slope = 0.0
        if a0 > 0.0:
            slope += w0 * w0 / (u + d0)
        if a1 > 0.0:
            slope += w1 * w1 / (u + d1)
        if a2 > 0.0:
            slope += w2 * w2 / (u + d2)
        following = u + square / slope * (math.sqrt(square) - 1.0)
        if following == u:
            break
        u = following
    if u == 0.0:
        lack = math.sqrt(max(1.0 - w0 * w0 - w1 * w1 - w2 * w2, 0.0))
        if a == least:
            w0 = lack
        elif b == least:
            w1 = lack
        else:
            w2 = lack
    n0, n1, n2 = w0 / a, w1 / b, w2 / c
    size = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
    n0, n1, n2 = (
        math.copysign(n0, x) / size,
        math.copysign(n1, y) / size,
        math.copysign(n2, z) / size,
    )
    return least * least * (u - 1.0) * size, n0, n1, n2


@compiled
def _scaled(x, radius, least):
    """|x| r_i/r²; what is too small to divide by counts as zero."""
    scaled = abs(x) * radius / (least * least)
    return scaled if scaled > 1e-100 else 0.0
