"""Other starts for a solve that ended too early, and which of the results is best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.scene.options import Options
from poise.scene.threads import spread
from poise.solvers import Solver
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem

Values = NDArray[np.float64]


def starts(problem: Problem, start: Values, count: int) -> list[Values]:
    """Valid postures to start from, always the same: by turns near rest and in the whole range.

    The root stays near where it is. What is locked stays where it is.
    """
    figure, rng = problem.figure, np.random.default_rng(1994)
    moves = problem.metric > 0
    rest = figure.rest().q
    root = figure.root_coordinates
    boxed = np.isfinite(figure.lower) & np.isfinite(figure.upper)
    lower, upper = np.where(boxed, figure.lower, -1.5), np.where(boxed, figure.upper, 1.5)
    result: list[Values] = []
    for i in range(count):
        near = rest + rng.normal(0.0, 0.4, figure.n)
        far = rng.uniform(lower, upper)
        q = near if i % 2 == 0 else far
        q = np.where(root, start + rng.normal(0.0, 0.2, figure.n), q)
        result.append(_valid(problem, np.where(moves, q, start), start))
    return result


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
    problem: Problem, solve: Solver, start: Values, options: Options, *, threads: int
) -> Outcome:
    """Solve from a start, and where tasks are not met from others, as the options say."""
    outcome = solve(
        problem,
        start,
        tolerance=options.tolerance,
        max_iterations=options.max_iterations,
        max_seconds=options.max_seconds,
    )
    if options.restarts:
        outcome = solve_again(problem, solve, start, outcome, options, threads=threads)
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
    later ones are then left out, which makes the result the same on any number of threads. The
    time is that of all together.
    """
    tolerance, count = options.tolerance, options.restarts
    if problem.met(problem.sizes(first.residual), tolerance).all():
        return first
    begun = perf_counter() - first.seconds
    others = starts(problem, start, count)
    outcomes: list[Outcome | None] = [None] * count
    solved: list[int] = []

    def job(twin: Problem, i: int) -> None:
        seconds = options.max_seconds
        left = None if seconds is None else seconds - (perf_counter() - begun)
        if min(solved, default=i) < i or (left is not None and left <= 0):
            return
        outcome = solve(
            twin,
            others[i],
            tolerance=tolerance,
            max_iterations=options.max_iterations,
            max_seconds=left,
        )
        outcomes[i] = outcome
        if twin.met(twin.sizes(outcome.residual), tolerance).all():
            solved.append(i)

    spread(problem, count, job, threads)
    tried = [outcomes[min(solved)]] if solved else [first, *outcomes]
    best = lexicographically_best(problem, [each for each in tried if each], tolerance)
    return replace(best, seconds=perf_counter() - begun)


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
