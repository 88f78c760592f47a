"""Residuals of angles: orientations, single axes, lines of sight.

Rows 3–5 of the Jacobian in `Scratch` are the angular velocity ω of the site's node, rows 9–11
that of the goal's, where the goal rides on a node (`other` ≥ 0).
"""

import math

from poise.kernel.compiling import compiled
from poise.kernel.filling import clear


@compiled
def combine(jacobian, first, d0, d1, d2, row):
    """row = d · jacobian, for three rows of it."""
    for i in range(row.size):
        row[i] = d0 * jacobian[first, i] + d1 * jacobian[first + 1, i] + d2 * jacobian[first + 2, i]


@compiled
def turned(R, x, y, z):
    """R times a vector."""
    return (
        R[0] * x + R[1] * y + R[2] * z,
        R[3] * x + R[4] * y + R[5] * z,
        R[6] * x + R[7] * y + R[8] * z,
    )


@compiled
def turn_residual(jacobian, turn, other, v, e, A, wanted):
    """Orientation: e = log(R Gᵀ), a rotation vector in the world's axes.

    Values: the site's rotation in its node (9), the goal's rotation (9) in the world, or in the
    other node's frame where there is one (other ≥ 0). The rate is
    ė = Jl⁻¹(e)(ω − R Gᵀ ω_other), with Jl⁻¹ = 1 − ½[e×] + c [e×]².
    """
    for r in range(3):
        for c in range(3):
            s = 0.0
            for k in range(3):
                a = 0.0
                g = v[9 + 3 * c + k]
                if other >= 0:
                    g = 0.0
                for l in range(3):
                    a += turn[0, 3 * r + l] * v[3 * l + k]
                    if other >= 0:
                        g += turn[1, 3 * c + l] * v[9 + 3 * l + k]
                s += a * g
            turn[2, 3 * r + c] = s
    x, y, z = _logarithm(turn[2])
    e[0], e[1], e[2] = x, y, z
    if not wanted:
        return
    if other >= 0:
        for i in range(A.shape[1]):
            for r in range(3):
                for k in range(3):
                    jacobian[3 + r, i] -= turn[2, 3 * r + k] * jacobian[9 + k, i]
    c = _inverse_coefficient(x * x + y * y + z * z)
    combine(jacobian, 3, 1.0 - c * (y * y + z * z), c * x * y + 0.5 * z, c * x * z - 0.5 * y, A[0])
    combine(jacobian, 3, c * x * y - 0.5 * z, 1.0 - c * (x * x + z * z), c * y * z + 0.5 * x, A[1])
    combine(jacobian, 3, c * x * z + 0.5 * y, c * y * z - 0.5 * x, 1.0 - c * (x * x + y * y), A[2])


@compiled
def _logarithm(d):
    """The rotation vector of a rotation matrix, by its quaternion's largest part."""
    trace = d[0] + d[4] + d[8]
    if trace >= d[0] and trace >= d[4] and trace >= d[8]:
        w, x, y, z = 1.0 + trace, d[7] - d[5], d[2] - d[6], d[3] - d[1]
    elif d[0] >= d[4] and d[0] >= d[8]:
        w, x, y, z = d[7] - d[5], 1.0 + 2.0 * d[0] - trace, d[1] + d[3], d[2] + d[6]
    elif d[4] >= d[8]:
        w, x, y, z = d[2] - d[6], d[1] + d[3], 1.0 + 2.0 * d[4] - trace, d[5] + d[7]
    else:
        w, x, y, z = d[3] - d[1], d[2] + d[6], d[5] + d[7], 1.0 + 2.0 * d[8] - trace
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    length = math.sqrt(x * x + y * y + z * z)
    if length < 1e-300:
        return 0.0, 0.0, 0.0
    scale = 2.0 * math.atan2(length, w) / length
    return scale * x, scale * y, scale * z


