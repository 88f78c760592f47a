"""Lagrange multipliers, sparse: Baraff 1996; Ho, Komura & Lau 2005, eq. 6.

A step is the shortest with J Δq = −e in the metric of stiffness,

    [ W  Jᵀ ] [Δq]   [ 0 ]
    [ J  −ρ ] [ λ ] = [−e ],

all figures of a scene in one system. Inequalities are treated as the paper's section 6 says:
solve, see which are broken, add those as equalities that keep the step on their boundary, and
solve again. Beyond the paper: one whose multiplier shows that it holds the step back from where it
is allowed is let go again (a primal-dual active set, for a while, since that may cycle). And ρ is
next to nothing until a step fails to lower the sum of squares, and then grows (Levenberg and
Marquardt), so that goals out of reach and contacts that contradict each other end in the best
compromise.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray
from scipy.sparse.linalg import splu

from poise import kernel
from poise.checking import number
from poise.errors import unknown_name
from poise.kernel.bounds import LOWER, UPPER
from poise.kernel.priority import CALM, FLAT, PATIENT, STOPPED
from poise.solvers.linear import Linear, linear, refuse_criteria
from poise.solvers.outcome import Outcome, weighed_as_one
from poise.solvers.problem import Problem

Values = NDArray[np.float64]
Indices = NDArray[np.int64]

ELIMINATIONS = ("blocks", "superlu", "dense")

_LEAST = 1e-13
"""ρ as a share of the greatest row's square, while all goes well."""

_FIRST, _MOST = 1e-5, 1e5
"""ρ, as such a share, after the first step that failed; beyond the second nothing is to be had."""

_SLACK = 1e-10
"""What is broken by less than this (rad, m) counts as kept."""

_ROUNDS, _RELEASING = 30, 12
"""So often at most inequalities are added in one step; and so often they may be let go again."""


