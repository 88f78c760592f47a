"""Forces on a figure: the total moment, and what joints must hold, with derivatives.

All forces act *on* the figure and keep their direction in the world. A joint holds what lies beyond
it: with forces F at points x, weights among them, and torques T, the moment that it exerts there,
about its centre c, is M = −Σ ((x − c) × F + T).

A *component* of M is r = u · M / s, along an axis u that moves with the joint, with a strength s.
Of what a twist (ω, v) does to it there are three cases (thesis 6.15 has the first alone):

- the twist moves the whole joint and all beyond: u and the arms x − c turn with ω, the forces stay;
- it is the joint's own: the arms turn with ω, the axis as that of a swing does;
- it moves only some of what is beyond: Σ (v + ω × x) × F of that.

With Y = Σ (x − c) Fᵀ, Σ (ω × (x − c)) × F = Y ω − tr(Y) ω: sums over what hangs from a node are all
that is needed.

The axes of a ball are those of its joint's frame, carried along by the direct swing S that takes
the segment's axis from a to d: S w = w − ((a + d)·w / (1 + a·d)) (a + d) + 2 (a·w) d. While d turns
with ω, it turns with ω − ((a + d)·ω / (1 + a·d)) d.
"""

import math

from poise.kernel.arrays import Floats, Floats2
from poise.kernel.body.bends import swept
from poise.kernel.body.kinematics import locate, point_rows
from poise.kernel.body.tree import WIDTH, State, Tree
from poise.kernel.compiling import compiled, entry
from poise.kernel.filling import clear
from poise.kernel.residuals.blocks import (
    COMPONENT,
    EFFORT_HEAD,
    FORCE,
    LOAD,
    MOMENT_HEAD,
    SLIDES,
    SUM,
    SWINGS,
)


@compiled
def moment_residual(tree, state, jacobian, v, center, center_rows, e, A, wanted):
    """The moment of all forces about the world's origin, times metres per N·m.

    J = −Σ [f×] J_T − [w×] J_G (thesis 6.6). Values: see `blocks.MOMENT_HEAD` and FORCE.
    """
    scale, count = v[0], int(v[7])
    w0, w1, w2 = v[4], v[5], v[6]
    point = e[0:3]
    x, y, z = center[0], center[1], center[2]
    s0, s1, s2 = v[1] + y * w2 - z * w1, v[2] + z * w0 - x * w2, v[3] + x * w1 - y * w0
    if wanted:
        for c in range(A.shape[1]):
            a, b, d = center_rows[0, c], center_rows[1, c], center_rows[2, c]
            A[0, c] = scale * (b * w2 - d * w1)
            A[1, c] = scale * (d * w0 - a * w2)
            A[2, c] = scale * (a * w1 - b * w0)
    for k in range(count):
        f = v[MOMENT_HEAD + FORCE * k : MOMENT_HEAD + FORCE * (k + 1)]
        node, f0, f1, f2 = int(f[0]), f[4], f[5], f[6]
        locate(state, node, f[1:4], point)
        x, y, z = point[0], point[1], point[2]
        if wanted:
            rows = jacobian[0:3]
            clear(rows, 3)
            point_rows(tree, state, node, point, rows)
            for c in range(A.shape[1]):
                a, b, d = rows[0, c], rows[1, c], rows[2, c]
                A[0, c] += scale * (b * f2 - d * f1)
                A[1, c] += scale * (d * f0 - a * f2)
                A[2, c] += scale * (a * f1 - b * f0)
        s0, s1, s2 = s0 + y * f2 - z * f1, s1 + z * f0 - x * f2, s2 + x * f1 - y * f0
    e[0], e[1], e[2] = scale * s0, scale * s1, scale * s2


