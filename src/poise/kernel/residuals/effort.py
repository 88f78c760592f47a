"""What joints hold, each component as a share of its strength.

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

Second derivatives are in `effort_curvature`.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.kernel.arrays import Floats, Floats2
from poise.kernel.body.bends import FORCE, SPREAD, SUMS, TORQUE, hang, swept
from poise.kernel.body.tree import WIDTH, State, Tree
from poise.kernel.body.vectors import add, cross, dot, minus, plus, three, times, turned
from poise.kernel.compiling import compiled, entry
from poise.kernel.filling import clear
from poise.kernel.residuals.sites import located

LOAD_COUNT, COUNT, GRAVITY, FACTOR, LOADS = 0, 1, 2, 5, 6
"""Values: how many loads, how many components, gravity (3), a factor for all rows; then the loads,
the components, and room: for each node SUMS numbers and one more; BENT for each node and SPIN for
each twist are for second derivatives."""
BENT, SPIN = 33, 3

LOAD_NODE, LOAD_PLACE, LOAD_FORCE, LOAD_TORQUE, LOAD = 0, 1, 4, 7, 10
"""A load: node, point in its frame (3), force (3), torque (3); so many numbers."""

NODE, AXIS_KIND, BACKWARDS, SEGMENT, OWN_SEGMENT, AXIS, POSITIVE, NEGATIVE, ROOM, COMPONENT = (
    0, 1, 2, 3, 6, 9, 12, 16, 20, 23,
)  # fmt: skip
"""A component: node, kind of axis, whether the joint is crossed backwards; for a chart the
segment's axis on the frame's side (3) and on its own (3), and the component's axis on the frame's
side (3); the strength in the positive and in the negative direction, each as a law (4); room (3);
so many numbers. Components of one node follow each other."""

PEAK, FALL, CENTER, LEAST = range(4)
"""A law: the peak strength, how fast it falls with the angle, the angle of the peak, the least."""

TURNS, SLIDES, SWINGS = range(3)
"""Kinds of axis of a component: a hinge's, a slider's (then it is a force), one of a chart."""

OPEN = 1e-12
"""The least that 1 + a · d counts for: a swing by half a turn has no direction."""


def packed(
    tree: Tree,
    gravity: ArrayLike,
    factor: float,
    loads: Sequence[ArrayLike],
    components: Sequence[ArrayLike],
) -> NDArray[np.float64]:
    """The values, with the room that they need."""
    nodes, twists = tree.parent.size, tree.source.size + tree.sum_before.size
    head = [[len(loads), len(components)], gravity, [factor]]
    room = np.zeros((SUMS + 1 + BENT) * nodes + SPIN * twists)
    return np.concatenate([*head, *loads, *components, room], dtype=np.float64)


def packed_component(
    node: int,
    axis_kind: int,
    is_backwards: bool,
    axes: ArrayLike,
    positive: ArrayLike,
    negative: ArrayLike,
) -> NDArray[np.float64]:
    """The numbers of a component; `axes` are the three of a chart, one after the other."""
    head, room = [node, axis_kind, is_backwards], np.zeros(COMPONENT - ROOM)
    return np.concatenate([head, axes, positive, negative, room], dtype=np.float64)


@compiled
def room_of(v):
    """Where in the values the room begins."""
    return LOADS + LOAD * int(v[LOAD_COUNT]) + COMPONENT * int(v[COUNT])


@entry
def residual(tree: Tree, state: State, v: Floats, e: Floats, A: Floats2, wanted: bool) -> None:
    """Write the rows, and their Jacobian if wanted; after `gather`."""
    count, factor = int(v[COUNT]), v[FACTOR]
    nodes, last = tree.parent.size, room_of(v)
    first = last - COMPONENT * count
    components, sums = v[first:last], v[last : last + SUMS * nodes]
    _hang(tree, state, v[LOADS:first], v[GRAVITY:FACTOR], sums)
    if wanted:
        clear(A, count)
    for k in range(count):
        c = components[COMPONENT * k : COMPONENT * (k + 1)]
        e[k] = factor * _component(tree, state, c, sums, factor, A[k], wanted)
    if wanted:
        nearest = v[last + SUMS * nodes : last + (SUMS + 1) * nodes]
        _add_beyond(tree, state, components, sums, nearest, A)


@compiled
def _hang(tree, state, loads, gravity, sums):
    """Sum forces, x Fᵀ and torques of every node and what hangs from it."""
    parents, h, below = tree.parent, state.moment, tree.below
    for k in range(sums.size):
        sums[k] = 0.0
    for k in range(0, loads.size, LOAD):
        node = int(loads[k + LOAD_NODE])
        s = sums[SUMS * node : SUMS * (node + 1)]
        x = located(state, node, loads[k + LOAD_PLACE : k + LOAD_FORCE])
        hang(s, 1.0, x, loads[k + LOAD_FORCE : k + LOAD_TORQUE])
        add(s, TORQUE, loads[k + LOAD_TORQUE : k + LOAD])
    for j in range(parents.size - 1, 0, -1):
        for k in range(SUMS):
            sums[SUMS * parents[j] + k] += sums[SUMS * j + k]
    for j in range(parents.size):
        s = sums[SUMS * j : SUMS * (j + 1)]
        add(s, FORCE, times(below[j], gravity))
        for r in range(3):
            add(s, SPREAD + 3 * r, times(h[j, r], gravity))


@compiled
def _component(tree, state, c, sums, factor, row, wanted):
    """One component; what its joint and those that carry it do to it is added to a row."""
    T = state.twist
    node, kind, backwards = int(c[NODE]), int(c[AXIS_KIND]), c[BACKWARDS] > 0.0
    # Beyond a joint that is crossed backwards lies its parent, and the child feels the opposite.
    sign = 1.0 if backwards else -1.0
    s = sums[SUMS * node : SUMS * (node + 1)]
    a, d, n, u = component_axes(tree, state, c, node)
    # The rows of Y = Σ x Fᵀ about the joint's centre; its axial vector is the moment.
    force, p = three(s, FORCE), state.position[node]
    y0 = minus(three(s, SPREAD), times(p[0], force))
    y1 = minus(three(s, SPREAD + 3), times(p[1], force))
    y2 = minus(three(s, SPREAD + 6), times(p[2], force))
    m = plus((y1[2] - y2[1], y2[0] - y0[2], y0[1] - y1[0]), three(s, TORQUE))
    m = times(sign, force if kind == SLIDES else m)
    held = dot(u, m)
    law = c[POSITIVE:NEGATIVE] if held >= 0.0 else c[NEGATIVE:ROOM]
    angle, q = 0.0, (0.0, 0.0, 0.0)
    if law[FALL] != 0.0:
        if kind == SWINGS:
            angle, q = swing_angle(a, d, n)
        else:
            angle = state.member[tree.first[node]]
    strength, slope = strength_at(law, angle)
    share = held / strength
    if not wanted:
        return share
    scale = factor / strength
    # What turns the axis, and what turns the arms: Yᵀ u − tr(Y) u.
    t, r = cross(u, m), (0.0, 0.0, 0.0)
    c[ROOM], c[ROOM + 1], c[ROOM + 2] = 0.0, 0.0, 0.0
    if kind != SLIDES:
        trace = y0[0] + y1[1] + y2[2]
        r = plus(plus(times(u[0], y0), times(u[1], y1)), times(u[2], y2))
        r = times(sign, minus(r, times(trace, u)))
        c[ROOM], c[ROOM + 1], c[ROOM + 2] = times(sign * scale, u)
    whole = times(scale, plus(t, r))
    columns, twists, before = tree.column_coordinate, tree.column_twist, tree.parent[node]
    for k in range(tree.column_start[before], tree.column_start[before + 1]):
        row[columns[k]] += dot(T[twists[k]], whole)
    first, last = tree.first[node], tree.first[node] + WIDTH[tree.kind[node]]
    sources, members, drives = tree.source, tree.drive_member, tree.drive_coordinate
    for i in range(first, last):
        w = T[i]
        change = dot(w, r)
        if kind == SWINGS:
            # What the axis turns with: backwards its frame turns, and the segment stays.
            along = dot(plus(a, d), w) / max(_opening(a, d), OPEN) * dot(d, t)
            change += along if backwards else dot(w, t) - along
            if slope != 0.0:
                rise = dot(q, cross(w, d))
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
        nearest[int(components[COMPONENT * k + NODE])] = float(k)
    for j in range(1, nearest.size):
        if nearest[j] < 0.0:
            nearest[j] = nearest[parents[j]]
    for d in range(members.size):
        column, i = coordinates[d], members[d]
        j = at[i]
        k = int(nearest[parents[j]])
        if column < 0 or k < 0:
            continue
        change = times(state.rate[d], swept(T, i, sums[SUMS * j : SUMS * (j + 1)]))
        while k >= 0:
            node = int(components[COMPONENT * k + NODE])
            while k < count and int(components[COMPONENT * k + NODE]) == node:
                A[k, column] += dot(three(components, COMPONENT * k + ROOM), change)
                k += 1
            k = int(nearest[parents[node]])


@compiled
def component_axes(tree, state, c, node):
    """The axes of a component in the world: a, d and n of a chart (else zero), and u."""
    R = state.rotation
    if c[AXIS_KIND] != SWINGS:
        none = (0.0, 0.0, 0.0)
        return none, none, none, (R[node, 2], R[node, 5], R[node, 8])
    # The chart's frame before it moves, and after.
    before, after, fixed = R[tree.parent[node]], R[node], tree.fixed_rotation[node]
    segment, own, axis = c[SEGMENT:OWN_SEGMENT], c[OWN_SEGMENT:AXIS], c[AXIS:POSITIVE]
    if c[BACKWARDS] > 0.0:
        a, d, n = turned(after, segment), turned(before, turned(fixed, own)), turned(after, axis)
    else:
        a = turned(before, turned(fixed, segment))
        d = turned(after, own)
        n = turned(before, turned(fixed, axis))
    along = dot(a, n)
    lean = (along + d[0] * n[0] + d[1] * n[1] + d[2] * n[2]) / max(_opening(a, d), OPEN)
    u = plus(minus(n, times(lean, plus(a, d))), times(2.0 * along, d))
    return a, d, n, u


@compiled
def _opening(a, d):
    """1 + a · d."""
    return 1.0 + a[0] * d[0] + a[1] * d[1] + a[2] * d[2]


@compiled
def swing_angle(a, d, n):
    """The component along n of the rotation vector from a to d, and its derivative by d.

    It is g(a · d) (n × a) · d.
    """
    g, slope, _ = sine_ratio(dot(a, d))
    e = cross(n, a)
    t = dot(e, d)
    return g * t, plus(times(slope * t, a), times(g, e))


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
    """A strength at an angle, peak · cos(fall (angle − centre)) or the least, and its slope."""
    peak, fall = law[PEAK], law[FALL]
    phase = max(-math.pi, min(math.pi, fall * (angle - law[CENTER])))
    strength = peak * math.cos(phase)
    if strength <= law[LEAST]:
        return law[LEAST], 0.0
    return strength, -peak * fall * math.sin(phase)
