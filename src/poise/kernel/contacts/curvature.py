"""Second derivatives of distances.

Let W be the second derivative of a support function on the plane across the normal n: radii of
curvature, 0 at a vertex, without bound along an edge or across a face. While two shapes move with
velocities v_A, v_B of the material points at the contact and angular velocities ω_A, ω_B, let v be
the part of v_B − v_A across the normal, α = ω_A × n and β = ω_B × n. Then

    d̈ = n·(a_B − a_A) + bᵀ M⁻¹ b − αᵀ W_A α − βᵀ W_B β,
    b = v + W_A α + W_B β,   M = W_A + W_B + d I

with the accelerations of those points. The terms are ordered so that none is the difference of two
large ones: −α·W_A M⁻¹ (W_B + d) α, 2 α·W_A M⁻¹ W_B β and so on stay bounded as W_A grows.

Two shapes that are both flat in one direction, such as faces or parallel edges, have a distance
that is not differentiable: there the second counts as a vertex, as if its nearest point stayed.
"""

import math

from poise.kernel.arrays import Floats, Floats2
from poise.kernel.body.vectors import cross, dot, minus, times
from poise.kernel.compiling import compiled, entry
from poise.kernel.contacts.distance import DISTANCE, FIRST, NORMAL, SECOND, rod_of
from poise.kernel.contacts.segments import perpendicular
from poise.kernel.contacts.shapes import (
    BOX,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    HALF_SPACE,
    RADIUS,
    SPHERE,
    TAPERED,
    Shapes,
    center_of,
    to_local,
)
from poise.kernel.contacts.supports import climb
from poise.kernel.contacts.workspace import HINTS

FLAT = 1e6
"""Radius of curvature, in metres, that stands for one without bound; a thousandth of a millimetre
beside it is one part in 1e12, and products of it with 1/FLAT keep ten digits."""
ALONG = 1e-5
"""Sine between a normal and an edge or face below which the edge or face is flat to it: far more
than a normal is off, far less than what two features of a shape differ by."""
SINGULAR = 1e-9
"""Least eigenvalue of M, in metres: at the centre of curvature of a deep contact it is zero."""


@entry
def distance_curvature(
    shapes: Shapes, places: Floats2, i: int, j: int, warm: Floats, contact: Floats, form: Floats2
) -> None:
    """Write the symmetric form (12, 12) of a contact's second derivative.

    Its rows and columns are v_A, ω_A, v_B, ω_B: velocities of the material points at the contact,
    and angular velocities, in the world's axes. It leaves out n·(a_B − a_A).

    Args:
        shapes: the shapes.
        places: their frames in the world.
        i: the first shape.
        j: the second.
        warm: what is remembered of the pair.
        contact: their contact, as `distance` writes it.
        form: the form.
    """
    n = (contact[NORMAL], contact[NORMAL + 1], contact[NORMAL + 2])
    e = perpendicular(n)
    f = cross(n, e)
    swapped = 1 if shapes.kind[i] > shapes.kind[j] else 0
    A = radii(shapes, places, i, n, e, f, contact, FIRST, int(warm[HINTS + swapped]))
    down = times(-1.0, n)
    B = radii(shapes, places, j, down, e, f, contact, SECOND, int(warm[HINTS + 1 - swapped]))
    A, B = _told_apart(A, B)
    _expand(_coefficients(A, B, contact[DISTANCE]), n, e, f, form)


@compiled
def radii(shapes, places, i, n, e, f, contact, at, hint):
    """W of a shape along its outward normal n, in the basis e, f: ee, ef, ff."""
    kind = shapes.kind[i]
    m, p, q = to_local(places, i, n), to_local(places, i, e), to_local(places, i, f)
    size = (shapes.size[i, 0], shapes.size[i, 1], shapes.size[i, 2])
    radius = shapes.size[i, RADIUS]
    if kind == SPHERE:
        return radius, 0.0, radius
    if kind == HALF_SPACE:
        return FLAT, 0.0, FLAT
    if kind == ELLIPSOID:
        return _of_ellipsoid(size, m, p, q)
    if kind == CAPSULE or kind == TAPERED:
        half, mean, k = rod_of(shapes, i)
        point = (contact[at], contact[at + 1], contact[at + 2])
        z = to_local(places, i, minus(point, center_of(places, i)))[2]
        return _of_rod(half, mean, k, z, m, p, q)
    if kind == CYLINDER:
        return _of_cylinder(size[1], m, p, q)
    if kind == BOX:
        a, b, c = radius, 0.0, radius
        for axis in range(3):
            if abs(m[axis]) < ALONG:
                a += FLAT * p[axis] * p[axis]
                b += FLAT * p[axis] * q[axis]
                c += FLAT * q[axis] * q[axis]
        return a, b, c
    return _of_hull(shapes, i, radius, m, p, q, hint)


