"""What restores the levels above after a step of a level that is lowered.

`restoring_rows` say what a level at rest wants: back along what bends, by as much as it has grown.
`restore` finds the shortest step that gives all rows above what they want, within the bounds.
"""

import math

from poise.kernel.arrays import Floats2, Ints
from poise.kernel.compiling import compiled, entry
from poise.kernel.hierarchy import arrays as at
from poise.kernel.hierarchy.arrays import Workspace
from poise.kernel.lex.echelon import PIVOT, basic, eliminate
from poise.kernel.lex.faces import (
    BOUND_SHARE,
    DIRECTION,
    EQUALITIES,
    H_DIRECTION,
    REDUCED_GRADIENT,
    SHARE,
    STEP,
    Newton,
    hold,
    keep_before,
    keep_made,
    project,
    span,
)
from poise.kernel.lex.settings import SETTINGS

ALIKE = 1e-3
"""What must be left of the square of a row without others for it to be brought back in full; what
is nearly the same as other rows would lead far."""


@compiled
def _restore_equalities(ws, newton):
    """Fill STEP with the shortest step that gives equalities what they want."""
    equalities, members, triangle = newton.face_state[EQUALITIES], newton.active, newton.triangle
    value, step, beside = (
        newton.vectors[DIRECTION],
        newton.vectors[STEP],
        newton.vectors[H_DIRECTION],
    )
    for c in range(equalities):
        member, factors = members[0, c], triangle[c]
        wanted = ws.rows[at.LOWER, member] if member >= 0 else 0.0
        for k in range(c):
            wanted -= factors[k] * value[k]
        value[c] = wanted / factors[c] * min(1.0, newton.vectors[SHARE, c] / ALIKE)
    basic(newton.echelon, newton.columns[PIVOT], equalities, value, step)
    for t in range(ws.matrix.shape[1]):
        beside[t] = step[t]
    project(newton, equalities, beside, newton.vectors[BOUND_SHARE])
    for t in range(ws.matrix.shape[1]):
        step[t] -= beside[t]


@entry
def restoring_rows(
    ws: Workspace, newton: Newton, first: int, kept: Floats2, pivots: Ints, soft: float
) -> int:
    """Replace the rows from first on by those that bring a level back to rest; their number.

    They are the stiff rows L from before, with what they must come to: LᵀL u is minus the slope.
    Along what bends less than `soft` it is not brought back: that would lead too far. All that is
    besides the shortest step that brings back the rows above. Where these have other pivots than
    those that L was made for, what it must come to is only about right.
    """
    slope, left, step = (
        newton.vectors[H_DIRECTION],
        newton.vectors[REDUCED_GRADIENT],
        newton.vectors[STEP],
    )
    count = pivots[0]
    keep_before(ws, newton, first)
    span(newton)
    _restore_equalities(ws, newton)
    above = keep_made(ws, newton, first, kept, pivots[1:], count)
    for t in range(ws.matrix.shape[1]):
        slope[t] = left[t]
    eliminate(newton.echelon, newton.columns[PIVOT], above, slope, newton.vectors[BOUND_SHARE])
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
def _restore_bound(ws, newton, c):
    """Add to STEP what the row in force at c, a bound, wants besides."""
    member, side, step = newton.active[0, c], newton.active[1, c], newton.vectors[STEP]
    own, new = newton.triangle[c, c], newton.basis[c]
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
def restore(ws: Workspace, newton: Newton, first: int, rank: int, radius: float) -> int:
    """Fill STEP with the shortest step that gives the rows before `first` what they want; the rank.

    No longer than the radius. Bounds and inequalities that it would break are held from here on.
    """
    n, width = ws.box_sets.shape[1], ws.matrix.shape[1]
    rows, boxes, step = ws.rows, ws.boxes, newton.vectors[STEP]
    _restore_equalities(ws, newton)
    begin = newton.face_state[EQUALITIES]
    while True:
        for c in range(begin, rank):
            _restore_bound(ws, newton, c)
        begin, square = rank, 0.0
        for t in range(width):
            square += step[t] * step[t]
        if square > radius * radius:
            break
        member, side, worst = 0, 0, SETTINGS.at_stop
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
        rank = hold(ws, newton, rank, member, side)
        if rank == begin:
            break
    scale = min(1.0, radius / math.sqrt(max(square, 1e-300)))
    for j in range(n):  # what can't be held is not gone beyond
        step[j] = min(max(scale * step[j], boxes[at.BOX_LOWER, j]), boxes[at.BOX_UPPER, j])
    return rank
