"""The default method: lexicographic, ours.

The arithmetic is in `kernel.lex.solve`, one compiled call whose cost grows with the square of the
coordinates and more. Crowds, whose figures have to do with each other only where they touch, are
solved by `cascade`, whose cost grows with their number.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise import kernel
from poise.figure.ranges import middles
from poise.solvers.method import Method, RefusedError
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem
from poise.solvers.stances import left_out, readiness, take_likeliest

if TYPE_CHECKING:
    from poise.solvers.cascade import Cascade

METHOD = Method(
    name="lex",
    summary="lexicographic least squares",
    source="ours",
    priorities="strict",
    limits="in every step",
    recruits_by_task=True,
    takes_one_sided=True,
    takes_criteria=True,
    takes_rows=True,
    is_warm=True,
    takes_window=True,
    is_for_crowds=True,
    phases=("search", "lower"),
)

_STATUS = ("solved", "stationary", "stalled", "iterations")

_FIRST = 8
"""So many iterations pass before the first look at the clock."""

CROWD = (400, 3)
"""With so many coordinates, of so many figures, a problem is a crowd: there both ways take about
the same time for a step of a motion."""

LARGEST = 4 * 2**30
"""Bytes that the arrays of one solve may take."""

_SQUARES = 6
"""Square arrays over all rows of all levels that the inner step works with."""


def is_crowd_of_people(problem: Problem) -> bool:
    """Whether only the scene's own criterion keeps a crowd from being solved along contacts."""
    coordinates, figures = CROWD
    is_large = problem.figure.n >= coordinates and len(problem.stances) >= figures
    return is_large and problem.without is not None and not problem.with_rows


def crowd(problem: Problem) -> Cascade | None:
    """The solves along contacts of a problem that is a crowd, made when they are first asked for.

    What joints hold (`Effort`) and functions of a user's own may depend on everything, and leave no
    contacts to go along.
    """
    coordinates, figures = CROWD
    if problem.figure.n < coordinates or problem.has_criteria_rows:
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


def compiled_problem(problem: Problem) -> kernel.problem.Problem:
    """The problem as the kernel takes it."""
    figure = problem.figure
    return kernel.problem.Problem(
        figure.packed.tree,
        figure.bounds,
        problem.blocks,
        np.array(
            [
                problem.metric * readiness(problem),
                problem.rest,
                problem.pull,
                problem.zone_lower,
                problem.zone_upper,
                problem.zone_strength,
                *middles(figure),
                np.full(figure.n, -np.inf),
                np.full(figure.n, np.inf),
            ]
        ),
        problem.recruited,
    )


class Prepared(NamedTuple):
    """A problem that is ready to be solved, again and again."""

    packed: kernel.problem.Problem
    memory: kernel.lex.memory.Memory
    q: NDArray[np.float64]
    """The start, and then the result."""
    run: Callable[[float, int, int], int]
    """Solves in compiled code: tolerance, most iterations, how it begins; how it ended."""


def prepared(problem: kernel.problem.Problem, memory: kernel.lex.memory.Memory, n: int) -> Prepared:
    """Let compiled code know where the arrays of a problem on n coordinates are."""
    q = np.zeros(n)
    run = kernel.calls.prepared(kernel.lex.solve.lex, problem, memory, q)
    return Prepared(problem, memory, q, run)


