"""Second derivatives of what joints hold.

The rows of `Effort`, each times a number, add up to φ = Σ o · M over all joints: an axis o, the sum
of the axes of the joint's components, each times a weight, and the moment M = Σ (x − c) × F + T of
all that hangs from it. (Of a slider it is o · Σ F.) So φ is the work that the forces do in a second
while every joint turns with its o. Let (Ω, ν) be the twist of that motion at a node: the sum of
(o, c × o), of a slider (0, o), over its own joint and those that carry it. The forces' own work has
the second derivatives ω_i · m_j, m_j = Σ (∂x/∂x_j) × F, i nearer to the ground than j (see
`curvature`), and those of φ are how these change in that motion:

    ∂²φ/∂x_i∂x_j = (Ω_i × ω_i) · m_j + ω_i · ṁ_j
    ṁ_j = act(v_j Aᵀ + [ω_j×] X, Ω_j) + act(Z_j, ω_j),    act(Y, ω) = Y ω − tr(Y) ω

with sums over what hangs from j's node, A = Σ F and X = Σ x Fᵀ, and Z = Σ V Fᵀ + Ω Tᵀ, where V and
Ω are how x and its node move more than j's node does.

That is all where o is carried by the joints before it and not turned by its own. The axes of a ball
are turned by its own coordinates, too: p_i = ∂o/∂x_i. With Q = X − c Aᵀ this adds

    ω_a · (act(Q, p_i) + p_i × T)    for a before the ball and its own i
    p_i · m_j                        for its own i and j beyond
    p_i · m_j + p_j · m_i + M · ∂²o/∂x_i∂x_j    for two of its own

and o depends on its own coordinates only through the direction d of the segment, in the frame that
carries the axes: o · M = N · M − (s · N)(s · M)/(1 + a · d) + 2 (a · N)(d · M), s = a + d.

Strengths that depend on an angle α, s = peak cos(width (α − centre)), add for a row r, with its
number p,

    p r width² ∇α ∇αᵀ − p r (s′/s) ∇²α − p (∇r ∇sᵀ + ∇s ∇rᵀ)/s.

That of a ball is α = g(a · d) (n × a) · d, with g(cos θ) = θ/sin θ.
"""

from poise.kernel.body.bends import add_own, moment_about, swept, turn_axes
from poise.kernel.body.tree import WIDTH
from poise.kernel.compiling import compiled
from poise.kernel.residuals.blocks import (
    BENT,
    COMPONENT,
    EFFORT_HEAD,
    LOAD,
    SLIDES,
    SPIN,
    SUM,
    SWINGS,
)
from poise.kernel.residuals.statics import component_axes, sine_ratio, strength_at

OMEGA, NU, BEYOND, OWN, SEGMENT, MIDDLE, SLOPE, BEND = 0, 3, 6, 15, 18, 21, 24, 27
"""Where in the BENT numbers of a node are: the twist (Ω, ν); Z; and of a ball o, d, the h by which
its axes turn with ω − (h · ω) d, and the first and second derivatives of all that depends on d
alone, the second as xx xy xz yy yz zz; of a hinge or a slider the first of these is that by its own
coordinate."""


@compiled
def add_effort(tree, state, v, weight, residual, force, matrix, own, scale, out):
    """Add Σ p ∇²r of all rows of one EFFORT block to the symmetric matrix `out`.

    How the rates of groups change, where these are not linear, is left out, as in `curvature`.

    Args:
        tree: the figure.
        state: its posture, with twists.
        v: the block's numbers, as `effort_residual` has left them at this posture.
        weight: what its rows were multiplied with.
        residual: (c,) its rows r.
        force: (c,) the numbers p.
        matrix: (c, n) the Jacobian of its rows.
        own: (3, 3 or wider) room.
        scale: (n,) the units of the coordinates: S is written in them.
        out: S, to which it is added.
    """
    count, nodes = int(v[1]), tree.parent.size
    pulls = False
    for k in range(count):
        pulls |= force[k] != 0.0
    if not pulls:
        return
    at = EFFORT_HEAD + LOAD * int(v[0]) + COMPONENT * count
    sums = v[at : at + SUM * nodes]
    bent = v[at + (SUM + 1) * nodes : at + (SUM + 1 + BENT) * nodes]
    spin = v[at + (SUM + 1 + BENT) * nodes :]
    for k in range(bent.size):
        bent[k] = 0.0
    _turn_all(tree, state, v, weight, residual, force, matrix, sums, bent, scale, out)
    _cumulate(tree.parent, sums, bent)
    _spin(tree, state, bent, spin)
    for node in range(1, nodes):
        _sweep(tree, state, node, sums, bent, spin, own, scale, out)


