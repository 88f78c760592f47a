"""What a call costs: Python around a warm solve, in the loop that users write.

A person stands on both feet, holds the pelvis and the head, keeps the left hand, and follows a path
with the right one:

    handle.target = p
    solution = scene.solve()
    scene.posture = solution.posture

Each frame is timed as a whole; `solution.seconds` is what the solver took of it, and what is left
is Python around it. With `all six` every target is set in every frame. `animate` does the same in
one call. The first solve of a scene is cold: it packs the tasks and makes room for the solver; that
row is of scenes made anew, with kernels that are compiled already.

The second table is how far targets may move between two solves for a warm one to be as good as a
cold one, `poise.solvers.registry.NEAR`. A person stands balanced, keeps the eyes where they are and
reaches for a target that goes so far at once in random directions, within 0.45 m. Each time a warm
solve and a cold one start from the same posture, that of the warm one before, or of the cold one
where that did not arrive. `lost` is how often only the cold one met everything; `criterion` the
most by which the distance from rest (rad) was longer after the warm one.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from timing import show

import poise
from poise.scene import Scene
from poise.scene.solving import prepare
from poise.solvers import lex
from poise.solvers.outcome import Ending
from poise.tasks import Balance, Frame, Position, Rest

Values = NDArray[np.float64]

FRAMES, WARM_UP, SCENES = 3000, 300, 30
AMPLITUDE, CYCLE = np.array([0.05, 0.08, 0.10]), 240.0
"""Of the path, in metres, and how many frames it takes to come round: four seconds at 60 Hz."""
HOME = (0.35, -0.25, 1.15)
JUMPS, SIZES = 400, (0.003, 0.01, 0.03, 0.06, 0.1, 0.2, 0.3)
ENDING: Ending = {"tolerance": 1e-4, "max_iterations": 200, "max_seconds": None}
HELD = ("left_foot", "right_foot", "pelvis", "eyes", "left_hand")


def person() -> Scene:
    """A person with six tasks, the moving one named `reach`."""
    scene = Scene(poise.human())
    scene.add(Frame("left_foot"), priority=1)
    scene.add(Frame("right_foot"), priority=1)
    scene.add(Position("pelvis"), priority=2)
    scene.add(Position("eyes"), priority=3)
    scene.add(Position("left_hand"), priority=3)
    scene.add(Position("right_hand", HOME), priority=3, name="reach")
    scene.posture = scene.solve().posture
    return scene


def path(start: Values, frames: int) -> Values:
    """Points (frames, 3) on a smooth closed way from a start."""
    phase = 2 * np.pi * np.arange(frames)[:, None] / CYCLE
    return start + AMPLITUDE * np.sin(phase * [1.0, 2.0, 1.0])


def paths(scene: Scene, frames: int) -> dict[str, list[Values]]:
    """The way of the right hand, and small ways for all that is held."""
    start = scene.places
    result = {"reach": list(path(start["right_hand"].position, frames))}
    for name in HELD:
        where = start[name].position
        result[name] = list(where + 0.1 * (path(where, frames) - where))
    return result


def loop(scene: Scene, ways: dict[str, list[Values]]) -> tuple[Values, Values]:
    """Follow paths frame by frame; how long each frame took, and the solver within it."""
    whole, inside = list[float](), list[float]()
    handles = [scene.handles[name] for name in ways]
    clock = time.perf_counter
    frames = zip(*ways.values(), strict=True)
    for moves in [list(zip(handles, points, strict=True)) for points in frames]:
        begun = clock()
        for handle, point in moves:
            handle.target = point
        solution = scene.solve()
        scene.posture = solution.posture
        whole.append(clock() - begun)
        inside.append(solution.seconds)
        if not solution.met:
            sys.exit(f"frame {len(whole)} is not met:\n{solution}")
    return np.array(whole[WARM_UP:]), np.array(inside[WARM_UP:])


def animated(scene: Scene, ways: dict[str, list[Values]]) -> tuple[Values, Values]:
    """The same paths by `animate`: the mean time of a frame in each of several calls."""
    whole, inside = list[float](), list[float]()
    frames = len(ways["reach"])
    for _ in range(5):
        begun = time.perf_counter()
        moves = scene.animate(ways)
        whole.append((time.perf_counter() - begun) / frames)
        inside.append(float(moves.solutions.seconds.mean()))
        if not moves.solutions.met.all():
            sys.exit("a frame of the animation is not met")
    return np.array(whole), np.array(inside)


def first_solves(make: Callable[[], Scene], point: Values) -> tuple[Values, Values]:
    """The first solve of scenes that were made anew."""
    whole, inside = list[float](), list[float]()
    for _ in range(SCENES):
        scene = make()
        scene.posture = scene.posture.copy()
        scene.handles["reach"].weight = 1.0  # nothing packed is left
        begun = time.perf_counter()
        scene.handles["reach"].target = point
        solution = scene.solve()
        scene.posture = solution.posture
        whole.append(time.perf_counter() - begun)
        inside.append(solution.seconds)
    return np.array(whole), np.array(inside)


class Walk(NamedTuple):
    """How warm and cold solves came out along a walk."""

    met: int
    lost: int
    iterations: Values
    """(2,) the mean of warm and cold ones."""
    seconds: Values
    """(2,) the median."""
    worse: float
    """The most by which the distance from rest was longer after the warm one (rad)."""


def walked(size: float, *, criterion: bool) -> Walk:
    """Solve warm and cold for a target that moves by so much (m) at once."""
    scene = Scene(poise.human())
    for foot in ("left_foot", "right_foot"):
        scene.add(Frame(foot), priority=1)
    scene.add(Balance(), priority=2)
    scene.add(Position("eyes"), priority=3)
    scene.add(Position("right_hand", HOME), priority=3, name="reach")
    if criterion:
        scene.add(Rest())
    _, warm, q, _ = prepare(scene)
    cold, row = warm.twin(), [wish.name for wish in warm.wishes].index("reach")
    rng, at, reached, lost, worse = np.random.default_rng(5), np.array(HOME), 0, 0, 0.0
    q = lex.solve(warm, q, **ENDING).q
    told = list[list[float]]()
    for _ in range(JUMPS):
        step = np.full(3, np.inf)
        while np.linalg.norm(at + step - HOME) > 0.45:
            step = rng.normal(size=3)
            step *= size / np.linalg.norm(step)
        at = at + step
        warm.aim(row, [at])
        cold.aim(row, [at])
        found = lex.solve(warm, q, warm=True, **ENDING), lex.solve(cold, q, **ENDING)
        met = [all(warm.met(warm.sizes(each.residual), ENDING["tolerance"])) for each in found]
        reached, lost = reached + met[1], lost + (met[1] and not met[0])
        told.append([*(each.iterations for each in found), *(each.seconds for each in found)])
        if all(met):
            rest = [float(np.sqrt(warm.pull @ (each.q - warm.rest) ** 2)) for each in found]
            worse = max(worse, rest[0] - rest[1])
        q = found[0].q if met[0] else lex.solve(warm, q, **ENDING).q
    table = np.array(told)
    return Walk(reached, lost, table[:, :2].mean(0), np.median(table[:, 2:], axis=0), worse)


def row(name: str, whole: Values, inside: Values) -> Sequence[str]:
    """Median and 95th percentile of the whole, of the solver and of the difference, in µs."""
    cells = [name]
    for each in (whole, inside, whole - inside):
        cells += [f"{1e6 * np.median(each):.1f}", f"{1e6 * np.percentile(each, 95):.1f}"]
    return [*cells, f"{1e6 * (whole - inside).min():.1f}"]


def main() -> None:
    """Measure and print."""
    scene = person()
    ways = paths(scene, FRAMES + WARM_UP)
    alone = {"reach": ways["reach"]}
    rows = [
        row("loop, one target", *loop(scene, alone)),
        row("loop, all six", *loop(person(), ways)),
        row("animate, one target", *animated(person(), alone)),
        row("animate, all six", *animated(person(), ways)),
        row("first solve", *first_solves(person, ways["reach"][10])),
    ]
    columns = ["µs a frame", "whole", "p95", "solver", "p95", "Python", "p95", "least"]
    title = f"{scene.figure.n} coordinates, 6 tasks, {FRAMES} frames"
    show(title, columns, rows)
    rows = list[Sequence[str]]()
    for criterion in (False, True):
        for size in SIZES:
            walk = walked(size, criterion=criterion)
            name = f"{size:g} m{', with Rest' if criterion else ''}"
            numbers = [f"{each:.1f}" for each in (*walk.iterations, *1e6 * walk.seconds)]
            worse = f"{walk.worse:.1e}" if criterion else ""
            rows.append([name, str(walk.met), str(walk.lost), *numbers, worse])
    columns = ["moved at once", "met", "lost", "warm it.", "cold it.", "warm µs", "cold µs"]
    show(f"Warm beside cold, {JUMPS} times each", [*columns, "criterion"], rows)


if __name__ == "__main__":
    main()
