"""Second derivatives of residuals that cannot vanish.

Near a minimum of ½|e|² the Hessian is JᵀJ + S with S = Σ e ∇²e. Gauss-Newton leaves S out,
which is right when e goes to zero. When a goal is out of reach e stays, S is of the order
|e|·ℓ against JᵀJ's ℓ², and steps overshoot by 1 + |e|/ℓ: that is the jitter of stretched arms.

For a point x on a node, ∂²x/∂x_i∂x_j = ω_i × ∂x/∂x_j where member i is nearer to the ground than
j, so that S_ij = (F × ω_i) · ∂x/∂x_j with F = Σ e_r d_r. Within one ball the axes ω move with
its own coordinates: that adds M · ∂ω_i/∂x_j, with the moment M of F about its centre. It vanishes
at a minimum, unless the ball is at a stop. Members of groups pass theirs on to the parameters by
their rates; how these rates change, where a group is not linear, is left out.

An axis v of a node is a point without a force on the whole: x = v, ΣF = 0. An orientation
e = log(R Gᵀ) pulls with a moment M: ½ M · (ω_i × ω_j), and the Hessian of ½|e|² on the rotations,
1 along e and (θ/2) cot (θ/2) across, takes the place of Gauss-Newton's 1 and (θ/2)²/sin² (θ/2).
The moment of forces at points is linear in these points; what joints hold is in `effort_bends`.
"""

import math

from poise.kernel.arrays import Floats, Floats2
from poise.kernel.body.bends import add_own, moment_about, swept, turn_axes
from poise.kernel.body.kinematics import locate, point_rows, turn_rows
from poise.kernel.body.masses import MOMENTS, mass_of
from poise.kernel.body.tree import WIDTH, State, Tree
from poise.kernel.compiling import compiled, entry
from poise.kernel.filling import clear
from poise.kernel.residuals.blocks import (
    AIM,
    EFFORT,
    FORCE,
    GAP,
    KIND,
    MASS,
    MOMENT,
    MOMENT_HEAD,
    NODE,
    OTHER,
    POINT,
    ROW,
    ROWS,
    SCALE,
    START,
    TURN,
    VECTORS,
    Blocks,
    Scratch,
)
from poise.kernel.residuals.effort_curvature import add_effort


@entry
def curvature(
    tree: Tree,
    blocks: Blocks,
    state: State,
    scratch: Scratch,
    residual: Floats,
    matrix: Floats2,
    force: Floats,
    last: int,
    torques: Floats2,
    loads: Floats2,
    scale: Floats,
    out: Floats2,
) -> None:
    """Write S of all blocks before `last` into the symmetric matrix `out`.

    For points, axes, orientations and lines of sight whose goals stand still, gaps, the centre of
    mass, moments of forces and what joints hold. Other blocks have none here: what Gauss-Newton
    knows of them has to do.

    Args:
        tree: the figure.
        blocks: its residuals.
        state: its posture, with twists.
        scratch: room for points, for one joint's own pairs, and for what a block's site does.
        residual: (R,) all rows.
        matrix: (R, n) their Jacobian.
        force: (R,) what each row is multiplied with.
        last: one past the last block that counts.
        torques: (N, 3) moments that each joint alone is to bear besides.
        loads: (N, 15) room for what pulls at each node and beyond: sums of F, x Fᵀ and M.
        scale: (n,) the units of the coordinates: S is written in them.
        out: (n, n or wider) S, and zeros beside it.
    """
    clear(out, out.shape[0])
    _load(tree, blocks, state, scratch, force, last, loads)
    kinds, firsts, parents = tree.kind, tree.first, tree.parent
    T, own, pull = state.twist, scratch.turn, scratch.point
    for node in range(kinds.size - 1, 0, -1):
        load, before, first = loads[node], parents[node], firsts[node]
        busy = False
        for c in range(15):
            busy |= load[c] != 0.0
            if before > 0:
                loads[before, c] += load[c]
        for c in range(3):
            busy |= torques[node, c] != 0.0
            load[12 + c] += torques[node, c]
        if not busy:
            continue
        width = WIDTH[kinds[node]]
        for c in range(width):
            b = first + c
            # S_ab = ω_a · m. Of a moment it is half of ω × M.
            m0, m1, m2 = swept(T, b, load)
            w0, w1, w2 = T[b, 0], T[b, 1], T[b, 2]
            m0 += 0.5 * (w1 * load[14] - w2 * load[13])
            m1 += 0.5 * (w2 * load[12] - w0 * load[14])
            m2 += 0.5 * (w0 * load[13] - w1 * load[12])
            pull[c, 0], pull[c, 1], pull[c, 2] = m0, m1, m2
            for a in range(c + 1):
                own[a, c] = T[first + a, 0] * m0 + T[first + a, 1] * m1 + T[first + a, 2] * m2
        _cross(tree, state, before, first, width, pull, scale, out)
        m0, m1, m2 = moment_about(state.position, node, load)
        turn_axes(tree, state, node, m0, m1, m2, own)
        add_own(tree, state, first, width, own, scale, out)
    for b in range(last):
        kind = blocks.block[b, KIND]
        if (kind == TURN or kind == AIM) and blocks.block[b, OTHER] < 0:
            _bowl(tree, blocks, state, scratch, b, residual, force, scale, out)
        if kind == EFFORT:
            row, stop = blocks.block[b, ROW], blocks.block[b, ROW] + blocks.block[b, ROWS]
            v, weight = blocks.values[blocks.block[b, START] :], blocks.factor[b, SCALE]
            add_effort(
                tree, state, v, weight, residual[row:stop], force[row:stop], matrix[row:stop], own,
                scale, out,
            )  # fmt: skip


