"""The default method: lexicographic, ours.

The arithmetic is in `kernel.lex`, one compiled call whose cost grows with the square of the
coordinates and more. Crowds, whose figures have to do with each other only where they touch, are
solved by `cascade`, whose cost grows with their number.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise import kernel
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem

if TYPE_CHECKING:
    from poise.solvers.cascade import Cascade

_STATUS = ("solved", "stationary", "stalled", "iterations")

_REPEATS = 6
"""So often at most a solve is repeated from its result."""

_FIRST = 8
"""So many iterations pass before the first look at the clock."""

CROWD = (400, 3)
"""With so many coordinates, of so many figures, a problem is a crowd: there both ways take about
the same time for a step of a motion."""


def crowd(problem: Problem) -> Cascade | None:
    """The solves along contacts of a problem that is a crowd, made when they are first asked for.

    What joints hold (`Effort`) and functions of a user's own may depend on everything, and leave no
    contacts to go along.
    """
    coordinates, figures = CROWD
    if problem.figure.n < coordinates or problem.spares_joints:
        return None
    if "crowd" not in problem.scratch:
        # Sparse matrices take long to load, and one figure needs none.
        from poise.solvers.cascade import Cascade
        from poise.solvers.linear import linear

        contacts = linear(problem).contacts
        pays = contacts.count >= figures and not contacts.is_plain
        problem.scratch["crowd"] = Cascade(problem) if pays else None
    result: Cascade | None = problem.scratch["crowd"]
    return result


def compiled_problem(problem: Problem) -> kernel.lex_arrays.Problem:
    """The problem as the kernel takes it."""
    figure = problem.figure
    return kernel.lex_arrays.Problem(
        figure.packed.tree,
        figure.bounds,
        problem.blocks,
        np.array(
            [
                problem.metric,
                problem.rest,
                problem.pull,
                problem.zone_lower,
                problem.zone_upper,
                problem.zone_strength,
            ]
        ),
    )


def solve(
    problem: Problem,
    start: NDArray[np.float64],
    *,
    tolerance: float,
    max_iterations: int,
    max_seconds: float | None,
    warm: bool = False,
) -> Outcome:
    """Solve from a posture within limits.

    With `warm` the start is the result of the last solve of this problem, whose targets have only
    moved a little since: what was known of limits and damping is used again.

    A limit of time does not change the way: the solve is begun again and again with twice as many
    iterations, and the clock is looked at in between. What compiling or loading takes is not
    counted.
    """
    cascade = crowd(problem)
    if cascade is not None:
        return cascade.solve(
            start,
            tolerance=tolerance,
            max_iterations=max_iterations,
            max_seconds=max_seconds,
            warm=warm,
        )
    if "lex" not in problem.scratch:
        packed = compiled_problem(problem)
        memory = kernel.lex_arrays.memory(packed, problem.corners)
        at = kernel.addresses.addresses(packed), kernel.addresses.addresses(memory)
        problem.scratch["lex"] = packed, memory, at
        kernel.lex.lex(*at, start.copy(), tolerance, 0, kernel.lex.COLD)
        warm = False
    _, memory, at = problem.scratch["lex"]
    begin = kernel.lex.WARM if warm else kernel.lex.COLD
    limit = max_iterations if max_seconds is None else min(_FIRST, max_iterations)
    begun = perf_counter()
    while True:
        q = start.copy()
        status = _repeated(at, memory, q, tolerance, limit, begin)
        word = _STATUS[status]
        # One that came to rest at the limit might have gone on.
        cut = memory.counts[kernel.lex_arrays.ITERATION] >= limit
        if limit == max_iterations or status == kernel.lex.SOLVED or not cut:
            break
        if max_seconds is not None and perf_counter() - begun > max_seconds:
            word = "time" if status == kernel.lex.ITERATIONS else word
            break
        limit = min(2 * limit, max_iterations)
    iterations = int(memory.counts[kernel.lex_arrays.ITERATION])
    return Outcome(
        q,
        word,
        iterations,
        perf_counter() - begun,
        memory.residual[kernel.lex_arrays.RESIDUAL].copy(),
        float(memory.optimality[0]),
    )


def _repeated(
    at: tuple[NDArray[np.int64], NDArray[np.int64]],
    memory: kernel.lex_arrays.Memory,
    q: NDArray[np.float64],
    tolerance: float,
    limit: int,
    begin: int,
) -> int:
    """Solve in place; where tasks stay unmet, a cold solve again, until that gains nothing."""
    ends = (kernel.lex.STATIONARY, kernel.lex.STALLED)
    memory.counts[:] = 0
    sizes = memory.level[kernel.levels.SIZE, :-1]
    status: int = kernel.lex.lex(*at, q, tolerance, limit, begin)
    for _ in range(_REPEATS if begin == kernel.lex.COLD else 0):
        if status not in ends or memory.counts[kernel.lex_arrays.ITERATION] >= limit:
            break
        before = [array.copy() for array in (q, sizes, memory.residual, memory.optimality)]
        again = kernel.lex.lex(*at, q, tolerance, limit, begin)
        if not _are_lower(sizes, before[1]):
            q[:], memory.residual[:], memory.optimality[:] = before[0], before[2], before[3]
            break
        status = again
    return status


def _are_lower(sizes: NDArray[np.float64], before: NDArray[np.float64]) -> bool:
    """Whether levels have come out lexicographically lower than before, by more than a little."""
    little = kernel.levels.LITTLE * before + 1e-6
    for change in (sizes - before)[np.abs(sizes - before) > little]:
        return bool(change < 0)
    return False
