"""Many solves: other starts where one is not enough, and two cores against one.

Goals anywhere within limits of the figure of `lex.py`, with and without `restarts`. Then one scene
with thousands of targets, on one thread and on all cores by turns in one run; that ratio means
something only on an otherwise idle machine, so the load is printed with it. The last row is what
the machine can do at all: two processes that share nothing, each with one thread, at the same time.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from time import perf_counter

import numpy as np
from lex import LIMIT, TOLERANCE, solved, wishes
from person_of_71 import goal, person
from timing import show

import poise
from poise import tasks
from poise.scene.options import Options
from poise.scene.restarts import solve_again
from poise.scene.threads import cores
from poise.solvers import lex
from poise.solvers.problem import pack

REPEATS = 12
"""So often thousands of targets are solved for; the least time counts."""


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


def hand_and_targets(count: int) -> Callable[[int, int], object]:
    """How to solve for targets for a hand of the human: on so many threads, for so many."""
    scene = poise.Scene(poise.human())
    for foot in ("left_foot", "right_foot"):
        scene.add(tasks.Frame(foot), priority=1)
    hand = scene.add(tasks.Position("right_hand", (0.4, -0.3, 1.2)), priority=2)
    targets = np.random.default_rng(0).uniform((0.2, -0.6, 0.8), (0.5, 0.1, 1.5), (count, 3))

    def solve(threads: int, some: int) -> object:
        return scene.solve_many({hand.name: targets[:some]}, threads=threads)

    return solve


def threads(count: int) -> list[list[str]]:
    """Thousands of targets on one core and on all; then in two processes."""
    solve, least = hand_and_targets(count), {1: np.inf, cores(): np.inf}
    for number in least:
        solve(number, 50)
    for _ in range(REPEATS):
        for number in least:
            begun = perf_counter()
            solve(number, count)
            least[number] = min(least[number], perf_counter() - begun)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    rows = [(str(number), count / seconds) for number, seconds in least.items()]
    rows.append(("2 processes", 2 * count / together(count)))
    return [
        [name, f"{rate:.0f}", f"{rate * least[1] / count:.2f}", f"{load:.1f}"]
        for name, rate in rows
    ]


def together(count: int) -> float:
    """The least time (s) in which two processes solve for all targets, each for itself."""
    apart = multiprocessing.get_context("spawn")
    barrier, queue = apart.Barrier(2), apart.Queue()
    both = [apart.Process(target=alone, args=(count, barrier, queue)) for _ in range(2)]
    for process in both:
        process.start()
    times = np.array([queue.get(timeout=300.0) for _ in both])
    for process in both:
        process.join()
    return float(times.max(axis=0).min())


def alone(count: int, barrier: Barrier, queue: Queue[list[float]]) -> None:
    """One of these processes: how long each time took."""
    solve, seconds = hand_and_targets(count), list[float]()
    solve(1, 50)
    for _ in range(REPEATS):
        barrier.wait(timeout=300.0)
        begun = perf_counter()
        solve(1, count)
        seconds.append(perf_counter() - begun)
    queue.put(seconds)


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
