"""The arrays of the lexicographic solver: what it is given, and what it works with."""

from typing import NamedTuple

import numpy as np

from poise.kernel.arrays import Floats, Floats2, Floats3, Ints, Ints2, aligned
from poise.kernel.body.tree import State, state
from poise.kernel.hierarchy.arrays import Workspace, workspace
from poise.kernel.lex.faces import Room, make_room
from poise.kernel.lex.levels import ROW_LENGTH
from poise.kernel.limits.bounds import Rows, make_rows, most_rows
from poise.kernel.problem import Problem
from poise.kernel.residuals.blocks import Scratch, make_scratch

MOST_STIFF = 48
"""The most rows that keep one level at rest."""

RESIDUAL, TRIAL, PREDICTED, PUSH = range(4)
"""Rows of `Memory.residual`; PUSH is the error of an unmet level and the forces against it."""

NEXT, MOVE, BASE, ORIGIN, BEST, FOUND, SOUND, SCALE = range(8)
"""Rows of `Memory.vector`: the trial posture, the step to it, where a Newton step began and where
the search did, the best posture that was given up, the last of those as good as the best where all
came to rest, the best on the way of an unmet level where no level above is off, and the unit of
each coordinate in the inner step."""

ITERATION, ATTEMPTS, INNER, TRIALS, CUT = range(5)
"""Entries of `Memory.counts`: accepted steps, inner steps, their rounds, postures tried; 1 if no
pass was left."""


class Memory(NamedTuple):
    """What a solve works with; kept between solves for a warm start."""

    state: State
    scratch: Scratch
    inner: Workspace
    room: Room
    hard: Rows
    residual: Floats2  # (4, R)
    matrix: Floats2  # (R, n)
    vector: Floats2  # (8, n)
    level: Floats2  # (24, L + 1)
    rows: Ints  # (L,) first row of each level in the inner step
    sources: Ints  # (m,) the row of the residual that each row of the inner step is, −1 for none
    stiff: Floats3  # (L, 48, w) rows that keep a level at rest
    pivots: Ints2  # (L, 49) their number, and the coordinate that each was made for
    met: Ints  # (B,) 1 for tasks that were met when their level came to rest
    counts: Ints  # (5,)
    optimality: Floats  # (1,) the projected gradient of the worst level (m/rad), nan if unknown


def memory(problem: Problem, corners: int) -> Memory:
    """Room to solve a problem whose supports have that many corners."""
    n = problem.coordinates.shape[1]
    rows = problem.blocks.inequality.size
    levels = problem.blocks.level.size - 1
    inner = workspace(
        n, 2 * rows + levels * (min(n, MOST_STIFF) + 1), most_rows(problem.bounds), levels
    )
    return Memory(
        state=state(problem.tree),
        scratch=make_scratch(n, corners),
        inner=inner,
        room=make_room(n, inner.matrix.shape[0], problem.tree.parent.size),
        hard=make_rows(problem.bounds, n),
        residual=np.zeros((PUSH + 1, rows)),
        matrix=np.zeros((rows, n)),
        vector=np.zeros((SCALE + 1, n)),
        level=np.zeros((ROW_LENGTH + 1, levels + 1)),
        rows=np.zeros(levels, np.int64),
        sources=np.zeros(inner.matrix.shape[0], np.int64),
        stiff=aligned(levels, MOST_STIFF, inner.matrix.shape[1]),
        pivots=np.zeros((levels, MOST_STIFF + 1), np.int64),
        met=np.zeros(problem.blocks.block.shape[0], np.int64),
        counts=np.zeros(CUT + 1, np.int64),
        optimality=np.zeros(1),
    )
