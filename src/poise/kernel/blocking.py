"""What keeps a level from being met: the forces of the rows above it and of the bounds.

At the minimum of level k the pull of its rows, A_kᵀ w with the slacks w, is balanced by the rows
and bounds that are in its way. Their multipliers say which, and how hard they push.
"""

import numpy as np

from poise.kernel import hierarchy_arrays as at
from poise.kernel.compiling import compiled
from poise.kernel.householder import least_squares_multipliers, turn_rows


@compiled
def blockers(ws, level):
    """Fill FORCE and BOX_FORCE with what held level 1, 2, … back in the step just solved.

    Forces are positive where an upper end is in the way and negative at a lower one; their sum
    with A_kᵀ w vanishes, but for what is returned: the norm of the pull that nothing balances.
    It is zero at a minimum without damping ρ, and ρ‖u‖ with it. Where rows in force depend on
    each other the forces are one choice of many. The active set in hand is overwritten; that
    which the next step starts from is not.
    """
    n = ws.box_sets.shape[1]
    first, last = ws.starts[level], ws.starts[level + 1]
    free, gradient = ws.box_sets[at.FREE], ws.boxes[at.GRADIENT]
    width = np.int64(0)
    for j in range(n):
        state = ws.box_sets[at.BOX_MEMORY + level - 1, j]
        ws.box_sets[at.BOX_STATE, j] = state
        if state == 0:
            free[width] = j
            width += 1
    for t in range(gradient.size):
        gradient[t] = 0.0
    for r in range(last):
        ws.row_sets[at.ROW_STATE, r] = ws.row_sets[at.ROW_MEMORY + level - 1, r]
        ws.rows[at.FORCE, r] = 0.0
        if r >= first:
            value = ws.rows[at.VALUE, r]
            over = max(value - ws.rows[at.UPPER, r], 0.0)
            slack = over + min(value - ws.rows[at.LOWER, r], 0.0)
            for j in range(n):
                gradient[j] += slack * ws.matrix[r, j]
    above, _, hard, _ = turn_rows(ws, first, first, free, width)
    least_squares_multipliers(ws, width, above, hard)
    for i in range(above):
        ws.rows[at.FORCE, ws.row_sets[at.ORDER, i]] = ws.rows[at.MULTIPLIER, i]
    left = 0.0
    for j in range(n):
        fixed = ws.box_sets[at.BOX_STATE, j] != 0
        ws.boxes[at.BOX_FORCE, j] = -gradient[j] if fixed else 0.0
        left += 0.0 if fixed else gradient[j] * gradient[j]
    return np.sqrt(left)
