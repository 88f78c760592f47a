"""Lagrange multipliers, sparse: Baraff 1996; Ho, Komura & Lau 2005, eq. 6.

A step is the shortest with J Δq = −e in the metric of stiffness,

    [ W  Jᵀ ] [Δq]   [ 0 ]
    [ J  −ρ ] [ λ ] = [−e ],

all figures of a scene in one system, within limits: `multipliers`. Here ρ is next to nothing until
a step fails to lower the sum of squares, and then grows (Levenberg and Marquardt), so that goals
out of reach and contacts that contradict each other end in the best compromise.
"""

from __future__ import annotations

from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from poise.checking import number
from poise.errors import unknown_name
from poise.kernel.published.stepping import CALM, FLAT, PATIENT, SHORT, STOPPED
from poise.solvers.descent import descend
from poise.solvers.linear import Linear, linear
from poise.solvers.method import Method
from poise.solvers.multipliers import ELIMINATIONS, LEAST, Multipliers, Rows
from poise.solvers.outcome import Ending, Outcome
from poise.solvers.problem import Problem

Values = NDArray[np.float64]

METHOD = Method(
    name="lagrange",
    summary="multipliers, block by block",
    source="Ho, Komura & Lau 2005",
    limits="in every step: added when broken",
    takes_one_sided=True,
    is_warm=True,
    is_for_crowds=True,
)

_FIRST, _MOST = 1e-5, 1e5
"""ρ, as a share of the greatest row's square, after the first step that failed; beyond the second
nothing is to be had."""

_WORTH = 0.01
"""A task that is not met and whose square falls by this share keeps a solve going: one person's
goal out of reach should not keep those of others from being met."""


def solve(
    problem: Problem,
    start: Values,
    *,
    elimination: str = "blocks",
    max_turn: float = 0.5,
    warm: bool = False,
    **ending: Unpack[Ending],
) -> Outcome:
    """Solve from a posture within limits.

    Args:
        problem: as for every method.
        start: as for every method.
        elimination: how the system is solved: "blocks" along what ties the figures together,
            "superlu" as the paper does it, "dense" by singular values.
        max_turn: a step that moves a coordinate farther (rad) is shortened.
        warm: whether to begin with the limits that held the last solve.
        **ending: see `Ending`.
    """
    if not isinstance(elimination, str) or elimination not in ELIMINATIONS:
        raise unknown_name("elimination", elimination, ELIMINATIONS)
    return solve_by_multipliers(
        problem,
        start,
        elimination=elimination,
        max_turn=number(max_turn, "max_turn (rad)", above=0),
        warm=warm,
        **ending,
    )


def solve_by_multipliers(
    problem: Problem,
    start: Values,
    *,
    elimination: str,
    max_turn: float,
    cutoff: float = 0.0,
    warm: bool = False,
    **ending: Unpack[Ending],
) -> Outcome:
    """The solve of `lagrange`, and of `pinv` with limits that are added."""
    at = linear(problem)
    key = f"multipliers {elimination} {cutoff}"
    if key not in problem.scratch:
        problem.scratch[key] = Multipliers(at, elimination, cutoff)
        at.load(start)
        shortest(at, problem.scratch[key], start, 1.0)
    system: Multipliers = problem.scratch[key]
    if not warm:
        system.forget()
    return descend(
        at,
        _Steps(at, system, max_turn, ending["tolerance"]),
        start,
        **ending,
    )


def shortest(at: Linear, system: Multipliers, q: Values, damping: float) -> tuple[Values, int]:
    """The shortest step from a posture that was looked at, and how many inequalities hold it."""
    order = at.order
    low = -at.residual[order]
    high = np.where(at.one_sided[order], np.inf, low)
    groups = at.contacts.group_of_row[order]
    rows = Rows(order, groups, low, high, np.full(order.size, damping))
    return system.step(rows, at.lower - q, at.upper - q)


class _Steps:
    """The steps of one solve: see `descent.Steps`."""

    def __init__(self, at: Linear, system: Multipliers, max_turn: float, tolerance: float) -> None:
        self._at, self._system, self._max_turn = at, system, max_turn
        self._trust, self._since, self._met = LEAST, 0, tolerance * tolerance
        self._least: Values | float = np.inf
        self._greatest = self._potential = self._best = self._after = np.inf
        self._longest = 0.0

    @property
    def radius(self) -> float:
        return self._max_turn

    def propose(self, q: Values) -> Values | None:
        at = self._at
        if self._potential == np.inf:
            self._greatest, self._potential = at.greatest(), self._now()
            self._best = self._potential
        at.look_at_limits(q, self._max_turn)
        step, _ = shortest(at, self._system, q, self._trust * self._greatest)
        self._longest = float(np.abs(step).max(initial=0.0))
        if self._longest > self._max_turn:
            step *= self._max_turn / self._longest
        return q + step if self._longest > 0 else None

    def improves(self) -> bool:
        self._after = self._now()
        return self._after < self._potential

    def took(self, length: float) -> str:
        self._potential = self._after
        squares = self._at.squares(self._at.unmet())
        falls = (squares < (1 - _WORTH) * self._least) & (squares > self._met)
        self._least = np.minimum(squares, self._least)
        gains = self._after < self._best * (1 - 1e-4) or bool(falls.any())
        self._since = 0 if gains else self._since + 1
        self._best = min(self._best, self._after)
        self._trust = max(0.1 * self._trust, LEAST) if self._trust > _FIRST else LEAST
        if length <= STOPPED or (self._since >= CALM and length < SHORT):
            return "stationary"
        return "stalled" if self._since >= PATIENT else ""

    def refused(self) -> str:
        self._trust = max(10 * self._trust, _FIRST)
        return "stationary" if self._longest <= STOPPED or self._trust > _MOST else ""

    def ended(self, word: str, optimality: float) -> tuple[str, str]:
        is_slope = word == "stationary" and optimality > FLAT
        return "stalled" if is_slope else word, ""

    def _now(self) -> float:
        e = self._at.unmet()
        return float(e @ e)
