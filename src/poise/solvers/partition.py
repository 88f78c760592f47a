"""Joints divided among the priorities (Watt & Watt 1992; thesis 5.3, Fig. 5.4c)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.kernel.classics import DAMPING, MAX_TURN
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
    limits: str = "each",
    damping: float = 0.1,
    max_turn: float = 0.5,
) -> Outcome:
    """Solve from a posture within limits, each priority with joints of its own.

    A joint belongs to the most important priority that it can move, and serves no other. That
    keeps priorities apart, and misses goals that could all be reached. Each priority is solved by
    damped least squares. One-sided tasks and criteria are refused.

    Args:
        problem: what is wanted.
        start: (n,) coordinates within limits.
        tolerance: a task is met when its error is at most this (m).
        max_iterations: when to give up.
        max_seconds: when to give up; None for never.
        limits: "each" brings the posture within limits after each step, "last" after the last.
        damping: λ (m/rad), always the same.
        max_turn: a step that moves a coordinate farther (rad) is shortened.
    """
    settings = {
        DAMPING: classics.positive(damping, "the damping (m/rad)"),
        MAX_TURN: classics.positive(max_turn, "max_turn (rad)"),
    }
    return classics.solve(
        "partition",
        problem,
        start,
        settings,
        tolerance=tolerance,
        max_iterations=max_iterations,
        max_seconds=max_seconds,
        limits=limits,
    )
