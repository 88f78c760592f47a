"""Quasi-Newton steps within linear limits: Zhao & Badler 1994, Appendix A.

The weighted sum of all tasks' potentials (25) is made small; a disjunction (27) is a task's own
affair. Each iteration goes along s = −H_q g, with the rows that hold in the working set, until the
conditions of Powell (31) are met or another row stops it. What a reader of the paper finds again:

- Step 0: H_0 and the rows that hold at the start.
- Step 1: multipliers λ and the test for a Kuhn–Tucker point.
- Step 2: whether the row with the greatest λ a^(−1/2) is dropped, (30).
- Step 3: the greatest step ᾱ, and the search along s, by cubic Hermite interpolation.
- Step 4: a row that stopped the step is added, (32).
- Step 5: otherwise H_q learns, (33) or (34).

Where the paper leaves a choice, or joints are not as linear as its own:

- Rigidity is a scale (section 11): the variables are x = q/scale, all normals and gradients those
  of x. A locked coordinate has the scale 0 and takes no part.
- H_0 is the identity times 2P/|g|², the step that would end a problem with one singular value.
  Step 2 and (30) are in units in which H_q is the identity along the last step: a row that is
  dropped has the freedom behind it taken for as soft as that.
- A curved limit is a row through its nearest point. A step along it leaves the limit by second
  order, so that the posture which is looked at, and accepted, is the one after projection; then
  the rows are written anew, and one that has turned is dropped by (30) and added by (32).
- The search may go beyond 1 where that is still too short for the second condition.
- A criterion joins the sum with a small weight. What that costs the tasks is made good at the
  end, by going on without it.
- Far out of reach P has long flat valleys, in which a Kuhn–Tucker point is a thousand steps away
  and nothing worth while is left to gain. A solve ends when as many steps as there are coordinates
  have lowered √P by less than the tolerance.

P never rises.
"""

import math

import numpy as np

from poise.kernel.arrays import Floats
from poise.kernel.body.kinematics import differentiate, place
from poise.kernel.compiling import compiled, entry
from poise.kernel.ending import COLD, ITERATIONS, SOLVED, STALLED, STATIONARY
from poise.kernel.limits.bounds import LOWER, UPPER, clamp, clamp_joints, violation, write_rows
from poise.kernel.problem import METRIC, PULL, ZONE_PULL, spring
from poise.kernel.published.nlp_arrays import (
    ADDED,
    BEFORE,
    DROPPED,
    EASED,
    GRADIENT,
    GRADIENT_NEXT,
    ITERATION,
    LEARNED,
    LOOKS,
    NEXT,
    OPTIMALITY,
    REDUCED,
    REDUCED_NEXT,
    RESIDUAL,
    SIGMA,
    SINCE,
    STEP,
    TRIAL,
    VALUE,
    Memory,
    Problem,
    Y,
)
from poise.kernel.published.working_set import (
    ABSENT,
    SKIPPED,
    add,
    along,
    clear,
    descend,
    drop,
    learn,
    reduce,
)
from poise.kernel.residuals.evaluation import evaluate
from poise.kernel.residuals.gradients import gradient, total, worst

ENOUGH, FLATTER = 1e-4, 0.5
"""Powell's δ1 and δ2 in (31)."""

ACTIVE = 1e-10
"""A row holds when there is no more room to it than this (rad)."""

LONGEST = 1.5
"""No coordinate moves by more in one step (rad or m): charts end at a turn."""

TRIES = 20
"""The most postures looked at in one search."""

CRITERIA = 1e-3
"""The weight of criteria in the sum (m²/rad²)."""

STILL = 1e-3
"""Criteria are obeyed when no gradient asks for more than so much of them (rad)."""

FEWEST = 30
"""So many steps at least are given to gain a tolerance."""

FLAT = 0.02
"""Where √P could be lowered no faster than this (m/rad), an end without gain is stationary."""

LOOKING, SEARCHING, SETTLING = range(3)
"""What a posture is looked at for: to begin from it; as a step that must meet the conditions (31);
as the best step that was found."""


