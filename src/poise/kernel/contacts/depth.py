"""Depth of two cores that overlap: the least of the support function of A − B over all directions.

A polytope of points of A − B grows towards its surface (van den Bergen 2001). The face that is
nearest to the origin gives a lower bound of the depth, the support along its normal an upper bound,
and a new vertex; for polytopes the two meet after finitely many. Faces count by the signed distance
of their planes, so that the first tetrahedron need not hold the origin, and cores that only touch,
or are apart by next to nothing, are dealt with in the same way.
"""

import math

from poise.kernel.body.vectors import cross, dot, minus, times
from poise.kernel.compiling import compiled
from poise.kernel.contacts.gjk import difference, point_of
from poise.kernel.contacts.segments import perpendicular
from poise.kernel.contacts.shapes import is_round
from poise.kernel.contacts.workspace import FACES, VERTICES

EXACT = 1e-13
"""Share of the size of A − B: a point that is nearer to a face's plane is on it."""
CLOSE = 1e-12
"""Share of the size of A − B by which the bounds of the depth may differ."""
CLOSE_ROUND = 1e-9
"""The same where a core is curved: each halving of the gap costs some vertices more."""
SLIVER = 1e-10
"""Sine between two edges of a face below which it has no normal."""


@compiled
def deepest(shapes, i, j, R, t, room, warm):
    """Grow the polytope.

    Returns the least upper bound of the depth, the normal along which it is one, and the size of
    A − B.
    """
    scale = _begin(shapes, i, j, R, t, room, warm)
    close = scale * (CLOSE_ROUND if is_round(shapes, i) or is_round(shapes, j) else CLOSE)
    vertices, faces, unused = 4, 4, 0
    best, normal = math.inf, (0.0, 0.0, 1.0)
    f = 0
    for turn in range(1, VERTICES - 4):
        f = _nearest_face(room.plane, faces)
        plane = room.plane[f]
        n = (plane[0], plane[1], plane[2])
        reached = difference(shapes, i, j, R, t, n, vertices, room.vertex, warm)
        if reached < best:
            best, normal = reached, n
        if reached - plane[3] <= close:
            if reached <= best + close:
                best, normal = reached, n  # as good as any, and this face tells where
            break
        faces, unused = _insert(room, vertices, f, turn, faces, unused, EXACT * scale)
        if faces < 0:
            faces = -faces
            break
        vertices += 1
    return best, normal, scale


@compiled
def _begin(shapes, i, j, R, t, room, warm):
    """Write a tetrahedron of points of A − B; return the largest of its edges."""
    vertex = room.vertex
    difference(shapes, i, j, R, t, (1.0, 0.0, 0.0), 0, vertex, warm)
    difference(shapes, i, j, R, t, (-1.0, 0.0, 0.0), 1, vertex, warm)
    along = minus(point_of(vertex, 1), point_of(vertex, 0))
    e = perpendicular(along)
    _farther(shapes, i, j, R, t, e, 2, vertex, warm)
    n = cross(along, minus(point_of(vertex, 2), point_of(vertex, 0)))
    n = times(1.0 / math.sqrt(dot(n, n)), n)
    _farther(shapes, i, j, R, t, n, 3, vertex, warm)
    up = dot(n, minus(point_of(vertex, 3), point_of(vertex, 0)))
    if up > 0.0:  # seen from outside, corners of a face run counter-clockwise
        _set_face(room, 0, 0, 2, 1)
        _set_face(room, 1, 0, 1, 3)
        _set_face(room, 2, 1, 2, 3)
        _set_face(room, 3, 2, 0, 3)
        _set_neighbors(room, 0, 3, 2, 1)
        _set_neighbors(room, 1, 0, 2, 3)
        _set_neighbors(room, 2, 0, 3, 1)
        _set_neighbors(room, 3, 0, 1, 2)
    else:
        _set_face(room, 0, 0, 1, 2)
        _set_face(room, 1, 0, 3, 1)
        _set_face(room, 2, 1, 3, 2)
        _set_face(room, 3, 2, 3, 0)
        _set_neighbors(room, 0, 1, 2, 3)
        _set_neighbors(room, 1, 3, 2, 0)
        _set_neighbors(room, 2, 1, 3, 0)
        _set_neighbors(room, 3, 2, 1, 0)
    for f in range(4):
        room.seen[f] = 0
    scale = 0.0
    for k in range(1, 4):
        edge = minus(point_of(vertex, k), point_of(vertex, 0))
        scale = max(scale, dot(edge, edge))
    return math.sqrt(scale)


