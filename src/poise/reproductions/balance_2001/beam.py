"""Figs. 7.11 and 7.12: a figure on a beam looks at a fly, and at last reaches for it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from poise.checking import Vec3
from poise.figure import Figure, Posture, Transform
from poise.figure.props import box
from poise.figure.transform import rotation_matrix
from poise.models import human
from poise.reproductions.balance_2001.chains import Values, unit
from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.drawing import side_by_side, write
from poise.reproductions.measures import degrees, millimetres
from poise.scene import Handle, Scene, Solution
from poise.tasks import Aim, CenterOfMass, Flexion, Frame, Position, Rest

_TOLERANCE = 1e-4
_APART, _HEIGHT, _AHEAD = 0.14, 0.3, 0.02
"""The feet's distance from the middle, the beam's height, and how far before the ankles the
centre of mass is kept (m)."""

_FLIES: dict[str, Vec3] = {
    "D": (1.5, 0.2, 2.0),
    "E": (1.2, 1.2, 2.2),
    "F": (-1.2, 0.1, 0.5),
    "G": (1.0, -0.6, 0.9),
    "H": (0.9, 0.3, 2.6),
    "I": (0.9, 0.9, 2.0),
}
"""Where the cross is, from when the gaze follows it."""


def fly(folder: Path | None, report: Report) -> Result:
    """Figs. 7.11, 7.12: feet, then balance, then the gaze, then a hand."""
    figure, start = _on_the_beam()
    scene = Scene(figure, natural=False)
    scene.place(box(0.26, 1.6, _HEIGHT, mass=40.0, name="beam", color="#a9825a"), _beam_place())
    scene.posture = start
    scene.add(Frame("left_foot"), priority=1)
    line = scene.add(CenterOfMass((_AHEAD, 0.0, 0.0), axes="xy"), priority=2)
    found: dict[str, Solution] = {}
    report("A: standing", 0.0)
    found["A"] = _next(scene)
    for letter, amount in (("B", 0.3), ("C", 0.6)):
        report(f"{letter}: legs are flexed", 0.1)
        flexed = scene.add(Flexion(["left_knee", "right_knee"], amount), name="flexion")
        found[letter] = _next(scene)
        flexed.remove()
    gaze = scene.add(Aim("eyes", _FLIES["D"]), priority=3, name="gaze")
    for letter in "DEFGH":
        report(f"{letter}: the gaze follows", 0.2)
        gaze.target = _FLIES[letter]
        found[letter] = _next(scene)
    report("F: places behind", 0.3)
    unseen = _unseen(scene, gaze)
    gaze.target = _FLIES["I"]
    scene.add(Position("right_hand", _FLIES["I"]), priority=4, name="hand")
    report("I: a hand reaches", 0.4)
    found["I"] = _next(scene)
    report("J: the weight is shifted", 0.5)
    shares = np.linspace(-1.0, 1.0, 5)
    shifted: list[Solution] = []
    for share in shares.tolist():
        line.target = (_AHEAD, share * _APART, 0.0)
        shifted.append(scene.solve("priority", max_iterations=1000, restarts=0))
    found["J"] = shifted[-1]
    claims = _claims(found, unseen, shares, shifted)
    if folder is None:
        return Result(claims)
    report("the picture", 0.7)
    return Result(claims, (_draw(folder, found),))


def _claims(
    found: dict[str, Solution], unseen: int, shares: Values, shifted: list[Solution]
) -> tuple[Claim, ...]:
    feet = max(_error(each, "left_foot") for each in found.values())
    turned = max(_turn(each) for each in found.values())
    balance = max(_error(each, "center_of_mass") for each in found.values())
    knees = [float(min(found[x].posture[f"{s}_knee"] for s in ("left", "right"))) for x in "ABC"]
    followed = max(_error(found[letter], "gaze") for letter in "DEGHI")
    lost = _error(found["F"], "gaze")
    short = [_error(each, "hand") for each in (found["I"], found["J"])]
    off, bend = _pointing(found["I"].posture)
    distances = [_error(each, "hand") for each in shifted]
    return (
        Claim.words(
            "the other foot stays fixed in position and orientation, A–J",
            "the other foot is fixed both in position and in orientation",
            f"at most {millimetres(feet)}, {degrees(turned)}",
            feet <= _TOLERANCE and turned <= 1e-3,
        ),
        Claim.words(
            "the centre of mass stays on its vertical line, A–J",
            "constrained on a vertical line passing inbetween the feet",
            f"at most {millimetres(balance)} off",
            balance <= _TOLERANCE,
        ),
        Claim.words(
            "B, C: the legs are flexed by a criterion without affecting the tasks",
            "hence without affecting the tasks",
            "knees at " + ", ".join(degrees(knee) for knee in knees) + " in A, B, C",
            knees[0] < knees[1] < knees[2] and all(found[x].met for x in "ABC"),
        ),
        Claim.words(
            "D, E, G, H: the figure adapts its posture to follow the cross with its gaze",
            "adapts its posture to follow up the cross",
            f"at most {degrees(followed)} off, in I too",
            followed <= np.deg2rad(0.1),
        ),
        Claim.words(
            "F: there are places that the gaze cannot follow; the figure then adopts the closest "
            "possible posture",
            "In F, this is not possible and thus the figure adopts the closest possible posture",
            f"{unseen} of {len(_behind())} places behind it cannot be looked at; in F the gaze is "
            f"{degrees(lost)} off",
            unseen > 0 and lost > np.deg2rad(0.1),
        ),
        Claim.words(
            "I: the hand, of low priority, does not reach the cross but points towards it",
            "Hence the hand only points towards the cross",
            f"{millimetres(short[0])} short, the arm {degrees(off)} off the direction to the "
            f"cross, the elbow bent by {degrees(bend)}",
            short[0] > _TOLERANCE and off < np.deg2rad(5.0) and bend < np.deg2rad(5.0),
        ),
        Claim.words(
            "J: with the weight on the left foot the hand comes nearer",
            "entirely shifted on the left foot, to obtain",
            f"{millimetres(short[1])} short, in I {millimetres(short[0])}",
            short[1] < short[0],
        ),
        Claim.words(
            "J: of all ways to share the weight this gives the shortest distance",
            "the posture that results in the shortest distance of the cross",
            ", ".join(
                f"{1e3 * d:.0f} mm with {50 + 50 * s:.0f} %"
                for s, d in zip(shares.tolist(), distances, strict=True)
            )
            + " on the left foot",
            min(distances) == distances[-1],
        ),
    )


def _on_the_beam() -> tuple[Figure, Posture]:
    """A woman with both feet on the beam, rooted on her right foot."""
    figure = human(1.68, "female")
    scene = Scene(figure, natural=False)
    posture = figure.rest()
    posture["root.z"] = float(posture["root.z"]) + _HEIGHT
    scene.posture = posture
    flat = rotation_matrix((np.pi, 0.0, 0.0))
    for name, y in (("left_foot", _APART), ("right_foot", -_APART)):
        scene.add(Frame(name, Transform(flat, np.array([0.0, y, _HEIGHT]))), priority=1)
    scene.add(CenterOfMass((_AHEAD, 0.0, 0.0), axes="xy"), priority=2)
    scene.add(Rest())
    return figure.rooted_at(
        "right_foot", scene.solve(tolerance=1e-6, restarts=0).posture, root="fixed"
    )


def _beam_place() -> Vec3:
    return (_AHEAD, 0.0, 0.5 * _HEIGHT)


def _next(scene: Scene) -> Solution:
    """Solve by the thesis' method, and go on from there."""
    solution = scene.solve("priority", max_iterations=1000, restarts=0)
    scene.posture = solution.posture
    return solution


