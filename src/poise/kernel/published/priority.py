"""Task priorities after Baerlocher's thesis (2001), chapter 5: one compiled call for a solve.

Each iteration linearises the tasks and adds up partial steps, the most important level first
(Fig. 5.12). With J_i and Δx_i the Jacobian and the wanted increment of level i,

    Δx̂_i = Δx_i − J_i Δq,   J̃_i = J_i P_{i−1},   Δq ← Δq + J̃_i^{†λ} Δx̂_i,   P_i = P_{i−1} − J̃_i† J̃_i

and what is left goes to the criterion, Δq ← Δq + P_p(−κ∇h). Damping λ is in the inverse only,
never in the projector. Limits and couplings hold on every step (5.4): equalities start the
recursion (5.24), a limit that the step would break is put into a working set and the step is
computed again so that it lands on it exactly (5.4.2), curved limits are replaced by tangents and
the posture is projected back after the step (5.4.3).

The same steps are computed in two ways: `projectors` as printed, and `reflections`, several times
faster. A test holds the two together. `priority_steps` has the working set.

Beyond the thesis: one-sided tasks are in force while they are broken, and enter the working set
like limits where the step would break them; stiffness scales the columns, so that the least
change is counted in reluctant coordinates; the iteration stops by itself, with the best posture
it has met; and where the steps of a level come out as foreseen to first order, damping becomes
weaker, so that its partial steps may be up to FARTHEST times as long as is asked for, though no
coordinate goes farther than twice that length in one step.

Below a level that cannot be met, levels settle poorly: an algorithmic singularity (5.3.5). Once
that level is at rest its Jacobian has lost a row, and what levels below do with the freedom costs
it something to second order only, which no projector sees. Such an end is called stalled.

A solve seeks until there is a reason to stop (`_seek`), goes back to the best posture, restores the
levels there that have drifted (`_restore`), and finds out how good that is (`_certify`).
"""

import numpy as np

from poise.kernel.arrays import Floats
from poise.kernel.body.kinematics import differentiate, place
from poise.kernel.compiling import compiled, entry
from poise.kernel.contacts.bodies import forget_all
from poise.kernel.ending import COLD, ITERATIONS, RUNNING, SOLVED, STALLED, STATIONARY
from poise.kernel.limits.bounds import LOWER, UPPER, write_rows
from poise.kernel.problem import METRIC, Problem, spring
from poise.kernel.published.priority_arrays import (
    BEST,
    DRAWN,
    ERROR,
    LAST,
    LOCKED,
    MOVE,
    PREDICTED,
    SIZE,
    SPARE,
    WANTED,
    Memory,
    Settings,
)
from poise.kernel.published.priority_steps import slope, take
from poise.kernel.published.stepping import (
    EASED,
    FLAT,
    ending,
    is_pulled,
    limited,
    longest,
    move_to,
)
from poise.kernel.residuals.evaluation import evaluate
from poise.kernel.residuals.gradients import worst
from poise.kernel.residuals.sizes import sizes
from poise.kernel.tracing import note

COARSE, DRIFT = 20.0, 2e-3
"""Levels above may drift by so many tolerances, or so far (m) if that is more, while those below
them move; in the end they are brought back. How far a step of a given length makes them drift does
not depend on the tolerance: were less allowed, a fine one would refuse every step."""

BETTER = 1e-4
"""A level is better, or worse, than another if its error differs by more than this share."""

FARTHEST = 4.0
"""So many times the longest partial step that is asked for may a level go whose steps come out."""

FIRST_MOVE = 0.4
"""How long the first step is taken to be beforehand (rad)."""

NEARBY = 0.1
"""Limits that are no boxes are looked for within this (rad) and twice the last step."""

LEAST_SHARE = 0.01
"""A step of which less than this share is valid is none."""

EASING = 0.99
"""As long as the criterion's pull becomes shorter by this factor, steps are not without gain."""

RESTORATIONS = 5
"""So many steps at most bring levels back that have drifted."""

SEEKING, RESTORING = range(2)
"""Phases, in a trace."""


@compiled
def _begin(problem, m):
    """Begin a solve from nothing."""
    progress = m.progress
    progress.since, progress.longest_pull = 0, np.inf
    progress.longest_move = FIRST_MOVE if problem.coordinates.shape[1] > 0 else 0.0
    progress.is_at_ease = not is_pulled(problem.coordinates)
    for k in range(m.level.shape[1]):
        m.level[BEST, k], m.step.trust[k] = np.inf, 1.0


@compiled
def _look(problem, m, q, tolerance):
    """Residual, Jacobian and sizes of levels at a posture, and whether all tasks are met."""
    tree, blocks = problem.tree, problem.blocks
    place(tree, q, m.state)
    differentiate(tree, m.state)
    evaluate(tree, blocks, m.state, m.scratch, m.residual, m.matrix, True)
    sizes(blocks.level, blocks.inequality, m.residual, m.level[SIZE])
    error = worst(blocks.block, blocks.factor, blocks.inequality, m.residual)
    m.progress.is_met = error <= tolerance


