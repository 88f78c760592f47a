"""Capsules and tapered capsules against boxes, cylinders and ellipsoids, in the solid's frame.

A rod is a ball whose centre is c + s h and whose radius is m + s k (`segments`). As long as its
nearest centre is outside the solid, the two are apart by the least of

    φ(s) = δ(c + s h) − m − s k

with δ the distance of a point, which is convex: φ' = n·h − k rises, and its zero is found between
−1 and 1. For a box, δ² is quadratic in s as long as the same faces are passed, so the zero is in
closed form there; for the others it is bracketed and found by secants.

Where the axis enters a box, a normal of least depth is that of a face, or that of an edge with the
side of the cone: in between, the depth along a normal is a concave function of it.
"""

import math

from poise.kernel.body.vectors import dot, plus, times
from poise.kernel.compiling import compiled
from poise.kernel.contacts.points import point_to_solid
from poise.kernel.contacts.segments import clamped

SECANTS = 100
"""Most evaluations for a zero of the slope; bisection alone would be done by then."""
AXIS_TOUCHES = 1e-9
"""Share of a rod's length: where its axis is nearer to the solid than that, it is inside."""

LYING = 1e-12
"""Sine between the side of a rod and a face below which the rod lies on it."""
LEVEL = 1e-14
"""Slope, as a share of the rod's length, that counts as none: along a rod parallel to a side
or an end it is zero but for rounding, and just beyond it is not."""
ENTERING = 1e-12
"""A least that is nearer than that to the next breakpoint, in s, is there."""


@compiled
def rod_to_box(c, h, k, size):
    """The s of a rod where it is nearest to a box.

    From the foot of the centre it goes downhill from one breakpoint, where another face is passed,
    to the next, until the least of √(a s² + 2 b s + e) − k s is met on the way.
    """
    s = clamped(-dot(c, h) / dot(h, h))
    a, b, e = _model(c, h, size, s)
    slope = (a * s + b) - k * math.sqrt(max(0.0, (a * s + 2.0 * b) * s + e)) if a > 0.0 else -k
    if slope == 0.0:
        return s
    way = -1.0 if slope > 0.0 else 1.0
    for _ in range(9):
        end = _ahead(c[0], h[0], size[0], s, way, way)
        end = _ahead(c[1], h[1], size[1], s, way, end)
        end = _ahead(c[2], h[2], size[2], s, way, end)
        a, b, e = _model(c, h, size, 0.5 * (s + end))
        if a > k * k:
            middle = -b / a
            rest = _rest(c, h, size, 0.5 * (s + end), middle)
            star = middle + k * math.sqrt(rest / (a * (a - k * k)))
            if (star - s) * way <= 0.0:
                break
            # An axis that enters the box has its least at the end, and goes on from there.
            if (end - star) * way > ENTERING or (end == way and (end - star) * way >= 0.0):
                s = star
                break
        elif way * k <= 0.0:
            break
        s = end
        if s == way:
            break
    return s


@compiled
def _ahead(c, h, half, s, way, end):
    """The next s, before an end, at which a coordinate c + s h passes a face at ±half."""
    if h != 0.0:
        for i in range(2):
            at = ((2.0 * i - 1.0) * half - c) / h
            if (at - s) * way > 1e-14 and (end - at) * way > 0.0:
                end = at
    return end


@compiled
def _model(c, h, size, s):
    """δ² = a s² + 2 b s + e with the faces that are passed at s; zeros inside."""
    a, b, e = 0.0, 0.0, 0.0
    for i in range(3):
        y = c[i] + s * h[i]
        if abs(y) > size[i]:
            rest = c[i] - math.copysign(size[i], y)
            a += h[i] * h[i]
            b += h[i] * rest
            e += rest * rest
    return a, b, e


@compiled
def _rest(c, h, size, s, middle):
    """The least of δ² with the faces that are passed at s: e − b²/a without cancellation."""
    square = 0.0
    for i in range(3):
        y = c[i] + s * h[i]
        if abs(y) > size[i]:
            x = c[i] - math.copysign(size[i], y) + middle * h[i]
            square += x * x
    return square


