"""The active set of one level: the least-squares step on it, and which rows come and go.

See `poise.kernel.hierarchy.step` for the problem, the method and the meaning of the words.
"""

from poise.kernel.compiling import compiled
from poise.kernel.hierarchy import arrays as at
from poise.kernel.hierarchy.factor import (
    add_column,
    add_rows,
    backward,
    factorise,
    forward,
    normal_factor,
    normal_solve,
    times,
)

OUTSIDE = 2e-11
"""A row or coordinate further outside its interval than this is violated."""

WRONG = 1e-10
"""A multiplier of the wrong sign counts if it exceeds this share of the largest."""

RANK = 1e-14
"""Square of the share of a row that must be new for the row to count as independent."""

AGREES = 1e-11
"""A row that depends on others must agree with them to this, or the set contradicts itself."""

SETTLED = 1e-12
"""Rows in force are refined until they hold to this."""

TOUCHES = 1e-10
"""A point this near to the end of an interval is at it."""

MOVED = 1e-9
"""Steps that differ by less in all coordinates are the same; as a share of one longer than 1."""

WEAK = 1e-5
"""A pivot whose square is a smaller share of its row's asks for one refinement."""

PLAIN = 3e-8
"""Damping below this share of every pivot's square is too small to be seen in the step."""


@compiled
def apply(ws, last, rows):
    """Make the wanted set the active one; return the number of rows that changed."""
    state, wanted = ws.box_sets[at.BOX_STATE], ws.box_sets[at.BOX_WANTED]
    center = ws.boxes[at.CENTER]
    changes = 0
    for j in range(state.size):
        side = wanted[j]
        if side == state[j]:
            continue
        changes += 1
        # From one bound to the other the column stays out; only its value changes.
        sign = 0.0 if side * state[j] != 0 else -1.0 if side != 0 else 1.0
        new = ws.boxes[at.BOX_UPPER if side > 0 else at.BOX_LOWER if side < 0 else at.HOME, j]
        add_column(
            ws.matrix, j, rows, sign, new - center[j], ws.rows[at.COLUMN], ws.squares[at.PRODUCT],
            ws.rows[at.BASE],
        )  # fmt: skip
        center[j] = new
        state[j] = side
    known = ws.row_sets[at.KNOWN]
    for r in range(last):
        side = ws.row_sets[at.ROW_WANTED, r]
        if side != ws.row_sets[at.ROW_STATE, r]:
            changes += 1
            ws.row_sets[at.ROW_STATE, r] = side
            if known[r] == 0:
                known[r] = 1
                know(ws.matrix, r, rows, known, state, ws.squares[at.GRAM], ws.squares[at.PRODUCT])
                ws.rows[at.NORM, r] = ws.squares[at.GRAM, r, r]
    return changes


@compiled
def know(matrix, r, rows, known, state, gram, product):
    """Complete the Gram matrix by row r, which was not in force before."""
    a = matrix[r]
    for s in range(rows):
        if known[s] == 1:
            b = matrix[s]
            whole = 0.0
            for t in range(a.size):
                whole += a[t] * b[t]
            gram[r, s] = whole
            gram[s, r] = whole
            for j in range(state.size):
                if state[j] != 0:
                    whole -= a[j] * b[j]
            product[r, s] = whole
            product[s, r] = whole


@compiled
def arrange(ws, first, last, rows, fresh):
    """List the active rows and factor those up to `last`; only the level's own if not fresh.

    Leaves in the counts: positions of rows above, positions up to the level's last row, pivots
    among the rows above, all pivots.
    """
    order, pivot, target = ws.row_sets[at.ORDER], ws.row_sets[at.PIVOT], ws.rows[at.TARGET]
    total = above = end = 0
    for r in range(rows):
        state = ws.row_sets[at.ROW_STATE, r]
        if state != 0:
            order[total] = r
            total += 1
            if r < first:
                above = total
            if r < last:
                end = total
            target[r] = ws.rows[at.UP if state > 0 else at.LOW, r]
    if fresh:
        ws.counts[at.PIVOTS] = 0
    pivots = factorise(ws, 0 if fresh else above, end, total, RANK)
    hard = pivots
    while hard > 0 and pivot[hard - 1] >= above:
        hard -= 1
    ws.counts[at.ABOVE] = above
    ws.counts[at.END] = end
    ws.counts[at.HARD] = hard
    ws.counts[at.PIVOTS] = pivots


