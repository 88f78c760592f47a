"""What second derivatives share: what a motion does to loads, one joint's own pairs, turning axes.

Members of groups pass theirs on to the parameters by their rates.
"""

from poise.kernel.body.tree import BALL, ROTATION, SWING
from poise.kernel.body.vectors import add, cross, dot, plus, three, times, turned_back
from poise.kernel.compiling import compiled

FORCE, SPREAD, TORQUE, SUMS = 0, 3, 12, 15
"""Where in the sums of what hangs from a node are those of F (3), of x Fᵀ (9, by rows) and of the
torques T (3); and how many numbers they are."""


@compiled
def hang(load, weight, x, force):
    """Add a force times a weight, at a point x of the world, to the sums of a node."""
    f = times(weight, force)
    add(load, FORCE, f)
    for r in range(3):
        add(load, SPREAD + 3 * r, times(x[r], f))


@compiled
def hang_axis(load, weight, axis, force):
    """Add what pulls at an axis of a node, which is a point without a force on the whole."""
    for r in range(3):
        add(load, SPREAD + 3 * r, times(weight * axis[r], force))


@compiled
def swept(T, i, load):
    """Σ ẋ × F over what hangs from a node, while its member i moves that by ẋ = v + ω × x.

    It is v × F + (x Fᵀ) ω − (x · F) ω.
    """
    w0, w1, w2, v0, v1, v2 = T[i, 0], T[i, 1], T[i, 2], T[i, 3], T[i, 4], T[i, 5]
    f0, f1, f2 = three(load, FORCE)
    X = load[SPREAD:TORQUE]
    trace = X[0] + X[4] + X[8]
    return (
        v1 * f2 - v2 * f1 + X[0] * w0 + X[1] * w1 + X[2] * w2 - trace * w0,
        v2 * f0 - v0 * f2 + X[3] * w0 + X[4] * w1 + X[5] * w2 - trace * w1,
        v0 * f1 - v1 * f0 + X[6] * w0 + X[7] * w1 + X[8] * w2 - trace * w2,
    )


@compiled
def axial(X):
    """The vector x × F of a matrix x Fᵀ, nine numbers by rows."""
    return X[5] - X[7], X[6] - X[2], X[1] - X[3]


@compiled
def moment_about(position, node, load):
    """Σ (x − p) × F + T of what hangs from a node, about its origin."""
    x, y, z = position[node, 0], position[node, 1], position[node, 2]
    f0, f1, f2 = three(load, FORCE)
    m0, m1, m2 = axial(load[SPREAD:TORQUE])
    return (
        m0 - y * f2 + z * f1 + load[TORQUE],
        m1 - z * f0 + x * f2 + load[TORQUE + 1],
        m2 - x * f1 + y * f0 + load[TORQUE + 2],
    )


@compiled
def add_form(tree, node, rows, alpha, d, h, scale, out):
    """Add x_i · (α + d hᵀ + h dᵀ) x_j to `out`; x_i is column i of three rows, times its unit.

    Only the coordinates that move the node count, each of which does so once. The rows are left
    multiplied by the units.
    """
    columns = tree.column_coordinate[tree.column_start[node] : tree.column_start[node + 1]]
    for i in range(columns.size):
        c = columns[i]
        a = scale[c] * rows[0, c], scale[c] * rows[1, c], scale[c] * rows[2, c]
        rows[0, c], rows[1, c], rows[2, c] = a
        p = plus(plus(times(alpha, a), times(dot(h, a), d)), times(dot(d, a), h))
        for j in range(i):
            o = columns[j]
            s = rows[0, o] * p[0] + rows[1, o] * p[1] + rows[2, o] * p[2]
            out[c, o] += s
            out[o, c] += s
        out[c, c] += dot(a, p)


@compiled
def add_own(tree, state, first, width, own, scale, out):
    """Add what the members of one node have with each other to `out`, on both sides.

    Args:
        tree: the figure.
        state: its posture.
        first: the node's first member.
        width: how many it has.
        own: (3, 3 or wider) a value for each pair, the first not after the second.
        scale: (n,) the units of the coordinates.
        out: the matrix to which they are added.
    """
    for c in range(width):
        own[c, c] *= 0.5  # is added twice
    if tree.source[first] >= 0:
        for c in range(width):
            i = tree.source[first + c]
            for d in range(c, width):
                j = tree.source[first + d]
                s = own[c, d] * scale[i] * scale[j]
                out[i, j] += s
                out[j, i] += s
    else:
        _add_driven(tree, state, first, width, own, scale, out)