@compiled
def _inverse_coefficient(square):
    """The c of Jl⁻¹: (1 − (θ/2) cot(θ/2)) / θ²; 1/12 at zero."""
    if square < 1e-3:
        return 1.0 / 12.0 + square * (1.0 / 720.0 + square / 30240.0)
    half = 0.5 * math.sqrt(square)
    return (1.0 - half / math.tan(half)) / square


@compiled
def axis_residual(jacobian, turn, other, v, e, A, wanted):
    """One axis of an orientation: e is the rotation vector that takes the goal b to the axis a.

    Values: the axis in the node's frame (3), the goal (3) in the world or in the other node's
    frame; for two rows also two perpendiculars of the goal in the world (6), which are what e is
    split into. In three rows e has rank two: the site may turn about the axis. With e = θ u,
    u = b × a / sin θ and w = b × u, the rate is
    ė = u (u·ω) + w (θ / sin θ)(cos θ w·ω + sin θ b·ω); where θ is small it is nearly that of
    b × a. Near a = −b the direction of u is a matter of a hair and its rate has no bound: one is
    put on it, lest it drown all other rows. Where the goal rides, ω is that of the site against
    it, and the whole turns with it: ė += ω_other × e.
    """
    a0, a1, a2 = turned(turn[0], v[0], v[1], v[2])
    b0, b1, b2 = v[3], v[4], v[5]
    if other >= 0:
        b0, b1, b2 = turned(turn[1], b0, b1, b2)
    c0, c1, c2 = b1 * a2 - b2 * a1, b2 * a0 - b0 * a2, b0 * a1 - b1 * a0
    s, c = math.sqrt(c0 * c0 + c1 * c1 + c2 * c2), a0 * b0 + a1 * b1 + a2 * b2
    near = s < 1e-4 and c > 0.0
    k = 1.0 + s * s / 6.0
    u0, u1, u2, theta = k * c0, k * c1, k * c2, 1.0
    if not near:
        theta = math.atan2(s, c)
        if s > 1e-12:
            u0, u1, u2 = c0 / s, c1 / s, c2 / s
        else:  # opposite: turning about any perpendicular will do
            u0, u1, u2 = _perpendicular(b0, b1, b2)
        k = min(theta / s, 3e3)
    e0, e1, e2 = theta * u0, theta * u1, theta * u2
    _write(v, e0, e1, e2, e)
    if not wanted:
        return
    w0, w1, w2 = b1 * u2 - b2 * u1, b2 * u0 - b0 * u2, b0 * u1 - b1 * u0
    for i in range(A.shape[1]):
        x, y, z = jacobian[3, i], jacobian[4, i], jacobian[5, i]
        o0, o1, o2 = 0.0, 0.0, 0.0
        if other >= 0:
            o0, o1, o2 = jacobian[9, i], jacobian[10, i], jacobian[11, i]
            x, y, z = x - o0, y - o1, z - o2
        if near:
            v0, v1, v2 = y * a2 - z * a1, z * a0 - x * a2, x * a1 - y * a0
            along = (b0 * v0 + b1 * v1 + b2 * v2) / 3.0
            r0 = k * (b1 * v2 - b2 * v1) - along * c0
            r1 = k * (b2 * v0 - b0 * v2) - along * c1
            r2 = k * (b0 * v1 - b1 * v0) - along * c2
        else:
            out = u0 * x + u1 * y + u2 * z
            aside = k * (c * (w0 * x + w1 * y + w2 * z) + s * (b0 * x + b1 * y + b2 * z))
            r0, r1, r2 = u0 * out + w0 * aside, u1 * out + w1 * aside, u2 * out + w2 * aside
        r0, r1, r2 = r0 + o1 * e2 - o2 * e1, r1 + o2 * e0 - o0 * e2, r2 + o0 * e1 - o1 * e0
        _write(v, r0, r1, r2, A[:, i])


