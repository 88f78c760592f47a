"""Figs. 7.15–7.18: people who stand, load, pull, push and twist."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from poise import tasks as t
from poise.figure import Posture
from poise.figure.props import box
from poise.models import human
from poise.reproductions.balance_2001.chains import Values
from poise.reproductions.balance_2001.forces.statics import (
    FRICTION,
    TIGHT,
    does_not_slip,
    in_equilibrium,
)
from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.drawing import side_by_side, write
from poise.reproductions.measures import degrees, millimetres
from poise.scene import Scene, Solution
from poise.statics.contacts import Distribution

if TYPE_CHECKING:
    from poise.pictures.stage import Image

_SIDES = (("left", 1.0), ("right", -1.0))


def standing(left: float = 0.5) -> Scene:
    """A man on both feet, of which the left bears so much."""
    scene = Scene(human(), natural=False)
    for side, ratio in (("left", left), ("right", 1.0 - left)):
        scene.add(t.Frame(f"{side}_foot"), priority=1)
        scene.forces.support(f"{side}_foot", ratio=ratio, friction=FRICTION)
    scene.add(t.Equilibrium(), priority=2)
    scene.add(t.Rest())
    return scene


def _center(posture: Posture) -> Values:
    return posture.figure.center_of_mass(posture)


# Fig. 7.15 ---------------------------------------------------------------------------------------


def weight_shared(folder: Path | None, report: Report) -> Result:
    """Fig. 7.15: the weight on both feet alike, and mainly on the right one."""
    scenes = {left: standing(left) for left in (0.5, 0.1)}
    found: dict[float, Solution] = {}
    for left, scene in scenes.items():
        report("solving", 0.3 * len(found))
        found[left] = scene.solve(**TIGHT)
    feet = {side: float(scenes[0.5].places[f"{side}_foot"].position[1]) for side, _ in _SIDES}
    wanted = {left: left * feet["left"] + (1 - left) * feet["right"] for left in scenes}
    off = max(abs(float(_center(s.posture)[1]) - wanted[left]) for left, s in found.items())
    shift = float(_center(found[0.5].posture)[1] - _center(found[0.1].posture)[1])
    claims = (
        Claim.words(
            "with 90 rather than 50 % on the right foot the centre of mass is displaced over it",
            "this results in a displacement of the center of mass over that foot",
            f"{millimetres(shift)} to the right, {millimetres(off)} from where the shares say",
            shift > 0.0 and off < 1e-3,
        ),
        *(
            in_equilibrium(
                f"with {100 * left:g} % on the left foot the figure is", scene, s.posture
            )
            for (left, scene), s in zip(scenes.items(), found.values(), strict=True)
        ),
    )
    if folder is None:
        return Result(claims)
    panels = [
        (_picture(each, "front"), f"{100 * left:g} % on the left foot")
        for left, each in found.items()
    ]
    return Result(claims, (write(side_by_side(panels), folder, "2001-fig-7.15"),))


# Fig. 7.16 ---------------------------------------------------------------------------------------

_WALL = 0.35
"""How far ahead the vertical plane of the hand is (m)."""
_CASES = {"A": (0.0, 0.0, 0.0), "B": (0.0, 0.0, -100.0), "C": (60.0, 0.0, 0.0)}
"""Forces on the hand (N): none, a load, and what answers a pull."""


def load_and_pull(folder: Path | None, report: Report) -> Result:
    """Fig. 7.16: the right hand on a plane: no force, a load, a pull, and a look at the hand."""
    found: dict[str, tuple[Scene, Solution]] = {}
    for i, (name, force) in enumerate((*_CASES.items(), ("D", _CASES["C"]))):
        report(name, i / 5)
        scene = standing(0.1)
        where = scene.places["right_hand"].position
        plane = t.Plane("right_hand", (_WALL, float(where[1]), 1.1), normal="x")
        scene.add(plane, priority=3, name="plane")
        if any(force):
            scene.forces.apply("right_hand", force=force)
        if name == "D":
            scene.add(t.Aim("eyes", "right_hand"), priority=4, name="look")
        found[name] = scene, scene.solve(**TIGHT)
    postures = {name: solution.posture for name, (_, solution) in found.items()}
    hands = {name: s.places["right_hand"].position for name, (_, s) in found.items()}
    back = {x: float(_center(postures["A"])[0] - _center(postures[x])[0]) for x in "BC"}
    off = max(abs(float(hand[0]) - _WALL) for hand in hands.values())
    moved = float(np.linalg.norm(hands["C"] - hands["A"]))
    gaze = found["D"][1].tasks[-1]
    claims = (
        Claim.words(
            "A–D: the right hand lies on a vertical plane",
            "the right hand is constrained to lie on a vertical plane",
            f"at most {millimetres(off)} off",
            off < 1e-4,
        ),
        Claim.words(
            "C: the hand is free to move on the plane, so its position has changed",
            "The hand is always free to move on the plane, so its position has changed",
            f"by {millimetres(moved)}",
            moved > 0.01,
        ),
        Claim.words(
            "D: the figure looks at the hand",
            "constrained to look forward on the hand",
            f"{degrees(gaze.error)} off",
            gaze.met,
        ),
        Claim.check(
            "B: with a load in front the body moves back",
            f"by {millimetres(back['B'])}",
            back["B"] > 0.01,
        ),
        Claim.check("C: who pulls leans back", f"by {millimetres(back['C'])}", back["C"] > 0.02),
        *(
            in_equilibrium(f"{name}: the figure is", scene, solution.posture)
            for name, (scene, solution) in found.items()
        ),
        does_not_slip(found["D"][0], postures["D"]),
    )
    if folder is None:
        return Result(claims)
    words = ("no force", "a load", "a pull", "a pull, and a look at the hand")
    panels = [
        (_picture(solution, "side"), f"{name}: {word}")
        for (name, (_, solution)), word in zip(found.items(), words, strict=True)
    ]
    return Result(claims, (write(side_by_side(panels), folder, "2001-fig-7.16"),))


# Fig. 7.17 ---------------------------------------------------------------------------------------

_PUSH = 60.0
"""What each hand pushes with (N)."""


def pushing(folder: Path | None, report: Report) -> Result:
    """Fig. 7.17: pushing a heavy object with both hands."""
    found: dict[float, tuple[Scene, Solution]] = {}
    for push in (0.0, _PUSH):
        report("solving", 0.3 * len(found))
        scene = standing()
        scene.place(box(0.5, 0.4, 1.2, mass=100.0, name="object", color="#b08d57"), (0.8, 0.0, 0.6))
        for side, sign in _SIDES:
            scene.add(t.Position(f"{side}_hand", (0.55, 0.2 * sign, 1.2)), priority=3)
            if push:
                scene.forces.apply(f"{side}_hand", force=(-push, 0.0, 0.0))
        found[push] = scene, scene.solve(**TIGHT)
    scene, solution = found[_PUSH]
    gained = float(_center(solution.posture)[0] - _center(found[0.0][1].posture)[0])
    kept = [task for task in solution.tasks if task.name != "equilibrium"]
    claims = (
        Claim.words(
            "both feet are on the floor, and the hands on the corners of the object",
            "Both feet are constrained on the floor, and the hands are constrained on the corners",
            f"{sum(task.met for task in kept)} of {len(kept)} tasks met",
            all(task.met for task in kept),
        ),
        Claim.words(
            f"with two equal forces of {_PUSH:g} N the centre of mass heads towards the object",
            "Thus the center of mass heads towards the object",
            f"by {millimetres(gained)}",
            gained > 0.05,
        ),
        in_equilibrium("the figure is", scene, solution.posture),
        does_not_slip(scene, solution.posture),
    )
    if folder is None:
        return Result(claims)
    panels = [
        (_picture(each, "side"), f"{2 * push:g} N in all" if push else "no force")
        for push, (_, each) in found.items()
    ]
    return Result(claims, (write(side_by_side(panels), folder, "2001-fig-7.17"),))


# Fig. 7.18 ---------------------------------------------------------------------------------------

_TURN, _APART = 40.0, 0.25
"""What each hand twists with (N), and how far from the middle (m)."""
_ROUNDS = 4
"""How often feet's forces are found for the posture, and the posture for them."""


