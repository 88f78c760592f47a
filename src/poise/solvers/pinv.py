"""The pseudo-inverse of the Jacobian (Whitney 1969; thesis 4.7; 2011, section 2)."""

from __future__ import annotations

from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from poise.checking import number
from poise.errors import unknown_name
from poise.kernel.published.classics import CUTOFF, MAX_TURN
from poise.solvers import classics
from poise.solvers.lagrange import solve_by_multipliers
from poise.solvers.outcome import Ending, Outcome
from poise.solvers.problem import Problem


def solve(
    problem: Problem,
    start: NDArray[np.float64],
    *,
    limits: str = "each",
    cutoff: float = 1e-3,
    max_turn: float = 0.5,
    **ending: Unpack[Ending],
) -> Outcome:
    """Solve from a posture within limits by steps −J⁺e.

    All tasks count as one weighted sum; criteria draw in the null space. One-sided tasks are
    refused, unless limits are added.

    Args:
        problem: what is wanted.
        start: (n,) coordinates within limits.
        limits: "each" brings the posture within limits after each step, "last" after the last;
            "added" solves, adds what is broken as equalities, and solves again (Ho, Komura & Lau
            2005, section 6). Only this takes one-sided tasks, and it takes no criteria.
        cutoff: singular values smaller than this share of the greatest are left out.
        max_turn: a step that moves a coordinate farther (rad) is shortened.
        **ending: see `Ending`.
    """
    settings = {
        CUTOFF: number(cutoff, "the cutoff", least=0, most=1),
        MAX_TURN: classics.positive(max_turn, "max_turn (rad)"),
    }
    if limits == "added":
        return solve_by_multipliers(
            "pinv",
            problem,
            start,
            elimination="dense",
            max_turn=settings[MAX_TURN],
            cutoff=settings[CUTOFF],
            **ending,
        )
    if not isinstance(limits, str) or limits not in classics.LIMITS:
        raise unknown_name("way to keep limits", limits, [*classics.LIMITS, "added"])
    return classics.solve(
        "pinv",
        problem,
        start,
        settings,
        limits=limits,
        **ending,
    )