@compiled
def _normalise(m, metric, count):
    """Unit normals of x and the room to both ends, from the rows that were written."""
    matrix, box, normal, room = m.hard.matrix, m.hard.box, m.normal, m.room
    for r in range(normal.shape[0]):
        square = 0.0
        if r < count:
            for i in range(metric.size):
                normal[r, i] = matrix[r, i] * metric[i]
                square += normal[r, i] * normal[r, i]
        if square < 1e-24:  # nothing that may move touches it
            for i in range(metric.size):
                normal[r, i] = 0.0
            room[LOWER, r], room[UPPER, r] = -np.inf, np.inf
            continue
        size = math.sqrt(square)
        for i in range(metric.size):
            normal[r, i] /= size
        room[LOWER, r] = min(box[LOWER, r] / size, 0.0)
        room[UPPER, r] = max(box[UPPER, r] / size, 0.0)


@compiled
def _room(k, q, box, metric, room):
    """How far x may go along row k."""
    n, rows = q.size, room.shape[1]
    if k < n:
        return max(box[UPPER, k] - q[k], 0.0) / metric[k]
    if k < 2 * n:
        return max(q[k - n] - box[LOWER, k - n], 0.0) / metric[k - n]
    if k < 2 * n + rows:
        return room[UPPER, k - 2 * n]
    return -room[LOWER, k - 2 * n - rows]


@compiled
def _begin(m, q, box, metric):
    """Step 0: H_0, and the working set of all rows that hold."""
    w, n = m.working, q.size
    square = 0.0
    for i in range(n):
        square += m.vector[GRADIENT, i] ** 2
    unit = 2.0 * m.value[VALUE] / square if square > 0.0 else 1.0
    clear(w, metric, unit)
    m.counts[LEARNED] = 0
    for r in range(m.normal.shape[0]):
        for i in range(n):
            w.normal[r, i] = m.normal[r, i]
    for k in range(2 * n, 2 * n + m.normal.shape[0]):  # equalities before all others
        if _is_equality(m.room, k - 2 * n):
            add(w, k)
    for k in range(w.place.size):
        if k < 2 * n and metric[k % n] == 0.0:
            continue
        equal = k >= 2 * n and _is_equality(m.room, k - 2 * n)
        if not equal and _room(k, q, box, metric, m.room) <= ACTIVE:
            add(w, k)


@compiled
def _is_equality(room, r):
    """Whether general row r, from either side, has both ends in one place."""
    r = r % room.shape[1]
    return room[UPPER, r] - room[LOWER, r] <= ACTIVE


@compiled
def _exchange(m, n):
    """Bring the working set up to rows written anew; whether any has turned, any has gone.

    A row that has turned is dropped and added as it is now; one that is out of reach is dropped.
    """
    w, rows = m.working, m.normal.shape[0]
    turned, gone = False, False
    for r in range(rows):
        moved = 0.0
        for i in range(n):
            moved = max(moved, abs(m.normal[r, i] - w.normal[r, i]))
        for side in range(2):
            k = 2 * n + side * rows + r
            room = m.room[UPPER, r] if side == 0 else -m.room[LOWER, r]
            if w.place[k] == SKIPPED:
                w.place[k] = ABSENT
            if w.place[k] < 0:
                continue
            away = room > ACTIVE
            if moved > 1e-12 or away:
                drop(w, w.place[k])
                for i in range(n):
                    w.normal[r, i] = m.normal[r, i]
                if away or not add(w, k):
                    gone = True
                else:
                    turned = True
        for i in range(n):
            w.normal[r, i] = m.normal[r, i]
    for k in range(2 * n):
        if w.place[k] == SKIPPED:
            w.place[k] = ABSENT
    return turned, gone


@compiled
def _droppable(w, room, n):
    """The position of the row whose loss would help most, and λ a^(−1/2); −1, 0 if none would."""
    position, most = -1, 0.0
    for k in range(w.size[0]):
        if w.multiplier[k] > 0.0:
            row = w.row[k]
            if row >= 2 * n and _is_equality(room, row - 2 * n):
                continue
            gain = w.multiplier[k] / math.sqrt(w.gram[k, k])
            if gain > most:
                position, most = k, gain
    return position, most


