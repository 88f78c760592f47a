"""Fig. 5.4: weights, divided joints and priorities on a chain with two tips."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from poise.figure import Figure, Posture
from poise.reproductions.balance_2001.chains import Values, two_tips
from poise.reproductions.balance_2001.sheets import Panel, Sheet, framing
from poise.reproductions.balance_2001.stepping import PLANE, settle, site, together
from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.measures import millimetres
from poise.scene import Scene, Solution
from poise.tasks import Position

_TOLERANCE = 1e-4
_WEIGHT = 3.0
"""Of task R, the more important one; that of L is 1."""

Pair = tuple[tuple[float, float], tuple[float, float]]

TOGETHER: Pair = ((-0.52, 0.12), (0.05, 0.60))
"""Goals of L and R that can be reached at once, though not with the left arm's joints alone."""

APART: Pair = ((-0.62, 0.42), (0.42, 0.58))
"""Goals that can each be reached, but not both."""


def conflicts(folder: Path | None, report: Report) -> Result:
    """Fig. 5.4: three ways to settle a conflict between two tasks."""
    figure = two_tips()
    report("weights", 0.0)
    weighted = {pair: _weighted(figure, pair) for pair in (TOGETHER, APART)}
    report("divided joints", 0.3)
    divided = _solved(figure, TOGETHER, "partition")
    report("priorities", 0.5)
    strict = {pair: _solved(figure, pair, "priority") for pair in (TOGETHER, APART)}
    report("the least residual error of L", 0.8)
    least = _least(figure, strict[APART].posture, APART)
    left, right = _errors(weighted[APART], APART)
    both = max(*_errors(weighted[TOGETHER], TOGETHER), *_errors(strict[TOGETHER].posture, TOGETHER))
    alone, kept = _errors(divided.posture, TOGETHER)
    low, high = _errors(strict[APART].posture, APART)
    claims = (
        Claim.setup("the chain has seven degrees of freedom", "7", str(figure.n), figure.n == 7),
        Claim.words(
            "(a) when both goals are reachable at once, weights and priorities reach both",
            "allows to reach them all",
            f"at most {millimetres(both)} off",
            both <= _TOLERANCE,
        ),
        Claim.words(
            "(b) otherwise weights share the residual error out: neither goal is reached",
            "the residual error is distributed on both tasks",
            f"L {millimetres(left)} off, R {millimetres(right)}",
            min(left, right) > _TOLERANCE,
        ),
        Claim.words(
            f"(b) they share it as the weights say, here w_R = {_WEIGHT:g} w_L",
            "according to their weight (wL and wR)",
            f"e_L / e_R = {left / right:.3f}",
            abs(left / right - _WEIGHT) < 0.01 * _WEIGHT,
        ),
        Claim.words(
            "(c) with joints divided among the tasks R is reached, and L is not, though it "
            "could be",
            "perfectly attainable goals may not be reached",
            f"R {millimetres(kept)} off, L {millimetres(alone)}; by priorities L "
            f"{millimetres(_errors(strict[TOGETHER].posture, TOGETHER)[0])}",
            kept <= _TOLERANCE < alone and both <= _TOLERANCE,
        ),
        Claim.words(
            "(d) by priorities R is reached all the same",
            "the top priority task reaches its goal without being perturbed",
            f"{millimetres(high)} off",
            high <= _TOLERANCE,
        ),
        Claim.words(
            "(d) while the residual error of L is minimised",
            "while the residual error of the other task is minimized",
            f"{millimetres(low)}; the least with R reached is {millimetres(least)}",
            low <= least + 10 * _TOLERANCE,
        ),
    )
    if folder is None:
        return Result(claims)
    sheet = Sheet(4, size=(2.6, 2.6))
    shown = (
        (weighted[TOGETHER], TOGETHER, "(a) weights, or priorities"),
        (divided.posture, TOGETHER, "(c) divided joints"),
        (weighted[APART], APART, f"(b) weights, $w_R = {_WEIGHT:g} w_L$"),
        (strict[APART].posture, APART, "(d) priorities, R over L"),
    )
    view = framing([posture for posture, _, _ in shown], *TOGETHER, *APART)
    for panel, (posture, pair, title) in zip(sheet.panels, shown, strict=True):
        _draw(panel, posture, pair)
        panel.title(title)
        panel.picture(view)
    return Result(claims, (sheet.save(folder, "2001-fig-5.4"),))


def _weighted(figure: Figure, goals: Pair) -> Posture:
    """Both tasks at one priority, R with more weight."""
    left, right = (
        site(figure, name, np.array(goal))
        for name, goal in zip(("left", "right"), goals, strict=True)
    )
    way = settle(figure.rest().q, [together({left: 1.0, right: _WEIGHT})])
    return figure.posture(way[-1])


def _solved(figure: Figure, goals: Pair, method: str) -> Solution:
    """R above L."""
    scene = Scene(figure, natural=False)
    for priority, name, (x, z) in ((2, "left", goals[0]), (1, "right", goals[1])):
        scene.add(Position(name, (x, 0.0, z), axes="xz"), priority=priority)
    return scene.solve(method, max_iterations=1000, restarts=0)


def _errors(posture: Posture, goals: Pair) -> tuple[float, float]:
    """How far L and R are from their goals (m)."""
    where = posture.figure.place(posture)
    left, right = (
        float(np.linalg.norm(where[name].position[PLANE] - np.array(goal)))
        for name, goal in zip(("left", "right"), goals, strict=True)
    )
    return left, right


def _least(figure: Figure, start: Posture, goals: Pair) -> float:
    """The least error of L with R at its goal, by an independent method from several starts."""
    tasks = [
        site(figure, name, np.array(goal))
        for name, goal in zip(("left", "right"), goals, strict=True)
    ]

    def square(q: Values) -> float:
        return float(np.sum(tasks[0](q).wanted ** 2))

    def held(q: Values) -> Values:
        return tasks[1](q).wanted

    rng = np.random.default_rng(0)
    found: list[float] = []
    for i in range(6):
        q = start.q + (0.5 * rng.standard_normal(figure.n) if i else 0.0)
        result = minimize(square, q, method="SLSQP", constraints={"type": "eq", "fun": held})
        if result.success and float(np.abs(held(result.x)).max()) < 1e-6:
            found.append(float(np.sqrt(result.fun)))
    return min(found)


def _draw(panel: Panel, posture: Posture, goals: Pair) -> None:
    panel.chain(posture)
    where = posture.figure.place(posture)
    for name, goal, text, away in (
        ("left", goals[0], "L", (-6.0, 6.0)),
        ("right", goals[1], "R", (6.0, 6.0)),
    ):
        there = where[name].position[PLANE]
        panel.tie(there, goal)
        panel.point(there)
        panel.goal(goal, text, away=away)
