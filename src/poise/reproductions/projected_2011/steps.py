"""Fig. 6: the transpose of the Jacobian with a fixed step, short enough and too long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.figure import Posture
from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.drawing import BLUE, RED, plot, side_by_side, write
from poise.reproductions.projected_2011.motion import GOALS as SITES
from poise.reproductions.projected_2011.motion import Exercise, exercise
from poise.reproductions.projected_2011.protocol import UNIT, scene_of, total

if TYPE_CHECKING:
    from poise.pictures.stage import Item

Floats = NDArray[np.float64]

SHORT, LONGER, LONG = 0.005, 0.006, 0.05
"""Steps in the paper's units: its own, one that is more, and that of its Fig. 6."""
_APART = 1 / 28
"""How much of the cycle lies between a start and its goal, "comparatively close"."""
_ITERATIONS = 100
GOALS = tuple((k + 0.5) / 6 for k in range(6))
"""Where the goals are: evenly spread over the whole cycle."""


class Descent:
    """The transpose on its way from one posture of the motion to a goal, a 28th of a cycle on.

    The pelvis stays where the goal has it, for it has no limits here, as all 71 coordinates of
    the paper have, and too long a step would throw it to the stars; or it moves as well.
    """

    def __init__(self, motion: Exercise, share: float, *, root_stays: bool = True) -> None:
        """Begin a 28th of the cycle before the goal."""
        self.goal, self.start = motion.at(share), motion.at(share - _APART)
        if root_stays:
            self.start["root"] = self.goal["root"]
        self._scene = scene_of(self.goal, root_stays=root_stays)
        self._scene.posture = self.start
        root = self.goal.figure.span("root")
        self._moves = np.arange(root.stop if root_stays else root.start, self.goal.figure.n)

    def course(self, step: float) -> list[Posture]:
        """The postures of all iterations, the start first; the step is in the paper's units.

        With a fixed step many iterations are as many solves of one, which have no patience that
        would end them when the error rises.
        """
        self._scene.posture = self.start
        postures = [self.start]
        for _ in range(_ITERATIONS):
            self._scene.posture = self._scene.solve(
                "transpose",
                step=step / UNIT**2,
                limits="each",
                tolerance=1e-9,
                max_iterations=1,
                restarts=0,
            ).posture
            postures.append(self._scene.posture)
        return postures

    def errors(self, step: float) -> Floats:
        """The paper's function value of all iterations, in its units²."""
        return np.array([total(posture, self.goal) for posture in self.course(step)])

    def converges(self, step: float) -> bool:
        """Whether the error falls below that of the start, and in the last quarter only falls."""
        errors = self.errors(step)
        last = errors[-_ITERATIONS // 4 :]
        return bool(errors[-1] < errors[0] and np.all(np.diff(last) <= 1e-9 * errors[0]))

    def flips(self, step: float) -> tuple[float, float]:
        """How far (units²) the last posture is from the one before, and from that before it."""
        twice, once, last = self.course(step)[-3:]
        return total(last, once), total(last, twice)

    def limit(self) -> float:
        """The step below which −τ∇f contracts near the goal: 1/σ², by the Jacobian's norm σ."""
        figure = self.goal.figure
        rows = [figure.jacobian(self.goal, name)[:3] for name in SITES]
        matrix = np.concatenate(rows)[:, self._moves] / UNIT
        return float(np.linalg.norm(matrix, 2) ** -2)

    def longest(self) -> float:
        """The longest step that converges, to a twentieth of it."""
        low, high = 1e-4, LONG
        while high > 1.05 * low:
            middle = float(np.sqrt(low * high))
            low, high = (middle, high) if self.converges(middle) else (low, middle)
        return low


def fig_6(
    folder: Path | None,
    report: Report,
    motion: Exercise | None = None,
    goals: Sequence[float] = GOALS,
) -> Result:
    """A short step and a long one, on goals at some shares of the cycle."""
    report("making the motion", 0.0)
    motion = motion or exercise()
    report("short and long steps", 0.1)
    held = [Descent(motion, share) for share in goals]
    free = [Descent(motion, share, root_stays=False) for share in goals]
    count = len(goals)
    good, bad, worse = (sum(d.converges(s) for d in held) for s in (SHORT, LONGER, LONG))
    whole = sum(d.converges(SHORT) for d in free)
    courses = [d.errors(LONG) for d in held]
    rise = [errors[-1] / errors[0] for errors in courses]
    flips = [d.flips(LONG) for d in held]
    flipping = [(once, twice) for once, twice in flips if twice < 0.01 * once]
    report("looking for the longest steps", 0.3)
    ends = [_ends(descents) for descents in (held, free)]
    claims = (
        Claim.number(
            f"with a step of {SHORT:g} the transpose converges",
            f"a fixed step-length of {SHORT:g}",
            f"for {good} of {count} goals; the longest step that does is {ends[0]}",
            good == count,
        ),
        Claim.number(
            f"with a step of {SHORT:g} it converges where the pelvis moves too",
            f"a fixed step-length of {SHORT:g}",
            f"for {whole} of {count} goals; the longest step that does is {ends[1]}",
            whole == count,
        ),
        Claim.number(
            f"with a step of more than {SHORT:g} it diverges, here for some goals",
            f"more than {SHORT:g} would make it diverge",
            f"with {LONGER:g} for {count - bad} of {count} goals",
            bad < count,
        ),
        Claim.number(
            f"with a step of {LONG:g} it does not converge",
            f"diverges at {LONG:g}",
            f"for {count - worse} of {count} goals it does not converge; the error ends at "
            f"{min(rise):.2g} to {max(rise):.2g} times that of the start",
            worse == 0,
        ),
        Claim.words(
            f"with a step of {LONG:g} the motion may flip between two poses",
            "The motion flips between the green and the red pose",
            f"for {len(flipping)} of {count} goals: every second pose is the same within "
            f"{max((twice for _, twice in flipping), default=0.0):.1g} units², the others at least "
            f"{min((once for once, _ in flipping), default=0.0):.2g} away",
            bool(flipping),
        ),
    )
    report("drawing", 0.6)
    # The goal to draw: one that short steps reach, if any, from which long ones flip the most.
    shown = max(zip(held, flips, strict=True), key=lambda each: (each[0].converges(SHORT), each[1]))
    return Result(claims, _pictures(folder, shown[0]), motion.source)


def _ends(descents: list[Descent]) -> str:
    """The range of the longest steps that converge, and that of theory."""
    found, theory = [d.longest() for d in descents], [d.limit() for d in descents]
    return (
        f"{min(found):.2g} … {max(found):.2g} (by the Jacobian {min(theory):.2g} … "
        f"{max(theory):.2g})"
    )


def _pictures(folder: Path | None, descent: Descent) -> tuple[Path, ...]:
    if folder is None:
        return ()
    from poise.pictures.figures import solid
    from poise.pictures.stage import Scenery, View, render

    goal = descent.goal
    panels = []
    for step, color in ((SHORT, "#2f9e44"), (LONG, RED)):
        scenery = Scenery(solid(goal.figure, goal), floor=False)
        for posture, tint in zip(descent.course(step)[-2:], ("#2f9e44", color), strict=True):
            scenery.add(_tinted(posture, tint))
        view = View(np.deg2rad(-60.0), np.deg2rad(12.0))
        panels.append((render(scenery, view, (560, 620)), f"step {step:g}, the last two poses"))
    drawn = write(side_by_side(panels), folder, "2011-fig-6")
    with plot(folder, "2011-fig-6-errors", size=(8.0, 3.4)) as (path, (axes,)):
        for step, color in ((SHORT, BLUE), (LONG, RED)):
            axes.semilogy(descent.errors(step), color=color, label=f"step {step:g}")
        axes.set(xlabel="iteration", ylabel="sum of squared errors (units²)")
        axes.legend(frameon=False)
    return drawn, path


def _tinted(posture: Posture, color: str) -> list[Item]:
    """A ghost of one colour, a little larger than the figure, in which it would else be hidden."""
    from poise.pictures.figures import solid

    return [
        replace(item, color=color, mesh=item.mesh.shrunk(-0.006))
        for item in solid(posture.figure, posture, opacity=0.5)
    ]
