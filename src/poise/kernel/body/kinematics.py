"""Where everything is, and how it moves: placements, twists, Jacobians.

Run `place` first, then `differentiate`, then ask for the rows that are wanted. All of
them work in place on a `State`. Angles are radians, lengths metres, axes the world's.

The swing-twist chart is `R = S(sx, sy) · Rz(τ)` with `S = exp([sx, sy, 0])`. Written with
θ = |s| and

    k = sin θ / θ,   a = (1 − cos θ) / θ²,   b = (θ − sin θ) / θ³

its angular velocity, seen from the fixed side, is `Jl(s) ṡ + S ẑ τ̇`, where Jl is the left
Jacobian of the exponential map: Jl = I + a [s×] + b [s×]². Seen from the moving side the
signs of a and of [s×] change, and all is turned by Rz(−τ).

Arrays are taken out of the tuples once, at the head of a function, and are indexed by element.
"""

import numpy as np

from poise.kernel.arrays import Floats, Floats2
from poise.kernel.body.tree import BALL, HINGE, ROTATION, SLIDER, SWING, TRANSLATION, State, Tree
from poise.kernel.body.trigonometry import sines
from poise.kernel.compiling import compiled, entry

# Below this θ² the coefficient b is taken from its series; what that leaves out is below 1e-18.
_SMALL = 1e-3


@compiled
def expand(tree, q, state):
    """Members and their rates from the coordinates: x = f(q), ∂x/∂q."""
    _expand(
        tree.source,
        tree.term_member,
        tree.term_value,
        tree.factor_start,
        tree.factor_coordinate,
        tree.factor_power,
        tree.factor_drive,
        q,
        state.coordinate,
        state.member,
        state.rate,
    )


@compiled
def _expand(source, members, values, starts, coordinates, powers, drives, q, own, member, rate):
    for i in range(own.size):
        own[i] = q[i]
    for i in range(source.size):
        c = source[i]
        member[i] = q[c] if c >= 0 else 0.0
    for d in range(source.size, rate.size):
        rate[d] = 0.0
    for t in range(members.size):
        value = values[t]
        for f in range(starts[t], starts[t + 1]):
            x, power = q[coordinates[f]], powers[f]
            slope = values[t] * power * x ** (power - 1)
            for g in range(starts[t], starts[t + 1]):
                if g != f:
                    slope *= q[coordinates[g]] ** powers[g]
            rate[drives[f]] += slope
            value *= x**power
        member[members[t]] += value


