"""The second method for the inner step: orthogonal factors and nothing but descent.

It solves the problem of `hierarchy.step`, and serves as its check and as its refuge. It forms no
Gram matrix, guesses no active set, freezes nothing and starts from zero; it shares the rule by
which a descent goes on (`active.descend`) and is some ten times slower.

Where the Gram matrix squares the condition of the rows, here the rows themselves are turned: with
the free columns packed together, reflections

    A_active Q = [L 0],   L in row echelon form,

are applied row by row, from the most important row down, and kept in place of what they remove.
Rows in force fix y in u = Q y by forward substitution; the level's own rows then leave a small
damped least-squares problem in the next few y, solved by reflections as well; the rest of y is
zero. The resting step, where there is one, is where u is counted from.

The active set is primal. Every level starts from the answer of the level above, which keeps all
that must be kept. One moves towards the minimum on the active set until a row is met, which
becomes active; at the minimum the active row that pulls hardest in the wrong direction is let go.
No point on the way breaks a hard row, so there is a valid answer at any time. After n moves
of no length the first wrong row goes instead of the worst (Bland's rule), so no set comes twice.
"""

import numpy as np

from poise.kernel.compiling import compiled, entry
from poise.kernel.hierarchy import arrays as at
from poise.kernel.hierarchy.active import descend
from poise.kernel.hierarchy.arrays import Workspace
from poise.kernel.hierarchy.factor import add_rows, times

RANK = 1e-8
"""Share of a row that must be new for the row to count as independent."""


@compiled
def reflect(v, x, scale):
    """Apply the reflection 1 − scale · v vᵀ to x."""
    s = 0.0
    for t in range(v.size):
        s += v[t] * x[t]
    s *= scale
    for t in range(v.size):
        x[t] -= s * v[t]


@compiled
def is_finite(x):
    """Say whether all numbers are finite."""
    for t in range(x.size):
        if not np.isfinite(x[t]):
            return False
    return True


@compiled
def turn_rows(ws, first, last, free, width):
    """Factor the active rows above `last` over the free columns.

    Returns (positions above, positions, pivots above, pivots). Row i of ws.spare then holds its
    entries of L up to its pivot, and from there on the pivot's reflection; the diagonal of L is in
    INVERSE, the scale of the reflections in NU.
    """
    order, pivot, spare = ws.row_sets[at.ORDER], ws.row_sets[at.PIVOT], ws.spare
    above = end = hard = pivots = 0
    for r in range(last):
        if ws.row_sets[at.ROW_STATE, r] == 0:
            continue
        row = spare[end, :width]
        for t in range(width):
            row[t] = ws.matrix[r, free[t]]
        for c in range(pivots):
            reflect(spare[pivot[c], c:width], row[c:], ws.rows[at.NU, c])
        rest = 0.0
        tail = row[pivots:]
        for t in range(tail.size):
            rest += tail[t] * tail[t]
        rest = np.sqrt(rest)
        order[end] = r
        if tail.size > 0 and rest > RANK * np.sqrt(ws.rows[at.NORM, r]):
            diagonal = -rest if tail[0] > 0.0 else rest
            ws.rows[at.INVERSE, pivots] = diagonal
            tail[0] -= diagonal
            ws.rows[at.NU, pivots] = -1.0 / (diagonal * tail[0])
            pivot[pivots] = end
            pivots += 1
        end += 1
        if r < first:
            above = end
            hard = pivots
    return above, end, hard, pivots


@compiled
def damped_least_squares(K, m, r, damping, y):
    """Minimise ‖K y − b‖² + damping ‖y‖²: K is m × r, b its next column; both are overwritten.

    The array needs room for r more rows.
    """
    for i in range(m, m + r):
        for c in range(r + 1):
            K[i, c] = 0.0
        K[i, i - m] = np.sqrt(damping)
    for c in range(r):
        s = 0.0
        for i in range(c, m + r):
            s += K[i, c] * K[i, c]
        diagonal = -np.sqrt(s) if K[c, c] > 0.0 else np.sqrt(s)
        K[c, c] -= diagonal
        scale = -1.0 / (diagonal * K[c, c])
        for b in range(c + 1, r + 1):
            s = 0.0
            for i in range(c, m + r):
                s += K[i, c] * K[i, b]
            s *= scale
            for i in range(c, m + r):
                K[i, b] -= s * K[i, c]
        K[c, c] = diagonal
    for c in range(r - 1, -1, -1):
        s = K[c, r]
        for b in range(c + 1, r):
            s -= K[c, b] * y[b]
        y[c] = s / K[c, c]


