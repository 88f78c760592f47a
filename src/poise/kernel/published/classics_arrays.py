"""What the classic methods work on: settings, progress, workspace."""

from typing import NamedTuple

import numpy as np

from poise.kernel.arrays import Floats2, Ints
from poise.kernel.body.tree import State, state
from poise.kernel.limits.bounds import Rows, make_rows
from poise.kernel.problem import Problem
from poise.kernel.published import stepping
from poise.kernel.records import Numbers
from poise.kernel.residuals.blocks import Scratch, make_scratch
from poise.kernel.tracing import Trace

PINV, DLS, TRANSPOSE, CCD, PARTITION = range(5)
"""The methods."""

FIXED, EXACT, TRACKING = range(3)
"""How long a step of TRANSPOSE is: as given; by (28); as given but no longer than (29) allows."""

STEP, NEXT, DRAWN, HOME = range(4)
"""Rows of `Memory.vector`: the step over the metric; the next posture; the criterion's pull; the
start."""


class Settings(Numbers):
    """Which method it is, and its options."""

    method: int
    """PINV, DLS, TRANSPOSE, CCD or PARTITION."""
    keeps_limits: bool = True
    """Whether limits are kept after each step, and not after the last only."""
    max_turn: float = 0.5
    """The farthest that one step may move a coordinate (rad); not of TRANSPOSE."""
    cutoff: float = 1e-3
    """The least singular value that counts, as a share of the greatest, of PINV and (29)."""
    damping: float = 0.1
    """λ of DLS and PARTITION (m/rad)."""
    rule: int = FIXED
    """FIXED, EXACT or TRACKING, of TRANSPOSE."""
    length: float = 0.05
    """τ of TRANSPOSE (1/m²)."""
    deviation: float = 0.01
    """ε of (29) (m)."""


class Progress(stepping.Progress):
    """What a solve knows from one step to the next; a gain is a lower P."""

    potential: float
    """P now (m²)."""
    least_potential: float
    """The least P so far (m²)."""


class Memory(NamedTuple):
    """What a solve works with."""

    state: State
    scratch: Scratch
    hard: Rows
    residual: Floats2  # (2, R) now, at the next posture
    matrix: Floats2  # (R, n) J
    rows: Floats2  # (R, n) J with its columns scaled
    work: Floats2  # (R, n)
    right: Floats2  # (2, R) right sides; singular values
    square: Floats2  # (R, R) JJᵀ + λ², and its Cholesky factor
    vector: Floats2  # (4, n)
    walls: Floats2  # (most, n) what a descent may not cross
    wall_box: Floats2  # (2, most)
    owner: Ints  # (n,) the level that each coordinate belongs to
    joint: Ints  # (n,) the joint that it belongs to
    order: Ints  # (n,) coordinates from the tips to the root
    level: Ints  # (L + 1,) rows of each level that the method knows
    progress: Progress
    trace: Trace


def memory(problem: Problem, corners: int, joint: Ints, level: Ints, trace: Trace) -> Memory:
    """Room to solve a problem whose supports have that many corners.

    Args:
        problem: what is wanted.
        corners: of all supports.
        joint: (n,) a number for the joint of each coordinate.
        level: (L + 1,) rows of each level that the method is to know.
        trace: where iterations are noted.
    """
    n, rows = problem.coordinates.shape[1], problem.blocks.inequality.size
    hard = make_rows(problem.bounds, n)
    most = hard.matrix.shape[0] + rows
    return Memory(
        state=state(problem.tree),
        scratch=make_scratch(problem.blocks, n, corners),
        hard=hard,
        residual=np.zeros((2, rows)),
        matrix=np.zeros((rows, n)),
        rows=np.zeros((rows, n)),
        work=np.zeros((rows, n)),
        right=np.zeros((2, rows)),
        square=np.zeros((rows, rows)),
        vector=np.zeros((4, n)),
        walls=np.zeros((most, n)),
        wall_box=np.zeros((2, most)),
        owner=np.zeros(n, np.int64),
        joint=joint,
        order=_from_the_tips(problem),
        level=level,
        progress=Progress(),
        trace=trace,
    )


def _from_the_tips(problem: Problem) -> Ints:
    """Coordinates in the order of the first node that each moves, the last first."""
    tree, n = problem.tree, problem.coordinates.shape[1]
    first = np.full(n, tree.parent.size)
    np.minimum.at(first, tree.drive_coordinate, tree.member_node[tree.drive_member])
    return np.argsort(-first, kind="stable").astype(np.int64)
