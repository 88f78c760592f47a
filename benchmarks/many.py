"""Many solves: other starts where one is not enough, and two cores against one.

Goals anywhere within limits of the figure of `lex.py`, with and without `restarts`. Then one scene
with thousands of targets, on one thread and on all cores by turns in one run; that ratio means
something only on an otherwise idle machine, so the load is printed with it.
"""

from __future__ import annotations

import os
import sys
from time import perf_counter

import numpy as np
from lex import LIMIT, TOLERANCE, goal, person, solved, wishes
from timing import show

import poise
from poise import tasks
from poise.scene.options import Options
from poise.scene.restarts import solve_again
from poise.scene.threads import cores
from poise.solvers import lex
from poise.solvers.problem import pack


def anywhere(count: int, restarts: int) -> list[str]:
    """Goals anywhere within limits, each from rest and then from other starts."""
    figure, rng = person(), np.random.default_rng(5)
    start = figure.rest().q
    met, seconds = [], []
    for _ in range(count):
        problem = pack(figure, figure.rest(), wishes(figure, goal(figure, rng, anywhere=True)))
        outcome = solved(problem, start)
        if restarts:
            options = Options(tolerance=TOLERANCE, max_iterations=LIMIT, restarts=restarts)
            outcome = solve_again(problem, lex.solve, start, outcome, options, threads=cores())
        met.append(bool(problem.met(problem.sizes(outcome.residual), TOLERANCE).all()))
        seconds.append(outcome.seconds)
    return [
        str(restarts),
        f"{np.mean(met):.1%}",
        f"{1e3 * np.median(seconds):.2f} / {1e3 * np.percentile(seconds, 95):.2f}",
    ]


def threads(count: int) -> list[list[str]]:
    """Thousands of targets for a hand of the human, on one core and on all."""
    scene = poise.Scene(poise.human())
    for foot in ("left_foot", "right_foot"):
        scene.add(tasks.Frame(foot), priority=1)
    hand = scene.add(tasks.Position("right_hand", (0.4, -0.3, 1.2)), priority=2)
    targets = np.random.default_rng(0).uniform((0.2, -0.6, 0.8), (0.5, 0.1, 1.5), (count, 3))
    least = {1: np.inf, cores(): np.inf}
    for number in least:
        scene.solve_many({hand.name: targets[:50]}, threads=number)
    for _ in range(5):
        for number in least:
            begun = perf_counter()
            scene.solve_many({hand.name: targets}, threads=number)
            least[number] = min(least[number], perf_counter() - begun)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    return [
        [
            str(number),
            f"{count / seconds:.0f}",
            f"{least[1] / seconds:.2f}",
            f"{load:.1f}",
        ]
        for number, seconds in least.items()
    ]


def main(count: int) -> None:
    """Print both tables."""
    show(
        "Goals anywhere within limits, n = 71; mark: 99 % with restarts",
        ("restarts", "met", "ms med/p95"),
        [anywhere(count, restarts) for restarts in (0, 4, 16)],
    )
    show(
        "solve_many, targets for a hand; mark: 1.8 times as fast on two cores",
        ("threads", "solves a second", "ratio", "load"),
        threads(10 * count),
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
