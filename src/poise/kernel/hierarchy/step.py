"""The inner step of the lexicographic solver: least squares in strict order, with inequalities.

**The problem.** For a step u ∈ Rⁿ there are bounds lo ≤ u ≤ hi, hard rows C u ∈ [cl, cu], and
levels k = 1, 2, … of rows A_k u ∈ [bl, bu], where bl = bu makes an equality. Zero satisfies the
bounds and the hard rows. Level k minimises

    Σ dist(A_k u, [bl, bu])² + ρ_k ‖u‖²                                             (1)

over all u that keep the hard rows and what the levels above have achieved: an equality row keeps
its value, an inequality row stays in its interval, widened to the value it has. So the damping
ρ_k shortens what level k asks for, and what it then gets is kept as strictly as without damping.
In the end, of all u that keep everything, the one nearest to a resting step is taken. A level's
damping is at least FLOOR times the square of its longest row: without any, (1) need not have one
minimum, and ties must be broken.

**One level on a given active set.** Let B be the coordinates fixed at a bound, F the others, E
the rows in force (hard or from above), O the level's own rows that are equalities or violated.
All that matters of the free columns is the Gram matrix S = A_F A_Fᵀ of these few rows: fixing or
freeing a coordinate takes one column out of S or puts it in, at a cost that does not depend on n.
Its Cholesky factor in row echelon form (`factor.factorise`), with the rows E before the rows O,

    S = L Lᵀ,   A_Fᵀ = Q Lᵀ,   Q orthonormal and never formed,

turns u_F = Q y into y = (z, y_O): L_E z = r_E holds the rows E at their values, and

    (L_OᵀL_O + ρ) y_O = L_Oᵀ (r_O − L_OE z)                                         (2)

is what (1) has become. Then Lᵀν = y and u_F = A_Fᵀν. A row that depends on those before it
(measured against its whole length, not against what is left of it) gets no pivot: it adds an
equation to (2) or, in E, must agree with the others. Rounding in S is repaired by solving again
for the residual that A u really has. With w = A_O u − b the multipliers of E follow from

    L_Eᵀ μ = −(ρ z + L_OEᵀ w),

those of the bounds from the gradient ρ u + A_Oᵀ w + A_Eᵀ μ. If (2) is square and ρ too small to be
seen, the rows O are simply held, w = −ρ ν_O and μ = −ρ ν_E.

**The active set** is found by the first of these that succeeds.

1. *Exchange*: drop all rows whose multipliers have the wrong sign and add all that are violated,
   at once (`active.exchange`; a semismooth Newton method). If nothing changes, this is the
   minimum. Usually two to five rounds; the level above gives the first guess, or, in a warm
   start, the same level in the last step.
2. Where a level is in conflict with the bounds, exchanges can swing. With ρ = SOFT they don't:
   they are repeated there, and ρ is lowered tenfold while that works.
3. *Descent* from the last valid point found so, or else from the level above, one row at a time
   (`active.descend`): it never leaves the valid set, and it ends.
4. If rows in force contradict each other, which means that S has lost too many digits, or if the
   answer breaks a row by more than it may: `householder.steady_step`.

**What binds the levels below.** If a bound's multiplier μ_j in level k outweighs the damping,
keeping level k's rows already keeps the bound: for any u′ that does, the minimum of (1) has
|μ_j| |u′_j − u_j| ≤ ρ ‖u‖ ‖u′ − u‖. Where |μ_j| exceeds ρ ‖u‖ by the factor FREEZE, the coordinate
is therefore frozen, and rows likewise. Without this the levels below would try again and again
to release what they can't.
"""

import numpy as np

from poise.kernel.compiling import compiled, entry
from poise.kernel.hierarchy import arrays as at
from poise.kernel.hierarchy.active import apply, arrange, descend, exchange, noise, solve
from poise.kernel.hierarchy.arrays import Workspace
from poise.kernel.hierarchy.factor import gram, times
from poise.kernel.hierarchy.householder import steady_step

SOFT = 0.1
"""Damping for the second way, as a share of the square of the level's longest row."""

FREEZE = 1e6
"""How far a multiplier must outweigh the damping to bind the levels below."""

PATIENCE = 3
"""So many rounds of exchange may pass without fewer changes than ever before."""

