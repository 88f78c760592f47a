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
"""

import math
from typing import NamedTuple

import numpy as np

from poise.kernel.arrays import Floats, Floats2, Ints
from poise.kernel.body.kinematics import differentiate, place
from poise.kernel.body.tree import State, Tree, state
from poise.kernel.compiling import compiled, entry
from poise.kernel.ending import COLD, ITERATIONS, SOLVED, STALLED, STATIONARY
from poise.kernel.limits.bounds import (
    LOWER,
    UPPER,
    Bounds,
    Rows,
    clamp,
    clamp_joints,
    make_rows,
    most_rows,
    violation,
    write_rows,
)
from poise.kernel.problem import METRIC, PULL, ZONE_PULL, Problem, spring
from poise.kernel.published.priority_arrays import (
    DRAWN,
    ERROR,
    LOCKED,
    MOVE,
    SPARE,
    WANTED,
    Step,
    make_step,
)
from poise.kernel.published.priority_steps import slope, take
from poise.kernel.residuals.blocks import Scratch, make_scratch
from poise.kernel.residuals.evaluation import evaluate
from poise.kernel.residuals.gradients import worst
from poise.kernel.residuals.sizes import sizes

STILL = 1e-4
"""Criteria are obeyed when they move no coordinate by more than this (rad)."""

STOPPED = 1e-6
"""A step that moves no coordinate by more than this (rad) is the last."""

CALM, PATIENT = 10, 40
"""After so many steps without gain the solve ends: if they are short; in any case."""

FLAT = 0.02
"""Where no level could be lowered faster than this (m/rad), an end without gain is stationary."""

COARSE, DRIFT = 20.0, 2e-3
"""Levels above may drift by so many tolerances, or so far (m) if that is more, while those below
them move; in the end they are brought back. How far a step of a given length makes them drift does
not depend on the tolerance: were less allowed, a fine one would refuse every step."""

SIZE, BEST, LAST, PREDICTED = range(4)
"""Rows of `Memory.level`: |e| now, at the best posture, before the last step, and what that step
should have made of it to first order."""

FARTHEST = 4.0
"""So many times the longest partial step that is asked for may a level go whose steps come out."""

ITERATION, SINCE, ROUNDS = range(3)
"""Entries of `Memory.counts`: iterations; those since the last gain; recursions computed."""

MAX_STEP, MAX_TURN, GAIN = range(3)
"""Entries of the settings: the longest Δx of a level (m), the longest partial step that damping
allows (rad), κ."""

GONE, DRAWING, AT_EASE = range(3)
"""Entries of `Memory.known`: the farthest that a coordinate went in the last step (rad), and by how
much the criterion drew one; 1 where the criterion has what it wants, else 0."""

SEEKING, MENDING, CERTIFYING = range(3)
"""What an iteration is for: to lower levels; to bring levels back that have drifted, in the end;
to find out how good the end is."""


class Memory(NamedTuple):
    """What a solve works with."""

    state: State
    scratch: Scratch
    hard: Rows
    step: Step
    residual: Floats  # (R,)
    matrix: Floats2  # (R, n)
    posture: Floats2  # (2, n) the next posture, the best
    level: Floats2  # (4, L)
    predicted: Floats  # (R,)
    counts: Ints  # (3,)
    known: Floats  # (3,) what a call leaves for the next one
    optimality: Floats  # (1,)


def memory(problem: Problem, corners: int) -> Memory:
    """Room to solve a problem whose supports have that many corners."""
    n = problem.coordinates.shape[1]
    rows = problem.blocks.inequality.size
    hard = make_rows(problem.bounds, n)
    return Memory(
        state=state(problem.tree),
        scratch=make_scratch(n, corners),
        hard=hard,
        step=make_step(n, most_rows(problem.bounds), problem.blocks.level),
        residual=np.zeros(rows),
        matrix=np.zeros((rows, n)),
        posture=np.zeros((2, n)),
        level=np.zeros((4, problem.blocks.level.size - 1)),
        predicted=np.zeros(rows),
        counts=np.zeros(3, np.int64),
        known=np.zeros(3),
        optimality=np.zeros(1),
    )


@compiled
def is_pulled(coordinates):
    """Whether criteria draw a coordinate that may move."""
    for i in range(coordinates.shape[1]):
        if (coordinates[PULL, i] + coordinates[ZONE_PULL, i]) * coordinates[METRIC, i] != 0.0:
            return True
    return False


@compiled
def _gains(level, least):
    """Whether the levels are lexicographically better than the best (1), as good (0), worse (−1).

    What is smaller than `least` counts as that.
    """
    for k in range(level.shape[1]):
        now, before = max(level[SIZE, k], least), max(level[BEST, k], least)
        if now < before * (1.0 - 1e-4):
            return 1
        if now > before * (1.0 + 1e-4):
            return -1
    return 0


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
def _fill(problem, m, q, count, settings):
    """Write the linear step at a posture, with so many hard rows in `Memory.hard`."""
    coordinates, step, box = problem.coordinates, m.step, problem.bounds.box
    starts, inequality = problem.blocks.level, problem.blocks.inequality
    rows, increment, drawn = step.rows, step.increment, step.vector[DRAWN]
    n = q.size
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
        share = -min(1.0, settings[MAX_STEP] / size) if size > 0.0 else 0.0
        for r in range(starts[k], starts[k + 1]):
            e = m.residual[r]
            step.entered[r] = 1 if inequality[r] == 0 or e < 0.0 else 0
            increment[ERROR, r], increment[WANTED, r] = e, share * e
            for i in range(n):
                rows[r, i] = m.matrix[r, i] * coordinates[METRIC, i]
    longest = 0.0
    for i in range(n):
        metric = coordinates[METRIC, i]
        step.box_state[i] = 0 if metric > 0.0 else LOCKED
        step.box[LOWER, i], step.box[UPPER, i], drawn[i] = 0.0, 0.0, 0.0
        if metric > 0.0:
            step.box[LOWER, i] = min(box[LOWER, i] - q[i], 0.0) / metric
            step.box[UPPER, i] = max(box[UPPER, i] - q[i], 0.0) / metric
            pull = -settings[GAIN] * spring(coordinates, i, q[i])[1]  # −κ∇h
            drawn[i] = pull / metric
            longest = max(longest, abs(pull))
    if longest > settings[MAX_TURN]:
        for i in range(n):
            drawn[i] *= settings[MAX_TURN] / longest


@entry
def limited(
    tree: Tree,
    bounds: Bounds,
    metric: Floats,
    q: Floats,
    following: Floats,
    state: State,
    rows: Rows,
) -> bool:
    """Bring the end of a step from a valid posture within all limits (5.4.3); whether it worked.

    It did not where what is locked would have to move, or nothing valid was found.
    """
    clamp_joints(tree.source, bounds, following, q)
    left = 0.0
    if bounds.tied.size > 0 and violation(tree, bounds, following, state) > 1e-11:
        left = clamp(tree, bounds, following, q, state, rows)
    good = left <= 1e-9
    for i in range(q.size):
        good &= math.isfinite(following[i]) and (metric[i] > 0.0 or following[i] == q[i])
    return good


@entry
def priority(
    problem: Problem,
    m: Memory,
    q: Floats,
    tolerance: float,
    limit: int,
    settings: Floats,
    how: int,
    begin: int,
    finishes: bool,
) -> int:
    """Solve from a valid posture q, in place; how it ended.

    Args:
        problem: what is wanted.
        m: room.
        q: (n,) the start, within limits; the result.
        tolerance: a task is met when its error is at most this (m).
        limit: the most iterations.
        settings: (3,) see MAX_STEP.
        how: RECURSIVE, CASCADED or FACTORED.
        begin: COLD, or CONTINUED with the q that the last call gave.
        finishes: False to leave off at the limit as things are, for another call to go on.
    """
    tree, bounds, blocks, step = problem.tree, problem.bounds, problem.blocks, m.step
    coordinates, level, counts, residual = problem.coordinates, m.level, m.counts, m.residual
    following, best, vector = m.posture[0], m.posture[1], m.step.vector
    inequality, n, levels = blocks.inequality, q.size, level.shape[1]
    pulled, coarse = is_pulled(coordinates), max(COARSE * tolerance, DRIFT)
    if begin == COLD:
        counts[SINCE] = 0
        m.known[GONE], m.known[DRAWING] = 0.4 if n > 0 else 0.0, np.inf
        m.known[AT_EASE] = 0.0 if pulled else 1.0
        for k in range(levels):
            level[BEST, k], step.trust[k] = np.inf, 1.0
    counts[ITERATION], counts[ROUNDS] = 0, 0
    status, mode, mended, depth = ITERATIONS, SEEKING, 0, levels
    gone, drawing, still = m.known[GONE], m.known[DRAWING], m.known[AT_EASE] == 1.0
    ends, judged = False, begin != COLD
    m.optimality[0] = 0.0
    while True:
        place(tree, q, m.state)
        differentiate(tree, m.state)
        evaluate(tree, blocks, m.state, m.scratch, residual, m.matrix, True)
        sizes(blocks.level, inequality, residual, level[SIZE])
        met = worst(blocks.block, blocks.factor, inequality, residual) <= tolerance
        if mode == SEEKING and counts[ITERATION] > 0:
            _trust(level, step.trust, coarse)
        if mode != CERTIFYING and not judged:  # the last call has judged the posture that it left
            # Levels above may drift a little on the way, but not in the end.
            gains = _gains(level, coarse) if mode == SEEKING else 0
            if gains == 0:
                gains = _gains(level, tolerance)
            if gains > 0 or (gains == 0 and pulled):
                for i in range(n):
                    best[i] = q[i]
                for k in range(levels):
                    level[BEST, k] = level[SIZE, k]
            counts[SINCE] = 0 if gains > 0 else counts[SINCE] + 1
        judged = False
        if mode == SEEKING:
            if met and still:
                return SOLVED
            if gone <= STOPPED or (counts[SINCE] >= CALM and gone < 1e-3):
                status, ends = STATIONARY, True
            elif ends or counts[SINCE] >= PATIENT:
                status, ends = STALLED, True
            elif counts[ITERATION] >= limit:
                if not finishes:
                    m.known[GONE], m.known[DRAWING] = gone, drawing
                    m.known[AT_EASE] = 1.0 if still else 0.0
                    return ITERATIONS
                ends = True
            if ends:
                mode = MENDING
                for i in range(n):
                    q[i] = best[i]
                continue
        if mode == MENDING:
            depth, off = 0, False
            while depth < levels and level[SIZE, depth] <= coarse:
                off |= level[SIZE, depth] > tolerance
                depth += 1
            if met or not off or mended == 5:
                mode = CERTIFYING
                for i in range(n):
                    q[i] = best[i]
                continue
            mended += 1
        if mode == CERTIFYING and met:
            return SOLVED
        reach = 0.1 + 2.0 * gone
        count = write_rows(tree, bounds, q, reach, m.state, m.hard)
        _fill(problem, m, q, count, settings)
        if mode != SEEKING:  # the criterion has had its turn
            for i in range(n):
                vector[DRAWN, i] = 0.0
        if mode == CERTIFYING:
            for k in range(levels):
                if level[SIZE, k] > tolerance:
                    take(step, k + 1, count, settings[MAX_TURN], how)
                    m.optimality[0] = max(m.optimality[0], slope(step, k))
            if status != ITERATIONS:
                status = STATIONARY if m.optimality[0] <= FLAT else STALLED
            return status
        counts[ROUNDS] += take(step, depth, count, settings[MAX_TURN], how)
        if pulled:
            length = 0.0
            for i in range(n):
                length = max(length, abs(vector[SPARE, i] * coordinates[METRIC, i]))
            still = length < STILL
            if met and length < 0.99 * drawing:
                counts[SINCE] = 0
            drawing = length
        length = 0.0
        for i in range(n):
            length = max(length, abs(coordinates[METRIC, i] * vector[MOVE, i]))
        share, good = min(1.0, 2.0 * settings[MAX_TURN] / length) if length > 0.0 else 1.0, False
        while not good and share > 0.01:
            for i in range(n):
                following[i] = q[i] + share * coordinates[METRIC, i] * vector[MOVE, i]
            good = limited(tree, bounds, coordinates[METRIC], q, following, m.state, m.hard)
            share *= 0.5
        gone = 0.0
        if good:
            _predict(problem, m, q)
            for i in range(n):
                gone = max(gone, abs(following[i] - q[i]))
                q[i] = following[i]
        elif mode == SEEKING:
            ends = True
        else:
            mended = 5
        if mode == SEEKING:
            counts[ITERATION] += 1
