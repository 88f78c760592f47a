"""Quasi-Newton with a projected working set: Zhao & Badler 1989 and 1994.

The arithmetic is in `kernel.published.nlp`.
"""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from poise import kernel
from poise.errors import unknown_name
from poise.solvers import lex
from poise.solvers.chunks import run_in_time
from poise.solvers.criteria import TIGHTEST
from poise.solvers.method import Method
from poise.solvers.outcome import Ending, Outcome
from poise.solvers.problem import Problem
from poise.solvers.stances import left_out

METHOD = Method(
    name="nlp",
    summary="quasi-Newton",
    source="Zhao & Badler 1989, 1994",
    limits="in every step: a working set",
    takes_one_sided=True,
    takes_criteria=True,
    phases=("with criteria", "tasks alone"),
)

_UPDATES = {"bfgs": "BFGS", "dfp": "DFP", "switch": "SWITCH"}


def compiled_problem(problem: Problem) -> kernel.published.nlp_arrays.Problem:
    """The problem as the kernel takes it; what has no room to move is locked."""
    figure = problem.figure
    coordinates = lex.compiled_problem(problem).coordinates
    coordinates[kernel.problem.METRIC, figure.lower == figure.upper] = 0.0
    return kernel.published.nlp_arrays.Problem(
        figure.packed.tree,
        figure.bounds,
        kernel.residuals.gradients.potential(problem.blocks),
        coordinates,
    )


def solve(
    problem: Problem,
    start: NDArray[np.float64],
    *,
    update: str = "switch",
    **ending: Unpack[Ending],
) -> Outcome:
    """Solve from a posture within limits.

    All tasks are one weighted sum (25), whatever their priorities; criteria join it with a small
    weight and are left behind at the end. The sum never rises from one iteration to the next.

    Args:
        problem: as for every method.
        start: as for every method.
        update: how the inverse Hessian learns: "bfgs" (33), "dfp" (34), or "switch", Fletcher's
            choice between them at every step.
        **ending: see `Ending`.
    """
    formula = _formula(update)
    if problem.tightest is not None:
        outcome = solve(problem.plain(), start, update=update, **ending)
        return left_out(problem, outcome, TIGHTEST)
    is_first = "nlp" not in problem.scratch
    if is_first:
        packed = compiled_problem(problem)
        problem.scratch["nlp"] = (
            packed,
            kernel.published.nlp_arrays.memory(packed, problem.corners, problem.trace),
        )
    packed, memory = problem.scratch["nlp"]
    q, tolerance = start.copy(), ending["tolerance"]

    def run(q: NDArray[np.float64], limit: int, begin: int, finishes: bool) -> tuple[int, int]:
        status = kernel.published.nlp.nlp(
            packed, memory, q, tolerance, limit, formula, begin, finishes
        )
        return int(status), memory.progress.iterations

    word, iterations, seconds = run_in_time(run, q, ending, is_first=is_first)
    residual = memory.residual[kernel.published.nlp_arrays.RESIDUAL].copy()
    optimality = float(memory.progress.optimality)
    return Outcome(q, word, iterations, seconds, residual, optimality)


def _formula(update: Any) -> int:
    """The kernel's number for an update."""
    if not isinstance(update, str) or update not in _UPDATES:
        raise unknown_name("update", update, _UPDATES)
    return int(getattr(kernel.published.working_set, _UPDATES[update]))