@compiled
def _write(v, x, y, z, out):
    """A vector as three rows, or split into the two perpendiculars at v[6:12]."""
    if out.size == 3:
        out[0], out[1], out[2] = x, y, z
    else:
        out[0] = v[6] * x + v[7] * y + v[8] * z
        out[1] = v[9] * x + v[10] * y + v[11] * z


@compiled
def _perpendicular(x, y, z):
    """A unit vector perpendicular to another."""
    if abs(x) < 0.6:
        length = math.sqrt(y * y + z * z)
        return 0.0, -z / length, y / length
    length = math.sqrt(x * x + z * z)
    return z / length, 0.0, -x / length


@compiled
def vectors_residual(jacobian, turn, other, v, e, A, wanted):
    """Two axes as vectors: cx (x − xg), cy (y − yg), the orientation of the 1989 and 1994 papers.

    Values: x and y axes in the node's frame (6), their goals (6) in the world or in the other
    node's frame, cx, cy.
    """
    for k in range(2):
        c, r = v[12 + k], 3 * k
        a0, a1, a2 = turned(turn[0], v[r], v[r + 1], v[r + 2])
        b0, b1, b2 = v[6 + r], v[7 + r], v[8 + r]
        if other >= 0:
            b0, b1, b2 = turned(turn[1], b0, b1, b2)
        e[r], e[r + 1], e[r + 2] = c * (a0 - b0), c * (a1 - b1), c * (a2 - b2)
        if not wanted:
            continue
        for i in range(A.shape[1]):
            x, y, z = jacobian[3, i], jacobian[4, i], jacobian[5, i]
            r0, r1, r2 = y * a2 - z * a1, z * a0 - x * a2, x * a1 - y * a0
            if other >= 0:
                x, y, z = jacobian[9, i], jacobian[10, i], jacobian[11, i]
                r0 -= y * b2 - z * b1
                r1 -= z * b0 - x * b2
                r2 -= x * b1 - y * b0
            A[r, i], A[r + 1, i], A[r + 2, i] = c * r0, c * r1, c * r2


@compiled
def aim_residual(jacobian, point, turn, v, e, A, wanted):
    """A line of sight: e = (p − r)/|p − r| − v (Zhao & Badler 1994, eq. 13).

    Values: the site's point in its node (3), its axis there (3), the goal p (3) in the world or in
    the other node's frame. Rows 0–2 of the Jacobian are those of r − p. Where the goal lies on the
    site the direction is undefined: all is zero. Straight behind, where nothing says which way to
    turn, a hair is added across.
    """
    d0, d1, d2 = point[1, 0] - point[0, 0], point[1, 1] - point[0, 1], point[1, 2] - point[0, 2]
    length = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
    if length < 1e-9:
        e[0], e[1], e[2] = 0.0, 0.0, 0.0
        if wanted:
            clear(A, 3)
        return
    d0, d1, d2 = d0 / length, d1 / length, d2 / length
    v0, v1, v2 = turned(turn[0], v[3], v[4], v[5])
    e[0], e[1], e[2] = d0 - v0, d1 - v1, d2 - v2
    if d0 * v0 + d1 * v1 + d2 * v2 < -1.0 + 1e-9:  # straight behind no way round is the shorter
        x, y, z = _perpendicular(d0, d1, d2)
        e[0], e[1], e[2] = e[0] + 1e-2 * x, e[1] + 1e-2 * y, e[2] + 1e-2 * z
    if not wanted:
        return
    for i in range(A.shape[1]):
        x, y, z = jacobian[0, i] / length, jacobian[1, i] / length, jacobian[2, i] / length
        w0, w1, w2 = jacobian[3, i], jacobian[4, i], jacobian[5, i]
        along = d0 * x + d1 * y + d2 * z
        A[0, i] = d0 * along - x - (w1 * v2 - w2 * v1)
        A[1, i] = d1 * along - y - (w2 * v0 - w0 * v2)
        A[2, i] = d2 * along - z - (w0 * v1 - w1 * v0)
