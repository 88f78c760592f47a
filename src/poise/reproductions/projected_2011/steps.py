"""Fig. 6: the transpose of the Jacobian with a fixed step, short enough and too long."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.figure import Posture
from poise.reproductions.claims import NOT_STATED, Claim, Report, Result
from poise.reproductions.drawing import BLUE, RED, plot, write
from poise.reproductions.projected_2011.motion import Exercise, exercise
from poise.reproductions.projected_2011.protocol import UNIT, scene_of, total

Floats = NDArray[np.float64]

SHORT, LONG = 0.005, 0.05
"""The paper's steps, in its units."""
_APART = 1 / 28
"""How much of the cycle lies between the start and the goal, "comparatively close"."""
_ITERATIONS = 200


def course(motion: Exercise, share: float, step: float, iterations: int) -> list[Posture]:
    """The postures of all iterations of the transpose, towards a posture of the motion.

    Args:
        motion: the exercise.
        share: where the goal is in its cycle; the start is a 28th of it earlier.
        step: in the paper's units.
        iterations: how many.
    """
    scene = scene_of(motion.at(share))
    scene.posture = motion.at(share - _APART)
    postures = [motion.at(share - _APART)]
    for _ in range(iterations):
        # With a fixed step a solve of k iterations is k solves of one.
        solution = scene.solve(
            "transpose", step=step / UNIT**2, max_iterations=1, tolerance=1e-9, limits="each"
        )
        scene.posture = solution.posture
        postures.append(solution.posture)
    return postures


def _errors(postures: list[Posture], goal: Posture) -> Floats:
    return np.array([total(each, goal) for each in postures])


def fig_6(folder: Path | None, report: Report, motion: Exercise | None = None) -> Result:
    """A short step and a long one."""
    motion = motion or exercise()
    share = 0.5
    goal = motion.at(share)
    report("short steps", 0.0)
    short = _errors(course(motion, share, SHORT, _ITERATIONS), goal)
    report("long steps", 0.2)
    flipping = course(motion, share, LONG, _ITERATIONS)
    long = _errors(flipping, goal)
    report("looking for the longest step", 0.4)
    edge = longest(motion, share)
    # The last steps of the long run go to and fro by far more than they get nearer.
    hop = total(flipping[-1], flipping[-2])
    claims = (
        Claim(
            f"with a step of {SHORT:g} the transpose converges",
            "converges",
            f"{short[0]:.2g} → {short[-1]:.2g} units² in {_ITERATIONS} iterations",
            _converges(short),
        ),
        Claim(
            f"with a step of {LONG:g} it diverges",
            "diverges",
            f"{long[0]:.2g} → {long[-1]:.2g} units²",
            not _converges(long) and long[-1] > long[0],
        ),
        Claim(
            f"with a step of {LONG:g} the figure flips between two poses",
            "flips",
            f"from one iteration to the next by {hop:.2g} units², to return after two by "
            f"{total(flipping[-1], flipping[-3]):.2g}",
            hop > total(flipping[-1], flipping[-3]) and hop > long[0],
        ),
        Claim(
            f"a step of more than {SHORT:g} makes it diverge",
            f"{SHORT:g}",
            f"{edge:.3g} is the longest that converges",
            SHORT <= edge < 2 * SHORT,
        ),
    )
    report("drawing", 0.7)
    return Result(claims, _pictures(folder, flipping, goal, short, long))


def longest(motion: Exercise, share: float) -> float:
    """The longest step, in the paper's units, that converges; to a fiftieth of it."""
    low, high = 1e-4, LONG
    goal = motion.at(share)
    while high > 1.02 * low:
        middle = float(np.sqrt(low * high))
        converges = _converges(_errors(course(motion, share, middle, _ITERATIONS), goal))
        low, high = (middle, high) if converges else (low, middle)
    return low


def _converges(errors: Floats) -> bool:
    """Whether the error falls from the start on and never rises again in the second half."""
    half = errors[len(errors) // 2 :]
    return bool(errors[-1] < errors[0] and np.all(np.diff(half) <= 1e-9 * errors[0]))


def _pictures(
    folder: Path | None, flipping: list[Posture], goal: Posture, short: Floats, long: Floats
) -> tuple[Path, ...]:
    if folder is None:
        return ()
    from poise.pictures.figures import solid
    from poise.pictures.stage import Scenery, View, render

    view = View(np.deg2rad(-60.0), np.deg2rad(12.0))
    scenery = Scenery(solid(goal.figure, goal))
    for posture, color in ((flipping[-2], "#2f9e44"), (flipping[-1], RED)):
        scenery.add(_tinted(posture, color))
    drawn = write(render(scenery, view, (900, 700)), folder, "2011-fig-6")
    with plot(folder, "2011-fig-6-errors", size=(8.0, 3.4)) as (path, (axes,)):
        axes.semilogy(short, color=BLUE, label=f"step {SHORT:g}")
        axes.semilogy(long, color=RED, label=f"step {LONG:g}")
        axes.set(xlabel="iteration", ylabel="sum of squared errors (units²)")
        axes.legend(frameon=False)
    return drawn, path


def _tinted(posture: Posture, color: str) -> list:
    from dataclasses import replace

    from poise.pictures.figures import solid

    return [replace(item, color=color) for item in solid(posture.figure, posture, opacity=0.45)]
