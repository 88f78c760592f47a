"""The default method: lexicographic, ours. The arithmetic is in `kernel.lex`."""

from __future__ import annotations

from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from poise import kernel
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem

_STATUS = ("solved", "stationary", "stalled", "iterations")

_CHUNK = 5
"""So many iterations pass between two looks at the clock."""


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
    moved a little since: what was known of limits, damping and strain is used again.
    """
    if "lex" not in problem.scratch:
        packed = compiled_problem(problem)
        problem.scratch["lex"] = packed, kernel.lex_arrays.memory(packed, problem.corners)
        warm = False
    packed, memory = problem.scratch["lex"]
    q = start.copy()
    begun = perf_counter()
    begin = kernel.lex.WARM if warm else kernel.lex.COLD
    if max_seconds is None:
        status = kernel.lex.lex(packed, memory, q, tolerance, max_iterations, begin)
        word, iterations = _STATUS[status], int(memory.counts[kernel.lex_arrays.ITERATION])
    else:
        word, iterations = "iterations", 0
        while True:
            chunk = min(_CHUNK, max_iterations - iterations)
            status = kernel.lex.lex(packed, memory, q, tolerance, chunk, begin)
            iterations += int(memory.counts[kernel.lex_arrays.ITERATION])
            if status != kernel.lex.ITERATIONS or iterations >= max_iterations:
                word = _STATUS[status]
                break
            if perf_counter() - begun > max_seconds:
                word = "time"
                break
            begin = kernel.lex.CONTINUED
    return Outcome(
        q,
        word,
        iterations,
        perf_counter() - begun,
        memory.residual[kernel.lex_arrays.RESIDUAL].copy(),
        float(memory.optimality[0]),
    )
