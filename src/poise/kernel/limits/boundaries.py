"""The boundary of a region of swings: its edges as curves, and the nearest points on them.

A region lies in a vector `values`, laid out as in `kernel.limits.arrays`; `at` is where it, or one
of its edges, begins. Distances here are those in space between unit directions (chords): of two
directions the nearer in space is also the nearer along the sphere, chords are exact for small
angles where cosines are not, and they obey the triangle inequality by which pieces too far away
are passed over.
"""

import math

import numpy as np

from poise.kernel.body.rotations import direction_swing, swing_direction, swing_direction_rate
from poise.kernel.compiling import compiled
from poise.kernel.limits.arrays import (
    EDGE,
    ELLIPSE,
    ELLIPSE_PIECES,
    HEADER,
    PIECE,
    PIECE_LENGTH,
    SPHERICAL,
)

BOX = -1
"""One more kind of region: a box on sx and sy, with edges as those of a planar polygon."""

# Convergence is superlinear, so after a step as small as this the parameter is exact.
_SETTLED = 1e-11


@compiled
def edge_swing(kind, values, at, t):
    """The swing of an edge at parameter t."""
    if kind == SPHERICAL:
        c, s = math.cos(t), math.sin(t)
        return direction_swing(
            c * values[at] + s * values[at + 3],
            c * values[at + 1] + s * values[at + 4],
            c * values[at + 2] + s * values[at + 5],
        )
    u, v = 1.0 - t, t
    if kind == ELLIPSE:
        return values[at] + values[at + 2] * math.cos(t), values[at + 1] + values[
            at + 3
        ] * math.sin(t)
    return u * values[at] + v * values[at + 2], u * values[at + 1] + v * values[at + 3]


@compiled
def _approach(kind, values, at, t, x, y, z):
    """The rate at which an edge, no great arc, comes nearer to a direction: d · ∂direction/∂t."""
    if kind == ELLIPSE:
        c, s = math.cos(t), math.sin(t)
        sx, sy = values[at] + values[at + 2] * c, values[at + 1] + values[at + 3] * s
        vx, vy = -values[at + 2] * s, values[at + 3] * c
    else:
        vx, vy = values[at + 2] - values[at], values[at + 3] - values[at + 1]
        sx, sy = values[at] + t * vx, values[at + 1] + t * vy
    rx, ry, rz = swing_direction_rate(sx, sy, vx, vy)
    return x * rx + y * ry + z * rz


@compiled
def chord(kind, values, at, t, x, y, z):
    """The squared distance in space from a direction to the edge at t."""
    sx, sy = edge_swing(kind, values, at, t)
    a, b, c = swing_direction(sx, sy)
    return (x - a) ** 2 + (y - b) ** 2 + (z - c) ** 2


@compiled
def nearest_on_piece(kind, values, at, begin, end, x, y, z):
    """The parameter, between two given, where an edge is nearest to a direction.

    A great arc is nearest at the foot of the perpendicular. On the other edges the rate of
    approach changes sign there, and its root is found by regula falsi (the Illinois variant):
    the bracket is kept, and convergence is superlinear.
    """
    f = g = -1.0
    if kind == SPHERICAL:
        foot = math.atan2(
            x * values[at + 3] + y * values[at + 4] + z * values[at + 5],
            x * values[at] + y * values[at + 1] + z * values[at + 2],
        )
        if begin <= foot <= end:
            return foot
    else:
        f = _approach(kind, values, at, begin, x, y, z)
        g = _approach(kind, values, at, end, x, y, z)
    if not (f > 0.0 and g < 0.0):
        if chord(kind, values, at, begin, x, y, z) <= chord(kind, values, at, end, x, y, z):
            return begin
        return end
    low, high, t, side = begin, end, begin, 0
    for _ in range(60):
        previous = t
        t = low + (high - low) * f / (f - g)
        if not low < t < high:
            t = 0.5 * (low + high)
        h = _approach(kind, values, at, t, x, y, z)
        if h == 0.0 or abs(t - previous) <= _SETTLED:
            break
        if h > 0.0:
            low, f = t, h
            g = 0.5 * g if side == 1 else g
            side = 1
        else:
            high, g = t, h
            f = 0.5 * f if side == -1 else f
            side = -1
    return t


