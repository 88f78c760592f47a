"""Distance of two convex cores (Gilbert, Johnson and Keerthi 1988), warm.

A simplex of up to four points of A − B, in the frame of A, has a point v nearest to the origin.
The support of A − B along −v either proves that no point is nearer, or is a new corner. The corners
of the last time are remembered as points of the two shapes: however these have moved since, they
are points of A − B again, and mostly the right ones.
"""

import math

from poise.kernel.body.vectors import dot, minus, plus, three, times, turned, turned_back
from poise.kernel.compiling import compiled
from poise.kernel.contacts.shapes import is_round
from poise.kernel.contacts.simplex import on_segment, on_tetrahedron, on_triangle
from poise.kernel.contacts.supports import support
from poise.kernel.contacts.workspace import CORNERS, COUNT, HINTS

ROUNDS = 100
"""Most supports; polytopes need a handful, curved shapes up to forty."""
GAP = 1e-14
"""Share of the size of A − B: distance and lower bound that differ by less are equal."""
TOUCHING = 1e-8
"""Share of the size of A − B: cores that are nearer have no direction, and are left to `depth`."""
TOUCHING_ROUND = 1e-5
"""The same where a core is curved: its supports come near the nearest point, never to it."""


@compiled
def difference(shapes, i, j, R, t, n, row, room, warm):
    """Write the support of A − B along n, with its two points, into a row of corners or vertices.

    R and t place B in the frame of A. Returns its distance along n.
    """
    x, y, z, hint = support(shapes, i, n, int(warm[HINTS]))
    warm[HINTS] = hint
    u, v, w, other = support(shapes, j, turned_back(R, times(-1.0, n)), int(warm[HINTS + 1]))
    warm[HINTS + 1] = other
    room[row, 3], room[row, 4], room[row, 5] = x, y, z
    room[row, 6], room[row, 7], room[row, 8] = u, v, w
    b = plus(turned(R, (u, v, w)), t)
    room[row, 0], room[row, 1], room[row, 2] = x - b[0], y - b[1], z - b[2]
    return (x - b[0]) * n[0] + (y - b[1]) * n[1] + (z - b[2]) * n[2]


@compiled
def recall(corner, R, t, warm):
    """Bring back the corners that are remembered; their number."""
    count = int(warm[COUNT])
    for k in range(count):
        for c in range(6):
            corner[k, 3 + c] = warm[CORNERS + 6 * k + c]
        b = plus(turned(R, (corner[k, 6], corner[k, 7], corner[k, 8])), t)
        for c in range(3):
            corner[k, c] = corner[k, 3 + c] - b[c]
    return count


@compiled
def remember(corner, count, warm):
    """Keep the corners for the next time."""
    warm[COUNT] = count
    for k in range(count):
        for c in range(6):
            warm[CORNERS + 6 * k + c] = corner[k, 3 + c]


@compiled
def point_of(corner, k):
    """A corner."""
    return corner[k, 0], corner[k, 1], corner[k, 2]


@compiled
def weights_of(corner, count):
    """Weights of the corners for the point of the simplex that is nearest to the origin."""
    if count == 1:
        return 1.0, 0.0, 0.0, 0.0
    p, q = point_of(corner, 0), point_of(corner, 1)
    if count == 2:
        a, b = on_segment(p, q)
        return a, b, 0.0, 0.0
    r = point_of(corner, 2)
    if count == 3:
        a, b, c = on_triangle(p, q, r)
        return a, b, c, 0.0
    return on_tetrahedron(p, q, r, point_of(corner, 3))


@compiled
def reduce(corner, count, weights):
    """Take out corners without weight; the number left, and their weights."""
    kept = 0
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for k in range(count):
        weight = weights[k]
        if weight > 0.0:
            if kept != k:
                for column in range(9):
                    corner[kept, column] = corner[k, column]
            if kept == 0:
                a = weight
            elif kept == 1:
                b = weight
            elif kept == 2:
                c = weight
            else:
                d = weight
            kept += 1
    return kept, (a, b, c, d)


@compiled
def combined(corner, count, weights, first):
    """The weighted sum of three columns of the corners."""
    x = times(weights[0], three(corner[0], first))
    for k in range(1, count):
        x = plus(x, times(weights[k], three(corner[k], first)))
    return x


@compiled
def separate(shapes, i, j, R, t, room, warm):
    """Find the nearest point of A − B; the distance, the number of corners and their weights.

    A distance of zero says that the cores overlap or touch. The corners stay in the room.
    """
    corner = room.corner
    touching = TOUCHING_ROUND if is_round(shapes, i) or is_round(shapes, j) else TOUCHING
    count = recall(corner, R, t, warm)
    if count == 0:
        size = math.sqrt(dot(t, t))
        n = times(1.0 / size, t) if size > 0.0 else (1.0, 0.0, 0.0)
        difference(shapes, i, j, R, t, n, 0, corner, warm)
        count = 1
    size, weights = math.inf, (1.0, 0.0, 0.0, 0.0)
    corners, bound, scale = count, 0.0, 0.0
    for _ in range(ROUNDS):
        proposed = weights_of(corner, corners)
        if corners == 4 and min(min(proposed[0], proposed[1]), min(proposed[2], proposed[3])) > 0.0:
            if bound > touching * scale:  # rounding: a plane is known that separates them
                break
            remember(corner, 4, warm)
            return 0.0, 4, proposed
        v = combined(corner, corners, proposed, 0)
        length = math.sqrt(dot(v, v))
        if length >= size:  # rounding: the simplex before was as good
            break
        size = length
        scale = 0.0
        for k in range(corners):
            p = point_of(corner, k)
            scale = max(scale, dot(p, p))
        scale = math.sqrt(scale)
        count, weights = reduce(corner, corners, proposed)
        if size <= touching * scale:
            size = 0.0
            break
        n = times(-1.0 / size, v)
        reached = difference(shapes, i, j, R, t, n, count, corner, warm)
        bound = max(bound, -reached)
        if size + reached <= GAP * scale or _known(corner, count):
            break
        corners = count + 1
    remember(corner, count, warm)
    return size, count, weights


@compiled
def _known(corner, count):
    """Whether the new corner is one of those before it."""
    for k in range(count):
        x = minus(point_of(corner, k), point_of(corner, count))
        if x[0] == 0.0 and x[1] == 0.0 and x[2] == 0.0:
            return True
    return False
