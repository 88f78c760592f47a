"""What keeps a level at rest, and whether it would stay there.

`rest_rows` turns what an unmet level needs, once it has come to rest, into rows for the levels
below: L with LᵀL ≈ NᵀHN, H as in `newton`, N = [−T; 1] how coordinates that are no pivots move what
the rows above leave (`echelon`). L is zero at pivots, and each row at those of the rows before it:
it is in echelon form. Before a level is at rest, `meet_hidden_task` looks for a task of it that
others hide. When all is at rest, `check_rest` asks of each level whether it would stay.
"""

import math

import numpy as np

from poise.kernel.arrays import Floats2, Ints
from poise.kernel.compiling import compiled, entry
from poise.kernel.hierarchy import arrays as at
from poise.kernel.hierarchy.arrays import Workspace
from poise.kernel.lex.echelon import NEW, NONPIVOT, PIVOT, ROUNDING, reduce, slopes
from poise.kernel.lex.faces import (
    DIRECTION,
    EQUALITIES,
    GRADIENT,
    H_DIRECTION,
    MULTIPLIERS,
    REDUCED_GRADIENT,
    STEP,
    Newton,
    face,
    hold,
    keep,
    keep_made,
)
from poise.kernel.lex.levels import growth, within_reach
from poise.kernel.lex.newton import descend, tangential_norm, undo
from poise.kernel.lex.restoration import restore
from poise.kernel.lex.settings import SETTINGS
from poise.kernel.residuals.blocks import ROW
from poise.kernel.residuals.sizes import error

PRESSED = 1e-6
"""A bound with a multiplier above this share of the gradient is pressed against."""


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
def _keep_pressed(ws, newton, rank):
    """Make the bounds that the level presses against equalities."""
    gradient, force, members = newton.vectors[GRADIENT], newton.vectors[MULTIPLIERS], newton.active
    size = 0.0
    for t in range(ws.matrix.shape[1]):
        size = max(size, abs(gradient[t]))
    for c in range(newton.face_state[EQUALITIES], rank):
        member, side = members[0, c], members[1, c]
        if side != 0 and force[c] * side > PRESSED * size:
            if member >= 0:
                ws.rows[at.LOWER, member], ws.rows[at.UPPER, member] = 0.0, 0.0
            else:
                ws.boxes[at.BOX_LOWER, -1 - member] = 0.0
                ws.boxes[at.BOX_UPPER, -1 - member] = 0.0
            keep(ws, newton, member)


@compiled
def _reduce(newton):
    """Turn H into NᵀHN; fill DIRECTION with how it bends for a step of length 1 along N_j.

    That is −∞ at pivots. H_DIRECTION is filled with 1/|N_j|².
    """
    hessian, bend, inverse = newton.hessian, newton.vectors[DIRECTION], newton.vectors[H_DIRECTION]
    n, rank, columns = hessian.shape[0], newton.face_state[EQUALITIES], newton.columns
    square = newton.vectors[STEP]
    reduce(hessian, newton.echelon, columns, rank, newton.slopes)
    free = slopes(newton.echelon, columns, rank, newton.slopes)
    for i in range(free):
        square[i] = 1.0
    for c in range(rank):
        slope = newton.slopes[c]
        for i in range(free):
            square[i] += slope[i] * slope[i]
    for i in range(n):
        bend[i], inverse[i] = -np.inf, 1.0
    for i in range(free):
        j = columns[NONPIVOT, i]
        bend[j], inverse[j] = hessian[j, j] / square[i], 1.0 / square[i]