@compiled
def _turn_all(tree, state, v, weight, residual, force, matrix, sums, bent, scale, out):
    """Let every joint turn with its components' axes; add what changing strengths do."""
    count, first = int(v[1]), EFFORT_HEAD + LOAD * int(v[0])
    p = state.position
    for k in range(count):
        c = v[first + COMPONENT * k : first + COMPONENT * (k + 1)]
        node, kind, backwards = int(c[0]), int(c[1]), c[2] > 0.0
        a0, a1, a2, d0, d1, d2, n0, n1, n2, u0, u1, u2 = component_axes(tree, state, c, node)
        along = a0 * d0 + a1 * d1 + a2 * d2
        e0, e1, e2 = n1 * a2 - n2 * a1, n2 * a0 - n0 * a2, n0 * a1 - n1 * a0
        t = e0 * d0 + e1 * d1 + e2 * d2
        law = c[12:16] if residual[k] >= 0.0 else c[16:20]
        g, g1, g2, angle = 0.0, 0.0, 0.0, 0.0
        if law[1] != 0.0:
            if kind == SWINGS:
                g, g1, g2 = sine_ratio(along)
                angle = g * t
            else:
                angle = state.member[tree.first[node]]
        strength, slope = strength_at(law, angle)
        w = (weight * v[5] / strength) * (force[k] if backwards else -force[k])
        b = bent[BENT * node : BENT * (node + 1)]
        if kind == SLIDES:
            b[NU] += w * u0
            b[NU + 1] += w * u1
            b[NU + 2] += w * u2
        else:
            x, y, z = p[node, 0], p[node, 1], p[node, 2]
            b[OMEGA] += w * u0
            b[OMEGA + 1] += w * u1
            b[OMEGA + 2] += w * u2
            b[NU] += w * (y * u2 - z * u1)
            b[NU + 1] += w * (z * u0 - x * u2)
            b[NU + 2] += w * (x * u1 - y * u0)
        if kind == SWINGS:
            b[OWN] += w * u0
            b[OWN + 1] += w * u1
            b[OWN + 2] += w * u2
            b[SEGMENT], b[SEGMENT + 1], b[SEGMENT + 2] = d0, d1, d2
            rate = 1.0 / max(1.0 + along, 1e-12)
            b[MIDDLE] = rate * (a0 + d0)
            b[MIDDLE + 1] = rate * (a1 + d1)
            b[MIDDLE + 2] = rate * (a2 + d2)
            m0, m1, m2 = moment_about(p, node, sums[SUM * node : SUM * (node + 1)])
            _bend_axis(b, w, rate, a0, a1, a2, d0, d1, d2, n0, n1, n2, m0, m1, m2)
        if slope == 0.0:
            continue
        share, bend = -force[k] * slope / strength, force[k] * residual[k] * law[1] ** 2
        pull, start = share * residual[k], tree.first[node]
        if kind != SWINGS:
            b[BEND] += bend
            _add_row(tree, state, start, share, matrix[k], scale, out)
            continue
        # ∇α by d is q = g′ t a + g e.
        q0, q1, q2 = g1 * t * a0 + g * e0, g1 * t * a1 + g * e1, g1 * t * a2 + g * e2
        b[SLOPE] += pull * q0
        b[SLOPE + 1] += pull * q1
        b[SLOPE + 2] += pull * q2
        _add_outer(b, bend, q0, q1, q2, q0, q1, q2)
        _add_outer(b, pull * g2 * t, a0, a1, a2, a0, a1, a2)
        _add_outer(b, 2.0 * pull * g1, a0, a1, a2, e0, e1, e2)
        turn = -1.0 if backwards else 1.0
        for i in range(start, start + WIDTH[tree.kind[node]]):
            w0, w1, w2 = state.twist[i, 0], state.twist[i, 1], state.twist[i, 2]
            rise = q0 * (w1 * d2 - w2 * d1) + q1 * (w2 * d0 - w0 * d2) + q2 * (w0 * d1 - w1 * d0)
            _add_row(tree, state, i, share * turn * rise, matrix[k], scale, out)


