"""What tasks want: residuals and their Jacobians.

A task is one or more *blocks*, each a residual of one kind about one or two nodes. What a
block's numbers mean is said with its function. Residuals are in metres; those of angles are
scaled by the task's metres per radian.

To add a kind: a number in `kernel.blocks`, a function here, and its line in `evaluate`.
`evaluate` has the point of the block's site, its turn and their Jacobians ready in `Scratch`
(rows 0–2 and 3–5; for a second node 6–8 and 9–11), so that a kind is plain arithmetic.
"""

import math

from poise.kernel.blocks import (
    AIM,
    AXIS,
    GAP,
    HULL,
    KIND,
    MASS,
    NODE,
    OTHER,
    POINT,
    ROW,
    ROWS,
    SCALE,
    START,
    TURN,
    VECTORS,
)
from poise.kernel.compiling import compiled
from poise.kernel.kinematics import locate, point_rows, turn_rows
from poise.kernel.masses import center_of_mass, center_of_mass_rows, gather


@compiled
def evaluate(tree, blocks, state, scratch, residual, matrix, wanted):
    """Residuals of all blocks, and their Jacobian if wanted, at the posture in `state`.

    Needs `place`, and `differentiate` where the Jacobian is wanted.
    """
    block, values = blocks.block, blocks.values
    jacobian, point, turn = scratch.rows, scratch.point, scratch.turn
    n = jacobian.shape[1]
    gathered = False
    for b in range(block.shape[0] - 1):
        kind, row, rows = block[b, KIND], block[b, ROW], block[b, ROWS]
        v = values[block[b, START] : block[b + 1, START]]
        if (kind == MASS or kind == HULL) and not gathered:
            gathered = True
            gather(tree, state, False)
            center_of_mass(tree, state, point[3])
            if wanted:
                _clear(scratch.center_rows, 3)
                center_of_mass_rows(tree, state, scratch.center_rows)
        if kind == HULL:
            edges = _support(state, scratch, block[b, OTHER], v)
            for r in range(rows):
                e = residual[row + r : row + r + 1]
                if r >= edges:
                    _beyond(e, matrix[row + r], wanted)
                    continue
                i, j = scratch.order[1, r], scratch.order[1, (r + 1) % edges]
                if wanted:
                    _clear(jacobian, 12)
                    point_rows(tree, state, int(v[1 + 4 * i]), scratch.corner[i], jacobian[0:3])
                    point_rows(tree, state, int(v[1 + 4 * j]), scratch.corner[j], jacobian[6:9])
                _edge(scratch, i, j, v[0], e, matrix[row + r], wanted)
        else:
            if kind != MASS:
                _approach(tree, state, scratch, kind, block[b, NODE], block[b, OTHER], v, wanted)
            e, A = residual[row : row + rows], matrix[row : row + rows]
            if kind == POINT or kind == MASS or kind == GAP:
                _along(scratch, kind, v, e, A, wanted)
            elif kind == TURN:
                _turn(jacobian, turn, block[b, OTHER], v, e, A, wanted)
            elif kind == AXIS:
                _axis(jacobian, turn, v, e, A, wanted)
            elif kind == VECTORS:
                _vectors(jacobian, turn, v, e, A, wanted)
            elif kind == AIM:
                _aim(jacobian, point, turn, v, e, A, wanted)
        scale = blocks.factor[b, SCALE]
        for r in range(row, row + rows):
            residual[r] *= scale
            if wanted and scale != 1.0:
                for i in range(n):
                    matrix[r, i] *= scale


@compiled
def _clear(rows, count):
    for r in range(count):
        for i in range(rows.shape[1]):
            rows[r, i] = 0.0


