"""Linear programming, LPIK: Ho, Komura & Lau 2005, eq. 7 and 8.

A step makes Σ a|Δq| + α Σ b|Δq − Δq′| least, with J Δq = −e and every limit as a bound or a row;
Δq′ is the step before. Without one, or with α = 0, that is eq. 7.

The two sums are convex and piecewise linear, so each coordinate is three bounded columns, one for
each piece ("segments"), and the rows are those of the tasks. The paper's own form has 4n rows
more, with δ and γ ("literal"); it has the same optimum and is kept to verify that.

Where no step meets all rows at once each may give way, at a price: `penalty` for each metre of the
last priority, ten times that for each priority above, and as the weights say. The steps of a
solve are accepted by the same measure of what is unmet (Fletcher's exact penalty), within a box
about the posture that shrinks when the linear model was wrong. So conflicting contacts and goals
out of reach end in the best posture, and the outcome says what gave way.

HiGHS solves the program, by its dual simplex method. Its basis is kept from step to step and from
frame to frame; the matrix changes altogether, so the model is passed anew as arrays.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any, NamedTuple

import highspy
import numpy as np
import scipy.sparse as sparse
from numpy.typing import ArrayLike, NDArray

from poise.checking import number
from poise.errors import PoiseError, unknown_name
from poise.kernel.blocks import ROW
from poise.kernel.bounds import LOWER, UPPER
from poise.kernel.priority import CALM
from poise.solvers.linear import Linear, linear, refuse_criteria
from poise.solvers.outcome import Outcome, weighed_as_one
from poise.solvers.problem import Problem

Values = NDArray[np.float64]
Indices = NDArray[np.int64]

FORMS = ("segments", "literal")

_PER_PRIORITY = 10.0
"""A row of the priority above costs so many times more to leave unmet …"""

_MOST_APART = 1e3
"""… but no more than so many times what the last one costs: HiGHS works with doubles."""

_SHORTEST = 1e-7
"""A box smaller than this (rad) leaves nothing to try."""

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


def solve(
    problem: Problem,
    start: Values,
    *,
    tolerance: float,
    max_iterations: int,
    max_seconds: float | None,
    a: ArrayLike | None = None,
    b: ArrayLike | None = None,
    alpha: float = 1.0,
    previous: ArrayLike | None = None,
    form: str = "segments",
    penalty: float = 1e3,
    max_turn: float = 0.5,
    warm: bool = False,
) -> Outcome:
    """Solve from a posture within limits, with the least sum of |Δq| from the start.

    Criteria are refused.

    Args:
        problem: as for every method.
        start: as for every method.
        tolerance: as for every method.
        max_iterations: as for every method.
        max_seconds: as for every method.
        a: what moving a coordinate by a radian or metre costs, one number or (n,), not negative;
            by default 1, and more for what is stiff.
        b: the same for a change against the step before; by default as `a`.
        alpha: α, how much the second sum weighs.
        previous: (n,) Δq′, the step before; without one there is no second sum (eq. 7).
        form: "segments", or "literal" as printed.
        penalty: what a metre of a task unmet costs at least, in the units of `a`.
        max_turn: no step moves a coordinate farther (rad, or m of a root).
        warm: whether to begin with the basis of the last solve.
    """
    if not isinstance(form, str) or form not in FORMS:
        raise unknown_name("form", form, FORMS)
    refuse_criteria("lp", problem)
    max_turn = number(max_turn, "max_turn (rad)", above=0)
    at = linear(problem)
    costs = costs_of(problem, a, b, alpha, penalty)
    before = None if previous is None else _vector(previous, at.n, "previous", sign=True)
    if "lp" not in problem.scratch:
        problem.scratch["lp"] = Program(at)
        at.look(start)  # what compiling or loading takes is not counted
        at.look_at_limits(start, max_turn)
        at.times(start)
        at.within_limits(start, start.copy())
    program: Program = problem.scratch["lp"]
    if not warm:
        program.forget()
    begun, q, iterations, reach = perf_counter(), start.copy(), 0, max_turn
    at.look(q)
    merit = float(costs.penalty @ np.abs(at.unmet()))
    least = float(costs.penalty.min(initial=np.inf)) * tolerance
    gave_way, since = np.zeros(at.rows, bool), 0
    while True:
        if at.error() <= tolerance:
            word = "solved"
            break
        if iterations >= max_iterations:
            word = "iterations"
            break
        if max_seconds is not None and iterations and perf_counter() - begun > max_seconds:
            word = "time"
            break
        at.look_at_limits(q, reach)
        step = program.step(q, q - start, before, costs, reach, form)
        gave_way = step.unmet > tolerance
        promised = merit - float(costs.penalty @ step.unmet)
        if promised <= 0.01 * least:
            word = "stationary"
            break
        following = q + step.move
        good, after = at.within_limits(q, following), merit
        if good:
            at.look(following)
            after = float(costs.penalty @ np.abs(at.unmet()))
            good = after < merit - 1e-3 * promised or at.error() <= tolerance
        if good:
            iterations += 1
            reach = min(2 * reach, max_turn) if merit - after > 0.5 * promised else reach
            since = 0 if after < merit * (1 - 1e-6) else since + 1
            q, merit = following, after
            if since >= CALM and at.error() > tolerance:
                word = "stalled"
                break
        else:
            at.look(q)
            reach = 0.25 * min(reach, float(np.abs(step.move).max(initial=0.0)))
            if reach < _SHORTEST:
                word = "stationary"
                break
    optimality = 0.0 if word == "solved" else at.optimality(q, tolerance)
    notes = [_weighed(problem), "" if word == "solved" else _yielding(problem, gave_way)]
    return Outcome(
        q,
        word,
        iterations,
        perf_counter() - begun,
        at.residual.copy(),
        optimality,
        "; ".join(note for note in notes if note),
    )


def costs_of(
    problem: Problem, a: ArrayLike | None, b: ArrayLike | None, alpha: float, penalty: float
) -> Costs:
    """What is weighed, from the arguments of `solve`."""
    n, metric = problem.figure.n, problem.metric
    ease = np.divide(1.0, metric, out=np.zeros(n), where=metric > 0)
    stiffness = ease if a is None else _vector(a, n, "a")
    smoothing = stiffness if b is None else _vector(b, n, "b")
    alpha = number(alpha, "alpha", least=0)
    penalty = number(penalty, "the penalty (1/m)", above=0)
    priorities = sorted({wish.priority for wish in problem.wishes}, reverse=True)
    rows = np.diff(problem.blocks.level)
    ranks = [min(_PER_PRIORITY**k, _MOST_APART) for k in range(len(priorities))]
    return Costs(stiffness, alpha * smoothing, penalty * np.repeat(ranks[::-1], rows))


def _vector(values: ArrayLike, n: int, what: str, *, sign: bool = False) -> Values:
    """(n,) finite numbers, from one or n; not negative unless they may have a sign."""
    try:
        numbers = np.broadcast_to(np.asarray(values, np.float64), (n,)).copy()
    except (TypeError, ValueError):
        raise PoiseError(f"{what} must be a number or {n} of them, not {values!r}") from None
    if not np.isfinite(numbers).all() or (not sign and (numbers < 0).any()):
        allowed = "finite" if sign else "finite and not negative"
        raise PoiseError(f"{what} must be {allowed}, not {values!r}")
    return numbers


def _weighed(problem: Problem) -> str:
    """The note on priorities, which are prices here."""
    if not weighed_as_one(problem, "lp"):
        return ""
    return (
        "lp knows priorities by what they cost only: a metre unmet costs "
        f"{_PER_PRIORITY:g} times as much for each priority above the last"
    )


def _yielding(problem: Problem, gave_way: NDArray[np.bool_]) -> str:
    """The note on the tasks that gave way in the last program."""
    rows = problem.blocks.block[:, ROW]
    names = [
        repr(wish.name)
        for wish, span in zip(problem.wishes, problem.spans, strict=True)
        if gave_way[rows[span.start] : rows[span.stop]].any()
    ]
    if not names:
        return ""
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"no step meets all tasks at once: {listed} gave way"