@entry
def effort_residual(
    tree: Tree, state: State, v: Floats, e: Floats, A: Floats2, wanted: bool
) -> None:
    """What joints hold, each component as a share of its strength; after `gather`.

    Values: see `blocks.EFFORT_HEAD`, LOAD and COMPONENT.
    """
    loads, count = int(v[0]), int(v[1])
    g0, g1, g2, factor = v[2], v[3], v[4], v[5]
    first = EFFORT_HEAD + LOAD * loads
    last = first + COMPONENT * count
    nodes = tree.parent.size
    components, sums = v[first:last], v[last : last + SUM * nodes]
    _hang(tree, state, v[EFFORT_HEAD:first], loads, g0, g1, g2, sums)
    if wanted:
        clear(A, count)
    for k in range(count):
        c = components[COMPONENT * k : COMPONENT * (k + 1)]
        e[k] = factor * _component(tree, state, c, sums, factor, A[k], wanted)
    if wanted:
        nearest = v[last + SUM * nodes : last + (SUM + 1) * nodes]
        _add_beyond(tree, state, components, sums, nearest, A)


@compiled
def _hang(tree, state, loads, count, g0, g1, g2, sums):
    """Sum forces, x Fᵀ and torques of every node and what hangs from it."""
    parents, h, below = tree.parent, state.moment, tree.below
    for k in range(sums.size):
        sums[k] = 0.0
    for k in range(count):
        f = loads[LOAD * k : LOAD * (k + 1)]
        node = int(f[0])
        at = SUM * node
        x = state.position[node, 0]
        y = state.position[node, 1]
        z = state.position[node, 2]
        R = state.rotation
        x += R[node, 0] * f[1] + R[node, 1] * f[2] + R[node, 2] * f[3]
        y += R[node, 3] * f[1] + R[node, 4] * f[2] + R[node, 5] * f[3]
        z += R[node, 6] * f[1] + R[node, 7] * f[2] + R[node, 8] * f[3]
        for r in range(3):
            sums[at + r] += f[4 + r]
            sums[at + 3 + r] += x * f[4 + r]
            sums[at + 6 + r] += y * f[4 + r]
            sums[at + 9 + r] += z * f[4 + r]
            sums[at + 12 + r] += f[7 + r]
    for j in range(parents.size - 1, 0, -1):
        for k in range(SUM):
            sums[SUM * parents[j] + k] += sums[SUM * j + k]
    for j in range(parents.size):
        at, m = SUM * j, below[j]
        sums[at] += m * g0
        sums[at + 1] += m * g1
        sums[at + 2] += m * g2
        for r in range(3):
            sums[at + 3 + 3 * r] += h[j, r] * g0
            sums[at + 4 + 3 * r] += h[j, r] * g1
            sums[at + 5 + 3 * r] += h[j, r] * g2