@compiled
def _approach(tree, state, scratch, kind, node, other, v, wanted):
    """Bring the point, the turn and their Jacobians of a block's site, or two, into scratch."""
    jacobian, point, turn, rotation = scratch.rows, scratch.point, scratch.turn, state.rotation
    pointed = kind == POINT or kind == GAP or kind == AIM
    turned = kind == TURN or kind == AXIS or kind == VECTORS or kind == AIM
    both = other >= 0 and (kind == GAP or kind == TURN)
    if pointed:
        locate(state, node, v[0:3], point[0])
        if both:
            locate(state, other, v[3:6], point[1])
    if turned:
        for k in range(9):
            turn[0, k] = rotation[node, k]
            if both:
                turn[1, k] = rotation[other, k]
    if not wanted:
        return
    _clear(jacobian, 12 if both else 6)
    for side in range(2 if both else 1):
        at = node if side == 0 else other
        if pointed:
            point_rows(tree, state, at, point[side], jacobian[6 * side : 6 * side + 3])
        if turned:
            turn_rows(tree, state, at, jacobian[6 * side + 3 : 6 * side + 6])


@compiled
def _combine(jacobian, first, d0, d1, d2, row):
    """row = d · jacobian, for three rows of it."""
    for i in range(row.size):
        row[i] = d0 * jacobian[first, i] + d1 * jacobian[first + 1, i] + d2 * jacobian[first + 2, i]


@compiled
def _along(scratch, kind, v, e, A, wanted):
    """Components of a point: e_r = d_r · (x − g).

    Values: the point in the node's frame (3), the goal (3), directions d (3 each row). For MASS
    the point is the centre of mass; for GAP the goal is a point in the other node's frame.
    """
    jacobian, point = scratch.rows, scratch.point
    at = 3 if kind == MASS else 0
    for r in range(e.size):
        d0, d1, d2 = v[6 + 3 * r], v[7 + 3 * r], v[8 + 3 * r]
        g0, g1, g2 = v[3], v[4], v[5]
        if kind == GAP:
            g0, g1, g2 = point[1, 0], point[1, 1], point[1, 2]
        e[r] = d0 * (point[at, 0] - g0) + d1 * (point[at, 1] - g1) + d2 * (point[at, 2] - g2)
        if not wanted:
            continue
        _combine(scratch.center_rows if kind == MASS else jacobian, 0, d0, d1, d2, A[r])
        if kind == GAP:
            for i in range(A.shape[1]):
                A[r, i] -= d0 * jacobian[6, i] + d1 * jacobian[7, i] + d2 * jacobian[8, i]


