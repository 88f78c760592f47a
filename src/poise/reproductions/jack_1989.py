"""Zhao & Badler 1989, *Real Time Inverse Kinematics with Joint Limits and Spatial Constraints*.

The three timed examples of section 6. The paper gives the kind and number of goals, the degrees of
freedom and the time, and pictures without numbers: where the goals are is chosen here by
its words. All are solved by `nlp`, the paper's method, from the standing body of its Fig. 3.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import poise
from poise import tasks as t
from poise.figure import Posture, Transform
from poise.figure.transform import rotation_matrix
from poise.models import arms_of_16, box_carrier_of_10, torso_arms_of_31
from poise.reproductions.claims import Claim, Report, Reproduction, Result
from poise.reproductions.drawing import side_by_side, write
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

PAPER = "1989-jack"
TOLERANCE = 1e-3
"""A goal is reached within this (m); the paper states none."""
_SIDES = (("left", 1.0), ("right", -1.0))
_OPTIONS: dict[str, Any] = {"tolerance": TOLERANCE, "max_iterations": 2000, "restarts": 0}


# Fig. 4 ----------------------------------------------------------------------------------


def four_goals() -> Scene:
    """Two goals for elbows and two for hands; chains from the shoulders."""
    scene = Scene(arms_of_16(), description="Four position goals", natural=False)
    for side, sign in _SIDES:
        arm = [f"{side}_{joint}" for joint in ("clavicle", "shoulder", "elbow")]
        elbow, hand = (0.13, 0.42 * sign, 1.27), (0.30, 0.24 * sign, 1.46)
        scene.add(t.Position(f"{side}_elbow", elbow), joints=arm[:2])
        scene.add(t.Position(f"{side}_hand", hand), joints=[*arm, f"{side}_wrist"])
    return scene


def fig_4(folder: Path | None, report: Report) -> Result:
    """Two elbows and two hands at their goals."""
    scene = four_goals()
    report("solving for four goals", 0.0)
    solution = solved(scene, "nlp", **_OPTIONS)
    reached = sum(each.met for each in solution.tasks)
    text = "all four position goals are achieved"
    claims = (
        has_coordinates(scene.figures["arms_of_16"], 16),
        Claim.words(
            text,
            "we use 4 position goals, 2 for elbows and 2 for hands, to get the posture",
            f"{reached} of 4 within {millimetres(TOLERANCE)}, at most "
            f"{millimetres(worst(solution))}",
            reached == 4,
        ),
        keeps_limits(solution.posture),
        takes_no_longer(solution, 2.6),
    )
    report("drawing", 0.5)
    return Result(claims, _before_and_after(folder, "1989-fig-4", scene, solution, "four goals"))


# Fig. 5 ----------------------------------------------------------------------------------

BAR = (0.78, 0.0, 0.42)
"""The middle of the bar (m); it lies across, along y."""


def bar(left: float = 1.0, right: float = 1.0) -> Scene:
    """Two hands to a bar that is too low and too far ahead, with weights for the two goals."""
    scene = Scene(torso_arms_of_31(), description="Bending over a bar", natural=False)
    rod = poise.cylinder(0.018, 1.1, name="bar", color="#6b7280")
    scene.place(rod, BAR, (0.5 * np.pi, 0.0, 0.0))
    x, _, z = BAR
    for (side, sign), weight in zip(_SIDES, (left, right), strict=True):
        scene.add(t.Position(f"{side}_hand", (x, 0.3 * sign, z)), weight=weight)
    return scene


def fig_5(folder: Path | None, report: Report) -> Result:
    """Two hands to a bar out of reach."""
    scene = bar()
    report("bending over the bar", 0.0)
    solution = solved(scene, "nlp", **_OPTIONS)
    left, right = (each.error for each in solution.tasks)
    report("looking for a better posture from other starts", 0.2)
    best = scene.solve("lex", tolerance=TOLERANCE, restarts=16, max_iterations=500)
    least = _sum_of_squares(best)
    found = _sum_of_squares(solution)
    report("with another importance", 0.5)
    uneven = bar(left=10.0).solve("nlp", **_OPTIONS)
    favoured, other = (each.error for each in uneven.tasks)
    claims = (
        has_coordinates(scene.figures["torso_arms_of_31"], 31),
        Claim.words(
            "the two goals on the bar are not reachable",
            "which are not reachable",
            f"short by {millimetres(left)} and {millimetres(right)}; none of 17 starts reaches one",
            not any(each.met for each in (*solution.tasks, *best.tasks)),
        ),
        Claim.words(
            "the search ends at a Kuhn–Tucker point",
            "is a Kuhn-Tucker point",
            f"{solution.status}, {solution.optimality:.1e} m/rad could still be gained",
            solution.status == "stationary",
        ),
        Claim.words(
            "what it ends with is the best possibility",
            "the best possibility according to the users' assignment of importances",
            f"sum of squares {found:.5f} m², the least of 17 starts of another method {least:.5f}",
            found <= least * (1 + 1e-3),
        ),
        Claim.words(
            "the best possibility follows the importance given to each goal",
            "according to the users' assignment of importances",
            f"left weighs 10 times as much: {millimetres(favoured)} against {millimetres(other)}",
            favoured < left and other > right,
        ),
        keeps_limits(solution.posture, uneven.posture),
        takes_no_longer(solution, 13.0),
    )
    report("drawing", 0.6)
    return Result(claims, _before_and_after(folder, "1989-fig-5", scene, solution, "over the bar"))


def _sum_of_squares(solution: Solution) -> float:
    return sum(each.error**2 for each in solution.tasks)


# Fig. 7 ----------------------------------------------------------------------------------

UNIT = 0.01
"""The paper's unit of length, taken for a centimetre (m); it is not stated."""
METRES_PER_RADIAN = UNIT / np.deg2rad(5.0)
"""Five degrees are made as important as one unit of length."""
SHELF = (0.52, 0.12, 1.42)
"""Where the box is to go (m)."""


