"""What keeps a level at rest, and what brings it back.

`stiff_rows` turns what an unmet level needs, once it has come to rest, into rows for the levels
below: L with LᵀL ≈ NᵀHN, H as in `newton`, N = [−T; 1] how coordinates that are no pivots move what
the rows above leave (`echelon`). L is zero at pivots, and each row at those of the rows before it:
it is in echelon form. `restoring_rows` and `restore` bring back, after a step of such a level,
those above it. Before it is at rest, `ease` looks for a task of it that others hide.
"""

import math

import numpy as np

from poise.kernel.arrays import Floats2, Ints
from poise.kernel.compiling import compiled, entry
from poise.kernel.hierarchy import arrays as at
from poise.kernel.hierarchy.arrays import Workspace
from poise.kernel.lex.echelon import NEW, PIVOT, REST, ROUNDING, basic, eliminate, reduce, slopes
from poise.kernel.lex.faces import (
    ALONG,
    AT_STOP,
    CURVED,
    EQUALITIES,
    FORCE,
    GRADIENT,
    LEFT,
    PULL,
    SHARE,
    STEP,
    Room,
    hold,
    keep,
    keep_before,
    keep_made,
    project,
    span,
)
from poise.kernel.residuals.blocks import ROW
from poise.kernel.residuals.sizes import error

HIDDEN = 0.04
"""A task whose error has no more than this share of its level's square is hidden by others."""

ALONE = 0.5
"""What a level gains by meeting one of its tasks must be this share of what that task gains: more
must not be paid by others."""

ALIKE = 1e-3
"""What must be left of the square of a row without others for it to be brought back in full; what
is nearly the same as other rows would lead far."""


@compiled
def _add_rows(ws, hessian, first, last):
    """Add JᵀJ of the rows from first to last that are not satisfied."""
    n, width = hessian.shape
    for r in range(first, last):
        satisfied = ws.rows[at.UPPER, r] >= 0.0 and ws.rows[at.LOWER, r] <= 0.0
        if satisfied and ws.rows[at.UPPER, r] - ws.rows[at.LOWER, r] > at.EQUAL:
            continue
        a = ws.matrix[r]
        for i in range(n):
            row, f = hessian[i], a[i]
            for t in range(width):
                row[t] += f * a[t]


@compiled
def _keep_pressed(ws, room, rank):
    """Make the bounds that the level presses against equalities."""
    gradient, force, members = room.vectors[GRADIENT], room.vectors[FORCE], room.members
    size = 0.0
    for t in range(ws.matrix.shape[1]):
        size = max(size, abs(gradient[t]))
    for c in range(room.known[EQUALITIES], rank):
        member, side = members[0, c], members[1, c]
        if side != 0 and force[c] * side > 1e-6 * size:
            if member >= 0:
                ws.rows[at.LOWER, member], ws.rows[at.UPPER, member] = 0.0, 0.0
            else:
                ws.boxes[at.BOX_LOWER, -1 - member] = 0.0
                ws.boxes[at.BOX_UPPER, -1 - member] = 0.0
            keep(ws, room, member)


@compiled
def _reduce(room):
    """Turn H into NᵀHN; fill ALONG with how it bends for a step of length 1 along N_j.

    That is −∞ at pivots. CURVED is filled with 1/|N_j|².
    """
    hessian, bend, inverse = room.hessian, room.vectors[ALONG], room.vectors[CURVED]
    n, rank, columns = hessian.shape[0], room.known[EQUALITIES], room.columns
    square = room.vectors[STEP]
    reduce(hessian, room.echelon, columns, rank, room.slopes)
    free = slopes(room.echelon, columns, rank, room.slopes)
    for i in range(free):
        square[i] = 1.0
    for c in range(rank):
        slope = room.slopes[c]
        for i in range(free):
            square[i] += slope[i] * slope[i]
    for i in range(n):
        bend[i], inverse[i] = -np.inf, 1.0
    for i in range(free):
        j = columns[REST, i]
        bend[j], inverse[j] = hessian[j, j] / square[i], 1.0 / square[i]


@compiled
def _factor(room, enough, kept, pivots):
    """Fill L with LᵀL ≈ the reduced H, and its pivots; how many rows it has.

    The next pivot is where what is left of H bends most for a step of length 1.
    """
    hessian, bend, inverse = room.hessian, room.vectors[ALONG], room.vectors[CURVED]
    n, width = hessian.shape
    above, rank, count = room.columns[PIVOT], room.known[EQUALITIES], 0
    most = 0.0
    while count < kept.shape[0]:
        p, best = 0, -np.inf
        for i in range(n):
            if bend[i] > best:
                p, best = i, bend[i]
        most = max(most, best)
        if best <= max(enough, NEW * most, ROUNDING * ROUNDING):
            break
        row, source, factor = kept[count], hessian[p], math.sqrt(inverse[p] / best)
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
        for c in range(rank):  # not even rounding
            row[above[c]] = 0.0
        for c in range(count):
            row[pivots[c + 1]] = 0.0
        for t in range(width):
            row[t] *= factor
            bend[t] -= row[t] * row[t] * inverse[t]
        bend[p] = -np.inf
        count += 1
        pivots[count] = p
    pivots[0] = count
    return count


