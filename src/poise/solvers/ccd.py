"""Cyclic coordinate descent (Wang & Chen 1991; 2011, section 2)."""

from __future__ import annotations

from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from poise.kernel.published.classics import MAX_TURN
from poise.solvers import classics
from poise.solvers.outcome import Ending, Outcome
from poise.solvers.problem import Problem


def solve(
    problem: Problem,
    start: NDArray[np.float64],
    *,
    max_turn: float = 0.5,
    **ending: Unpack[Ending],
) -> Outcome:
    """Solve from a posture within limits, one coordinate after the other, the tips first.

    Each coordinate makes the weighted sum of squares least by itself, to first order, and stops
    at its limit; the sum never rises. An iteration is one round through all coordinates.
    One-sided tasks and criteria are refused. A coupling that is an equality lets no coordinate
    move alone; it is mended after each move.

    Args:
        problem: what is wanted.
        start: (n,) coordinates within limits.
        max_turn: a step that moves a coordinate farther (rad) is shortened.
        **ending: see `Ending`.
    """
    return classics.solve(
        "ccd",
        problem,
        start,
        {MAX_TURN: classics.positive(max_turn, "max_turn (rad)")},
        **ending,
    )
