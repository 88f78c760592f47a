"""A problem made linear at a posture, in few columns: what `lagrange` and `lp` step with."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray

from poise import kernel
from poise.kernel.limits.bounds import LOWER, UPPER
from poise.kernel.limits.projection import project
from poise.kernel.published.stepping import limited
from poise.kernel.residuals.blocks import ROW, WEIGHT
from poise.kernel.residuals.gradients import worst
from poise.solvers.contacts import Contacts
from poise.solvers.problem import Problem

Values = NDArray[np.float64]
Indices = NDArray[np.int64]

AT_STOP = 1e-6
"""A limit so near (rad) is at its stop."""


class Linear:
    """Residuals, Jacobian and limits at a posture; made once for a problem.

    Attributes:
        residual: (R,) e.
        matrix: (R + H + …, w) J in compact columns, then the limits of joints that are no boxes;
            there may be spare rows.
        state: places and twists of all nodes at the posture that was looked at.
        hard: (2, H) how far each of these may go, down and up (rad).
        owner: (H,) the figure of each.
    """

    def __init__(self, problem: Problem) -> None:
        """Make room."""
        figure, blocks = problem.figure, problem.blocks
        self.problem = problem
        self.contacts = Contacts(problem)
        self.n, self.rows = figure.n, blocks.inequality.size
        self.one_sided = blocks.inequality == 1
        self.tree, self._bounds = figure.packed.tree, figure.bounds
        self.state = kernel.body.tree.state(self.tree)
        self.scratch = kernel.residuals.blocks.make_scratch(
            problem.blocks, self.contacts.width, problem.corners
        )
        self._most = kernel.limits.bounds.most_rows(self._bounds)
        # Of boxes alone no rows are ever made, and n² numbers would be many for a crowd.
        tied = self._most > 0 or self._bounds.tied.size > 0
        self._hard = kernel.limits.bounds.make_rows(self._bounds, self.n if tied else 0)
        self.metric: Values = problem.metric.copy()
        self.lower, self.upper = figure.lower, figure.upper
        self.residual: Values = np.zeros(self.rows)
        self.matrix: Values = np.zeros((self.rows + self._most, self.contacts.width))
        self.hard: Values = np.zeros((2, 0))
        self.owner: Indices = np.zeros(0, np.int64)
        self._pattern: tuple[bytes, Indices, Indices] = (b"-", self.owner, self.owner)
        count = np.diff(blocks.block[:, ROW])
        self._tasks = count.size
        self._task: Indices = np.repeat(np.arange(count.size), count)
        self._weight: Values = np.repeat(blocks.factor[: count.size, WEIGHT], count)
        self._is_loaded = False
        self.order = np.argsort(self.contacts.group_of_row, kind="stable").astype(np.int64)
        """(R,) the rows of tasks by their groups."""

    def load(self, q: Values) -> None:
        """Compile or load all that a solve from a posture will need: that is not counted."""
        if self._is_loaded:
            return
        self._is_loaded = True
        self.look(q)
        self.error()
        self.drawn(self.order, self.contacts.group_of_row[self.order], self.times(q))
        self.within_limits(q, q.copy())
        project(np.zeros((0, 1)), np.zeros((2, 0)), 0, np.zeros(1))

    def look(self, q: Values) -> None:
        """Residual and Jacobian at a posture."""
        kernel.body.kinematics.place(self.tree, q, self.state)
        kernel.body.kinematics.differentiate(self.tree, self.state)
        kernel.residuals.evaluation.evaluate(
            self.contacts.tree,
            self.problem.blocks,
            self.state,
            self.scratch,
            self.residual,
            self.matrix[: self.rows],
            True,
        )

    def look_at_limits(self, q: Values, reach: float) -> None:
        """The limits that are no boxes and within reach (rad) of the posture looked at."""
        if self._most == 0:
            return
        hard = self._hard
        count = int(
            kernel.limits.bounds.write_rows(self.tree, self._bounds, q, reach, self.state, hard)
        )
        self.hard = hard.box[:, :count].copy()
        rows = self.matrix[self.rows : self.rows + count]
        self.owner = np.array(
            [self.contacts.compact(hard.matrix[r], rows[r]) for r in range(count)], np.int64
        )

    def error(self) -> float:
        """The greatest error of any task (m)."""
        blocks = self.problem.blocks
        return float(worst(blocks.block, blocks.factor, blocks.inequality, self.residual))

    def unmet(self, residual: Values | None = None) -> Values:
        """(R,) the residual, or another one, without one-sided rows that hold."""
        e = self.residual if residual is None else residual
        return np.where(self.one_sided, np.minimum(e, 0.0), e)

    def squares(self, errors: Values, own: slice = slice(None)) -> Values:
        """The square of each task's error (m²) from those of rows (R,), weights taken out.

        Only some of the rows count if so wanted; tasks without any have 0.
        """
        e = errors[own] / self._weight[own]
        return np.bincount(self._task[own], e * e, minlength=self._tasks).astype(np.float64)

    def within_limits(self, q: Values, following: Values) -> bool:
        """Bring the end of a step from a valid posture within all limits; whether it worked."""
        return bool(
            limited(self.tree, self._bounds, self.metric, q, following, self.state, self._hard)
        )

    def spare(self, count: int) -> int:
        """Make room in `matrix` for so many rows of somebody else's; where they begin."""
        first = self.rows + self._most
        if len(self.matrix) < first + count:
            wider = np.zeros((first + 2 * count, self.contacts.width))
            wider[: len(self.matrix)] = self.matrix
            self.matrix = wider
        return first

    def greatest(self) -> float:
        """The greatest square of a task's row; 1 where there is none."""
        matrix = self.matrix[: self.rows]
        return float(np.einsum("ij,ij->i", matrix, matrix).max(initial=0.0)) or 1.0

    def times(self, step: Values) -> Values:
        """(R,) J Δq."""
        result = np.empty(self.rows)
        groups = self.contacts.group_of_row[self.order]
        result[self.order] = self.products(self.order, groups, step)
        return result

    def products(self, rows: Indices, groups: Indices, step: Values) -> Values:
        """Rows of `matrix` times Δq, given their groups, in whose order they must be."""
        out = np.empty(rows.size)
        start = self._starts(groups)
        kernel.published.elimination.apply(self.contacts.plan, start, rows, self.matrix, step, out)
        return out

    def drawn(self, rows: Indices, groups: Indices, y: Values) -> Values:
        """(n,) Jᵀ y for such rows."""
        out = np.empty(self.n)
        start = self._starts(groups)
        kernel.published.elimination.draw(self.contacts.plan, start, rows, self.matrix, y, out)
        return out

    def _starts(self, groups: Indices) -> Indices:
        """Where the rows of each group begin, and the end."""
        starts = np.zeros(len(self.contacts.groups) + 1, np.int64)
        np.cumsum(np.bincount(groups, minlength=starts.size - 1), out=starts[1:])
        return starts

    def sparse(self, rows: Indices, groups: Indices) -> sparse.csc_matrix:
        """Rows of `matrix` over all coordinates, given their groups."""
        row, column = self._places(rows, groups)
        values = self.matrix[rows[row], self.contacts.column[column]]
        there = values != 0.0
        starts = np.cumsum([0, *np.bincount(column[there], minlength=self.n)])
        return sparse.csc_matrix((values[there], row[there], starts), shape=(rows.size, self.n))

    def _places(self, rows: Indices, groups: Indices) -> tuple[Indices, Indices]:
        """Where such rows may have entries, column by column: row and coordinate of each."""
        key = rows.tobytes() + groups.tobytes()
        if key != self._pattern[0]:
            where = [self.contacts.coordinates_of(g) for g in groups.tolist()]
            row = np.repeat(np.arange(rows.size), [each.size for each in where])
            column = np.concatenate([np.zeros(0, np.int64), *where])
            order = np.lexsort((row, column))
            self._pattern = key, row[order], column[order]
        return self._pattern[1:]

    def optimality(self, q: Values, tolerance: float) -> float:
        """How fast the sum of squares could still be lowered within limits (m/rad); see `Outcome`.

        Figure by figure: what limits leave of the descent is found for each by itself.
        """
        e = self.unmet()
        size = float(np.linalg.norm(e))
        if size <= tolerance or self.n == 0:
            return 0.0
        descent, contacts = np.zeros(self.n), self.contacts
        for f, own in enumerate(_members(contacts)):
            touches = [g for g, each in enumerate(contacts.groups) if f in each]
            rows = np.isin(contacts.group_of_row, touches)
            part = self.matrix[: self.rows][np.ix_(rows, contacts.column[own])]
            descent[own] = -(e[rows] @ part) * self.metric[own]
        self.look_at_limits(q, 0.1)
        square = 0.0
        for f, own in enumerate(_members(contacts)):
            u = descent[own].copy()
            low, high = self.lower[own] - q[own], self.upper[own] - q[own]
            walls, ends = [np.eye(own.size)], [_stops(low, high)]
            mine = np.flatnonzero(self.owner == f)
            walls.append(self.matrix[self.rows + mine][:, contacts.column[own]] * self.metric[own])
            ends.append(_stops(self.hard[LOWER, mine], self.hard[UPPER, mine]))
            box = np.ascontiguousarray(np.concatenate(ends, axis=1))
            at_stop = np.isfinite(box).any(axis=0)
            matrix = np.ascontiguousarray(np.concatenate(walls)[at_stop])
            box = np.ascontiguousarray(box[:, at_stop])
            project(matrix, box, matrix.shape[0], u)
            square += float(u @ u)
        return float(np.sqrt(square)) / size


def _members(contacts: Contacts) -> list[Indices]:
    count = int(contacts.figure_of.max(initial=-1)) + 1
    return [np.flatnonzero(contacts.figure_of == f) for f in range(count)]


def _stops(low: Values, high: Values) -> Values:
    """Zero where a limit is at its stop, infinity where there is room."""
    return np.array(
        [np.where(low >= -AT_STOP, 0.0, -np.inf), np.where(high <= AT_STOP, 0.0, np.inf)]
    )


def linear(problem: Problem) -> Linear:
    """The problem's own, made when it is first asked for."""
    scratch: dict[str, Any] = problem.scratch
    if "linear" not in scratch:
        scratch["linear"] = Linear(problem)
    result: Linear = scratch["linear"]
    return result
