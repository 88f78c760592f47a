"""The methods that the papers compare with, one compiled call for a whole solve.

All of them lower one weighted sum of squares, P = |e|², but `PARTITION`, which knows levels. They
know nothing of limits: a posture is brought within them after each step, or after the last, as
the 2011 paper describes its comparators. Neither keeps a step optimal (thesis 5.4), and that is
what the comparison shows.

With e the residual and J its Jacobian, a step is

- PINV: −J⁺e, the pseudo-inverse by singular values, small ones left out; and for criteria their
  pull in the null space (thesis 4.14).
- DLS: −Jᵀ(JJᵀ + λ²)⁻¹e (2011, eq. 15).
- TRANSPOSE: −τ 2Jᵀe (2011, eq. 26–29).
- CCD: −e·J_i / |J_i|² for one coordinate i after the other, from the tips to the root, each as
  short as it must be to lower P: cyclic coordinate descent, which is the Gauss–Seidel method on
  the normal equations (2011, section 2). One iteration is one round through all coordinates.
- PARTITION: as DLS, but level by level, each with the joints of its own: a joint belongs to the
  most important level that it can move (thesis 5.3, Fig. 5.4c).

Stiffness scales the columns of J; what is locked has none.

A solve steps until there is a reason to stop (`_iterate`), is brought within limits if it was not
on the way (`_limit_at_last`), and says how fast levels could still be lowered (`_optimality`). The
steps are in `classics_steps`.
"""

import math

import numpy as np

from poise.kernel.arrays import Floats
from poise.kernel.body.kinematics import differentiate, place
from poise.kernel.compiling import compiled, entry
from poise.kernel.contacts.bodies import forget_all
from poise.kernel.ending import COLD, ITERATIONS, RUNNING, SOLVED, STALLED, STATIONARY
from poise.kernel.limits.bounds import LOWER, UPPER, write_rows
from poise.kernel.limits.projection import project
from poise.kernel.problem import METRIC, Problem
from poise.kernel.published.classics_arrays import (
    CCD,
    HOME,
    NEXT,
    PARTITION,
    STEP,
    TRANSPOSE,
    Memory,
    Settings,
)
from poise.kernel.published.classics_steps import write_coordinate_step, write_step
from poise.kernel.published.stepping import (
    FLAT,
    ending,
    is_pulled,
    limited,
    longest,
    move_to,
)
from poise.kernel.residuals.evaluation import evaluate
from poise.kernel.residuals.gradients import worst
from poise.kernel.tracing import note

GAIN = 1e-4
"""A step gains something if it lowers the least P so far by more than this share."""

AT_STOP = 1e-6
"""A limit so near (rad) is at its stop."""

NEARBY = 0.1
"""Limits that are no boxes are looked for within this (rad)."""

HALVINGS = 8
"""So many lengths of one step are tried, each half as long as the last."""

LEAST_SHARE = 1e-3
"""Where limits are kept at last, so much of the way from the start at least must be valid."""

DIVERGED = 1e6
"""A coordinate beyond this (rad or m) tells that a method diverges."""


@compiled
def _begin(problem, m, settings, q):
    """Begin a solve from nothing."""
    progress, levels = m.progress, m.level.size - 1
    progress.least_potential, progress.since = np.inf, 0
    progress.longest_move = np.inf if q.size > 0 else 0.0
    progress.is_at_ease = not is_pulled(problem.coordinates)
    for i in range(q.size):
        m.vector[HOME, i] = q[i]
        m.owner[i] = levels if settings.method == PARTITION else 0


@compiled
def _look(problem, m, q, tolerance):
    """Residual, Jacobian and P at a posture, and whether all tasks are met there."""
    tree, blocks, e, metric = (
        problem.tree,
        problem.blocks,
        m.residual[0],
        problem.coordinates[METRIC],
    )
    place(tree, q, m.state)
    differentiate(tree, m.state)
    evaluate(tree, blocks, m.state, m.scratch, e, m.matrix, True)
    m.progress.is_met = worst(blocks.block, blocks.factor, blocks.inequality, e) <= tolerance
    potential = 0.0
    for r in range(e.size):
        potential += e[r] * e[r]
        for i in range(q.size):
            m.rows[r, i] = m.matrix[r, i] * metric[i]
    m.progress.potential = potential


@compiled
def _judge(progress):
    """Count the last step, by what it has gained."""
    if progress.potential < progress.least_potential * (1.0 - GAIN):
        progress.least_potential, progress.since = progress.potential, 0
    else:
        progress.since += 1


@compiled
def _lowers(problem, m):
    """Whether P is less at the next posture."""
    trial, after = m.residual[1], 0.0
    place(problem.tree, m.vector[NEXT], m.state)
    evaluate(problem.tree, problem.blocks, m.state, m.scratch, trial, m.matrix, False)
    for r in range(trial.size):
        after += trial[r] * trial[r]
    return after < m.progress.potential


@compiled
def _move(problem, m, settings, q):
    """Go along the step, less far where that is too long or not valid; whether that could be done.

    CCD must lower P, too.
    """
    metric, u, following = problem.coordinates[METRIC], m.vector[STEP], m.vector[NEXT]
    length, share = longest(metric, u), 1.0
    if length == 0.0:
        return True
    if settings.method != TRANSPOSE and length > settings.max_turn:
        share = settings.max_turn / length
    for _ in range(HALVINGS):
        good = True
        for i in range(q.size):
            following[i] = q[i] + share * metric[i] * u[i]
            good &= abs(following[i]) < DIVERGED
        if settings.keeps_limits:
            good &= limited(problem.tree, problem.bounds, metric, q, following, m.state, m.hard)
        if good and settings.method == CCD:
            good = _lowers(problem, m)
        if good:
            moved = move_to(q, following)
            m.progress.longest_move = max(m.progress.longest_move, moved)
            return True
        share *= 0.5
    return False


