"""Spheres, capsules and tapered capsules: closed forms.

Each is a ball whose centre runs along a segment, c + s h for −1 ≤ s ≤ 1, and whose radius m + s k
changes linearly on the way, with |k| < |h|. Two of them are apart by the least of

    φ(s, t) = |x| − (m_A + s k_A) − (m_B + t k_B),   x = w + t h_B − s h_A,   w = c_B − c_A,

which is convex. That holds for their depth, too, even where the segments cross: the difference of
two segments is flat, and a normal in its plane can be made a unit vector by what it has across.

Where both balls are within their segments, n·h_A = −k_A and n·h_B = k_B: the part of the normal in
the plane of both is known, the rest is across, and s and t follow. Else one of them is at an end,
which leaves a point and a segment.
"""

import math

from poise.kernel.body.vectors import cross, dot, minus, plus, times
from poise.kernel.compiling import compiled

NEARLY_PARALLEL = 1e-6
"""Square of the sine between two segments below which the crossing formula is not trusted alone."""
PARALLEL = 1e-20
"""The same below which they are parallel."""
TOUCHING = 1e-9
"""Share of the sizes below which two centres count as one: their difference has no direction."""


@compiled
def perpendicular(a):
    """A unit vector at right angles to a; any, where a is zero."""
    x, y, z = abs(a[0]), abs(a[1]), abs(a[2])
    if x <= y and x <= z:
        b = (0.0, -a[2], a[1])
    elif y <= z:
        b = (a[2], 0.0, -a[0])
    else:
        b = (-a[1], a[0], 0.0)
    size = math.sqrt(dot(b, b))
    if size == 0.0:
        return 1.0, 0.0, 0.0
    return times(1.0 / size, b)


@compiled
def without(a, h):
    """What a vector has at right angles to another."""
    square = dot(h, h)
    return minus(a, times(dot(a, h) / square, h)) if square > 0.0 else a


@compiled
def clamped(s):
    """A number between −1 and 1."""
    return min(1.0, max(-1.0, s))


@compiled
def nearest_on_rod(x, h, k):
    """The t between −1 and 1 that makes |x + t h| − t k least."""
    square = dot(h, h)
    if square == 0.0:
        return 0.0
    t = -dot(x, h) / square
    if k != 0.0:
        across = plus(x, times(t, h))
        t += k * math.sqrt(dot(across, across) / (square * (square - k * k)))
    return clamped(t)


@compiled
def of_capsules(w, g, h):
    """s and t of two segments where they are nearest; g is the half vector of the first.

    The best t for the s of the lines, then the best s for that t, and so on: the second is exact
    but for nearly parallel segments, whose s is badly known. There are no branches, which random
    pairs would mispredict, and the divisions do not wait for each other.
    """
    a, b, c = dot(g, g), dot(g, h), dot(h, h)
    p, q = dot(w, g), dot(w, h)
    across = a * c - b * b
    over_a, over_c = 1.0 / a, 1.0 / c
    over = 1.0 / across if across > PARALLEL * a * c else 0.0
    s = clamped((c * p - b * q) * over)
    t = clamped((b * s - q) * over_c)
    s = clamped((p + b * t) * over_a)
    t = clamped((b * s - q) * over_c)
    return s, t


@compiled
def of_tapered(w, g, k, h, l):
    """s and t of two rods where φ is least; g and k belong to the first."""
    a, b, c = dot(g, g), dot(g, h), dot(h, h)
    N = cross(g, h)
    across = dot(N, N)
    best, best_s, best_t = math.inf, 0.0, 0.0
    if across > PARALLEL * a * c:
        alpha = (-c * k - b * l) / across
        beta = (a * l + b * k) / across
        out = 1.0 - beta * l + alpha * k  # what the square of the normal leaves across both
        if out > 0.0:
            size = abs(dot(w, N)) / math.sqrt(across * out)
            p, q = dot(w, g) + size * k, dot(w, h) - size * l
            s, t = (c * p - b * q) / across, (b * p - a * q) / across
            if abs(s) <= 1.0 and abs(t) <= 1.0:
                if across > NEARLY_PARALLEL * a * c:
                    return s, t
                best, best_s, best_t = value_of(w, g, k, h, l, s, t), s, t
    for i in range(2):
        end = 2.0 * i - 1.0
        t = nearest_on_rod(minus(w, times(end, g)), h, l)
        value = value_of(w, g, k, h, l, end, t)
        if value < best:
            best, best_s, best_t = value, end, t
        s = -nearest_on_rod(plus(w, times(end, h)), g, -k)
        value = value_of(w, g, k, h, l, s, end)
        if value < best:
            best, best_s, best_t = value, s, end
    return best_s, best_t


@compiled
def value_of(w, g, k, h, l, s, t):
    """|w + t h − s g| − s k − t l."""
    x = plus(w, minus(times(t, h), times(s, g)))
    return math.sqrt(dot(x, x)) - s * k - t * l


@compiled
def crossing_normal(g, k, s, h, l, t):
    """A normal where the two centres coincide: one along which the rods are as deep as they are.

    It is n·g = −k where s is within the first segment, and leans to its end where s is there; so
    with the other.
    """
    free_s, free_t = abs(s) < 1.0, abs(t) < 1.0
    a, b, c = dot(g, g), dot(g, h), dot(h, h)
    N = cross(g, h)
    across = dot(N, N)
    if a == 0.0 and c == 0.0:
        return 0.0, 0.0, 1.0
    if free_s and free_t and across > PARALLEL * a * c:
        m = plus(times((-c * k - b * l) / across, g), times((a * l + b * k) / across, h))
        rest = math.sqrt(max(0.0, 1.0 - dot(m, m)) / across)
        n = plus(m, times(rest, without(N, g)))
    elif a == 0.0 or (c > 0.0 and free_t):
        n = _across_one(h, l, times(s, g)) if free_t else times(-t, h)
    elif c == 0.0 or free_s:
        n = _across_one(g, -k, times(-t, h)) if free_s else times(s, g)
    else:
        n = minus(times(s / math.sqrt(a), g), times(t / math.sqrt(c), h))
        if dot(n, n) < 1e-20:
            n = perpendicular(g)
    return times(1.0 / math.sqrt(dot(n, n)), n)


@compiled
def _across_one(h, l, towards):
    """The unit vector with n·h = l that goes as far as can be towards another."""
    square = dot(h, h)
    side = without(towards, h)
    size = math.sqrt(dot(side, side))
    limit = 1e-9 * math.sqrt(dot(towards, towards))
    side = times(1.0 / size, side) if size > limit else perpendicular(h)
    return plus(times(l / square, h), times(math.sqrt(max(0.0, 1.0 - l * l / square)), side))


@compiled
def rods(w, g, k, h, l):
    """Where two rods are nearest: s, t, the distance of the centres there, and the normal."""
    a, c = dot(g, g), dot(h, h)
    if a == 0.0:
        s, t = 0.0, nearest_on_rod(w, h, l)
    elif c == 0.0:
        s, t = -nearest_on_rod(w, g, -k), 0.0
    elif k == 0.0 and l == 0.0:
        s, t = of_capsules(w, g, h)
    else:
        s, t = of_tapered(w, g, k, h, l)
    x = plus(w, minus(times(t, h), times(s, g)))
    size = math.sqrt(dot(x, x))
    if size * size <= TOUCHING * TOUCHING * (a + c):
        return s, t, size, crossing_normal(g, k, s, h, l, t)
    return s, t, size, times(1.0 / size, x)