class Multipliers:
    """The system (6) at a posture, with inequalities added as they turn out to be broken."""

    def __init__(self, problem: Linear, elimination: str, cutoff: float = 0.0) -> None:
        """Make room. `cutoff` is that of singular values, for "dense"."""
        self._linear, self._elimination, self._cutoff = problem, elimination, cutoff
        contacts = problem.contacts
        self._offset: Indices = np.zeros(contacts.block_groups.shape[1], np.int64)
        self._storage: Values = np.zeros(0)
        self._scaled: Values = np.zeros((0, contacts.width))
        self._y: Values = np.zeros(0)
        self._order: Indices = np.zeros(0, np.int64)
        self._groups: Indices = np.zeros(0, np.int64)

    def step(self, q: Values, damping: float) -> tuple[Values, int]:
        """Δq from a posture that was looked at, and how many inequalities it was held by."""
        at = self._linear
        metric, fixed = at.metric.copy(), np.zeros(at.n)
        added = np.zeros(at.rows, bool)
        low, high = at.lower - q, at.upper - q
        stops: dict[int, float] = {}
        step = fixed
        for turn in range(_ROUNDS):
            step = self._solved(metric, fixed, added, stops, damping)
            news = self._let_go(metric, fixed, added, stops) if turn < _RELEASING else 0
            moving = metric > 0
            below, above = (step < low - _SLACK) & moving, (step > high + _SLACK) & moving
            fixed[below], fixed[above] = low[below], high[above]
            metric[below | above] = 0.0
            news += int(below.sum() + above.sum())
            if at.one_sided.any():
                ahead = at.residual + at.times(step)
                broken = at.one_sided & ~added & (ahead < -_SLACK)
                added |= broken
                news += int(broken.sum())
            news += self._newly_stopped(step, stops)
            if news == 0:
                break
        held = (metric == 0) & (at.metric > 0)
        return step, int(held.sum() + added.sum() + len(stops))

    def _let_go(
        self,
        metric: Values,
        fixed: Values,
        added: NDArray[np.bool_],
        stops: dict[int, float],
    ) -> int:
        """Let go what was added and holds the step back from where it is allowed; how many."""
        at = self._linear
        held = (metric == 0) & (at.metric > 0)
        count = 0
        if held.any():
            wanted = at.metric**2 * at.drawn(self._order, self._groups, self._y)
            # Where a coordinate is at its stop, the multipliers must draw it beyond.
            back = held & (np.abs(wanted) < np.abs(fixed) - _SLACK)
            back |= held & (wanted * fixed < -_SLACK)
            fixed[back], metric[back] = 0.0, at.metric[back]
            count += int(back.sum())
        if not stops and not added.any():
            return count
        force = dict(zip(self._order.tolist(), self._y.tolist(), strict=False))
        for r in np.flatnonzero(added).tolist():
            if force[r] < 0:
                added[r] = False
                count += 1
        for r in list(stops):
            is_upper = stops[r] == at.hard[UPPER, r]
            is_lower = stops[r] == at.hard[LOWER, r]
            if is_upper != is_lower and (force[at.rows + r] > 0) == is_upper:
                del stops[r]
                count += 1
        return count

    def _newly_stopped(self, step: Values, stops: dict[int, float]) -> int:
        """Add the limits that a step would break; how many."""
        at, before = self._linear, len(stops)
        for r in range(at.hard.shape[1]):
            if r in stops:
                continue
            own = at.contacts.figure_of == at.owner[r]
            value = float(at.matrix[at.rows + r, at.contacts.column[own]] @ step[own])
            if value > at.hard[UPPER, r] + _SLACK:
                stops[r] = float(at.hard[UPPER, r])
            elif value < at.hard[LOWER, r] - _SLACK:
                stops[r] = float(at.hard[LOWER, r])
        return len(stops) - before

    def _solved(
        self,
        metric: Values,
        fixed: Values,
        added: NDArray[np.bool_],
        stops: dict[int, float],
        damping: float,
    ) -> Values:
        """The step with some coordinates fixed and some inequalities as equalities."""
        at, contacts = self._linear, self._linear.contacts
        right = -at.residual - at.times(fixed) if fixed.any() else -at.residual
        rows = np.flatnonzero(~at.one_sided | added)
        groups = contacts.group_of_row[rows]
        right = right[rows]
        if stops:
            hard = np.array(list(stops), np.int64)
            own = contacts.own[at.owner[hard]]
            held = at.sparse(at.rows + hard, own) @ fixed
            rows = np.concatenate([rows, at.rows + hard])
            groups = np.concatenate([groups, own])
            right = np.concatenate([right, np.array(list(stops.values())) - held])
        order = np.argsort(groups, kind="stable")
        rows, groups, right = rows[order], groups[order], right[order]
        self._order, self._groups = rows, groups
        solve = {"blocks": self._by_blocks, "superlu": self._by_superlu, "dense": self._densely}
        return solve[self._elimination](rows, groups, metric, right, damping) + fixed

    def _by_blocks(
        self, rows: Indices, groups: Indices, metric: Values, right: Values, damping: float
    ) -> Values:
        """Block by block along the contacts: `kernel.elimination`."""
        at, contacts = self._linear, self._linear.contacts
        counts = np.bincount(groups, minlength=len(contacts.groups))
        sizes = counts[contacts.block_groups].prod(axis=0)
        self._offset[1:] = np.cumsum(sizes)[:-1]
        if sizes.sum() > self._storage.size:
            self._storage = np.zeros(int(sizes.sum()))
        if rows.size > self._y.size or rows.size > len(self._scaled):
            self._y = np.zeros(rows.size)
            self._scaled = np.zeros((rows.size, contacts.width))
        start, step = np.cumsum([0, *counts], dtype=np.int64), np.zeros(at.n)
        if not kernel.elimination.multipliers(
            contacts.plan,
            start,
            rows,
            self._offset,
            at.matrix,
            metric,
            right,
            damping,
            self._scaled,
            self._storage,
            self._y,
            step,
        ):
            # Rounding ate the damping: rows that depend on each other, very nearly.
            return self._densely(rows, groups, metric, right, damping)
        return step

    def _by_superlu(
        self, rows: Indices, groups: Indices, metric: Values, right: Values, damping: float
    ) -> Values:
        """The whole system (6), by SuperLU."""
        n = self._linear.n
        J = self._linear.sparse(rows, groups)
        column = np.repeat(np.arange(n), np.diff(J.indptr))
        values, row, all_ = J.data * metric[column], n + J.indices, np.arange(n + rows.size)
        corners = np.where(all_ < n, 1.0, -damping)
        system = sparse.csc_matrix(
            (
                np.concatenate([corners, values, values]),
                (np.concatenate([all_, row, column]), np.concatenate([all_, column, row])),
            )
        )
        solution = splu(system).solve(np.concatenate([np.zeros(n), right]))
        self._y = -solution[n:]
        return metric * solution[:n]

    def _densely(
        self, rows: Indices, groups: Indices, metric: Values, right: Values, damping: float
    ) -> Values:
        """By singular values, those below the cutoff left out: the pseudo-inverse."""
        J = self._linear.sparse(rows, groups).toarray() * metric
        U, s, V = np.linalg.svd(J, full_matrices=False)
        kept = s > self._cutoff * s.max(initial=0.0)
        gain = np.divide(1.0, s * s + damping, out=np.zeros_like(s), where=kept & (s > 0))
        self._y = U @ (gain * (U.T @ right))
        return metric * (V.T @ (s * gain * (U.T @ right)))


