"""`lex` for many figures: levels one after the other, each by elimination along the contacts.

The same thought as `kernel.lex`, whose judgement of steps (`kernel.levels`) it shares, and the same
two errands. *Seeking*: as long as goals can be met, a pass gives a ladder of steps, the best for
the first level, for the first two, and so on. Each rung is a least-squares step, damped by the
level's own error, within limits, that keeps the rows of the levels above where their rungs put
them: one system of `multipliers` in which those rows have no damping to speak of. *Lowering*: a
level that its linear step does not bring down is lowered by itself, with what its errors bend
(`bending`), from where the search without it led; the levels above are brought back before a step
is judged. A level at rest keeps its rows, and what bends across them, for those below; criteria
come last.

What a dense solve does with n² numbers is done here with few for each figure and each contact, so
time grows with their number. Hessians keep their positive part only, so that the last digits of a
goal out of reach take more steps than in the dense solve.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from poise.kernel import levels as judging
from poise.kernel.levels import (
    AFTER,
    AHEAD,
    AT_REST,
    DAMPING,
    FULL,
    REFERENCE,
    ROW_LENGTH,
    SIZE,
    UNMOVED,
    WORST,
)
from poise.kernel.lex import LONG_SEARCH, RETURNS, STILL
from poise.kernel.lex_rows import LEVER
from poise.solvers.bending import Bending
from poise.solvers.linear import AT_STOP, linear
from poise.solvers.multipliers import LEAST, Multipliers, Rows
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem

Values = NDArray[np.float64]
Indices = NDArray[np.int64]

_DAMPED = 1e-9
"""Damping of a level that is met, as in the dense solve."""

_RETURNED = 1e-4
"""Damping with which a level at rest is brought back, as a share of the greatest row's square."""

_FARTHEST = 0.6
"""A step that lowers a level is no longer than this (rad), over all coordinates of a figure."""

_LITTLE = 1e-4
"""A level is at rest when a step promises to lower its square by no more than this share."""

_TIRED = 8
"""So many steps in a row may fail before a level is let be."""

_CYCLES = 3
"""So often at most all unmet levels are gone through."""