@compiled
def _turn(jacobian, turn, other, v, e, A, wanted):
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
    _combine(jacobian, 3, 1.0 - c * (y * y + z * z), c * x * y + 0.5 * z, c * x * z - 0.5 * y, A[0])
    _combine(jacobian, 3, c * x * y - 0.5 * z, 1.0 - c * (x * x + z * z), c * y * z + 0.5 * x, A[1])
    _combine(jacobian, 3, c * x * z + 0.5 * y, c * y * z - 0.5 * x, 1.0 - c * (x * x + y * y), A[2])


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
def _axis(jacobian, turn, v, e, A, wanted):
    """One axis of an orientation: e is the rotation vector that takes the goal b to the axis a.

    Values: the axis in the node's frame (3), the goal in the world (3). Three rows of rank two:
    the site may turn about the axis. With e = θ u, u = b × a / sin θ and w = b × u, the rate is
    ė = u (u·ω) + w (θ / sin θ)(cos θ w·ω + sin θ b·ω); where θ is small it is nearly that of
    b × a. Near a = −b the direction of u is a matter of a hair and its rate has no bound: one is
    put on it, lest it drown all other rows.
    """
    a0, a1, a2 = _turned(turn[0], v[0], v[1], v[2])
    b0, b1, b2 = v[3], v[4], v[5]
    c0, c1, c2 = b1 * a2 - b2 * a1, b2 * a0 - b0 * a2, b0 * a1 - b1 * a0
    s, c = math.sqrt(c0 * c0 + c1 * c1 + c2 * c2), a0 * b0 + a1 * b1 + a2 * b2
    theta = math.atan2(s, c)
    if s < 1e-4 and c > 0.0:
        k = 1.0 + s * s / 6.0
        e[0], e[1], e[2] = k * c0, k * c1, k * c2
        if not wanted:
            return
        for i in range(A.shape[1]):
            x, y, z = jacobian[3, i], jacobian[4, i], jacobian[5, i]
            v0, v1, v2 = y * a2 - z * a1, z * a0 - x * a2, x * a1 - y * a0
            along = (b0 * v0 + b1 * v1 + b2 * v2) / 3.0
            A[0, i] = k * (b1 * v2 - b2 * v1) - along * c0
            A[1, i] = k * (b2 * v0 - b0 * v2) - along * c1
            A[2, i] = k * (b0 * v1 - b1 * v0) - along * c2
        return
    if s > 1e-12:
        u0, u1, u2 = c0 / s, c1 / s, c2 / s
    else:  # opposite: turning about any perpendicular will do
        u0, u1, u2 = _perpendicular(b0, b1, b2)
    e[0], e[1], e[2] = theta * u0, theta * u1, theta * u2
    if not wanted:
        return
    w0, w1, w2 = b1 * u2 - b2 * u1, b2 * u0 - b0 * u2, b0 * u1 - b1 * u0
    k = min(theta / s, 3e3)
    for i in range(A.shape[1]):
        x, y, z = jacobian[3, i], jacobian[4, i], jacobian[5, i]
        out = u0 * x + u1 * y + u2 * z
        aside = k * (c * (w0 * x + w1 * y + w2 * z) + s * (b0 * x + b1 * y + b2 * z))
        A[0, i] = u0 * out + w0 * aside
        A[1, i] = u1 * out + w1 * aside
        A[2, i] = u2 * out + w2 * aside


@compiled
def _perpendicular(x, y, z):
    """A unit vector perpendicular to another."""
    if abs(x) < 0.6:
        length = math.sqrt(y * y + z * z)
        return 0.0, -z / length, y / length
    length = math.sqrt(x * x + z * z)
    return z / length, 0.0, -x / length


@compiled
def _turned(R, x, y, z):
    return (
        R[0] * x + R[1] * y + R[2] * z,
        R[3] * x + R[4] * y + R[5] * z,
        R[6] * x + R[7] * y + R[8] * z,
    )


@compiled
def _vectors(jacobian, turn, v, e, A, wanted):
    """Two axes as vectors: cx (x − xg), cy (y − yg), the orientation of the 1989 and 1994 papers.

    Values: x and y axes in the node's frame (6), their goals in the world (6), cx, cy.
    """
    for k in range(2):
        c, r = v[12 + k], 3 * k
        a0, a1, a2 = _turned(turn[0], v[r], v[r + 1], v[r + 2])
        e[r], e[r + 1], e[r + 2] = c * (a0 - v[6 + r]), c * (a1 - v[7 + r]), c * (a2 - v[8 + r])
        if wanted:
            _combine(jacobian, 3, 0.0, c * a2, -c * a1, A[r])
            _combine(jacobian, 3, -c * a2, 0.0, c * a0, A[r + 1])
            _combine(jacobian, 3, c * a1, -c * a0, 0.0, A[r + 2])


@compiled
def _aim(jacobian, point, turn, v, e, A, wanted):
    """A line of sight: e = (p − r)/|p − r| − v (Zhao & Badler 1994, eq. 13).

    Values: the site's point in its node (3), its axis there (3), the goal p (3). Where the
    goal lies on the site the direction is undefined: all is zero.
    """
    d0, d1, d2 = v[6] - point[0, 0], v[7] - point[0, 1], v[8] - point[0, 2]
    length = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
    if length < 1e-9:
        e[0], e[1], e[2] = 0.0, 0.0, 0.0
        if wanted:
            _clear(A, 3)
        return
    d0, d1, d2 = d0 / length, d1 / length, d2 / length
    v0, v1, v2 = _turned(turn[0], v[3], v[4], v[5])
    e[0], e[1], e[2] = d0 - v0, d1 - v1, d2 - v2
    if not wanted:
        return
    for i in range(A.shape[1]):
        x, y, z = jacobian[0, i] / length, jacobian[1, i] / length, jacobian[2, i] / length
        w0, w1, w2 = jacobian[3, i], jacobian[4, i], jacobian[5, i]
        along = d0 * x + d1 * y + d2 * z
        A[0, i] = d0 * along - x - (w1 * v2 - w2 * v1)
        A[1, i] = d1 * along - y - (w2 * v0 - w0 * v2)
        A[2, i] = d2 * along - z - (w0 * v1 - w1 * v0)