def _behind() -> list[Vec3]:
    """Places two metres behind the figure and to its sides, from the floor to twice its height."""
    turns = np.deg2rad(np.arange(100.0, 261.0, 20.0))
    return [
        (2.0 * float(np.cos(turn)), 2.0 * float(np.sin(turn)), height)
        for turn in turns
        for height in (0.02, 0.3, 0.8, 1.5, 2.2, 3.0, 4.0)
    ]


def _unseen(scene: Scene, gaze: Handle) -> int:
    """How many of these places the gaze cannot be turned to, by `lex` from several starts."""
    count, before = 0, gaze.target
    for place in _behind():
        gaze.target = place
        count += not (scene.solve("lex", restarts=0).met or scene.solve("lex", restarts=8).met)
    gaze.target = before
    return count


def _error(solution: Solution, name: str) -> float:
    """The error of a task (m, or rad for the gaze) that the solution must have."""
    return {task.name: task.error for task in solution.tasks}[name]


def _turn(solution: Solution) -> float:
    """How far the held foot is turned (rad)."""
    return next(t.errors[1].value for t in solution.tasks if t.name == "left_foot")


def _pointing(posture: Posture) -> tuple[float, float]:
    """The angle between the right arm and the direction to the cross, and the elbow's (rad)."""
    where = posture.figure.place(posture)
    shoulder = where["right_shoulder"].position
    arm, way = (unit(p - shoulder) for p in (where["right_hand"].position, np.array(_FLIES["I"])))
    off = float(np.arccos(np.clip(arm @ way, -1.0, 1.0)))
    return off, float(posture.angles("right_elbow")["flexion"])


def _draw(folder: Path, found: dict[str, Solution]) -> Path:
    """Ten panels in two rows."""
    from poise.pictures import View, picture

    view = View(np.deg2rad(-32.0), np.deg2rad(10.0), np.deg2rad(20.0))
    panels = [(picture(each, views=view, size=(330, 460)), x) for x, each in found.items()]
    rows = [side_by_side(panels[:5]), side_by_side(panels[5:])]
    return write(np.concatenate(rows), folder, "2001-fig-7.11-7.12")
