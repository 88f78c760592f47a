"""The boundary of a region of swings: its edges as curves, and the nearest points on them.

A region is a vector laid out as in `kernel.limit_arrays`. Distances here are those in space
between unit directions (chords): of two directions the nearer in space is also the nearer along
the sphere, chords are exact for small angles where cosines are not, and they obey the triangle
inequality by which pieces too far away are passed over.
"""

import math

import numpy as np

from poise.kernel.compiling import compiled
from poise.kernel.limit_arrays import EDGE, ELLIPSE, HEADER, PIECE, PIECE_LENGTH, PLANAR
from poise.kernel.rotations import direction_swing, swing_direction, swing_direction_rate

# Convergence is superlinear, so after a step as small as this the parameter is exact.
_SETTLED = 1e-11


@compiled
def edge_swing(kind, edge, t):
    """The swing of an edge at parameter t."""
    if kind == ELLIPSE:
        return edge[0] + edge[2] * math.cos(t), edge[1] + edge[3] * math.sin(t)
    if kind == PLANAR:
        return (1.0 - t) * edge[0] + t * edge[2], (1.0 - t) * edge[1] + t * edge[3]
    c, s = math.cos(t), math.sin(t)
    return direction_swing(
        c * edge[0] + s * edge[3], c * edge[1] + s * edge[4], c * edge[2] + s * edge[5]
    )


@compiled(inline="always")
def _approach(kind, edge, t, x, y, z):
    """The rate at which the edge, at t, comes nearer to a direction: d · ∂direction/∂t."""
    if kind == ELLIPSE:
        c, s = math.cos(t), math.sin(t)
        sx, sy = edge[0] + edge[2] * c, edge[1] + edge[3] * s
        vx, vy = -edge[2] * s, edge[3] * c
    else:
        sx, sy = edge_swing(kind, edge, t)
        vx, vy = edge[2] - edge[0], edge[3] - edge[1]
    rx, ry, rz = swing_direction_rate(sx, sy, vx, vy)
    return x * rx + y * ry + z * rz


@compiled
def chord(kind, edge, t, x, y, z):
    """The squared distance in space from a direction to the edge at t."""
    sx, sy = edge_swing(kind, edge, t)
    a, b, c = swing_direction(sx, sy)
    return (x - a) ** 2 + (y - b) ** 2 + (z - c) ** 2


@compiled
def nearest_on_piece(kind, edge, begin, end, x, y, z):
    """The parameter, between two given, where an edge is nearest to a direction.

    A great arc is nearest at the foot of the perpendicular. On the other edges the rate of
    approach changes sign there, and its root is found by regula falsi (the Illinois variant):
    the bracket is kept, and convergence is superlinear.
    """
    if kind != ELLIPSE and kind != PLANAR:
        foot = math.atan2(
            x * edge[3] + y * edge[4] + z * edge[5], x * edge[0] + y * edge[1] + z * edge[2]
        )
        if begin <= foot <= end:
            return foot
        at_begin = at_end = -1.0
    else:
        at_begin = _approach(kind, edge, begin, x, y, z)
        at_end = _approach(kind, edge, end, x, y, z)
    if not (at_begin > 0.0 and at_end < 0.0):
        if chord(kind, edge, begin, x, y, z) <= chord(kind, edge, end, x, y, z):
            return begin
        return end
    low, high, f, g = begin, end, at_begin, at_end
    t, side = begin, 0
    for _ in range(60):
        previous = t
        t = low + (high - low) * f / (f - g)
        if not low < t < high:
            t = 0.5 * (low + high)
        h = _approach(kind, edge, t, x, y, z)
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
def nearest_on_boundary(kind, region, x, y, z):
    """The nearest point of a boundary: its squared distance in space, edge and parameter."""
    first = HEADER + EDGE * int(region[0])
    pieces = region[first : first + PIECE * int(region[1])].reshape(-1, PIECE)
    start, closest = 0, np.inf
    for i in range(pieces.shape[0]):
        piece = pieces[i]
        gap = (x - piece[3]) ** 2 + (y - piece[4]) ** 2 + (z - piece[5]) ** 2
        if gap < closest:
            start, closest = i, gap
    best, best_edge, best_t = np.inf, 0, 0.0
    # The piece whose middle is nearest goes first, so that most of the others are passed over.
    for n in range(-1, pieces.shape[0]):
        i = start if n < 0 else n
        if n == start:
            continue
        piece = pieces[i]
        gap = math.sqrt((x - piece[3]) ** 2 + (y - piece[4]) ** 2 + (z - piece[5]) ** 2)
        if gap - piece[6] > math.sqrt(best):
            continue
        at = HEADER + EDGE * int(piece[0])
        edge = region[at : at + EDGE]
        t = nearest_on_piece(kind, edge, piece[1], piece[2], x, y, z)
        square = chord(kind, edge, t, x, y, z)
        if square < best:
            best, best_edge, best_t = square, int(piece[0]), t
    return best, best_edge, best_t


@compiled(inline="always")
def box_region(lower, upper):
    """A box of swings as a PLANAR region, without pieces when it has no sides.

    Sides beyond |s| = π are no swings, and are cut off.
    """
    if max(lower[0], lower[1]) == -np.inf and min(upper[0], upper[1]) == np.inf:
        return np.zeros(HEADER)
    left, right = max(lower[0], -math.pi), min(upper[0], math.pi)
    bottom, top = max(lower[1], -math.pi), min(upper[1], math.pi)
    across = max(1, int(math.ceil((right - left) / PIECE_LENGTH)))
    up = max(1, int(math.ceil((top - bottom) / PIECE_LENGTH)))
    region = np.zeros(HEADER + 4 * EDGE + PIECE * 2 * (across + up))
    region[0], region[1], region[2] = 4.0, 2.0 * (across + up), 1.0
    at = HEADER + 4 * EDGE
    for side in range(4):
        edge = region[HEADER + side * EDGE : HEADER + (side + 1) * EDGE]
        edge[0] = left if side == 0 or side == 3 else right
        edge[1] = bottom if side < 2 else top
        edge[2] = right if side < 2 else left
        edge[3] = bottom if side == 0 or side == 3 else top
        count = across if side % 2 == 0 else up
        length = right - left if side % 2 == 0 else top - bottom
        for i in range(count):
            piece = region[at : at + PIECE]
            piece[0], piece[1], piece[2] = side, i / count, (i + 1) / count
            share = (i + 0.5) / count
            sx = edge[0] + share * (edge[2] - edge[0])
            sy = edge[1] + share * (edge[3] - edge[1])
            piece[3], piece[4], piece[5] = swing_direction(sx, sy)
            piece[6] = 0.5 * length / count + 1e-9  # the chart never shrinks a length
            at += PIECE
    return region
