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

Here they stand: `nlp_rows.begin` is step 0, `_direct` is steps 1 and 2 and finds ᾱ,
`nlp_search.search` is the search, and `_update` steps 4 and 5; `working_set` has (30) to (34).

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

from poise.kernel.arrays import Floats
from poise.kernel.compiling import compiled, entry
from poise.kernel.contacts.bodies import forget_all
from poise.kernel.ending import COLD, ITERATIONS, SOLVED, STALLED, STATIONARY
from poise.kernel.problem import METRIC
from poise.kernel.published.nlp_arrays import (
    GRADIENT,
    GRADIENT_NEXT,
    NEXT,
    REDUCED,
    REDUCED_NEXT,
    RESIDUAL,
    SIGMA,
    STEP,
    TRIAL,
    Memory,
    Problem,
    Y,
)
from poise.kernel.published.nlp_rows import (
    ACTIVE,
    begin,
    droppable,
    exchange,
    find_reach,
    room_to,
    write_general,
)
from poise.kernel.published.nlp_search import CRITERIA, add_criteria, look, search
from poise.kernel.published.stepping import FLAT, is_pulled, longest, move_to
from poise.kernel.published.working_set import add, descend, drop, learn, reduce
from poise.kernel.residuals.gradients import total, worst
from poise.kernel.tracing import note

LONGEST = 1.5
"""No coordinate moves by more in one step (rad or m): charts end at a turn."""

STILL = 1e-3
"""Criteria are obeyed when no gradient asks for more than so much of them (rad)."""

STATIONARY_SHARE = 0.02
"""A Kuhn–Tucker point: the gradient is at most this many times the tolerance times √P."""

FEWEST = 30
"""So many steps at least are given to gain a tolerance."""

ROUNDING = 1e-14
"""A step that promises to lower P by no more than this share of it fails by rounding alone."""

SEARCH, RESTART, LEAVE_CRITERIA, END = range(4)
"""What comes next: a search along s; H_q and working set begun anew, since what was learned is of
no use here; the tasks alone, since criteria have what they want; nothing."""


@compiled
def _look_again(problem, m, q):
    """Compute objective and gradient at q, which stays."""
    for i in range(q.size):
        m.vector[NEXT, i] = q[i]
    look(problem, m)
    _accept(problem, m, q)
    m.progress.is_idle = False


@compiled
def _accept(problem, m, q):
    """Go to the trial posture; how far the coordinate goes that moves most (rad or m)."""
    g, g_next, length = m.vector[GRADIENT], m.vector[GRADIENT_NEXT], m.progress.step_length
    for i in range(q.size):
        m.vector[SIGMA, i] = length * m.vector[STEP, i]
        m.vector[Y, i], g[i] = g_next[i] - g[i], g_next[i]
    for r in range(m.residual.shape[1]):
        m.residual[RESIDUAL, r] = m.residual[TRIAL, r]
    m.progress.value = m.progress.trial_value
    moved = move_to(q, m.vector[NEXT])
    write_general(problem, m, q)
    return moved


@compiled
def _fail(progress, status):
    """What comes next where there is no descent: the end, if H_q has learned nothing."""
    progress.status = status
    return END if progress.updates == 0 else RESTART


@compiled
def _direct(problem, m, q, tolerance):
    """Steps 1 and 2: multipliers, rows that are dropped and added, the direction; what is next."""
    w, progress, g, step, n = m.working, m.progress, m.vector[GRADIENT], m.vector[STEP], q.size
    changes = 0
    while True:
        reduce(w, g, w.multiplier, m.vector[REDUCED])
        position, gain = droppable(m, n)
        left = 0.0
        for i in range(n):
            left += m.vector[REDUCED, i] ** 2
        left = max(math.sqrt(left), gain)
        if not progress.has_left_criteria and left <= 2.0 * CRITERIA * STILL:
            return LEAVE_CRITERIA
        if left <= STATIONARY_SHARE * tolerance * math.sqrt(progress.value):
            progress.status = STATIONARY
            return END
        if progress.is_idle:
            progress.status = STALLED
            return END
        length = descend(w, g, step)
        if position >= 0 and length <= 0.5 * w.unit[0] * gain:
            drop(w, position)
            changes += 1
            continue
        slope = 0.0
        for i in range(n):
            slope += g[i] * step[i]
        if not slope < 0.0 or changes > 4 * n + 8:
            return _fail(progress, STALLED)
        find_reach(problem, m, q)
        k = progress.blocking_row
        if k < 0 or room_to(problem, m, q, k) > ACTIVE:
            break
        add(w, k)
        changes += 1
    far = longest(problem.coordinates[METRIC], step)
    progress.slope, progress.greatest_step = slope, min(progress.reach, LONGEST / far)
    progress.radius = progress.greatest_step * far
    return SEARCH