STALLS = 20
"""So many moves without progress make a descent hopeless."""

BLURRED = 1e-4
"""Share of the damping's pull that noise may reach before ties are broken once more."""

HARD_KEPT = 5e-11
"""How far the answer may break a hard row."""

LEVEL_KEPT = 1e-10
"""How far the answer may break what a level has achieved."""

EXCHANGE, SOFTLY, DESCENT = range(3)
SOLVED, STOPPED, STEADY = range(3)
"""What `step` returns: the minimum; a valid step, but no minimum; the minimum, by reflections."""


@compiled
def begin(ws, rows, same_matrix):
    """Set out with the equalities in force and the locked coordinates fixed."""
    data, sets, product = ws.rows, ws.row_sets, ws.squares[at.GRAM]
    equal = 0
    for r in range(rows):
        low = data[at.LOWER, r]
        up = data[at.UPPER, r]
        data[at.BASE, r] = 0.0
        state = 0
        if up - low <= at.EQUAL:
            low = up = 0.5 * (low + up)
            state = 2
            sets[at.LIST, equal] = r
            equal += 1
        data[at.LOW, r] = low
        data[at.UP, r] = up
        sets[at.ROW_STATE, r] = state
        sets[at.ROW_WANTED, r] = state
        if not same_matrix:
            sets[at.KNOWN, r] = state // 2
    if not same_matrix:
        gram(ws.matrix, sets[at.LIST], equal, product)
        for r in range(rows):
            data[at.NORM, r] = product[r, r]
    for r in range(rows):
        source = product[r, :rows]
        target = ws.squares[at.PRODUCT, r, :rows]
        for t in range(source.size):
            target[t] = source[t]
    for t in range(ws.boxes.shape[1]):
        ws.boxes[at.CENTER, t] = 0.0
        ws.boxes[at.HOME, t] = 0.0
        ws.boxes[at.POINT, t] = 0.0
    for j in range(ws.box_sets.shape[1]):
        locked = ws.boxes[at.BOX_UPPER, j] <= ws.boxes[at.BOX_LOWER, j]
        ws.box_sets[at.BOX_STATE, j] = 0
        ws.box_sets[at.BOX_WANTED, j] = 2 if locked else 0


@compiled
def longest(ws, first, last):
    """Return the square of the level's longest row."""
    square = at.SMALLEST
    for r in range(first, last):
        if ws.row_sets[at.KNOWN, r] == 0:
            a = ws.matrix[r]
            s = 0.0
            for t in range(a.size):
                s += a[t] * a[t]
            ws.rows[at.NORM, r] = s
        square = max(square, ws.rows[at.NORM, r])
    return square


@compiled
def recall(ws, k, last):
    """Want the set with which level k ended in the last step."""
    for j in range(ws.box_sets.shape[1]):
        if abs(ws.box_sets[at.BOX_WANTED, j]) != 2:
            side = ws.box_sets[at.BOX_MEMORY + k, j]
            bound = ws.boxes[at.BOX_UPPER if side > 0 else at.BOX_LOWER, j]
            ws.box_sets[at.BOX_WANTED, j] = side if np.isfinite(bound) else 0
    for r in range(last):
        side = ws.row_sets[at.ROW_MEMORY + k, r]
        if ws.row_sets[at.ROW_WANTED, r] != 2 and side != 2:
            bound = ws.rows[at.UP if side > 0 else at.LOW, r]
            ws.row_sets[at.ROW_WANTED, r] = side if np.isfinite(bound) else 0


@compiled
def forget(ws):
    """Let no later step recall the sets of earlier ones.

    Of levels that a step does not reach, and of rows that it does not have, older ones are left.
    """
    for k in range(at.ROW_MEMORY, ws.row_sets.shape[0]):
        for r in range(ws.row_sets.shape[1]):
            ws.row_sets[k, r] = 0
    for k in range(at.BOX_MEMORY, ws.box_sets.shape[0]):
        for j in range(ws.box_sets.shape[1]):
            ws.box_sets[k, j] = 0


@compiled
def copy_set(source, target, count):
    """Copy the first states of one set to another."""
    for i in range(count):
        target[i] = source[i]


