"""Supports of cores: the point of a core that is farthest along a unit vector, in its own frame.

Those of hulls are found by climbing from a vertex to the best of its neighbours, until none is
better: on a convex hull that is the best of all.
"""

import math

from poise.kernel.compiling import compiled
from poise.kernel.contacts.shapes import BOX, CAPSULE, CYLINDER, ELLIPSOID, HULL, RADIUS, TAPERED

ON_AXIS = 1e-14
"""Sine between a vector and a cylinder's axis below which the middle of its end is the support."""


@compiled
def support(shapes, i, n, hint):
    """The farthest point of a core along n, and the vertex that it is, of a hull.

    Args:
        shapes: the shapes.
        i: which.
        n: a unit vector, in the shape's frame.
        hint: the vertex from which to climb.
    """
    kind = shapes.kind[i]
    if kind == HULL:
        return climb(shapes, i, n, hint)
    a, b, c = shapes.size[i, 0], shapes.size[i, 1], shapes.size[i, 2]
    if kind == BOX:
        return math.copysign(a, n[0]), math.copysign(b, n[1]), math.copysign(c, n[2]), 0
    if kind == ELLIPSOID:
        x, y, z = a * n[0], b * n[1], c * n[2]
        size = math.sqrt(x * x + y * y + z * z)
        r = shapes.size[i, RADIUS]
        return a * x / size - r * n[0], b * y / size - r * n[1], c * z / size - r * n[2], 0
    if kind == CYLINDER:
        out = math.sqrt(n[0] * n[0] + n[1] * n[1])
        share = b / out if out > ON_AXIS else 0.0
        return share * n[0], share * n[1], math.copysign(a, n[2]), 0
    if kind == CAPSULE:
        return 0.0, 0.0, math.copysign(a, n[2]), 0
    if kind == TAPERED:
        least = min(b, c)
        if c - b + 2.0 * a * n[2] > 0.0:
            radius = c - least
            return radius * n[0], radius * n[1], a + radius * n[2], 0
        radius = b - least
        return radius * n[0], radius * n[1], -a + radius * n[2], 0
    return 0.0, 0.0, 0.0, 0


@compiled
def climb(shapes, i, n, hint):
    """The farthest vertex of a hull along n."""
    first = shapes.first_vertex[i]
    vertex, start, neighbor = shapes.vertex, shapes.first_neighbor, shapes.neighbor
    at = hint
    v = first + at
    best = vertex[v, 0] * n[0] + vertex[v, 1] * n[1] + vertex[v, 2] * n[2]
    while True:
        better = at
        for e in range(start[first + at], start[first + at + 1]):
            v = first + neighbor[e]
            value = vertex[v, 0] * n[0] + vertex[v, 1] * n[1] + vertex[v, 2] * n[2]
            if value > best:
                best, better = value, neighbor[e]
        if better == at:
            break
        at = better
    v = first + at
    return vertex[v, 0], vertex[v, 1], vertex[v, 2], at
