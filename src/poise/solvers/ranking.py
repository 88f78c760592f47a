"""Which of several outcomes of one problem is the best, and whether that is worth a change."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem

Values = NDArray[np.float64]

NEAR = 0.1
"""Levels differ when by more than this share of the tolerance."""

WORTH = 0.01
"""By this share of its error a level must fall for another result to be worth a change."""


def gains(problem: Problem, first: Outcome, best: Outcome, tolerance: float) -> bool:
    """Whether it is worth to leave what was found first for what was found best.

    The first level that differs must be lower by enough: out of reach many postures come as near
    but for a hair, and nobody wants to kneel for it, or to leap in a motion.
    """
    before = problem.task_levels(first.residual, tolerance)
    after = problem.task_levels(best.residual, tolerance)
    apart = np.flatnonzero(np.abs(after - before) > NEAR * tolerance)
    return bool(apart.size and after[apart[0]] < (1.0 - WORTH) * before[apart[0]])


def lexicographically_best(
    problem: Problem, outcomes: Sequence[Outcome], tolerance: float
) -> Outcome:
    """The outcome whose first differing level is lowest; of equals the one that criteria prefer.

    Levels differ when by more than a tenth of the tolerance; those that are met do not. Of
    those that criteria like as well, it is the first.
    """
    best, least = outcomes[0], problem.task_levels(outcomes[0].residual, tolerance)
    for outcome in outcomes[1:]:
        levels = problem.task_levels(outcome.residual, tolerance)
        apart = np.flatnonzero(np.abs(levels - least) > NEAR * tolerance)
        if apart.size:
            is_better = bool(levels[apart[0]] < least[apart[0]])
        else:
            is_better = _criteria(problem, outcome.q) < _criteria(problem, best.q)
        if is_better:
            best, least = outcome, levels
    return best


def _criteria(problem: Problem, q: Values) -> float:
    """What the springs and zones of the criteria hold at q (n,): half a sum of squares."""
    outside = np.maximum(problem.zone_lower - q, 0.0) + np.maximum(q - problem.zone_upper, 0.0)
    drawn = problem.pull * (q - problem.rest) ** 2 + problem.zone_strength * outside**2
    return 0.5 * float(drawn.sum())
