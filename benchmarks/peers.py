"""The same problems beside other solvers, in one run, on the same figure.

The figure is a person of 54 coordinates: a free root and 48 hinges, as `poise.export` writes them
with `hinges=True`. Everyone has the same hinges with the same limits: poise and mink by the MJCF
file, the others by the URDF file. Before anything is measured their forward kinematics must agree.

Every solver does every list of problems several times. The time of a problem is the least of its
repeats, goals set included; the table has the median over the problems / the 95th percentile.
Errors and limits are measured by poise on the posture that came out, whoever found it; "a / b" is
there the median / the most. Success is every goal met to 0.1 mm (angles count half a metre per
radian); where hands are out of reach, feet kept to 0.1 mm and hands at most 1 cm farther off than
anyone brought them. docs/benchmarks.md has the tables.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from beside import METRES_PER_RADIAN, TOLERANCE, Goals, Problem, Solver
from numpy.typing import NDArray
from peer_solvers import installed
from timing import show

import poise
from poise.figure import Figure, Fixed, Joint, Segment, Transform
from poise.figure.kinds import Free
from poise.figure.transform import rotation_vector
from poise.formats import read
from poise.models import person_joints as joints
from poise.models.person import Person
from poise.models.published import leg_of_8
from poise.models.sketch import SIDES

Values = NDArray[np.float64]

SITES = {
    "left_hand_goal": "left_hand",
    "right_hand_goal": "right_hand",
    "left_foot_goal": "left_foot",
    "right_foot_goal": "right_foot",
    "head_goal": "eyes",
}
"""Frames for goals, each a segment fixed to where this site is: not all files have sites."""
FRAMES = (*SITES, "pelvis")
FEET, HANDS = ("left_foot_goal", "right_foot_goal"), ("left_hand_goal", "right_hand_goal")
NUMBER = 60
"""Frames of a motion."""
REPEATS = 6
MOST_APART = 1e-6
"""Metres by which forward kinematics may differ."""
NEAR = 0.01
"""Metres by which hands may be short of the best of all solvers."""
REACH = 2.1
"""Metres from the feet to the hands of a person who stretches up, a little more than there are."""


def person(folder: Path) -> Figure:
    """The figure, and in the folder person.xml and person.urdf of it."""
    sketch = Person("person", "54 coordinates", stature=1.75, mass=75.0)
    back = ("lower_back", "upper_back")
    sketch.trunk({name: (name, joints.trunk(2)) for name in back}, root="free")
    sketch.neck({"neck": ("neck", joints.neck())}, joints.head_ball())
    for name, side in SIDES:
        sketch.arm(
            name,
            clavicle=joints.clavicle_ball(side),
            shoulder=joints.shoulder(side),
            elbow=joints.elbow(),
            wrist=joints.wrist_ball(side),
        )
        leg_of_8(sketch, name, side)
    poise.export(sketch.build(), folder / "balls.xml", hinges=True)
    hinges = read(folder / "balls.xml").figure
    places = {name: hinges.sites[site] for name, site in SITES.items()}
    segments = [*hinges.segments.values(), *(Segment(name) for name in places)]
    fixed = [
        Joint(f"{name}_joint", Fixed(), site.segment, name, site.position, site.rotation)
        for name, site in places.items()
    ]
    inner = [*hinges.joints.values(), *fixed]
    rest = dict(zip(hinges.coordinates, hinges.rest().q.tolist(), strict=True))
    figure = Figure("person", segments, inner, postures={"rest": rest})
    poise.export(figure, folder / "person.xml")
    # Those who read URDF add the free root themselves.
    held = [replace(j, kind=Fixed()) if isinstance(j.kind, Free) else j for j in inner]
    poise.export(Figure("person", segments, held), folder / "person.urdf")
    return figure


def check_kinematics(figure: Figure, solvers: dict[str, type[Solver]], problem: Problem) -> float:
    """The greatest distance (m) between anyone's frames and ours, angles as half a metre each."""
    rng = np.random.default_rng(3)
    worst = 0.0
    for make in solvers.values():
        solver = make(problem)
        for _ in range(20):
            q = figure.clamp(figure.rest().q + rng.uniform(-1.0, 1.0, figure.n)).q
            solver.start(q)
            ours = figure.place(q)
            for frame in problem.frames:
                worst = max(worst, missed(ours[frame], solver.place(frame), turns=True))
    return worst


