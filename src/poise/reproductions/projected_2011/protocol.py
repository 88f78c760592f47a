"""Fig. 7, and how three methods follow gymnastic motion, each with the same slot of time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise import tasks as t
from poise.figure import Posture
from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.drawing import side_by_side, write
from poise.reproductions.measures import has_coordinates
from poise.reproductions.projected_2011.motion import GOALS, Exercise, exercise
from poise.scene import Scene

Floats = NDArray[np.float64]

UNIT = 0.2
"""The paper's unit of length (m): 0.05 of it are about a centimetre."""
TOLERANCE = 0.01
"""Of each goal (m)."""
SLOT = 0.015
"""The time for a frame (s)."""
FRAMES = {"2011-fig-8": 28, "2011-fig-9": 7, "2011-fig-10": 5}
"""Frames a cycle. The text has 0.05, 0.7 and 1.0 s, which no one cycle fits; the captions count."""
STEP, CUTOFF = 0.002, 1e-3
"""Of the transpose, in the paper's units, and of the inverse: a share of the greatest singular
value. Both are ours; Figs. 8–10 try others, too."""
_SAMPLES = 112
"""About how many frames are solved at each setting, in as many cycles as that takes."""


@dataclass(frozen=True)
class Method:
    """A method of the comparison.

    Attributes:
        label: for plots.
        method: its name here.
        iterations: the most for a frame, so many as fit into the slot; what they take is told
            with the results.
        options: of its own.
    """

    label: str
    method: str
    iterations: int
    options: Mapping[str, Any]


METHODS = {
    "inverse": Method(
        "Jacobian inverse\n(truncated SVD)", "pinv", 95, {"limits": "last", "cutoff": CUTOFF}
    ),
    "transpose": Method(
        "Jacobian transpose", "transpose", 440, {"limits": "each", "step": STEP / UNIT**2}
    ),
    "projected": Method("projected\nline search", "projected", 1050, {}),
}
"""The three methods of the paper.

Limits of the inverse are projected after the last step. The step of the transpose is the longest
that does not diverge, as in the paper; there it was 0.005, on this figure it is shorter (Fig. 6).
"""


def scene_of(goal: Posture, *, root_stays: bool = False) -> Scene:
    """Hands, feet, pelvis and head to where they are in a posture."""
    scene = Scene(goal.figure, natural=False)
    where = goal.figure.place(goal)
    joints = [name for name in goal.figure.joints if name != "root"] if root_stays else None
    for name in GOALS:
        scene.add(t.Position(name, where[name].position), name=name, joints=joints)
    return scene


def total(posture: Posture, goal: Posture) -> float:
    """The sum of all squared distances from the goals, in the paper's units²."""
    here, there = posture.figure.place(posture), goal.figure.place(goal)
    return float(
        sum(np.sum((here[name].position - there[name].position) ** 2) for name in GOALS) / UNIT**2
    )


@dataclass(frozen=True)
class Track:
    """What a method made of the motion.

    Attributes:
        errors: the paper's function value of each frame, in its units².
        postures: the frames.
        references: what they should be.
        cost: time inside the solver for an iteration (s), of the fastest frame.
    """

    errors: Floats
    postures: list[Posture]
    references: list[Posture]
    cost: float


def follow(motion: Exercise, method: Method, frames: int, cycles: int) -> Track:
    """Follow the motion, each frame from the one before.

    Each cycle begins in the reference, at another phase, and has `frames` goals.
    """
    scene = scene_of(motion.at(0.0))
    postures: list[Posture] = []
    references: list[Posture] = []
    costs: list[float] = []
    for cycle in range(cycles):
        phase = (cycle + 0.5) / cycles / frames
        scene.posture = motion.at(phase)
        for frame in range(1, frames):
            goal = motion.at(phase + frame / frames)
            where = goal.figure.place(goal)
            for name in GOALS:
                scene.handles[name].target = where[name].position
            solution = scene.solve(
                method.method,
                tolerance=TOLERANCE,
                max_iterations=method.iterations,
                restarts=0,
                **method.options,
            )
            scene.posture = solution.posture
            postures.append(solution.posture)
            references.append(goal)
            costs.append(solution.seconds / max(1, solution.iterations))
    pairs = zip(postures, references, strict=True)
    errors = np.array([total(one, other) for one, other in pairs])
    return Track(errors, postures, references, min(costs))


def cycles_of(frames: int, share: float) -> int:
    """How many cycles make the samples, or a share of them."""
    return max(1, round(share * _SAMPLES / (frames - 1)))


def spread(values: Floats) -> float:
    """The height of the box in a box plot, from the first quartile to the third."""
    low, high = np.percentile(values, [25, 75])
    return float(high - low)


def outliers(values: Floats) -> int:
    """How many lie more than one and a half boxes above the box."""
    return int(np.count_nonzero(values > np.percentile(values, 75) + 1.5 * spread(values)))


# Fig. 7 ----------------------------------------------------------------------------------


def fig_7(folder: Path | None, report: Report, motion: Exercise | None = None) -> Result:
    """Three consecutive frames at each setting."""
    motion = motion or exercise()
    report("measuring the steps", 0.0)
    steps = [_step(motion, frames) for frames in FRAMES.values()]
    listed = ", ".join(f"{1e2 * step:.0f} cm" for step in steps)
    claims = (
        has_coordinates(motion.clip.figure, 71),
        Claim.words(
            "spatial-temporal coherence decreases from 28 to 7 to 5 frames a cycle: goals jump "
            "farther from frame to frame",
            "spatial-temporal coherence is decreased from left to right",
            f"mean jump {listed}",
            steps[0] < steps[1] < steps[2],
        ),
    )
    report("drawing", 0.2)
    return Result(claims, _three_frames(folder, motion), motion.source)


def _step(motion: Exercise, frames: int) -> float:
    """How far a goal jumps from frame to frame, in the mean over the cycle (m)."""
    jumps: list[float] = []
    for start in np.linspace(0.0, 1.0 - 1.0 / frames, 40):
        one, other = motion.at(start), motion.at(start + 1.0 / frames)
        here, there = one.figure.place(one), other.figure.place(other)
        jumps += [float(np.linalg.norm(here[g].position - there[g].position)) for g in GOALS]
    return float(np.mean(jumps))


def _three_frames(folder: Path | None, motion: Exercise) -> tuple[Path, ...]:
    if folder is None:
        return ()
    from poise.pictures import View, picture

    view = View(np.deg2rad(-75.0), np.deg2rad(8.0))
    panels = [
        (
            picture(
                [motion.at(0.3 + k / frames) for k in range(3)],
                views=view,
                size=(520, 340),
                gap=0.12,
            ),
            f"{frames} frames a cycle",
        )
        for frames in FRAMES.values()
    ]
    return (write(side_by_side(panels), folder, "2011-fig-7"),)