@compiled
def _add_driven(tree, state, first, width, own, scale, out):
    """Do it for members that a group drives; the drives of groups come after the plain ones."""
    members, drives, rate = tree.drive_member, tree.drive_coordinate, state.rate
    last, plain = first + width, tree.source.size
    # Those of one node are few among all, and near each other.
    start, stop = members.size, plain
    for d in range(plain, members.size):
        if first <= members[d] < last:
            start, stop = min(start, d), d + 1
    for d in range(start, stop):
        if first <= members[d] < last:
            i, a = drives[d], members[d] - first
            own_rate = rate[d] * scale[i]
            for e in range(start, stop):
                if members[d] <= members[e] < last:
                    j = drives[e]
                    s = own_rate * rate[e] * own[a, members[e] - first] * scale[j]
                    out[i, j] += s
                    out[j, i] += s


@compiled
def turn_axes(tree, state, node, moment, own):
    """Add M · ∂ω_c/∂x_d for the members c and d of one ball, c not after d; others have none.

    Args:
        tree: the figure.
        state: its posture, with twists.
        node: the joint's.
        moment: M, about the joint's centre.
        own: (3, 3 or wider) to which they are added.
    """
    kind, first = tree.kind[node], tree.first[node]
    if kind != SWING and kind != BALL and kind != ROTATION:
        return
    x, y = state.member[first], state.member[first + 1]
    z = state.member[first + 2] if kind == ROTATION else 0.0
    square = x * x + y * y + z * z
    if square < 1e-2:
        a = 0.5 - square * (1.0 / 24.0 - square / 720.0)
        b = 1.0 / 6.0 - square * (1.0 / 120.0 - square / 5040.0)
        da = -1.0 / 24.0 + square * (1.0 / 360.0 - square / 13440.0)
        db = -1.0 / 120.0 + square * (1.0 / 2520.0 - square / 120960.0)
    else:
        # a = (1 − cos θ)/θ², b = (θ − sin θ)/θ³ and their derivatives by θ².
        theta, half = 2.0 * state.angle[first], state.sine[first]
        sine, cosine = 2.0 * half * state.cosine[first], 1.0 - 2.0 * half * half
        a, b = (1.0 - cosine) / square, (theta - sine) / (theta * square)
        da = (0.5 * sine / theta - a) / square
        db = (0.5 * (1.0 - cosine) / square - 1.5 * b) / square
    # The moment in the frame that E is seen from: the fixed side, or of an inverted joint, whose
    # ω = −R E, the moving one.
    reverse = tree.reverse[node] == 1
    u = turned_back(state.rotation[node if reverse else tree.parent[node]], moment)
    if tree.turned[node] and not reverse:
        u = turned_back(tree.fixed_rotation[node], u)
    u0, u1, u2 = times(-1.0, u) if reverse else u
    # ∂E_c/∂x_d · u = a (e_d × e_c) · u + b (u_d r_c + δ_cd r · u) + r_d g_c, of
    # E_c = e_c + a r × e_c + b (r (r · e_c) − θ² e_c)
    along = x * u0 + y * u1 + z * u2
    g0 = 2.0 * (da * (z * u1 - y * u2) + db * (x * along - square * u0) - b * u0)
    g1 = 2.0 * (da * (x * u2 - z * u0) + db * (y * along - square * u1) - b * u1)
    own[0, 0] += b * (u0 * x + along) + x * g0
    own[0, 1] += b * u1 * x + y * g0 - a * u2
    own[1, 1] += b * (u1 * y + along) + y * g1
    if kind == ROTATION:
        g2 = 2.0 * (da * (y * u0 - x * u1) + db * (z * along - square * u2) - b * u2)
        own[0, 2] += b * u2 * x + z * g0 + a * u1
        own[1, 2] += b * u2 * y + z * g1 - a * u0
        own[2, 2] += b * (u2 * z + along) + z * g2
    if reverse:  # R moves too: M · (ω_d × ω_c)
        for c in range(3 if kind != SWING else 2):
            for d in range(c + 1, 3 if kind != SWING else 2):
                own[c, d] += dot(moment, cross(state.twist[first + d], state.twist[first + c]))
