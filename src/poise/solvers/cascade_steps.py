"""The steps of `cascade`: one level after the other, each by elimination along the contacts.

A rung is the least-squares step of one level that keeps the rows of the levels above where their
own rungs put them: one system of `multipliers`, in which those rows have no damping to speak of.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.kernel.lex.levels import make_levels
from poise.kernel.lex.settings import SETTINGS
from poise.kernel.residuals.sizes import sizes, worst
from poise.solvers.bending import Bending
from poise.solvers.linear import AT_STOP, linear
from poise.solvers.multipliers import LEAST, Multipliers, Rows
from poise.solvers.problem import Problem

Values = NDArray[np.float64]
Indices = NDArray[np.int64]
Stiff = tuple[Values, Indices]
"""Rows (r, w) in compact columns that had better stay zero, and the group of each."""

_DAMPED = 1e-9
"""Damping of a level that is met."""

_SLIGHTLY = 2e-3
"""Damping of a level that is lowered, as a share of |e| times its longest row."""

_RETURNED = 1e-4
"""Damping with which a level at rest is brought back, as a share of the greatest row's square."""

_WEAKEST = 0.05
"""A coordinate that criteria draw less, as a share of what is drawn most, counts as drawn so."""


class Steps:
    """A problem at a posture: the sizes of its levels, and steps that lower them.

    Attributes:
        levels: what is known of each, and last of the criteria.
        strongest: how strongly criteria draw at most, 0 for not at all.
        stiff: of each level at rest, what bends across its rows.
        reference: (R,) the residual with which levels came to rest.
        tolerance: a task is met when its error is at most this (m).
    """

    def __init__(self, problem: Problem) -> None:
        """Make room; nothing is compiled yet."""
        self.problem, self.at = problem, linear(problem)
        at, blocks = self.at, problem.blocks
        self.starts, self.count = blocks.level, int(blocks.level.size - 1)
        self.levels = make_levels(self.count)
        self.system, self._bending = Multipliers(at), Bending(at)
        level_of = np.searchsorted(self.starts, np.arange(at.rows), side="right") - 1
        groups = at.contacts.group_of_row
        orders = [at.order[level_of[at.order] < k] for k in range(self.count + 1)]
        self._before: list[tuple[Indices, Indices]] = [(each, groups[each]) for each in orders]
        self.stiff: list[Stiff] = [self._no_rows()] * self.count
        self.reference: Values = np.zeros(at.rows)
        self.tolerance = 0.0
        drawn = (problem.pull + problem.zone_strength) * (problem.metric > 0)
        self.strongest = float(drawn.max(initial=0.0))

    def _no_rows(self) -> Stiff:
        return np.zeros((0, self.at.contacts.width)), np.zeros(0, np.int64)

    def own(self, k: int) -> slice:
        """The rows of a level."""
        return slice(int(self.starts[k]), int(self.starts[k + 1]))

    # looking -------------------------------------------------------------------------------

    def look(self, q: Values) -> None:
        """Residual, Jacobian and limits, and the sizes of all levels, at a posture."""
        at, levels, blocks = self.at, self.levels, self.problem.blocks
        at.look(q)
        self.measure(at.residual, levels.error)
        worst(
            blocks.block,
            blocks.factor,
            self.starts,
            blocks.inequality,
            at.residual,
            self.tolerance,
            levels.worst,
            levels.unmet,
        )
        if self.strongest > 0:
            levels.error[-1] = np.sqrt(2 * self._discomfort(q))

    def measure(self, residual: Values, errors: Values) -> None:
        """Write the errors of all levels for a residual."""
        sizes(self.starts, self.problem.blocks.inequality, residual, errors)

    def measure_rows(self) -> None:
        """Write the length of the longest row of each level."""
        matrix = self.at.matrix[: self.at.rows]
        square = np.einsum("ij,ij->i", matrix, matrix)
        for k in range(self.count):
            self.levels.row_length[k] = np.sqrt(square[self.own(k)].max(initial=0.0))

    def springs(self, q: Values) -> tuple[Values, Values]:
        """(n,) slope and bend of the criteria, the strongest taken as 1."""
        p = self.problem
        away = q - np.clip(q, p.zone_lower, p.zone_upper)
        zone = np.where(away != 0, p.zone_strength, 0.0)
        slope = p.pull * (q - p.rest) + zone * away
        moves = p.metric > 0
        return np.where(moves, slope, 0.0) / self.strongest, (p.pull + zone) / self.strongest

    def _discomfort(self, q: Values) -> float:
        p = self.problem
        away = q - np.clip(q, p.zone_lower, p.zone_upper)
        value = p.pull * (q - p.rest) ** 2 + p.zone_strength * away**2
        return 0.5 * float(value[p.metric > 0].sum()) / self.strongest

    # steps ---------------------------------------------------------------------------------

    def ladder(self, q: Values, depth: int, rungs: int) -> Values:
        """The best step for the first level, for the first two, …; last for the criteria, if so."""
        at, levels = self.at, self.levels
        low, kept = -at.residual, LEAST * at.greatest()
        ladder = np.zeros((max(rungs, 1), at.n))
        for k in range(depth):
            own = self.own(k)
            damping = np.full(at.rows, kept)
            lever = SETTINGS.lever * levels.row_length[k] * levels.damping[k]
            damping[own] = _DAMPED + lever * self._nearby(own)
            ladder[k] = self._least(q, k + 1, low, damping, [])
            reached = at.times(ladder[k])[own]
            low[own] = np.where(at.one_sided[own], np.minimum(low[own], reached), reached)
        if rungs > depth:
            ladder[depth] = self._eased(q, low)
        return ladder

    def _nearby(self, own: slice) -> Values:
        """For each row of a level, the size of the errors of its group.

        What is neglected is of that order; errors elsewhere in a crowd have nothing to do with it.
        Rows that are all met in the end may each be damped as it suits.
        """
        groups = self.at.contacts.group_of_row[own]
        e = self.at.unmet()[own]
        return np.sqrt(np.bincount(groups, e * e))[groups]

    def easing(self, q: Values, share: float) -> tuple[Values, float]:
        """A share of the step that criteria like best with all levels kept, and its promise."""
        step = share * self._eased(q, self._kept())
        slope, bend = self.springs(q)
        return step, -float(slope @ step + 0.5 * (bend * step) @ step)

    def _eased(self, q: Values, low: Values) -> Values:
        slope, bend = self.springs(q)
        bend = np.maximum(bend, _WEAKEST)
        damping = np.full(self.at.rows, LEAST * self.at.greatest())
        return self._least(
            q,
            self.count,
            low,
            damping,
            self._resting(self.count),
            shift=-slope / bend,
            metric=self.at.metric / np.sqrt(bend),
        )

    def lowering(self, q: Values, who: int, trust: float) -> tuple[Values, float, Values]:
        """The step that lowers one level, damped by a share of its error, and what it promises.

        That is of the whole level, as half of its square, and of each task, as in `Linear.squares`.
        """
        at, own = self.at, self.own(who)
        size, longest = float(self.levels.error[who]), float(self.levels.row_length[who])
        low = self._kept()
        low[own] = -at.residual[own]
        damping = np.full(at.rows, LEAST * at.greatest())
        damping[own] = _DAMPED + (_SLIGHTLY + trust) * longest * size
        rows, groups = self._bending.rows(self._force(who), size, longest)
        bends = rows, groups, np.full(len(rows), damping[own][0])
        step = self._least(q, who + 1, low, damping, [*self._resting(who), bends])
        left = at.unmet(at.residual + at.times(step))
        bent = self._bent(rows, groups, step)
        gains = 0.5 * (at.squares(at.unmet(), own) - at.squares(left, own))
        return step, 0.5 * (size * size - float(left[own] @ left[own]) - bent), gains

    def has_lost(self, who: int, tolerance: float) -> bool:
        """Whether a task that is met in a level at rest, before another level, no longer is."""
        at, most = self.at, tolerance * tolerance
        was, now = at.unmet(self.reference), at.unmet()
        resting = [self.own(k) for k in range(who) if self.levels.at_rest[k] > 0]
        return any(
            np.any((at.squares(was, own) <= most) & (at.squares(now, own) > most))
            for own in resting
        )

    def returning(self, q: Values, who: int) -> Values:
        """The step that brings the levels before one back to where they were."""
        at = self.at
        low, damping = -at.residual, np.full(at.rows, LEAST * at.greatest())
        for k in range(who):
            if self.levels.at_rest[k] > 0:
                own = self.own(k)
                low[own] += self.reference[own]
                damping[own] = _RETURNED * at.greatest()
        return self._least(q, who, low, damping, self._resting(who))

    def rest(self, who: int) -> None:
        """Note what one level needs to stay at rest where it is."""
        own, levels = self.own(who), self.levels
        levels.at_rest[who], levels.rest_error[who] = 1.0, levels.error[who]
        self.reference[own] = self.at.residual[own]
        self.stiff[who] = self._bending.rows(
            self._force(who),
            float(levels.error[who]),
            float(levels.row_length[who]),
            self._before[who + 1][0],
        )

    def _force(self, who: int) -> Values:
        """(R,) the error of one level."""
        force, own = np.zeros(self.at.rows), self.own(who)
        force[own] = self.at.unmet()[own]
        return force

    def _kept(self) -> Values:
        """(R,) where rows should go: to zero, or of a level at rest nowhere."""
        low = -self.at.residual
        for k in range(self.count):
            if self.levels.at_rest[k] > 0:
                own = self.own(k)
                low[own] = np.where(self.at.one_sided[own], np.minimum(low[own], 0.0), 0.0)
        return low

    def _resting(self, who: int) -> list[tuple[Values, Indices, Values]]:
        """What bends of the levels at rest before one, with damping as for rows that are kept."""
        kept = LEAST * self.at.greatest()
        return [
            (*self.stiff[k], np.full(len(self.stiff[k][0]), kept))
            for k in range(who)
            if self.levels.at_rest[k] > 0 and len(self.stiff[k][0])
        ]

    def _bent(self, rows: Values, groups: Indices, step: Values) -> float:
        """|R Δq|² of such rows."""
        first = self._written(rows, groups)
        along = self.at.products(first + np.arange(len(rows)), np.sort(groups), step)
        return float(along @ along)

    def _written(self, rows: Values, groups: Indices) -> int:
        """Where in the matrix rows now stand, in the order of their groups."""
        first = self.at.spare(len(rows))
        self.at.matrix[first : first + len(rows)] = rows[np.argsort(groups, kind="stable")]
        return first

    def _least(
        self,
        q: Values,
        levels: int,
        low: Values,
        damping: Values,
        stiff: Sequence[tuple[Values, Indices, Values]],
        *,
        shift: Values | None = None,
        metric: Values | None = None,
    ) -> Values:
        """The best step for the rows of the first levels and for stiff ones with their damping."""
        at = self.at
        order, groups = self._before[levels]
        high = np.where(at.one_sided, np.inf, low)
        rows = Rows(order, groups, low[order], high[order], damping[order])
        if stiff:
            more = np.concatenate([each for each, _, _ in stiff])
            owners = np.concatenate([each for _, each, _ in stiff])
            by = np.concatenate([each for _, _, each in stiff])[np.argsort(owners, kind="stable")]
            first, zero = self._written(more, owners), np.zeros(len(more))
            rows = rows.joined(Rows(first + np.arange(len(more)), np.sort(owners), zero, zero, by))
        return self.system.step(rows, at.lower - q, at.upper - q, shift, metric)[0]

    def optimality(self, q: Values, tolerance: float) -> float:
        """How fast an unmet level could still be lowered, the greatest; see `Outcome`."""
        at, most = self.at, 0.0
        low = np.where(at.lower - q >= -AT_STOP, 0.0, -np.inf)
        high = np.where(at.upper - q <= AT_STOP, 0.0, np.inf)
        at.look_at_limits(q, AT_STOP)
        moves = at.metric > 0
        for k in range(self.count):
            if self.levels.worst[k] <= tolerance:
                continue
            groups = at.contacts.group_of_row[at.order]
            slope = at.drawn(at.order, groups, self._force(k)[at.order])
            order, groups = self._before[k]
            # One-sided rows that are not at their end stop nothing.
            acts = ~at.one_sided[order] | (at.residual[order] <= tolerance)
            order, groups = order[acts], groups[acts]
            ends = np.where(at.one_sided[order], np.inf, 0.0)
            kept = np.full(order.size, LEAST * at.greatest())
            self.system.forget()
            step, _ = self.system.step(
                Rows(order, groups, np.zeros(order.size), ends, kept),
                low,
                high,
                shift=-slope * at.metric**2,
            )
            left = float(np.linalg.norm(step[moves] / at.metric[moves]))
            most = max(most, left / float(self.levels.error[k]))
        return most