@compiled
def solve(ws, last, damping):
    """Minimise the level on the active set: fills the step, its products and all multipliers.

    Returns whether the rows in force agree with each other.
    """
    rows, boxes = ws.rows, ws.boxes
    order, pivot = ws.row_sets[at.ORDER], ws.row_sets[at.PIVOT]
    upper, normal, inverse = ws.squares[at.FACTOR], ws.squares[at.NORMAL], rows[at.INVERSE]
    residual, share, change, sums, nu = (
        rows[at.RESIDUAL], rows[at.SHARE], rows[at.CHANGE], rows[at.SUMS], rows[at.NU],
    )  # fmt: skip
    value, target, multiplier = rows[at.VALUE], rows[at.TARGET], rows[at.MULTIPLIER]
    step, center, state = boxes[at.STEP], boxes[at.CENTER], ws.box_sets[at.BOX_STATE]
    above, end = ws.counts[at.ABOVE], ws.counts[at.END]
    hard, pivots = ws.counts[at.HARD], ws.counts[at.PIVOTS]
    own = pivots - hard
    plain = own == end - above
    weak = False
    for c in range(pivots):
        square = 1.0 / (inverse[c] * inverse[c])
        plain &= c < hard or damping <= PLAIN * square
        weak |= square < WEAK * rows[at.NORM, order[pivot[c]]]
    forced = pivots if plain else hard
    if not plain:
        normal_factor(upper, hard, pivots, above, end, damping, normal)
    for t in range(step.size):
        step[t] = center[t]
    for r in range(last):
        value[r] = rows[at.BASE, r]
    for i in range(end):
        sums[i] = 0.0
        nu[i] = 0.0
    fixed = 0
    worst = 0.0
    for refined in range(3):
        for i in range(end):
            residual[i] = target[order[i]] - value[order[i]]
        forward(upper, inverse, pivot, forced, end, residual, share)
        if not plain:
            mine = residual[above:end]
            part = share[hard:pivots]
            for c in range(own):
                row = upper[hard + c, above:end]
                s = -damping * sums[hard + c]
                for t in range(row.size):
                    s += row[t] * mine[t]
                part[c] = s
            normal_solve(normal, own, part)
        backward(upper, inverse, pivot, pivots, end, share, change)
        for i in range(end):
            sums[i] += share[i]
            nu[i] += change[i]
        add_rows(ws.matrix, order, end, change, step)
        fixed = 0
        for j in range(state.size):
            if state[j] != 0:
                step[j] = center[j]
                fixed += 1
        times(ws.matrix, last, step, value)
        worst = 0.0
        for c in range(forced):
            r = order[pivot[c]]
            worst = max(worst, abs(value[r] - target[r]))
        if worst <= SETTLED and (refined > 0 or not weak):
            break
    for i in range(above):
        worst = max(worst, abs(value[order[i]] - target[order[i]]))
    if plain:
        for i in range(end):
            multiplier[i] = -damping * nu[i]
    else:
        # Along the rows above the gradient vanishes: Lᵀμ = −(ρ z + Lᵀw), w the level's slack.
        for i in range(above, end):
            residual[i] = value[order[i]] - target[order[i]]
        slack = residual[above:end]
        for c in range(hard):
            row = upper[c, above:end]
            s = -damping * sums[c]
            for t in range(row.size):
                s -= row[t] * slack[t]
            share[c] = s
        backward(upper, inverse, pivot, hard, above, share, multiplier)
        for i in range(above, end):
            multiplier[i] = residual[i]
    if fixed > 0:
        gradient = boxes[at.GRADIENT]
        for t in range(gradient.size):
            gradient[t] = damping * (step[t] - boxes[at.HOME, t])
        add_rows(ws.matrix, order, end, multiplier, gradient)
    return worst <= AGREES


@compiled
def noise(ws):
    """Return the size below which the sign of a multiplier means nothing."""
    largest = 0.0
    for i in range(ws.counts[at.END]):
        largest = max(largest, abs(ws.rows[at.MULTIPLIER, i]))
    return WRONG * largest


