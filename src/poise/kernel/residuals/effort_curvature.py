"""Second derivatives of what joints hold.

The rows of `effort`, each times a number, add up to φ = Σ o · M over all joints: an axis o, the sum
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

from poise.kernel.body.bends import (
    FORCE,
    SPREAD,
    SUMS,
    TORQUE,
    add_own,
    axial,
    moment_about,
    swept,
    turn_axes,
)
from poise.kernel.body.tree import WIDTH
from poise.kernel.body.vectors import (
    add,
    cross,
    dot,
    minus,
    minus_cross,
    plus,
    plus_cross,
    three,
    times,
    turned,
    turned_back,
)
from poise.kernel.compiling import compiled
from poise.kernel.residuals import effort
from poise.kernel.residuals.effort import BENT, COMPONENT, SPIN

OMEGA, NU, BEYOND, OWN, SEGMENT, MIDDLE, SLOPE, BEND = 0, 3, 6, 15, 18, 21, 24, 27
"""Where in the BENT numbers of a node are: the twist (Ω, ν); Z; and of a ball o, d, the h by which
its axes turn with ω − (h · ω) d, and the first and second derivatives of all that depends on d
alone, the second as xx xy xz yy yz zz; of a hinge or a slider the first of these is that by its own
coordinate."""


@compiled
def add_curvature(tree, state, scratch, v, terms, scale, out):
    """Add Σ p ∇²r of all rows to the symmetric matrix `out`.

    How the rates of groups change, where these are not linear, is left out, as in `curvature`.

    Args:
        tree: the figure.
        state: its posture, with twists.
        scratch: room for one joint's own pairs.
        v: the block's numbers, as `effort.residual` has left them at this posture.
        terms: its rows r and their Jacobian, and the numbers p.
        scale: (n,) the units of the coordinates: S is written in them.
        out: S, to which it is added.
    """
    nodes, at = tree.parent.size, effort.room_of(v)
    pulls = False
    for k in range(terms.force.size):
        pulls |= terms.force[k] != 0.0
    if not pulls:
        return
    sums = v[at : at + SUMS * nodes]
    bent = v[at + (SUMS + 1) * nodes : at + (SUMS + 1 + BENT) * nodes]
    spin = v[at + (SUMS + 1 + BENT) * nodes :]
    for k in range(bent.size):
        bent[k] = 0.0
    _turn_all(tree, state, v, terms, sums, bent, scale, out)
    _cumulate(tree.parent, sums, bent)
    _spin(tree, state, bent, spin)
    for node in range(1, nodes):
        _sweep(tree, state, node, sums, bent, spin, scratch.own, scale, out)


@compiled
def _turn_all(tree, state, v, terms, sums, bent, scale, out):
    """Let every joint turn with its components' axes; add what changing strengths do."""
    residual, force, factor = terms.residual, terms.force, terms.weight * v[effort.FACTOR]
    first = effort.room_of(v) - COMPONENT * force.size
    for k in range(force.size):
        c = v[first + COMPONENT * k : first + COMPONENT * (k + 1)]
        node, kind = int(c[effort.NODE]), int(c[effort.AXIS_KIND])
        backwards = c[effort.BACKWARDS] > 0.0
        a, d, n, u = effort.component_axes(tree, state, c, node)
        along, e = dot(a, d), cross(n, a)
        t = dot(e, d)
        positive, negative = c[effort.POSITIVE : effort.NEGATIVE], c[effort.NEGATIVE : effort.ROOM]
        law = positive if residual[k] >= 0.0 else negative
        g, g1, g2, angle = 0.0, 0.0, 0.0, 0.0
        if law[effort.FALL] != 0.0:
            if kind == effort.SWINGS:
                g, g1, g2 = effort.sine_ratio(along)
                angle = g * t
            else:
                angle = state.member[tree.first[node]]
        strength, slope = effort.strength_at(law, angle)
        w = (factor / strength) * (force[k] if backwards else -force[k])
        b, p = bent[BENT * node : BENT * (node + 1)], state.position[node]
        if kind == effort.SLIDES:
            add(b, NU, times(w, u))
        else:
            add(b, OMEGA, times(w, u))
            add(b, NU, times(w, cross(p, u)))
        if kind == effort.SWINGS:
            add(b, OWN, times(w, u))
            rate = 1.0 / max(1.0 + along, effort.OPEN)
            b[SEGMENT], b[SEGMENT + 1], b[SEGMENT + 2] = d
            b[MIDDLE], b[MIDDLE + 1], b[MIDDLE + 2] = times(rate, plus(a, d))
            m = moment_about(state.position, node, sums[SUMS * node : SUMS * (node + 1)])
            _bend_axis(b, rate, a, d, times(w, n), m)
        if slope == 0.0:
            continue
        share = -force[k] * slope / strength
        bend = force[k] * residual[k] * law[effort.FALL] ** 2
        pull, start = share * residual[k], tree.first[node]
        if kind != effort.SWINGS:
            b[BEND] += bend
            _add_row(tree, state, start, share, terms.matrix[k], scale, out)
            continue
        # ∇α by d is q = g′ t a + g e.
        q = plus(times(g1 * t, a), times(g, e))
        add(b, SLOPE, times(pull, q))
        _add_outer(b, bend, q, q)
        _add_outer(b, pull * g2 * t, a, a)
        _add_outer(b, 2.0 * pull * g1, a, e)
        turn = -1.0 if backwards else 1.0
        for i in range(start, start + WIDTH[tree.kind[node]]):
            rise = dot(q, cross(state.twist[i], d))
            _add_row(tree, state, i, share * turn * rise, terms.matrix[k], scale, out)


