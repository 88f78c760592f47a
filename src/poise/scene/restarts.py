"""Other starts for a solve that ended too early, and which of the results is best."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from threading import Lock
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.scene.options import Options
from poise.scene.threads import ENOUGH, cores, spread
from poise.solvers import Solver
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem

Values = NDArray[np.float64]


class Starts:
    """Valid postures to start from, always the same: by turns near rest and in the whole range.

    The root stays near where it is. What is locked stays where it is. Each is made when it is asked
    for, which takes a while: as there may be any number of them, the clock must be asked between.
    """

    def __init__(self, problem: Problem, start: Values) -> None:
        """Make none yet."""
        self._problem, self._start = problem, start
        self._draws, self._drawn = _drawn(problem, start), list[Values]()
        self._lock = Lock()

    def __getitem__(self, i: int) -> Values:
        """The i-th, whichever are asked for before it, on any thread."""
        with self._lock:
            while len(self._drawn) <= i:
                self._drawn.append(next(self._draws))
        return _valid(self._problem, self._drawn[i], self._start)


def _drawn(problem: Problem, start: Values) -> Iterator[Values]:
    """Random coordinates, one start after the other, limits aside."""
    figure, rng = problem.figure, np.random.default_rng(1994)
    moves = problem.metric > 0
    rest = figure.rest().q
    root = figure.root_coordinates
    boxed = np.isfinite(figure.lower) & np.isfinite(figure.upper)
    lower, upper = np.where(boxed, figure.lower, -1.5), np.where(boxed, figure.upper, 1.5)
    for i in itertools.count():
        near = rest + rng.normal(0.0, 0.4, figure.n)
        far = rng.uniform(lower, upper)
        q = near if i % 2 == 0 else far
        q = np.where(root, start + rng.normal(0.0, 0.2, figure.n), q)
        yield np.where(moves, q, start)


def _valid(problem: Problem, q: Values, start: Values) -> Values:
    """The nearest valid posture that leaves locked coordinates alone, else one nearer the start."""
    fixed = problem.metric == 0
    for _ in range(6):
        try:
            clamped = problem.figure.clamp(q).q
            if np.array_equal(clamped[fixed], start[fixed]):
                return clamped
        except PoiseError:  # couplings may leave nothing valid near by
            pass
        q = 0.5 * (q + start)
    return start


def solve_with(
    problem: Problem,
    solve: Solver,
    start: Values,
    options: Options,
    *,
    threads: int | None = None,
) -> Outcome:
    """Solve from a start, and where tasks are not met from others, as the options say.

    Args:
        problem: what is wanted.
        solve: the method.
        start: (n,) coordinates within limits.
        options: how it is solved.
        threads: how many of the others at once; None for as many as there are cores.
    """
    outcome = solve(
        problem,
        start,
        tolerance=options.tolerance,
        max_iterations=options.max_iterations,
        max_seconds=options.max_seconds,
    )
    if options.restarts:
        outcome = solve_again(problem, solve, start, outcome, options, threads=threads or cores())
    return outcome


def solve_again(
    problem: Problem,
    solve: Solver,
    start: Values,
    first: Outcome,
    options: Options,
    *,
    threads: int,
) -> Outcome:
    """The lexicographically best of a first outcome and those from other starts.

    A first outcome that meets every task is kept. So is the first start of all that meets them:
    later ones are then left out, which makes the result the same on any number of threads. When
    the time is up no other start is made. The time is that of all together.
    """
    tolerance, count = options.tolerance, options.restarts
    if problem.met(problem.sizes(first.residual), tolerance).all():
        return first
    begun = perf_counter() - first.seconds
    others = Starts(problem, start)
    outcomes: dict[int, Outcome] = {}
    solved: list[int] = []

    def left() -> float | None:
        seconds = options.max_seconds
        return None if seconds is None else seconds - (perf_counter() - begun)

    def job(twin: Problem, i: int) -> object:
        if _is_up(left()):
            return ENOUGH
        other = others[i]
        seconds = left()
        if _is_up(seconds):
            return ENOUGH
        outcomes[i] = outcome = solve(
            twin,
            other,
            tolerance=tolerance,
            max_iterations=options.max_iterations,
            max_seconds=seconds,
        )
        if twin.met(twin.sizes(outcome.residual), tolerance).all():
            solved.append(i)
            return ENOUGH
        return None

    spread(problem, count, job, threads)
    tried = [outcomes[min(solved)]] if solved else [first, *(outcomes[i] for i in sorted(outcomes))]
    best = lexicographically_best(problem, tried, tolerance)
    return best._replace(seconds=perf_counter() - begun)


def _is_up(left: float | None) -> bool:
    """Whether no time is left; None for no limit."""
    return left is not None and left <= 0


def lexicographically_best(
    problem: Problem, outcomes: Sequence[Outcome], tolerance: float
) -> Outcome:
    """The outcome whose first differing level is smallest; of equals the first.

    Levels differ when by more than a tenth of the tolerance.
    """
    best, least = outcomes[0], problem.levels(outcomes[0].residual)
    for outcome in outcomes[1:]:
        levels = problem.levels(outcome.residual)
        apart = np.flatnonzero(np.abs(levels - least) > 0.1 * tolerance)
        if apart.size and levels[apart[0]] < least[apart[0]]:
            best, least = outcome, levels
    return best