@compiled
def _component(tree, state, c, sums, factor, row, wanted):
    """One component; what its joint and those that carry it do to it is added to a row."""
    T, p = state.twist, state.position
    node, kind, backwards = int(c[0]), int(c[1]), c[2] > 0.0
    # Beyond a joint that is crossed backwards lies its parent, and the child feels the opposite.
    sign = 1.0 if backwards else -1.0
    s = sums[SUM * node : SUM * (node + 1)]
    a0, a1, a2, d0, d1, d2, n0, n1, n2, u0, u1, u2 = component_axes(tree, state, c, node)
    # X = Σ x Fᵀ about the joint's centre; its axial vector is the moment.
    x, y, z = p[node, 0], p[node, 1], p[node, 2]
    y00, y01, y02 = s[3] - x * s[0], s[4] - x * s[1], s[5] - x * s[2]
    y10, y11, y12 = s[6] - y * s[0], s[7] - y * s[1], s[8] - y * s[2]
    y20, y21, y22 = s[9] - z * s[0], s[10] - z * s[1], s[11] - z * s[2]
    m0 = sign * (y12 - y21 + s[12])
    m1 = sign * (y20 - y02 + s[13])
    m2 = sign * (y01 - y10 + s[14])
    if kind == SLIDES:
        m0, m1, m2 = sign * s[0], sign * s[1], sign * s[2]
    held = u0 * m0 + u1 * m1 + u2 * m2
    side_of = 12 if held >= 0.0 else 16
    angle, q0, q1, q2 = 0.0, 0.0, 0.0, 0.0
    if c[side_of + 1] != 0.0:
        if kind == SWINGS:
            angle, q0, q1, q2 = swing_angle(a0, a1, a2, d0, d1, d2, n0, n1, n2)
        else:
            angle = state.member[tree.first[node]]
    strength, slope = strength_at(c[side_of : side_of + 4], angle)
    share = held / strength
    if not wanted:
        return share
    scale = factor / strength
    # What turns the axis, and what turns the arms.
    t0, t1, t2 = u1 * m2 - u2 * m1, u2 * m0 - u0 * m2, u0 * m1 - u1 * m0
    r0, r1, r2 = 0.0, 0.0, 0.0
    c[20], c[21], c[22] = 0.0, 0.0, 0.0
    if kind != SLIDES:
        trace = y00 + y11 + y22
        r0 = sign * (y00 * u0 + y10 * u1 + y20 * u2 - trace * u0)
        r1 = sign * (y01 * u0 + y11 * u1 + y21 * u2 - trace * u1)
        r2 = sign * (y02 * u0 + y12 * u1 + y22 * u2 - trace * u2)
        c[20], c[21], c[22] = sign * scale * u0, sign * scale * u1, sign * scale * u2
    x, y, z = scale * (t0 + r0), scale * (t1 + r1), scale * (t2 + r2)
    columns, twists, before = tree.column_coordinate, tree.column_twist, tree.parent[node]
    for k in range(tree.column_start[before], tree.column_start[before + 1]):
        i = twists[k]
        row[columns[k]] += T[i, 0] * x + T[i, 1] * y + T[i, 2] * z
    first, last = tree.first[node], tree.first[node] + WIDTH[tree.kind[node]]
    sources, members, drives = tree.source, tree.drive_member, tree.drive_coordinate
    for i in range(first, last):
        w0, w1, w2 = T[i, 0], T[i, 1], T[i, 2]
        change = w0 * r0 + w1 * r1 + w2 * r2
        if kind == SWINGS:
            # What the axis turns with: backwards its frame turns, and the segment stays.
            lean = (a0 + d0) * w0 + (a1 + d1) * w1 + (a2 + d2) * w2
            lean /= max(1.0 + a0 * d0 + a1 * d1 + a2 * d2, 1e-12)
            along = lean * (d0 * t0 + d1 * t1 + d2 * t2)
            change += along if backwards else w0 * t0 + w1 * t1 + w2 * t2 - along
            if slope != 0.0:
                rise = q0 * (w1 * d2 - w2 * d1) + q1 * (w2 * d0 - w0 * d2)
                rise += q2 * (w0 * d1 - w1 * d0)
                change -= share * slope * (-rise if backwards else rise)
        elif slope != 0.0:
            change -= share * slope
        if sources[i] >= 0:
            row[sources[i]] += scale * change
            continue
        for k in range(sources.size, members.size):
            if members[k] == i:
                row[drives[k]] += state.rate[k] * scale * change
    return share


@compiled
def _add_beyond(tree, state, components, sums, nearest, A):
    """Add what a motion of some of what lies beyond a joint does to its components."""
    parents, T = tree.parent, state.twist
    coordinates, members, at = tree.drive_coordinate, tree.drive_member, tree.member_node
    count = components.size // COMPONENT
    # Of every node the first component of the joint there, or of the nearest that carries it.
    for j in range(nearest.size):
        nearest[j] = -1.0
    for k in range(count - 1, -1, -1):
        nearest[int(components[COMPONENT * k])] = float(k)
    for j in range(1, nearest.size):
        if nearest[j] < 0.0:
            nearest[j] = nearest[parents[j]]
    for d in range(members.size):
        column, i = coordinates[d], members[d]
        j = at[i]
        k = int(nearest[parents[j]])
        if column < 0 or k < 0:
            continue
        c0, c1, c2 = swept(T, i, sums[SUM * j : SUM * (j + 1)])
        c0, c1, c2 = state.rate[d] * c0, state.rate[d] * c1, state.rate[d] * c2
        while k >= 0:
            node = int(components[COMPONENT * k])
            while k < count and int(components[COMPONENT * k]) == node:
                c = COMPONENT * k + 20
                A[k, column] += components[c] * c0 + components[c + 1] * c1 + components[c + 2] * c2
                k += 1
            k = int(nearest[parents[node]])


@compiled
def _at(R, node, local):
    """A direction in a node's frame, in the world."""
    x, y, z = local[0], local[1], local[2]
    return (
        R[node, 0] * x + R[node, 1] * y + R[node, 2] * z,
        R[node, 3] * x + R[node, 4] * y + R[node, 5] * z,
        R[node, 6] * x + R[node, 7] * y + R[node, 8] * z,
    )