@compiled
def settle(ws, first, last, rows, damping, softest, fresh):
    """Find the minimum of the level from first to last; return whether it was found."""
    n = ws.box_sets.shape[1]
    mode = EXCHANGE
    now = damping
    softened = softest <= damping or first == last
    rounds_here = 0
    fewest = rows + n
    patience = PATIENCE
    for _ in range(5 * (rows + n)):
        fresh |= apply(ws, last, rows) > 0
        arrange(ws, first, last, rows, fresh)
        agrees = solve(ws, last, now)
        ws.counts[at.ROUNDS] += 1
        if mode == DESCENT:
            if not agrees or ws.counts[at.STALLS] > STALLS:
                return False
            ws.counts[at.DESCENTS] += 1
            if descend(ws, last):
                continue
            for t in range(ws.boxes.shape[1]):
                ws.boxes[at.STEP, t] = ws.boxes[at.POINT, t]
            for r in range(last):
                ws.rows[at.VALUE, r] = ws.rows[at.HELD, r]
            return True
        if agrees:
            changes = exchange(ws, last)
            if changes == 0 and mode == EXCHANGE:
                return True
            if changes == 0:
                # If nothing changed at this damping, nothing may change at all: go to the end.
                now = damping if rounds_here == 0 else max(damping, 0.1 * now)
                mode = EXCHANGE if now == damping else SOFTLY
                for t in range(ws.boxes.shape[1]):
                    ws.boxes[at.POINT, t] = ws.boxes[at.STEP, t]
                copy_set(ws.box_sets[at.BOX_STATE], ws.box_sets[at.BOX_ENTRY], n)
                copy_set(ws.row_sets[at.ROW_STATE], ws.row_sets[at.ROW_ENTRY], last)
                rounds_here = 0
                fewest = rows + n
                patience = PATIENCE - 1
                continue
            rounds_here += 1
            if changes < fewest:
                fewest = changes
            else:
                patience -= 1
            if patience > 0:
                continue
        copy_set(ws.box_sets[at.BOX_ENTRY], ws.box_sets[at.BOX_WANTED], n)
        copy_set(ws.row_sets[at.ROW_ENTRY], ws.row_sets[at.ROW_WANTED], last)
        fewest = rows + n
        patience = PATIENCE
        rounds_here = 1
        if not softened:
            softened = True
            mode = SOFTLY
            now = softest
            continue
        mode = DESCENT
        now = damping
        ws.counts[at.STALLS] = 0
        times(ws.matrix, last, ws.boxes[at.POINT], ws.rows[at.HELD])
        for r in range(first, last):
            if ws.row_sets[at.ROW_WANTED, r] == 0:
                over = ws.rows[at.HELD, r] > ws.rows[at.UP, r]
                under = ws.rows[at.HELD, r] < ws.rows[at.LOW, r]
                ws.row_sets[at.ROW_WANTED, r] = 1 if over else -1 if under else 0
    return False


@compiled
def keep(ws, k, first, last, damping):
    """Make what level k has achieved binding for those below, and remember its active set."""
    step = ws.boxes[at.STEP]
    square = 0.0
    for t in range(step.size):
        square += step[t] * step[t]
        ws.boxes[at.POINT, t] = step[t]
    outweighs = FREEZE * damping * np.sqrt(square)
    for j in range(ws.box_sets.shape[1]):
        state = ws.box_sets[at.BOX_STATE, j]
        ws.box_sets[at.BOX_MEMORY + k, j] = 1 if state > 0 else -1 if state < 0 else 0
        if abs(state) == 1 and abs(ws.boxes[at.GRADIENT, j]) > outweighs:
            ws.box_sets[at.BOX_STATE, j] = 2 * state
            ws.box_sets[at.BOX_WANTED, j] = 2 * state
    for r in range(last):
        ws.row_sets[at.ROW_MEMORY + k, r] = ws.row_sets[at.ROW_STATE, r]
    for i in range(ws.counts[at.END]):
        r = ws.row_sets[at.ORDER, i]
        state = ws.row_sets[at.ROW_STATE, r]
        value = ws.rows[at.VALUE, r]
        frozen = abs(state) == 1 and abs(ws.rows[at.MULTIPLIER, i]) > outweighs
        if frozen:
            ws.row_sets[at.ROW_STATE, r] = 2
            ws.row_sets[at.ROW_WANTED, r] = 2
        if frozen or (r >= first and state == 2):
            ws.rows[at.LOW, r] = value
            ws.rows[at.UP, r] = value
        elif r >= first:
            ws.rows[at.LOW, r] = min(ws.rows[at.LOW, r], value)
            ws.rows[at.UP, r] = max(ws.rows[at.UP, r], value)