@compiled
def _bend_axis(b, w, rate, a0, a1, a2, d0, d1, d2, n0, n1, n2, m0, m1, m2):
    """Add the derivatives by d of w u · M, with the u that the swing from a to d makes of n."""
    n0, n1, n2 = w * n0, w * n1, w * n2
    s0, s1, s2 = a0 + d0, a1 + d1, a2 + d2
    lean = (s0 * n0 + s1 * n1 + s2 * n2) * rate
    pull = (s0 * m0 + s1 * m1 + s2 * m2) * rate
    along = 2.0 * (a0 * n0 + a1 * n1 + a2 * n2) - lean
    b[SLOPE] += along * m0 - pull * n0 + lean * pull * a0
    b[SLOPE + 1] += along * m1 - pull * n1 + lean * pull * a1
    b[SLOPE + 2] += along * m2 - pull * n2 + lean * pull * a2
    _add_outer(b, -2.0 * rate, n0, n1, n2, m0, m1, m2)
    _add_outer(b, 2.0 * pull * rate, n0, n1, n2, a0, a1, a2)
    _add_outer(b, 2.0 * lean * rate, m0, m1, m2, a0, a1, a2)
    _add_outer(b, -2.0 * lean * pull * rate, a0, a1, a2, a0, a1, a2)


@compiled
def _add_outer(b, f, x0, x1, x2, y0, y1, y2):
    """Add f/2 (x yᵀ + y xᵀ) to the second derivatives by d."""
    f *= 0.5
    b[BEND] += 2.0 * f * x0 * y0
    b[BEND + 1] += f * (x0 * y1 + x1 * y0)
    b[BEND + 2] += f * (x0 * y2 + x2 * y0)
    b[BEND + 3] += 2.0 * f * x1 * y1
    b[BEND + 4] += f * (x1 * y2 + x2 * y1)
    b[BEND + 5] += 2.0 * f * x2 * y2


@compiled
def _add_row(tree, state, member, value, row, scale, out):
    """Add a value for a member and a row over the coordinates, on both sides."""
    sources, members, drives = tree.source, tree.drive_member, tree.drive_coordinate
    own = sources[member]
    for d in range(sources.size if own < 0 else members.size - 1, members.size):
        rate, i = 1.0, own
        if own < 0:
            if members[d] != member:
                continue
            rate, i = state.rate[d], drives[d]
        rate *= value * scale[i]
        for c in range(row.size):
            s = rate * row[c] * scale[c]
            out[i, c] += s
            out[c, i] += s


@compiled
def _cumulate(parents, sums, bent):
    """Sum Z from the ends of the tree, then the twists (Ω, ν) from the ground."""
    for node in range(parents.size - 1, 0, -1):
        b, s = bent[BENT * node : BENT * (node + 1)], sums[SUM * node : SUM * (node + 1)]
        before = bent[BENT * parents[node] : BENT * (parents[node] + 1)]
        w0, w1, w2, v0, v1, v2 = b[0], b[1], b[2], b[3], b[4], b[5]
        for c in range(3):
            f, x, y, z, t = s[c], s[3 + c], s[6 + c], s[9 + c], s[12 + c]
            before[BEYOND + c] += b[BEYOND + c] + v0 * f + w1 * z - w2 * y + w0 * t
            before[BEYOND + 3 + c] += b[BEYOND + 3 + c] + v1 * f + w2 * x - w0 * z + w1 * t
            before[BEYOND + 6 + c] += b[BEYOND + 6 + c] + v2 * f + w0 * y - w1 * x + w2 * t
    for node in range(1, parents.size):
        for c in range(6):
            bent[BENT * node + c] += bent[BENT * parents[node] + c]


