"""Task priorities as in Baerlocher's thesis (2001), by `kernel.published.priority`."""

from __future__ import annotations

from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from poise.checking import number
from poise.errors import PoiseError, unknown_name
from poise.kernel.published import priority_arrays as arrays
from poise.kernel.published.priority import priority
from poise.solvers.chunks import run_in_time
from poise.solvers.lex import compiled_problem
from poise.solvers.method import Method
from poise.solvers.outcome import Ending, Outcome
from poise.solvers.problem import Problem

METHOD = Method(
    name="priority",
    summary="task priorities",
    source="Baerlocher 2001",
    priorities="strict, to first order",
    limits="in every step: a working set",
    takes_one_sided=True,
    takes_criteria=True,
    takes_rows=True,
    phases=("seeking", "restoration"),
)

_FORMULATIONS = ("recursive", "cascaded")
_DECOMPOSITIONS = ("lq", "svd")


def solve(
    problem: Problem,
    start: NDArray[np.float64],
    *,
    formulation: str = "recursive",
    decomposition: str | None = None,
    max_step: float = 0.3,
    max_turn: float = 0.25,
    gain: float = 1.0,
    **ending: Unpack[Ending],
) -> Outcome:
    """Solve from a posture within limits.

    Args:
        problem: what is wanted.
        start: (n,) coordinates within limits.
        formulation: "recursive", Fig. 5.12; or "cascaded", (5.13), for comparison: each level
            is solved by itself and then projected, which tracks lower levels poorly.
        decomposition: "lq", or "svd": the singular values and projectors as printed, slower, for
            the same steps. "cascaded" is computed by "svd" only.
        max_step: the longest increment that a level asks for at once (m).
        max_turn: the longest partial step that damping lets a level make at first (rad); up to
            four times that where steps come out as foreseen; no coordinate goes farther than
            twice `max_turn` in one step.
        gain: the κ by which criteria pull; 1 for all the way to their minimum.
        **ending: see `Ending`.
    """
    settings = arrays.Settings()
    settings.how = _how(formulation, decomposition)
    settings.max_step = number(max_step, "max_step (m)", above=0)
    settings.max_turn = number(max_turn, "max_turn (rad)", above=0)
    settings.gain = number(gain, "the gain of the criteria", above=0, most=1)
    is_first = "priority" not in problem.scratch
    if is_first:
        packed = compiled_problem(problem)
        memory = arrays.memory(packed, problem.corners, problem.trace)
        problem.scratch["priority"] = packed, memory
    packed, memory = problem.scratch["priority"]
    q, tolerance = start.copy(), ending["tolerance"]

    def run(q: NDArray[np.float64], limit: int, begin: int, finishes: bool) -> tuple[int, int]:
        status = priority(packed, memory, settings, q, tolerance, limit, begin, finishes)
        return int(status), memory.progress.iterations

    word, iterations, seconds = run_in_time(run, q, ending, is_first=is_first)
    residual, optimality = memory.residual.copy(), float(memory.progress.optimality)
    return Outcome(q, word, iterations, seconds, residual, optimality)


def _how(formulation: str, decomposition: str | None) -> int:
    """The kernel's number for a way to compute steps."""
    if formulation not in _FORMULATIONS:
        raise unknown_name("formulation", formulation, _FORMULATIONS)
    if decomposition is not None and decomposition not in _DECOMPOSITIONS:
        raise unknown_name("decomposition", decomposition, _DECOMPOSITIONS)
    if formulation == "cascaded":
        if decomposition == "lq":
            raise PoiseError(
                "the cascaded formulation is computed by decomposition='svd', not 'lq'"
            )
        return arrays.CASCADED
    return arrays.RECURSIVE if decomposition == "svd" else arrays.FACTORED
