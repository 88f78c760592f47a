"""Projected gradient with Armijo back-tracking: Engell-Nørregård & Erleben 2011.

The sum f of all squared, weighted errors (17) is made small along the arc P(θ − τ∇f): every
posture that is looked at has been projected onto the limits. A step is taken when it lowers f by
enough for how far it went, (39); otherwise τ shrinks by β, (34). Boxes are met one by one, (40);
then curved limits and couplings, by the nearest valid posture. Function and gradient have the same
weights: residuals come with the root of theirs.

The paper begins each search with τ = 1. Here τ is remembered: the next search begins with the step
that was last taken, or with a longer one if that was taken at once. A scale on a coordinate (its
rigidity) enters as its square in the direction; a locked one has the scale 0 and stays.

`_descend` goes from one search to the next, `_search` along one arc, `_end_of_arc` projects.
"""

import math
from typing import NamedTuple

import numpy as np

from poise.kernel.arrays import Floats, Floats2
from poise.kernel.body.kinematics import differentiate, place
from poise.kernel.body.tree import State, Tree, state
from poise.kernel.compiling import compiled, entry
from poise.kernel.contacts.bodies import forget_all
from poise.kernel.ending import COLD, ITERATIONS, SOLVED, STALLED, STATIONARY
from poise.kernel.limits.bounds import LOWER, UPPER, Bounds, Rows, make_rows
from poise.kernel.published.stepping import move_to, projected_end
from poise.kernel.records import Numbers
from poise.kernel.residuals.blocks import Blocks, Scratch, make_scratch
from poise.kernel.residuals.evaluation import evaluate
from poise.kernel.residuals.gradients import Potential, Wrenches, gradient, total, worst, wrenches
from poise.kernel.tracing import Trace, note

TRIES = 60
"""The most postures looked at in one search."""

STILL = 1e-6
"""The greatest squared move (rad²) of a posture that may be called stationary."""

FLAT = 0.01
"""… where √f could be lowered no faster than this share of the tolerance for each radian."""

NEXT, GRADIENT = range(2)
"""Rows of `Memory.vector`: the trial posture, the gradient now."""

FOUND = -1
"""A search has found a step."""


class Problem(NamedTuple):
    """What is to be solved."""

    tree: Tree
    bounds: Bounds
    parts: Potential
    tasks: Blocks  # as they are, where `parts` measures orientations in another way
    metric: Floats  # (n,) how willingly a coordinate moves, 1 freely, 0 not at all


class Settings(Numbers):
    """The options of a solve."""

    alpha: float = 1e-4
    """α, the share of the decrease which the slope promises that a step must bring, (39)."""
    beta: float = 0.5
    """β, the factor by which a step is made shorter, (34)."""
    first_step: float = 1.0
    """τ of the first search (rad²/m²)."""


class Progress(Numbers):
    """What a solve knows from one step to the next, and leaves to the next call."""

    iterations: int
    """Accepted steps of this call."""
    evaluations: int
    """Postures at which f was computed in this call."""
    value: float
    """f now (m²)."""
    trial_value: float
    """f at the trial posture (m²)."""
    step_length: float
    """τ, which is remembered (rad²/m²)."""
    optimality: float
    """How fast √f could still be lowered (m/rad), 0 where all tasks are met."""


class Memory(NamedTuple):
    """What a solve works with."""

    state: State
    scratch: Scratch
    wrenches: Wrenches
    hard: Rows
    residual: Floats  # (R,) of the parts of f
    task_residual: Floats  # of the tasks as they are
    vector: Floats2  # (2, n)
    progress: Progress
    trace: Trace


def memory(problem: Problem, corners: int, trace: Trace) -> Memory:
    """Room to solve a problem whose supports have that many corners."""
    n, rows = problem.metric.size, problem.parts.blocks.inequality.size
    return Memory(
        state=state(problem.tree),
        scratch=make_scratch(problem.parts.blocks, n, corners),
        wrenches=wrenches(problem.tree.parent.size, rows, n),
        hard=make_rows(problem.bounds, n),
        residual=np.zeros(rows),
        task_residual=np.zeros(problem.tasks.inequality.size),
        vector=np.zeros((2, n)),
        progress=Progress(),
        trace=trace,
    )