@compiled
def _spin(tree, state, bent, spin):
    """Write Ω × ω + p of all members, and its sums for groups, as of twists."""
    T, at = state.twist, tree.member_node
    before, starts, drives = tree.sum_before, tree.sum_start, tree.sum_drive
    for i in range(at.size):
        node = at[i]
        b = bent[BENT * node : BENT * (node + 1)]
        w0, w1, w2 = T[i, 0], T[i, 1], T[i, 2]
        # What the axes of a ball turn with: backwards their frame turns, and the segment stays.
        lean = b[MIDDLE] * w0 + b[MIDDLE + 1] * w1 + b[MIDDLE + 2] * w2
        z0, z1, z2 = lean * b[SEGMENT], lean * b[SEGMENT + 1], lean * b[SEGMENT + 2]
        if tree.reverse[node] == 0:
            z0, z1, z2 = w0 - z0, w1 - z1, w2 - z2
        o0, o1, o2 = b[OWN], b[OWN + 1], b[OWN + 2]
        p0, p1, p2 = z1 * o2 - z2 * o1, z2 * o0 - z0 * o2, z0 * o1 - z1 * o0
        spin[SPIN * i] = p0 + b[1] * w2 - b[2] * w1
        spin[SPIN * i + 1] = p1 + b[2] * w0 - b[0] * w2
        spin[SPIN * i + 2] = p2 + b[0] * w1 - b[1] * w0
    for s in range(before.size):
        i = at.size + s
        for c in range(SPIN):
            total = spin[SPIN * (at.size + before[s]) + c] if before[s] >= 0 else 0.0
            for e in range(starts[s], starts[s + 1]):
                d = drives[e]
                total += state.rate[d] * spin[SPIN * tree.drive_member[d] + c]
            spin[SPIN * i + c] = total