@compiled
def exchange(ws, last):
    """Want every active row of the wrong sign gone and every violated one in force; count them."""
    step, gradient = ws.boxes[at.STEP], ws.boxes[at.GRADIENT]
    low, up = ws.boxes[at.BOX_LOWER], ws.boxes[at.BOX_UPPER]
    tiny = noise(ws)
    changes = 0
    for j in range(ws.box_sets.shape[1]):
        state = ws.box_sets[at.BOX_STATE, j]
        side = state
        if state == 0:
            if step[j] > up[j] + OUTSIDE:
                side = 1
            elif step[j] < low[j] - OUTSIDE:
                side = -1
        elif abs(state) == 1 and state * gradient[j] > tiny:
            side = 0
        if side != state:
            ws.box_sets[at.BOX_WANTED, j] = side
            changes += 1
    for r in range(last):
        if ws.row_sets[at.ROW_STATE, r] == 0:
            if ws.rows[at.VALUE, r] > ws.rows[at.UP, r] + OUTSIDE:
                ws.row_sets[at.ROW_WANTED, r] = 1
                changes += 1
            elif ws.rows[at.VALUE, r] < ws.rows[at.LOW, r] - OUTSIDE:
                ws.row_sets[at.ROW_WANTED, r] = -1
                changes += 1
    for i in range(ws.counts[at.END]):
        r = ws.row_sets[at.ORDER, i]
        state = ws.row_sets[at.ROW_STATE, r]
        if abs(state) == 1 and state * ws.rows[at.MULTIPLIER, i] < -tiny:
            ws.row_sets[at.ROW_WANTED, r] = 0
            changes += 1
    return changes


@compiled
def room(here, there, low, up):
    """Return the share of the way from here to there that stays between low and up."""
    if low - OUTSIDE <= there <= up + OUTSIDE:
        return 1.0
    end = up if there > up else low
    distance = (end - here) if there > up else (here - end)
    return distance / abs(there - here) if distance > TOUCHES else 0.0


@compiled
def descend(ws, last):
    """Move the feasible point towards the step, to the first row in its way; want that in force.

    If none is in the way, want the row gone that pulls most in the wrong direction; return False
    if there is none either. After many moves of no length the first such row goes instead of the
    worst, so that no set can come twice (Bland's rule).
    """
    n = ws.box_sets.shape[1]
    step, point = ws.boxes[at.STEP], ws.boxes[at.POINT]
    value, held = ws.rows[at.VALUE], ws.rows[at.HELD]
    wanted = 0.0
    size = 1.0
    for j in range(n):
        wanted = max(wanted, abs(step[j] - point[j]))
        size = max(size, abs(point[j]))
    share = 1.0
    box = -1
    row = -1
    side = 0
    if wanted > MOVED * size:
        for j in range(n):
            if ws.box_sets[at.BOX_STATE, j] == 0:
                low, up = ws.boxes[at.BOX_LOWER, j], ws.boxes[at.BOX_UPPER, j]
                part = room(point[j], step[j], low, up)
                if part < share:
                    share = part
                    box = j
                    side = 1 if step[j] > up else -1
        for r in range(last):
            if ws.row_sets[at.ROW_STATE, r] == 0:
                part = room(held[r], value[r], ws.rows[at.LOW, r], ws.rows[at.UP, r])
                if part < share:
                    share = part
                    row = r
                    side = 1 if value[r] > ws.rows[at.UP, r] else -1
        for t in range(point.size):
            point[t] += share * (step[t] - point[t])
        for r in range(last):
            held[r] += share * (value[r] - held[r])
    ws.counts[at.STALLS] = 0 if share * wanted > MOVED * size else ws.counts[at.STALLS] + 1
    if row >= 0:
        ws.row_sets[at.ROW_WANTED, row] = side
        return True
    if box >= 0:
        ws.box_sets[at.BOX_WANTED, box] = side
        return True
    worst = noise(ws)
    stalled = ws.counts[at.STALLS] > n
    for j in range(n):
        state = ws.box_sets[at.BOX_STATE, j]
        pull = state * ws.boxes[at.GRADIENT, j]
        if abs(state) == 1 and pull > worst and (box < 0 or not stalled):
            worst = pull
            box = j
    for i in range(ws.counts[at.END]):
        r = ws.row_sets[at.ORDER, i]
        state = ws.row_sets[at.ROW_STATE, r]
        pull = -state * ws.rows[at.MULTIPLIER, i]
        if abs(state) == 1 and pull > worst and (max(box, row) < 0 or not stalled):
            worst = pull
            row = r
    if row >= 0:
        ws.row_sets[at.ROW_WANTED, row] = 0
    elif box >= 0:
        ws.box_sets[at.BOX_WANTED, box] = 0
    return row >= 0 or box >= 0