def missed(goal: Transform, place: Transform, *, turns: bool) -> float:
    """How far a frame is from its goal, in metres."""
    miss = float(np.linalg.norm(goal.position - place.position))
    turn = float(np.linalg.norm(rotation_vector(goal.rotation.T @ place.rotation)))
    return max(miss, METRES_PER_RADIAN * turn) if turns else miss


# what is asked --------------------------------------------------------------------------------


def motion(figure: Figure) -> list[Goals]:
    """Frames of a posture that sways: goals move by some centimetres from one to the next."""
    rng = np.random.default_rng(1)
    size, rate, phase = (rng.uniform(*ends, figure.n) for ends in ((0.1, 0.5), (0.5, 2), (0, 6.28)))
    size[figure.root_coordinates] *= 0.3
    goals: list[Goals] = []
    for angle in np.linspace(0.0, 2 * np.pi, NUMBER + 1)[1:]:
        sway = size * (np.sin(rate * angle + phase) - np.sin(phase))
        goals.append(places_of(figure, figure.clamp(figure.rest().q + sway).q))
    return goals


def scattered(figure: Figure, count: int) -> list[Goals]:
    """Placements of rest + U(−0.6, 0.6) rad, clamped; the root stays."""
    rng = np.random.default_rng(2)
    inner = ~figure.root_coordinates
    goals: list[Goals] = []
    for _ in range(count):
        q = figure.rest().q.copy()
        q[inner] += rng.uniform(-0.6, 0.6, int(inner.sum()))
        goals.append(places_of(figure, figure.clamp(q).q))
    return goals


def out_of_reach(figure: Figure) -> list[Goals]:
    """Feet stay, hands are to go where a stretched person is a metre short; moved a little."""
    rest = places_of(figure, figure.rest().q)
    middle = 0.5 * sum((rest[foot].position for foot in FEET), np.zeros(3))
    goals: list[Goals] = []
    for step in np.arange(NUMBER):
        up, aside = np.deg2rad(30 + 0.5 * step), np.deg2rad(-30 + 0.7 * step)
        way = [np.cos(up) * np.cos(aside), np.cos(up) * np.sin(aside), np.sin(up)]
        far = middle + (REACH + 1.0) * np.array(way)
        hands = {hand: Transform(rest[hand].rotation, far) for hand in HANDS}
        goals.append({**{foot: rest[foot] for foot in FEET}, **hands})
    return goals


def places_of(figure: Figure, q: Values) -> dict[str, Transform]:
    places = figure.place(q)
    return {frame: places[frame] for frame in FRAMES}


# what comes of it -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """The postures that a solver found for a list of goals, and its milliseconds for each."""

    q: Values
    milliseconds: Values


def measured(solver: Solver, figure: Figure, goals: Sequence[Goals], *, warm: bool) -> Result:
    """Solve all, each from the posture before or each from rest, several times over."""
    rest = figure.rest().q
    postures = np.empty((len(goals), figure.n))
    seconds = np.full((REPEATS, len(goals)), np.inf)
    for repeat in range(REPEATS + 1):  # the first only warms up
        solver.start(rest)
        for i, goal in enumerate(goals):
            if not warm:
                solver.start(rest)
            before = time.perf_counter()
            solver.solve(goal)
            if repeat:
                seconds[repeat - 1, i] = time.perf_counter() - before
            postures[i] = solver.q
    return Result(postures, 1e3 * seconds.min(axis=0))


def errors_of(
    figure: Figure, result: Result, goals: Sequence[Goals], frames: Sequence[str], *, turns: bool
) -> Values:
    """(problems, frames) metres."""
    rows = []
    for q, goal in zip(result.q, goals, strict=True):
        places = figure.place(q)
        rows.append([missed(goal[frame], places[frame], turns=turns) for frame in frames])
    return np.array(rows)


def violation(figure: Figure, result: Result) -> float:
    """The most by which any coordinate leaves its limits, in degrees."""
    over = np.maximum(figure.lower - result.q, result.q - figure.upper).max()
    return float(np.rad2deg(max(over, 0.0)))


def ratios(results: dict[str, Result]) -> dict[str, tuple[str, str]]:
    """Milliseconds (median / 95 %), and how many times the first solver's the medians are."""
    medians = {name: float(np.median(each.milliseconds)) for name, each in results.items()}
    ours = next(iter(medians.values()))
    return {
        name: (
            f"{medians[name]:.3f} / {np.percentile(each.milliseconds, 95):.1f}",
            f"{medians[name] / ours:.1f}",
        )
        for name, each in results.items()
    }