@compiled
def _sweep(tree, state, node, sums, bent, spin, own, scale, out):
    """Add what the members of one node have with each other and with those before."""
    T, sources, first = state.twist, tree.source, tree.first[node]
    members, drives, before = tree.drive_member, tree.drive_coordinate, tree.parent[node]
    s, b = sums[SUM * node : SUM * (node + 1)], bent[BENT * node : BENT * (node + 1)]
    x, y, z = state.position[node, 0], state.position[node, 1], state.position[node, 2]
    f0, f1, f2, o0, o1, o2 = s[0], s[1], s[2], b[OMEGA], b[OMEGA + 1], b[OMEGA + 2]
    m0, m1, m2 = moment_about(state.position, node, s)
    is_ball = b[MIDDLE] != 0.0 or b[MIDDLE + 1] != 0.0 or b[MIDDLE + 2] != 0.0
    beyond = b[BEYOND] + b[BEYOND + 4] + b[BEYOND + 8]
    centred = s[3] + s[7] + s[11] - x * f0 - y * f1 - z * f2
    # X Ω, the axial vector of X, F · Ω
    x0 = s[3] * o0 + s[4] * o1 + s[5] * o2
    x1 = s[6] * o0 + s[7] * o1 + s[8] * o2
    x2 = s[9] * o0 + s[10] * o1 + s[11] * o2
    a0, a1, a2 = s[8] - s[10], s[9] - s[5], s[4] - s[6]
    fo = f0 * o0 + f1 * o1 + f2 * o2
    width = WIDTH[tree.kind[node]]
    for c in range(3):
        own[c, 0], own[c, 1], own[c, 2] = 0.0, 0.0, 0.0
    for j in range(first, first + width):
        w0, w1, w2, v0, v1, v2 = T[j, 0], T[j, 1], T[j, 2], T[j, 3], T[j, 4], T[j, 5]
        k0, k1, k2 = swept(T, j, s)
        # act(v Fᵀ + [ω×] X, Ω) = v (F · Ω) + ω × X Ω − (v · F + ω · ax(X)) Ω
        lean = v0 * f0 + v1 * f1 + v2 * f2 + w0 * a0 + w1 * a1 + w2 * a2
        n0 = fo * v0 + w1 * x2 - w2 * x1 - lean * o0 - beyond * w0
        n1 = fo * v1 + w2 * x0 - w0 * x2 - lean * o1 - beyond * w1
        n2 = fo * v2 + w0 * x1 - w1 * x0 - lean * o2 - beyond * w2
        n0 += b[BEYOND] * w0 + b[BEYOND + 1] * w1 + b[BEYOND + 2] * w2
        n1 += b[BEYOND + 3] * w0 + b[BEYOND + 4] * w1 + b[BEYOND + 5] * w2
        n2 += b[BEYOND + 6] * w0 + b[BEYOND + 7] * w1 + b[BEYOND + 8] * w2
        c0, c1, c2 = n0, n1, n2
        if is_ball:
            # p · m_i = ω_i · (Qᵀ p − tr(Q) p); and Q p + p × T = Qᵀ p + p × M
            p0, p1, p2 = _turned(b, spin, j, w0, w1, w2)
            reach = x * p0 + y * p1 + z * p2
            n0 += s[3] * p0 + s[6] * p1 + s[9] * p2 - reach * f0 - centred * p0
            n1 += s[4] * p0 + s[7] * p1 + s[10] * p2 - reach * f1 - centred * p1
            n2 += s[5] * p0 + s[8] * p1 + s[11] * p2 - reach * f2 - centred * p2
            c0, c1, c2 = n0 + p1 * m2 - p2 * m1, n1 + p2 * m0 - p0 * m2, n2 + p0 * m1 - p1 * m0
        if sources[j] >= 0:
            _cross(tree, T, spin, before, c0, c1, c2, k0, k1, k2, 1.0, scale, sources[j], out)
        for d in range(sources.size, members.size if sources[j] < 0 else 0):
            if members[d] == j:
                rate = state.rate[d]
                _cross(tree, T, spin, before, c0, c1, c2, k0, k1, k2, rate, scale, drives[d], out)
        for i in range(first, j + 1):
            value = T[i, 0] * n0 + T[i, 1] * n1 + T[i, 2] * n2
            value += spin[SPIN * i] * k0 + spin[SPIN * i + 1] * k1 + spin[SPIN * i + 2] * k2
            if is_ball:
                value += _own_pair(b, tree.reverse[node] == 1, T, spin, i, j, m0, m1, m2)
            own[i - first, j - first] = value
    # How the axes ω turn: with ax(Z) + Qᵀ Ω − tr(Q) Ω, and what o does.
    reach = x * o0 + y * o1 + z * o2
    t0 = s[3] * o0 + s[6] * o1 + s[9] * o2 - reach * f0 - centred * o0
    t1 = s[4] * o0 + s[7] * o1 + s[10] * o2 - reach * f1 - centred * o1
    t2 = s[5] * o0 + s[8] * o1 + s[11] * o2 - reach * f2 - centred * o2
    t0, t1, t2 = (
        t0 + b[BEYOND + 5] - b[BEYOND + 7],
        t1 + b[BEYOND + 6] - b[BEYOND + 2],
        t2 + b[BEYOND + 1] - b[BEYOND + 3],
    )
    if is_ball:
        d0, d1, d2 = b[SEGMENT], b[SEGMENT + 1], b[SEGMENT + 2]
        h0, h1, h2 = b[SLOPE], b[SLOPE + 1], b[SLOPE + 2]
        g0, g1, g2 = d1 * h2 - d2 * h1, d2 * h0 - d0 * h2, d0 * h1 - d1 * h0
        if tree.reverse[node] == 1:
            o0, o1, o2 = b[OWN], b[OWN + 1], b[OWN + 2]
            g0, g1, g2 = o1 * m2 - o2 * m1 - g0, o2 * m0 - o0 * m2 - g1, o0 * m1 - o1 * m0 - g2
        t0, t1, t2 = t0 + g0, t1 + g1, t2 + g2
    elif width == 1:
        own[0, 0] += b[BEND]
    turn_axes(tree, state, node, t0, t1, t2, own)
    add_own(tree, state, first, width, own, scale, out)