def solve(
    problem: Problem,
    start: Values,
    *,
    tolerance: float,
    max_iterations: int,
    max_seconds: float | None,
    elimination: str = "blocks",
    max_turn: float = 0.5,
) -> Outcome:
    """Solve from a posture within limits.

    All tasks are one weighted sum, whatever their priorities. Criteria are refused.

    Args:
        problem: as for every method.
        start: as for every method.
        tolerance: as for every method.
        max_iterations: as for every method.
        max_seconds: as for every method.
        elimination: how the system is solved: "blocks" along what ties the figures together,
            "superlu" as the paper does it, "dense" by singular values.
        max_turn: a step that moves a coordinate farther (rad) is shortened.
    """
    if not isinstance(elimination, str) or elimination not in ELIMINATIONS:
        raise unknown_name("elimination", elimination, ELIMINATIONS)
    return solve_by_multipliers(
        "lagrange",
        problem,
        start,
        tolerance=tolerance,
        max_iterations=max_iterations,
        max_seconds=max_seconds,
        elimination=elimination,
        max_turn=number(max_turn, "max_turn (rad)", above=0),
    )


def solve_by_multipliers(
    method: str,
    problem: Problem,
    start: Values,
    *,
    tolerance: float,
    max_iterations: int,
    max_seconds: float | None,
    elimination: str,
    max_turn: float,
    cutoff: float = 0.0,
) -> Outcome:
    """The solve of `lagrange`, and of `pinv` with limits that are added."""
    refuse_criteria(method, problem)
    at = linear(problem)
    key = f"multipliers {elimination} {cutoff}"
    if key not in problem.scratch:
        problem.scratch[key] = Multipliers(at, elimination, cutoff)
        # What compiling or loading takes is not counted.
        at.look(start)
        at.look_at_limits(start, max_turn)
        problem.scratch[key].step(start, 1.0)
        at.within_limits(start, start.copy())
    system: Multipliers = problem.scratch[key]
    begun, q, iterations, since = perf_counter(), start.copy(), 0, 0
    at.look(q)
    potential = _potential(at)
    best, trust = potential, _LEAST
    greatest = _greatest(at)
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
        at.look_at_limits(q, max_turn)
        step, _ = system.step(q, trust * greatest)
        longest = float(np.abs(step).max(initial=0.0))
        following = q + step * min(1.0, max_turn / longest if longest > 0 else 1.0)
        good = longest > 0 and at.within_limits(q, following)
        gone = float(np.abs(following - q).max(initial=0.0)) if good else 0.0
        after = potential
        if good:
            at.look(following)
            after = _potential(at)
            good = after < potential
        if good:
            iterations += 1
            q, potential = following, after
            since = 0 if potential < best * (1 - 1e-4) else since + 1
            best = min(best, potential)
            trust = max(0.1 * trust, _LEAST) if trust > _FIRST else _LEAST
            if gone <= STOPPED or (since >= CALM and gone < 1e-3):
                word = "stationary"
                break
            if since >= PATIENT:
                word = "stalled"
                break
        else:
            at.look(q)
            trust = max(10 * trust, _FIRST)
            if longest <= STOPPED or trust > _MOST:
                word = "stationary"
                break
    optimality = 0.0 if word == "solved" else at.optimality(q, tolerance)
    if word == "stationary" and optimality > FLAT:
        word = "stalled"
    return Outcome(
        q,
        word,
        iterations,
        perf_counter() - begun,
        at.residual.copy(),
        optimality,
        weighed_as_one(problem, method),
    )


def _potential(at: Linear) -> float:
    e = at.unmet()
    return float(e @ e)


def _greatest(at: Linear) -> float:
    """The greatest square of a row, scaled; 1 where there is none."""
    matrix = at.matrix[: at.rows]
    return float(np.einsum("ij,ij->i", matrix, matrix).max(initial=0.0)) or 1.0