@compiled
def _factor(newton, enough, kept, pivots):
    """Fill L with LᵀL ≈ the reduced H, and its pivots; how many rows it has.

    The next pivot is where what is left of H bends most for a step of length 1.
    """
    hessian, bend, inverse = newton.hessian, newton.vectors[DIRECTION], newton.vectors[H_DIRECTION]
    n, width = hessian.shape
    above, rank, count = newton.columns[PIVOT], newton.face_state[EQUALITIES], 0
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
def rest_rows(
    ws: Workspace,
    newton: Newton,
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
    width, left = ws.matrix.shape[1], newton.vectors[REDUCED_GRADIENT]
    _add_rows(ws, newton.hessian, first, last)
    _keep_pressed(ws, newton, rank)
    _reduce(newton)
    count = _factor(newton, enough, kept, pivots)
    keep_made(ws, newton, first, kept, pivots[1:], count)
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
def keep_at_rest(memory, k, first, rank):
    """Replace the rows of level k, from `first` on, by those that keep it at rest."""
    run, levels, written, inner = memory.run, memory.levels, memory.written, memory.inner
    size = levels.error[k]
    slack = SETTINGS.slack * size * within_reach(levels, k, size)
    if not (run.all_at_rest and run.is_cold):  # where a solve that starts here has nothing grown
        slack *= min(max(1.0 - growth(levels, k, run.tolerance), 0.0), 1.0)
    tilt = SETTINGS.tilt * size * size
    rows, pivots = memory.rest_rows[k], memory.pivots[k]
    count = rest_rows(inner, memory.newton, first, written.count, rank, slack, tilt, rows, pivots)
    for r in range(first, first + count):
        memory.sources[r] = -1
    inner.starts[k + 2] = first + count
    written.count = first + count


@compiled
def meet_hidden_task(memory, blocks, k, first, rank, radius):
    """Fill STEP with one that meets a task of level k; what the level gains by it, 0 if none does.

    Beside a goal metres away centimetres of another task are next to nothing, and a level would be
    at rest with them. `first` is the level's first row, `rank` that of its face.
    """
    block, starts, inequality = blocks.block, blocks.level, blocks.inequality
    ws, newton, residual = memory.inner, memory.newton, memory.residuals.now
    size, step, gradient = 0.0, newton.vectors[STEP], newton.vectors[GRADIENT]
    for r in range(starts[k], starts[k + 1]):
        if inequality[r] == 0 or residual[r] < 0.0:
            size += residual[r] * residual[r]
    for b in range(block.shape[0] - 1):
        if not starts[k] <= block[b, ROW] < starts[k + 1]:
            continue
        if error(block, blocks.factor, inequality, residual, b) <= memory.run.tolerance:
            continue
        square, held = 0.0, rank
        for r in range(block[b, ROW], block[b + 1, ROW]):
            if inequality[r] == 0 or residual[r] < 0.0:
                square += residual[r] * residual[r]
        if square > SETTINGS.hidden * size:
            continue
        for row in range(first, memory.written.count):
            r = memory.sources[row]
            if block[b, ROW] <= r < block[b + 1, ROW] and (inequality[r] == 0 or residual[r] < 0.0):
                held = hold(ws, newton, held, row, 0)
        restore(ws, newton, first, held, radius)
        slope = 0.0
        for t in range(ws.box_sets.shape[1]):
            slope -= gradient[t] * step[t]
        if slope > SETTINGS.own_gain * square:
            return 0.5 * slope
    return 0.0


@compiled
def check_rest(memory, blocks, k, first, rank, has_near_bounds, little):
    """Ask whether level k, at rest like all others, would stay if a solve started here; the rank.

    It must promise no more than `little`, as the bounds are and, where some are only near, if they
    are touched.
    """
    inner, newton, result, last = memory.inner, memory.newton, memory.result, memory.written.count
    radius, is_task = SETTINGS.newton_radius, k < memory.run.tasks
    if result.is_settled and is_task:
        gain = meet_hidden_task(memory, blocks, k, first, rank, radius)
        result.is_settled = gain == 0.0
    for again in range(2 if has_near_bounds else 1):
        if again == 1:
            rank = face(inner, newton, first, last, SETTINGS.touched)
        if result.is_settled:
            predicted = descend(inner, newton, first, last, rank, radius, False, little)
            undo(newton)
            is_still = not is_task and tangential_norm(newton) < SETTINGS.still
            result.is_settled = predicted <= little or is_still
            is_much = predicted > SETTINGS.disturbed * little
            result.promises_more |= is_much and not result.is_settled
    if has_near_bounds:
        rank = face(inner, newton, first, last, SETTINGS.at_stop)
    if result.first_mover < 0 and not result.is_settled:
        result.first_mover = k
    return rank


@compiled
def is_disturbed(memory, k, first, rank, little):
    """Whether level k, which was at rest and has grown, promises enough to be lowered again."""
    inner, newton, run, last = memory.inner, memory.newton, memory.run, memory.written.count
    radius = min(memory.levels.newton_radius[k], memory.lowering.step_length)
    enough = SETTINGS.disturbed * little
    predicted = descend(inner, newton, first, last, rank, radius, False, enough)
    if predicted > enough and not run.has_stalled:
        return True
    undo(newton)
    return False