class Cascade:
    """The solves of one problem, with what the last one knew."""

    def __init__(self, problem: Problem) -> None:
        """Make room; nothing is compiled yet."""
        self.problem, self.at = problem, linear(problem)
        at = self.at
        self.system = Multipliers(at)
        self.bending = Bending(at)
        blocks = problem.blocks
        self.starts, self.levels = blocks.level, int(blocks.level.size - 1)
        self.level: Values = np.zeros((ROW_LENGTH + 1, self.levels + 1))
        level_of = np.searchsorted(self.starts, np.arange(at.rows), side="right") - 1
        groups = at.contacts.group_of_row
        self.upto: list[tuple[Indices, Indices, Indices]] = []
        """For each level, the rows of all levels to it by group, their groups and levels."""
        for k in range(self.levels):
            order = at.order[level_of[at.order] <= k]
            self.upto.append((order, groups[order], level_of[order]))
        self.stiff: list[tuple[Values, Indices]] = [self._no_rows()] * self.levels
        """Of each level at rest, what bends, and the groups."""
        self.reference: Values = np.zeros(at.rows)
        """(R,) the residual at which levels came to rest."""
        self.strongest = float(
            ((problem.pull + problem.zone_strength) * (problem.metric > 0)).max(initial=0.0)
        )

    def _no_rows(self) -> tuple[Values, Indices]:
        return np.zeros((0, self.at.contacts.width)), np.zeros(0, np.int64)

    # looking -------------------------------------------------------------------------------

    def look(self, q: Values) -> None:
        """Residual, Jacobian and the sizes of all levels at a posture."""
        at, level, blocks = self.at, self.level, self.problem.blocks
        at.look(q)
        judging.sizes(self.starts, blocks.inequality, at.residual, level[SIZE])
        judging.worst(
            blocks.block, blocks.factor, self.starts, blocks.inequality, at.residual, level[WORST]
        )
        if self.strongest > 0:
            level[SIZE, -1] = np.sqrt(2 * self._discomfort(q))

    def _measure(self, residual: Values, row: int) -> None:
        judging.sizes(self.starts, self.problem.blocks.inequality, residual, self.level[row])

    def _lengths(self) -> None:
        """The longest row of each level."""
        at, starts = self.at, self.starts
        matrix = at.matrix[: at.rows]
        square = np.einsum("ij,ij->i", matrix, matrix)
        for k in range(self.levels):
            part = square[starts[k] : starts[k + 1]]
            self.level[ROW_LENGTH, k] = np.sqrt(part.max(initial=0.0))

    def _springs(self, q: Values) -> tuple[Values, Values]:
        """Slope and bend of the criteria, the strongest taken as 1."""
        p = self.problem
        away = q - np.clip(q, p.zone_lower, p.zone_upper)
        zone = np.where(away != 0, p.zone_strength, 0.0)
        return (p.pull * (q - p.rest) + zone * away) / self.strongest, (
            p.pull + zone
        ) / self.strongest

    def _discomfort(self, q: Values) -> float:
        p = self.problem
        away = q - np.clip(q, p.zone_lower, p.zone_upper)
        moves = p.metric > 0
        value = p.pull * (q - p.rest) ** 2 + p.zone_strength * away**2
        return 0.5 * float(value[moves].sum()) / self.strongest

    # steps ---------------------------------------------------------------------------------

    def _rung(
        self, q: Values, k: int, low: Values, damping: Values, extra: list[tuple[Values, Indices]]
    ) -> tuple[Values, float]:
        """The step of level k, and the share of its square that it leaves as it was bent.

        Args:
            q: the posture that was looked at.
            k: the level; rows of those to it count.
            low: (R,) what J Δq should be for each row, or at least.
            damping: (R,) ρ of each row.
            extra: rows that should stay zero, and their groups: kept, the last ones damped.
        """
        at = self.at
        order, groups, _ = self.upto[k]
        one_sided = at.one_sided[order]
        rows = Rows(
            order, groups, low[order], np.where(one_sided, np.inf, low[order]), damping[order]
        )
        if any(len(each) for each, _ in extra):
            stacked = np.concatenate([each for each, _ in extra])
            first = at.spare(len(stacked))
            at.matrix[first : first + len(stacked)] = stacked
            own = np.concatenate([np.full(len(each), i) for i, (each, _) in enumerate(extra)])
            weight = np.where(own == len(extra) - 1, damping[self.starts[k]], damping.min())
            zero = np.zeros(len(stacked))
            rows = Rows(
                np.concatenate([rows.index, first + np.arange(len(stacked))]),
                np.concatenate([rows.group, *(each for _, each in extra)]),
                np.concatenate([rows.low, zero]),
                np.concatenate([rows.high, zero]),
                np.concatenate([rows.damping, weight]),
            )
        step, _ = self.system.step(rows, at.lower - q, at.upper - q)
        bent = 0.0
        if len(extra) and len(extra[-1][0]):
            last, owner = extra[-1]
            order = np.argsort(owner, kind="stable")
            first = at.spare(len(last))
            at.matrix[first : first + len(last)] = last[order]
            along = at.products(first + np.arange(len(last)), owner[order], step)
            bent = float(along @ along)
        return step, bent

    def _aims(self) -> tuple[Values, Values, float]:
        """−e for every row, the damping of rows that are kept for every row, and that alone."""
        tiny = LEAST * self.at.greatest()
        return -self.at.residual, np.full(self.at.rows, tiny), tiny

    def _ladder(self, q: Values, depth: int, rungs: int) -> Values:
        """The best step for the first level, for the first two, …, then for the criteria."""
        at, level, starts = self.at, self.level, self.starts
        low, kept, tiny = self._aims()
        ladder = np.zeros((max(rungs, 1), at.n))
        for k in range(depth):
            own = slice(starts[k], starts[k + 1])
            damping = kept.copy()
            damping[own] = (
                _DAMPED + LEVER * level[ROW_LENGTH, k] * level[DAMPING, k] * level[SIZE, k]
            )
            ladder[k], _ = self._rung(q, k, low, damping, [])
            reached = at.times(ladder[k])
            low[own] = np.where(at.one_sided[own], np.minimum(low[own], reached[own]), reached[own])
        if rungs > depth:
            ladder[depth] = self._eased(q, low, kept)
        return ladder

    def _eased(self, q: Values, low: Values, kept: Values) -> Values:
        """The step that criteria like best, with all rows where they are put."""
        at, p = self.at, self.problem
        slope, bend = self._springs(q)
        # Coordinates that criteria do not draw stay, as far as rows let them.
        weight = np.maximum(bend, 0.05)
        metric = p.metric / np.sqrt(weight)
        rows = Rows(
            at.order,
            at.contacts.group_of_row[at.order],
            low[at.order],
            np.where(at.one_sided[at.order], np.inf, low[at.order]),
            kept[at.order],
        )
        for k, (each, owners) in enumerate(self.stiff):
            if self.level[AT_REST, k] > 0 and len(each):
                first = at.spare(sum(len(other) for other, _ in self.stiff)) + sum(
                    len(other) for other, _ in self.stiff[:k]
                )
                at.matrix[first : first + len(each)] = each
                zero = np.zeros(len(each))
                rows = Rows(
                    np.concatenate([rows.index, first + np.arange(len(each))]),
                    np.concatenate([rows.group, owners]),
                    np.concatenate([rows.low, zero]),
                    np.concatenate([rows.high, zero]),
                    np.concatenate([rows.damping, np.full(len(each), kept.min(initial=LEAST))]),
                )
        step, _ = self.system.step(
            rows, at.lower - q, at.upper - q, shift=-slope / weight, metric=metric
        )
        return step

    # the errands ---------------------------------------------------------------------------

    def solve(
        self,
        start: Values,
        *,
        tolerance: float,
        max_iterations: int,
        max_seconds: float | None,
        warm: bool,
    ) -> Outcome:
        """Solve from a posture within limits; see `lex.solve`."""
        begun = perf_counter()

        def is_late() -> bool:
            return max_seconds is not None and perf_counter() - begun > max_seconds

        run = _Run(self, tolerance, max_iterations, is_late)
        if not warm:
            self.system.forget()
        judging.prepare(self.level, warm)
        q = run.solved(start.copy())
        optimality = 0.0 if run.word == "solved" else self.optimality(q, tolerance)
        return Outcome(
            q,
            run.word,
            run.iterations,
            perf_counter() - begun,
            self.at.residual.copy(),
            optimality,
        )

    def optimality(self, q: Values, tolerance: float) -> float:
        """How fast an unmet level could still be lowered, the greatest; see `Outcome`."""
        at, level, starts = self.at, self.level, self.starts
        low_stop = np.where(at.lower - q >= -AT_STOP, 0.0, -np.inf)
        high_stop = np.where(at.upper - q <= AT_STOP, 0.0, np.inf)
        at.look_at_limits(q, AT_STOP)
        e, tiny, most = at.unmet(), LEAST * at.greatest(), 0.0
        for k in range(self.levels):
            if level[WORST, k] <= tolerance or level[SIZE, k] == 0:
                continue
            push = np.zeros(at.rows)
            push[starts[k] : starts[k + 1]] = e[starts[k] : starts[k + 1]]
            groups = at.contacts.group_of_row[at.order]
            descent = -at.drawn(at.order, groups, push[at.order]) * at.metric**2
            order, groups, own = self.upto[k]
            above = own < k
            order, groups = order[above], groups[above]
            # One-sided rows that are not at their end stop nothing.
            acts = ~at.one_sided[order] | (at.residual[order] <= tolerance)
            order, groups = order[acts], groups[acts]
            zero = np.zeros(order.size)
            ends = np.where(at.one_sided[order], np.inf, 0.0)
            rows = Rows(order, groups, zero, ends, np.full(order.size, tiny))
            self.system.forget()
            step, _ = self.system.step(rows, low_stop, high_stop, shift=descent)
            moves = at.metric > 0
            length = float(np.linalg.norm(step[moves] / at.metric[moves]))
            most = max(most, length / float(level[SIZE, k]))
        return most


