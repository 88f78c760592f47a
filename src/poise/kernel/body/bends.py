"""What second derivatives share: what a motion does to loads, one joint's own pairs, turning axes.

Members of groups pass theirs on to the parameters by their rates.
"""

from poise.kernel.body.tree import BALL, ROTATION, SWING
from poise.kernel.compiling import compiled


@compiled
def swept(T, i, load):
    """Σ ẋ × F over what hangs from a node, while its member i moves that by ẋ = v + ω × x.

    The load's first numbers are the sums of F (3) and of x Fᵀ (9): v × F + (x Fᵀ) ω − (x · F) ω.
    """
    w0, w1, w2, v0, v1, v2 = T[i, 0], T[i, 1], T[i, 2], T[i, 3], T[i, 4], T[i, 5]
    f0, f1, f2, trace = load[0], load[1], load[2], load[3] + load[7] + load[11]
    return (
        v1 * f2 - v2 * f1 + load[3] * w0 + load[4] * w1 + load[5] * w2 - trace * w0,
        v2 * f0 - v0 * f2 + load[6] * w0 + load[7] * w1 + load[8] * w2 - trace * w1,
        v0 * f1 - v1 * f0 + load[9] * w0 + load[10] * w1 + load[11] * w2 - trace * w2,
    )


@compiled
def moment_about(position, node, load):
    """Σ (x − p) × F + T of what hangs from a node, about its origin: of F, x Fᵀ and T (15)."""
    x, y, z = position[node, 0], position[node, 1], position[node, 2]
    return (
        load[8] - load[10] - y * load[2] + z * load[1] + load[12],
        load[9] - load[5] - z * load[0] + x * load[2] + load[13],
        load[4] - load[6] - x * load[1] + y * load[0] + load[14],
    )


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
        members, drives = tree.drive_member, tree.drive_coordinate
        _add_driven(members, drives, state.rate, tree.source.size, first, width, own, scale, out)


@compiled
def _add_driven(members, drives, rate, plain, first, width, own, scale, out):
    """Do it for members that a group drives; the drives of groups come after the plain ones."""
    last = first + width
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
def turn_axes(tree, state, node, m0, m1, m2, own):
    """Add M · ∂ω_c/∂x_d for the members c and d of one ball, c not after d; others have none."""
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
    R = state.rotation[node if reverse else tree.parent[node]]
    u0 = R[0] * m0 + R[3] * m1 + R[6] * m2
    u1 = R[1] * m0 + R[4] * m1 + R[7] * m2
    u2 = R[2] * m0 + R[5] * m1 + R[8] * m2
    if tree.turned[node] and not reverse:
        F = tree.fixed_rotation[node]
        u0, u1, u2 = (
            F[0] * u0 + F[3] * u1 + F[6] * u2,
            F[1] * u0 + F[4] * u1 + F[7] * u2,
            F[2] * u0 + F[5] * u1 + F[8] * u2,
        )
    if reverse:
        u0, u1, u2 = -u0, -u1, -u2
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
                v, w = state.twist[first + d], state.twist[first + c]
                s = m0 * (v[1] * w[2] - v[2] * w[1]) + m1 * (v[2] * w[0] - v[0] * w[2])
                s += m2 * (v[0] * w[1] - v[1] * w[0])
                own[c, d] += s
