"""How much room tasks leave to a stance: what its likelihood lacks to be the tasks' own.

Stances are compared by how likely they make what is asked, not by how likely the posture is that
was found. The likelihood of one posture favours stances in which people vary little: standing
beside crouching, even where everything that was asked for is what people do when they crouch. What
tasks leave open is therefore integrated out, by Laplace's method (MacKay 2003, chapter 27): with a
basis N of what the tasks do not determine and a stance's precision P in the coordinates, the
logarithm of the integral over it is that of the posture's likelihood plus −½ log det NᵀPN, but for
a constant.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise import kernel
from poise.kernel.residuals.blocks import ROW, ROWS, SCALE, START
from poise.solvers.problem import Problem
from poise.tasks.natural import RADIANS

Values = NDArray[np.float64]

LEAST_PRECISION = 0.06
"""Added to the precision of every coordinate, 1/rad² or 1/m², where one standard deviation of
people is `RADIANS`. It bounds what no stance says anything about, such as the heading; it is far
below what they say. It is compared with rows of weight 1: the weight of `Natural` says how strongly
it draws against other criteria, and not how people vary."""
RANK = 1e-6
"""Singular values of the tasks, each in its own unit and of weight 1, that are below this share of
the largest determine nothing."""


class _Evaluated:
    """Residuals (r,) and Jacobian (r, n) of all rows of a problem, at a posture."""

    def __init__(self, problem: Problem) -> None:
        tree, n = problem.figure.packed.tree, problem.figure.n
        rows = problem.blocks.inequality.size
        self._tree, self._state = tree, kernel.body.tree.state(tree)
        self._scratch = kernel.residuals.blocks.make_scratch(problem.blocks, n, problem.corners)
        self.residual, self.matrix = np.zeros(rows), np.zeros((rows, n))

    def at(self, problem: Problem, q: Values) -> None:
        kernel.body.kinematics.place(self._tree, q, self._state)
        kernel.body.kinematics.differentiate(self._tree, self._state)
        kernel.residuals.evaluation.evaluate(
            self._tree, problem.blocks, self._state, self._scratch, self.residual, self.matrix, True
        )


def room(problem: Problem, q: Values, tolerance: float) -> float:
    """The logarithm of how much tasks leave open in the stances that the problem is in, in nats.

    Args:
        problem: with its numbers of now.
        q: (n,) a posture that it was solved to.
        tolerance: one-sided rows that are nearer (m) to their bound than this hold.
    """
    if "evidence" not in problem.scratch:
        problem.scratch["evidence"] = _Evaluated(problem)
    found: _Evaluated = problem.scratch["evidence"]
    found.at(problem, q)
    scale = np.repeat(problem.blocks.factor[:, SCALE], problem.blocks.block[:-1, ROWS])
    matrix = found.matrix / scale[:, None]
    rows = int(problem.blocks.level[len(problem.level_priorities)])
    is_near = found.residual[:rows] < tolerance * scale[:rows]
    holds = (problem.blocks.inequality[:rows] == 0) | is_near
    moves = problem.metric > 0
    free = _null_space(matrix[:rows][holds][:, moves])
    own = np.concatenate([matrix[each] for each in _natural_rows(problem)])[:, moves] @ free
    precision = RADIANS * RADIANS * (own.T @ own)
    precision[np.diag_indices_from(precision)] += LEAST_PRECISION
    return -0.5 * float(np.linalg.slogdet(precision)[1])


def _null_space(matrix: Values) -> Values:
    """An orthonormal basis (n, k) of what rows (r, n) do not determine."""
    if not len(matrix):
        return np.eye(matrix.shape[1])
    _, values, right = np.linalg.svd(matrix)
    rank = int((values > RANK * max(float(values[0]), 1e-300)).sum())
    return right[rank:].T


def _natural_rows(problem: Problem) -> list[slice]:
    """Where the rows of the persons' stances are."""
    block = problem.blocks.block
    starts = {each.start for each in problem.stances}
    return [
        slice(int(each[ROW]), int(each[ROW] + each[ROWS]))
        for each in block[:-1]
        if int(each[START]) in starts and each[ROWS]
    ]
