"""Second derivatives of residuals that cannot vanish.

Near a minimum of ½|e|² the Hessian is JᵀJ + S with S = Σ e ∇²e. Gauss-Newton leaves S out,
which is right when e goes to zero. When a goal is out of reach e stays, S is of the order
|e|·ℓ against JᵀJ's ℓ², and steps overshoot by 1 + |e|/ℓ: that is the jitter of stretched arms.

For a point x on a node, ∂²x/∂x_i∂x_j = ω_i × ∂x/∂x_j where member i is nearer to the ground than
j, so that S_ij = (F × ω_i) · ∂x/∂x_j with F = Σ e_r d_r. Within one ball the axes ω move with
its own coordinates: that adds M · ∂ω_i/∂x_j, with the moment M of F about its centre. It vanishes
at a minimum, unless the ball is at a stop. Members of groups pass theirs on to the parameters by
their rates; how these rates change, where a group is not linear, is left out.

Which kinds of block have second derivatives, and which these are besides, is in their own files.
"""

from poise.kernel.arrays import Floats, Floats2
from poise.kernel.body.bends import SUMS, TORQUE, add_own, moment_about, swept, turn_axes
from poise.kernel.body.tree import WIDTH, State, Tree
from poise.kernel.body.vectors import add, cross, dot, plus, three, times
from poise.kernel.compiling import compiled, entry
from poise.kernel.filling import clear
from poise.kernel.residuals import kinds
from poise.kernel.residuals.blocks import (
    KIND,
    NODE,
    OTHER,
    ROW,
    ROWS,
    SCALE,
    START,
    Blocks,
    Scratch,
    Terms,
)


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

    Of kinds of block that have none, what Gauss-Newton knows of them has to do.

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
    clear(loads, loads.shape[0])
    block, values, factors = blocks.block, blocks.values, blocks.factor
    for b in range(last):
        kind, node, other, row = block[b, KIND], block[b, NODE], block[b, OTHER], block[b, ROW]
        stop, v = row + block[b, ROWS], values[block[b, START] : block[b + 1, START]]
        f, one_sided, weight = force[row:stop], blocks.inequality[row:stop], factors[b, SCALE]
        kinds.load(kind, tree, state, scratch, node, other, v, f, one_sided, weight, loads)
    _sweep(tree, state, scratch, torques, loads, scale, out)
    for b in range(last):
        kind, node, other, row = block[b, KIND], block[b, NODE], block[b, OTHER], block[b, ROW]
        stop, v = row + block[b, ROWS], values[block[b, START] : block[b + 1, START]]
        terms = Terms(factors[b, SCALE], residual[row:stop], force[row:stop], matrix[row:stop])
        kinds.add_curvature(kind, tree, state, scratch, node, other, v, terms, scale, out)


@compiled
def _sweep(tree, state, scratch, torques, loads, scale, out):
    """Add what all loads do, and the torques on single joints, from the ends of the tree."""
    T, own, pull = state.twist, scratch.own, scratch.pull
    for node in range(tree.parent.size - 1, 0, -1):
        load, before, first = loads[node], tree.parent[node], tree.first[node]
        busy = False
        for c in range(SUMS):
            busy |= load[c] != 0.0
            if before > 0:
                loads[before, c] += load[c]
        for c in range(3):
            busy |= torques[node, c] != 0.0
        add(load, TORQUE, torques[node])
        if not busy:
            continue
        torque, width = three(load, TORQUE), WIDTH[tree.kind[node]]
        for c in range(width):
            b = first + c
            # S_ab = ω_a · m. Of a moment it is half of ω × M.
            m = plus(swept(T, b, load), times(0.5, cross(T[b], torque)))
            pull[c, 0], pull[c, 1], pull[c, 2] = m
            for a in range(c + 1):
                own[a, c] = dot(T[first + a], m)
        _cross(tree, state, before, first, width, pull, scale, out)
        turn_axes(tree, state, node, moment_about(state.position, node, load), own)
        add_own(tree, state, first, width, own, scale, out)


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