@entry
def place(tree: Tree, q: Floats, state: State) -> None:
    """Placements of all nodes from the coordinates."""
    source, starts, drives = tree.source, tree.factor_start, tree.factor_drive
    members, values = tree.term_member, tree.term_value
    coordinates, powers = tree.factor_coordinate, tree.factor_power
    kinds, firsts, parents, reverse = tree.kind, tree.first, tree.parent, tree.reverse
    turned, F, d = tree.turned, tree.fixed_rotation, tree.fixed_position
    own, member, rate = state.coordinate, state.member, state.rate
    angle, sine, cosine = state.angle, state.sine, state.cosine
    R, p = state.rotation, state.position
    _expand(source, members, values, starts, coordinates, powers, drives, q, own, member, rate)
    _angles(kinds, firsts, member, angle)
    sines(angle, sine, cosine)
    for j in range(1, kinds.size):
        kind, i, k = kinds[j], firsts[j], parents[j]
        sign = -1.0 if reverse[j] else 1.0
        # The node's frame before it moves: columns x, y, z.
        x0, y0, z0 = R[k, 0], R[k, 1], R[k, 2]
        x1, y1, z1 = R[k, 3], R[k, 4], R[k, 5]
        x2, y2, z2 = R[k, 6], R[k, 7], R[k, 8]
        p0 = p[k, 0] + x0 * d[j, 0] + y0 * d[j, 1] + z0 * d[j, 2]
        p1 = p[k, 1] + x1 * d[j, 0] + y1 * d[j, 1] + z1 * d[j, 2]
        p2 = p[k, 2] + x2 * d[j, 0] + y2 * d[j, 1] + z2 * d[j, 2]
        if turned[j]:
            f00, f01, f02 = F[j, 0], F[j, 1], F[j, 2]
            f10, f11, f12 = F[j, 3], F[j, 4], F[j, 5]
            f20, f21, f22 = F[j, 6], F[j, 7], F[j, 8]
            x0, y0, z0 = _times(x0, y0, z0, f00, f01, f02, f10, f11, f12, f20, f21, f22)
            x1, y1, z1 = _times(x1, y1, z1, f00, f01, f02, f10, f11, f12, f20, f21, f22)
            x2, y2, z2 = _times(x2, y2, z2, f00, f01, f02, f10, f11, f12, f20, f21, f22)
        if kind == HINGE:
            s, c = sign * sine[i], cosine[i]
            x0, y0 = x0 * c + y0 * s, y0 * c - x0 * s
            x1, y1 = x1 * c + y1 * s, y1 * c - x1 * s
            x2, y2 = x2 * c + y2 * s, y2 * c - x2 * s
        elif kind == SLIDER:
            u = sign * member[i]
            p0, p1, p2 = p0 + z0 * u, p1 + z1 * u, p2 + z2 * u
        elif kind == TRANSLATION:
            u, v, w = sign * member[i], sign * member[i + 1], sign * member[i + 2]
            p0 += x0 * u + y0 * v + z0 * w
            p1 += x1 * u + y1 * v + z1 * w
            p2 += x2 * u + y2 * v + z2 * w
        else:
            # Rotation by a vector in the plane (swing) or in space, as a quaternion.
            h = sine[i] / angle[i] if angle[i] > 1e-150 else 1.0  # sin(θ/2) / (θ/2)
            h *= 0.5
            w, u, v = cosine[i], h * member[i], h * member[i + 1]
            t = h * member[i + 2] if kind == ROTATION else 0.0
            m00, m11, m22 = v * v + t * t, u * u + t * t, u * u + v * v
            m00, m11, m22 = 1.0 - 2.0 * m00, 1.0 - 2.0 * m11, 1.0 - 2.0 * m22
            m01, m10 = 2.0 * (u * v - w * t), 2.0 * (u * v + w * t)
            m02, m20 = 2.0 * (u * t + w * v), 2.0 * (u * t - w * v)
            m12, m21 = 2.0 * (v * t - w * u), 2.0 * (v * t + w * u)
            if kind == BALL:
                s, c = sine[i + 2], cosine[i + 2]
                m00, m01 = m00 * c + m01 * s, m01 * c - m00 * s
                m10, m11 = m10 * c + m11 * s, m11 * c - m10 * s
                m20, m21 = m20 * c + m21 * s, m21 * c - m20 * s
            if sign < 0.0:
                m01, m10, m02, m20, m12, m21 = m10, m01, m20, m02, m21, m12
            x0, y0, z0 = _times(x0, y0, z0, m00, m01, m02, m10, m11, m12, m20, m21, m22)
            x1, y1, z1 = _times(x1, y1, z1, m00, m01, m02, m10, m11, m12, m20, m21, m22)
            x2, y2, z2 = _times(x2, y2, z2, m00, m01, m02, m10, m11, m12, m20, m21, m22)
        R[j, 0], R[j, 1], R[j, 2] = x0, y0, z0
        R[j, 3], R[j, 4], R[j, 5] = x1, y1, z1
        R[j, 6], R[j, 7], R[j, 8] = x2, y2, z2
        p[j, 0], p[j, 1], p[j, 2] = p0, p1, p2


@compiled
def _angles(kinds, firsts, member, angle):
    """The angles whose sines are wanted: of hinges and twists, and half those of rotations."""
    for j in range(1, kinds.size):
        kind, i = kinds[j], firsts[j]
        if kind == HINGE:
            angle[i] = member[i]
        elif kind == BALL or kind == SWING:
            angle[i] = 0.5 * np.sqrt(member[i] ** 2 + member[i + 1] ** 2)
            if kind == BALL:
                angle[i + 2] = member[i + 2]
        elif kind == ROTATION:
            angle[i] = 0.5 * np.sqrt(member[i] ** 2 + member[i + 1] ** 2 + member[i + 2] ** 2)