@compiled
def rod_to_solid(kind, c, h, k, size):
    """The s of a rod where it is nearest to a CYLINDER or an ELLIPSOID.

    False position on the slope, which rises; where one end stays, the slope there counts for less
    (Anderson and Björck 1973), and the interval is halved when that does not shrink it.
    """
    low, high = -1.0, 1.0
    level = LEVEL * math.sqrt(dot(h, h))
    below = _slope(kind, c, h, k, size, low)
    if below >= 0.0:
        return low
    above = _slope(kind, c, h, k, size, high)
    if above <= 0.0:
        return high
    width = 2.0
    for turn in range(SECANTS):
        s = low + (high - low) * (below / (below - above))
        if not low < s < high or (turn % 3 == 2 and high - low > 0.5 * width):
            s = 0.5 * (low + high)
        if turn % 3 == 2:
            width = high - low
        if high - low < 1e-15 or s == low or s == high:
            return s
        slope = _slope(kind, c, h, k, size, s)
        if abs(slope) <= level:
            return s
        if slope > 0.0:
            share = 1.0 - slope / above
            below *= share if share > 0.0 else 0.5
            high, above = s, slope
        else:
            share = 1.0 - slope / below
            above *= share if share > 0.0 else 0.5
            low, below = s, slope
    return s


@compiled
def _slope(kind, c, h, k, size, s):
    """φ' at s."""
    _, n = point_to_solid(kind, plus(c, times(s, h)), size[0], size[1], size[2])
    return dot(n, h) - k


@compiled
def rod_in_box(c, h, m, k, size):
    """Depth of a rod whose axis is inside a box: signed distance, normal towards the box, and s.

    The normal points out of the rod and into the box, and s is where the rod touches along it.
    """
    best = math.inf
    n, s = (0.0, 0.0, 1.0), 0.0
    for i in range(3):
        for turn in range(2):
            sign = 2.0 * turn - 1.0
            lean = sign * h[i] + k
            depth = sign * c[i] + m + abs(lean) + size[i]
            if depth < best:
                best = depth
                n = _unit(i, sign)
                s = 1.0 if lean > 0.0 else -1.0
                if abs(lean) <= LYING * math.sqrt(dot(h, h)):
                    s = _middle_within(c, h, size, i)
    for i in range(3):
        j, l = (i + 1) % 3, (i + 2) % 3
        across = math.sqrt(h[j] * h[j] + h[l] * h[l])
        if across <= abs(k) or across < 1e-12 * math.sqrt(dot(h, h)):
            continue
        p, q = -k / across, math.sqrt(1.0 - k * k / (across * across))
        for turn in range(2):
            sign = 2.0 * turn - 1.0
            nj = (p * h[j] - sign * q * h[l]) / across
            nl = (p * h[l] + sign * q * h[j]) / across
            depth = c[j] * nj + c[l] * nl + m + size[j] * abs(nj) + size[l] * abs(nl)
            if depth < best - 1e-13 * (m + across):
                best = depth
                n = plus(times(nj, _unit(j, 1.0)), times(nl, _unit(l, 1.0)))
                # where the rod's side meets the edge, seen along the normal
                uj, ul = -nl, nj
                line = (h[j] + k * nj) * uj + (h[l] + k * nl) * ul
                edge_j, edge_l = -math.copysign(size[j], nj), -math.copysign(size[l], nl)
                apart = (c[j] + m * nj - edge_j) * uj + (c[l] + m * nl - edge_l) * ul
                s = clamped(-apart / line)
    return -best, n, s


@compiled
def _middle_within(c, h, size, i):
    """The middle of the part of an axis that is over the face i of a box."""
    low, high = -1.0, 1.0
    least = LYING * math.sqrt(dot(h, h))
    for j in range(3):
        if j != i and abs(h[j]) > least:
            p, q = (-size[j] - c[j]) / h[j], (size[j] - c[j]) / h[j]
            low, high = max(low, min(p, q)), min(high, max(p, q))
    return clamped(0.5 * (low + high))


@compiled
def _unit(i, sign):
    """A unit vector along an axis."""
    return (
        sign if i == 0 else 0.0,
        sign if i == 1 else 0.0,
        sign if i == 2 else 0.0,
    )