@compiled
def _reach(m, q, box, metric):
    """The greatest step ᾱ along STEP, and the row that stops it (−1 for none)."""
    w, s, n, rows = m.working, m.vector[STEP], q.size, m.normal.shape[0]
    longest = 0.0
    for i in range(n):
        longest = max(longest, abs(s[i]))
    tiny, reach, hit = 1e-12 * longest, np.inf, -1
    for i in range(n):
        if metric[i] > 0.0 and abs(s[i]) > tiny:
            k = i if s[i] > 0.0 else n + i
            if w.place[k] == ABSENT:
                t = _room(k, q, box, metric, m.room) / abs(s[i])
                if t < reach:
                    reach, hit = t, k
    for r in range(rows):
        rate = along(w, 2 * n + r, s)
        if abs(rate) > tiny:
            k = 2 * n + r if rate > 0.0 else 2 * n + rows + r
            if w.place[k] == ABSENT:
                t = _room(k, q, box, metric, m.room) / abs(rate)
                if t < reach:
                    reach, hit = t, k
    return reach, hit


@compiled
def _between(low, value_low, slope_low, high, value_high, slope_high):
    """Where the cubic through two values with their slopes is least, well inside."""
    width = high - low
    z = 3.0 * (value_low - value_high) / width + slope_low + slope_high
    root = math.sqrt(max(z * z - slope_low * slope_high, 0.0))
    below = slope_high - slope_low + 2.0 * root
    share = 1.0 - (slope_high + root - z) / below if below != 0.0 else 0.5
    if not 0.1 <= share <= 0.9:
        share = min(max(share, 0.1), 0.9) if share == share else 0.5
    return low + share * width


@compiled
def _add_criteria(coordinates, q, g):
    """The value of the criteria at q; their gradient, for x, is added to that of the tasks."""
    value = 0.0
    for i in range(q.size):
        if coordinates[METRIC, i] > 0.0:
            own, slope, _ = spring(coordinates, i, q[i])
            value += 2.0 * CRITERIA * own
            g[i] += 2.0 * CRITERIA * slope * coordinates[METRIC, i]
    return value


@compiled
def _optimality(m, coordinates, q, eased):
    """How fast √P of the tasks alone could be lowered (m/rad), to first order, within limits."""
    w, g, reduced, n = m.working, m.vector[Y], m.vector[REDUCED_NEXT], q.size
    power, value = 0.0, m.value[VALUE]
    for i in range(n):
        g[i] = 0.0
    if not eased:
        value -= _add_criteria(coordinates, q, g)
    for i in range(n):
        g[i] = m.vector[GRADIENT, i] - g[i]
    reduce(w, g, w.multiplier, reduced)
    for i in range(n):
        power += reduced[i] * reduced[i]
    power = max(math.sqrt(power), _droppable(w, m.room, n)[1])
    return 0.5 * power / math.sqrt(value) if value > 0.0 else 0.0


@compiled
def _learn(m, turned, formula):
    """Step 5: H_q learns from the last step."""
    w, sigma, y = m.working, m.vector[SIGMA], m.vector[Y]
    reduced, n = m.vector[REDUCED_NEXT], sigma.size
    if turned:
        # Rows have turned on the way. What counts is the change of what they leave of the gradient:
        # that has the bend of the limits in it.
        reduce(w, m.vector[GRADIENT], w.multiplier, reduced)
        for i in range(n):
            y[i] = reduced[i] - m.vector[REDUCED, i]
        reduce(w, sigma, w.multiplier, reduced)
        for i in range(n):
            sigma[i] = reduced[i]
    if learn(w, sigma, y, formula):
        m.counts[LEARNED] += 1


