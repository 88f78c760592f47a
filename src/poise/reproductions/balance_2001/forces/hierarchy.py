"""Fig. 7.13 with Table 7.1, without its obstacle, and Fig. 7.14: many priorities, and flexing."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from poise import tasks as t
from poise.checking import Vec3
from poise.figure import Posture
from poise.models import human
from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.drawing import side_by_side, write
from poise.reproductions.measures import degrees, millimetres
from poise.scene import Handle, Scene, Solution

_NEAR: Vec3 = (0.5, -0.2, 1.2)
_FAR: Vec3 = (1.25, -0.2, 0.9)
"""Where the ball is, and where it is moved to (m)."""

# Table 7.1 ---------------------------------------------------------------------------------------


def table_7_1() -> tuple[Scene, Handle, Handle]:
    """The hierarchy without collisions, and its two tasks that follow the ball.

    Rooted on the right foot, with the left one held by a task; the centre of mass is kept above
    the middle between them.
    """
    figure = human()
    figure, standing = figure.rooted_at("right_foot", figure.rest(), root="fixed")
    scene = Scene(figure, natural=False)
    scene.posture = standing
    feet = [scene.places[f"{side}_foot"].position for side in ("left", "right")]
    x, y, _ = (0.5 * (feet[0] + feet[1])).tolist()
    scene.add(t.Frame("left_foot"), priority=1, name="foot")
    scene.add(t.CenterOfMass((x, y, 0.0), axes="xy"), priority=2, name="balance")
    look = scene.add(t.Aim("eyes", _NEAR), priority=3, name="look")
    reach = scene.add(t.Position("right_hand", _NEAR), priority=4, name="reach")
    return scene, look, reach


def full_hierarchy(folder: Path | None, report: Report) -> Result:
    """Fig. 7.13: a ball that is reached, then moved away."""
    scene, look, reach = table_7_1()
    report("near", 0.0)
    near = scene.solve(restarts=0)
    scene.posture = near.posture
    look.target = reach.target = _FAR
    report("far", 0.3)
    far = scene.solve(max_iterations=1000, restarts=0)
    report("far, without balance", 0.6)
    scene.handles["balance"].enabled = False
    careless = scene.solve(max_iterations=1000, restarts=0)
    scene.handles["balance"].enabled = True
    short = _errors(far)["reach"]
    ordered = sorted(scene.handles.values(), key=lambda each: each.priority or 0)
    back = float(_pelvis(near.posture)[0] - _pelvis(far.posture)[0])
    errors = _errors(far)
    claims = (
        Claim.setup(
            "the order of priority is that of Table 7.1, below its collisions",
            "foot, balance, look, reach",
            ", ".join(each.name for each in ordered),
            [each.name for each in ordered] == ["foot", "balance", "look", "reach"],
        ),
        Claim.words(
            "while the ball is near a posture satisfies all tasks",
            "a posture satisfying all tasks is shown",
            f"all of {len(near.tasks)}" if near.met else "not all",
            near.met,
        ),
        Claim.words(
            "with the ball away the figure can no longer reach it without losing balance",
            "the figure can no longer reach the ball without losing balance",
            f"{millimetres(short)} short; without the task for balance "
            f"{millimetres(_errors(careless)['reach'])}",
            _errors(careless)["reach"] < short - 0.01,
        ),
        Claim.words(
            "it attempts to move back the body mass: the pelvis goes back",
            "despite an attempt to move back the body mass",
            f"by {millimetres(back)}",
            back > 0.01,
        ),
        Claim.words(
            "balance is ensured, and so are foot and gaze, by their higher priority",
            "the balance is ensured thanks to its higher priority",
            f"centre of mass {millimetres(errors['balance'])} off, foot "
            f"{millimetres(errors['foot'])}, gaze {degrees(errors['look'])}",
            all(each.met for each in far.tasks if each.name != "reach"),
        ),
    )
    if folder is None:
        return Result(claims)
    from poise.pictures import picture

    report("drawing", 0.8)
    panels = [
        (picture(subject, views="side", size=(430, 560)), caption)
        for subject, caption in (
            (table_7_1()[0], "the start"),
            (near, "the ball is near"),
            (far, "the ball is away"),
        )
    ]
    return Result(claims, (write(side_by_side(panels), folder, "2001-fig-7.13"),))


def _errors(solution: Solution) -> dict[str, float]:
    return {task.name: task.error for task in solution.tasks}


def _pelvis(posture: Posture) -> Vec3:
    x, y, z = posture.figure.place(posture)["pelvis"].position.tolist()
    return x, y, z


# flexing -----------------------------------------------------------------------------------------

_OBJECT: Vec3 = (0.45, 0.0, 1.1)


def flexing(folder: Path | None, report: Report) -> Result:
    """Fig. 7.14: legs flex by a criterion without disturbing tasks."""
    scene = Scene(human(), natural=False)
    for side, y in (("left", 0.12), ("right", -0.12)):
        scene.add(t.Frame(f"{side}_foot"), priority=1)
        scene.add(t.Position(f"{side}_hand", (_OBJECT[0], y, _OBJECT[2])), priority=3)
    scene.add(t.Balance(margin=0.02), priority=2)
    scene.add(t.Aim("eyes", _OBJECT), priority=3, name="look")
    report("solving", 0.0)
    before = scene.solve(restarts=0)
    scene.posture = before.posture
    scene.add(t.Flexion(["left_knee", "right_knee"], 0.6))
    report("flexing", 0.4)
    after = scene.solve(max_iterations=1000, restarts=0)
    knees = [min(float(s.posture[f"{x}_knee"]) for x in ("left", "right")) for s in (before, after)]
    turned = _head_turned(before.posture, after.posture)
    claims = (
        Claim.words(
            "the figure flexes its legs without losing balance",
            "the figure flexes its legs without losing balance",
            f"knees from {degrees(knees[0])} to {degrees(knees[1])}; balance "
            + ("met" if _met(after, "balance") else "lost"),
            knees[1] > knees[0] + np.deg2rad(15.0) and _met(after, "balance"),
        ),
        Claim.words(
            "the neck is adjusted so that the eyes stay on the object",
            "the neck is automatically adjusted in order to keep the eyes on the object",
            f"the head turns by {degrees(turned)} against the chest; the gaze is "
            f"{degrees(_errors(after)['look'])} off",
            turned > np.deg2rad(1.0) and _met(after, "look"),
        ),
        Claim.words(
            "the criterion does not interfere with the tasks: feet, hands, balance and gaze",
            "without interfering with a set of constraint tasks",
            f"{sum(task.met for task in after.tasks)} of {len(after.tasks)} tasks met",
            after.met,
        ),
    )
    if folder is None:
        return Result(claims)
    from poise.pictures import picture

    report("drawing", 0.7)
    panels = [
        (picture(subject, views="side", size=(430, 560)), caption)
        for subject, caption in ((before, "the tasks"), (after, "and the legs flexed"))
    ]
    return Result(claims, (write(side_by_side(panels), folder, "2001-fig-7.14"),))


def _met(solution: Solution, name: str) -> bool:
    return {task.name: task.met for task in solution.tasks}[name]


def _head_turned(one: Posture, other: Posture) -> float:
    """By how much the head turns against the chest between two postures (rad)."""
    turns = []
    for posture in (one, other):
        where = posture.figure.place(posture)
        turns.append(where["chest"].rotation.T @ where["head"].rotation)
    cosine = 0.5 * (float(np.trace(turns[0].T @ turns[1])) - 1.0)
    return float(np.arccos(np.clip(cosine, -1.0, 1.0)))
