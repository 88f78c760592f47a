"""Quasi-Newton and the projected gradient: time an iteration, growth with n, convergence.

The figure of 71 coordinates is that of `lex.py`. Two sets of goals: "six points" are the positions
of hands, feet, pelvis and head, as in the 2011 paper; "four levels" are the 30 rows of `lex.py`, as
one sum. Times are the least of three solves, an iteration's its share of them.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from lex import wishes
from loops.repeats import repeat_jacobian, repeat_sweep
from numpy.typing import NDArray
from person_of_71 import goal, person
from timing import least_seconds, show

from poise import kernel
from poise.figure import Figure, Posture
from poise.models.chain import chain
from poise.models.human import human
from poise.solvers import nlp, projected
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem, Wish, pack
from poise.tasks import Position

Values = NDArray[np.float64]

SIX = ("left_hand", "right_hand", "left_foot", "right_foot", "root", "head")
FOUR = ("left_hand", "right_hand", "left_foot", "right_foot")
METHODS = {"nlp": nlp, "projected": projected}


def points(figure: Figure, sites: Sequence[str], posture: Posture) -> Problem:
    """The positions of sites in a posture, as goals from rest."""
    places = figure.place(posture)
    return pack(figure, figure.rest(), [Wish(s, Position(s, places[s].position), 1) for s in sites])


def solved(method: str, problem: Problem, start: Values, *, limit: int) -> Outcome:
    """The fastest of three solves."""
    outcomes: list[Outcome] = [
        METHODS[method].solve(
            problem, start, tolerance=1e-4, max_iterations=limit, max_seconds=None
        )
        for _ in range(3)
    ]
    return min(outcomes, key=lambda outcome: outcome.seconds)


def looks(method: str, problem: Problem) -> int:
    """How many postures the last solve looked at."""
    if method == "nlp":
        return problem.scratch["nlp"][1].progress.evaluations
    return problem.scratch["projected"]["vectors"].progress.evaluations


def row(
    label: str, method: str, problems: Sequence[Problem], start: Values, limit: int
) -> list[str]:
    """Solve problems from one start, and say how that went."""
    words: Counter[str] = Counter()
    iterations, seconds, seen, errors = [], [], [], []
    for problem in problems:
        outcome = solved(method, problem, start, limit=limit)
        words[outcome.status] += 1
        iterations.append(max(outcome.iterations, 1))
        seconds.append(outcome.seconds)
        seen.append(looks(method, problem))
        errors.append(problem.sizes(outcome.residual).max())
    each = np.array(seconds) / np.array(iterations)
    return [
        label,
        method,
        f"{words['solved']}/{words['stationary']}/{len(problems)}",
        f"{np.median(iterations):.0f} / {np.percentile(iterations, 95):.0f}",
        f"{np.sum(seen) / np.sum(iterations):.2f}",
        f"{1e6 * each.min():.1f} / {1e6 * np.median(each):.1f}",
        f"{1e3 * np.median(seconds):.2f}",
        f"{1e3 * np.median(errors):.2f}",
    ]


def convergence(count: int) -> None:
    """Goals within reach and out of reach, for every figure."""
    figure, body = person(), human()
    arm = chain(20, 0.1)
    rows: list[list[str]] = []

    def goals(of: Figure, make: Callable[[Posture], Problem], **options: Any) -> list[Problem]:
        rngs = [np.random.default_rng(seed) for seed in range(count)]
        return [make(goal(of, rng, **options)) for rng in rngs]

    def beyond(posture: Posture) -> Problem:
        away = np.random.default_rng(int(1e6 * abs(posture.q[-1]))).normal(size=3)
        return pack(figure, figure.rest(), wishes(figure, posture, away / np.linalg.norm(away)))

    def six(posture: Posture) -> Problem:
        return points(figure, SIX, posture)

    cases = [
        ("71, six points near", figure, goals(figure, six, anywhere=False)),
        ("71, six points anywhere", figure, goals(figure, six, anywhere=True)),
        (
            "71, four levels near",
            figure,
            goals(
                figure,
                lambda p: pack(figure, figure.rest(), wishes(figure, p)),
                anywhere=False,
            ),
        ),
        ("71, hand 1 m out", figure, goals(figure, beyond, anywhere=False)),
        ("human, four points", body, goals(body, lambda p: points(body, FOUR, p), anywhere=False)),
        ("chain of 20, tip", arm, goals(arm, lambda p: points(arm, ("tip",), p), anywhere=False)),
    ]
    for label, of, problems in cases:
        start = of.clamp(of.rest()).q + (0.05 if of is arm else 0.0)
        for method in METHODS:
            rows.append(row(label, method, problems, start, 1000))
    show(
        "Solves from rest, at most 1000 iterations: median/95th percentile of iterations, postures "
        "looked at in each, least/median time of each; marks at n = 71: nlp 15 µs, projected 10 µs",
        (
            "goals",
            "method",
            "solved/stationary/all",
            "iterations",
            "looks",
            "µs an iteration",
            "ms",
            "error (mm)",
        ),
        rows,
    )


def growth() -> None:
    """Chains of hinges; a goal for the tip and one for the middle, out of reach."""
    rows: list[list[str]] = []
    for n in (25, 50, 100, 200, 400, 800):
        figure = chain(n, 2.0 / n, limit=1.0)
        start = figure.rest().q + 0.1 / n
        wanted = [
            Wish("tip", Position("tip", (-0.5, 0.0, 2.0)), 1),
            Wish("middle", Position(f"link_{n // 2}", (0.2, 0.0, -0.6)), 1),
        ]
        problem = pack(figure, figure.rest(), wanted)
        line = [str(figure.n)]
        for method in METHODS:
            outcome = solved(method, problem, start, limit=60)
            each = 1e6 * outcome.seconds / max(outcome.iterations, 1)
            line += [f"{each:.1f}", f"{1e3 * each / figure.n:.0f}"]
            if method == "nlp":
                line.append(f"{1e6 * each / figure.n**2:.0f}")
        rows.append(line)
    show(
        "Cost of an iteration against n: a chain, 60 iterations at most; where n is large, nlp "
        "goes with n² and the projected gradient with n",
        ("n", "nlp µs", "ns / n", "ps / n²", "projected µs", "ns / n"),
        rows,
    )


def gradients() -> None:
    """A potential and its gradient by one sweep, and by a Jacobian."""
    figure = person()
    tree, rng = figure.packed.tree, np.random.default_rng(0)
    posture = goal(figure, rng, anywhere=False)
    rows: list[list[str]] = []
    for label, problem in (
        ("six points", points(figure, SIX, posture)),
        ("four levels", pack(figure, figure.rest(), wishes(figure, posture))),
    ):
        parts = kernel.residuals.gradients.potential(problem.blocks)
        residual = np.zeros(problem.blocks.inequality.size)
        room = kernel.residuals.gradients.wrenches(tree.parent.size, residual.size, figure.n)
        state, scratch = (
            kernel.body.tree.state(tree),
            kernel.residuals.blocks.make_scratch(problem.blocks, figure.n, 0),
        )
        q, out, count = figure.rest().q.copy(), np.zeros(figure.n), 1000
        swept = least_seconds(
            lambda: repeat_sweep(tree, parts, q, state, scratch, residual, room, out, count),  # noqa: B023
            inner=count,
        )
        formed = least_seconds(
            lambda: repeat_jacobian(
                tree,
                problem.blocks,  # noqa: B023
                q,  # noqa: B023
                state,  # noqa: B023
                scratch,  # noqa: B023
                residual,  # noqa: B023
                room.matrix,  # noqa: B023
                out,  # noqa: B023
                count,  # noqa: B023
            ),
            inner=count,
        )
        rows.append([label, f"{1e6 * swept:.2f}", f"{1e6 * formed:.2f}"])
    show(
        f"From coordinates to P and its gradient, n = {figure.n}",
        ("goals", "µs by a sweep", "µs by a Jacobian"),
        rows,
    )


def main(count: int) -> None:
    """Print all tables."""
    gradients()
    convergence(count)
    growth()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
