"""`lex` for many figures: levels one after the other, each by elimination along the contacts.

The same thought as `kernel.lex.solve`, whose judgement of steps (`kernel.lex.search`) it shares,
and the same phases. *Search*: as long as goals can be met, a pass gives a ladder of steps, the
best for the first level, for the first two, and so on. *Lower*: a level that its linear step
does not bring down is lowered by itself, with what its errors bend (`bending`), from where the
search without it led; the levels above are brought back before a step is judged. A level at rest
keeps its rows, and what bends across them, for those below; criteria come last. The steps are in
`cascade_steps`.

What a dense solve does with n² numbers is done here with few for each figure and each contact, so
time grows with their number. Of Hessians only the positive part is kept, so that the last digits of
a goal out of reach take more steps than in the dense solve.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from poise.kernel.lex.levels import are_lower, has_grown, is_any_unmet, within_reach
from poise.kernel.lex.memory import LOWER, SEARCH
from poise.kernel.lex.search import (
    adapt,
    begin_search,
    combine,
    level_to_give_up,
    rejecting_level,
    reset,
    shorten_parts,
)
from poise.kernel.lex.settings import SETTINGS
from poise.kernel.tracing import note
from poise.solvers.cascade_steps import Steps
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem

Values = NDArray[np.float64]

_LITTLE = 1e-4
"""A level is at rest when a step promises to lower its square by no more than this share."""

_FIRST_TRUST, _LESS_TRUST = 0.03, 6.0
"""The damping of a lowering step after one that failed, and how it grows with every other, as a
share of |e| times the longest row."""

_TIRED = 8
"""So many steps in a row may fail before a level is let be."""

_RETURNS = 5
"""So many steps may be spent on bringing the levels above back."""

_CYCLES = 3
"""So often at most all unmet levels are gone through."""


class Cascade:
    """The solves of one problem, with what the last one knew."""

    def __init__(self, problem: Problem) -> None:
        """Make room; nothing is compiled yet."""
        self.steps = Steps(problem)
        self._is_loaded = False

    def solve(
        self,
        start: Values,
        *,
        tolerance: float,
        max_iterations: int,
        max_seconds: float | None,
        warm: bool = False,
    ) -> Outcome:
        """Solve from a posture within limits; see `lex.solve`."""
        steps = self.steps
        if not self._is_loaded:
            steps.at.load(start)
            _load(steps, start)
            self._is_loaded = True
        begun = perf_counter()

        def is_late() -> bool:
            return max_seconds is not None and perf_counter() - begun > max_seconds

        if not warm:
            steps.system.forget()
        reset(steps.levels, warm)
        steps.tolerance = tolerance
        solve = _Solve(steps, tolerance, max_iterations, is_late)
        q = solve.ended(start.copy())
        optimality = 0.0 if solve.word == "solved" else steps.optimality(q, tolerance)
        seconds = perf_counter() - begun
        residual = steps.at.residual.copy()
        return Outcome(q, solve.word, solve.iterations, seconds, residual, optimality)


def _load(steps: Steps, q: Values) -> None:
    """Load what a solve may need: that is not counted."""
    levels = steps.levels
    reset(levels, False)
    steps.look(q)
    steps.measure_rows()
    ladder = steps.ladder(q, steps.count, steps.count)
    combine(ladder, levels, np.ones(q.size), 0, np.zeros(q.size))
    rejecting_level(levels, 0, 0.0, 0.0)
    shorten_parts(levels, 0, 0.0)
    adapt(levels, 0, 0.0, 0.0)
    level_to_give_up(levels, 0, 0.0, False)
    is_any_unmet(levels, 0, 0.0)
    has_grown(levels, 0, 0.0, 0.0)
    within_reach(levels, 0, 0.0)
    are_lower(levels.error, levels.unmet, levels.error, levels.unmet, 0, 0.0)
    begin_search(levels, 0, q, q.copy(), SETTINGS.newton_radius)
    if steps.count:
        steps.rest(0)
    for each in levels:
        each[:] = 0.0


class _Solve:
    """One solve: `word` says why it ended."""

    def __init__(
        self, steps: Steps, tolerance: float, limit: int, is_late: Callable[[], bool]
    ) -> None:
        self._steps, self._tolerance, self._limit = steps, tolerance, limit
        self._is_late, self._is_stalled = is_late, False
        self.iterations, self.word = 0, ""

    def ended(self, q: Values) -> Values:
        """From a start to rest."""
        steps, levels = self._steps, self._steps.levels
        count = steps.count
        steps.look(q)
        q = self._sought(q, count)
        sizes, missed = levels.error.copy(), levels.unmet.copy()
        last = count + (1 if steps.strongest > 0 else 0)
        for cycle in range(_CYCLES):
            off = self._unmet(count)
            lower = are_lower(levels.error, levels.unmet, sizes, missed, count, self._tolerance)
            if self.word or (cycle > 0 and not lower):
                break
            sizes, missed = levels.error.copy(), levels.unmet.copy()
            levels.at_rest[:], self._is_stalled = 0.0, False
            for k in range(last):
                if not self.word and (k == count or levels.worst[k] > self._tolerance):
                    q = self._lowered(q, k)
            if off == count:
                break
        else:
            # It was still on its way down.
            self._is_stalled |= are_lower(
                levels.error, levels.unmet, sizes, missed, count, self._tolerance
            )
        if not self.word:
            rests = "stalled" if self._is_stalled else "stationary"
            self.word = "solved" if self._unmet(count) == count else rests
        return q

    def _is_over(self) -> bool:
        if self.iterations >= self._limit:
            self.word = "iterations"
        elif self.iterations and self._is_late():
            self.word = "time"
        return bool(self.word)

    def _unmet(self, depth: int) -> int:
        """The first level that is not met, `depth` if there is none before."""
        off = np.flatnonzero(~(self._steps.levels.worst[:depth] <= self._tolerance))
        return int(off[0]) if off.size else depth

    # seeking -------------------------------------------------------------------------------

    def _sought(self, q: Values, depth: int) -> Values:
        """Where a search for the first levels leads, without those that it can't bring down."""
        steps, levels, at = self._steps, self._steps.levels, self._steps.at
        origin, count, gone = q, 0, 0.4
        while self._unmet(depth) < depth and not self._is_over():
            steps.measure_rows()
            at.look_at_limits(q, 0.1 + 2 * gone)
            rungs = depth + (1 if depth == steps.count and steps.strongest > 0 else 0)
            objecting, following = -1, q
            for attempt in range(4):
                if attempt:
                    damping = levels.damping[objecting:depth]
                    damping[:] = np.maximum(10 * damping, 1e-2)
                ladder = steps.ladder(q, depth, rungs)
                changes = np.array([at.times(each) for each in ladder])
                steps.measure(at.residual + changes[depth - 1], levels.predicted_best)
                is_long = count >= SETTINGS.long_search
                unmet = int(level_to_give_up(levels, depth, self._tolerance, is_long))
                if unmet < depth:
                    return self._sought_again(origin, unmet)
                following, gone, objecting = self._climbed(q, ladder, changes, depth)
                if objecting < 0:
                    break
            if objecting >= 0:
                return self._sought_again(origin, self._unmet(depth))
            adapt(levels, depth, gone, self._tolerance)
            self.iterations, count = self.iterations + 1, count + 1
            q = following
            steps.look(q)
            note(steps.problem.trace, at.residual, SEARCH, -1, np.nan, gone)
        return q

    def _sought_again(self, origin: Values, depth: int) -> Values:
        """A search from the same origin for fewer levels."""
        steps = self._steps
        steps.look(origin)
        begin_search(steps.levels, 0, origin, origin.copy(), SETTINGS.newton_radius)
        return self._sought(origin, depth)

    def _climbed(
        self, q: Values, ladder: Values, changes: Values, depth: int
    ) -> tuple[Values, float, int]:
        """Where a ladder leads as far as levels allow, how far that is, and who objects, or −1."""
        steps, levels, at = self._steps, self._steps.levels, self._steps.at
        rungs, residual = len(ladder), at.residual.copy()
        ones, move = np.ones(at.n), np.zeros(at.n)
        levels.part_share[rungs:], levels.part_length[rungs:] = 0.0, 0.0
        following, longest, objecting = q, 0.0, -1
        for _ in range(8):
            combine(ladder, levels, ones, rungs, move)
            following = q + move
            if not at.within_limits(q, following):
                following = q.copy()
            shares = levels.part_share[:rungs] - np.append(levels.part_share[1:rungs], 0.0)
            steps.measure(residual + shares @ changes, levels.predicted)
            at.look(following)
            steps.measure(at.residual, levels.tried)
            longest = float(np.abs(following - q).max(initial=0.0))
            objecting = int(rejecting_level(levels, depth, longest, self._tolerance))
            if objecting < 0:
                break
            at.look(q)
            shorten_parts(levels, objecting, longest)
        return following, longest, objecting

    # lowering ------------------------------------------------------------------------------

    def _lowered(self, q: Values, who: int) -> Values:
        """Where the lowering of one level, or of the criteria, leads; those above stay."""
        steps, levels = self._steps, self._steps.levels
        failures, trust, is_last = 0, 0.0, who == steps.count
        steps.look(q)
        while is_last or levels.worst[who] > self._tolerance:
            size = float(levels.error[who])
            step, promise, gains = self._lowering(q, who, trust)
            rests = self._is_little(promise, who, _LITTLE)
            if is_last:
                rests |= float(np.abs(step).max(initial=0.0)) < SETTINGS.still
            else:
                rests &= not self._are_worth_it(gains, who)
            if rests or failures > _TIRED:
                if not is_last:
                    # Damped enough, any step promises little: without that?
                    undamped = self._lowering(q, who, 0.0)[1] if trust > 0 else promise
                    self._is_stalled |= not self._is_little(undamped, who, SETTINGS.negligible)
                    steps.rest(who)
                break
            if self._is_over():
                break
            following, good = self._returned(q, q + step, who)
            real = 0.5 * (size * size - float(levels.error[who]) ** 2)
            if good and real > 0.1 * promise:
                self.iterations, failures = self.iterations + 1, 0
                length, residual = float(np.abs(following - q).max(initial=0.0)), steps.at.residual
                note(steps.problem.trace, residual, LOWER, who, SETTINGS.newton_radius, length)
                q = following
                trust = 0.3 * trust if trust > 0.1 * _FIRST_TRUST else 0.0
            else:
                failures += 1
                trust = max(_LESS_TRUST * trust, _FIRST_TRUST)
                steps.look(q)
        return q

    def _lowering(self, q: Values, who: int, trust: float) -> tuple[Values, float, Values]:
        """The step that lowers one level, or the criteria; what it promises, and to each task."""
        steps, gains = self._steps, np.zeros(0)
        steps.measure_rows()
        steps.at.look_at_limits(q, 0.1 + SETTINGS.newton_radius)
        if who == steps.count:
            step, promise = steps.easing(q, 1 / (1 + 10 * trust))
        else:
            step, promise, gains = steps.lowering(q, who, trust)
        length = float(np.abs(step).max(initial=0.0))
        if length > SETTINGS.newton_radius:
            share = SETTINGS.newton_radius / length
            left = share * (2 - share)
            step, promise, gains = share * step, left * promise, left * gains
        return step, promise, gains

    def _are_worth_it(self, gains: Values, who: int) -> bool:
        """Whether a task would gain much for what it lacks, though next to others that is little.

        One person's goal out of reach should not keep those of others from being met.
        """
        steps = self._steps
        sizes = np.sqrt(steps.at.squares(steps.at.unmet(), steps.own(who)))
        reach = np.array([float(within_reach(steps.levels, who, size)) for size in sizes])
        little = np.maximum(_LITTLE * reach, SETTINGS.fine * self._tolerance) * sizes
        return bool(np.any((sizes > self._tolerance) & (gains > little)))

    def _is_little(self, promise: float, who: int, share: float) -> bool:
        """Whether a promise is no more than a share of what a level, or the criteria, could do."""
        levels, size = self._steps.levels, float(self._steps.levels.error[who])
        is_last = who == self._steps.count
        reach = size if is_last else float(within_reach(levels, who, size))
        return promise <= max(share * reach, SETTINGS.fine * self._tolerance) * size

    def _returned(self, q: Values, following: Values, who: int) -> tuple[Values, bool]:
        """The end of a step with the levels above brought back, and whether they are."""
        steps, levels, at = self._steps, self._steps.levels, self._steps.at
        if not at.within_limits(q, following):
            return q, False
        steps.look(following)
        for _ in range(_RETURNS):
            off = is_any_unmet(levels, who, 0.5 * self._tolerance)
            off |= has_grown(levels, who, 0.5, self._tolerance)
            if not off and not steps.has_lost(who, self._tolerance):
                break
            at.look_at_limits(following, 0.1)
            mended = following + steps.returning(following, who)
            if not at.within_limits(following, mended):
                break
            following = mended
            steps.look(following)
        off = is_any_unmet(levels, who, self._tolerance)
        off |= has_grown(levels, who, 1.0, self._tolerance)
        return following, not (off or steps.has_lost(who, self._tolerance))
