"""The plain iteration of the thesis: increments, one step by priorities, and again.

`scene.solve("priority")` does more than that: it looks whether steps come out as foreseen, and
returns the best posture that it met. To show how the formulations themselves behave, as an
animator saw them who dragged a goal, the bare steps are taken here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.figure import Figure
from poise.kernel.published import priority_arrays as at
from poise.kernel.published.priority_steps import take

Values = NDArray[np.float64]

UNDAMPED = 1e9
"""A longest partial step (rad) that never asks for damping."""

FORMULATIONS = {"first": at.RECURSIVE, "second": at.CASCADED}
"""(5.12), extended in Fig. 5.12, and (5.13), as section 5.3.4 calls them."""

PLANE = [0, 2]
"""Rows of the plane x-z, in which chains of hinges about y move."""


@dataclass(frozen=True)
class Rows:
    """What one level wants: its Jacobian (m, n), and how far its coordinates should go (m,)."""

    jacobian: Values
    wanted: Values


Level = Callable[[Values], Rows]
"""The rows of a level at a posture's coordinates."""


def site(figure: Figure, name: str, goal: Values) -> Level:
    """Bring a site to a goal (2,) in the plane; the goal may be moved in place."""

    def rows(q: Values) -> Rows:
        there = figure.place(q)[name].position[PLANE]
        return Rows(figure.jacobian(q, name)[PLANE], goal - there)

    return rows


def center_above(figure: Figure, x: float) -> Level:
    """Keep the centre of mass on the vertical line at x."""

    def rows(q: Values) -> Rows:
        center = figure.center_of_mass(q)[:1]
        return Rows(figure.center_of_mass_jacobian(q)[:1], x - center)

    return rows


def together(levels: Mapping[Level, float] | Sequence[Level]) -> Level:
    """Several tasks as one level, with weights on their squared errors, or alike (5.4)."""
    weights = levels if isinstance(levels, Mapping) else dict.fromkeys(levels, 1.0)

    def rows(q: Values) -> Rows:
        parts = [(level(q), np.sqrt(weight)) for level, weight in weights.items()]
        return Rows(
            np.vstack([root * part.jacobian for part, root in parts]),
            np.concatenate([root * part.wanted for part, root in parts]),
        )

    return rows


def linear_step(
    levels: Sequence[Rows],
    formulation: str = "first",
    *,
    longest: float = UNDAMPED,
    hard: ArrayLike = (),
    ends: ArrayLike = (),
) -> tuple[Values, int]:
    """One step Δq by priorities, and how often it was computed until it kept all limits.

    Args:
        levels: what is wanted, the most important first.
        formulation: "first" or "second".
        longest: the longest partial step that damping allows a level (rad).
        hard: rows (h, n) of linear limits c · Δq.
        ends: (2, h) between which lower and upper ends they must stay; 0 must be allowed.
    """
    n = levels[0].jacobian.shape[1]
    matrix = np.asarray(hard, np.float64).reshape(-1, n)
    starts = np.cumsum([0, *(len(level.wanted) for level in levels)], dtype=np.int64)
    step = at.make_step(n, len(matrix), starts)
    step.rows[:] = np.vstack([level.jacobian for level in levels])
    step.increment[at.WANTED] = np.concatenate([level.wanted for level in levels])
    step.increment[at.ERROR] = -step.increment[at.WANTED]
    step.entered[:] = 1
    step.box[0], step.box[1] = -np.inf, np.inf
    step.hard[:], step.ends[:] = matrix, np.asarray(ends, np.float64).reshape(2, -1)
    rounds = take(step, len(levels), len(matrix), longest, FORMULATIONS[formulation])
    return step.vector[at.MOVE].copy(), int(rounds)


def iterate(
    q: Values,
    levels: Sequence[Level],
    formulation: str,
    *,
    longest: float = 0.1,
    increment: float = 0.05,
) -> Values:
    """The coordinates after one iteration.

    Args:
        q: before it.
        levels: what is wanted, the most important first.
        formulation: "first" or "second".
        longest: the longest partial step that damping allows a level (rad).
        increment: what is wanted of a level at once is clamped to this length (m).
    """
    wanted: list[Rows] = []
    for level in levels:
        rows = level(q)
        size = float(np.linalg.norm(rows.wanted))
        share = min(1.0, increment / size) if size > 0 else 1.0
        wanted.append(Rows(rows.jacobian, share * rows.wanted))
    return q + linear_step(wanted, formulation, longest=longest)[0]


def settle(
    q: Values,
    levels: Sequence[Level],
    formulation: str = "first",
    *,
    most: int = 2000,
    still: float = 1e-7,
    longest: float = 0.1,
    increment: float = 0.05,
) -> list[Values]:
    """All coordinates on the way, until a step is shorter than `still` (rad), or the most steps."""
    way = [q]
    while len(way) <= most:
        way.append(iterate(way[-1], levels, formulation, longest=longest, increment=increment))
        if float(np.abs(way[-1] - way[-2]).max()) < still:
            break
    return way