@compiled
def _of_ellipsoid(size, m, p, q):
    """(D − x xᵀ)/h with D the squares of the semi-axes, h = √(n·D n) and x = D n/h."""
    D = (size[0] * size[0], size[1] * size[1], size[2] * size[2])
    Dm = (D[0] * m[0], D[1] * m[1], D[2] * m[2])
    h = math.sqrt(dot(m, Dm))
    x = times(1.0 / h, Dm)
    xp, xq = dot(x, p), dot(x, q)
    pp = D[0] * p[0] * p[0] + D[1] * p[1] * p[1] + D[2] * p[2] * p[2]
    pq = D[0] * p[0] * q[0] + D[1] * p[1] * q[1] + D[2] * p[2] * q[2]
    qq = D[0] * q[0] * q[0] + D[1] * q[1] * q[1] + D[2] * q[2] * q[2]
    return (pp - xp * xp) / h, (pq - xp * xq) / h, (qq - xq * xq) / h


@compiled
def _of_rod(half, mean, k, z, m, p, q):
    """A ball at an end; on the side, also flat along it."""
    s = (z - mean * m[2]) / (half + k * m[2])
    r = mean + min(1.0, max(-1.0, s)) * k
    if abs(half * m[2] + k) > ALONG * half:
        return r, 0.0, r
    size = math.sqrt(p[2] * p[2] + q[2] * q[2])
    u, v = p[2] / size, q[2] / size
    return r + FLAT * u * u, FLAT * u * v, r + FLAT * v * v


@compiled
def _of_cylinder(radius, m, p, q):
    """Flat on its ends; curved round its rims, and on its side, which is flat along the axis."""
    out = math.sqrt(m[0] * m[0] + m[1] * m[1])
    if out < ALONG:
        return FLAT, 0.0, FLAT
    t = (-m[1] / out, m[0] / out, 0.0)
    u, v = dot(t, p), dot(t, q)
    r = radius / out
    a, b, c = r * u * u, r * u * v, r * v * v
    if abs(m[2]) < ALONG:
        a += FLAT * p[2] * p[2]
        b += FLAT * p[2] * q[2]
        c += FLAT * q[2] * q[2]
    return a, b, c


@compiled
def _of_hull(shapes, i, radius, m, p, q, hint):
    """Flat along the edges that are across the normal."""
    _, _, _, vertex = climb(shapes, i, m, hint)
    first = shapes.first_vertex[i]
    v = first + vertex
    flat, u, w = 0, 0.0, 0.0
    for k in range(shapes.first_neighbor[v], shapes.first_neighbor[v + 1]):
        other = first + shapes.neighbor[k]
        edge = (
            shapes.vertex[other, 0] - shapes.vertex[v, 0],
            shapes.vertex[other, 1] - shapes.vertex[v, 1],
            shapes.vertex[other, 2] - shapes.vertex[v, 2],
        )
        size = math.sqrt(dot(edge, edge))
        if abs(dot(edge, m)) < ALONG * size:
            x, y = dot(edge, p) / size, dot(edge, q) / size
            if flat == 0:
                flat, u, w = 1, x, y
            elif abs(u * y - w * x) > ALONG:
                flat = 2
    if flat == 2:
        return FLAT, 0.0, FLAT
    if flat == 1:
        return radius + FLAT * u * u, FLAT * u * w, radius + FLAT * w * w
    return radius, 0.0, radius


@compiled
def _told_apart(A, B):
    """The two W with the second a vertex in directions in which both are flat."""
    a, b = _flatness(A), _flatness(B)
    if a == 0 or b == 0:
        return A, B
    if a == 2:
        return A, (0.0, 0.0, 0.0) if b == 2 else _without_flat(B)
    if b == 2:
        return _without_flat(A), B
    x, y = _flat_direction(A), _flat_direction(B)
    if abs(x[0] * y[1] - x[1] * y[0]) < ALONG:
        return A, _without_flat(B)
    return A, B


