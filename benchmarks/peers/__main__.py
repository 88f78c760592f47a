"""Print the tables; docs/benchmarks.md has them with their explanation.

python benchmarks/run.py peers [TABLE …] [--seeds 100-104] [--only SOLVER …]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from lines import Worker, WorkerError
from postures import seeds

from peers.asked import Problem
from peers.environments import ENVIRONMENTS, UnavailableError, interpreter
from peers.person import FEET, FRAMES, HANDS, anywhere, motion, out_of_reach, person, scattered
from peers.running import Here, Maker, There
from peers.solvers import installed
from peers.tables import apart, ranked, reached

MOST_APART = 1e-6
"""Metres by which forward kinematics may differ."""
STATED = seeds("100-104")
"""Of the table `uniform`; 0 to 4 are for tuning."""
PROBLEMS = 200
"""For each seed of that table."""
FEWER_REPEATS = 2
"""Of that table, which is long."""


def solvers(stack: ExitStack, track: Problem, only: tuple[str, ...] = ()) -> dict[str, Maker]:
    """All that can be had, and agree with us on where frames are; says why others are left out.

    Args:
        stack: ends the worker processes.
        track: a problem for which they are tried.
        only: how the names of those begin that are wanted; none for all.
    """

    def wanted(name: str) -> bool:
        return not only or name.startswith(only)

    classes, missing = installed()
    for name in filter(wanted, missing):
        print(f"{name} is left out: it is not installed (make bench installs it)")
    makers: dict[str, Maker] = {
        name: partial(Here, each) for name, each in classes.items() if wanted(name)
    }
    for name, environment in ENVIRONMENTS.items():
        if not wanted(name):
            continue
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


class Desk(NamedTuple):
    """What the tables need."""

    track: Problem
    makers: Mapping[str, Maker]
    seeds: Sequence[int]


def tracking(desk: Desk) -> None:
    """Print how a motion is followed."""
    goals = motion(desk.track.figure)
    moved = [
        np.linalg.norm(b[f].position - a[f].position) for a, b in pairwise(goals) for f in FRAMES
    ]
    print(f"goals move by {1e2 * np.median(moved):.1f} cm a frame, {1e2 * max(moved):.1f} at most")
    title = "Tracking 6 positions, warm; marks for poise, Scene: 0.08 / 0.10 ms"
    reached(title, desk.track, goals, desk.makers)
    title = "Tracking 6 positions and rotations, warm"
    reached(title, replace(desk.track, turns=True), goals, desk.makers)


def far(desk: Desk) -> None:
    """Print how hands are stretched out towards what they cannot reach."""
    problem = replace(desk.track, frames=(*FEET, *HANDS), first=FEET, cap=100)
    title = "Hands 1 m out of reach, feet ranked above, warm"
    ranked(title, problem, out_of_reach(problem.figure), desk.makers)


def near(desk: Desk) -> None:
    """Print how goals not far from rest are found from there."""
    problem = replace(desk.track, warm=False, cap=100)
    title = "200 cold starts from rest, 6 positions"
    reached(title, problem, scattered(problem.figure, 200), desk.makers)


def uniform(desk: Desk) -> None:
    """Print how goals anywhere within limits are found: from rest, and from anywhere."""
    problem = replace(desk.track, warm=False, cap=100)
    for within, human in (("a person's ranges", True), ("the files' limits", False)):
        sets = [anywhere(problem.figure, seed, PROBLEMS, human=human) for seed in desk.seeds]
        goals = [goal for each, _ in sets for goal in each]
        others = np.concatenate([each for _, each in sets])
        for start, starts in (("rest", None), ("random postures", others)):
            title = f"{len(goals)} cold starts from {start}, 6 positions, uniform within {within}"
            reached(title, problem, goals, desk.makers, starts=starts, repeats=FEWER_REPEATS)


TABLES = {"tracking": tracking, "far": far, "near": near, "uniform": uniform}


def main(arguments: Sequence[str]) -> None:
    """Check and print the tables that are named, or all."""
    parser = argparse.ArgumentParser(prog="peers", description="poise beside other solvers")
    parser.add_argument("tables", nargs="*", help=", ".join(TABLES))
    parser.add_argument("--seeds", type=seeds, default=STATED, help="of the table uniform")
    parser.add_argument("--only", nargs="+", default=(), metavar="SOLVER", help="names begin so")
    given = parser.parse_args(arguments)
    for name in given.tables:
        if name not in TABLES:
            parser.error(f"there is no table {name!r}; there are: {', '.join(TABLES)}")
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        figure = person(folder)
        track = Problem(figure, folder, FRAMES, (), turns=False, warm=True, cap=20)
        desk = Desk(track, solvers(stack, track, tuple(given.only)), given.seeds)
        print(f"n = {figure.n}; forward kinematics of all agree to {MOST_APART:.0e} m")
        for each in given.tables or TABLES:
            TABLES[each](desk)


if __name__ == "__main__":
    main(sys.argv[1:])