@compiled
def minimum(ws, first, last, damping):
    """Fill STEP, VALUE, MULTIPLIER and GRADIENT with the level's minimum on the active set."""
    n = ws.box_sets.shape[1]
    order, free = ws.row_sets[at.ORDER], ws.box_sets[at.FREE]
    step, center, home = ws.boxes[at.STEP], ws.boxes[at.CENTER], ws.boxes[at.HOME]
    y, gradient, multiplier = ws.boxes[at.TURNED], ws.boxes[at.GRADIENT], ws.rows[at.MULTIPLIER]
    width = 0
    for j in range(n):
        state = ws.box_sets[at.BOX_STATE, j]
        center[j] = home[j]
        if state == 0:
            free[width] = j
            width += 1
        else:
            center[j] = ws.boxes[at.BOX_UPPER if state > 0 else at.BOX_LOWER, j]
    above, end, hard, pivots = turn_rows(ws, first, last, free, width)
    times(ws.matrix, last, center, ws.rows[at.VALUE])
    for i in range(end):
        r = order[i]
        target = ws.rows[at.UP if ws.row_sets[at.ROW_STATE, r] > 0 else at.LOW, r]
        ws.rows[at.RESIDUAL, i] = target - ws.rows[at.VALUE, r]
        ws.rows[at.TARGET, i] = target
    for t in range(width):
        y[t] = 0.0
    for c in range(hard):
        i = ws.row_sets[at.PIVOT, c]
        s = ws.rows[at.RESIDUAL, i]
        for b in range(c):
            s -= ws.spare[i, b] * y[b]
        y[c] = s / ws.rows[at.INVERSE, c]
    own = end - above
    for i in range(own):
        s = ws.rows[at.RESIDUAL, above + i]
        for c in range(hard):
            s -= ws.spare[above + i, c] * y[c]
        ws.panel[i, pivots - hard] = s
        for c in range(hard, pivots):
            position = ws.row_sets[at.PIVOT, c]
            entry = 0.0
            if position == above + i:
                entry = ws.rows[at.INVERSE, c]
            elif position < above + i:
                entry = ws.spare[above + i, c]
            ws.panel[i, c - hard] = entry
    damped_least_squares(ws.panel, own, pivots - hard, damping, y[hard:])
    for c in range(pivots - 1, -1, -1):
        reflect(ws.spare[ws.row_sets[at.PIVOT, c], c:width], y[c:width], ws.rows[at.NU, c])
    for j in range(n):
        step[j] = center[j]
    for t in range(width):
        step[free[t]] += y[t]
    times(ws.matrix, last, step, ws.rows[at.VALUE])
    # The multipliers cancel the level's gradient in the directions of the rows above.
    for j in range(n):
        gradient[j] = damping * (step[j] - home[j])
    for i in range(above, end):
        multiplier[i] = ws.rows[at.VALUE, order[i]] - ws.rows[at.TARGET, i]
    add_rows(ws.matrix, order[above:], end - above, multiplier[above:], gradient)
    least_squares_multipliers(ws, width, above, hard)
    ws.counts[at.END] = end


@compiled
def least_squares_multipliers(ws, width, above, hard):
    """Fill MULTIPLIER of the rows above so that they cancel GRADIENT best; add them to it."""
    y, gradient, multiplier = ws.boxes[at.TURNED], ws.boxes[at.GRADIENT], ws.rows[at.MULTIPLIER]
    free = ws.box_sets[at.FREE]
    for t in range(width):
        y[t] = gradient[free[t]]
    for c in range(hard):
        reflect(ws.spare[ws.row_sets[at.PIVOT, c], c:width], y[c:width], ws.rows[at.NU, c])
    for i in range(above):
        multiplier[i] = 0.0
    for c in range(hard - 1, -1, -1):
        i = ws.row_sets[at.PIVOT, c]
        s = -y[c]
        for b in range(c + 1, hard):
            later = ws.row_sets[at.PIVOT, b]
            s -= ws.spare[later, c] * multiplier[later]
        multiplier[i] = s / ws.rows[at.INVERSE, c]
    add_rows(ws.matrix, ws.row_sets[at.ORDER], above, multiplier, gradient)