@compiled
def nearest_on_boundary(kind, values, at, x, y, z):
    """The nearest point of a region's boundary: where its edge begins, and the parameter."""
    first = at + HEADER + EDGE * int(values[at])
    last = first + PIECE * int(values[at + 1])
    start, closest = first, np.inf
    for p in range(first, last, PIECE):
        gap = (x - values[p + 3]) ** 2 + (y - values[p + 4]) ** 2 + (z - values[p + 5]) ** 2
        if gap < closest:
            start, closest = p, gap
    best, best_edge, best_t = np.inf, at, 0.0
    # The piece whose middle is nearest goes first, so that most of the others are passed over.
    for n in range(first - PIECE, last, PIECE):
        p = start if n < first else n
        if n == start:
            continue
        gap = (x - values[p + 3]) ** 2 + (y - values[p + 4]) ** 2 + (z - values[p + 5]) ** 2
        if math.sqrt(gap) - values[p + 6] > math.sqrt(best):
            continue
        edge = at + HEADER + EDGE * int(values[p])
        t = nearest_on_piece(kind, values, edge, values[p + 1], values[p + 2], x, y, z)
        square = chord(kind, values, edge, t, x, y, z)
        if square < best:
            best, best_edge, best_t = square, edge, t
    return best_edge, best_t


@compiled
def disc_size():
    """How many numbers `write_disc` writes."""
    return HEADER + EDGE + PIECE * ELLIPSE_PIECES


@compiled
def write_disc(radius, values, at):
    """Write the swings up to an angle as an ELLIPSE."""
    values[at], values[at + 1], values[at + 2] = 1.0, ELLIPSE_PIECES, 1.0
    edge, p = at + HEADER, at + HEADER + EDGE
    values[edge] = values[edge + 1] = 0.0
    values[edge + 2] = values[edge + 3] = radius
    step = 2.0 * math.pi / ELLIPSE_PIECES
    for i in range(ELLIPSE_PIECES):
        t = (i + 0.5) * step
        values[p], values[p + 1], values[p + 2] = 0.0, i * step, (i + 1) * step
        x, y, z = swing_direction(radius * math.cos(t), radius * math.sin(t))
        values[p + 3], values[p + 4], values[p + 5] = x, y, z
        values[p + 6] = 0.5 * step * radius + 1e-9  # the chart never shrinks a length
        p += PIECE


@compiled
def box_size(left, bottom, right, top):
    """How many numbers `write_box` writes."""
    across = max(1, int(math.ceil((right - left) / PIECE_LENGTH)))
    up = max(1, int(math.ceil((top - bottom) / PIECE_LENGTH)))
    return HEADER + 4 * EDGE + PIECE * 2 * (across + up)


@compiled
def write_box(left, bottom, right, top, values, at):
    """Write a box of swings, finite, as a BOX."""
    p = at + HEADER + 4 * EDGE
    for side in range(4):
        edge = at + HEADER + side * EDGE
        values[edge] = left if side == 0 or side == 3 else right
        values[edge + 1] = bottom if side < 2 else top
        values[edge + 2] = right if side < 2 else left
        values[edge + 3] = bottom if side == 0 or side == 3 else top
        length = right - left if side % 2 == 0 else top - bottom
        count = max(1, int(math.ceil(length / PIECE_LENGTH)))
        for i in range(count):
            values[p], values[p + 1], values[p + 2] = side, i / count, (i + 1) / count
            share = (i + 0.5) / count
            sx = values[edge] + share * (values[edge + 2] - values[edge])
            sy = values[edge + 1] + share * (values[edge + 3] - values[edge + 1])
            x, y, z = swing_direction(sx, sy)
            values[p + 3], values[p + 4], values[p + 5] = x, y, z
            values[p + 6] = 0.5 * length / count + 1e-9  # the chart never shrinks a length
            p += PIECE
    values[at], values[at + 2] = 4.0, 1.0
    values[at + 1] = (p - at - HEADER - 4 * EDGE) // PIECE