class _Run:
    """One solve."""

    def __init__(
        self, cascade: Cascade, tolerance: float, limit: int, is_late: Callable[[], bool]
    ) -> None:
        self.c, self.tolerance, self.limit, self._is_late = cascade, tolerance, limit, is_late
        self.iterations, self.word, self._stalled = 0, "", False

    def _is_over(self) -> bool:
        if self.iterations >= self.limit:
            self.word = "iterations"
        elif self.iterations and self._is_late():
            self.word = "time"
        return bool(self.word)

    def solved(self, q: Values) -> Values:
        """From a start to rest."""
        c, level = self.c, self.c.level
        c.look(q)
        q, unmet = self._sought(q, c.levels)
        if self.word:
            return q
        if unmet == c.levels:
            self.word = "solved"
            if c.strongest > 0:
                q = self._lowered(q, c.levels)
            return q
        sizes = level[SIZE, : c.levels].copy()
        for cycle in range(_CYCLES):
            if cycle:
                level[AT_REST] = 0.0
                if not self._gained(sizes):
                    break
                sizes = level[SIZE, : c.levels].copy()
            for k in range(c.levels + (1 if c.strongest > 0 else 0)):
                is_met = k < c.levels and level[WORST, k] <= self.tolerance
                if not is_met and not self.word:
                    q = self._lowered(q, k)
        if not self.word:
            off = bool((level[WORST, : c.levels] > self.tolerance).any())
            self.word = ("stalled" if self._stalled else "stationary") if off else "solved"
        return q

    def _gained(self, before: Values) -> bool:
        """Whether a cycle has brought levels down, lexicographically."""
        now = self.c.level[SIZE]
        return bool(judging.are_lower(now, before, before.size))

    def _sought(self, q: Values, depth: int) -> tuple[Values, int]:
        """Where a search for the first levels leads, and the first that it can't bring down."""
        c, at, level = self.c, self.c.at, self.c.level
        origin, tolerance = q.copy(), self.tolerance
        sought, gone = 0, 0.4
        while True:
            if not judging.is_off(level, depth, tolerance):
                return q, depth
            if self._is_over():
                return q, depth
            c._lengths()
            at.look_at_limits(q, 0.1 + 2 * gone)
            rungs = depth + (1 if depth == c.levels and c.strongest > 0 else 0)
            q_next, objecting = q, np.int64(-1)
            for attempt in range(4):
                if attempt:
                    damping = level[DAMPING, objecting:depth]
                    damping[:] = np.maximum(10 * damping, 1e-2)
                ladder = c._ladder(q, depth, rungs)
                base = at.residual.copy()
                changes = [at.times(each) for each in ladder]
                c._measure(base + changes[depth - 1], FULL)
                unmet = int(
                    judging.first_unmet(level, depth, tolerance, sought >= LONG_SEARCH)
                )
                if unmet < depth:
                    c.look(origin)
                    if unmet == 0:
                        return origin, 0
                    judging.begin_search(level, 0, origin, origin.copy(), judging.TRUSTED)
                    origin, further = self._sought(origin, unmet)
                    return origin, min(unmet, further)
                q_next, gone, objecting = self._climbed(q, ladder, changes, base, depth, rungs)
                if objecting < 0:
                    break
            if objecting >= 0:
                self._stalled = True
                return q, next(
                    (k for k in range(depth) if level[WORST, k] > tolerance), depth
                )
            judging.adapt(level, depth, gone, tolerance)
            self.iterations += 1
            sought += 1
            q = q_next
            c.look(q)

    def _climbed(
        self,
        q: Values,
        ladder: Values,
        changes: list[Values],
        base: Values,
        depth: int,
        rungs: int,
    ) -> tuple[Values, float, np.int64]:
        """Where a ladder leads as far as levels allow, how far that is, and who objects if any."""
        c, at, level = self.c, self.c.at, self.c.level
        ones, move, longest = np.ones(at.n), np.zeros(at.n), 0.0
        objecting = np.int64(-1)
        following = q
        level[judging.SHARE, rungs:], level[judging.LENGTH, rungs:] = 0.0, 0.0
        for _ in range(8):
            judging.climb(ladder, level, ones, rungs, move)
            following = q + move
            if not at.within_limits(q, following):
                following = q.copy()
            ahead, shares = base.copy(), level[judging.SHARE]
            for k in range(rungs):
                before = changes[k - 1] if k else 0.0
                ahead += shares[k] * (changes[k] - before)
            c._measure(ahead, AHEAD)
            at.look(following)
            c._measure(at.residual, AFTER)
            longest = float(np.abs(following - q).max(initial=0.0))
            objecting = judging.objector(level, depth, longest, self.tolerance)
            if objecting < 0:
                return following, longest, objecting
            at.look(q)
            judging.hold_back(level, objecting, longest)
        return following, longest, objecting

    def _lowered(self, q: Values, who: int) -> Values:
        """Where the lowering of one level leads, with those above met or at rest."""
        c, at, level = self.c, self.c.at, self.c.level
        tolerance, failures, trust = self.tolerance, 0, 0.0
        is_last = who == c.levels
        c.look(q)
        while True:
            size = float(level[SIZE, who])
            if not is_last and level[WORST, who] <= tolerance:
                return q
            c._lengths()
            longest = float(level[ROW_LENGTH, who])
            at.look_at_limits(q, 0.1 + _FARTHEST)
            if is_last:
                step = c._eased(q, self._kept(), np.full(at.rows, LEAST * at.greatest()))
                step /= 1 + trust
                slope, bend = c._springs(q)
                promise = -float(slope @ step + 0.5 * (bend * step) @ step)
            else:
                step, promise = self._newton(q, who, trust)
            length = float(np.linalg.norm(step))
            farthest = _FARTHEST * np.sqrt(1 + len(at.contacts.groups))
            if length > farthest:
                share = farthest / length
                step, length, promise = share * step, farthest, promise * share * (2 - share)
            reach = size if is_last else float(judging.within_reach(level, who, size))
            little = max(_LITTLE * reach, 0.1 * tolerance) * size
            rests = promise <= little or (is_last and np.abs(step).max(initial=0.0) < STILL)
            if rests or failures > _TIRED:
                self._stalled |= not rests and not is_last
                break
            if self._is_over():
                return q
            following, good = self._returned(q, q + step, who)
            real = 0.5 * (size * size - float(level[SIZE, who]) ** 2)
            good = good and real > 0.1 * promise
            if good:
                self.iterations += 1
                q, failures = following, 0
                trust = 0.0 if real > 0.7 * promise and trust < 1e-2 else 0.3 * trust
            else:
                failures += 1
                trust = max(6 * trust, 0.03)
                c.look(q)
        if not is_last:
            level[AT_REST, who], level[REFERENCE, who] = 1.0, level[SIZE, who]
            own = slice(c.starts[who], c.starts[who + 1])
            c.reference[own] = at.residual[own]
            c.stiff[who] = c.bending.rows(
                self._force(who), float(level[SIZE, who]), longest, c.upto[who][0]
            )
        return q

    def _force(self, who: int) -> Values:
        """(R,) the error of one level."""
        force, c = np.zeros(self.c.at.rows), self.c
        own = slice(c.starts[who], c.starts[who + 1])
        force[own] = c.at.unmet()[own]
        return force

    def _kept(self) -> Values:
        """(R,) where rows above should go: to zero, or of a level at rest nowhere."""
        c = self.c
        low = -c.at.residual
        for k in range(c.levels):
            if c.level[AT_REST, k] > 0:
                own = slice(c.starts[k], c.starts[k + 1])
                low[own] = np.where(c.at.one_sided[own], np.minimum(low[own], 0.0), 0.0)
        return low

    def _newton(self, q: Values, who: int, trust: float) -> tuple[Values, float]:
        """The step that lowers one level, and what it promises of ½|e|²."""
        c, at, level = self.c, self.c.at, self.c.level
        own = slice(c.starts[who], c.starts[who + 1])
        low = self._kept()
        low[own] = -at.residual[own]
        size, longest = float(level[SIZE, who]), float(level[ROW_LENGTH, who])
        damping = np.full(at.rows, LEAST * at.greatest())
        damping[own] = _DAMPED + (LEVER * 1e-2 + trust) * longest * size
        stiff = [c.stiff[k] for k in range(who) if level[AT_REST, k] > 0]
        bends = c.bending.rows(self._force(who), size, longest)
        step, bent = c._rung(q, who, low, damping, [*stiff, bends])
        ahead = at.residual + at.times(step)
        left = np.where(at.one_sided[own], np.minimum(ahead[own], 0.0), ahead[own])
        return step, 0.5 * (size * size - float(left @ left) - bent)

    def _returned(self, q: Values, following: Values, who: int) -> tuple[Values, bool]:
        """The end of a step with the levels above brought back, and whether they are."""
        c, at, level = self.c, self.c.at, self.c.level
        if not at.within_limits(q, following):
            return q, False
        c.look(following)
        for _ in range(RETURNS):
            off = judging.is_off(level, who, 0.5 * self.tolerance)
            if not (off or judging.has_grown(level, who, 0.5 * UNMOVED)):
                break
            damping = np.full(at.rows, LEAST * at.greatest())
            low, stiff = -at.residual, [c._no_rows()]
            for k in range(who):
                if level[AT_REST, k] > 0:
                    own = slice(c.starts[k], c.starts[k + 1])
                    low[own] = c.reference[own] - at.residual[own]
                    damping[own] = _RETURNED * at.greatest()
                    stiff.insert(0, c.stiff[k])
            at.look_at_limits(following, 0.1)
            step, _ = c._rung(following, who - 1, low, damping, stiff)
            mended = following + step
            if not at.within_limits(following, mended):
                break
            following = mended
            c.look(following)
        good = not judging.is_off(level, who, self.tolerance)
        return following, bool(good and not judging.has_grown(level, who, UNMOVED))
