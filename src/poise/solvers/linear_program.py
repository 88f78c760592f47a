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

from poise.kernel.limits.bounds import LOWER, UPPER
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


class _Sums(NamedTuple):
    """What a step is weighed by, coordinate by coordinate: a|gone + Δq| + b|gone + Δq − goal|."""

    low: Values
    """The box of Δq."""
    high: Values
    gone: Values
    goal: Values
    a: Values
    b: Values


class _Model(NamedTuple):
    """A program as HiGHS takes it."""

    matrix: Any
    cost: Values
    lower: Values
    upper: Values
    row_low: Values
    row_high: Values


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
        """Begin the next solve as the first: without a basis, and with no more rows than it needs.

        Of several optima the one that HiGHS finds depends on both.
        """
        self._basis.clear()
        self._slots = 0
        self._highs.clearSolver()

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
        is_first = previous is None
        goal = np.zeros(n) if is_first else previous
        b = np.zeros(n) if is_first else costs.smoothing
        sums = _Sums(low, high, gone, goal, costs.stiffness, b)
        rows, base = self._rows(), np.zeros(n)
        if form == "segments":
            model, base = _segments(*rows, sums)
        else:
            model = _literal(*rows, sums)
        values, iterations = self._optimum(form, self._elastic(model, costs.penalty))
        pieces = values[: 3 * n].reshape(3, n) if form == "segments" else values[None, :n]
        move = np.clip(base + pieces.sum(axis=0), low, high)
        sides = values[-2 * at.rows :].reshape(2, at.rows)
        total = sums.a @ np.abs(gone + move) + sums.b @ np.abs(gone + move - goal)
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

    def _elastic(self, model: _Model, penalty: Values) -> _Model:
        """Two more columns for each task's row, by which it may give way; shut for the time."""
        count = self._at.rows
        ways = sparse.csc_matrix(
            (
                np.concatenate([np.ones(count), -np.ones(count)]),
                np.tile(np.arange(count), 2),
                np.arange(2 * count + 1),
            ),
            shape=(model.matrix.shape[0], 2 * count),
        )
        shut = np.zeros(2 * count)
        return model._replace(
            matrix=sparse.hstack([model.matrix, ways], format="csc"),
            cost=np.concatenate([model.cost, penalty, penalty]),
            lower=np.concatenate([model.lower, shut]),
            upper=np.concatenate([model.upper, shut]),
        )

    def _optimum(self, form: str, model: _Model) -> tuple[Values, int]:
        """The optimum, with rows that give way if there is none without."""
        highs, at, matrix = self._highs, self._at, model.matrix
        rows, columns = matrix.shape
        highs.passModel(
            columns,
            rows,
            matrix.nnz,
            1,  # column by column
            1,  # the least
            0.0,
            model.cost,
            model.lower,
            model.upper,
            model.row_low,
            model.row_high,
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


def _segments(
    J: sparse.csc_matrix, row_low: Values, row_high: Values, sums: _Sums
) -> tuple[_Model, Values]:
    """Three columns for each coordinate, between which the slope of the sums changes; their base.

    Δq is the base and the sum of its three columns.
    """
    low, high, gone, goal, a, b = sums
    bends = np.clip([-gone, goal - gone], low, high)
    first, second = bends.min(axis=0), bends.max(axis=0)
    zero, shift = np.zeros_like(a), J @ first
    model = _Model(
        matrix=sparse.hstack([J, J, J], format="csc"),
        cost=np.concatenate([-a - b, np.where(goal > 0, a - b, b - a), a + b]),
        lower=np.concatenate([low - first, zero, zero]),
        upper=np.concatenate([zero, second - first, high - second]),
        row_low=row_low - shift,
        row_high=row_high - shift,
    )
    return model, first


def _literal(J: sparse.csc_matrix, row_low: Values, row_high: Values, sums: _Sums) -> _Model:
    """(8) as printed: Δq, δ and γ, with −δ ≤ Δq ≤ δ and −γ ≤ Δq − Δq′ ≤ γ."""
    low, high, gone, goal, a, b = sums
    n, unit = gone.size, sparse.identity(gone.size, format="csc")
    none = sparse.csc_matrix((n, n))
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
    return _Model(
        matrix=matrix,
        cost=np.concatenate([zero, a, b]),
        lower=np.concatenate([low, zero, zero]),
        upper=np.concatenate([high, endless, endless]),
        row_low=np.concatenate([row_low, *[-endless] * 4]),
        row_high=np.concatenate([row_high, -gone, gone, goal - gone, gone - goal]),
    )