@compiled
def _flatness(W):
    """In how many directions a W is flat."""
    limit = 0.5 * FLAT
    if W[0] + W[2] < limit:
        return 0
    return 2 if W[0] * W[2] - W[1] * W[1] > limit * limit else 1


@compiled
def _flat_direction(W):
    """The direction in which a W is flat, as a unit vector."""
    u, v = (W[0], W[1]) if W[0] >= W[2] else (W[1], W[2])
    size = math.sqrt(u * u + v * v)
    return u / size, v / size


@compiled
def _without_flat(W):
    """A W that is flat in one direction with only what it has across it."""
    u, v = _flat_direction(W)
    across = max(0.0, v * v * W[0] - 2.0 * u * v * W[1] + u * u * W[2])
    return across * v * v, -across * u * v, across * u * u


@compiled
def _times(P, Q):
    """The product of two matrices of two rows: four numbers."""
    return (
        P[0] * Q[0] + P[1] * Q[2],
        P[0] * Q[1] + P[1] * Q[3],
        P[2] * Q[0] + P[3] * Q[2],
        P[2] * Q[1] + P[3] * Q[3],
    )


@compiled
def _coefficients(A, B, d):
    """M⁻¹, M⁻¹ W_A, M⁻¹ W_B, and the terms of αα, αβ and ββ, each four numbers."""
    a, b, c = A[0] + B[0] + d, A[1] + B[1], A[2] + B[2] + d
    # The lesser eigenvalue without cancellation: that of the greater, and the determinant.
    middle, spread = 0.5 * (a + c), math.sqrt(0.25 * (a - c) * (a - c) + b * b)
    determinant = a * c - b * b
    greater = middle + math.copysign(spread, middle)
    if abs(determinant) < SINGULAR * abs(greater) or greater == 0.0:
        determinant = math.copysign(max(SINGULAR * abs(greater), SINGULAR * SINGULAR), determinant)
    inverse = (c / determinant, -b / determinant, -b / determinant, a / determinant)
    P, Q = (A[0], A[1], A[1], A[2]), (B[0], B[1], B[1], B[2])
    with_a, with_b = _times(inverse, P), _times(inverse, Q)
    plus_d = (B[0] + d, B[1], B[1], B[2] + d)
    alpha = _times(plus_d, with_a)
    plus_d = (A[0] + d, A[1], A[1], A[2] + d)
    beta = _times(plus_d, with_b)
    mixed = _times(Q, with_a)
    return inverse, with_a, with_b, times4(-1.0, alpha), mixed, times4(-1.0, beta)


@compiled
def times4(factor, P):
    """A matrix of two rows times a number."""
    return factor * P[0], factor * P[1], factor * P[2], factor * P[3]


@compiled
def _expand(parts, n, e, f, form):
    """Write the form on velocities from that on v, α and β.

    v has the components e·(v_B − v_A) and f·(v_B − v_A); α those of ω_A × n, which are ω_A·f and
    −ω_A·e; so has β.
    """
    inverse, with_a, with_b, alpha, mixed, beta = parts
    for r in range(3):
        for c in range(3):
            vv = _pair(inverse, e, f, e, f, r, c)
            va = _pair(with_a, e, f, f, times(-1.0, e), r, c)
            vb = _pair(with_b, e, f, f, times(-1.0, e), r, c)
            aa = _pair(alpha, f, times(-1.0, e), f, times(-1.0, e), r, c)
            ba = _pair(mixed, f, times(-1.0, e), f, times(-1.0, e), r, c)
            bb = _pair(beta, f, times(-1.0, e), f, times(-1.0, e), r, c)
            form[r, c] = vv
            form[r, 6 + c] = -vv
            form[6 + r, c] = -vv
            form[6 + r, 6 + c] = vv
            form[r, 3 + c] = -va
            form[3 + c, r] = -va
            form[6 + r, 3 + c] = va
            form[3 + c, 6 + r] = va
            form[r, 9 + c] = -vb
            form[9 + c, r] = -vb
            form[6 + r, 9 + c] = vb
            form[9 + c, 6 + r] = vb
            form[3 + r, 3 + c] = aa
            form[9 + r, 3 + c] = ba
            form[3 + c, 9 + r] = ba
            form[9 + r, 9 + c] = bb


@compiled
def _pair(P, u, v, x, y, r, c):
    """An entry of the matrix of a form P on (u·a, v·a) and (x·b, y·b)."""
    return u[r] * (P[0] * x[c] + P[1] * y[c]) + v[r] * (P[2] * x[c] + P[3] * y[c])
