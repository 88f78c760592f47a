"""Cyclic coordinate descent (Wang & Chen 1991; 2011, section 2)."""

from __future__ import annotations

from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from poise.kernel.published.classics_arrays import CCD, Settings
from poise.solvers import classics
from poise.solvers.method import Method
from poise.solvers.outcome import Ending, Outcome
from poise.solvers.problem import Problem

METHOD = Method(
    name="ccd",
    summary="one coordinate after the other",
    source="Wang & Chen 1991",
    limits="after each step",
    phases=("round",),
)


def solve(
    problem: Problem,
    start: NDArray[np.float64],
    *,
    max_turn: float = 0.5,
    **ending: Unpack[Ending],
) -> Outcome:
    """Solve from a posture within limits, one coordinate after the other, the tips first.

    Each coordinate makes the weighted sum of squares least by itself, to first order, and stops
    at its limit; the sum never rises. An iteration is one round through all coordinates. A
    coupling that is an equality lets no coordinate move alone; it is mended after each move.

    Args:
        problem: what is wanted.
        start: (n,) coordinates within limits.
        max_turn: a step that moves a coordinate farther (rad) is shortened.
        **ending: see `Ending`.
    """
    settings = Settings()
    settings.method = CCD
    settings.max_turn = classics.positive(max_turn, "max_turn (rad)")
    return classics.solve(problem, start, settings, **ending)