@compiled
def _farther(shapes, i, j, R, t, n, row, vertex, warm):
    """Write the support along n or against it, whichever is farther from the first vertex."""
    start = dot(n, point_of(vertex, 0))
    ahead = difference(shapes, i, j, R, t, n, row, vertex, warm) - start
    if difference(shapes, i, j, R, t, times(-1.0, n), row, vertex, warm) + start < ahead:
        difference(shapes, i, j, R, t, n, row, vertex, warm)


@compiled
def _set_face(room, f, a, b, c):
    """Write a face and its plane."""
    face, plane, vertex = room.face[f], room.plane[f], room.vertex
    face[0], face[1], face[2] = a, b, c
    p = point_of(vertex, a)
    u, v = minus(point_of(vertex, b), p), minus(point_of(vertex, c), p)
    n = cross(u, v)
    size = math.sqrt(dot(n, n))
    if size <= SLIVER * math.sqrt(dot(u, u) * dot(v, v)):
        plane[0], plane[1], plane[2], plane[3] = 0.0, 0.0, 0.0, math.inf
        return
    n = times(1.0 / size, n)
    plane[0], plane[1], plane[2], plane[3] = n[0], n[1], n[2], dot(n, p)


@compiled
def _set_neighbors(room, f, a, b, c):
    """Write the faces beyond the edges of a face, in the order of their first corners."""
    face = room.face[f]
    face[3], face[4], face[5] = a, b, c


@compiled
def _nearest_face(plane, faces):
    """The face whose plane is nearest to the origin, or farthest on the wrong side of it."""
    nearest = 0
    for f in range(1, faces):
        if plane[f, 3] < plane[nearest, 3]:
            nearest = f
    return nearest


@compiled
def _insert(room, v, start, turn, faces, unused, exact):
    """Put a vertex in that is visible from a face.

    Faces that the vertex sees are taken out; new ones go from it to the edges of the hole. Returns
    the number of rows of faces, and how many of them are unused; the first is negative where there
    is no more room or the hole is not a simple one, which only rounding can bring about.
    """
    face, plane, vertex, seen = room.face, room.plane, room.vertex, room.seen
    w = point_of(vertex, v)
    count, at = 1, 0
    room.visible[0] = start
    seen[start] = turn
    while at < count:  # all that is visible, from one face to the next
        f = room.visible[at]
        at += 1
        for k in range(3):
            g = face[f, 3 + k]
            if seen[g] == turn:
                continue
            n = (plane[g, 0], plane[g, 1], plane[g, 2])
            if dot(n, w) - plane[g, 3] > exact:
                seen[g] = turn
                room.visible[count] = g
                count += 1
    made = 0
    for at in range(count):
        f = room.visible[at]
        for k in range(3):
            g = face[f, 3 + k]
            if seen[g] == turn:
                continue
            if unused > 0:
                unused -= 1
                new = room.unused[unused]
            elif faces < FACES:
                new = faces
                faces += 1
            else:
                return -faces, unused
            a, b = face[f, k], face[f, (k + 1) % 3]
            _set_face(room, new, a, b, v)
            seen[new] = 0
            face[new, 3] = g
            for back in range(3):
                if face[g, 3 + back] == f and face[g, back] == b:
                    face[g, 3 + back] = new
            room.leaving[a] = new
            room.made[made] = new
            made += 1
    for at in range(made):
        new = room.made[at]
        b = face[new, 1]
        beyond = room.leaving[b]
        if face[beyond, 0] != b or face[beyond, 2] != v:
            return -faces, unused
        face[new, 4] = beyond
        face[beyond, 5] = new
    for at in range(count):
        f = room.visible[at]
        plane[f, 3] = math.inf
        room.unused[unused] = f
        unused += 1
    return faces, unused
