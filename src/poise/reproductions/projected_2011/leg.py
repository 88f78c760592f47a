"""Fig. 4: a leg posed in its extreme positions, with limits and without."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from poise import tasks as t
from poise.figure import Figure, Posture
from poise.models import person_joints as joints
from poise.models.person import STIFF, Person
from poise.models.sketch import boxed_ball, hinge
from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.drawing import side_by_side, write
from poise.reproductions.measures import degrees, keeps_limits, millimetres
from poise.scene import Scene, Solution

TOLERANCE = 0.01
"""A centimetre, the paper's 0.05 units (m)."""
GOALS = (
    (0.92, 0.09, 1.02),
    (-0.25, 0.09, 0.12),
    (0.42, 0.09, 1.20),
    (-0.55, 0.09, 1.05),
    (0.0, 0.80, 1.35),
)
"""Where the foot should go in poses 1 to 5 (m); not stated, chosen to show what is claimed."""


def one_leg(*, limited: bool) -> Figure:
    """A stiff person with a left leg of hip, knee and ankle, 7 coordinates, with limits or without.

    Without, every angle goes so far that no goal here meets an end.
    """
    person = Person("one_leg", "a left leg that moves", stature=1.75, mass=75.0)
    person.trunk({"torso": ("waist", STIFF)})
    person.neck({"neck": ("neck", STIFF)}, STIFF)
    person.arm("left")
    person.arm("right")
    person.leg("right")
    if limited:
        hip, knee, ankle = joints.hip(1.0), joints.knee(), joints.ankle_ball(1.0)
    else:
        far = (-140.0, 140.0)
        hip, ankle = boxed_ball("-z", far, far, far), boxed_ball("-z", far, far, far)
        knee = hinge("y", *far)
    person.leg("left", hip=hip, knee=knee, ankle=ankle)
    return person.build()


def posed(figure: Figure) -> list[Solution]:
    """The leg at each goal, from rest."""
    scene = Scene(figure, natural=False)
    goal = scene.add(t.Position("left_foot", GOALS[0]), name="foot")
    found: list[Solution] = []
    for target in GOALS:
        goal.target = target
        found.append(scene.solve("projected", tolerance=TOLERANCE, max_iterations=5000, restarts=0))
    return found


def apart(one: Posture, other: Posture) -> float:
    """The greatest angle (rad) by which the thighs or the shanks differ."""
    angles: list[float] = []
    for name in ("left_thigh", "left_shank"):
        a, b = (p.figure.place(p).segment(name).rotation[:, 2] for p in (one, other))
        angles.append(float(np.arccos(np.clip(a @ b, -1.0, 1.0))))
    return max(angles)


def fig_4(folder: Path | None, report: Report) -> Result:
    """Five poses."""
    report("posing the leg", 0.0)
    limited, free = posed(one_leg(limited=True)), posed(one_leg(limited=False))
    short = [solution.tasks[0].error for solution in limited]
    loose = [solution.tasks[0].error for solution in free]
    claims = [
        Claim.words(
            "in pose 3 the goal is out of reach with joint limits",
            "the goal would be reachable if no joint limits were present",
            f"{millimetres(short[2])} short",
            short[2] > TOLERANCE,
        ),
        Claim.words(
            "in pose 3 the goal would be reachable without joint limits",
            "the goal would be reachable if no joint limits were present",
            f"{millimetres(loose[2])} off",
            loose[2] <= TOLERANCE,
        ),
    ]
    for i in (3, 4):
        differ = apart(limited[i].posture, free[i].posture)
        claims.append(
            Claim.words(
                f"pose {i + 1} would be different without joint limits",
                "both pose 4 and 5 would be different without joint limits",
                f"the leg by {degrees(differ)}",
                differ > np.deg2rad(1.0),
            )
        )
    claims.append(keeps_limits(*(solution.posture for solution in limited)))
    report("drawing", 0.4)
    return Result(tuple(claims), _pictures(folder, limited, free))


def _pictures(
    folder: Path | None, limited: list[Solution], free: list[Solution]
) -> tuple[Path, ...]:
    if folder is None:
        return ()
    from poise.pictures import View, picture

    view = View(np.deg2rad(-52.0), np.deg2rad(10.0))
    rows = [
        side_by_side(
            [
                (picture(solution, views=view, size=(250, 360)), f"{i}{what}")
                for i, solution in enumerate(solutions, 1)
            ]
        )
        for solutions, what in ((limited, ""), (free, ", without limits"))
    ]
    return (write(np.concatenate(rows), folder, "2011-fig-4"),)