@compiled
def prepare(ws, rows):
    """Start from the zero step, with no row in force but the equalities."""
    for r in range(rows):
        low = ws.rows[at.LOWER, r]
        up = ws.rows[at.UPPER, r]
        equal = up - low <= at.EQUAL
        ws.row_sets[at.ROW_STATE, r] = 2 if equal else 0
        ws.rows[at.LOW, r] = 0.5 * (low + up) if equal else low
        ws.rows[at.UP, r] = 0.5 * (low + up) if equal else up
        norm = 0.0
        for t in range(ws.matrix.shape[1]):
            norm += ws.matrix[r, t] * ws.matrix[r, t]
        ws.rows[at.NORM, r] = norm
    for t in range(ws.boxes.shape[1]):
        ws.boxes[at.POINT, t] = 0.0
        ws.boxes[at.HOME, t] = 0.0
    for j in range(ws.box_sets.shape[1]):
        locked = ws.boxes[at.BOX_UPPER, j] <= ws.boxes[at.BOX_LOWER, j]
        ws.box_sets[at.BOX_STATE, j] = 2 if locked else 0


@entry
def steady_step(ws: Workspace, levels: int) -> bool:
    """Solve the problem in the workspace; return whether it was done before the moves ran out.

    Numbers that are not finite end it at the last valid step, at worst zero.

    Leaves STEP and VALUE as `step` does, and the sets in memory for its next warm start.
    """
    n = ws.box_sets.shape[1]
    rows = ws.starts[levels + 1]
    prepare(ws, rows)
    moving = False
    for k in range(levels + 1):
        last = ws.starts[k + 2] if k < levels else rows
        first = ws.starts[k + 1] if k < levels else rows
        damping = 1.0
        if k < levels:
            largest = at.SMALLEST
            for r in range(first, last):
                largest = max(largest, ws.rows[at.NORM, r])
            damping = max(ws.damping[k], at.FLOOR * largest)
        else:
            for j in range(n):
                ws.boxes[at.HOME, j] = ws.boxes[at.REST, j]
        times(ws.matrix, last, ws.boxes[at.POINT], ws.rows[at.HELD])
        for r in range(first, last):
            if ws.row_sets[at.ROW_STATE, r] == 0:
                over = ws.rows[at.HELD, r] > ws.rows[at.UP, r]
                under = ws.rows[at.HELD, r] < ws.rows[at.LOW, r]
                ws.row_sets[at.ROW_STATE, r] = 1 if over else -1 if under else 0
        ws.counts[at.STALLS] = 0
        moving = True
        moves = 0
        while moving and moves < 10 * (n + rows) and ws.counts[at.STALLS] <= 2 * (n + rows):
            for j in range(n):
                ws.box_sets[at.BOX_WANTED, j] = ws.box_sets[at.BOX_STATE, j]
            for r in range(last):
                ws.row_sets[at.ROW_WANTED, r] = ws.row_sets[at.ROW_STATE, r]
            minimum(ws, first, last, damping)
            moves += 1
            if not is_finite(ws.boxes[at.STEP]):
                break
            moving = descend(ws, last)
            for j in range(n):
                ws.box_sets[at.BOX_STATE, j] = ws.box_sets[at.BOX_WANTED, j]
            for r in range(last):
                ws.row_sets[at.ROW_STATE, r] = ws.row_sets[at.ROW_WANTED, r]
        ws.counts[at.ROUNDS] += moves
        for j in range(n):
            state = ws.box_sets[at.BOX_STATE, j]
            ws.box_sets[at.BOX_MEMORY + k, j] = 1 if state > 0 else -1 if state < 0 else 0
        for r in range(last):
            state = ws.row_sets[at.ROW_STATE, r]
            held = ws.rows[at.HELD, r]
            ws.row_sets[at.ROW_MEMORY + k, r] = state
            if r >= first and state == 2:
                ws.rows[at.LOW, r] = held
                ws.rows[at.UP, r] = held
            elif r >= first:
                ws.rows[at.UP, r] = max(ws.rows[at.UP, r], held)
                ws.rows[at.LOW, r] = min(ws.rows[at.LOW, r], held)
        for rung in range(k, levels + 1):
            for t in range(ws.boxes.shape[1]):
                ws.ladder[rung, t] = ws.boxes[at.POINT, t]
        if moving:
            break
    for j in range(n):
        u = min(max(ws.boxes[at.POINT, j], ws.boxes[at.BOX_LOWER, j]), ws.boxes[at.BOX_UPPER, j])
        ws.boxes[at.STEP, j] = u
    times(ws.matrix, rows, ws.boxes[at.STEP], ws.rows[at.VALUE])
    return not moving and is_finite(ws.rows[at.VALUE, :rows])