@compiled
def _turned(R, node, f, local):
    """A direction in the fixed frame of what hangs from a node, in the world."""
    x, y, z = local[0], local[1], local[2]
    a = f[0] * x + f[1] * y + f[2] * z
    b = f[3] * x + f[4] * y + f[5] * z
    c = f[6] * x + f[7] * y + f[8] * z
    return (
        R[node, 0] * a + R[node, 1] * b + R[node, 2] * c,
        R[node, 3] * a + R[node, 4] * b + R[node, 5] * c,
        R[node, 6] * a + R[node, 7] * b + R[node, 8] * c,
    )


@compiled
def component_axes(tree, state, c, node):
    """The axes of a component in the world: a, d and n of a chart (else zero), and u."""
    R = state.rotation
    if c[1] != SWINGS:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, R[node, 2], R[node, 5], R[node, 8]
    # The chart's frame before it moves, and after.
    k, f = tree.parent[node], tree.fixed_rotation[node]
    if c[2] > 0.0:
        a0, a1, a2 = _at(R, node, c[3:6])
        d0, d1, d2 = _turned(R, k, f, c[6:9])
        n0, n1, n2 = _at(R, node, c[9:12])
    else:
        a0, a1, a2 = _turned(R, k, f, c[3:6])
        d0, d1, d2 = _at(R, node, c[6:9])
        n0, n1, n2 = _turned(R, k, f, c[9:12])
    along = a0 * n0 + a1 * n1 + a2 * n2
    both = 1.0 + a0 * d0 + a1 * d1 + a2 * d2
    lean = (along + d0 * n0 + d1 * n1 + d2 * n2) / max(both, 1e-12)
    u0 = n0 - lean * (a0 + d0) + 2.0 * along * d0
    u1 = n1 - lean * (a1 + d1) + 2.0 * along * d1
    u2 = n2 - lean * (a2 + d2) + 2.0 * along * d2
    return a0, a1, a2, d0, d1, d2, n0, n1, n2, u0, u1, u2


@compiled
def swing_angle(a0, a1, a2, d0, d1, d2, n0, n1, n2):
    """The component along n of the rotation vector from a to d, and its derivative by d.

    It is g(a · d) (n × a) · d.
    """
    g, slope, _ = sine_ratio(a0 * d0 + a1 * d1 + a2 * d2)
    e0, e1, e2 = n1 * a2 - n2 * a1, n2 * a0 - n0 * a2, n0 * a1 - n1 * a0
    t = e0 * d0 + e1 * d1 + e2 * d2
    s = slope * t
    return g * t, s * a0 + g * e0, s * a1 + g * e1, s * a2 + g * e2


@entry
def sine_ratio(c: float) -> tuple[float, float, float]:
    """g = θ/sin θ for c = cos θ, with its first and second derivatives by c.

    From (1 − c²) g′ = c g − 1; near 1 from the series of which that makes xⁿ n/(2n + 1) times the
    term before, x = 1 − c. Near −1 it is infinite, and is taken at θ = 179.9°.
    """
    x = 1.0 - max(min(c, 1.0), -1.0 + 1.5e-6)
    if x > 0.02:
        c = 1.0 - x
        rest = x * (2.0 - x)
        g = math.acos(c) / math.sqrt(rest)
        slope = (c * g - 1.0) / rest
        return g, slope, (g + 3.0 * c * slope) / rest
    g, slope, bend, term = 1.0, 0.0, 0.0, 1.0
    for n in range(1, 9):
        term *= n / (2.0 * n + 1.0)  # of the powers xⁿ, xⁿ⁻¹ and xⁿ⁻² together
        bend += n * (n - 1) * term * (x ** (n - 2) if n > 1 else 0.0)
        slope -= n * term * x ** (n - 1)
        g += term * x**n
    return g, slope, bend


@compiled
def strength_at(law, angle):
    """A strength at an angle, peak · cos(width (angle − centre)) or the least, and its slope."""
    peak, width, center, least = law[0], law[1], law[2], law[3]
    phase = max(-math.pi, min(math.pi, width * (angle - center)))
    strength = peak * math.cos(phase)
    if strength <= least:
        return least, 0.0
    return strength, -peak * width * math.sin(phase)
