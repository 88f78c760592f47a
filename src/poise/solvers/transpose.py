"""The transpose of the Jacobian (Wolovich & Elliott 1984; 2011, eq. 26–29)."""

from __future__ import annotations

from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from poise.errors import unknown_name
from poise.kernel.published.classics_arrays import EXACT, FIXED, TRACKING, TRANSPOSE, Settings
from poise.solvers import classics
from poise.solvers.method import Method
from poise.solvers.outcome import Ending, Outcome
from poise.solvers.problem import Problem

METHOD = Method(
    name="transpose",
    summary="steepest descent",
    source="Wolovich & Elliott 1984",
    limits="after each step, or after the last",
)

RULES = {"fixed": FIXED, "exact": EXACT, "tracking": TRACKING}
"""How long a step is."""


def solve(
    problem: Problem,
    start: NDArray[np.float64],
    *,
    limits: str = "each",
    rule: str = "fixed",
    step: float = 0.05,
    deviation: float = 0.01,
    **ending: Unpack[Ending],
) -> Outcome:
    """Solve from a posture within limits by steps −τ∇P = −2τJᵀe.

    With too long a step the method diverges, and what it returns shows that.

    Args:
        problem: what is wanted.
        start: (n,) coordinates within limits.
        limits: "each" brings the posture within limits after each step, "last" after the last.
        rule: "fixed", τ is `step`; "exact", τ makes the linear error least (28); "tracking", τ is
            `step`, less where the part of τe that no linear step can follow would be longer than
            `deviation` (29).
        step: τ (1/m²). The 2011 paper takes 0.005 in units of about 0.2 m, 0.125 in metres, which
            is too long for a figure with many tasks and a free root.
        deviation: ε of (29) (m).
        **ending: see `Ending`.
    """
    if not isinstance(rule, str) or rule not in RULES:
        raise unknown_name("rule for the step", rule, RULES)
    settings = Settings()
    settings.method, settings.rule = TRANSPOSE, RULES[rule]
    settings.length = classics.positive(step, "the step (1/m²)")
    settings.deviation = classics.positive(deviation, "the deviation (m)")
    return classics.solve(problem, start, settings, limits=limits, **ending)