@compiled
def is_blurred(ws, damping):
    """Say whether the pull of the damping is no more than noise beside the multipliers."""
    largest = 0.0
    for j in range(ws.box_sets.shape[1]):
        largest = max(largest, abs(ws.boxes[at.STEP, j]))
    return noise(ws) > BLURRED * damping * largest


@compiled
def is_kept(ws, rows):
    """Clip the step to its bounds and say whether it then keeps all rows; False for NaN."""
    step = ws.boxes[at.STEP]
    clipped = False
    for j in range(ws.box_sets.shape[1]):
        u = min(max(step[j], ws.boxes[at.BOX_LOWER, j]), ws.boxes[at.BOX_UPPER, j])
        clipped |= u != step[j]
        step[j] = u
    if clipped:
        times(ws.matrix, rows, step, ws.rows[at.VALUE])
    kept = True
    for r in range(rows):
        value = ws.rows[at.VALUE, r]
        outside = max(value - ws.rows[at.UP, r], ws.rows[at.LOW, r] - value)
        kept &= outside <= (HARD_KEPT if r < ws.starts[1] else LEVEL_KEPT)
    return kept


@entry
def step(ws: Workspace, levels: int, warm: bool, same_matrix: bool) -> int:
    """Solve the problem in the workspace for its first `levels` levels; return SOLVED or another.

    The answer is ws.boxes[STEP], its products with all rows are ws.rows[VALUE]. What it was after
    each level is in ws.ladder, the last rung is the resting step's.

    Args:
        ws: the problem, in the rows that `hierarchy_arrays` names; its active sets from the last
            call serve a warm start. Columns of A may be scaled by the caller for another metric.
        levels: how many levels to solve, from the first.
        warm: start each level from the set with which it ended in the last call.
        same_matrix: A is that of the last call, with as many levels or fewer: only intervals,
            bounds, damping or the resting step have changed, so the Gram matrix is kept.
    """
    rows = ws.starts[levels + 1]
    n = ws.box_sets.shape[1]
    ws.counts[at.ROUNDS] = 0
    ws.counts[at.DESCENTS] = 0
    begin(ws, rows, same_matrix)
    resting = False
    for j in range(n):
        resting |= ws.boxes[at.REST, j] != 0.0
    found = True
    damping = 1.0
    for k in range(levels + 1):
        # Without a resting step the last level's damping has broken all ties, unless it was lost
        # beside the slacks of a level that could not be met.
        if 0 < k == levels and not resting and not is_blurred(ws, damping):
            break
        first = last = rows
        damping = softest = 1.0
        if k < levels:
            first = ws.starts[k + 1]
            last = ws.starts[k + 2]
            square = longest(ws, first, last)
            damping = max(ws.damping[k], at.FLOOR * square)
            softest = SOFT * square
        else:
            for j in range(n):
                ws.boxes[at.HOME, j] = ws.boxes[at.REST, j]
                if ws.box_sets[at.BOX_STATE, j] == 0:
                    ws.boxes[at.CENTER, j] = ws.boxes[at.REST, j]
            times(ws.matrix, rows, ws.boxes[at.CENTER], ws.rows[at.BASE])
        copy_set(ws.box_sets[at.BOX_WANTED], ws.box_sets[at.BOX_ENTRY], n)
        copy_set(ws.row_sets[at.ROW_WANTED], ws.row_sets[at.ROW_ENTRY], last)
        if warm:
            recall(ws, k, last)
        found = settle(ws, first, last, rows, damping, softest, k == 0)
        if not found:
            break
        keep(ws, k, first, last, damping)
        for t in range(ws.boxes.shape[1]):
            ws.ladder[k, t] = ws.boxes[at.STEP, t]
    for t in range(ws.boxes.shape[1]):
        ws.ladder[levels, t] = ws.boxes[at.STEP, t]
    if found and is_kept(ws, rows):
        return SOLVED
    return STEADY if steady_step(ws, levels) else STOPPED
