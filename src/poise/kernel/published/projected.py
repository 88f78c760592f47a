"""Projected gradient with Armijo back-tracking: Engell-Nørregård & Erleben 2011.

The sum f of all squared, weighted errors (17) is made small along the arc P(θ − τ∇f): every
posture that is looked at has been projected onto the limits. A step is taken when it lowers f by
enough for how far it went, (39); otherwise τ shrinks by β, (34). Boxes are met one by one, (40);
then curved limits and couplings, by the nearest valid posture. Function and gradient have the same
weights: residuals come with the root of theirs.

The paper begins each search with τ = 1. Here τ is remembered: the next search begins with the step
that was last taken, or with a longer one if that was taken at once. A scale on a coordinate (its
rigidity) enters as its square in the direction; a locked one has the scale 0 and stays.
"""

import math
from typing import NamedTuple

import numpy as np

from poise.kernel.arrays import Floats, Floats2, Ints
from poise.kernel.body.kinematics import differentiate, place
from poise.kernel.body.tree import State, Tree, state
from poise.kernel.compiling import entry
from poise.kernel.ending import COLD, ITERATIONS, SOLVED, STALLED, STATIONARY
from poise.kernel.limits.bounds import (
    LOWER,
    UPPER,
    Bounds,
    Rows,
    clamp,
    clamp_joints,
    make_rows,
    violation,
)
from poise.kernel.residuals.blocks import Scratch, make_scratch
from poise.kernel.residuals.evaluation import evaluate
from poise.kernel.residuals.gradients import Potential, Wrenches, gradient, total, worst, wrenches

TRIES = 60
"""The most postures looked at in one search."""

STILL = 1e-6
"""The greatest squared move (rad²) of a posture that may be called stationary."""

NEXT, GRADIENT = range(2)
"""Rows of `Memory.vector`: the trial posture, the gradient now."""

ITERATION, LOOKS = range(2)
"""Entries of `Memory.counts`: accepted steps, postures looked at."""

VALUE, TAU, OPTIMALITY = range(3)
"""Entries of `Memory.value`: f now; the remembered step; how fast √f could still be lowered
(m/rad), 0 where all tasks are met."""


class Problem(NamedTuple):
    """What is to be solved."""

    tree: Tree
    bounds: Bounds
    parts: Potential
    metric: Floats  # (n,) how willingly a coordinate moves, 1 freely, 0 not at all


class Memory(NamedTuple):
    """What a solve works with."""

    state: State
    scratch: Scratch
    wrenches: Wrenches
    hard: Rows
    residual: Floats  # (R,)
    vector: Floats2  # (2, n)
    counts: Ints  # (2,)
    value: Floats  # (3,)


def memory(problem: Problem, corners: int) -> Memory:
    """Room to solve a problem whose supports have that many corners."""
    n, rows = problem.metric.size, problem.parts.blocks.inequality.size
    return Memory(
        state=state(problem.tree),
        scratch=make_scratch(n, corners),
        wrenches=wrenches(problem.tree.parent.size, rows, n),
        hard=make_rows(problem.bounds, n),
        residual=np.zeros(rows),
        vector=np.zeros((2, n)),
        counts=np.zeros(2, np.int64),
        value=np.zeros(3),
    )


@entry
def projected(
    problem: Problem,
    m: Memory,
    q: Floats,
    tolerance: float,
    limit: int,
    alpha: float,
    beta: float,
    tau: float,
    begin: int,
) -> int:
    """Solve from a valid posture q, in place; how it ended.

    Args:
        problem: what is wanted.
        m: room, and what the last call knew.
        q: (n,) the start, within limits; the result.
        tolerance: a task is met when its error is at most this (m).
        limit: the most iterations of this call.
        alpha: the share α of the decrease that the slope promises, in (39).
        beta: the factor β by which a step is made shorter.
        tau: the first step τ.
        begin: COLD, or CONTINUED with the q that the last call gave.
    """
    tree, bounds, blocks, metric = (
        problem.tree,
        problem.bounds,
        problem.parts.blocks,
        problem.metric,
    )
    box, inequality, counts, known = bounds.box, blocks.inequality, m.counts, m.value
    following, g = m.vector[NEXT], m.vector[GRADIENT]
    n, no, status, searching, tries = q.size, False, ITERATIONS, False, 0
    curved, tied = bounds.limits.kind.size > 0, bounds.tied.size > 0
    counts[ITERATION], counts[LOOKS] = 0, 0
    if begin == COLD:
        known[TAU], known[OPTIMALITY] = tau, 0.0
    while True:
        # The posture P(θ − τ∇f), and f there.
        bad = False
        for i in range(n):
            following[i] = q[i]
        if searching:
            for i in range(n):
                if metric[i] > 0.0:
                    x = q[i] - known[TAU] * metric[i] * metric[i] * g[i]
                    following[i] = min(max(x, box[LOWER, i]), box[UPPER, i])  # (40)
            if curved:
                clamp_joints(tree.source, bounds, following, q)
            unsure = tied
            for i in range(n):
                if metric[i] == 0.0 and following[i] != q[i]:
                    following[i], unsure = q[i], True
            if unsure and violation(tree, bounds, following, m.state) > 1e-11:
                bad = clamp(tree, bounds, following, q, m.state, m.hard) > 1e-10
        square, slope = 0.0, 0.0
        for i in range(n):
            move = following[i] - q[i]
            slope += g[i] * move
            if metric[i] > 0.0:
                square += (move / metric[i]) ** 2
            else:
                bad |= move != 0.0
        if searching:
            # The gradient, as far as limits leave it: the length of the arc's chord against τ.
            power = math.sqrt(square) / known[TAU] if square > 0.0 else 0.0
            known[OPTIMALITY] = 0.5 * power / math.sqrt(known[VALUE])
            # An arc that ends at limits is short for its τ, and says nothing.
            if not bad and square < STILL and known[OPTIMALITY] <= 0.01 * tolerance:
                status = STATIONARY
                break
        place(tree, following, m.state)
        evaluate(tree, blocks, m.state, m.scratch, m.residual, m.wrenches.matrix, no)
        value = total(inequality, m.residual)
        counts[LOOKS] += 1
        if searching:
            tries += 1
            if bad or not (slope < 0.0 and value < known[VALUE] + alpha * slope):  # (39)
                known[TAU] *= beta
                if tries == TRIES:
                    status = STALLED
                    break
                continue
            counts[ITERATION] += 1
            if tries == 1:
                known[TAU] /= beta
        known[VALUE] = value
        for i in range(n):
            q[i] = following[i]
        if worst(blocks.block, blocks.factor, inequality, m.residual) <= tolerance:
            status = SOLVED
            known[OPTIMALITY] = 0.0
            break
        if counts[ITERATION] >= limit:
            break
        differentiate(tree, m.state)
        gradient(tree, problem.parts, m.state, m.scratch, m.residual, m.wrenches, g)
        searching, tries = True, 0
    return status
