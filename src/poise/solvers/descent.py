"""What `lagrange` and `lp` share: steps from a linear model, each judged by where it leads."""

from __future__ import annotations

from time import perf_counter
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from poise.kernel import tracing
from poise.solvers.linear import Linear
from poise.solvers.outcome import Outcome

Values = NDArray[np.float64]


class Steps(Protocol):
    """The steps of one solve: they are proposed, and what became of each is told."""

    @property
    def radius(self) -> float:
        """How far what was proposed might have gone (rad or m)."""
        ...

    def propose(self, q: Values) -> Values | None:
        """The end of the next step from a posture that was looked at; None if there is none."""
        ...

    def improves(self) -> bool:
        """Whether what was proposed, and is looked at now, is better."""
        ...

    def took(self, length: float) -> str:
        """Go on from there, farther by so much in some coordinate; why to stop, "" to go on."""
        ...

    def refused(self) -> str:
        """Go on from where it was; why to stop, "" to go on."""
        ...

    def ended(self, word: str, optimality: float) -> tuple[str, str]:
        """Why it stopped, in the end, and a note."""
        ...


def descend(
    at: Linear,
    steps: Steps,
    start: Values,
    *,
    tolerance: float,
    max_iterations: int,
    max_seconds: float | None,
) -> Outcome:
    """Step from a posture within limits until there is a reason to stop."""
    begun, q, iterations, word = perf_counter(), start.copy(), 0, ""
    at.look(q)
    while not word:
        if at.error() <= tolerance:
            word = "solved"
        elif iterations >= max_iterations:
            word = "iterations"
        elif max_seconds is not None and iterations and perf_counter() - begun > max_seconds:
            word = "time"
        if word:
            break
        following = steps.propose(q)
        if following is None:
            word = "stationary"
            break
        good = at.within_limits(q, following)
        if good:
            at.look(following)
            good = steps.improves()
        if good:
            iterations += 1
            length = float(np.abs(following - q).max(initial=0.0))
            tracing.note(at.problem.trace, at.residual, 0, -1, steps.radius, length)
            q, word = following, steps.took(length)
            if at.error() <= tolerance:
                word = "solved"
        else:
            at.look(q)
            word = steps.refused()
    optimality = 0.0 if word == "solved" else at.optimality(q, tolerance)
    word, note = steps.ended(word, optimality)
    seconds = perf_counter() - begun
    return Outcome(q, word, iterations, seconds, at.residual.copy(), optimality, note)
