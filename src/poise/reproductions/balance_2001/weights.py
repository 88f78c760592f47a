"""Figs. 5.1–5.3: tasks of equal weight that cannot all be met, and what weights mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from poise.figure import Figure, Posture
from poise.reproductions.balance_2001.chains import Values, marked_chain
from poise.reproductions.balance_2001.sheets import Panel, Sheet, framing
from poise.reproductions.balance_2001.stepping import PLANE, settle, site, together
from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.measures import degrees, millimetres

Goals = Mapping[str, tuple[float, float]]

_NOTHING_LEFT = 1e-4
"""The usual tolerance (m): a task with a smaller error is satisfied."""


def overconstrained(folder: Path | None, report: Report) -> Result:
    """Fig. 5.1: two joints, many tasks of equal weight, then three more on the lower part."""
    low, high = (0.35, 0.6, 0.9), (0.25, 0.55, 0.8, 1.0)
    points = {f"low {i}": (1, share) for i, share in enumerate(low, 1)}
    points |= {f"high {i}": (2, share) for i, share in enumerate(high, 1)}
    figure = marked_chain((0.5, 0.5), points, (100.0, -40.0))
    upper: Goals = {
        "high 1": (0.42, 0.50),
        "high 2": (0.50, 0.30),
        "high 3": (0.62, 0.52),
        "high 4": (0.85, 0.30),
    }
    lower: Goals = {"low 1": (-0.12, 0.16), "low 2": (-0.05, 0.33), "low 3": (-0.20, 0.40)}
    report("the least squares of four tasks", 0.0)
    four = _least_squares(figure, upper)
    report("the least squares of seven tasks", 0.3)
    seven = _least_squares(figure, {**upper, **lower})
    report("all postures of two joints", 0.6)
    every = {**upper, **lower}
    bests = [_least_of_all(figure, goals) for goals in (upper, every)]
    founds = [_total(four, upper), _total(seven, every)]
    nearest = min(_errors(four, upper) + _errors(seven, every))
    moved = float(np.abs(four.q - seven.q).max())
    claims = (
        Claim.words(
            "the least-squares solution minimises the total residual error (5.2)",
            "the least-squares solution is shown",
            "; ".join(
                f"√E = {1e3 * found:.2f} mm, least of all postures {1e3 * best:.2f} mm"
                for found, best in zip(founds, bests, strict=True)
            ),
            all(found <= best * (1 + 1e-3) for found, best in zip(founds, bests, strict=True)),
        ),
        Claim.words(
            "it is a compromise that satisfies none of the tasks",
            "no task is exactly satisfied",
            f"the nearest task is {millimetres(nearest)} off",
            nearest > _NOTHING_LEFT,
        ),
        Claim.words(
            "three tasks added to the lower part lead to a new least-squares configuration",
            "the resulting new least-squares configuration",
            f"joints turn by up to {degrees(moved)}",
            moved > np.deg2rad(1.0),
        ),
    )
    if folder is None:
        return Result(claims)
    sheet = Sheet(3)
    start = figure.rest()
    view = framing([start, four, seven], *every.values())
    for panel, posture, goals, title in zip(
        sheet.panels,
        (start, four, seven),
        (upper, upper, every),
        ("initial configuration", "least squares", "three tasks added below"),
        strict=True,
    ):
        _draw(panel, posture, goals)
        panel.title(title)
        panel.picture(view)
    return Result(claims, (sheet.save(folder, "2001-fig-5.1"),))


def five_tasks(folder: Path | None, report: Report) -> Result:
    """Fig. 5.2: five tasks on twenty joints, then without one, then without two."""
    count, length = 20, 0.1
    bends = [50.0, *([-4.0] * (count - 1))]
    points = {f"task {i}": (4 * i, 1.0) for i in range(1, 6)}
    figure = marked_chain([length] * count, points, bends)
    goals: Goals = {
        "task 1": (-0.05, 0.42),
        "task 2": (0.55, 0.60),
        "task 3": (0.62, -0.02),
        "task 4": (1.12, 0.48),
        "task 5": (1.42, -0.10),
    }
    between = 4 * length
    apart = [
        float(np.linalg.norm(np.subtract(b, a)))
        for a, b in zip(list(goals.values())[:-1], list(goals.values())[1:], strict=True)
    ]
    kept = [list(goals), [n for n in goals if n != "task 3"]]
    kept.append([n for n in kept[1] if n != "task 5"])
    solved: list[Posture] = []
    for i, names in enumerate(kept):
        report(f"{len(names)} tasks", i / len(kept))
        solved.append(_least_squares(figure, {name: goals[name] for name in names}))
    totals = [
        _total(posture, {name: goals[name] for name in names})
        for posture, names in zip(solved, kept, strict=True)
    ]
    nearest = min(_errors(solved[0], goals))
    claims = (
        Claim.setup("the chain has 20 degrees of freedom", "20", str(figure.n), figure.n == 20),
        Claim.words(
            "no solution exists that satisfies all five tasks",
            "No solution exists that satisfies all the tasks",
            f"goals up to {max(apart):.2f} m apart, with {between:.2f} m of chain between",
            max(apart) > between,
        ),
        Claim.words(
            "the least-squares solution satisfies none of them",
            "no task is exactly satisfied",
            f"the nearest task is {millimetres(nearest)} off",
            nearest > _NOTHING_LEFT,
        ),
        Claim.words(
            "without one and without two of the tasks other configurations result, with less "
            "residual error",
            "the configuration that results from the removal of one and two tasks",
            "√E = " + ", ".join(f"{1e3 * total:.0f}" for total in totals) + " mm",
            totals[0] > totals[1] > totals[2],
        ),
    )
    if folder is None:
        return Result(claims)
    sheet = Sheet(4, size=(2.6, 1.7))
    postures = [figure.rest(), *solved]
    view = framing(postures, *goals.values())
    titles = ("1  initial", "2  five tasks", "3  without one", "4  without two")
    for panel, posture, names, title in zip(
        sheet.panels, postures, (kept[0], *kept), titles, strict=True
    ):
        _draw(panel, posture, {name: goals[name] for name in names})
        panel.title(title)
        panel.picture(view, 0.06)
    return Result(claims, (sheet.save(folder, "2001-fig-5.2"),))


def unequal_errors(folder: Path | None, report: Report) -> Result:
    """Fig. 5.3: two conflicting tasks of equal weight whose residual errors differ."""
    points = {"e1": (1, 1.0), "e2": (2, 1.0)}
    figure = marked_chain((0.45, 0.45), points, (75.0, -45.0))
    goals: Goals = {"e1": (-0.16, 0.55), "e2": (0.62, 0.56)}
    report("the least squares of two tasks", 0.0)
    where = _least_squares(figure, goals)
    first, second = _errors(where, goals)
    report("its gradient", 0.7)
    gradient = np.zeros(figure.n)
    for name, goal in goals.items():
        rows = site(figure, name, np.array(goal))(where.q)
        gradient -= rows.jacobian.T @ rows.wanted
    slope = float(np.linalg.norm(gradient)) / float(np.hypot(first, second))
    claims = (
        Claim.words(
            "the residual errors e₁ and e₂ are not equal, though the weights are",
            "the residual errors e1 and e2 are not equal",
            f"e₁ = {millimetres(first)}, e₂ = {millimetres(second)}",
            abs(first - second) > _NOTHING_LEFT,
        ),
        Claim.words(
            "at the minimum the only relationship is that the gradient is zero (5.5)",
            "its gradient must be zero",
            f"‖Σ wᵢ eᵢ ∂eᵢ/∂q‖ / √E = {slope:.0e} m/rad",
            slope < 1e-5,
        ),
    )
    if folder is None:
        return Result(claims)
    sheet = Sheet(2)
    view = framing([figure.rest(), where], *goals.values())
    for panel, posture, title in zip(
        sheet.panels,
        (figure.rest(), where),
        ("initial configuration", "least squares"),
        strict=True,
    ):
        _draw(panel, posture, goals)
        panel.title(title)
        panel.picture(view)
    where_now = figure.place(where)
    for name, text in (("e1", "e₁"), ("e2", "e₂")):
        middle = 0.5 * (where_now[name].position[PLANE] + np.array(goals[name]))
        sheet.panels[1].write(middle, text, away=(0.0, -15.0))
    return Result(claims, (sheet.save(folder, "2001-fig-5.3"),))


def _least_squares(figure: Figure, goals: Goals) -> Posture:
    """All tasks at one priority, from rest, by the thesis' iteration."""
    tasks = [site(figure, name, np.array(goal)) for name, goal in goals.items()]
    return figure.posture(settle(figure.rest().q, [together(tasks)])[-1])


