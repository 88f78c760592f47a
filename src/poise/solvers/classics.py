"""What the classic methods share. The arithmetic is in `kernel.published.classics`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from poise.checking import number
from poise.errors import PoiseError, unknown_name
from poise.kernel.published import classics as compiled
from poise.kernel.residuals.blocks import ROW
from poise.solvers.chunks import run_in_time
from poise.solvers.lex import compiled_problem
from poise.solvers.outcome import Ending, Outcome, refuse_criteria, weighed_as_one
from poise.solvers.problem import Problem

LIMITS = {"each": True, "last": False}
"""When a posture is brought within its limits: after each step, or after the last."""

_METHODS = {
    "pinv": compiled.PINV,
    "dls": compiled.DLS,
    "transpose": compiled.TRANSPOSE,
    "ccd": compiled.CCD,
    "partition": compiled.PARTITION,
}

_DEFAULTS = {
    compiled.CUTOFF: 1e-3,
    compiled.DAMPING: 0.1,
    compiled.LENGTH: 0.05,
    compiled.DEVIATION: 0.01,
    compiled.MAX_TURN: 0.5,
}


def solve(
    method: str,
    problem: Problem,
    start: NDArray[np.float64],
    settings: Mapping[int, float],
    *,
    limits: str = "each",
    rule: int = compiled.FIXED,
    **ending: Unpack[Ending],
) -> Outcome:
    """Solve from a posture within limits by the method of that name, with some settings."""
    if not isinstance(limits, str) or limits not in LIMITS:
        raise unknown_name("way to keep limits", limits, LIMITS)
    _refuse(method, problem)
    key = "partition" if method == "partition" else "classics"
    is_first = key not in problem.scratch
    if is_first:
        packed = compiled_problem(problem)
        blocks = problem.blocks
        level = blocks.level if method == "partition" else blocks.level[[0, -1]]
        room = compiled.memory(packed, problem.corners, _joints(problem), level.copy())
        problem.scratch[key] = packed, room
    packed, memory = problem.scratch[key]
    q, numbers = start.copy(), {**_DEFAULTS, **settings}
    values = np.array([numbers[i] for i in range(len(numbers))])
    number_of, each, tolerance = _METHODS[method], LIMITS[limits], ending["tolerance"]

    def run(q: NDArray[np.float64], limit: int, begin: int, finishes: bool) -> tuple[int, int]:
        status = compiled.descend(
            packed, memory, q, tolerance, limit, values, number_of, rule, each, begin, finishes
        )
        return int(status), int(memory.counts[compiled.ITERATION])

    word, iterations, seconds = run_in_time(run, q, ending, is_first=is_first)
    note = "" if method == "partition" else weighed_as_one(problem, method)
    residual, optimality = memory.residual[0].copy(), float(memory.optimality[0])
    return Outcome(q, word, iterations, seconds, residual, optimality, note)


def damped(damping: float, max_turn: float) -> dict[int, float]:
    """The settings of damped least squares, checked: λ (m/rad), and the longest turn (rad)."""
    return {
        compiled.DAMPING: positive(damping, "the damping (m/rad)"),
        compiled.MAX_TURN: positive(max_turn, "max_turn (rad)"),
    }


def positive(value: float, what: str) -> float:
    """A number greater than zero, or an error that names it."""
    return number(value, what, above=0)


def _refuse(method: str, problem: Problem) -> None:
    """Raise for what the method has no way to do."""
    blocks = problem.blocks
    for wish, span in zip(problem.wishes, problem.spans, strict=True):
        first, last = blocks.block[span.start, ROW], blocks.block[span.stop, ROW]
        if blocks.inequality[first:last].any():
            raise PoiseError(
                f"{method} takes no one-sided tasks, and {wish.name!r} "
                f"({type(wish.task).__name__}) is one; lex, priority, nlp and projected take them"
            )
    if method != "pinv":
        refuse_criteria(method, problem)


def _joints(problem: Problem) -> NDArray[np.int64]:
    """A number for the joint or group of each coordinate."""
    owners = [name.rpartition(".")[0] for name in problem.figure.coordinates]
    numbers = {name: i for i, name in enumerate(dict.fromkeys(owners))}
    return np.array([numbers[name] for name in owners], np.int64)