@compiled
def _go_round(problem, m, settings, q, tolerance):
    """One round of CCD: a step of each coordinate, from the tips to the root."""
    for at in range(q.size):
        if at > 0:
            _look(problem, m, q, tolerance)
        write_coordinate_step(m, m.order[at])
        _move(problem, m, settings, q)


@compiled
def _iterate(problem, m, settings, q, tolerance, limit, begin):
    """Step until there is a reason to stop: which."""
    progress, is_judged = m.progress, begin != COLD  # the last call has judged what it left
    radius = np.nan if settings.method == TRANSPOSE else settings.max_turn
    while True:
        _look(problem, m, q, tolerance)
        if progress.iterations > 0:
            note(m.trace, m.residual[0], 0, -1, radius, progress.longest_move)
        if not is_judged:
            _judge(progress)
        is_judged = False
        status = ending(progress, limit)
        if status != RUNNING:
            return status
        progress.iterations += 1
        progress.longest_move = 0.0
        if settings.method == CCD:
            _go_round(problem, m, settings, q, tolerance)
            continue
        write_step(problem, m, settings, q)
        if not _move(problem, m, settings, q):
            _look(problem, m, q, tolerance)
            note(m.trace, m.residual[0], 0, -1, radius, 0.0)
            return STALLED


@compiled
def _limit_at_last(problem, m, q):
    """Bring a posture within limits, as far on the way from the start as can be."""
    home, following, share = m.vector[HOME], m.vector[NEXT], 1.0
    metric, good = problem.coordinates[METRIC], False
    while not good and share > LEAST_SHARE:
        for i in range(q.size):
            following[i] = home[i] + share * (q[i] - home[i])
        good = limited(problem.tree, problem.bounds, metric, home, following, m.state, m.hard)
        share *= 0.5
    for i in range(q.size):
        q[i] = following[i] if good else home[i]


@compiled
def _write_walls(problem, m, q):
    """Write the limits that are at their stop, as rows over scaled coordinates; their number."""
    metric, box, hard = problem.coordinates[METRIC], problem.bounds.box, m.hard
    walls, wall_box, n, walled = m.walls, m.wall_box, q.size, 0
    count = write_rows(problem.tree, problem.bounds, q, NEARBY, m.state, hard)
    for r in range(count):
        low, high = hard.box[LOWER, r], hard.box[UPPER, r]
        if low < -AT_STOP and high > AT_STOP:
            continue
        for i in range(n):
            walls[walled, i] = hard.matrix[r, i] * metric[i]
        wall_box[LOWER, walled] = 0.0 if low >= -AT_STOP else -np.inf
        wall_box[UPPER, walled] = 0.0 if high <= AT_STOP else np.inf
        walled += 1
    for i in range(n):
        low, high = box[LOWER, i] - q[i], box[UPPER, i] - q[i]
        if low < -AT_STOP and high > AT_STOP:
            continue
        for j in range(n):
            walls[walled, j] = 0.0
        walls[walled, i] = 1.0
        wall_box[LOWER, walled] = 0.0 if low >= -AT_STOP else -np.inf
        wall_box[UPPER, walled] = 0.0 if high <= AT_STOP else np.inf
        walled += 1
    return walled


@compiled
def _optimality(problem, m, q, tolerance):
    """What is left of each level's descent where limits and the levels above do not give way."""
    e, u, walls, most = m.residual[0], m.vector[STEP], m.walls, 0.0
    walled = _write_walls(problem, m, q)
    for k in range(m.level.size - 1):
        first, last, size = m.level[k], m.level[k + 1], 0.0
        for i in range(q.size):
            u[i] = 0.0
        for r in range(first, last):
            size += e[r] * e[r]
            for i in range(q.size):
                u[i] -= m.rows[r, i] * e[r]
        if math.sqrt(size) > tolerance:
            project(walls, m.wall_box, walled, u)
            square = 0.0
            for i in range(q.size):
                square += u[i] * u[i]
            most = max(most, math.sqrt(square / size))
        for r in range(first, last):
            for i in range(q.size):
                walls[walled, i] = m.rows[r, i]
            m.wall_box[LOWER, walled], m.wall_box[UPPER, walled] = 0.0, 0.0
            walled += 1
    return most


@entry
def descend(
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
        problem: what is wanted; no inequalities.
        m: room.
        settings: the method and its options.
        q: (n,) the start, within limits; the result, within limits if the solve has finished.
        tolerance: a task is met when its error is at most this (m).
        limit: the most iterations.
        begin: COLD, or CONTINUED with the q that the last call gave.
        finishes: False to leave off at the limit as things are, for another call to go on.
    """
    progress = m.progress
    progress.iterations = 0
    if begin == COLD:
        forget_all(m.scratch.kept)
        _begin(problem, m, settings, q)
    status = _iterate(problem, m, settings, q, tolerance, limit, begin)
    if status == ITERATIONS and not finishes:
        return ITERATIONS
    if not settings.keeps_limits:
        _limit_at_last(problem, m, q)
        _look(problem, m, q, tolerance)
    progress.optimality = 0.0
    if progress.is_met:
        return SOLVED
    progress.optimality = _optimality(problem, m, q, tolerance)
    if status == SOLVED or (status == STATIONARY and progress.optimality > FLAT):
        return STALLED
    return status