def solve(
    problem: Problem,
    start: NDArray[np.float64],
    *,
    tolerance: float,
    max_iterations: int,
    max_seconds: float | None,
    warm: bool = False,
    window: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None,
) -> Outcome:
    """Solve from a posture within limits.

    With `warm` the start is the result of the last solve of this problem, whose targets have only
    moved a little since: what was known of limits and damping is used again. With a `window`
    a solve that is warm or calm leaves no coordinate outside its two ends, each (n,), the start
    within.

    A limit of time does not change the way: the solve is begun again and again with twice as many
    iterations, and the clock is looked at in between. What loading takes is not counted.
    """
    if "lex" not in problem.scratch:
        cascade = crowd(problem)
        if cascade is not None:
            found = cascade.solve(
                start,
                tolerance=tolerance,
                max_iterations=max_iterations,
                max_seconds=max_seconds,
                warm=warm,
            )
            if not problem.is_restricted:
                return found
            told = "in a crowd every task moves all joints that any task names"
            return found._replace(note="; ".join(each for each in (found.note, told) if each))
        _check_size(problem)
        packed = compiled_problem(problem)
        memory = kernel.lex.memory.make_memory(packed, problem.corners, problem.trace)
        problem.scratch["lex"] = prepared(packed, memory, start.size)
        warm = False
    packed, memory, q, run = problem.scratch["lex"]
    least, most = (-np.inf, np.inf) if window is None else window
    packed.coordinates[kernel.problem.LEAST] = least
    packed.coordinates[kernel.problem.MOST] = most
    begin = kernel.ending.WARM if warm else kernel.ending.COLD
    memory.run.is_dragged = bool(problem.scratch.get("is_calm"))
    if memory.run.is_dragged and not warm:
        begin = kernel.ending.CALM
    limit = max_iterations if max_seconds is None else min(_FIRST, max_iterations)
    begun = perf_counter()
    # What a warm solve begins with is needed again where it is begun again.
    known = _copied(memory) if warm and limit < max_iterations else None
    while True:
        q[:] = start
        memory.counts.integers[:] = 0
        memory.trace.length.count = 0
        status = run(tolerance, limit, begin)
        word = _STATUS[status]
        # One that came to rest at the limit might have gone on.
        counts = memory.counts
        cut = counts.is_cut or counts.iterations >= limit
        if limit == max_iterations or status == kernel.ending.SOLVED or not cut:
            break
        if max_seconds is not None and perf_counter() - begun > max_seconds:
            word = "time" if status == kernel.ending.ITERATIONS else word
            break
        limit = min(2 * limit, max_iterations)
        if known is not None:
            for array, before in zip(kernel.layouts.arrays_of(memory), known, strict=True):
                array[...] = before
    iterations = memory.counts.iterations
    return Outcome(
        q.copy(),
        word,
        iterations,
        perf_counter() - begun,
        memory.residuals.now.copy(),
        float(memory.optimality[0]),
        method="lex",
    )


def _copied(memory: kernel.lex.memory.Memory) -> list[NDArray[Any]]:
    return [array.copy() for array in kernel.layouts.arrays_of(memory)]


def _check_size(problem: Problem) -> None:
    """Raise where the arrays, whose size is the square of the rows of all levels, are too large."""
    rows, levels = problem.blocks.inequality.size, problem.blocks.level.size - 1
    hard = kernel.limits.bounds.most_rows(problem.figure.bounds)
    each = min(problem.figure.n, kernel.lex.memory.MOST_REST_ROWS) + 1  # that keep a level at rest
    needed = _SQUARES * 8 * (2 * rows + levels * each + hard) ** 2
    if needed <= LARGEST:
        return
    most = int(((LARGEST / (8 * _SQUARES)) ** 0.5 - hard) / (2 * rows / levels + each))
    raise RefusedError(
        f"lex would need {needed / 2**30:.3g} GiB for {levels} priorities with {rows} rows on "
        f"{problem.figure.n} coordinates; at most {LARGEST / 2**30:.3g} GiB are allowed, which is "
        f"about {max(most, 0)} priorities of that kind: give tasks that may be weighed against "
        "each other the same priority"
    )


def measured(problem: Problem, q: NDArray[np.float64], *, tolerance: float) -> Outcome:
    """The residuals at a posture, which stays as it is; its status says whether all is met."""
    problem.left = None  # what the last solve knew is overwritten
    take_likeliest(problem, q)
    taken = problem.plain() if is_crowd_of_people(problem) else problem
    found = solve(taken, q, tolerance=tolerance, max_iterations=0, max_seconds=None)
    if taken is not problem:
        found = left_out(problem, found, "")
    met = bool(problem.met(problem.sizes(found.residual), tolerance).all())
    status = "solved" if met else "stationary"
    return found._replace(q=q.copy(), status=status, seconds=0.0, method="")