def _errors(posture: Posture, goals: Goals) -> list[float]:
    where = posture.figure.place(posture)
    return [
        float(np.linalg.norm(where[name].position[PLANE] - np.array(goal)))
        for name, goal in goals.items()
    ]


def _total(posture: Posture, goals: Goals) -> float:
    return float(np.linalg.norm(_errors(posture, goals)))


def _least_of_all(figure: Figure, goals: Goals) -> float:
    """The least total error on a grid of all postures of two joints, then on finer ones."""
    center, half = np.zeros(2), np.pi
    best = np.inf
    for _ in range(5):
        for q in _grid(center, half, 25):
            where = figure.place(q)
            errors = [where[n].position[PLANE] - np.array(goal) for n, goal in goals.items()]
            total = float(np.linalg.norm(errors))
            if total < best:
                best, center = total, q
        half /= 6.0
    return best


def _grid(center: Values, half: float, count: int) -> Sequence[Values]:
    steps = np.linspace(-half, half, count)
    return [center + (a, b) for a in steps for b in steps]


def _draw(panel: Panel, posture: Posture, goals: Goals) -> None:
    """The chain, its tasks, and what they lack."""
    panel.chain(posture)
    where = posture.figure.place(posture)
    for name, goal in goals.items():
        there = where[name].position[PLANE]
        panel.tie(there, goal)
        panel.point(there)
        panel.goal(goal)
