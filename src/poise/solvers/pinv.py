"""The pseudo-inverse of the Jacobian (Whitney 1969; thesis 4.7; 2011, section 2)."""

from __future__ import annotations

from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from poise.checking import number
from poise.errors import unknown_name
from poise.kernel.published.classics_arrays import PINV, Settings
from poise.solvers import classics
from poise.solvers.criteria import TIGHTEST
from poise.solvers.lagrange import solve_by_multipliers
from poise.solvers.method import Method
from poise.solvers.outcome import Ending, Outcome
from poise.solvers.problem import Problem
from poise.solvers.stances import left_out

METHOD = Method(
    name="pinv",
    summary="pseudo-inverse",
    source="Whitney 1969",
    limits="after each step, or after the last, or added when broken",
    takes_criteria=True,
    variants={("limits", "added"): {"takes_one_sided": True, "takes_criteria": False}},
)


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

    Criteria draw in the null space.

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
    cutoff = number(cutoff, "the cutoff", least=0, most=1)
    max_turn = classics.positive(max_turn, "max_turn (rad)")
    if limits == "added":
        return solve_by_multipliers(
            problem,
            start,
            elimination="dense",
            max_turn=max_turn,
            cutoff=cutoff,
            **ending,
        )
    if not isinstance(limits, str) or limits not in classics.LIMITS:
        raise unknown_name("way to keep limits", limits, [*classics.LIMITS, "added"])
    if problem.tightest is not None:
        plain = problem.plain()
        outcome = solve(plain, start, limits=limits, cutoff=cutoff, max_turn=max_turn, **ending)
        return left_out(problem, outcome, TIGHTEST)
    settings = Settings()
    settings.method, settings.cutoff, settings.max_turn = PINV, cutoff, max_turn
    return classics.solve(problem, start, settings, limits=limits, **ending)