@compiled
def _cross(tree, T, spin, before, n0, n1, n2, m0, m1, m2, rate, scale, i, out):
    """Add ω · n + (Ω × ω + p) · m for coordinate i and all that move the node before it."""
    twists, coordinates = tree.column_twist, tree.column_coordinate
    own, row = rate * scale[i], out[i]
    for e in range(tree.column_start[before], tree.column_start[before + 1]):
        t, c = twists[e], coordinates[e]
        s = T[t, 0] * n0 + T[t, 1] * n1 + T[t, 2] * n2
        s += spin[SPIN * t] * m0 + spin[SPIN * t + 1] * m1 + spin[SPIN * t + 2] * m2
        s *= own * scale[c]
        row[c] += s
        out[c, i] += s


@compiled
def _own_pair(b, backwards, T, spin, i, j, m0, m1, m2):
    """What two members of one ball have besides: M · ∂²o/∂x_i∂x_j but for how their axes turn."""
    d0, d1, d2 = b[SEGMENT], b[SEGMENT + 1], b[SEGMENT + 2]
    v0, v1, v2, w0, w1, w2 = T[i, 0], T[i, 1], T[i, 2], T[j, 0], T[j, 1], T[j, 2]
    x0, x1, x2 = v1 * d2 - v2 * d1, v2 * d0 - v0 * d2, v0 * d1 - v1 * d0
    y0, y1, y2 = w1 * d2 - w2 * d1, w2 * d0 - w0 * d2, w0 * d1 - w1 * d0
    value = x0 * (b[BEND] * y0 + b[BEND + 1] * y1 + b[BEND + 2] * y2)
    value += x1 * (b[BEND + 1] * y0 + b[BEND + 3] * y1 + b[BEND + 4] * y2)
    value += x2 * (b[BEND + 2] * y0 + b[BEND + 4] * y1 + b[BEND + 5] * y2)
    h0, h1, h2 = b[SLOPE], b[SLOPE + 1], b[SLOPE + 2]
    if not backwards:  # ω_i × (ω_j × d)
        value += h0 * (v1 * y2 - v2 * y1) + h1 * (v2 * y0 - v0 * y2) + h2 * (v0 * y1 - v1 * y0)
        return value
    # Seen from the frame that turns, d turns by −ω: ω_j × (ω_i × d).
    value += h0 * (w1 * x2 - w2 * x1) + h1 * (w2 * x0 - w0 * x2) + h2 * (w0 * x1 - w1 * x0)
    # M · (ω_i × p_j + ω_j × p_i − ω_j × (ω_i × o)), p = spin − Ω × ω
    q0, q1, q2 = _turned(b, spin, j, w0, w1, w2)
    value += m0 * (v1 * q2 - v2 * q1) + m1 * (v2 * q0 - v0 * q2) + m2 * (v0 * q1 - v1 * q0)
    q0, q1, q2 = _turned(b, spin, i, v0, v1, v2)
    o0, o1, o2 = b[OWN], b[OWN + 1], b[OWN + 2]
    q0, q1, q2 = q0 - v1 * o2 + v2 * o1, q1 - v2 * o0 + v0 * o2, q2 - v0 * o1 + v1 * o0
    value += m0 * (w1 * q2 - w2 * q1) + m1 * (w2 * q0 - w0 * q2) + m2 * (w0 * q1 - w1 * q0)
    return value


@compiled
def _turned(b, spin, i, w0, w1, w2):
    """How the own axis of a ball turns with one of its own members: p."""
    o0, o1, o2 = b[OMEGA], b[OMEGA + 1], b[OMEGA + 2]
    return (
        spin[SPIN * i] - o1 * w2 + o2 * w1,
        spin[SPIN * i + 1] - o2 * w0 + o0 * w2,
        spin[SPIN * i + 2] - o0 * w1 + o1 * w0,
    )