def twisting(folder: Path | None, report: Report) -> Result:
    """Fig. 7.18: twisting a heavy object: what the feet bear is found, not told."""
    scene = Scene(human(), natural=False)
    scene.place(box(0.25, 0.5, 0.2, mass=80.0, name="object", color="#b08d57"), (0.525, 0.0, 1.0))
    scene.place(box(0.1, 0.1, 0.9, mass=20.0, name="post", color="#7b8794"), (0.525, 0.0, 0.45))
    for side, sign in _SIDES:
        scene.add(t.Frame(f"{side}_foot"), priority=1)
        scene.forces.support(f"{side}_foot", ratio=0.5, friction=FRICTION)
        scene.add(t.Position(f"{side}_hand", (0.4, _APART * sign, 1.1)), priority=3)
    scene.add(t.Aim("eyes", (0.4, 0.0, 1.1)), priority=4, name="look")
    balance = scene.add(t.Balance(margin=0.02), priority=2)
    scene.add(t.Rest())
    report("standing", 0.0)
    still = scene.solve(restarts=0)
    scene.posture = still.posture
    balance.remove()
    for side, sign in _SIDES:
        # Who turns it anti-clockwise pushes with the right hand and pulls with the left.
        scene.forces.apply(f"{side}_hand", force=(_TURN * sign, 0.0, 0.0))
    scene.add(t.Equilibrium(), priority=2)
    told = scene.solve(max_iterations=400, restarts=0)
    solution = told
    for i in range(_ROUNDS):
        report("finding the feet's forces", 0.2 + 0.1 * i)
        scene.forces.use(scene.forces.distribute())
        solution = scene.solve(**TIGHT)
        scene.posture = solution.posture
    posture, found = solution.posture, scene.forces.distribute()
    wanted, borne = 2.0 * _TURN * _APART, abs(_about_vertical(scene, found))
    off = max(task.error for task in told.tasks if task.name.endswith("hand"))
    balanced = {task.name: task.met for task in told.tasks}["equilibrium"]
    claims = (
        Claim.words(
            "with forces of the feet by ratio alone equilibrium and hands are in conflict",
            "must be specified so that they produce a torque that compensates the torque due to "
            "the forces applied by the hands",
            f"equilibrium is {'met' if balanced else 'not met'}, the hands are up to "
            f"{millimetres(off)} off",
            not (balanced and off < 1e-3),
        ),
        Claim.words(
            "the system finds horizontal forces of the feet that compensate the hands' torque",
            "leaving to the system the duty of computing the horizontal (frictional) components",
            f"{borne:.1f} N·m of {wanted:g}",
            found.is_feasible and abs(borne - wanted) < 0.1,
        ),
        Claim.words(
            "hands lie on the corners of the object, and the gaze is on it",
            "The hands are constrained to lie on the corners of the object",
            f"{sum(task.met for task in solution.tasks)} of {len(solution.tasks)} tasks met",
            solution.met,
        ),
        in_equilibrium("the figure is", scene, posture),
        does_not_slip(scene, posture),
    )
    if folder is None:
        return Result(claims)
    panels = [
        (_picture(still, "three-quarter"), "no force"),
        (_picture(solution, "three-quarter", found), "a twist, with the feet's forces"),
    ]
    return Result(claims, (write(side_by_side(panels), folder, "2001-fig-7.18"),))


def _about_vertical(scene: Scene, found: Distribution) -> float:
    """The moment of the feet's forces about the vertical (N·m)."""
    return sum(
        float(np.cross(scene.places[c.site].apply(np.array(c.load.point)), c.force)[2])
        for c in found.contacts
    )


# pictures ----------------------------------------------------------------------------------------


def _picture(solution: Solution, view: str, forces: Distribution | None = None) -> Image:
    """A solution with its forces as arrows and what joints hold as arcs."""
    from poise.pictures import picture

    return picture(solution, views=view, size=(430, 600), torques=True, forces=forces)
