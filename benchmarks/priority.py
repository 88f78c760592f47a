"""Task priorities and the classic methods: the time of a step, and how solves end.

Steps are of random rows, as in the thesis' Fig. 5.14; its own time for n = 50 and four levels of
15 rows was 5 ms on a processor of 195 MHz. Solves are from rest: of the person of 71 coordinates
that `lex` is measured with, of the human, and of a chain. "By svd" are the projectors as printed.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from lex import wishes
from loops.repeats import repeat_take
from numpy.typing import NDArray
from person_of_71 import goal, person
from timing import least_seconds, show

from poise.figure import Figure
from poise.kernel.published import priority_arrays as at
from poise.models.chain import chain
from poise.models.human import human
from poise.solvers import solver
from poise.solvers.problem import Problem, Wish, pack
from poise.tasks import Frame, Position

Values = NDArray[np.float64]

TOLERANCE, LIMIT = 1e-4, 200

WAYS = {"lq": at.FACTORED, "svd": at.RECURSIVE, "cascaded": at.CASCADED}

METHODS: list[tuple[str, dict[str, Any]]] = [
    ("priority", {}),
    ("priority", {"formulation": "cascaded"}),
    ("pinv", {"limits": "each"}),
    ("pinv", {"limits": "last"}),
    ("dls", {"limits": "each"}),
    ("dls", {"limits": "last"}),
    ("transpose", {"rule": "fixed"}),
    ("transpose", {"rule": "exact"}),
    ("transpose", {"rule": "tracking"}),
    ("ccd", {}),
    ("partition", {}),
]


def drawn(n: int, m: int, p: int) -> at.Step:
    """Random rows of p levels with m rows each, and no limits."""
    rng = np.random.default_rng(n + m + p)
    step = at.make_step(n, 0, np.arange(0, p * m + 1, m))
    step.rows[:] = rng.standard_normal((p * m, n)) / np.sqrt(n)
    step.increment[at.WANTED] = 0.05 * rng.standard_normal(p * m)
    step.entered[:] = 1
    step.box[0], step.box[1] = -np.inf, np.inf
    return step


def steps() -> None:
    """The time of one step against n, m and p."""
    rows = []
    sizes = [(50, 15, p) for p in (1, 2, 4, 6)]
    sizes += [(n, 15, 4) for n in (20, 100, 200)] + [(50, m, 4) for m in (3, 6, 30)]
    for n, m, p in sizes:
        times = []
        for how in WAYS.values():
            step = drawn(n, m, p)
            run = lambda step=step, how=how, p=p: repeat_take(10, step, p, 0.25, how)  # noqa: E731
            times.append(1e6 * least_seconds(run, inner=10, repeats=30, seconds=0.3))
        rows.append([f"n = {n}, {p} × {m}", *(f"{each:.0f}" for each in times)])
    show("µs a step; mark: 120 for n = 50, 4 × 15", ("rows", *WAYS), rows)


def people(count: int, metres: float) -> tuple[Values, list[Problem]]:
    """The person of 71 coordinates; the left hand's goal is moved by so many metres."""
    figure, problems = person(), []
    for seed in range(count):
        rng = np.random.default_rng(seed)
        posture = goal(figure, rng, anywhere=False)
        away = rng.normal(size=3)
        wanted = wishes(figure, posture, metres * away / np.linalg.norm(away))
        problems.append(pack(figure, figure.rest(), wanted))
    return figure.rest().q, problems


def bodies(count: int) -> tuple[Values, list[Problem]]:
    """The human with held feet and a hand that goes where a random posture has it."""
    figure = human()
    held = [Wish(site, Frame(site), 1) for site in ("left_foot", "right_foot")]
    return reaching(figure, held, "right_hand", count, figure.rest().q)


def chains(count: int) -> tuple[Values, list[Problem]]:
    """A chain of ten balls that bend by up to 1 rad, its middle before its tip."""
    figure = chain(10, 0.2, "ball", limit=1.0)
    start = figure.clamp(figure.posture(np.full(figure.n, 0.1))).q
    middle = Wish("middle", Position("link_6", figure.place(figure.posture(start))["link_6"]), 1)
    return reaching(figure, [middle], "tip", count, start)


def reaching(
    figure: Figure, held: Sequence[Wish], site: str, count: int, start: Values
) -> tuple[Values, list[Problem]]:
    """Things that are held, and goals for a site, each from a random posture near the start."""
    problems = []
    for seed in range(count):
        moved = start + np.random.default_rng(seed).uniform(-0.4, 0.4, figure.n)
        moved[figure.root_coordinates] = start[figure.root_coordinates]
        target = figure.place(figure.clamp(figure.posture(moved)))[site].position
        wanted = [*held, Wish("goal", Position(site, target), 2)]
        problems.append(pack(figure, figure.posture(start), wanted))
    return start, problems


def solves(label: str, make: Callable[[], tuple[Values, list[Problem]]]) -> None:
    """How all methods fare with the same problems."""
    start, problems = make()
    rows = []
    for method, options in METHODS:
        solve, words = solver(method, **options), Counter[str]()
        iterations, seconds, first, rest, kept = [], [], [], [], True
        for problem in problems:
            outcome = solve(
                problem, start, tolerance=TOLERANCE, max_iterations=LIMIT, max_seconds=None
            )
            words[outcome.status] += 1
            iterations.append(outcome.iterations)
            seconds.append(outcome.seconds)
            levels = problem.levels(outcome.residual)
            first.append(levels[0])
            rest.append(np.linalg.norm(levels[1:]))
            kept &= problem.figure.within_limits(problem.figure.posture(outcome.q))
        each = np.array(seconds) / np.maximum(iterations, 1)
        rows.append(
            [
                " ".join([method, *map(str, options.values())]),
                f"{words['solved']}/{words['stationary']}/{len(problems)}",
                f"{np.median(iterations):.0f}",
                f"{1e3 * np.median(seconds):.2f}",
                f"{1e6 * np.median(each):.0f}",
                f"{1e3 * np.median(first):.2f}",
                f"{1e3 * np.median(rest):.2f}",
                "yes" if kept else "NO",
            ]
        )
    show(
        label,
        (
            "method",
            "solved/stationary/all",
            "iterations",
            "ms",
            "µs each",
            "level 1 (mm)",
            "below (mm)",
            "valid",
        ),
        rows,
    )


def main(count: int) -> None:
    """Print all tables."""
    steps()
    solves("A person, n = 71, goals near rest", lambda: people(count, 0.0))
    solves("A person, n = 71, a hand 1 m out of reach", lambda: people(count, 1.0))
    solves("The human, feet held, a hand reaches", lambda: bodies(count))
    solves("A chain of ten balls, n = 30", lambda: chains(count))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
