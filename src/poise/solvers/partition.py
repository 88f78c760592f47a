"""Joints divided among the priorities (Watt & Watt 1992; thesis 5.3, Fig. 5.4c)."""

from __future__ import annotations

from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from poise.kernel.published.classics_arrays import PARTITION
from poise.solvers import classics
from poise.solvers.method import Method
from poise.solvers.outcome import Ending, Outcome
from poise.solvers.problem import Problem

METHOD = Method(
    name="partition",
    summary="each joint serves one priority",
    source="Watt & Watt 1992",
    limits="after each step, or after the last",
    priorities="strict, by joints",
)


def solve(
    problem: Problem,
    start: NDArray[np.float64],
    *,
    limits: str = "each",
    damping: float = 0.1,
    max_turn: float = 0.5,
    **ending: Unpack[Ending],
) -> Outcome:
    """Solve from a posture within limits, each priority with joints of its own.

    A joint belongs to the most important priority that it can move, and serves no other. That
    keeps priorities apart, and misses goals that could all be reached. Each priority is solved by
    damped least squares.

    Args:
        problem: what is wanted.
        start: (n,) coordinates within limits.
        limits: "each" brings the posture within limits after each step, "last" after the last.
        damping: λ (m/rad), always the same.
        max_turn: a step that moves a coordinate farther (rad) is shortened.
        **ending: see `Ending`.
    """
    settings = classics.damped(PARTITION, damping, max_turn)
    return classics.solve(problem, start, settings, limits=limits, **ending)
