"""Damped least squares (Wampler 1986, Nakamura & Hanafusa 1986; 2011, eq. 15)."""

from __future__ import annotations

from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from poise.kernel.published.classics_arrays import DLS
from poise.solvers import classics
from poise.solvers.method import Method
from poise.solvers.outcome import Ending, Outcome
from poise.solvers.problem import Problem

METHOD = Method(
    name="dls",
    summary="damped least squares",
    source="Wampler 1986",
    limits="after each step, or after the last",
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
    """Solve from a posture within limits by steps −Jᵀ(JJᵀ + λ²)⁻¹e.

    Args:
        problem: what is wanted.
        start: (n,) coordinates within limits.
        limits: "each" brings the posture within limits after each step, "last" after the last.
        damping: λ (m/rad), always the same.
        max_turn: a step that moves a coordinate farther (rad) is shortened.
        **ending: see `Ending`.
    """
    settings = classics.damped(DLS, damping, max_turn)
    return classics.solve(problem, start, settings, limits=limits, **ending)
