"""Print the tables; docs/benchmarks.md has them with their explanation."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
from lines import Worker, WorkerError

from peers.asked import Problem
from peers.environments import ENVIRONMENTS, UnavailableError, interpreter
from peers.person import FEET, FRAMES, HANDS, motion, out_of_reach, person, scattered
from peers.running import Here, Maker, There
from peers.solvers import installed
from peers.tables import apart, ranked, reached

MOST_APART = 1e-6
"""Metres by which forward kinematics may differ."""


def solvers(stack: ExitStack, track: Problem) -> dict[str, Maker]:
    """All that can be had, and agree with us on where frames are; says why others are left out.

    Args:
        stack: ends the worker processes.
        track: a problem for which they are tried.
    """
    classes, missing = installed()
    for name in missing:
        print(f"{name} is left out: it is not installed (make bench installs it)")
    makers: dict[str, Maker] = {name: partial(Here, each) for name, each in classes.items()}
    for name, environment in ENVIRONMENTS.items():
        try:
            worker = stack.enter_context(Worker(interpreter(environment), f"peers.{name}_worker"))
            There(worker, track)
        except (UnavailableError, WorkerError) as reason:
            print(f"{name} is left out: {reason}")
        else:
            makers[name] = partial(There, worker)
    for name, make in makers.items():
        metres = apart(track.figure, make(track))
        if metres > MOST_APART:
            raise SystemExit(f"forward kinematics of {name} differ by {metres:.1e} m: no times")
    return makers


def main() -> None:
    """Check and print all tables."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        figure = person(folder)
        track = Problem(figure, folder, FRAMES, (), turns=False, warm=True, cap=20)
        makers = solvers(stack, track)
        print(f"n = {figure.n}; forward kinematics of all agree to {MOST_APART:.0e} m")
        goals = motion(figure)
        moved = [
            np.linalg.norm(b[f].position - a[f].position)
            for a, b in pairwise(goals)
            for f in FRAMES
        ]
        print(
            f"goals move by {1e2 * np.median(moved):.1f} cm a frame, {1e2 * max(moved):.1f} at most"
        )
        reached(
            "Tracking 6 positions, warm; marks for poise, Scene: 0.08 / 0.10 ms",
            track,
            goals,
            makers,
        )
        reached(
            "Tracking 6 positions and rotations, warm",
            replace(track, turns=True),
            goals,
            makers,
        )
        ranked(
            "Hands 1 m out of reach, feet ranked above, warm",
            Problem(figure, folder, (*FEET, *HANDS), FEET, turns=False, warm=True, cap=100),
            out_of_reach(figure),
            makers,
        )
        reached(
            "200 cold starts from rest, 6 positions",
            replace(track, warm=False, cap=100),
            scattered(figure, 200),
            makers,
        )


if __name__ == "__main__":
    main()
