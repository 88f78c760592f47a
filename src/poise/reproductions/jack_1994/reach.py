"""Figs. 6–8: a hand to a box from the shoulder, from the waist, and with rigidity."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import poise
from poise import tasks as t
from poise.figure import Posture
from poise.models import torso_arm_of_22, upper_body_of_22
from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.drawing import two_views
from poise.reproductions.jack_1994.tube import look_into_tube
from poise.reproductions.measures import (
    degrees,
    has_coordinates,
    keeps_limits,
    millimetres,
    solved,
    takes_no_longer,
    worst,
)
from poise.scene import Scene, Solution

Floats = NDArray[np.float64]

TOLERANCE = 1e-3
_ITERATIONS = 5000
ARM = ("right_shoulder", "right_elbow", "right_wrist")
TORSO = ("torso_1", "torso_2", "torso_3", "torso_4", "torso_5")
BOX, SIZE = (0.72, 0.12, 1.05), (0.22, 0.22, 0.22)
RIGIDITY = 0.5
"""Of lateral bending and axial rotation in Fig. 8, "middle of the range [0, 1]"."""


def reach(joints: Sequence[str], rigidity: float = 0.0) -> Scene:
    """The palm against the middle of the box's right face: its place, and the face's normal.

    Args:
        joints: the chain.
        rigidity: of the torso's lateral bending and axial rotation.
    """
    figure = torso_arm_of_22()
    for name in TORSO:
        figure.stiffness[f"{name}.swing_x"] = rigidity
        figure.stiffness[f"{name}.twist"] = rigidity
    scene = Scene(figure, description="A hand to the right face of a box", natural=False)
    scene.place(poise.box(*SIZE, name="box"), BOX)
    x, y, z = BOX
    face = (x, y - 0.5 * SIZE[1], z)
    inwards = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
    scene.add(t.Position("right_hand", face), weight=0.5, name="hand", joints=joints)
    palm = t.Orientation("right_hand", inwards, free="z")
    scene.add(palm, weight=0.5, name="palm", joints=joints)
    return scene


def from_shoulder() -> Scene:
    """Fig. 6: the chain begins at the shoulder."""
    return reach(ARM)


def from_waist(rigidity: float = 0.0) -> Scene:
    """Figs. 7 and 8: the chain begins at the waist."""
    return reach((*TORSO, *ARM), rigidity)


def solve(scene: Scene) -> Solution:
    """By the paper's method."""
    return solved(scene, "nlp", tolerance=TOLERANCE, max_iterations=_ITERATIONS)


def torso(posture: Posture) -> dict[str, float]:
    """Flexion, lateral bend and axial rotation of the torso, sizes of all joints added up (rad)."""
    q = dict(zip(posture.figure.coordinates, posture.q.tolist(), strict=True))
    angles = {"flexion": "swing_y", "bend": "swing_x", "rotation": "twist"}
    return {
        angle: sum(abs(q[f"{name}.{coordinate}"]) for name in TORSO)
        for angle, coordinate in angles.items()
    }


def fig_6(folder: Path | None, report: Report) -> Result:
    """From the shoulder."""
    report("from the shoulder", 0.0)
    scene = from_shoulder()
    solution = solve(scene)
    again = scene.solve("lex", tolerance=TOLERANCE, restarts=16, max_iterations=500)
    claims = (
        Claim.words(
            "the goal is not reachable with the joints from the shoulder to the hand",
            "the goal is not reachable if the joint chain includes only the joints from the "
            "shoulder to the hand",
            f"{millimetres(worst(solution))} short; from 17 starts {millimetres(worst(again))}",
            not solution.met and not again.met,
        ),
        keeps_limits(solution.posture),
    )
    report("drawing", 0.5)
    return Result(
        claims, two_views(folder, "1994-fig-6", "Fig. 6: from the shoulder", solution, "front")
    )


def fig_7(folder: Path | None, report: Report) -> Result:
    """From the waist, all joints alike."""
    report("from the waist", 0.0)
    solution = solve(from_waist())
    angles = torso(solution.posture)
    claims = (
        has_coordinates(solution.posture.figure, 22),
        _reached(solution),
        Claim.words(
            "treating all angles of the torso alike gives an awkward pose; here: bend and rotation "
            "together exceed flexion, a measure of ours",
            "This leads to an awkward pose",
            ", ".join(f"{angle} {degrees(value)}" for angle, value in angles.items()),
            angles["bend"] + angles["rotation"] > angles["flexion"],
        ),
        keeps_limits(solution.posture),
    )
    report("drawing", 0.5)
    return Result(
        claims, two_views(folder, "1994-fig-7", "Fig. 7: from the waist", solution, "front")
    )


def fig_8(folder: Path | None, report: Report) -> Result:
    """From the waist, with rigidity 0.5."""
    report("from the waist, with rigidities", 0.0)
    awkward = torso(solve(from_waist()).posture)
    solution = solve(from_waist(RIGIDITY))
    natural = torso(solution.posture)
    tube = look_into_tube(upper_body_of_22())
    claims = (
        has_coordinates(solution.posture.figure, 22),
        _reached(solution),
        Claim.words(
            "with rigidity 0.5 the torso bends less to the side",
            "To make it more natural, we set the rigidities in lateral bending",
            f"{degrees(natural['bend'])} rather than {degrees(awkward['bend'])}",
            natural["bend"] < awkward["bend"],
        ),
        Claim.words(
            "with rigidity 0.5 the torso turns less",
            "and axial rotation of the torso segments to 0.5",
            f"{degrees(natural['rotation'])} rather than {degrees(awkward['rotation'])}",
            natural["rotation"] < awkward["rotation"],
        ),
        keeps_limits(solution.posture),
        takes_no_longer(solution, 2.0),
        Claim.words(
            "with as many degrees of freedom the tube of Fig. 3 takes longer (iterations)",
            "took about twice as long",
            f"{tube.iterations} against {solution.iterations}",
            tube.iterations > solution.iterations,
        ),
    )
    report("drawing", 0.5)
    title = "Fig. 8: with rigidity 0.5"
    return Result(claims, two_views(folder, "1994-fig-8", title, solution, "front"))


def _reached(solution: Solution) -> Claim:
    text = "the goal is reachable with the joints from the waist to the hand"
    quote, ours = "the goal becomes reachable", f"{millimetres(worst(solution))} off"
    return Claim.words(text, quote, ours, solution.met)
