"""Signed distance of two shapes: which family of pairs does what.

    balls and rods against each other        closed forms (`segments`)
    half-spaces against anything             the support (`half_spaces`)
    balls against boxes, cylinders,          the distance of a point (`points`)
        ellipsoids
    rods against these                       a convex function of one variable (`rods`); an axis
                                             inside a cylinder or ellipsoid: `depth`
    all the rest                             `gjk`, and `depth` where cores overlap

A pair is computed in the order of its kinds, and turned round where it was asked for the other way.
"""

from poise.kernel.arrays import Floats, Floats2, Ints2
from poise.kernel.body.vectors import minus, plus, times, turned, turned_back
from poise.kernel.compiling import compiled, entry
from poise.kernel.contacts.depth import deepest
from poise.kernel.contacts.gjk import combined, separate
from poise.kernel.contacts.half_spaces import to_half_space
from poise.kernel.contacts.points import point_to_solid
from poise.kernel.contacts.rods import AXIS_TOUCHES, rod_in_box, rod_to_box, rod_to_solid
from poise.kernel.contacts.segments import rods
from poise.kernel.contacts.shapes import (
    BOX,
    CAPSULE,
    HALF_SPACE,
    HULL,
    RADIUS,
    SPHERE,
    TAPERED,
    Shapes,
    axis_of,
    center_of,
    point_to_world,
    rotation_of,
    to_local,
    to_world,
)
from poise.kernel.contacts.workspace import COUNT, Workspace

DISTANCE, NORMAL, FIRST, SECOND = 0, 1, 4, 7
"""Columns of a contact: signed distance, negative where the shapes overlap, by as much as the least
translation that separates them; unit normal from the first shape to the second; the points of
either surface that are nearest or deepest. All are of the world."""
CONTACT = 10
"""Numbers of a contact."""
SHIFTED = 1e-2
"""Share of the size of A − B by which overlapping cores are drawn apart to find their points."""


@entry
def distance(
    shapes: Shapes, places: Floats2, i: int, j: int, warm: Floats, room: Workspace, contact: Floats
) -> None:
    """Write the contact of two shapes.

    Args:
        shapes: the shapes.
        places: their frames in the world.
        i: the first.
        j: the second.
        warm: what is remembered of the pair, a row of zeros at first (`workspace`).
        room: a workspace.
        contact: DISTANCE, NORMAL, FIRST and SECOND are written into it.
    """
    if shapes.kind[i] <= shapes.kind[j]:
        d, n, a, b = _ordered(shapes, places, i, j, warm, room)
        _write(contact, d, n, a, b)
    else:
        d, n, b, a = _ordered(shapes, places, j, i, warm, room)
        _write(contact, d, times(-1.0, n), a, b)


@entry
def distances(
    shapes: Shapes,
    places: Floats2,
    pairs: Ints2,
    warm: Floats2,
    room: Workspace,
    contacts: Floats2,
) -> None:
    """Write the contacts of many pairs (p, 2), one row each; so are the rows of `warm`."""
    for p in range(pairs.shape[0]):
        distance(shapes, places, pairs[p, 0], pairs[p, 1], warm[p], room, contacts[p])


@compiled
def _write(contact, d, n, a, b):
    contact[DISTANCE] = d
    for c in range(3):
        contact[NORMAL + c] = n[c]
        contact[FIRST + c] = a[c]
        contact[SECOND + c] = b[c]


@compiled
def _ordered(shapes, places, i, j, warm, room):
    """Distance, normal and points of a pair whose kinds are in order."""
    first, second = shapes.kind[i], shapes.kind[j]
    if second <= TAPERED:
        return _rods(shapes, places, i, j)
    if second == HALF_SPACE:
        return to_half_space(shapes, places, i, j, warm)
    if first == SPHERE and second < HULL:
        return _ball(shapes, places, i, j)
    if first <= TAPERED and second < HULL:
        return _rod(shapes, places, i, j, warm, room)
    return _cores(shapes, places, i, j, warm, room)


@compiled
def rod_of(shapes, i):
    """Half length, mean radius and half the growth of the radius of a ball or rod."""
    kind = shapes.kind[i]
    if kind == TAPERED:
        low, high = shapes.size[i, 1], shapes.size[i, 2]
        return shapes.size[i, 0], 0.5 * (low + high), 0.5 * (high - low)
    if kind == CAPSULE:
        return shapes.size[i, 0], shapes.size[i, RADIUS], 0.0
    return 0.0, shapes.size[i, RADIUS], 0.0