@compiled
def _cross(tree, state, before, first, width, pull, scale, out):
    """Add ω · m for the members of one node, `pull` their m, and all that move the node before."""
    T, sources, members = state.twist, tree.source, tree.drive_member
    start, stop = tree.column_start[before], tree.column_start[before + 1]
    twists, coordinates = tree.column_twist[start:stop], tree.column_coordinate[start:stop]
    if sources[first] < 0:  # a group drives them
        for d in range(sources.size, members.size):
            c = members[d] - first
            if 0 <= c < width:
                i = tree.drive_coordinate[d]
                _cross_one(T, twists, coordinates, pull[c], state.rate[d], scale, i, out)
    elif width == 3:
        i, j, k = sources[first], sources[first + 1], sources[first + 2]
        _cross_three(T, twists, coordinates, pull, scale, i, j, k, out)
    else:
        for c in range(width):
            _cross_one(T, twists, coordinates, pull[c], 1.0, scale, sources[first + c], out)


@compiled
def _cross_one(T, twists, coordinates, m, rate, scale, i, out):
    """Add rate ω · m for coordinate i, on both sides."""
    rate *= scale[i]
    m0, m1, m2 = rate * m[0], rate * m[1], rate * m[2]
    for e in range(twists.size):
        t, c = twists[e], coordinates[e]
        s = scale[c] * (T[t, 0] * m0 + T[t, 1] * m1 + T[t, 2] * m2)
        out[i, c] += s
        out[c, i] += s


@compiled
def _cross_three(T, twists, coordinates, m, scale, i, j, k, out):
    """Add ω · m for the three of a ball at once, on both sides: half the time of one by one."""
    u, v, w = scale[i], scale[j], scale[k]
    u0, u1, u2 = u * m[0, 0], u * m[0, 1], u * m[0, 2]
    v0, v1, v2 = v * m[1, 0], v * m[1, 1], v * m[1, 2]
    w0, w1, w2 = w * m[2, 0], w * m[2, 1], w * m[2, 2]
    for e in range(twists.size):
        t, c = twists[e], coordinates[e]
        x, y, z = scale[c] * T[t, 0], scale[c] * T[t, 1], scale[c] * T[t, 2]
        u, v, w = x * u0 + y * u1 + z * u2, x * v0 + y * v1 + z * v2, x * w0 + y * w1 + z * w2
        out[i, c] += u
        out[j, c] += v
        out[k, c] += w
        out[c, i] += u
        out[c, j] += v
        out[c, k] += w


