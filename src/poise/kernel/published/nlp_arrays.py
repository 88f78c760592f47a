"""What `nlp` works on: a problem, and room for its solve."""

from typing import NamedTuple

import numpy as np

from poise.kernel.arrays import Floats, Floats2, Ints
from poise.kernel.body.tree import State, Tree, state
from poise.kernel.limits.bounds import Bounds, Rows, make_rows, most_rows
from poise.kernel.published.working_set import WorkingSet, working_set
from poise.kernel.residuals.blocks import Scratch, make_scratch
from poise.kernel.residuals.gradients import Potential, Wrenches, wrenches

RESIDUAL, TRIAL = range(2)
"""Rows of `Memory.residual`."""

NEXT, STEP, GRADIENT, GRADIENT_NEXT, REDUCED, REDUCED_NEXT, SIGMA, Y = range(8)
"""Rows of `Memory.vector`: the trial posture; the direction s; the gradient now and at the trial;
what of it the working set leaves, before and now; the step and the change of the gradient."""

ITERATION, LOOKS, ADDED, DROPPED, LEARNED, EASED, SINCE = range(7)
"""Entries of `Memory.counts`: accepted steps, postures looked at, rows added and dropped, updates
of H_q since it was last begun; whether the criteria have been left behind; steps since the last
look at what has been gained."""

VALUE, OPTIMALITY, BEFORE = range(3)
"""Entries of `Memory.value`: the objective now; how fast √P could still be lowered (m/rad), 0 where
all tasks are met; the objective at the last look at what has been gained."""


class Problem(NamedTuple):
    """What is to be solved."""

    tree: Tree
    bounds: Bounds
    parts: Potential
    coordinates: Floats2  # (6, n) as those of `lex_arrays.Problem`


class Memory(NamedTuple):
    """What a solve works with."""

    state: State
    scratch: Scratch
    wrenches: Wrenches
    working: WorkingSet
    hard: Rows
    normal: Floats2  # (M, n) unit normals of the general rows at the posture now
    room: Floats2  # (2, M) to their lower ends (≤ 0) and upper ends (≥ 0)
    residual: Floats2  # (2, R)
    vector: Floats2  # (8, n)
    counts: Ints  # (7,)
    value: Floats  # (3,)


def memory(problem: Problem, corners: int) -> Memory:
    """Room to solve a problem whose supports have that many corners."""
    n, nodes = problem.coordinates.shape[1], problem.tree.parent.size
    rows, general = problem.parts.blocks.inequality.size, most_rows(problem.bounds)
    return Memory(
        state=state(problem.tree),
        scratch=make_scratch(n, corners),
        wrenches=wrenches(nodes, rows, n),
        working=working_set(n, general),
        hard=make_rows(problem.bounds, n),
        normal=np.zeros((general, n)),
        room=np.zeros((2, general)),
        residual=np.zeros((2, rows)),
        vector=np.zeros((Y + 1, n)),
        counts=np.zeros(SINCE + 1, np.int64),
        value=np.zeros(BEFORE + 1),
    )