@compiled
def _times(x, y, z, m00, m01, m02, m10, m11, m12, m20, m21, m22):
    """A row times a matrix."""
    return (
        x * m00 + y * m10 + z * m20,
        x * m01 + y * m11 + z * m21,
        x * m02 + y * m12 + z * m22,
    )


@entry
def differentiate(tree: Tree, state: State) -> None:
    """Twists of all members, and the sums of the groups, from the placements."""
    kinds, firsts, reverse = tree.kind, tree.first, tree.reverse
    member, sine, cosine = state.member, state.sine, state.cosine
    R, p, T = state.rotation, state.position, state.twist
    for j in range(1, kinds.size):
        kind, i = kinds[j], firsts[j]
        sign = -1.0 if reverse[j] else 1.0
        if kind == HINGE:
            _turn(R, p, j, 0.0, 0.0, sign, T, i)
        elif kind == SLIDER:
            _shift(R, j, 2, sign, T, i)
        elif kind == TRANSLATION:
            _shift(R, j, 0, sign, T, i)
            _shift(R, j, 1, sign, T, i + 1)
            _shift(R, j, 2, sign, T, i + 2)
        elif kind == ROTATION:
            x, y, z = member[i], member[i + 1], member[i + 2]
            a, b, _ = _coefficients(x * x + y * y + z * z, sine[i], cosine[i])
            # Columns of the Jacobian seen from the moving side: I − a[r×] + b[r×]². Of an
            # inverted joint that side is the old fixed one: −(I + a[r×] + b[r×]²).
            b *= sign
            xx = sign - b * (y * y + z * z)
            yy = sign - b * (x * x + z * z)
            zz = sign - b * (x * x + y * y)
            _turn(R, p, j, xx, b * x * y - a * z, b * x * z + a * y, T, i)
            _turn(R, p, j, b * x * y + a * z, yy, b * y * z - a * x, T, i + 1)
            _turn(R, p, j, b * x * z - a * y, b * y * z + a * x, zz, T, i + 2)
        elif kind == SWING or kind == BALL:
            x, y = member[i], member[i + 1]
            a, b, k = _coefficients(x * x + y * y, sine[i], cosine[i])
            xx, xy, yy = 1.0 - b * y * y, b * x * y, 1.0 - b * x * x
            if sign < 0.0:
                _turn(R, p, j, -xx, -xy, a * y, T, i)
                _turn(R, p, j, -xy, -yy, -a * x, T, i + 1)
                if kind == BALL:
                    level = 2.0 * cosine[i] * cosine[i] - 1.0
                    _turn(R, p, j, -k * y, k * x, -level, T, i + 2)
            elif kind == SWING:
                _turn(R, p, j, xx, xy, a * y, T, i)
                _turn(R, p, j, xy, yy, -a * x, T, i + 1)
            else:
                s, c = sine[i + 2], cosine[i + 2]
                _turn(R, p, j, c * xx + s * xy, c * xy - s * xx, a * y, T, i)
                _turn(R, p, j, c * xy + s * yy, c * yy - s * xy, -a * x, T, i + 1)
                _turn(R, p, j, 0.0, 0.0, 1.0, T, i + 2)
    _sum_twists(tree.sum_before, tree.sum_start, tree.sum_drive, tree.drive_member, state.rate, T)


@compiled
def _sum_twists(before, start, drives, members, rate, T):
    """What a group's parameter does to a node: the sum over its members on the way there."""
    first = T.shape[0] - before.size
    for s in range(before.size):
        for c in range(6):
            T[first + s, c] = T[first + before[s], c] if before[s] >= 0 else 0.0
        for e in range(start[s], start[s + 1]):
            d = drives[e]
            for c in range(6):
                T[first + s, c] += rate[d] * T[members[d], c]