@compiled
def _load(tree, blocks, state, scratch, force, last, loads):
    """Hang the force of every block on its node."""
    block, values = blocks.block, blocks.values
    clear(loads, loads.shape[0])
    x, v = scratch.point[0], scratch.point[1]
    for b in range(last):
        kind, node = block[b, KIND], block[b, NODE]
        start, row, scale = block[b, START], block[b, ROW], blocks.factor[b, SCALE]
        rides = block[b, OTHER] >= 0
        if kind == TURN and not rides:
            for r in range(3):
                loads[node, 12 + r] += scale * force[row + r]
        elif kind == VECTORS and not rides:
            for k in range(2):
                f = scale * values[start + 12 + k]
                _axis(state, node, values[start + 3 * k : start + 3 * k + 3], v)
                r = row + 3 * k
                _hang_axis(loads[node], f, v, force[r], force[r + 1], force[r + 2])
        elif kind == AIM and not rides:
            f0, f1, f2 = scale * force[row], scale * force[row + 1], scale * force[row + 2]
            _axis(state, node, values[start + 3 : start + 6], v)
            _hang_axis(loads[node], -1.0, v, f0, f1, f2)
            # The direction d to the goal turns as the site moves: f · d″ = −(f − d (d·f)) · r″/ρ.
            locate(state, node, values[start : start + 3], x)
            d0, d1, d2, length = _sight(x, values[start + 6 : start + 9])
            if length > 1e-9:
                along = d0 * f0 + d1 * f1 + d2 * f2
                _hang(loads[node], -1.0 / length, x, f0 - along * d0, f1 - along * d1,
                      f2 - along * d2)  # fmt: skip
        elif kind == MOMENT:
            _hang_moments(tree, state, values[start:], scale, force[row : row + 3], x, loads)
        if kind != POINT and kind != MASS and kind != GAP:
            continue
        f0, f1, f2 = 0.0, 0.0, 0.0
        for r in range(block[b, ROWS]):
            e = force[row + r] * scale
            if blocks.inequality[row + r] == 0 or e < 0.0:
                f0 += e * values[start + 6 + 3 * r]
                f1 += e * values[start + 7 + 3 * r]
                f2 += e * values[start + 8 + 3 * r]
        if kind == MASS:
            share = 1.0 / tree.below[0]
            for node in range(1, tree.parent.size):
                locate(state, node, tree.center[node], x)
                _hang(loads[node], share * tree.mass[node], x, f0, f1, f2)
            continue
        for side in range(2 if kind == GAP else 1):
            node = block[b, NODE] if side == 0 else block[b, OTHER]
            locate(state, node, values[start + 3 * side : start + 3 * side + 3], x)
            _hang(loads[node], 1.0 if side == 0 else -1.0, x, f0, f1, f2)


@compiled
def _hang_moments(tree, state, v, scale, force, x, loads):
    """Hang what λ · (Σ x × f + G × w) pulls with: f × λ at every x, w × λ at all masses.

    λ · (x × f) = x · (f × λ), so that a moment is a sum of points. Torques bend nothing.
    """
    scale *= v[0]
    l0, l1, l2 = scale * force[0], scale * force[1], scale * force[2]
    end = MOMENT_HEAD + FORCE * int(v[7])
    for k in range(MOMENT_HEAD, end, FORCE):
        node, f0, f1, f2 = int(v[k]), v[k + 4], v[k + 5], v[k + 6]
        locate(state, node, v[k + 1 : k + 4], x)
        _hang(loads[node], 1.0, x, f1 * l2 - f2 * l1, f2 * l0 - f0 * l2, f0 * l1 - f1 * l0)
    part = v[end : end + int(v[8])]
    share = 1.0 / mass_of(tree, part)
    f0, f1, f2 = v[5] * l2 - v[6] * l1, v[6] * l0 - v[4] * l2, v[4] * l1 - v[5] * l0
    for node in range(1, tree.parent.size):
        if part.size == 0 or part[MOMENTS + node] > 0.0:
            locate(state, node, tree.center[node], x)
            _hang(loads[node], share * tree.mass[node], x, f0, f1, f2)


@compiled
def _hang(load, weight, x, f0, f1, f2):
    f0, f1, f2 = weight * f0, weight * f1, weight * f2
    load[0] += f0
    load[1] += f1
    load[2] += f2
    for r in range(3):
        load[3 + 3 * r] += x[r] * f0
        load[4 + 3 * r] += x[r] * f1
        load[5 + 3 * r] += x[r] * f2