@compiled
def _bend_axis(b, rate, a, d, n, m):
    """Add the derivatives by d of u · M, with the u that the swing from a to d makes of n."""
    s = plus(a, d)
    lean, pull = dot(s, n) * rate, dot(s, m) * rate
    along = 2.0 * dot(a, n) - lean
    add(b, SLOPE, plus(minus(times(along, m), times(pull, n)), times(lean * pull, a)))
    _add_outer(b, -2.0 * rate, n, m)
    _add_outer(b, 2.0 * pull * rate, n, a)
    _add_outer(b, 2.0 * lean * rate, m, a)
    _add_outer(b, -2.0 * lean * pull * rate, a, a)


@compiled
def _add_outer(b, f, x, y):
    """Add f/2 (x yᵀ + y xᵀ) to the second derivatives by d."""
    f *= 0.5
    b[BEND] += 2.0 * f * x[0] * y[0]
    b[BEND + 1] += f * (x[0] * y[1] + x[1] * y[0])
    b[BEND + 2] += f * (x[0] * y[2] + x[2] * y[0])
    b[BEND + 3] += 2.0 * f * x[1] * y[1]
    b[BEND + 4] += f * (x[1] * y[2] + x[2] * y[1])
    b[BEND + 5] += 2.0 * f * x[2] * y[2]


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
        b, s = bent[BENT * node : BENT * (node + 1)], sums[SUMS * node : SUMS * (node + 1)]
        before = bent[BENT * parents[node] : BENT * (parents[node] + 1)]
        w, v = three(b, OMEGA), three(b, NU)
        # Z += V Fᵀ + Ω Tᵀ, V = ν + Ω × x, column by column.
        for c in range(3):
            f, t, at = s[FORCE + c], s[TORQUE + c], BEYOND + c
            x, y, z = s[SPREAD + c], s[SPREAD + 3 + c], s[SPREAD + 6 + c]
            before[at] += b[at] + v[0] * f + w[1] * z - w[2] * y + w[0] * t
            before[at + 3] += b[at + 3] + v[1] * f + w[2] * x - w[0] * z + w[1] * t
            before[at + 6] += b[at + 6] + v[2] * f + w[0] * y - w[1] * x + w[2] * t
    for node in range(1, parents.size):
        for c in range(BEYOND):
            bent[BENT * node + c] += bent[BENT * parents[node] + c]


