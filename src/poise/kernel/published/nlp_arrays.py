"""What `nlp` works on: a problem, and the workspace of its solve."""

from typing import NamedTuple

import numpy as np

from poise.kernel.arrays import Floats2
from poise.kernel.body.tree import State, Tree, state
from poise.kernel.limits.bounds import Bounds, Rows, make_rows, most_rows
from poise.kernel.published.working_set import WorkingSet, working_set
from poise.kernel.records import Numbers
from poise.kernel.residuals.blocks import Scratch, make_scratch
from poise.kernel.residuals.gradients import Potential, Wrenches, wrenches
from poise.kernel.tracing import Trace

RESIDUAL, TRIAL = range(2)
"""Rows of `Memory.residual`."""

NEXT, STEP, GRADIENT, GRADIENT_NEXT, REDUCED, REDUCED_NEXT, SIGMA, Y = range(8)
"""Rows of `Memory.vector`: the trial posture; the direction s; the gradient now and at the trial;
what of it the working set leaves, before and now; the step and the change of the gradient."""


class Problem(NamedTuple):
    """What is to be solved."""

    tree: Tree
    bounds: Bounds
    parts: Potential
    coordinates: Floats2  # (6, n) as those of `kernel.problem.Problem`


class Progress(Numbers):
    """What a solve knows from one step to the next, and leaves to the next call."""

    iterations: int
    """Accepted steps of this call."""
    evaluations: int
    """Postures at which objective and gradient were computed in this call."""
    updates: int
    """Updates of H_q since it was last begun."""
    has_left_criteria: bool
    """Whether the criteria have had what they want, and the tasks alone are lowered."""
    value: float
    """The objective now (m²)."""
    trial_value: float
    """The objective at the trial posture (m²)."""
    value_before: float
    """The objective at the last look at what steps gain (m²)."""
    since: int
    """Steps since that look."""
    is_idle: bool
    """Whether the last look found that steps gain nothing worth while."""
    slope: float
    """gᵀs, the slope of the objective along the direction where the search begins."""
    reach: float
    """The step at which the first row stops the direction, as a multiple of s."""
    blocking_row: int
    """The number of that row; −1 if none does."""
    greatest_step: float
    """ᾱ, the longest step that may be tried, as a multiple of s."""
    radius: float
    """How far ᾱ moves a coordinate at most (rad or m)."""
    step_length: float
    """The step that was last tried or accepted, as a multiple of s."""
    status: int
    """How the solve ended."""
    optimality: float
    """How fast √P could still be lowered (m/rad), 0 where all tasks are met."""


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
    progress: Progress
    trace: Trace


def memory(problem: Problem, corners: int, trace: Trace) -> Memory:
    """Room to solve a problem whose supports have that many corners."""
    n, nodes = problem.coordinates.shape[1], problem.tree.parent.size
    rows, general = problem.parts.blocks.inequality.size, most_rows(problem.bounds)
    return Memory(
        state=state(problem.tree),
        scratch=make_scratch(problem.parts.blocks, n, corners),
        wrenches=wrenches(nodes, rows, n),
        working=working_set(n, general),
        hard=make_rows(problem.bounds, n),
        normal=np.zeros((general, n)),
        room=np.zeros((2, general)),
        residual=np.zeros((2, rows)),
        vector=np.zeros((Y + 1, n)),
        progress=Progress(),
        trace=trace,
    )
