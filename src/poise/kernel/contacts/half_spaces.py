"""Half-spaces: how far the support of a shape is above the plane."""

import math

from poise.kernel.body.vectors import dot, minus, plus, times
from poise.kernel.compiling import compiled
from poise.kernel.contacts.shapes import (
    HALF_SPACE,
    RADIUS,
    axis_of,
    center_of,
    point_to_world,
    to_local,
)
from poise.kernel.contacts.supports import support
from poise.kernel.contacts.workspace import HINTS

PARALLEL = 1e-12
"""Sine between two planes below which they are parallel."""


@compiled
def to_half_space(shapes, places, i, j, warm):
    """Signed distance, normal and the points on both; the second shape is a half-space.

    Two half-spaces overlap without end, unless they face each other.
    """
    up = axis_of(places, j)
    down = times(-1.0, up)
    base = center_of(places, j)
    if shapes.kind[i] == HALF_SPACE:
        start = center_of(places, i)
        other = axis_of(places, i)
        lean = plus(up, other)
        if math.sqrt(dot(lean, lean)) > PARALLEL:
            return -math.inf, down, start, base
        distance = dot(minus(start, base), up)
        return distance, down, start, minus(start, times(distance, up))
    x, y, z, hint = support(shapes, i, to_local(places, i, down), int(warm[HINTS]))
    warm[HINTS] = hint
    point = plus(point_to_world(places, i, (x, y, z)), times(shapes.size[i, RADIUS], down))
    distance = dot(minus(point, base), up)
    return distance, down, point, plus(point, times(distance, down))
