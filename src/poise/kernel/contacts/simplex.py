"""The point of a simplex of one to four corners that is nearest to the origin.

Each function returns weights of the corners, none negative, with sum 1; a weight of zero says that
the corner is not needed.
"""

import math

from poise.kernel.body.vectors import cross, dot, minus, plus, times
from poise.kernel.compiling import compiled

CONSISTENT = 1e-6
"""How far weights of an inner point may be from 1 in sum: those of a sliver are rounding alone."""
FLAT = 1e-12
"""Height of a tetrahedron, as a share of its edges, below which it has no inside."""


@compiled
def on_segment(p, q):
    """Weights of two corners."""
    along = minus(q, p)
    square = dot(along, along)
    t = -dot(p, along) / square if square > 0.0 else 0.0
    if t <= 0.0:
        return 1.0, 0.0
    if t >= 1.0:
        return 0.0, 1.0
    return 1.0 - t, t


@compiled
def on_triangle(p, q, r):
    """Weights of three corners.

    Inside where the origin, seen along the normal, is on the inner side of all edges; else on the
    best of the edges that it is beyond.
    """
    a, b = minus(q, p), minus(r, p)
    n = cross(a, b)
    square = dot(n, n)
    u = dot(n, cross(q, r))
    v = dot(n, cross(r, p))
    w = dot(n, cross(p, q))
    if square > 0.0 and u > 0.0 and v > 0.0 and w > 0.0:
        total = u + v + w
        return u / total, v / total, w / total
    best = math.inf
    x, y, z = 1.0, 0.0, 0.0
    if w <= 0.0 or square == 0.0:
        s, t = on_segment(p, q)
        best, x, y, z = _length(p, s, q, t), s, t, 0.0
    if u <= 0.0 or square == 0.0:
        s, t = on_segment(q, r)
        length = _length(q, s, r, t)
        if length < best:
            best, x, y, z = length, 0.0, s, t
    if v <= 0.0 or square == 0.0:
        s, t = on_segment(r, p)
        length = _length(r, s, p, t)
        if length < best:
            best, x, y, z = length, t, 0.0, s
    return x, y, z


@compiled
def _length(p, s, q, t):
    """Square of s p + t q."""
    x = plus(times(s, p), times(t, q))
    return dot(x, x)


@compiled
def _height(p, q, r, other):
    """How far the origin is beyond a face, away from the fourth corner, as a share of its height.

    Flat ones count as if the origin were beyond.
    """
    n = cross(minus(q, p), minus(r, p))
    out = dot(n, minus(other, p))
    size = math.sqrt(dot(n, n))
    edge = minus(other, p)
    if abs(out) <= FLAT * size * math.sqrt(dot(edge, edge)):
        return 1.0
    return dot(n, p) / out


@compiled
def on_tetrahedron(p, q, r, s):
    """Weights of four corners; all positive where the origin is inside."""
    best = math.inf
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    beyond_p = _height(q, r, s, p)
    beyond_q = _height(p, r, s, q)
    beyond_r = _height(p, q, s, r)
    beyond_s = _height(p, q, r, s)
    inner = beyond_p <= 0.0 and beyond_q <= 0.0 and beyond_r <= 0.0 and beyond_s <= 0.0
    if inner and abs(beyond_p + beyond_q + beyond_r + beyond_s + 1.0) < CONSISTENT:
        return -beyond_p, -beyond_q, -beyond_r, -beyond_s
    if inner or beyond_p > 0.0:
        u, v, w = on_triangle(q, r, s)
        best, a, b, c, d = _square(q, u, r, v, s, w), 0.0, u, v, w
    if inner or beyond_q > 0.0:
        u, v, w = on_triangle(p, r, s)
        square = _square(p, u, r, v, s, w)
        if square < best:
            best, a, b, c, d = square, u, 0.0, v, w
    if inner or beyond_r > 0.0:
        u, v, w = on_triangle(p, q, s)
        square = _square(p, u, q, v, s, w)
        if square < best:
            best, a, b, c, d = square, u, v, 0.0, w
    if inner or beyond_s > 0.0:
        u, v, w = on_triangle(p, q, r)
        square = _square(p, u, q, v, r, w)
        if square < best:
            best, a, b, c, d = square, u, v, w, 0.0
    return a, b, c, d


@compiled
def _square(p, u, q, v, r, w):
    """Square of u p + v q + w r."""
    x = plus(plus(times(u, p), times(v, q)), times(w, r))
    return dot(x, x)
