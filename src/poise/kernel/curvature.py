"""Second derivatives of residuals that cannot vanish.

Near a minimum of ½|e|² the Hessian is JᵀJ + S with S = Σ e ∇²e. Gauss-Newton leaves S out,
which is right when e goes to zero. When a goal is out of reach e stays, S is of the order
|e|·ℓ against JᵀJ's ℓ², and steps overshoot by 1 + |e|/ℓ: that is the jitter of stretched arms.

For a point x on a node, ∂²x/∂q_i∂q_j = ω_i × ∂x/∂q_j where coordinate i is nearer to the
ground than j, so that S_ij = (F × ω_i) · ∂x/∂q_j with F = Σ e_r d_r. Within one ball the chart's
own curvature is left out: at a minimum it meets a moment that vanishes.

S enters a level as rows: S ≈ L Lᵀ by pivoted Cholesky, and Lᵀu should vanish. Only its positive
part counts; where S is negative the goal is within reach, and Gauss-Newton knows better.
"""

import math

import numpy as np

from poise.kernel.blocks import GAP, KIND, MASS, NODE, OTHER, POINT, ROW, ROWS, SCALE, START
from poise.kernel.compiling import compiled
from poise.kernel.kinematics import locate


@compiled
def curvature(tree, blocks, state, scratch, force, last, out):
    """Write S of all blocks before `last` into the symmetric matrix `out` (n, n); its trace.

    Orientations and lines of sight have none here: Gauss-Newton overestimates their curvature,
    which is safe. For the centre of mass `scratch.center_rows` must be up to date. The trace is
    that of the positive part of the diagonal.
    """
    block, values, n = blocks.block, blocks.values, out.shape[0]
    for i in range(n):
        for j in range(n):
            out[i, j] = 0.0
    for b in range(last):
        kind = block[b, KIND]
        if kind != POINT and kind != MASS and kind != GAP:
            continue
        start, row = block[b, START], block[b, ROW]
        f0, f1, f2 = 0.0, 0.0, 0.0
        for r in range(block[b, ROWS]):
            e = force[row + r] * blocks.factor[b, SCALE]
            if blocks.inequality[row + r] == 0 or e < 0.0:
                f0 += e * values[start + 6 + 3 * r]
                f1 += e * values[start + 7 + 3 * r]
                f2 += e * values[start + 8 + 3 * r]
        if kind == MASS:
            _mass(tree, state, scratch.center_rows, f0, f1, f2, out)
            continue
        for side in range(2 if kind == GAP else 1):
            node = block[b, NODE] if side == 0 else block[b, OTHER]
            sign = 1.0 if side == 0 else -1.0
            locate(state, node, values[start + 3 * side : start + 3 * side + 3], scratch.point[0])
            _point(tree, state, node, scratch.point[0], sign * f0, sign * f1, sign * f2, out)
    trace = 0.0
    for i in range(out.shape[0]):
        trace += max(out[i, i], 0.0)
    return trace


@compiled
def _point(tree, state, node, x, f0, f1, f2, out):
    start, stop = tree.column_start[node], tree.column_start[node + 1]
    coordinates, twists = tree.column_coordinate[start:stop], tree.column_twist[start:stop]
    for b in range(coordinates.size):
        t = state.twist[twists[b]]
        j0 = t[3] + t[1] * x[2] - t[2] * x[1]
        j1 = t[4] + t[2] * x[0] - t[0] * x[2]
        j2 = t[5] + t[0] * x[1] - t[1] * x[0]
        # (F × ω) · j = ω · (j × F)
        m0, m1, m2 = j1 * f2 - j2 * f1, j2 * f0 - j0 * f2, j0 * f1 - j1 * f0
        j = coordinates[b]
        for a in range(b + 1):
            i, w = coordinates[a], state.twist[twists[a]]
            s = w[0] * m0 + w[1] * m1 + w[2] * m2
            out[i, j] += s
            if a < b:
                out[j, i] += s


@compiled
def _mass(tree, state, rows, f0, f1, f2, out):
    done = -1
    for member in range(tree.source.size):
        j = tree.source[member]
        if j < 0 or j == done:
            continue
        done = j
        node = tree.member_node[member]
        j0, j1, j2 = rows[0, j], rows[1, j], rows[2, j]
        m0, m1, m2 = j1 * f2 - j2 * f1, j2 * f0 - j0 * f2, j0 * f1 - j1 * f0
        start, stop = tree.column_start[node], tree.column_start[node + 1]
        coordinates, twists = tree.column_coordinate[start:stop], tree.column_twist[start:stop]
        for a in range(coordinates.size):
            i, w = coordinates[a], state.twist[twists[a]]
            s = w[0] * m0 + w[1] * m1 + w[2] * m2
            out[i, j] += s
            if i == j:
                break
            out[j, i] += s


@compiled
def factor(matrix, scale, enough, rows, diagonal):
    """Write rows L with scale·matrix·scale ≈ LᵀL, pivot by pivot; how many, and what is left.

    Stops when there is no room for more or no diagonal entry exceeds `enough`. Coordinates with
    scale 0 are left out. `diagonal` (n,) is what of the diagonal is not accounted for, not positive
    where nothing is; what is left is the greatest of it.
    """
    n, most = matrix.shape[0], rows.shape[0]
    for i in range(n):
        diagonal[i] = matrix[i, i] * scale[i] * scale[i]
    count = 0
    while True:
        p, best = 0, -np.inf
        for i in range(n):
            if diagonal[i] > best:
                p, best = i, diagonal[i]
        if count == most or best <= enough:
            return count, max(best, 0.0)
        row = rows[count]
        root = math.sqrt(best)
        for i in range(n):
            s = matrix[p, i] * scale[p] * scale[i]
            for k in range(count):
                s -= rows[k, p] * rows[k, i]
            row[i] = s / root
        for i in range(n):
            diagonal[i] -= row[i] * row[i]
        diagonal[p] = -np.inf
        count += 1