@entry
def nlp(
    problem: Problem,
    m: Memory,
    q: Floats,
    tolerance: float,
    limit: int,
    formula: int,
    begin: int,
    finishes: bool,
) -> int:
    """Solve from a valid posture q, in place; how it ended.

    Args:
        problem: what is wanted.
        m: room, and what the last call knew.
        q: (n,) the start, within limits; the result.
        tolerance: a task is met when its error is at most this (m).
        limit: the most iterations of this call.
        formula: BFGS, DFP or SWITCH, of `working_set`.
        begin: COLD, or CONTINUED with the q that the last call gave.
        finishes: False if another call goes on at the limit, with what criteria still want.
    """
    tree, bounds, blocks, w = problem.tree, problem.bounds, problem.parts.blocks, m.working
    box, coordinates, inequality = bounds.box, problem.coordinates, blocks.inequality
    metric, vector, counts = coordinates[METRIC], m.vector, m.counts
    following, step, g, g_next = vector[NEXT], vector[STEP], vector[GRADIENT], vector[GRADIENT_NEXT]
    n, no, status = q.size, False, ITERATIONS
    for c in range(LEARNED):
        counts[c] = 0
    if begin == COLD:
        counts[EASED] = 1
        for i in range(n):
            if (coordinates[PULL, i] + coordinates[ZONE_PULL, i]) * metric[i] != 0.0:
                counts[EASED] = 0
    mode, fresh = LOOKING, begin == COLD
    curved, tied = bounds.limits.kind.size > 0, bounds.tied.size > 0
    # Of a search: the step, the first row that stops it, the greatest step, postures looked at,
    # the slope where it begins; then the ends of the interval, with value and slope there.
    size, reach, hit, farthest, tries, slope_first = 0.0, 0.0, -1, 0.0, 0, 0.0
    low, value_low, slope_low, high, value_high, slope_high = 0.0, 0.0, 0.0, -1.0, 0.0, 0.0
    while True:
        # The posture at this size of the step, after projection; its potential and gradient.
        bad = False
        for i in range(n):
            following[i] = q[i]
        if mode != LOOKING:
            for i in range(n):
                following[i] += size * metric[i] * step[i]
            if size == reach and hit < 2 * n:
                following[hit % n] = box[UPPER, hit] if hit < n else box[LOWER, hit - n]
            for i in range(n):
                following[i] = min(max(following[i], box[LOWER, i]), box[UPPER, i])
            if curved:
                clamp_joints(tree.source, bounds, following, q)
            unsure = tied
            for i in range(n):
                if metric[i] == 0.0 and following[i] != q[i]:
                    following[i], unsure = q[i], True
            if unsure and violation(tree, bounds, following, m.state) > 1e-11:
                bad = clamp(tree, bounds, following, q, m.state, m.hard) > 1e-10
                for i in range(n):
                    bad |= metric[i] == 0.0 and following[i] != q[i]
        place(tree, following, m.state)
        differentiate(tree, m.state)
        evaluate(tree, blocks, m.state, m.scratch, m.residual[TRIAL], m.wrenches.matrix, no)
        gradient(tree, problem.parts, m.state, m.scratch, m.residual[TRIAL], m.wrenches, g_next)
        counts[LOOKS] += 1
        value, slope = total(inequality, m.residual[TRIAL]), 0.0
        for i in range(n):
            g_next[i] *= metric[i]
        if counts[EASED] == 0:
            value += _add_criteria(coordinates, following, g_next)
        for i in range(n):
            slope += g_next[i] * step[i]
        if mode == SEARCHING:
            # Step 3, the conditions (31).
            tries += 1
            if bad or not value <= m.value[VALUE] + ENOUGH * size * slope_first:
                if tries < TRIES:
                    high, value_high, slope_high = size, value, slope
                    if bad or not value < np.inf:
                        size = 0.5 * (low + high)
                    else:
                        size = _between(low, value_low, slope_low, high, value_high, slope_high)
                    continue
                if low == 0.0 and counts[LEARNED] == 0:
                    rounding = -size * slope_first < 1e-14 * m.value[VALUE]
                    status = STATIONARY if rounding else STALLED
                    break
                # The best that was found; or else, what H_q has learned is of no use here.
                mode, fresh, size = (SETTLING, False, low) if low > 0.0 else (LOOKING, True, 0.0)
                continue
            if slope < FLATTER * slope_first and size < farthest and tries < TRIES:
                low, value_low, slope_low = size, value, slope
                if high < 0.0:  # where the slope would vanish, were it to go on as it has
                    ahead = slope_first / min(slope_first - slope, 0.1 * slope_first)
                    size = min(min(ahead, 10.0) * size, farthest)
                else:
                    size = _between(low, value_low, slope_low, high, value_high, slope_high)
                continue
        # The posture is accepted.
        for i in range(n):
            vector[SIGMA, i], vector[Y, i] = size * step[i], g_next[i] - g[i]
            q[i], g[i] = following[i], g_next[i]
        for r in range(inequality.size):
            m.residual[RESIDUAL, r] = m.residual[TRIAL, r]
        m.value[VALUE] = value
        if m.normal.shape[0] > 0:
            _normalise(m, metric, write_rows(tree, bounds, q, np.inf, m.state, m.hard))
        if fresh:
            counts[SINCE], m.value[BEFORE] = 0, value
            _begin(m, q, box, metric)
            fresh = False
        elif mode != LOOKING:
            turned, gone = _exchange(m, n)
            stopped = False
            if size == reach and _room(hit, q, box, metric, m.room) <= ACTIVE:
                stopped = add(w, hit)  # Step 4
                counts[ADDED] += 1
            if not stopped:
                _learn(m, turned and not gone, formula)
        idle = False
        if mode != LOOKING:
            counts[ITERATION] += 1
            counts[SINCE] += 1
            if counts[SINCE] >= max(n, FEWEST) and counts[EASED] == 1:
                idle = math.sqrt(m.value[BEFORE]) - math.sqrt(value) < tolerance
                counts[SINCE], m.value[BEFORE] = 0, value
        met = worst(blocks.block, blocks.factor, inequality, m.residual[RESIDUAL]) <= tolerance
        if met and (counts[EASED] == 1 or (finishes and counts[ITERATION] >= limit)):
            status = SOLVED
            break
        # Steps 1 to 3: multipliers, rows that are dropped, the direction.
        changes, mode = 0, SEARCHING
        while True:
            reduce(w, g, w.multiplier, vector[REDUCED])
            position, gain = _droppable(w, m.room, n)
            left = 0.0
            for i in range(n):
                left += vector[REDUCED, i] ** 2
            left = math.sqrt(left)
            if counts[EASED] == 0 and max(left, gain) <= 2.0 * CRITERIA * STILL:
                # The criteria have what they want, and are left behind.
                mode = LOOKING
                break
            if max(left, gain) <= 0.02 * tolerance * math.sqrt(m.value[VALUE]):
                status, mode = STATIONARY, SETTLING
                break
            if idle:
                status, mode = STALLED, SETTLING
                break
            length = descend(w, g, step)
            if position >= 0 and length <= 0.5 * w.unit[0] * gain:
                drop(w, position)
                counts[DROPPED] += 1
                changes += 1
                continue
            slope_first, longest = 0.0, 0.0
            for i in range(n):
                slope_first += g[i] * step[i]
                longest = max(longest, metric[i] * abs(step[i]))
            if not slope_first < 0.0 or changes > 4 * n + 8:
                if counts[LEARNED] == 0:
                    status, mode = STALLED, SETTLING
                else:
                    mode, fresh = LOOKING, True
                break
            reach, hit = _reach(m, q, box, metric)
            if hit >= 0 and _room(hit, q, box, metric, m.room) <= ACTIVE:
                add(w, hit)
                counts[ADDED] += 1
                changes += 1
                continue
            break
        if mode == LOOKING:
            if not fresh:
                counts[EASED], counts[SINCE] = 1, 0  # gains are counted anew, of the tasks alone
                m.value[BEFORE] = total(inequality, m.residual[RESIDUAL])
                if met:
                    status = SOLVED
                    break
            size = 0.0
            continue
        if mode == SETTLING or counts[ITERATION] >= limit:
            break
        farthest, tries = min(reach, LONGEST / longest), 0
        size, low, high = min(1.0, farthest), 0.0, -1.0
        value_low, slope_low = m.value[VALUE], slope_first
    m.value[OPTIMALITY] = 0.0
    if status != SOLVED:
        m.value[OPTIMALITY] = _optimality(m, coordinates, q, counts[EASED] == 1)
    if status == STALLED and m.value[OPTIMALITY] <= FLAT:
        status = STATIONARY
    return status
