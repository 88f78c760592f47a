"""Other starts for a solve that leaves tasks unmet, and which of the results is best."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from poise.figure import Figure
from poise.scene.options import Options
from poise.scene.starts import Start, Starts
from poise.scene.threads import ENOUGH, cores, spread
from poise.solvers import Solver
from poise.solvers.outcome import Outcome, Tried
from poise.solvers.problem import Problem
from poise.solvers.ranking import gains, lexicographically_best
from poise.solvers.stances import solve_in_one_stance

Values = NDArray[np.float64]

FEW = 16
"""Other starts of "auto". More would find more (`benchmarks/reachable.py goals` has 32 beside it),
but a goal that is out of reach costs as many solves."""
SHORT = 60
"""Iterations of each start of "auto", at most: those that meet all seldom take as many."""


def solve_with(
    problem: Problem,
    solve: Solver,
    start: Values,
    options: Options,
    *,
    parts: Mapping[str, tuple[Figure, slice]] | None = None,
    threads: int | None = None,
) -> Outcome:
    """Solve from a start, and where tasks are not met from others, as the options say.

    Where the solve goes on from the last one no others are tried: what is shown would leap. Nor
    does "auto" try any where so few iterations are allowed that the solve was cut off.

    Args:
        problem: what is wanted.
        solve: the method.
        start: (n,) coordinates within limits.
        options: how it is solved.
        parts: as in `Starts`.
        threads: how many of the others at once; None for as many as there are cores.
    """
    outcome = solve(
        problem,
        start,
        tolerance=options.tolerance,
        max_iterations=options.max_iterations,
        max_seconds=options.max_seconds,
    )
    if outcome.status == "solved" or not options.restarts or _is_cut(outcome, options):
        return outcome
    if problem.met(problem.sizes(outcome.residual), options.tolerance).all():
        return outcome
    if outcome.goes_on:
        return outcome._replace(tried=Tried(0))
    return solve_again(
        problem, solve, start, outcome, options, parts=parts, threads=threads or cores()
    )


def solve_again(
    problem: Problem,
    solve: Solver,
    start: Values,
    first: Outcome,
    options: Options,
    *,
    parts: Mapping[str, tuple[Figure, slice]] | None = None,
    threads: int,
) -> Outcome:
    """The lexicographically best of a first outcome and those from other starts.

    A first outcome that meets every task is kept. So is the first start of all that meets them:
    later ones are then left out, which makes the result the same on any number of threads. When
    the time is up no other start is made. The time is that of all together.
    """
    tolerance = options.tolerance
    count, most = _extent(options)
    if problem.met(problem.sizes(first.residual), tolerance).all():
        return first
    begun = perf_counter() - first.seconds
    others = Starts(problem, start, parts)
    if not others.moves.any():  # nothing that tasks depend on may move
        return first
    found: dict[int, tuple[Start, Outcome]] = {}
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
        if np.array_equal(other.q, start):  # limits and locks leave nothing else
            return None
        solve_in_one_stance(twin)
        outcome = solve(
            twin, other.q, tolerance=tolerance, max_iterations=most, max_seconds=seconds
        )
        found[i] = other, outcome
        if twin.met(twin.sizes(outcome.residual), tolerance).all():
            solved.append(i)
            return ENOUGH
        return None

    spread(problem, count, job, threads)
    if not found and not _is_up(left()):  # limits and locks leave no other start
        return first
    kept = [min(solved)] if solved else sorted(found)
    outcomes = [*([] if solved else [first]), *(found[i][1] for i in kept)]
    best = lexicographically_best(problem, outcomes, tolerance)
    if options.restarts == "auto" and not (solved or gains(problem, first, best, tolerance)):
        best = first
    number = next((i for i in kept if found[i][1] is best), -1) + 1
    name = found[number - 1][0].name if number else ""
    if number and problem.stances and not _is_up(left()):
        best = _in_stances(problem, solve, best, options, left())
    if number and problem.left is not None:  # the next solve goes on from what was kept, from cold
        problem.left.q, problem.left.is_from_elsewhere = best.q.tobytes(), True
    tried = Tried(min(solved) + 1 if solved else len(found), count, number, name)
    return best._replace(seconds=perf_counter() - begun, goes_on=False, tried=tried)


def _extent(options: Options) -> tuple[int, int]:
    """How many other starts there are, and how many iterations each may take."""
    if options.restarts == "auto":
        return FEW, min(SHORT, options.max_iterations)
    return options.restarts, options.max_iterations


def _is_cut(outcome: Outcome, options: Options) -> bool:
    """Whether a solve was given fewer iterations than a start of "auto", and has used them all.

    Whoever solves in so few steps goes on from there; nothing is known yet of what can be met.
    """
    most = options.max_iterations
    return options.restarts == "auto" and most < SHORT and outcome.iterations >= most


def _in_stances(
    problem: Problem, solve: Solver, kept: Outcome, options: Options, seconds: float | None
) -> Outcome:
    """What a start has found, gone on from in the stances that people take, if that is no worse."""
    outcome = solve(
        problem,
        kept.q,
        tolerance=options.tolerance,
        max_iterations=options.max_iterations,
        max_seconds=seconds,
    )
    return lexicographically_best(problem, [outcome, kept], options.tolerance)


def _is_up(left: float | None) -> bool:
    """Whether no time is left; None for no limit."""
    return left is not None and left <= 0
