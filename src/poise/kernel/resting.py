"""What keeps a level at rest, and what brings it back.

`stiff_rows` turns what an unmet level needs, once it has come to rest, into rows for the levels
below: L with LᵀL ≈ H in its face, H as in `newton`. `restoring_rows` and `restore` bring back,
after a step of such a level, those above it.
"""

import math

import numpy as np

from poise.kernel import hierarchy_arrays as at
from poise.kernel.compiling import compiled
from poise.kernel.faces import ALONG, AT_STOP, CURVED, FORCE, GRADIENT, LEFT, STEP, hold

ALIKE = 1e-3
"""Square of the share of a row that must be new for it to be brought back in full; what is nearly
the same as other rows would lead far."""


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
    turned = room.vectors[CURVED]
    for c in range(rank):  # H becomes P H P, P = I − bbᵀ, for one row after the other
        b, s = room.basis[c], 0.0
        for i in range(n):
            row, d = hessian[i], 0.0
            for t in range(width):
                d += row[t] * b[t]
            turned[i] = d
            s += b[i] * d
        for i in range(n):
            turned[i] -= 0.5 * s * b[i]
        for t in range(n, width):
            turned[t] = 0.0
        for i in range(n):
            row, x, y = hessian[i], b[i], turned[i]
            for t in range(width):
                row[t] -= x * turned[t] + y * b[t]
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
        for k in range(count):
            other = kept[k]
            f = other[p]
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
