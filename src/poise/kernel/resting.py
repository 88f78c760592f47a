"""What keeps a level at rest, and what brings it back.

`stiff_rows` turns what an unmet level needs, once it has come to rest, into rows for the levels
below: L with LᵀL ≈ H in its face, H as in `newton`. `restoring_rows` and `restore` bring back,
after a step of such a level, those above it. Before it is at rest, `ease` looks for a task of it
that others hide.
"""

import math

import numpy as np

from poise.kernel import hierarchy_arrays as at
from poise.kernel.blocks import ROW
from poise.kernel.compiling import compiled
from poise.kernel.faces import ALONG, AT_STOP, CURVED, FORCE, GRADIENT, LEFT, STEP, hold
from poise.kernel.levels import error

HIDDEN = 0.04
"""A task whose error has no more than this share of its level's square is hidden by others."""

ALONE = 0.5
"""What a level gains by meeting one of its tasks must be this share of what that task gains: more
must not be paid by others."""

ALIKE = 1e-3
"""Square of the share of a row that must be new for it to be brought back in full; what is nearly
the same as other rows would lead far."""


@compiled
def _project(hessian, basis, rank, u0, u1):
    """Turn a symmetric matrix H (n, w) into P H P, P = I − BᵀB, B the first rows of a basis.

    Two rows of B at once, so that H is read half as often: with M = B H Bᵀ it loses BᵀU + UᵀB,
    U = B H − ½ M B, for which there is room in u0 and u1 (w,).
    """
    n, width = hessian.shape
    for c in range(0, rank, 2):
        pair = 1.0 if c + 1 < rank else 0.0  # a last one alone: the other counts nothing
        b0, b1 = basis[c], basis[min(c + 1, rank - 1)]
        m00, m01, m11 = 0.0, 0.0, 0.0
        for t in range(width):
            u0[t], u1[t] = 0.0, 0.0
        for i in range(n):
            row, d0, d1 = hessian[i], 0.0, 0.0
            for t in range(width):
                d0 += row[t] * b0[t]
                d1 += row[t] * b1[t]
            d1 *= pair
            u0[i], u1[i] = d0, d1
            m00 += d0 * b0[i]
            m01 += d1 * b0[i]
            m11 += d1 * b1[i]
        for t in range(width):
            u0[t] -= 0.5 * (m00 * b0[t] + m01 * b1[t])
            u1[t] -= 0.5 * (m01 * b0[t] + m11 * b1[t])
        for i in range(n):
            row, x0, x1, y0, y1 = hessian[i], b0[i], pair * b1[i], u0[i], pair * u1[i]
            for t in range(width):
                row[t] -= x0 * u0[t] + y0 * b0[t] + x1 * u1[t] + y1 * b1[t]


