"""The linear program of one step: Ho, Komura & Lau 2005, eq. 7 and 8.

Σ a|Δq| + α Σ b|Δq − Δq′| is convex and piecewise linear, so each coordinate is three bounded
columns, one for each piece ("segments"), and the rows are those of the tasks. The paper's own form
has 4n rows more, with δ and γ ("literal"); it has the same optimum and is kept to verify that.

HiGHS solves the program, by its dual simplex method. Its basis is kept from step to step and from
frame to frame; the matrix changes altogether, so the model is passed anew as arrays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import highspy
import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray

from poise.kernel.bounds import LOWER, UPPER
from poise.solvers.linear import Linear

Values = NDArray[np.float64]

FORMS = ("segments", "literal")

_SPARE = 8
"""Rows for limits beyond those that are near: the basis outlasts a few more."""


class Costs(NamedTuple):
    """What a step costs: `a` and α·`b` for each coordinate, and each row for a metre unmet."""

    stiffness: Values
    smoothing: Values
    penalty: Values


class Step(NamedTuple):
    """The solution of one program."""

    move: Values
    objective: float
    """Σ a|…| + α Σ b|…|, without penalties."""
    unmet: Values
    """(R,) how much each row gives way (m)."""
    simplex_iterations: int


class Program:
    """The program at a posture that was looked at."""

    def __init__(self, at: Linear) -> None:
        """Start HiGHS for it."""
        self._at = at
        self._slots = 0
        self._basis: dict[str, Any] = {}
        self._highs: Any = highspy.Highs()
        for option, value in {
            "output_flag": False,
            "presolve": "off",
            "solver": "simplex",
            "simplex_strategy": 1,  # dual
            "simplex_dual_edge_weight_strategy": 1,  # Devex: a basis that is kept needs no weights
            "simplex_scale_strategy": 0,  # metres and radians are of one size
            "threads": 1,
            "parallel": "off",
            "primal_feasibility_tolerance": 1e-9,
            "dual_feasibility_tolerance": 1e-9,
        }.items():
            self._highs.setOptionValue(option, value)

    def forget(self) -> None:
        """Begin the next solve without a basis."""
        self._basis.clear()

    def step(
        self,
        q: Values,
        gone: Values,
        previous: Values | None,
        costs: Costs,
        reach: float,
        form: str = "segments",
    ) -> Step:
        """The best step within a box of `reach` (rad) about q.

        Args:
            q: (n,) the posture.
            gone: (n,) how far this frame has come already: what counts is gone + Δq.
            previous: (n,) the whole step of the frame before, or None.
            costs: what is weighed.
            reach: half the box.
            form: "segments" or "literal".
        """
        at, n = self._at, self._at.n
        still = at.metric == 0
        low = np.where(still, 0.0, np.minimum(np.maximum(at.lower - q, -reach), 0.0))
        high = np.where(still, 0.0, np.maximum(np.minimum(at.upper - q, reach), 0.0))
        J, row_low, row_high = self._rows()
        make = self._segments if form == "segments" else self._literal
        matrix, cost, lower, upper, row_low, row_high, base = make(
            J, row_low, row_high, low, high, gone, previous, costs
        )
        matrix, cost, lower, upper = self._elastic(matrix, cost, lower, upper, costs.penalty)
        values, iterations = self._optimum(form, matrix, cost, lower, upper, row_low, row_high)
        pieces = values[: 3 * n].reshape(3, n) if form == "segments" else values[None, :n]
        move = np.clip(base + pieces.sum(axis=0), low, high)
        sides = values[-2 * at.rows :].reshape(2, at.rows)
        total = costs.stiffness @ np.abs(gone + move)
        if previous is not None:
            total += costs.smoothing @ np.abs(gone + move - previous)
        return Step(move, float(total), sides.sum(axis=0), iterations)

    def _rows(self) -> tuple[sparse.csc_matrix, Values, Values]:
        """The rows on Δq with their ends: those of tasks, then limits, then room for more."""
        at, contacts = self._at, self._at.contacts
        hard = at.hard.shape[1]
        if hard > self._slots:
            self._slots = hard + _SPARE
        rows = np.arange(at.rows + hard)
        groups = np.concatenate([contacts.group_of_row, contacts.own[at.owner]])
        J = at.sparse(rows, groups)
        J.resize(at.rows + self._slots, at.n)
        free = np.full(self._slots - hard, np.inf)
        low = np.concatenate([-at.residual, np.minimum(at.hard[LOWER], 0.0), -free])
        top = np.where(at.one_sided, np.inf, -at.residual)
        return J, low, np.concatenate([top, np.maximum(at.hard[UPPER], 0.0), free])

    def _segments(
        self,
        J: sparse.csc_matrix,
        row_low: Values,
        row_high: Values,
        low: Values,
        high: Values,
        gone: Values,
        previous: Values | None,
        costs: Costs,
    ) -> tuple[Any, Values, Values, Values, Values, Values, Values]:
        """Three columns for each coordinate, between which the slope of the sums changes."""
        a = costs.stiffness
        b = costs.smoothing if previous is not None else np.zeros_like(a)
        goal = np.zeros_like(gone) if previous is None else previous
        bends = np.clip([-gone, goal - gone], low, high)
        first, second = bends.min(axis=0), bends.max(axis=0)
        between = np.where(goal > 0, a - b, b - a)
        zero = np.zeros_like(a)
        shift = J @ first
        return (
            sparse.hstack([J, J, J], format="csc"),
            np.concatenate([-a - b, between, a + b]),
            np.concatenate([low - first, zero, zero]),
            np.concatenate([zero, second - first, high - second]),
            row_low - shift,
            row_high - shift,
            first,
        )

    def _literal(
        self,
        J: sparse.csc_matrix,
        row_low: Values,
        row_high: Values,
        low: Values,
        high: Values,
        gone: Values,
        previous: Values | None,
        costs: Costs,
    ) -> tuple[Any, Values, Values, Values, Values, Values, Values]:
        """(8) as printed: Δq, δ and γ, with −δ ≤ Δq ≤ δ and −γ ≤ Δq − Δq′ ≤ γ."""
        n, unit = gone.size, sparse.identity(gone.size, format="csc")
        none = sparse.csc_matrix((n, n))
        goal = np.zeros(n) if previous is None else previous
        b = costs.smoothing if previous is not None else np.zeros(n)
        matrix = sparse.bmat(
            [
                [J, None, None],
                [unit, -unit, none],
                [-unit, -unit, none],
                [unit, none, -unit],
                [-unit, none, -unit],
            ],
            format="csc",
        )
        endless, zero = np.full(n, np.inf), np.zeros(n)
        return (
            matrix,
            np.concatenate([zero, costs.stiffness, b]),
            np.concatenate([low, zero, zero]),
            np.concatenate([high, endless, endless]),
            np.concatenate([row_low, *[-endless] * 4]),
            np.concatenate([row_high, -gone, gone, goal - gone, gone - goal]),
            zero,
        )

    def _elastic(
        self, matrix: Any, cost: Values, lower: Values, upper: Values, penalty: Values
    ) -> tuple[Any, Values, Values, Values]:
        """Two more columns for each task's row, by which it may give way; shut for the time."""
        rows, at = matrix.shape[0], self._at
        ways = sparse.csc_matrix(
            (
                np.concatenate([np.ones(at.rows), -np.ones(at.rows)]),
                np.tile(np.arange(at.rows), 2),
                np.arange(2 * at.rows + 1),
            ),
            shape=(rows, 2 * at.rows),
        )
        shut = np.zeros(2 * at.rows)
        return (
            sparse.hstack([matrix, ways], format="csc"),
            np.concatenate([cost, penalty, penalty]),
            np.concatenate([lower, shut]),
            np.concatenate([upper, shut]),
        )

    def _optimum(
        self,
        form: str,
        matrix: Any,
        cost: Values,
        lower: Values,
        upper: Values,
        row_low: Values,
        row_high: Values,
    ) -> tuple[Values, int]:
        """The optimum, with rows that give way if there is none without."""
        highs, at = self._highs, self._at
        rows, columns = matrix.shape
        highs.passModel(
            columns,
            rows,
            matrix.nnz,
            1,  # column by column
            1,  # the least
            0.0,
            cost,
            lower,
            upper,
            row_low,
            row_high,
            matrix.indptr.astype(np.int32),
            matrix.indices.astype(np.int32),
            matrix.data,
            np.zeros(columns, np.int32),
        )
        kept = self._basis.get(form)
        if kept is not None and kept[:2] == (rows, columns):
            highs.setBasis(kept[2])
        highs.run()
        iterations = int(highs.getInfo().simplex_iteration_count)
        best = highspy.HighsModelStatus.kOptimal
        if highs.getModelStatus() != best:
            elastic = np.arange(columns - 2 * at.rows, columns, dtype=np.int32)
            open_ = np.full(2 * at.rows, np.inf)
            highs.changeColsBounds(elastic.size, elastic, np.zeros(elastic.size), open_)
            highs.run()
            iterations += int(highs.getInfo().simplex_iteration_count)
        if highs.getModelStatus() != best:
            # From no basis at all, should the one that was kept have led astray.
            highs.clearSolver()
            highs.run()
        if highs.getModelStatus() != best:
            self.forget()
            return np.zeros(columns), iterations
        self._basis[form] = rows, columns, highs.getBasis()
        return np.array(highs.getSolution().col_value), iterations