@compiled
def _hang_axis(load, weight, v, f0, f1, f2):
    for r in range(3):
        load[3 + 3 * r] += weight * v[r] * f0
        load[4 + 3 * r] += weight * v[r] * f1
        load[5 + 3 * r] += weight * v[r] * f2


@compiled
def _axis(state, node, local, v):
    """A direction given in a node's frame, in the world."""
    R = state.rotation[node]
    for r in range(3):
        v[r] = R[3 * r] * local[0] + R[3 * r + 1] * local[1] + R[3 * r + 2] * local[2]


@compiled
def _sight(x, goal):
    """The direction from a point to another, and the distance; zero where they coincide."""
    d0, d1, d2 = goal[0] - x[0], goal[1] - x[1], goal[2] - x[2]
    length = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
    if length <= 1e-9:
        return 0.0, 0.0, 0.0, 0.0
    return d0 / length, d1 / length, d2 / length, length


@compiled
def _bowl(tree, blocks, state, scratch, b, residual, force, scales, out):
    """Add what an orientation or a line of sight has besides loads: x_i · (α + d hᵀ + h dᵀ) x_j.

    An orientation, with ω for x: α (ω_i · ω_j − (d · ω_i)(d · ω_j)), α = s (κ − η), where the force
    is s e, d is along e, κ = (θ/2) cot (θ/2) and η = (θ/2)²/sin² (θ/2); h = −α d/2. A line of sight
    along d, with P = 1 − ddᵀ: −((d·x_j)(f·Px_i) + (d·x_i)(f·Px_j) + (f·d)(x_i·Px_j))/ρ²;
    α = −(f·d)/ρ², h = −(f − 3/2 (f·d) d)/ρ². No coordinate moves a node twice.
    """
    node, start, row = blocks.block[b, NODE], blocks.block[b, START], blocks.block[b, ROW]
    scale, x, rows = blocks.factor[b, SCALE], scratch.point[0], scratch.rows
    f0, f1, f2 = scale * force[row], scale * force[row + 1], scale * force[row + 2]
    clear(rows, 3)
    if blocks.block[b, KIND] == TURN:
        d0, d1, d2 = residual[row], residual[row + 1], residual[row + 2]
        size = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
        if size < 1e-6:
            return
        d0, d1, d2 = d0 / size, d1 / size, d2 / size
        half = 0.5 * size / scale
        alpha = scale * (f0 * d0 + f1 * d1 + f2 * d2) / size
        alpha *= half / math.tan(half) - (half / math.sin(half)) ** 2
        h0, h1, h2 = -0.5 * alpha * d0, -0.5 * alpha * d1, -0.5 * alpha * d2
        turn_rows(tree, state, node, rows)
    else:
        locate(state, node, blocks.values[start : start + 3], x)
        d0, d1, d2, length = _sight(x, blocks.values[start + 6 : start + 9])
        if length == 0.0:
            return
        factor, along = -1.0 / (length * length), f0 * d0 + f1 * d1 + f2 * d2
        alpha = factor * along
        h0 = factor * (f0 - 1.5 * along * d0)
        h1 = factor * (f1 - 1.5 * along * d1)
        h2 = factor * (f2 - 1.5 * along * d2)
        point_rows(tree, state, node, x, rows)
    columns = tree.column_coordinate[tree.column_start[node] : tree.column_start[node + 1]]
    for i in range(columns.size):
        c = columns[i]
        a0, a1, a2 = scales[c] * rows[0, c], scales[c] * rows[1, c], scales[c] * rows[2, c]
        rows[0, c], rows[1, c], rows[2, c] = a0, a1, a2
        h, d = h0 * a0 + h1 * a1 + h2 * a2, d0 * a0 + d1 * a1 + d2 * a2
        p0 = alpha * a0 + h * d0 + d * h0
        p1 = alpha * a1 + h * d1 + d * h1
        p2 = alpha * a2 + h * d2 + d * h2
        for j in range(i):
            o = columns[j]
            s = rows[0, o] * p0 + rows[1, o] * p1 + rows[2, o] * p2
            out[c, o] += s
            out[o, c] += s
        out[c, c] += a0 * p0 + a1 * p1 + a2 * p2
