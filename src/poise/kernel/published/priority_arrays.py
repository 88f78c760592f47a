"""What `priority` works on: settings, progress, and the arrays of a step and of a solve."""

from typing import NamedTuple

import numpy as np

from poise.kernel.arrays import Floats, Floats2, Ints
from poise.kernel.body.tree import State, state
from poise.kernel.limits.bounds import Rows, make_rows, most_rows
from poise.kernel.problem import Problem
from poise.kernel.published import stepping
from poise.kernel.records import Numbers
from poise.kernel.residuals.blocks import Scratch, make_scratch
from poise.kernel.tracing import Trace

RECURSIVE, CASCADED, FACTORED = range(3)
"""How a step is computed: Fig. 5.12 as printed; (5.13); Fig. 5.12 by reflections."""

RANK = 1e-7
"""A singular value counts when it is greater than this share of the level's Jacobian."""

NEW = 1e-9
"""Share of a hard row that must be new for it to join those in the working set."""

WANTED, ERROR, SIGMA = range(3)
"""Rows of `Step.increment`: Δx, clamped by one factor for a level; the error; singular values."""

MOVE, START, DRAWN, TURNED, SPARE, KEPT = range(6)
"""Rows of `Step.vector`: the step, that of the working set alone, −κ∇h, the step in the
coordinates of the reflections, one to work with (in the end, what moves for the criterion), the
step before the last limit joined the working set."""

SIZE, BEST, LAST, PREDICTED = range(4)
"""Rows of `Memory.level`: |e| now, at the best posture, before the last step, and what that step
should have made of it to first order."""

LOCKED = 2
"""The state of a coordinate that does not move."""

GUEST = 2
"""Of a one-sided row that holds and is in force only lest the step break it."""


class Step(NamedTuple):
    """One linear step: rows on u = Δq / metric, the working set, and room for the arithmetic."""

    rows: Floats2  # (R, n) tasks
    starts: Ints  # (L + 1,) rows of each level
    entered: Ints  # (R,) 1 for rows in force, GUEST, or 0
    increment: Floats2  # (3, R)
    hard: Floats2  # (H, n) couplings, tangents of limits
    ends: Floats2  # (2, H)
    hard_state: Ints  # (H,) ±1 in the working set, at the upper or the lower end, else 0
    box: Floats2  # (2, n)
    box_state: Ints  # (n,) as hard_state; or LOCKED
    vector: Floats2  # (6, n)
    projector: Floats2  # (n, n) P; or the reflections, one a row
    first_projector: Floats2  # (n, n) P_0 of the working set
    work: Floats2  # (H + R, n) rows that are being turned
    right: Floats  # (H + R,) their right sides
    small: Floats2  # (R, n) a level's part of L, then the reflections that make it bidiagonal
    band: Floats2  # (4, n) its diagonal, what stands beside that, the right side, the answer
    free: Ints  # (n,)
    trust: Floats  # (L,) how many times as long as asked the partial step of a level may be


def make_step(n: int, hard: int, level: Ints) -> Step:
    """Room for steps of n coordinates with that many hard rows, and the rows of each level."""
    rows = int(level[-1])
    return Step(
        rows=np.zeros((rows, n)),
        starts=level.copy(),
        entered=np.zeros(rows, np.int64),
        increment=np.zeros((3, rows)),
        hard=np.zeros((hard, n)),
        ends=np.zeros((2, hard)),
        hard_state=np.zeros(hard, np.int64),
        box=np.zeros((2, n)),
        box_state=np.zeros(n, np.int64),
        vector=np.zeros((6, n)),
        projector=np.zeros((n, n)),
        first_projector=np.zeros((n, n)),
        work=np.zeros((hard + rows, n)),
        right=np.zeros(hard + rows),
        small=np.zeros((rows, n)),
        band=np.zeros((4, n)),
        free=np.zeros(n, np.int64),
        trust=np.ones(level.size - 1),
    )


class Settings(Numbers):
    """The options of a solve."""

    how: int = FACTORED
    """How a step is computed: RECURSIVE, CASCADED or FACTORED."""
    max_step: float = 0.3
    """The longest Δx of a level (m)."""
    max_turn: float = 0.25
    """The longest partial step that damping allows a level at first (rad)."""
    gain: float = 1.0
    """κ, the share of the way to the criterion's minimum that a step goes."""


class Progress(stepping.Progress):
    """What a solve knows from one step to the next; iterations are steps to lower levels."""

    rounds: int
    """Recursions computed in this call: a step takes one more for each limit that it meets."""
    longest_pull: float
    """The farthest that the criterion moved a coordinate in the last step (rad or m)."""


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
    progress: Progress
    trace: Trace


def memory(problem: Problem, corners: int, trace: Trace) -> Memory:
    """Room to solve a problem whose supports have that many corners."""
    n = problem.coordinates.shape[1]
    rows = problem.blocks.inequality.size
    return Memory(
        state=state(problem.tree),
        scratch=make_scratch(problem.blocks, n, corners),
        hard=make_rows(problem.bounds, n),
        step=make_step(n, most_rows(problem.bounds), problem.blocks.level),
        residual=np.zeros(rows),
        matrix=np.zeros((rows, n)),
        posture=np.zeros((2, n)),
        level=np.zeros((4, problem.blocks.level.size - 1)),
        predicted=np.zeros(rows),
        progress=Progress(),
        trace=trace,
    )