@compiled
def stiff_rows(ws, room, first, last, rank, enough, tilt, kept, pivots):
    """Replace the rows from first on by those that keep the level at rest; how many there are.

    Stops when no diagonal entry of what is left of H exceeds `enough`, or at the most rows.
    Bounds that the level presses against become equalities.
    """
    n, width = ws.box_sets.shape[1], ws.matrix.shape[1]
    hessian, gradient = room.hessian, room.vectors[GRADIENT]
    force, members = room.vectors[FORCE], room.members
    for r in range(first, last):
        satisfied = ws.rows[at.UPPER, r] >= 0.0 and ws.rows[at.LOWER, r] <= 0.0
        if satisfied and ws.rows[at.UPPER, r] - ws.rows[at.LOWER, r] > at.EQUAL:
            continue
        a = ws.matrix[r]
        for i in range(n):
            row, f = hessian[i], a[i]
            for t in range(width):
                row[t] += f * a[t]
    _project(hessian, room.basis, rank, room.vectors[CURVED, :width], room.vectors[ALONG, :width])
    size = 0.0
    for t in range(width):
        size = max(size, abs(gradient[t]))
    for c in range(rank):
        member, side = members[0, c], members[1, c]
        if side != 0 and force[c] * side > 1e-6 * size:
            if member >= 0:
                ws.rows[at.LOWER, member], ws.rows[at.UPPER, member] = 0.0, 0.0
            else:
                ws.boxes[at.BOX_LOWER, -1 - member] = 0.0
                ws.boxes[at.BOX_UPPER, -1 - member] = 0.0
    diagonal, count = room.vectors[ALONG], np.int64(0)
    for i in range(n):
        diagonal[i] = hessian[i, i]
    while count < kept.shape[0]:
        p, best = np.int64(0), -np.inf
        for i in range(n):
            if diagonal[i] > best:
                p, best = np.int64(i), diagonal[i]
        if best <= enough:
            break
        row, source, root = kept[count], hessian[p], math.sqrt(best)
        for t in range(width):
            row[t] = source[t]
        for block in range(count // 4):
            c = 4 * block
            a0, a1, a2, a3 = kept[c], kept[c + 1], kept[c + 2], kept[c + 3]
            f0, f1, f2, f3 = a0[p], a1[p], a2[p], a3[p]
            for t in range(width):
                row[t] -= f0 * a0[t] + f1 * a1[t] + f2 * a2[t] + f3 * a3[t]
        for c in range(count // 4 * 4, count):
            other, f = kept[c], kept[c, p]
            for t in range(width):
                row[t] -= f * other[t]
        for t in range(width):
            row[t] /= root
        for i in range(n):
            diagonal[i] -= row[i] * row[i]
        diagonal[p] = -np.inf
        count += 1
        pivots[count] = p
    pivots[0] = count
    for c in range(count):
        row = ws.matrix[first + c]
        for t in range(width):
            row[t] = kept[c, t]
        ws.rows[at.LOWER, first + c], ws.rows[at.UPPER, first + c] = 0.0, 0.0
    slope, left = 0.0, room.vectors[LEFT]
    for t in range(width):
        slope += left[t] * left[t]
    slope = math.sqrt(slope)
    if slope > tilt:
        row = ws.matrix[first + count]
        for t in range(width):
            row[t] = left[t] / slope
        ws.rows[at.LOWER, first + count], ws.rows[at.UPPER, first + count] = 0.0, np.inf
        count += 1
    return count


@compiled
def restoring_rows(ws, room, first, kept, pivots, soft):
    """Replace the rows from first on by those that bring a level back to rest; their number.

    They are the stiff rows L from before, with what they must come to: LᵀL u is minus the slope.
    Along what bends less than `soft` it is not brought back: that would lead too far.
    """
    left, count = room.vectors[LEFT], pivots[0]
    for c in range(count):
        p, row = pivots[c + 1], ws.matrix[first + c]
        wanted = left[p]
        for k in range(c):
            wanted -= kept[k, p] * ws.rows[at.LOWER, first + k]
        wanted /= kept[c, p]
        for t in range(row.size):
            row[t] = kept[c, t]
        ws.rows[at.LOWER, first + c] = wanted
    for c in range(count):
        bend = kept[c, pivots[c + 1]] ** 2
        wanted = ws.rows[at.LOWER, first + c] * bend / (bend + soft)
        ws.rows[at.LOWER, first + c], ws.rows[at.UPPER, first + c] = wanted, wanted
    return count


@compiled
def restore(ws, room, first, rank, radius):
    """Fill STEP with the shortest step that gives the rows before `first` what they want; the rank.

    No longer than the radius. Bounds and inequalities that it would break are held from here on.
    """
    n, width = ws.box_sets.shape[1], ws.matrix.shape[1]
    rows, boxes, members, basis = ws.rows, ws.boxes, room.members, room.basis
    step, share = room.vectors[STEP], room.vectors[ALONG]
    for t in range(width):
        step[t] = 0.0
    begin, square = np.int64(0), 0.0
    while True:
        for c in range(begin, rank):
            member, side = members[0, c], members[1, c]
            if member >= 0:
                wanted = rows[at.UPPER if side > 0 else at.LOWER, member]
            elif side == 0:
                wanted = 0.0
            else:
                wanted = boxes[at.BOX_UPPER if side > 0 else at.BOX_LOWER, -1 - member]
            own, whole = room.triangle[c, c], 0.0
            for i in range(c):
                wanted -= room.triangle[c, i] * share[i]
                whole += room.triangle[c, i] ** 2
            share[c] = wanted * own / max(own * own, ALIKE * whole)
            square += share[c] * share[c]
            b = basis[c]
            for t in range(width):
                step[t] += share[c] * b[t]
        begin = rank
        if square > radius * radius or rank == basis.shape[0] - 1:
            break
        member, side, worst = np.int64(0), np.int64(0), AT_STOP
        for j in range(n):
            if step[j] - boxes[at.BOX_UPPER, j] > worst:
                member, side, worst = -1 - j, np.int64(1), step[j] - boxes[at.BOX_UPPER, j]
            elif boxes[at.BOX_LOWER, j] - step[j] > worst:
                member, side, worst = -1 - j, np.int64(-1), boxes[at.BOX_LOWER, j] - step[j]
        for r in range(first):
            low, up = rows[at.LOWER, r], rows[at.UPPER, r]
            if up - low > at.EQUAL:
                a, s = ws.matrix[r], 0.0
                for t in range(width):
                    s += a[t] * step[t]
                if s - up > worst:
                    member, side, worst = np.int64(r), np.int64(1), s - up
                elif low - s > worst:
                    member, side, worst = np.int64(r), np.int64(-1), low - s
        if side == 0:
            break
        rank = hold(ws, room, rank, member, side)
        if rank == begin:
            break
    scale = min(1.0, radius / math.sqrt(max(square, 1e-300)))
    for j in range(n):  # what can't be held is not gone beyond
        step[j] = min(max(scale * step[j], boxes[at.BOX_LOWER, j]), boxes[at.BOX_UPPER, j])
    return rank


@compiled
def ease(ws, room, blocks, residual, k, first, rank, radius, tolerance):
    """Fill STEP with one that meets a task of level k; what the level gains by it, 0 if none does.

    Beside a goal metres away centimetres of another task are next to nothing, and a level would be
    at rest with them. `first` is the level's first row, `rank` that of its face.
    """
    block, starts, inequality = blocks.block, blocks.level, blocks.inequality
    size, step, gradient = 0.0, room.vectors[STEP], room.vectors[GRADIENT]
    for r in range(starts[k], starts[k + 1]):
        if inequality[r] == 0 or residual[r] < 0.0:
            size += residual[r] * residual[r]
    for b in range(block.shape[0] - 1):
        if not starts[k] <= block[b, ROW] < starts[k + 1]:
            continue
        if error(block, blocks.factor, inequality, residual, b) <= tolerance:
            continue
        square, held = 0.0, rank
        for r in range(block[b, ROW], block[b + 1, ROW]):
            if inequality[r] == 0 or residual[r] < 0.0:
                square += residual[r] * residual[r]
        if square > HIDDEN * size:
            continue
        for r in range(block[b, ROW], block[b + 1, ROW]):
            if inequality[r] == 0 or residual[r] < 0.0:
                held = hold(ws, room, held, first + r - starts[k], np.int64(0))
        restore(ws, room, first, held, radius)
        slope = 0.0
        for t in range(ws.box_sets.shape[1]):
            slope -= gradient[t] * step[t]
        if slope > ALONE * square:
            return 0.5 * slope
    return 0.0
