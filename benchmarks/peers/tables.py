"""What comes of the problems: times, errors, and how far limits are kept.

Every solver does every list of problems several times, in turn with the others. The time of a
problem is the least of its repeats, goals set included; the tables have the median over the
problems / the 95th percentile. Errors and limits are measured by poise on the posture that came
out, whoever found it; "a / b" is there the median / the most. Success is every goal met to 0.1 mm
(angles count half a metre per radian); where hands are out of reach, feet kept to 0.1 mm and hands
at most 1 cm farther off than anyone brought them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from timing import show

from peers.asked import Goals, Problem, Values
from peers.loop import METRES_PER_RADIAN, TOLERANCE
from peers.person import FEET, HANDS
from peers.running import Maker, Runner
from peers.worker import RefusedError
from poise.figure import Figure, Transform
from poise.figure.transform import rotation_vector

REPEATS = 6
NEAR = 0.01
"""Metres by which hands may be short of the best of all solvers."""


@dataclass(frozen=True)
class Result:
    """The postures that a solver found for a list of goals, and its milliseconds for each."""

    q: Values
    milliseconds: Values


def apart(figure: Figure, runner: Runner) -> float:
    """The greatest distance (m) between a solver's frames and ours, angles as half a metre each."""
    rng = np.random.default_rng(3)
    worst = 0.0
    for _ in range(20):
        q = figure.clamp(figure.rest().q + rng.uniform(-1.0, 1.0, figure.n)).q
        ours = figure.place(q)
        for frame, place in runner.places(q).items():
            worst = max(worst, missed(ours[frame], place, turns=True))
    return worst


def missed(goal: Transform, place: Transform, *, turns: bool) -> float:
    """How far a frame is from its goal, in metres."""
    miss = float(np.linalg.norm(goal.position - place.position))
    turn = float(np.linalg.norm(rotation_vector(goal.rotation.T @ place.rotation)))
    return max(miss, METRES_PER_RADIAN * turn) if turns else miss


def measured(
    problem: Problem,
    goals: Sequence[Goals],
    makers: Mapping[str, Maker],
    *,
    starts: Values | None = None,
    repeats: int = REPEATS,
) -> dict[str, Result]:
    """Solve all several times, the solvers in turn, so that other work disturbs them alike."""
    runners: dict[str, Runner] = {}
    for name, make in makers.items():
        try:
            runners[name] = make(problem)
        except RefusedError as reason:
            print(f"{name} is left out of the next table: {reason}")
    postures: dict[str, Values] = {}
    seconds = {name: np.full(len(goals), np.inf) for name in runners}
    for repeat in range(repeats + 1):  # the first only warms up
        for name, runner in runners.items():
            done = runner.run(goals, starts)
            postures[name] = done.q
            if repeat:
                seconds[name] = np.minimum(seconds[name], done.seconds)
    return {name: Result(postures[name], 1e3 * seconds[name]) for name in runners}


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
            f"{medians[name]:.3f} / {np.percentile(each.milliseconds, 95):.3f}",
            f"{medians[name] / ours:.1f}",
        )
        for name, each in results.items()
    }


def reached(
    title: str,
    problem: Problem,
    goals: Sequence[Goals],
    makers: Mapping[str, Maker],
    *,
    starts: Values | None = None,
    repeats: int = REPEATS,
) -> None:
    """Print how solvers do where every goal can be met.

    Args:
        title: of the table.
        problem: what is asked.
        goals: of one problem after the other.
        makers: the solvers.
        starts: (problems, n) postures to start from, in place of rest.
        repeats: the least time of so many counts.
    """
    figure = problem.figure
    results = measured(problem, goals, makers, starts=starts, repeats=repeats)
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
    title: str, problem: Problem, goals: Sequence[Goals], makers: Mapping[str, Maker]
) -> None:
    """Print how solvers do where what comes second cannot be met."""
    figure = problem.figure
    results = measured(problem, goals, makers)
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