@compiled
def _spin(tree, state, bent, spin):
    """Write Ω × ω + p of all members, and its sums for groups, as of twists."""
    T, at = state.twist, tree.member_node
    before, starts, drives = tree.sum_before, tree.sum_start, tree.sum_drive
    for i in range(at.size):
        node = at[i]
        b, w = bent[BENT * node : BENT * (node + 1)], three(T[i], 0)
        # What the axes of a ball turn with: backwards their frame turns, and the segment stays.
        z = times(dot(three(b, MIDDLE), w), three(b, SEGMENT))
        if tree.reverse[node] == 0:
            z = minus(w, z)
        turning = plus_cross(cross(z, three(b, OWN)), three(b, OMEGA), w)
        spin[SPIN * i], spin[SPIN * i + 1], spin[SPIN * i + 2] = turning
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
    s, b = sums[SUMS * node : SUMS * (node + 1)], bent[BENT * node : BENT * (node + 1)]
    force, X, Z = three(s, FORCE), s[SPREAD:TORQUE], b[BEYOND:OWN]
    omega, m = three(b, OMEGA), moment_about(state.position, node, s)
    is_ball = b[MIDDLE] != 0.0 or b[MIDDLE + 1] != 0.0 or b[MIDDLE + 2] != 0.0
    beyond, push = Z[0] + Z[4] + Z[8], dot(force, omega)
    arm, ax = turned(X, omega), axial(X)
    width = WIDTH[tree.kind[node]]
    for c in range(3):
        own[c, 0], own[c, 1], own[c, 2] = 0.0, 0.0, 0.0
    for j in range(first, first + width):
        w, v = three(T[j], 0), three(T[j], 3)
        k = swept(T, j, s)
        # act(v Fᵀ + [ω×] X, Ω) = v (F · Ω) + ω × X Ω − (v · F + ω · ax(X)) Ω
        lean = dot(v, force) + w[0] * ax[0] + w[1] * ax[1] + w[2] * ax[2]
        n = minus(plus_cross(times(push, v), w, arm), times(lean, omega))
        n = plus(minus(n, times(beyond, w)), turned(Z, w))
        cross_moment = n
        if is_ball:
            # p · m_i = ω_i · (Qᵀ p − tr(Q) p); and Q p + p × T = Qᵀ p + p × M
            p = _axis_rate(b, spin, j, w)
            n = plus(n, _centred(state.position[node], s, p))
            cross_moment = plus_cross(n, p, m)
        if sources[j] >= 0:
            _cross(tree, state, before, cross_moment, k, spin, 1.0, scale, sources[j], out)
        for d in range(sources.size, members.size if sources[j] < 0 else 0):
            if members[d] == j:
                rate, i = state.rate[d], drives[d]
                _cross(tree, state, before, cross_moment, k, spin, rate, scale, i, out)
        for i in range(first, j + 1):
            value = dot(T[i], n)
            value += dot(three(spin, SPIN * i), k)
            if is_ball:
                value += _own_pair(b, tree.reverse[node] == 1, T, spin, i, j, m)
            own[i - first, j - first] = value
    # How the axes ω turn: with ax(Z) + Qᵀ Ω − tr(Q) Ω, and what o does.
    t = _centred(state.position[node], s, omega)
    t = t[0] + Z[5] - Z[7], t[1] + Z[6] - Z[2], t[2] + Z[1] - Z[3]
    if is_ball:
        g = cross(three(b, SEGMENT), three(b, SLOPE))
        if tree.reverse[node] == 1:
            g = minus(cross(three(b, OWN), m), g)
        t = plus(t, g)
    elif width == 1:
        own[0, 0] += b[BEND]
    turn_axes(tree, state, node, t, own)
    add_own(tree, state, first, width, own, scale, out)


@compiled
def _centred(x, s, p):
    """Qᵀ p − tr(Q) p of the sums about a centre x."""
    f, X = three(s, FORCE), s[SPREAD:TORQUE]
    trace = X[0] + X[4] + X[8] - x[0] * f[0] - x[1] * f[1] - x[2] * f[2]
    return minus(minus(turned_back(X, p), times(dot(x, p), f)), times(trace, p))


@compiled
def _cross(tree, state, before, n, m, spin, rate, scale, i, out):
    """Add ω · n + (Ω × ω + p) · m for coordinate i and all that move the node before it."""
    T, twists, coordinates = state.twist, tree.column_twist, tree.column_coordinate
    own, row = rate * scale[i], out[i]
    for e in range(tree.column_start[before], tree.column_start[before + 1]):
        t, c = twists[e], coordinates[e]
        s = dot(T[t], n)
        s += dot(three(spin, SPIN * t), m)
        s *= own * scale[c]
        row[c] += s
        out[c, i] += s


@compiled
def _own_pair(b, backwards, T, spin, i, j, m):
    """What two members of one ball have besides: M · ∂²o/∂x_i∂x_j but for how their axes turn."""
    d, v, w = three(b, SEGMENT), three(T[i], 0), three(T[j], 0)
    x, y, slope = cross(v, d), cross(w, d), three(b, SLOPE)
    value = x[0] * (b[BEND] * y[0] + b[BEND + 1] * y[1] + b[BEND + 2] * y[2])
    value += x[1] * (b[BEND + 1] * y[0] + b[BEND + 3] * y[1] + b[BEND + 4] * y[2])
    value += x[2] * (b[BEND + 2] * y[0] + b[BEND + 4] * y[1] + b[BEND + 5] * y[2])
    if not backwards:  # ω_i × (ω_j × d)
        return value + dot(slope, cross(v, y))
    # Seen from the frame that turns, d turns by −ω: ω_j × (ω_i × d).
    value += dot(slope, cross(w, x))
    # M · (ω_i × p_j + ω_j × p_i − ω_j × (ω_i × o)), p = spin − Ω × ω
    value += dot(m, cross(v, _axis_rate(b, spin, j, w)))
    q = minus_cross(_axis_rate(b, spin, i, v), v, three(b, OWN))
    return value + dot(m, cross(w, q))


@compiled
def _axis_rate(b, spin, i, w):
    """How the own axis of a ball turns with one of its own members: p."""
    return minus_cross(three(spin, SPIN * i), three(b, OMEGA), w)
