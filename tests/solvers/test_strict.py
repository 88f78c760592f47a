"""Strictness: what is less important never costs what is more important anything."""

from __future__ import annotations

import numpy as np
from tests.solvers.scenes import FIGURES, scene

from poise.figure import Figure
from poise.solvers import lex
from poise.solvers.problem import Wish, pack

COUNT = 300
TOLERANCE = 1e-6
"""Tasks are met to this (m), so that what is met can't be lowered by more than the check allows."""


def solved(
    figure: Figure, wishes: list[Wish], start: np.ndarray
) -> tuple[np.ndarray, np.ndarray, str]:
    """The posture, the size of every level, and how the solve ended."""
    problem = pack(figure, figure.rest(), wishes)
    outcome = lex.solve(problem, start, tolerance=TOLERANCE, max_iterations=200, max_seconds=None)
    return outcome.q, problem.levels(outcome.residual), outcome.status


def lowered(before: np.ndarray, after: np.ndarray) -> bool:
    """Whether a level has become smaller by more than 1e-6 and 0.1 %.

    What comes below a level that has become larger by as much is not comparable.
    """
    for old, new in zip(before, after, strict=True):
        if new < old - 1e-6 - 1e-3 * old:
            return True
        if new > old + 1e-6 + 1e-3 * old:
            return False
    return False


def test_the_levels_above_alone_come_out_no_better() -> None:
    again, stalled, from_start, unmet = set(), set(), set(), 0
    for seed in range(COUNT):
        figure, wishes, start = scene(seed)
        q, sizes, status = solved(figure, wishes, start)
        assert figure.within_limits(figure.posture(q)), seed
        unmet += bool((sizes > 1e-3).any())
        for depth in range(1, sizes.size + 1):
            above = [wish for wish in wishes if wish.priority <= depth]
            if lowered(sizes[:depth], solved(figure, above, q)[1]):
                (stalled if status == "stalled" else again).add(seed)
            if depth < sizes.size and lowered(sizes[:depth], solved(figure, above, start)[1]):
                from_start.add(seed)
    print(f"{unmet} of {COUNT} scenes can't be met on {len(FIGURES)} figures")
    print(f"from the result: {len(again)} lowered {again}, and {len(stalled)} that say stalled")
    print(f"from the start: {len(from_start)} lowered")
    assert unmet > COUNT / 4
    # None that claims to be at rest, where this was written. Rounding elsewhere may tip one over.
    assert len(again) <= 1
    assert len(stalled) <= 0.025 * COUNT
    assert len(from_start) <= 0.03 * COUNT