@compiled
def _coefficients(square, sine, cosine):
    """The a, b, k of the module's head from θ² and the sine and cosine of θ/2."""
    if square < _SMALL:
        a = 0.5 - square * (1.0 / 24.0 - square * (1.0 / 720.0 - square / 40320.0))
        b = 1.0 / 6.0 - square * (1.0 / 120.0 - square * (1.0 / 5040.0 - square / 362880.0))
        return a, b, 1.0 - square * b
    k = 2.0 * sine * cosine / np.sqrt(square)
    return 2.0 * sine * sine / square, (1.0 - k) / square, k


@compiled
def _turn(R, p, j, x, y, z, T, i):
    """Write the twist of turning about an axis given in a node's frame, through its origin."""
    w0 = R[j, 0] * x + R[j, 1] * y + R[j, 2] * z
    w1 = R[j, 3] * x + R[j, 4] * y + R[j, 5] * z
    w2 = R[j, 6] * x + R[j, 7] * y + R[j, 8] * z
    T[i, 0], T[i, 1], T[i, 2] = w0, w1, w2
    T[i, 3] = p[j, 1] * w2 - p[j, 2] * w1
    T[i, 4] = p[j, 2] * w0 - p[j, 0] * w2
    T[i, 5] = p[j, 0] * w1 - p[j, 1] * w0


@compiled
def _shift(R, j, axis, sign, T, i):
    """Write the twist of moving along one axis of a node's frame."""
    T[i, 0], T[i, 1], T[i, 2] = 0.0, 0.0, 0.0
    T[i, 3], T[i, 4], T[i, 5] = sign * R[j, axis], sign * R[j, 3 + axis], sign * R[j, 6 + axis]


@entry
def locate(state: State, node: int, local: Floats, point: Floats) -> None:
    """A point given in a node's frame, in the world."""
    R, p = state.rotation[node], state.position[node]
    for r in range(3):
        point[r] = p[r] + R[3 * r] * local[0] + R[3 * r + 1] * local[1] + R[3 * r + 2] * local[2]


@entry
def point_rows(tree: Tree, state: State, node: int, point: Floats, rows: Floats2) -> None:
    """Add the Jacobian of a world point that rides on a node to three rows of length n."""
    start, stop = tree.column_start[node], tree.column_start[node + 1]
    coordinates, twists = tree.column_coordinate[start:stop], tree.column_twist[start:stop]
    T, x, y, z = state.twist, point[0], point[1], point[2]
    for e in range(coordinates.size):
        c, t = coordinates[e], twists[e]
        rows[0, c] += T[t, 3] + T[t, 1] * z - T[t, 2] * y
        rows[1, c] += T[t, 4] + T[t, 2] * x - T[t, 0] * z
        rows[2, c] += T[t, 5] + T[t, 0] * y - T[t, 1] * x


@entry
def turn_rows(tree: Tree, state: State, node: int, rows: Floats2) -> None:
    """Add the Jacobian of a node's angular velocity to three rows of length n."""
    start, stop = tree.column_start[node], tree.column_start[node + 1]
    coordinates, twists = tree.column_coordinate[start:stop], tree.column_twist[start:stop]
    T = state.twist
    for e in range(coordinates.size):
        c, t = coordinates[e], twists[e]
        rows[0, c] += T[t, 0]
        rows[1, c] += T[t, 1]
        rows[2, c] += T[t, 2]


@compiled
def add_speed_row(tree, state, node, point, along, row):
    """Add how fast a world point that rides on a node goes along a vector to a row of length n."""
    start, stop = tree.column_start[node], tree.column_start[node + 1]
    coordinates, twists = tree.column_coordinate[start:stop], tree.column_twist[start:stop]
    T, (x, y, z), (a, b, c) = state.twist, point, along
    # n · (v + ω × p) = n · v + ω · (p × n)
    u, v, w = y * c - z * b, z * a - x * c, x * b - y * a
    for e in range(coordinates.size):
        t = twists[e]
        row[coordinates[e]] += (
            a * T[t, 3] + b * T[t, 4] + c * T[t, 5] + u * T[t, 0] + v * T[t, 1] + w * T[t, 2]
        )