def deliver(*, upright: bool) -> Scene:
    """A box on the palm, to be delivered upright, or just to its place."""
    figure = box_carrier_of_10()
    scene = Scene(
        figure, metres_per_radian=METRES_PER_RADIAN, description="To deliver a box", natural=False
    )
    if upright:
        turned = figure.place(figure.rest())["box"].rotation
        turned = rotation_matrix((0.0, 0.0, np.deg2rad(30.0))) @ turned
        goal = Transform(turned, np.array(SHELF))
        scene.add(t.Frame("box", goal, position_share=0.5))
    else:
        scene.add(t.Position("box", SHELF))
    return scene


def fig_7(folder: Path | None, report: Report) -> Result:
    """A box is delivered without tipping over."""
    scene = deliver(upright=True)
    report("delivering the box", 0.0)
    solution = solved(scene, "nlp", **_OPTIONS)
    report("without a goal for its orientation", 0.2)
    careless = deliver(upright=False).solve("nlp", **_OPTIONS)
    place, turn = (error.value for error in solution.tasks[0].errors)
    tilt, tipped = _tilt(solution.posture), _tilt(careless.posture)
    claims = (
        has_coordinates(scene.figures["box_carrier_of_10"], 10),
        Claim.setup(
            "an angle that is as important as one unit of length",
            "5 degrees",
            f"{np.rad2deg(UNIT / METRES_PER_RADIAN):g}°, the unit taken for {100 * UNIT:g} cm",
            np.isclose(np.rad2deg(UNIT / METRES_PER_RADIAN), 5.0),
        ),
        Claim.words(
            "the box is delivered to the goal",
            "To deliver the box to the goal",
            f"{millimetres(place)} off",
            solution.met,
        ),
        Claim.words(
            "the orientation goal keeps the box from tipping",
            "to keep the box from tipping upside down",
            f"tilted by {degrees(tilt)}, {degrees(turn)} off in all; "
            f"without that goal tilted by {degrees(tipped)}",
            solution.met and tilt < tipped,
        ),
        keeps_limits(solution.posture),
        takes_no_longer(solution, 2.0),
    )
    report("drawing", 0.5)
    pictures = _before_and_after(
        folder, "1989-fig-7", scene, solution, "delivered", ("Fig. 6", "Fig. 7")
    )
    return Result(claims, pictures)


def _tilt(posture: Posture) -> float:
    """How far the box's own vertical, that of its place at rest, leans (rad)."""
    figure = posture.figure
    rest = figure.place(figure.rest())["box"].rotation
    now = figure.place(posture)["box"].rotation
    upright = (now @ rest.T)[2, 2]
    return float(np.arccos(np.clip(upright, -1.0, 1.0)))


# pictures --------------------------------------------------------------------------------


def _before_and_after(
    folder: Path | None,
    name: str,
    scene: Scene,
    solution: Solution,
    what: str,
    figures: tuple[str, str] | None = None,
) -> tuple[Path, ...]:
    """The start with its goals, and the solution from two sides."""
    if folder is None:
        return ()
    from poise.pictures import picture

    begin, end = figures or ("Fig. 3", f"Fig. {name.rpartition('-')[2]}")
    panels = [
        (picture(scene, size=(460, 620)), f"{begin}: the start, with goals"),
        (picture(solution, size=(460, 620)), f"{end}: {what}"),
        (picture(solution, views="side", size=(460, 620)), "the same from the side"),
    ]
    return (write(side_by_side(panels), folder, name),)


EXAMPLES = (
    Reproduction("1989-fig-4", PAPER, "Four position goals, 16 degrees of freedom", fig_4),
    Reproduction("1989-fig-5", PAPER, "Bending over a bar that is out of reach", fig_5),
    Reproduction("1989-fig-7", PAPER, "To deliver a box without tipping it", fig_7),
)