@compiled
def _look(problem, m):
    """Compute f at the trial posture."""
    tree, blocks = problem.tree, problem.parts.blocks
    place(tree, m.vector[NEXT], m.state)
    evaluate(tree, blocks, m.state, m.scratch, m.residual, m.wrenches.matrix, False)
    m.progress.trial_value = total(blocks.inequality, m.residual)
    m.progress.evaluations += 1


@compiled
def _look_at_tasks(problem, m):
    """Write the residual of the tasks as they are, at the posture that was last placed."""
    tree, tasks = problem.tree, problem.tasks
    evaluate(tree, tasks, m.state, m.scratch, m.task_residual, m.wrenches.matrix, False)


@compiled
def _end_of_arc(problem, m, q):
    """Write the posture P(θ − τ∇f); whether it is valid."""
    following, g, metric = m.vector[NEXT], m.vector[GRADIENT], problem.metric
    box, tau = problem.bounds.box, m.progress.step_length
    for i in range(q.size):
        following[i] = q[i]
        if metric[i] > 0.0:
            x = q[i] - tau * metric[i] * metric[i] * g[i]
            following[i] = min(max(x, box[LOWER, i]), box[UPPER, i])  # (40)
    return projected_end(problem.tree, problem.bounds, metric, q, following, m.state, m.hard)


@compiled
def _search(problem, m, settings, q, tolerance):
    """Shorten τ until the posture at the end of the arc meets (39): FOUND, or why there is none."""
    following, g, metric, progress = m.vector[NEXT], m.vector[GRADIENT], problem.metric, m.progress
    for tries in range(TRIES):
        good = _end_of_arc(problem, m, q)
        square, slope = 0.0, 0.0
        for i in range(q.size):
            move = following[i] - q[i]
            slope += g[i] * move
            if metric[i] > 0.0:
                square += (move / metric[i]) ** 2
        # The gradient, as far as limits leave it: the length of the arc's chord against τ.
        power = math.sqrt(square) / progress.step_length if square > 0.0 else 0.0
        progress.optimality = 0.5 * power / math.sqrt(progress.value)
        # An arc that ends at limits is short for its τ, and says nothing.
        if good and square < STILL and progress.optimality <= FLAT * tolerance:
            return STATIONARY
        _look(problem, m)
        least = progress.value + settings.alpha * slope
        if good and slope < 0.0 and progress.trial_value < least:  # (39)
            if tries == 0:
                progress.step_length /= settings.beta
            return FOUND
        progress.step_length *= settings.beta
    return STALLED


@compiled
def _descend(problem, m, settings, q, tolerance, limit):
    """Step until there is a reason to stop: which."""
    tree, blocks, progress = problem.tree, problem.parts.blocks, m.progress
    while True:
        progress.value = progress.trial_value
        if worst(blocks.block, blocks.factor, blocks.inequality, m.residual) <= tolerance:
            progress.optimality = 0.0
            return SOLVED
        if progress.iterations >= limit:
            return ITERATIONS
        differentiate(tree, m.state)
        gradient(
            tree, problem.parts, m.state, m.scratch, m.residual, m.wrenches, m.vector[GRADIENT]
        )
        status = _search(problem, m, settings, q, tolerance)
        if status != FOUND:
            return status
        moved = move_to(q, m.vector[NEXT])
        progress.iterations += 1
        if m.trace.rows.shape[0] > 0:
            _look_at_tasks(problem, m)
            note(m.trace, m.task_residual, 0, -1, np.nan, moved)


@entry
def projected(
    problem: Problem,
    m: Memory,
    settings: Settings,
    q: Floats,
    tolerance: float,
    limit: int,
    begin: int,
) -> int:
    """Solve from a valid posture q, in place; how it ended.

    Args:
        problem: what is wanted.
        m: room, and what the last call knew.
        settings: the options.
        q: (n,) the start, within limits; the result.
        tolerance: a task is met when its error is at most this (m).
        limit: the most iterations of this call.
        begin: COLD, or CONTINUED with the q that the last call gave.
    """
    progress = m.progress
    progress.iterations, progress.evaluations = 0, 0
    if begin == COLD:
        forget_all(m.scratch.kept)
        progress.step_length, progress.optimality = settings.first_step, 0.0
    for i in range(q.size):
        m.vector[NEXT, i] = q[i]
    _look(problem, m)
    status = _descend(problem, m, settings, q, tolerance, limit)
    place(problem.tree, q, m.state)
    _look_at_tasks(problem, m)
    return status