def reached(
    title: str,
    problem: Problem,
    goals: Sequence[Goals],
    makers: dict[str, type[Solver]],
    *,
    warm: bool,
) -> None:
    """Print how solvers do where every goal can be met."""
    figure = problem.figure
    results = {
        name: measured(make(problem), figure, goals, warm=warm) for name, make in makers.items()
    }
    times = ratios(results)
    rows = []
    for name, result in results.items():
        worst = errors_of(figure, result, goals, problem.frames, turns=problem.turns).max(axis=1)
        rows.append(
            [
                name,
                f"{1e3 * np.median(worst):.3f} / {1e3 * worst.max():.2f}",
                f"{np.mean(worst <= 1.01 * TOLERANCE):.1%}",
                f"{violation(figure, result):.1e}",
                *times[name],
            ]
        )
    columns = ("", "worst goal mm", "success", "limits °", "ms", "× ours")
    show(title, columns, rows)


def ranked(
    title: str, problem: Problem, goals: Sequence[Goals], makers: dict[str, type[Solver]]
) -> None:
    """Print how solvers do where what comes second cannot be met."""
    figure = problem.figure
    results = {
        name: measured(make(problem), figure, goals, warm=True) for name, make in makers.items()
    }
    times = ratios(results)
    feet = {
        n: errors_of(figure, r, goals, FEET, turns=False).max(axis=1) for n, r in results.items()
    }
    # Both hands together, as a level counts them.
    short = {
        n: np.linalg.norm(errors_of(figure, r, goals, HANDS, turns=False), axis=1)
        for n, r in results.items()
    }
    kept = {name: feet[name] <= 1.01 * TOLERANCE for name in results}
    best = np.min([np.where(kept[name], short[name], np.inf) for name in results], axis=0)
    rows = []
    for name, result in results.items():
        behind = short[name] - best
        jumps = np.rad2deg(
            np.abs(np.diff(result.q[:, ~figure.root_coordinates], axis=0)).max(axis=1)
        )
        rows.append(
            [
                name,
                f"{1e3 * np.median(feet[name]):.3f} / {1e3 * feet[name].max():.2f}",
                f"{1e3 * np.median(behind):.1f} / {1e3 * behind.max():.1f}",
                f"{np.mean(kept[name] & (behind <= NEAR)):.1%}",
                f"{np.median(jumps):.1f} / {jumps.max():.1f}",
                f"{violation(figure, result):.1e}",
                *times[name],
            ]
        )
    columns = (
        "",
        "feet off mm",
        "hands short mm",
        "success",
        "° a frame",
        "limits °",
        "ms",
        "× ours",
    )
    show(title, columns, rows)


def main() -> None:
    """Check and print all tables."""
    makers, missing = installed()
    for name in missing:
        print(f"{name} is not installed and is left out")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        figure = person(folder)
        track = Problem(figure, folder, FRAMES, (), turns=False, cap=20)
        apart = check_kinematics(figure, makers, track)
        if apart > MOST_APART:
            raise SystemExit(f"forward kinematics differ by {apart:.1e} m: nothing is measured")
        print(f"n = {figure.n}; forward kinematics of all differ by at most {apart:.1e} m")
        goals = motion(figure)
        moved = [
            np.linalg.norm(b[f].position - a[f].position)
            for a, b in pairwise(goals)
            for f in FRAMES
        ]
        print(
            f"goals move by {1e2 * np.median(moved):.1f} cm a frame, {1e2 * max(moved):.1f} at most"
        )
        reached("Tracking 6 positions, warm", track, goals, makers, warm=True)
        reached(
            "Tracking 6 positions and rotations, warm",
            replace(track, turns=True),
            goals,
            makers,
            warm=True,
        )
        ranked(
            "Hands 1 m out of reach, feet ranked above, warm",
            Problem(figure, folder, (*FEET, *HANDS), FEET, turns=False, cap=100),
            out_of_reach(figure),
            makers,
        )
        reached(
            "200 cold starts from rest, 6 positions",
            replace(track, cap=100),
            scattered(figure, 200),
            makers,
            warm=False,
        )


if __name__ == "__main__":
    main()