@compiled
def _update(problem, m, q, formula):
    """Steps 4 and 5: add the row that stopped the step; or else H_q learns from it."""
    w, progress, sigma, y = m.working, m.progress, m.vector[SIGMA], m.vector[Y]
    reduced, n, k = m.vector[REDUCED_NEXT], q.size, progress.blocking_row
    turned, gone = exchange(m, n)
    if progress.step_length == progress.reach and room_to(problem, m, q, k) <= ACTIVE and add(w, k):
        return
    if turned and not gone:
        # Rows have turned on the way. What counts is the change of what they leave of the gradient:
        # that has the bend of the limits in it.
        reduce(w, m.vector[GRADIENT], w.multiplier, reduced)
        for i in range(n):
            y[i] = reduced[i] - m.vector[REDUCED, i]
        reduce(w, sigma, w.multiplier, reduced)
        for i in range(n):
            sigma[i] = reduced[i]
    if learn(w, sigma, y, formula):
        progress.updates += 1


@compiled
def _count(m, q, tolerance):
    """Count an accepted step, and look at what the last ones have gained."""
    progress = m.progress
    progress.iterations += 1
    progress.since += 1
    progress.is_idle = False
    if progress.since >= max(q.size, FEWEST) and progress.has_left_criteria:
        gained = math.sqrt(progress.value_before) - math.sqrt(progress.value)
        progress.is_idle = gained < tolerance
        progress.since, progress.value_before = 0, progress.value


@compiled
def _optimality(problem, m, q):
    """How fast √P of the tasks alone could be lowered (m/rad), to first order, within limits."""
    w, g, reduced, n = m.working, m.vector[Y], m.vector[REDUCED_NEXT], q.size
    power, value = 0.0, m.progress.value
    for i in range(n):
        g[i] = 0.0
    if not m.progress.has_left_criteria:
        value -= add_criteria(problem.coordinates, q, g)
    for i in range(n):
        g[i] = m.vector[GRADIENT, i] - g[i]
    reduce(w, g, w.multiplier, reduced)
    for i in range(n):
        power += reduced[i] * reduced[i]
    power = max(math.sqrt(power), droppable(m, n)[1])
    return 0.5 * power / math.sqrt(value) if value > 0.0 else 0.0


@compiled
def _descend(problem, m, q, tolerance, limit, formula, finishes):
    """Step until there is a reason to stop, which is left in `Progress.status`."""
    progress, residual, blocks = m.progress, m.residual[RESIDUAL], problem.parts.blocks
    progress.status = ITERATIONS
    while True:
        met = worst(blocks.block, blocks.factor, blocks.inequality, residual) <= tolerance
        is_last = progress.iterations >= limit
        if met and (progress.has_left_criteria or (finishes and is_last)):
            progress.status = SOLVED
            return
        following = _direct(problem, m, q, tolerance)
        if following == SEARCH:
            if is_last:
                return
            if search(problem, m, q):
                phase = 1 if progress.has_left_criteria else 0
                moved = _accept(problem, m, q)
                _update(problem, m, q, formula)
                _count(m, q, tolerance)
                note(m.trace, residual, phase, -1, progress.radius, moved)
                continue
            promise = -progress.step_length * progress.slope
            is_rounding = promise < ROUNDING * progress.value
            following = _fail(progress, STATIONARY if is_rounding else STALLED)
        if following == END:
            return
        progress.status, progress.step_length = ITERATIONS, 0.0
        if following == LEAVE_CRITERIA:
            progress.has_left_criteria, progress.since = True, 0
            # Gains are counted anew, of the tasks alone.
            progress.value_before = total(blocks.inequality, residual)
            if met:
                progress.status = SOLVED
                return
        _look_again(problem, m, q)
        if following == RESTART:
            begin(problem, m, q)


@entry
def nlp(
    problem: Problem,
    m: Memory,
    q: Floats,
    tolerance: float,
    limit: int,
    formula: int,
    start: int,
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
        start: COLD, or CONTINUED with the q that the last call gave.
        finishes: False if another call goes on at the limit, with what criteria still want.
    """
    progress = m.progress
    progress.iterations, progress.evaluations, progress.step_length = 0, 0, 0.0
    if start == COLD:
        forget_all(m.scratch.kept)
        progress.has_left_criteria = not is_pulled(problem.coordinates)
    _look_again(problem, m, q)
    if start == COLD:
        begin(problem, m, q)
    _descend(problem, m, q, tolerance, limit, formula, finishes)
    progress.optimality = 0.0
    if progress.status != SOLVED:
        progress.optimality = _optimality(problem, m, q)
    if progress.status == STALLED and progress.optimality <= FLAT:
        progress.status = STATIONARY
    return progress.status