@compiled
def _support(state, scratch, corners, v):
    """Bring the corners of a support and their hull, seen from above, into scratch; its edges.

    Values: the margin, then for each corner its node and its point there (4 numbers). The hull
    goes counter-clockwise (Andrew 1979).
    """
    corner, order = scratch.corner, scratch.order
    for k in range(corners):
        locate(state, int(v[1 + 4 * k]), v[2 + 4 * k : 5 + 4 * k], corner[k])
        order[0, k] = k
        t = k
        while t > 0 and _before(corner, order[0, t], order[0, t - 1]):
            order[0, t], order[0, t - 1] = order[0, t - 1], order[0, t]
            t -= 1
    size = 0
    for side in range(2):  # along the lower side, then back along the upper
        least = 2 if side == 0 else size + 1
        for k in range(side, corners):
            c = order[0, k] if side == 0 else order[0, corners - 1 - k]
            while size >= least and not _left(corner, order[1, size - 2], order[1, size - 1], c):
                size -= 1
            order[1, size] = c
            size += 1
    return size - 1


@compiled
def _before(corner, i, j):
    return corner[i, 0] < corner[j, 0] or (
        corner[i, 0] == corner[j, 0] and corner[i, 1] < corner[j, 1]
    )


@compiled
def _left(corner, i, j, k):
    """Whether corner k lies to the left of the line from i to j, by more than rounding."""
    ax, ay = corner[j, 0] - corner[i, 0], corner[j, 1] - corner[i, 1]
    return ax * (corner[k, 1] - corner[i, 1]) - ay * (corner[k, 0] - corner[i, 0]) > 1e-12


@compiled
def _edge(scratch, i, j, margin, e, row, wanted):
    """The centre of mass over its support: its distance to an edge of the hull, less a margin.

    The edge moves with its ends p and q, and their derivative counts: with a = q − p and
    d = a × (c − p) / |a|, ḋ = (ȧ × (c − p) + a × (ċ − ṗ)) / |a| − d (a·ȧ)/|a|².
    """
    corner, center, jacobian = scratch.corner, scratch.point[3], scratch.rows
    ax, ay = corner[j, 0] - corner[i, 0], corner[j, 1] - corner[i, 1]
    cx, cy = center[0] - corner[i, 0], center[1] - corner[i, 1]
    length = math.sqrt(ax * ax + ay * ay)
    if length < 1e-9:  # all corners lie above one another
        _beyond(e, row, wanted)
        return
    ax, ay = ax / length, ay / length
    distance = ax * cy - ay * cx
    e[0] = distance - margin
    if not wanted:
        return
    mass = scratch.center_rows
    for k in range(row.size):
        dax = (jacobian[6, k] - jacobian[0, k]) / length
        day = (jacobian[7, k] - jacobian[1, k]) / length
        dcx, dcy = mass[0, k] - jacobian[0, k], mass[1, k] - jacobian[1, k]
        row[k] = ax * dcy - ay * dcx + dax * cy - day * cx - distance * (ax * dax + ay * day)


@compiled
def _beyond(e, row, wanted):
    """A row that no edge needs: met by far."""
    e[0] = 1.0
    if wanted:
        for i in range(row.size):
            row[i] = 0.0
