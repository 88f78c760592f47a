"""The lexicographic solver: how often, how fast, how calmly it finds postures.

The figure has 71 coordinates on a tree like a person's; four levels with 27 rows ask for feet,
centre of mass, hands, then orientations and elbows; `person_of_71.py` says for what goals. Times
are the least of five solves; that of a step is a whole solve's by its steps, where all goals can be
met. How often goals anywhere are met with other starts is told by `many.py`, what a step costs with
10 or 30 bounds by `hierarchy.py`.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from person_of_71 import GROUPS, Values, drawn, goal, person
from timing import show

from poise.figure import Figure, Posture
from poise.models.chain import chain
from poise.models.human import human
from poise.solvers import lex
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem, Wish, pack
from poise.tasks import CenterOfMass, Orientation, Position

TOLERANCE, LIMIT = 1e-4, 100


def wishes(figure: Figure, goal: Posture, out: Values | None = None) -> list[Wish]:
    """Four levels from a posture; the left hand's goal is moved by `out`."""
    places = figure.place(goal)

    def at(site: str) -> Values:
        return places[site].position + (out if out is not None and site == "left_hand" else 0.0)

    return [
        *(Wish(s, Position(s, at(s)), 1) for s in ("left_foot", "right_foot")),
        Wish("balance", CenterOfMass(figure.center_of_mass(goal)), 2),
        *(Wish(s, Position(s, at(s)), 3) for s in ("left_hand", "right_hand")),
        *(Wish(s, Orientation(s, places[s].rotation), 4) for s in ("head", "chest")),
        *(Wish(s, Position(s, at(s)), 4) for s in ("left_elbow", "right_elbow")),
    ]


def solved(problem: Problem, start: Values, *, warm: bool = False) -> Outcome:
    """One solve."""
    return lex.solve(
        problem, start, tolerance=TOLERANCE, max_iterations=LIMIT, max_seconds=None, warm=warm
    )


class Solved(NamedTuple):
    """How one problem was solved."""

    status: str
    iterations: int
    seconds: float
    above: float
    steps: int
    optimality: float


def judged(problem: Problem, start: Values) -> Solved:
    """Solve a problem five times."""
    outcomes = [solved(problem, start) for _ in range(5)]
    last = outcomes[-1]
    return Solved(
        last.status,
        last.iterations,
        min(outcome.seconds for outcome in outcomes),
        # The worst task: two feet that are met are off by a little more together.
        float(problem.sizes(last.residual)[:3].max()),
        problem.scratch["lex"][1].counts.inner_steps,
        last.optimality,
    )


def row(label: str, solves: Sequence[Solved]) -> list[str]:
    """Say how problems were solved."""
    words = Counter(each.status for each in solves)
    iterations = [each.iterations for each in solves]
    seconds = np.array([each.seconds for each in solves])
    each, met = seconds / [max(s.steps, 1) for s in solves], words["solved"] == len(solves)
    return [
        label,
        f"{words['solved']}/{words['stationary']}/{len(solves)}",
        f"{np.median(iterations):.0f} / {np.percentile(iterations, 95):.0f}",
        f"{1e3 * np.median(seconds):.2f} / {1e3 * np.percentile(seconds, 95):.2f}",
        f"{1e6 * each.min():.0f} / {1e6 * np.median(each):.0f}" if met else "–",
        f"{1e3 * max(s.above for s in solves):.3f}",
        f"{np.nanmedian([s.optimality for s in solves]):.0e}",
    ]


