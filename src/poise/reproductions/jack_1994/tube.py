"""Fig. 3: holding a tube and looking down to its bottom, with six constraints at once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np

import poise
from poise import tasks as t
from poise.figure import Figure
from poise.models import upper_body_of_22, upper_body_of_70
from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.drawing import two_views
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

TOLERANCE = 1e-3
"""A goal is reached within this (m; angles with half a metre per radian); none is stated."""
_SIDES = (("left", 1.0), ("right", -1.0))
_ITERATIONS = 5000

TUBE_TOP, TUBE_BOTTOM = np.array([0.30, 0.02, 1.34]), np.array([0.42, 0.07, 0.89])
TUBE_RADIUS = 0.08
HOLD = 0.6
"""How far up the tube the hands hold it, as a share of its length."""
ELBOW_PLANE = 0.3
"""How far to the side the planes for the elbows are (m)."""
NEAR = 0.04
"""How far the tube is moved along each axis, to see what else can be met (m)."""


def tube(figure: Figure, shift: Sequence[float] = (0.0, 0.0, 0.0)) -> Scene:
    """Hold a tube with flat palms, elbows out, and look down to its bottom: six constraints.

    A hand's constraint of position and orientation is the two terms of the paper's (12), with
    half of the weight each; about the normal of its palm a hand may turn.

    Args:
        figure: who holds it.
        shift: how far the tube is from its place (m).
    """
    scene = Scene(figure, description="Looking down towards the end of the tube", natural=False)
    top, bottom = TUBE_TOP + shift, TUBE_BOTTOM + shift
    along = top - bottom
    length = float(np.linalg.norm(along))
    along = along / length
    side = np.array([0.0, 1.0, 0.0]) - along[1] * along
    side /= np.linalg.norm(side)
    upright = np.stack([np.cross(side, along), side, along], axis=1)
    prop = poise.cylinder(TUBE_RADIUS, length, name="tube", color="#c9b27c")
    scene.place(prop, 0.5 * (top + bottom), upright)
    for name, sign in _SIDES:
        at = bottom + HOLD * length * along + sign * TUBE_RADIUS * side
        inwards = -sign * side
        turned = np.stack([along, np.cross(inwards, along), inwards], axis=1)
        hand = f"{name}_hand"
        scene.add(t.Position(hand, at), weight=0.5, name=f"{name} hand")
        scene.add(t.Orientation(hand, turned, free="z"), weight=0.5, name=f"{name} palm")
        plane = t.Plane(f"{name}_elbow", (0.0, sign * ELBOW_PLANE, 0.0), (0.0, sign, 0.0))
        scene.add(plane, name=f"{name} elbow")
    scene.add(t.Line("eyes", top, along), name="view point")
    scene.add(t.Aim("eyes", bottom), name="view")
    return scene


def look_into_tube(figure: Figure) -> Solution:
    """The tube, solved as the paper does."""
    return solved(tube(figure), "nlp", tolerance=TOLERANCE, max_iterations=_ITERATIONS)


def _holds_tube(solution: Solution) -> Claim:
    """All six constraints; a hand's two terms are one of them."""
    names = {each.name: each.met for each in solution.tasks}
    hands = [names[f"{side} hand"] and names[f"{side} palm"] for side, _ in _SIDES]
    others = [names[name] for name in ("left elbow", "right elbow", "view point", "view")]
    met = sum([*hands, *others])
    turn = max(e.value for each in solution.tasks for e in each.errors if e.unit == "rad")
    ours = (
        f"{met} of 6 within {millimetres(TOLERANCE)}: {millimetres(worst(solution))}, "
        f"{degrees(turn)}"
    )
    return Claim.number("the pose achieves all six constraints", "6 constraints", ours, met == 6)


def _elsewhere() -> Claim:
    """Whether the tube could as well be at other places near by."""
    shifts = list(product((-NEAR, 0.0, NEAR), repeat=3))
    figures = upper_body_of_22(), upper_body_of_70()
    met = sum(
        all(
            tube(figure, shift)
            .solve("nlp", tolerance=TOLERANCE, max_iterations=_ITERATIONS, restarts=0)
            .met
            for figure in figures
        )
        for shift in shifts
    )
    return Claim.check(
        f"the tube may be at other places within {100 * NEAR:g} cm along each axis, too",
        f"with a grouped spine and with an independent one in {met} of {len(shifts)} places",
        met > 1,
    )


def fig_3_left(folder: Path | None, report: Report) -> Result:
    """The tube with a grouped spine."""
    report("looking into the tube", 0.0)
    solution = look_into_tube(upper_body_of_22())
    claims = (
        has_coordinates(solution.posture.figure, 22),
        _holds_tube(solution),
        keeps_limits(solution.posture),
        takes_no_longer(solution, 5.0),
        _elsewhere(),
    )
    report("drawing", 0.5)
    return Result(claims, two_views(folder, "1994-fig-3-left", "Fig. 3, left", solution, "side"))


def fig_3_right(folder: Path | None, report: Report) -> Result:
    """The same with independent vertebrae, against the grouped spine."""
    report("looking into the tube, vertebrae independent", 0.0)
    grouped = look_into_tube(upper_body_of_22())
    solution = look_into_tube(upper_body_of_70())
    more = solution.posture.figure.n - grouped.posture.figure.n
    claims = (
        has_coordinates(solution.posture.figure, 70),
        Claim.setup("so many more than with a grouped spine", "48", str(more), more == 48),
        _holds_tube(solution),
        keeps_limits(solution.posture),
        takes_no_longer(solution, 5.0 + 10.0, "5 s and about 10 s longer"),
        Claim.words(
            "it takes longer than with a grouped spine (judged by iterations)",
            "As expected, it took about 10 seconds longer",
            f"{solution.iterations} iterations against {grouped.iterations}",
            solution.iterations > grouped.iterations,
        ),
    )
    report("drawing", 0.5)
    return Result(claims, two_views(folder, "1994-fig-3-right", "Fig. 3, right", solution, "side"))