@entry
def stiff_rows(
    ws: Workspace,
    room: Room,
    first: int,
    last: int,
    rank: int,
    enough: float,
    tilt: float,
    kept: Floats2,
    pivots: Ints,
) -> int:
    """Replace the rows from first on by those that keep the level at rest; how many there are.

    Stops when what is left of H bends nowhere by more than `enough`, or at the most rows. Bounds
    that the level presses against become equalities.
    """
    width, left = ws.matrix.shape[1], room.vectors[LEFT]
    _add_rows(ws, room.hessian, first, last)
    _keep_pressed(ws, room, rank)
    _reduce(room)
    count = _factor(room, enough, kept, pivots)
    keep_made(ws, room, first, kept, pivots[1:], count)
    for c in range(count):
        row = ws.matrix[first + c]
        for t in range(width):
            row[t] = kept[c, t]
        ws.rows[at.LOWER, first + c], ws.rows[at.UPPER, first + c] = 0.0, 0.0
    slope = 0.0
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
def _restore_equalities(ws, room):
    """Fill STEP with the shortest step that gives equalities what they want."""
    equalities, members, triangle = room.known[EQUALITIES], room.members, room.triangle
    value, step, beside = room.vectors[ALONG], room.vectors[STEP], room.vectors[CURVED]
    for c in range(equalities):
        member, factors = members[0, c], triangle[c]
        wanted = ws.rows[at.LOWER, member] if member >= 0 else 0.0
        for k in range(c):
            wanted -= factors[k] * value[k]
        value[c] = wanted / factors[c] * min(1.0, room.vectors[SHARE, c] / ALIKE)
    basic(room.echelon, room.columns[PIVOT], equalities, value, step)
    for t in range(ws.matrix.shape[1]):
        beside[t] = step[t]
    project(room, equalities, beside, room.vectors[PULL])
    for t in range(ws.matrix.shape[1]):
        step[t] -= beside[t]


@entry
def restoring_rows(
    ws: Workspace, room: Room, first: int, kept: Floats2, pivots: Ints, soft: float
) -> int:
    """Replace the rows from first on by those that bring a level back to rest; their number.

    They are the stiff rows L from before, with what they must come to: LᵀL u is minus the slope.
    Along what bends less than `soft` it is not brought back: that would lead too far. All that is
    besides the shortest step that brings back the rows above. Where these have other pivots than
    those that L was made for, what it must come to is only about right.
    """
    slope, left, step = room.vectors[CURVED], room.vectors[LEFT], room.vectors[STEP]
    count = pivots[0]
    keep_before(ws, room, first)
    span(room)
    _restore_equalities(ws, room)
    above = keep_made(ws, room, first, kept, pivots[1:], count)
    for t in range(ws.matrix.shape[1]):
        slope[t] = left[t]
    eliminate(room.echelon, room.columns[PIVOT], above, slope, room.vectors[PULL])
    for c in range(count):
        p, row = pivots[c + 1], ws.matrix[first + c]
        wanted = slope[p]
        for k in range(c):
            wanted -= kept[k, p] * ws.rows[at.LOWER, first + k]
        wanted /= kept[c, p]
        for t in range(row.size):
            row[t] = kept[c, t]
        ws.rows[at.LOWER, first + c] = wanted
    for c in range(count):
        bend, row = kept[c, pivots[c + 1]] ** 2, kept[c]
        wanted = ws.rows[at.LOWER, first + c] * bend / (bend + soft)
        for t in range(row.size):
            wanted += row[t] * step[t]
        ws.rows[at.LOWER, first + c], ws.rows[at.UPPER, first + c] = wanted, wanted
    return count


@compiled
def _restore_bound(ws, room, c):
    """Add to STEP what the row in force at c, a bound, wants besides."""
    member, side, step = room.members[0, c], room.members[1, c], room.vectors[STEP]
    own, new = room.triangle[c, c], room.basis[c]
    if member >= 0:
        a, whole = ws.matrix[member], 0.0
        wanted = ws.rows[at.UPPER if side > 0 else at.LOWER, member]
        for t in range(a.size):
            wanted -= a[t] * step[t]
            whole += a[t] * a[t]
    else:
        j, whole = -1 - member, 1.0
        wanted = ws.boxes[at.BOX_UPPER if side > 0 else at.BOX_LOWER, j] - step[j]
    share = wanted * own / max(own * own, ALIKE * (whole - own * own))
    for t in range(new.size):
        step[t] += share * new[t]


@entry
def restore(ws: Workspace, room: Room, first: int, rank: int, radius: float) -> int:
    """Fill STEP with the shortest step that gives the rows before `first` what they want; the rank.

    No longer than the radius. Bounds and inequalities that it would break are held from here on.
    """
    n, width = ws.box_sets.shape[1], ws.matrix.shape[1]
    rows, boxes, step = ws.rows, ws.boxes, room.vectors[STEP]
    _restore_equalities(ws, room)
    begin = room.known[EQUALITIES]
    while True:
        for c in range(begin, rank):
            _restore_bound(ws, room, c)
        begin, square = rank, 0.0
        for t in range(width):
            square += step[t] * step[t]
        if square > radius * radius:
            break
        member, side, worst = 0, 0, AT_STOP
        for j in range(n):
            if step[j] - boxes[at.BOX_UPPER, j] > worst:
                member, side, worst = -1 - j, 1, step[j] - boxes[at.BOX_UPPER, j]
            elif boxes[at.BOX_LOWER, j] - step[j] > worst:
                member, side, worst = -1 - j, -1, boxes[at.BOX_LOWER, j] - step[j]
        for r in range(first):
            low, up = rows[at.LOWER, r], rows[at.UPPER, r]
            if up - low > at.EQUAL:
                a, s = ws.matrix[r], 0.0
                for t in range(width):
                    s += a[t] * step[t]
                if s - up > worst:
                    member, side, worst = r, 1, s - up
                elif low - s > worst:
                    member, side, worst = r, -1, low - s
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
                held = hold(ws, room, held, first + r - starts[k], 0)
        restore(ws, room, first, held, radius)
        slope = 0.0
        for t in range(ws.box_sets.shape[1]):
            slope -= gradient[t] * step[t]
        if slope > ALONE * square:
            return 0.5 * slope
    return 0.0
