"""The rows of packed tasks as functions of q, for tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from tests.random_figures import differences

from poise import kernel
from poise.figure import Figure
from poise.solvers.problem import Problem, Wish, pack
from poise.tasks import Task

Values = NDArray[np.float64]


class Residual:
    """What the kernel makes of a problem's tasks."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        n, rows = problem.figure.n, problem.blocks.inequality.size
        self.tree = problem.figure.packed.tree
        self.state = kernel.body.tree.state(self.tree)
        self.scratch = kernel.residuals.blocks.make_scratch(problem.blocks, n, problem.corners)
        self.matrix = np.zeros((rows, n))

    def __call__(self, q: Values) -> Values:
        """The rows."""
        return self._evaluate(q, wanted=False)

    def jacobian(self, q: Values) -> Values:
        """Their Jacobian."""
        self.matrix[:] = np.nan  # whatever is not written shows
        self._evaluate(q, wanted=True)
        return self.matrix.copy()

    def _evaluate(self, q: Values, *, wanted: bool) -> Values:
        e = np.full(len(self.matrix), np.nan)
        kernel.body.kinematics.place(self.tree, q, self.state)
        if wanted:
            kernel.body.kinematics.differentiate(self.tree, self.state)
        blocks = self.problem.blocks
        kernel.residuals.evaluation.evaluate(
            self.tree, blocks, self.state, self.scratch, e, self.matrix, wanted
        )
        return e

    def check(self, q: Values, *, step: float = 1e-3, within: float = 1e-8) -> None:
        """Compare the Jacobian with differences."""
        found, expected = self.jacobian(q), differences(self, q, step)
        assert np.abs(found - expected).max() < within * max(1.0, np.abs(expected).max())


def residual_of(figure: Figure, *tasks: Task, weight: float = 1.0, scale: float = 0.5) -> Residual:
    """The rows of some tasks, all of the first priority; what they leave open is as at q = 0."""
    wishes = [
        Wish(str(i), task, 1, weight, metres_per_radian=scale) for i, task in enumerate(tasks)
    ]
    return Residual(pack(figure, figure.posture(), wishes))