@compiled
def _coarse(tolerance):
    """How far levels above may drift on the way (m)."""
    return max(COARSE * tolerance, DRIFT)


@compiled
def _gains(level, least):
    """Whether the levels are lexicographically better than the best (1), as good (0), worse (−1).

    What is smaller than `least` counts as that.
    """
    for k in range(level.shape[1]):
        now, before = max(level[SIZE, k], least), max(level[BEST, k], least)
        if now < before * (1.0 - BETTER):
            return 1
        if now > before * (1.0 + BETTER):
            return -1
    return 0


@compiled
def _judge(problem, m, q, gains):
    """Keep the best posture, and count the steps without gain, by what `_gains` says."""
    if gains > 0 or (gains == 0 and is_pulled(problem.coordinates)):
        for i in range(q.size):
            m.posture[1, i] = q[i]
        for k in range(m.level.shape[1]):
            m.level[BEST, k] = m.level[SIZE, k]
    m.progress.since = 0 if gains > 0 else m.progress.since + 1


@compiled
def _go_to_best(problem, m, q, tolerance):
    """Go back to the best posture."""
    for i in range(q.size):
        q[i] = m.posture[1, i]
    _look(problem, m, q, tolerance)


@compiled
def _trust(level, trust, least):
    """Judge the last step: levels that came out as foreseen may go twice as far, others less far.

    What a level misses may be the doing of all below it, which go less far with it. A level that
    was met, to within `least`, and is not any more, was torn off by them. No level goes less far
    than is asked for.
    """
    less = 1.0  # the factor for all further levels
    for k in range(trust.size):
        last, now, ahead = level[LAST, k], level[SIZE, k], level[PREDICTED, k]
        factor = less
        if last <= least:
            if now > least:
                less = min(less, 0.5)
        elif ahead < (1.0 - 1e-6) * last:
            share = (last - now) / (last - ahead)
            if share < 0.25:
                less = min(less, 0.5 if share > 0.0 else 0.0)
            factor = 2.0 if share > 0.75 and less == 1.0 else less
        trust[k] = min(max(factor * trust[k], 1.0), FARTHEST)


@compiled
def _linearise(problem, m, settings, q, with_criterion):
    """Write the linear step at a posture, with the criterion or without; the count of hard rows."""
    coordinates, step, box = problem.coordinates, m.step, problem.bounds.box
    starts, inequality = problem.blocks.level, problem.blocks.inequality
    rows, increment, drawn = step.rows, step.increment, step.vector[DRAWN]
    n, reach = q.size, NEARBY + 2.0 * m.progress.longest_move
    count = write_rows(problem.tree, problem.bounds, q, reach, m.state, m.hard)
    for r in range(count):
        for i in range(n):
            step.hard[r, i] = m.hard.matrix[r, i] * coordinates[METRIC, i]
        low, high = m.hard.box[LOWER, r], m.hard.box[UPPER, r]
        if low == high:  # what couplings have drifted by is taken back (5.24)
            step.ends[LOWER, r], step.ends[UPPER, r] = low, high
        else:
            step.ends[LOWER, r], step.ends[UPPER, r] = min(low, 0.0), max(high, 0.0)
    for k in range(starts.size - 1):
        # One factor for the whole level, or the compromise within it would be another (5.2).
        size = m.level[SIZE, k]
        share = -min(1.0, settings.max_step / size) if size > 0.0 else 0.0
        for r in range(starts[k], starts[k + 1]):
            e = m.residual[r]
            step.entered[r] = 1 if inequality[r] == 0 or e < 0.0 else 0
            increment[ERROR, r], increment[WANTED, r] = e, share * e
            for i in range(n):
                rows[r, i] = m.matrix[r, i] * coordinates[METRIC, i]
    far = 0.0
    for i in range(n):
        metric = coordinates[METRIC, i]
        step.box_state[i] = 0 if metric > 0.0 else LOCKED
        step.box[LOWER, i], step.box[UPPER, i], drawn[i] = 0.0, 0.0, 0.0
        if metric > 0.0:
            step.box[LOWER, i] = min(box[LOWER, i] - q[i], 0.0) / metric
            step.box[UPPER, i] = max(box[UPPER, i] - q[i], 0.0) / metric
            if with_criterion:
                pull = -settings.gain * spring(coordinates, i, q[i])[1]  # −κ∇h
                drawn[i] = pull / metric
                far = max(far, abs(pull))
    if far > settings.max_turn:
        for i in range(n):
            drawn[i] *= settings.max_turn / far
    return count


@compiled
def _move(problem, m, settings, q):
    """Go along the step, less far where that is not valid; whether that could be done.

    What it should make of all levels, to first order, is noted.
    """
    metric, move, following = problem.coordinates[METRIC], m.step.vector[MOVE], m.posture[0]
    length = longest(metric, move)
    share = min(1.0, 2.0 * settings.max_turn / length) if length > 0.0 else 1.0
    m.progress.longest_move = 0.0
    while share > LEAST_SHARE:
        for i in range(q.size):
            following[i] = q[i] + share * metric[i] * move[i]
        if limited(problem.tree, problem.bounds, metric, q, following, m.state, m.hard):
            _predict(problem, m, q)
            m.progress.longest_move = move_to(q, following)
            return True
        share *= 0.5
    return False


