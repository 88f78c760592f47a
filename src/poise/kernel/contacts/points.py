"""Signed distance of a point to a box, a cylinder or an ellipsoid, in the solid's frame.

Each returns the distance, negative inside, and the outward unit normal where the surface is
nearest. The distance is a convex function of the point, and the normal its gradient.
"""

import math

from poise.kernel.compiling import compiled
from poise.kernel.contacts.ellipsoids import nearest
from poise.kernel.contacts.shapes import BOX, CYLINDER


@compiled
def point_to_box(y, a, b, c):
    """A point and a box with half edges a, b, c."""
    x0, x1, x2 = abs(y[0]) - a, abs(y[1]) - b, abs(y[2]) - c
    if x0 <= 0.0 and x1 <= 0.0 and x2 <= 0.0:
        if x0 >= x1 and x0 >= x2:
            return x0, (math.copysign(1.0, y[0]), 0.0, 0.0)
        if x1 >= x2:
            return x1, (0.0, math.copysign(1.0, y[1]), 0.0)
        return x2, (0.0, 0.0, math.copysign(1.0, y[2]))
    x0, x1, x2 = max(x0, 0.0), max(x1, 0.0), max(x2, 0.0)
    most = max(x0, max(x1, x2))  # squares of what is tiny would vanish
    x0, x1, x2 = x0 / most, x1 / most, x2 / most
    size = math.sqrt(x0 * x0 + x1 * x1 + x2 * x2)
    n = (
        math.copysign(x0, y[0]) / size,
        math.copysign(x1, y[1]) / size,
        math.copysign(x2, y[2]) / size,
    )
    return size * most, n


@compiled
def point_to_cylinder(y, half, radius):
    """A point and a cylinder along z."""
    out = math.sqrt(y[0] * y[0] + y[1] * y[1])
    u, v = (y[0] / out, y[1] / out) if out > 0.0 else (1.0, 0.0)
    beside, above = out - radius, abs(y[2]) - half
    up = math.copysign(1.0, y[2])
    if beside > 0.0 and above > 0.0:
        most = max(beside, above)
        p, q = beside / most, above / most
        size = math.sqrt(p * p + q * q)
        return size * most, (p * u / size, p * v / size, q * up / size)
    if beside >= above:
        return beside, (u, v, 0.0)
    return above, (0.0, 0.0, up)


@compiled
def point_to_solid(kind, y, a, b, c):
    """A point and a BOX, a CYLINDER or an ELLIPSOID of such a size."""
    if kind == BOX:
        return point_to_box(y, a, b, c)
    if kind == CYLINDER:
        return point_to_cylinder(y, a, b)
    distance, n0, n1, n2 = nearest(y[0], y[1], y[2], a, b, c)
    return distance, (n0, n1, n2)