def reach(count: int) -> None:
    """Goals within reach and out of reach."""
    figure = person()
    start = figure.rest().q
    rows, out_of_reach = [], []
    for label, anywhere, metres in GROUPS:
        solves = []
        for seed in range(count):
            posture, out = drawn(figure, seed, anywhere=anywhere, metres=metres)
            problem = pack(figure, figure.rest(), wishes(figure, posture, out))
            solves.append(judged(problem, start))
        rows.append(row(label, solves))
        out_of_reach += solves if metres > 0.0 else []
    rows.append(row("all that are out", out_of_reach))
    show(
        f"Solves from rest, n = {figure.n}; marks: near rest 99 % in 8 iterations and 0.3 ms, "
        "18 µs a step; out of reach stationary in 40 and 3 ms (p95), levels 1 and 2 kept to 0.1 mm",
        (
            "goals",
            "solved/stationary/all",
            "iterations med/p95",
            "ms med/p95",
            "µs a step least/med",
            "worst task of levels 1, 2 (mm)",
            "optimality (m/rad)",
        ),
        rows,
    )


def frames(figure: Figure, sites: Sequence[str]) -> list[str]:
    """A warm frame and a cold start for position goals of one level."""
    rest, rng = figure.rest(), np.random.default_rng(0)
    cold, warm, met, counts = [], [], [], []
    for _ in range(40):
        places = figure.place(goal(figure, rng, anywhere=False))
        problem = pack(figure, rest, [Wish(s, Position(s, places[s].position), 1) for s in sites])
        outcomes = [solved(problem, rest.q) for _ in range(3)]
        cold.append(min(outcome.seconds for outcome in outcomes))
        met.append(outcomes[0].status == "solved")
        q = outcomes[0].q
        places = figure.place(figure.posture(figure.clamp(figure.posture(q + 0.02)).q))
        for w, site in enumerate(sites):
            problem.aim(w, [places[site].position])
        outcomes = [solved(problem, q, warm=True) for _ in range(4)]
        warm.append(min(outcome.seconds for outcome in outcomes))
        counts.append(outcomes[-1].iterations)
    return [
        figure.name,
        str(figure.n),
        f"{np.mean(met):.0%}",
        f"{1e3 * min(cold):.3f} / {1e3 * np.median(cold):.3f}",
        f"{1e3 * min(warm):.3f} / {1e3 * np.median(warm):.3f}",
        f"{np.median(counts):.0f}",
    ]


def growth() -> list[list[str]]:
    """Chains of balls from 21 to 201 coordinates; a goal for the tip and one for the middle.

    Joints are moved by up to 0.2 rad, so that goals are met by steps alone.
    """
    rows = []
    for n in (21, 51, 99, 150, 201):
        figure = chain(n // 3, 2.0 / (n // 3), "ball", limit=1.0)
        rest, rng = figure.rest(), np.random.default_rng(n)
        least, inner = np.inf, []
        middle = f"link_{n // 6}"
        for _ in range(20):
            places = figure.place(figure.clamp(rest.q + rng.uniform(-0.2, 0.2, figure.n)))
            wanted = [
                Wish("tip", Position("tip", places["tip"].position), 1),
                Wish("middle", Position(middle, places[middle].position), 2),
            ]
            problem = pack(figure, rest, wanted)
            outcomes = [solved(problem, rest.q) for _ in range(3)]
            steps = problem.scratch["lex"][1].counts.inner_steps
            if outcomes[-1].iterations == steps:
                least = min(least, min(outcome.seconds for outcome in outcomes) / steps)
            inner.append(outcomes[-1].iterations)
        rows.append([str(figure.n), f"{np.median(inner):.0f}", f"{1e6 * least:.1f}"])
    return rows


def main(count: int) -> None:
    """Print all tables."""
    reach(count)
    ends = ("left_hand", "right_hand", "left_foot", "right_foot")
    show(
        "Position goals in one level; marks: warm 0.06 ms, cold 0.2 ms",
        ("figure", "n", "solved cold", "ms cold least/med", "ms warm least/med", "iterations warm"),
        [
            frames(person(), (*ends, "left_elbow", "right_elbow")),
            frames(human(), (*ends, "left_elbow", "right_elbow")),
        ],
    )
    show("Cost against n: a chain, two levels", ("n", "iterations", "µs a step, least"), growth())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
