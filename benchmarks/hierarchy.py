"""The inner step: time cold and warm, beside hierarchical daqp, and how often each is right.

Random steps of a person's size and of a smaller one, with ever tighter bounds. Times are those
inside compiled code, Gram matrix included; daqp's are those of its own update and solve, called
from Python. "Next" is a warm start after all rows and targets have moved by three per cent.
A step counts as wrong when its residuals are lexicographically larger than the reference's by
more than 1e-6, or when it breaks a bound by more than that.
"""

from __future__ import annotations

import sys
from pathlib import Path

import daqp
import numpy as np
from loops.repeats import repeat_step
from timing import least_seconds, show

from poise.kernel.hierarchy import arrays as at
from poise.kernel.hierarchy.step import SOLVED, STEADY, step

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.kernel.hierarchy.test_step import answer, packed, same
from tests.kernel.reference import Floats, Level, Problem, random_problem, solve

PERSON, SMALL = (71, (6, 3, 6, 12)), (54, (9, 9))
CASES = [
    *((*PERSON, tight) for tight in (5.0, 0.6, 0.35, 0.25, 0.2, 0.17, 0.14, 0.1)),
    *((*SMALL, tight) for tight in (5.0, 0.5, 0.3)),
    (54, (18,), 0.5),
]
TRIALS = 30


def drawn(rng: np.random.Generator, n: int, sizes: tuple[int, ...], tight: float) -> Problem:
    """Equality levels of random rows, half of them zeros, with targets of some centimetres."""
    levels: list[Level] = []
    for m in sizes:
        A = rng.standard_normal((m, n)) / np.sqrt(n) * (rng.random((m, n)) < 0.5)
        b = 0.05 * rng.standard_normal(m)
        levels.append(Level(A, b, b.copy(), 1e-9))
    empty = Level(np.zeros((0, n)), np.zeros(0), np.zeros(0))
    reach = rng.uniform(0.02, 1.0, (2, n)) * tight
    return Problem(-reach[0], reach[1], empty, levels, np.zeros(n))


def microseconds(ws: at.Workspace, levels: int, *, warm: bool) -> float:
    inner = 20
    run = lambda: repeat_step(inner, ws, levels, warm)  # noqa: E731
    return 1e6 * least_seconds(run, inner=inner, repeats=20, seconds=0.1)


def daqp_step(problem: Problem) -> tuple[Floats, float]:
    """daqp's answer and its microseconds."""
    n = problem.lower.size
    A = np.vstack([level.A for level in problem.levels])
    b = np.concatenate([level.lower for level in problem.levels])
    lower, upper = np.r_[problem.lower, b], np.r_[problem.upper, b]
    sense = np.zeros(n + len(A), np.int32)
    ends = np.cumsum([0, n, *(len(level.A) for level in problem.levels)]).astype(np.intc)
    model = daqp.Model()
    model.settings = {"rho_soft": 1e-8, "primal_tol": 1e-9}
    model.setup(np.eye(n), np.zeros(n), A, upper, lower, sense, break_points=ends)
    u = model.solve()[0]

    def run() -> None:
        model.update(bupper=upper, blower=lower, sense=sense, A=A, break_points=ends)
        model.solve()

    return u, 1e6 * least_seconds(run, repeats=10, seconds=0.1)


def wrong(problem: Problem, u: Floats, best: Floats) -> bool:
    excess = problem.residuals(u) - best
    first = next((e for e in excess if abs(e) > 1e-6), 0.0)
    return problem.broken(u) > 1e-6 or first > 0.0


def measured(n: int, sizes: tuple[int, ...], tight: float) -> list[str]:
    rng = np.random.default_rng(5)
    cold, warm, following, peer, rounds, active = ([] for _ in range(6))
    ours_wrong = peer_wrong = steady = 0
    for _ in range(TRIALS):
        problem = drawn(rng, n, sizes, tight)
        levels, rows = len(sizes), sum(sizes)
        ws = packed(problem)
        steady += step(ws, levels, False, False) != SOLVED
        rounds.append(int(ws.counts[at.ROUNDS]))
        u = answer(ws)
        active.append(np.count_nonzero((u <= problem.lower) | (u >= problem.upper)))
        cold.append(microseconds(ws, levels, warm=False))
        warm.append(microseconds(ws, levels, warm=True))
        peer_u, peer_time = daqp_step(problem)
        peer.append(peer_time)
        best = solve(problem).residuals
        ours_wrong += wrong(problem, u, best)
        peer_wrong += wrong(problem, peer_u, best)
        sets = ws.box_sets.copy()
        ws.matrix[:rows] *= 1.0 + 0.03 * rng.standard_normal(ws.matrix[:rows].shape)
        ws.rows[at.LOWER : at.UPPER + 1, :rows] += 0.0015 * rng.standard_normal(rows)
        following.append(next_microseconds(ws, levels, sets))
    return [
        f"{n} / {'+'.join(map(str, sizes))}",
        *(f"{np.median(data):.0f}" for data in (active, rounds)),
        *(f"{np.median(data):.1f}" for data in (cold, warm, following, peer)),
        *(str(count) for count in (ours_wrong, peer_wrong, steady)),
    ]


def next_microseconds(ws: at.Workspace, levels: int, sets: at.Ints) -> float:
    """Time of one warm start from the given sets, less that of putting them there."""

    def restore() -> None:
        ws.box_sets[:] = sets
        repeat_step(0, ws, levels, True)

    def run() -> None:
        ws.box_sets[:] = sets
        repeat_step(1, ws, levels, True)

    both = [1e6 * least_seconds(what, repeats=50, seconds=0.1) for what in (run, restore)]
    return both[0] - both[1]


def correctness() -> list[list[str]]:
    """Count agreement with the reference on the worst problems we can think of."""
    counts = dict.fromkeys(("agree", "only the reference fails", "differ", "broken", "steady"), 0)
    bounds: list[int] = []
    for seed in range(1000):
        rng = np.random.default_rng([11, seed])
        tight = float(rng.choice([0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 2.0]))
        problem = random_problem(rng, 71, [6, 3, 6, 12], tight)
        reference = solve(problem)
        ws = packed(problem)
        counts["steady"] += step(ws, 4, False, False) == STEADY
        u = answer(ws)
        counts["broken"] += problem.broken(u) > 1e-10
        if same(problem.residuals(u), reference.residuals):
            counts["agree"] += 1
        else:
            counts["differ" if reference.trusted else "only the reference fails"] += 1
        bounds.append(int(np.count_nonzero((u <= problem.lower) | (u >= problem.upper))))
    low, middle, high = np.percentile(bounds, [5, 50, 95])
    names = {"broken": "a hard row broken by more than 1e-10", "steady": "solved by reflections"}
    rows = [[names.get(name, name), str(count)] for name, count in counts.items()]
    return [
        *rows,
        ["coordinates at a bound, 5th to 95th", f"{low:.0f} … {middle:.0f} … {high:.0f}"],
    ]


def main() -> None:
    columns = ["n / rows", "bounds", "rounds", "cold µs", "warm µs", "next µs", "daqp µs"]
    columns += ["wrong", "daqp wrong", "steady"]
    title = f"Inner step, medians of {TRIALS} (marks: 10 µs with no bound, 35 with ten, 85 with 30)"
    show(title, columns, [measured(*case) for case in CASES])
    title = "Random steps with rank-deficient, contradicting and inequality rows, couplings, stops"
    show(title, [title.split(",")[0], "of 1000"], correctness())


if __name__ == "__main__":
    main()