@compiled
def _predict(problem, m, q):
    """Write what the step from q to the next posture makes of all levels, to first order."""
    following, matrix = m.posture[0], m.matrix
    for r in range(m.residual.size):
        e = m.residual[r]
        for i in range(q.size):
            e += matrix[r, i] * (following[i] - q[i])
        m.predicted[r] = e
    sizes(problem.blocks.level, problem.blocks.inequality, m.predicted, m.level[PREDICTED])
    for k in range(m.level.shape[1]):
        m.level[LAST, k] = m.level[SIZE, k]


@compiled
def _ease(problem, m):
    """Find out whether the criterion has what it wants, from what it moved in the last step."""
    progress, pull = m.progress, longest(problem.coordinates[METRIC], m.step.vector[SPARE])
    progress.is_at_ease = pull < EASED
    if progress.is_met and pull < EASING * progress.longest_pull:
        progress.since = 0
    progress.longest_pull = pull


@compiled
def _seek(problem, m, settings, q, tolerance, limit, begin):
    """Lower levels until there is a reason to stop: which."""
    progress, step, levels = m.progress, m.step, m.level.shape[1]
    coarse, pulled = _coarse(tolerance), is_pulled(problem.coordinates)
    is_judged = begin != COLD  # the last call has judged the posture that it left
    while True:
        _look(problem, m, q, tolerance)
        if progress.iterations > 0:
            radius = 2.0 * settings.max_turn
            note(m.trace, m.residual, SEEKING, -1, radius, progress.longest_move)
            _trust(m.level, step.trust, coarse)
        if not is_judged:
            # Levels above may drift a little on the way, but not in the end.
            gains = _gains(m.level, coarse)
            _judge(problem, m, q, gains if gains != 0 else _gains(m.level, tolerance))
        is_judged = False
        status = ending(progress, limit)
        if status != RUNNING:
            return status
        count = _linearise(problem, m, settings, q, True)
        progress.rounds += take(step, levels, count, settings.max_turn, settings.how)
        if pulled:
            _ease(problem, m)
        _move(problem, m, settings, q)
        progress.iterations += 1


@compiled
def _restore(problem, m, settings, q, tolerance):
    """Bring levels back that have drifted, as long as that gains something."""
    level, coarse = m.level, _coarse(tolerance)
    for tries in range(RESTORATIONS + 1):
        if tries > 0:
            _look(problem, m, q, tolerance)
            radius = 2.0 * settings.max_turn
            note(m.trace, m.residual, RESTORING, -1, radius, m.progress.longest_move)
        _judge(problem, m, q, _gains(level, tolerance))
        depth, has_drifted = 0, False
        while depth < level.shape[1] and level[SIZE, depth] <= coarse:
            has_drifted |= level[SIZE, depth] > tolerance
            depth += 1
        if m.progress.is_met or not has_drifted or tries == RESTORATIONS:
            return
        count = _linearise(problem, m, settings, q, False)
        m.progress.rounds += take(m.step, depth, count, settings.max_turn, settings.how)
        if not _move(problem, m, settings, q):
            return


@compiled
def _certify(problem, m, settings, q, tolerance):
    """How fast a level could still be lowered, the greatest (m/rad)."""
    count, most = _linearise(problem, m, settings, q, False), 0.0
    for k in range(m.level.shape[1]):
        if m.level[SIZE, k] > tolerance:
            take(m.step, k + 1, count, settings.max_turn, settings.how)
            most = max(most, slope(m.step, k))
    return most


@entry
def priority(
    problem: Problem,
    m: Memory,
    settings: Settings,
    q: Floats,
    tolerance: float,
    limit: int,
    begin: int,
    finishes: bool,
) -> int:
    """Solve from a valid posture q, in place; how it ended.

    Args:
        problem: what is wanted.
        m: room.
        settings: the options.
        q: (n,) the start, within limits; the result.
        tolerance: a task is met when its error is at most this (m).
        limit: the most iterations.
        begin: COLD, or CONTINUED with the q that the last call gave.
        finishes: False to leave off at the limit as things are, for another call to go on.
    """
    progress = m.progress
    progress.iterations, progress.rounds, progress.optimality = 0, 0, 0.0
    if begin == COLD:
        forget_all(m.scratch.kept)
        _begin(problem, m)
    status = _seek(problem, m, settings, q, tolerance, limit, begin)
    if status == SOLVED or (status == ITERATIONS and not finishes):
        return status
    _go_to_best(problem, m, q, tolerance)
    _restore(problem, m, settings, q, tolerance)
    _go_to_best(problem, m, q, tolerance)
    if progress.is_met:
        return SOLVED
    progress.optimality = _certify(problem, m, settings, q, tolerance)
    if status == ITERATIONS:
        return ITERATIONS
    return STATIONARY if progress.optimality <= FLAT else STALLED