@compiled
def _rods(shapes, places, i, j):
    """Balls and rods."""
    half, m, k = rod_of(shapes, i)
    other_half, other_m, l = rod_of(shapes, j)
    g, h = times(half, axis_of(places, i)), times(other_half, axis_of(places, j))
    start, end = center_of(places, i), center_of(places, j)
    s, t, size, n = rods(minus(end, start), g, k, h, l)
    r, q = m + s * k, other_m + t * l
    a = plus(plus(start, times(s, g)), times(r, n))
    b = minus(plus(end, times(t, h)), times(q, n))
    return size - r - q, n, a, b


@compiled
def _ball(shapes, places, i, j):
    """A ball and a box, cylinder or ellipsoid."""
    center, radius = center_of(places, i), shapes.size[i, RADIUS]
    y = to_local(places, j, minus(center, center_of(places, j)))
    size = shapes.size[j]
    d, n = point_to_solid(shapes.kind[j], y, size[0], size[1], size[2])
    n = to_world(places, j, times(-1.0, n))
    return d - radius, n, plus(center, times(radius, n)), plus(center, times(d, n))


@compiled
def _rod(shapes, places, i, j, warm, room):
    """A capsule or tapered capsule and a box, cylinder or ellipsoid."""
    half, m, k = rod_of(shapes, i)
    kind = shapes.kind[j]
    size = (shapes.size[j, 0], shapes.size[j, 1], shapes.size[j, 2])
    c = to_local(places, j, minus(center_of(places, i), center_of(places, j)))
    h = times(half, to_local(places, j, axis_of(places, i)))
    s = rod_to_box(c, h, k, size) if kind == BOX else rod_to_solid(kind, c, h, k, size)
    at = plus(c, times(s, h))
    d, n = point_to_solid(kind, at, size[0], size[1], size[2])
    n = times(-1.0, n)
    if d <= AXIS_TOUCHES * half:
        if kind != BOX:
            return _cores(shapes, places, i, j, warm, room)
        d, n, s = rod_in_box(c, h, m, k, size)
        at = plus(c, times(s, h))
    else:
        d -= m + s * k
    a = plus(at, times(m + s * k, n))
    b = plus(a, times(d, n))
    n = to_world(places, j, n)
    return d, n, point_to_world(places, j, a), point_to_world(places, j, b)


@compiled
def _cores(shapes, places, i, j, warm, room):
    """Any two cores with their rounding radii."""
    A = rotation_of(places, i)
    t = turned_back(A, minus(center_of(places, j), center_of(places, i)))
    R = _relative(A, rotation_of(places, j))
    size, count, weights = separate(shapes, i, j, R, t, room, warm)
    if size > 0.0:
        n = times(-1.0 / size, combined(room.corner, count, weights, 0))
        a = combined(room.corner, count, weights, 3)
        d = size
    else:
        d, n, a = _overlap(shapes, i, j, R, t, room, warm)
    b = plus(a, times(d, n))
    radius, other = shapes.size[i, RADIUS], shapes.size[j, RADIUS]
    a = plus(a, times(radius, n))
    b = minus(b, times(other, n))
    return (
        d - radius - other,
        turned(A, n),
        plus(center_of(places, i), turned(A, a)),
        plus(center_of(places, i), turned(A, b)),
    )


@compiled
def _overlap(shapes, i, j, R, t, room, warm):
    """Signed distance, normal and point on the first of two cores that overlap, in its frame.

    Shifted along the normal by the depth and a little more, the cores are apart along it: the
    points that are nearest then are the deepest now.
    """
    depth, n, scale = deepest(shapes, i, j, R, t, room, warm)
    gap = SHIFTED * scale
    shifted = plus(t, times(depth + gap, n))
    warm[COUNT] = 0.0
    _, count, weights = separate(shapes, i, j, R, shifted, room, warm)
    corner = room.corner
    a = combined(corner, count, weights, 3)
    b = plus(turned(R, combined(corner, count, weights, 6)), shifted)
    # Along the normal both are on their surfaces, across it they share what rounding leaves.
    middle = times(0.5, plus(a, b))
    return -depth, n, minus(middle, times(0.5 * gap, n))


@compiled
def _relative(A, B):
    """Aᵀ B of two rotations."""
    x = turned_back(A, (B[0], B[3], B[6]))
    y = turned_back(A, (B[1], B[4], B[7]))
    z = turned_back(A, (B[2], B[5], B[8]))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]
