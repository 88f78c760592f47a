"""Cyclic coordinate descent (Wang & Chen 1991; 2011, section 2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.kernel.classics import MAX_TURN
from poise.solvers import classics
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem


def solve(
    problem: Problem,
    start: NDArray[np.float64],
    *,
    tolerance: float,
    max_iterations: int,
    max_seconds: float | None,
    max_turn: float = 0.5,
) -> Outcome:
    """Solve from a posture within limits, one coordinate after the other, the tips first.

    Each coordinate makes the weighted sum of squares least by itself, to first order, and stops
    at its limit; the sum never rises. An iteration is one round through all coordinates.
    One-sided tasks and criteria are refused. A coupling that is an equality lets no coordinate
    move alone; it is mended after each move.

    Args:
        problem: what is wanted.
        start: (n,) coordinates within limits.
        tolerance: a task is met when its error is at most this (m).
        max_iterations: when to give up.
        max_seconds: when to give up; None for never.
        max_turn: a step that moves a coordinate farther (rad) is shortened.
    """
    return classics.solve(
        "ccd",
        problem,
        start,
        {MAX_TURN: classics.positive(max_turn, "max_turn (rad)")},
        tolerance=tolerance,
        max_iterations=max_iterations,
        max_seconds=max_seconds,
    )
