"""Fig. 5.13: what comes out for two tasks of different priority, case by case.

The thesis says that errors are *locally* minimised. Goals are such that what is left to a task has
one minimum, which geometry gives: a tip that cannot reach its goal stretches towards it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from poise.figure import Figure, Posture
from poise.reproductions.balance_2001.chains import Values, nearest_elbow, two_tips, unit
from poise.reproductions.balance_2001.sheets import Sheet, framing
from poise.reproductions.balance_2001.stepping import PLANE
from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.measures import millimetres
from poise.scene import Scene
from poise.tasks import Position

_COUNT = 12
_SAME = 1e-3
"""Residual errors that differ by less (m) count as the same."""

_REACH = 1.0  # of a tip of the chain: five links of 0.2 m


@dataclass(frozen=True)
class Case:
    """Goals of both tips, and the errors at the minimum: of R, then of L while R's is kept (m)."""

    right: Values
    left: Values
    least: tuple[float, float]


def two_priorities(folder: Path | None, report: Report) -> Result:
    """Fig. 5.13: priorities are respected, and each task is satisfied as much as possible."""
    figure = two_tips()
    kinds: tuple[tuple[str, str, Callable[[np.random.Generator], Case]], ...] = (
        ("both can be satisfied", "both are satisfied", _both),
        (
            "each can be satisfied, but not both",
            "the first is satisfied, the error of the second locally minimised under that",
            _conflict,
        ),
        (
            "the first cannot be satisfied, the second can",
            "the error of the first is locally minimised, the second satisfied",
            _first_fails,
        ),
        (
            "the first cannot be satisfied, nor the second while the first is at its best",
            "the error of the first is locally minimised, and that of the second under it",
            _both_fail,
        ),
    )
    claims: list[Claim] = []
    shown: list[tuple[Posture, Case, str]] = []
    for i, (given, outcome, draw) in enumerate(kinds):
        report(given, i / len(kinds))
        rng = np.random.default_rng(7)
        cases = [draw(rng) for _ in range(_COUNT)]
        postures = [_solved(figure, case) for case in cases]
        over = np.array(
            [np.subtract(_errors(p, c), c.least) for p, c in zip(postures, cases, strict=True)]
        )
        respected = int(np.sum(np.abs(over[:, 0]) < _SAME))
        minimal = int(np.sum(np.abs(over[:, 1]) < _SAME))
        claims.append(
            Claim.words(
                f"{given}: {outcome}",
                "their residual error is locally minimized",
                f"within {millimetres(_SAME)} of the minimum the first in {respected} of {_COUNT} "
                f"problems, the second in {minimal}; at most "
                f"{millimetres(max(float(over[:, 0].max()), 0.0))} and "
                f"{millimetres(max(float(over[:, 1].max()), 0.0))} more",
                respected == minimal == _COUNT,
            )
        )
        shown.append((postures[0], cases[0], given))
    report("one level", 0.9)
    rng = np.random.default_rng(7)
    cases = [_conflict(rng) for _ in range(_COUNT)]
    errors = np.array([_errors(_solved(figure, case, together=True), case) for case in cases])
    sums = np.array([sum(case.least) for case in cases])
    # Both pull along the line between their goals: the least squares are halves of what is short.
    off = float(np.abs(errors - 0.5 * sums[:, None]).max())
    claims.append(
        Claim.words(
            "two tasks of the same priority end in a compromise of least squares",
            "converges towards a (possibly weighted) least-squares solution, which is a compromise",
            f"both errors within {millimetres(off)} of half of what is short",
            off < _SAME,
        )
    )
    if folder is None:
        return Result(tuple(claims))
    sheet = Sheet(4, size=(2.6, 2.5))
    view = framing([p for p, _, _ in shown], *(g for _, c, _ in shown for g in (c.right, c.left)))
    titles = ("both can be met", "each alone can be met", "the first cannot be met", "neither")
    for panel, (posture, case, _), title in zip(sheet.panels, shown, titles, strict=True):
        panel.chain(posture)
        where = figure.place(posture)
        for name, goal, text in (("right", case.right, "1"), ("left", case.left, "2")):
            there = where[name].position[PLANE]
            panel.tie(there, goal)
            panel.point(there)
            panel.goal(goal, text)
        panel.title(title)
        panel.picture(view, 0.08)
    return Result(tuple(claims), (sheet.save(folder, "2001-fig-5.13"),))


def _solved(figure: Figure, case: Case, *, together: bool = False) -> Posture:
    """By the thesis' method, R above L or both at one priority."""
    scene = Scene(figure, natural=False)
    for name, goal, priority in (("right", case.right, 1), ("left", case.left, 2)):
        x, z = goal.tolist()
        scene.add(Position(name, (x, 0.0, z), axes="xz"), priority=1 if together else priority)
    return scene.solve("priority", max_iterations=1000, restarts=0).posture


def _errors(posture: Posture, case: Case) -> tuple[float, float]:
    where = posture.figure.place(posture)
    right, left = (
        float(np.linalg.norm(where[name].position[PLANE] - goal))
        for name, goal in (("right", case.right), ("left", case.left))
    )
    return right, left


# problems whose best outcome is known ------------------------------------------------------------


def _direction(rng: np.random.Generator, low: float, high: float) -> Values:
    angle = np.deg2rad(rng.uniform(low, high))
    return np.array([np.cos(angle), np.sin(angle)])


def _both(rng: np.random.Generator) -> Case:
    """Goals on either side of a place where the arms can meet, each within an arm's length."""
    elbow = rng.uniform(0.25, 0.5) * _direction(rng, 60.0, 120.0)
    right = elbow + rng.uniform(0.1, 0.35) * _direction(rng, -60.0, 60.0)
    left = elbow + rng.uniform(0.1, 0.35) * _direction(rng, 120.0, 240.0)
    return Case(right, left, (0.0, 0.0))


def _conflict(rng: np.random.Generator) -> Case:
    """Goals farther apart than two arms are long, with the trunk able to follow."""
    while True:
        right = rng.uniform(0.4, 0.8) * _direction(rng, 20.0, 70.0)
        left = rng.uniform(0.5, 0.95) * _direction(rng, 110.0, 160.0)
        elbow = nearest_elbow(right, left)
        short = float(np.linalg.norm(left - elbow)) - 0.4
        straight = float(np.linalg.norm(left - right)) - 0.8
        middle = right + 0.4 * unit(left - right)
        half = right + (0.5 * straight + 0.4) * unit(left - right)
        if short > 0.03 and max(np.linalg.norm(middle), np.linalg.norm(half)) < 0.58:
            return Case(right, left, (0.0, short))


def _stretched(rng: np.random.Generator) -> tuple[Values, Values, float]:
    """A goal out of R's reach, where the arms then meet, and what R lacks."""
    ray = _direction(rng, 35.0, 80.0)
    length = rng.uniform(1.05, 1.4)
    return length * ray, 0.6 * ray, length - _REACH


def _first_fails(rng: np.random.Generator) -> Case:
    right, elbow, short = _stretched(rng)
    left = elbow + rng.uniform(0.15, 0.35) * _direction(rng, 120.0, 220.0)
    return Case(right, left, (short, 0.0))


def _both_fail(rng: np.random.Generator) -> Case:
    right, elbow, short = _stretched(rng)
    away = rng.uniform(0.45, 0.8)
    left = elbow + away * _direction(rng, 120.0, 220.0)
    return Case(right, left, (short, away - 0.4))
