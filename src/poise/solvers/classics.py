"""What the classic methods share. The arithmetic is in `kernel.published.classics`."""

from __future__ import annotations

from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from poise.checking import number
from poise.errors import unknown_name
from poise.kernel.published import classics_arrays as arrays
from poise.kernel.published.classics import descend
from poise.solvers.chunks import run_in_time
from poise.solvers.lex import compiled_problem
from poise.solvers.outcome import Ending, Outcome
from poise.solvers.problem import Problem

LIMITS = {"each": True, "last": False}
"""When a posture is brought within its limits: after each step, or after the last."""


def solve(
    problem: Problem,
    start: NDArray[np.float64],
    settings: arrays.Settings,
    *,
    limits: str = "each",
    **ending: Unpack[Ending],
) -> Outcome:
    """Solve from a posture within limits by the method that the settings say."""
    if not isinstance(limits, str) or limits not in LIMITS:
        raise unknown_name("way to keep limits", limits, LIMITS)
    by_priority = settings.method == arrays.PARTITION
    key = "partition" if by_priority else "classics"
    is_first = key not in problem.scratch
    if is_first:
        packed = compiled_problem(problem)
        blocks = problem.blocks
        level = blocks.level if by_priority else blocks.level[[0, -1]]
        problem.scratch[key] = (
            packed,
            arrays.memory(packed, problem.corners, _joints(problem), level.copy(), problem.trace),
        )
    packed, memory = problem.scratch[key]
    settings.keeps_limits = LIMITS[limits]
    q, tolerance = start.copy(), ending["tolerance"]

    def run(q: NDArray[np.float64], limit: int, begin: int, finishes: bool) -> tuple[int, int]:
        status = descend(packed, memory, settings, q, tolerance, limit, begin, finishes)
        return int(status), memory.progress.iterations

    word, iterations, seconds = run_in_time(run, q, ending, is_first=is_first)
    residual, optimality = memory.residual[0].copy(), float(memory.progress.optimality)
    return Outcome(q, word, iterations, seconds, residual, optimality)


def damped(method: int, damping: float, max_turn: float) -> arrays.Settings:
    """Settings of damped least squares, checked: λ (m/rad), and the longest turn (rad)."""
    settings = arrays.Settings()
    settings.method = method
    settings.damping = positive(damping, "the damping (m/rad)")
    settings.max_turn = positive(max_turn, "max_turn (rad)")
    return settings


def positive(value: float, what: str) -> float:
    """A number greater than zero, or an error that names it."""
    return number(value, what, above=0)


def _joints(problem: Problem) -> NDArray[np.int64]:
    """A number for the joint or group of each coordinate."""
    owners = [name.rpartition(".")[0] for name in problem.figure.coordinates]
    numbers = {name: i for i, name in enumerate(dict.fromkeys(owners))}
    return np.array([numbers[name] for name in owners], np.int64)
