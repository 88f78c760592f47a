"""Figs. 7.3–7.5: what holds a body together comes first, whatever else is wanted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import root_scalar

from poise.checking import Vec3
from poise.figure import Ellipsoid, Figure, Posture
from poise.models import chain, human, shoulder_complex
from poise.reproductions.balance_2001.chains import Values
from poise.reproductions.balance_2001.sheets import Sheet, framing
from poise.reproductions.balance_2001.stepping import PLANE
from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.drawing import side_by_side, write
from poise.reproductions.measures import degrees, millimetres
from poise.scene import Scene, Solution
from poise.tasks import Balance, Frame, Loop, Position, Rest, Surface

if TYPE_CHECKING:
    from poise.pictures.meshes import Mesh

_TOLERANCE = 1e-4

# the shoulder blade --------------------------------------------------------------------------

_REACHES: Mapping[str, Vec3] = {
    "in front": (0.45, -0.20, 1.35),
    "to the side": (0.00, -0.75, 1.50),
    "above": (0.10, -0.30, 1.95),
    "across": (0.35, 0.25, 1.30),
    "behind": (-0.30, -0.30, 1.10),
    "too far": (0.95, -0.10, 1.50),
    "too high": (0.20, -0.30, 2.30),
}


def scapula(folder: Path | None, report: Report) -> Result:
    """Fig. 7.3: the shoulder blade glides on the thorax while the hand reaches."""
    figure = shoulder_complex("right")
    ways = ("first", "ignored", "weighed")
    found: dict[tuple[str, str], Solution] = {}
    for i, name in enumerate(_REACHES):
        report(f"the hand reaches {name}", i / len(_REACHES))
        for way in ways:
            found[name, way] = _reach(figure, _REACHES[name], way)
    off = {way: max(abs(_gap(found[name, way].posture)) for name in _REACHES) for way in ways}
    deepest = min(_gap(found[name, "ignored"].posture) for name in _REACHES)
    widest = max(_gap(found[name, "ignored"].posture) for name in _REACHES)
    met = [name for name in _REACHES if found[name, "first"].met]
    possible = [name for name in _REACHES if _reach(figure, _REACHES[name], "first", "lex").met]
    missed = [name for name in possible if name not in met]
    claims = (
        Claim.words(
            "with the highest priority the scapula stays on the thorax, wherever the hand goes",
            "must be ensured with the highest priority",
            f"at most {millimetres(off['first'])} off, for {len(_REACHES)} goals",
            off["first"] <= _TOLERANCE,
        ),
        Claim.words(
            "other tasks, like the hand's position, are still done",
            "with respect to other tasks like hand position control",
            f"{len(met)} of {len(possible)} goals reached that `lex` reaches"
            + "".join(
                f"; {name}, {millimetres(found[name, 'first'].tasks[1].error)} short"
                for name in missed
            ),
            not missed,
        ),
        Claim.words(
            "B: without the constraint the bones are positioned unrealistically",
            "unrealistic positioning of the bones",
            f"up to {millimetres(-deepest)} inside the thorax, up to {millimetres(widest)} away",
            off["ignored"] > 0.005,
        ),
        Claim.words(
            "with weights instead of priorities the constraint could be violated",
            "the anatomical constraint could be violated",
            f"up to {millimetres(off['weighed'])} off, where the hand's goal is out of reach",
            off["weighed"] > 0.005,
        ),
    )
    if folder is None:
        return Result(claims)
    report("the picture", 0.9)
    kept, lost = (found["to the side", way].posture for way in ("first", "ignored"))
    return Result(claims, (_draw_shoulder(folder, kept, lost),))


def _reach(figure: Figure, goal: Vec3, way: str, method: str = "priority") -> Solution:
    scene = Scene(figure, natural=False)
    if way != "ignored":
        scene.add(Surface("scapula_point", _thorax(figure), frame="thorax_center"), priority=1)
    scene.add(Position("hand", goal), priority=2 if way == "first" else 1)
    return scene.solve(method, max_iterations=1000, restarts=0)


def _thorax(figure: Figure) -> Ellipsoid:
    (shape,) = figure.segments["thorax"].shapes
    assert isinstance(shape, Ellipsoid)
    return shape


def _gap(posture: Posture) -> float:
    """How far the point of the scapula is outside the thorax (m), negative inside.

    The nearest point of the ellipsoid is r² y/(t + r²) for the greatest t that puts it there.
    """
    figure = posture.figure
    where = figure.place(posture)
    y = where["thorax_center"].inverse().apply(where["scapula_point"].position)
    squares = np.square(_thorax(figure).radii)

    def excess(t: float) -> float:
        return float(np.sum(squares * (y / (t + squares)) ** 2)) - 1.0

    t = root_scalar(excess, bracket=(-float(squares.min()) * (1 - 1e-6), 10.0), xtol=1e-15).root
    distance = float(np.linalg.norm(y - squares * y / (t + squares)))
    return distance if t >= 0 else -distance


def _draw_shoulder(folder: Path, kept: Posture, lost: Posture) -> Path:
    """A: with the thorax as a wire frame; B: without the constraint; C: the point, near by."""
    from poise.pictures.figures import solid
    from poise.pictures.marks import Marks
    from poise.pictures.stage import Camera, Image, Item, Scenery, View, render

    view, near = (View(np.deg2rad(a), np.deg2rad(e)) for a, e in ((-162.0, 10.0), (-150.0, 16.0)))
    size = (470, 470)
    panels: list[tuple[Image, str]] = []
    for posture, letter, wired, looks in (
        (kept, "A: on the thorax", True, view),
        (lost, "B: the constraint ignored", False, view),
        (kept, "C: close-up", True, near),
    ):
        figure = posture.figure
        where = figure.place(posture)
        items = solid(figure, posture)
        center, point = where["thorax_center"].position, where["scapula_point"].position
        marks = Marks.around(np.concatenate([item.mesh.points for item in items]))
        if wired:
            items = [item for item in items if item.color != figure.segments["thorax"].color]
            items += [
                Item(mesh, "#7a6a58", lit=False, casts_shadow=False)
                for mesh in _wires(center, _thorax(figure).radii)
            ]
        marks.dot(point, "#1a8f4a" if wired else "#d1242f", 0.9)
        scenery = Scenery([*items, *marks.items], floor=False)
        corners = np.array(
            [(-1.0, -1.0, -1.0), (1.0, 1.0, 1.0), (-1.0, 1.0, 1.0), (1.0, -1.0, -1.0)]
        )
        around = center + (0.0, -0.22, 0.06) + 0.33 * corners
        if letter.startswith("C"):
            around = point + 0.13 * corners
        camera = Camera.fitted(around, looks, size, 0.0)
        panels.append((render(scenery, looks, size, camera=camera), letter))
    return write(side_by_side(panels), folder, "2001-fig-7.3")


def _wires(center: Values, radii: Vec3) -> list[Mesh]:
    """Meridians and parallels of an ellipsoid, as thin tubes."""
    from poise.pictures.meshes import path

    turn = np.linspace(0.0, 2.0 * np.pi, 73)
    lines: list[Values] = []
    for a in np.linspace(0.0, np.pi, 9)[:-1]:
        lines.append(
            np.stack([np.sin(turn) * np.cos(a), np.sin(turn) * np.sin(a), np.cos(turn)], -1)
        )
    for h in np.linspace(-0.9, 0.9, 9):
        r = np.sqrt(1 - h * h)
        lines.append(np.stack([r * np.cos(turn), r * np.sin(turn), np.full_like(turn, h)], -1))
    return [path(center + line * np.array(radii), 0.0012) for line in lines]


# hip and knee --------------------------------------------------------------------------------


def hip_and_knee(folder: Path | None, report: Report) -> Result:
    """Fig. 7.4: the hamstrings bend the knees of one who reaches for the floor."""
    coupled = human()
    free = _without(coupled, "hamstrings")
    report("without the coupling", 0.0)
    loose = _reach_down(free, "lex")
    report("with the coupling", 0.3)
    tight = _reach_down(coupled, "lex")
    report("with the coupling, by the thesis' method", 0.5)
    theirs = _reach_down(coupled, "priority")
    most = float(np.deg2rad(70.0))
    differences = [
        max(_flexion(each, f"{side}_hip") - _flexion(each, f"{side}_knee") for side in _SIDES)
        for each in (loose.posture, tight.posture, theirs.posture)
    ]
    knees = [
        min(_flexion(each.posture, f"{side}_knee") for side in _SIDES)
        for each in (loose, tight, theirs)
    ]
    broken = max(coupled.violation(each.posture) for each in (tight, theirs))
    flexed = knees[0] + float(np.deg2rad(5.0))
    claims = (
        Claim.words(
            "without the coupling the task is met in an uncomfortable posture: hip flexion less "
            "knee flexion passes 70°, taken for the lost number of (3.2) (by `lex`)",
            "the resulting posture is somewhat uncomfortable",
            f"{degrees(differences[0])}, {_said(loose)}",
            loose.met and differences[0] > most,
        ),
        Claim.words(
            "the coupling, a linear inequality, is ensured (by `lex` and `priority`)",
            "it is a linear inequality constraint that must be ensured",
            f"at most {degrees(max(differences[1:]))}",
            max(differences[1:]) < most + 1e-6 and broken <= 1e-9,
        ),
        Claim.words(
            "as a consequence the knees are flexed, and the task is met (by `lex`)",
            "as a consequence, the knees are flexed to satisfy the constraint",
            f"by {degrees(knees[1])}, without the coupling by {degrees(knees[0])}; {_said(tight)}",
            knees[1] > flexed and tight.met,
        ),
        Claim.words(
            "so they are by `priority`, the thesis' method",
            "the knees are flexed",
            f"by {degrees(knees[2])}; {_said(theirs)}",
            knees[2] > flexed and theirs.met,
        ),
    )
    if folder is None:
        return Result(claims)
    report("the picture", 0.8)
    from poise.pictures import picture

    panels = [
        (picture(subject, views="side", size=(430, 560)), caption)
        for subject, caption in (
            (_floor_scene(coupled), "the task"),
            (loose, "without the coupling"),
            (tight, "with the coupling"),
        )
    ]
    return Result(claims, (write(side_by_side(panels), folder, "2001-fig-7.4"),))


_SIDES = ("left", "right")


def _without(figure: Figure, word: str) -> Figure:
    """The same figure without the couplings that have a word in their name."""
    result = Figure(
        figure.name,
        list(figure.segments.values()),
        list(figure.joints.values()),
        sites=list(figure.sites.values()),
        couplings=[each for each in figure.couplings.values() if word not in each.name],
        groups=list(figure.groups.values()),
        limbs=figure.stated_limbs,
        description=figure.description,
    )
    result.postures.update(figure.postures)
    return result


def _floor_scene(figure: Figure) -> Scene:
    """Feet stay, hands go to the floor; the rest stays near the rest posture."""
    scene = Scene(figure, natural=False)
    for side in _SIDES:
        scene.add(Frame(f"{side}_foot"), priority=1)
    for side, y in (("left", 0.14), ("right", -0.14)):
        scene.add(Position(f"{side}_hand", (0.25, y, 0.12)), priority=3)
    scene.add(Rest())
    return scene


def _reach_down(figure: Figure, method: str) -> Solution:
    """Reach first; then, from there, keep balance too.

    Both at once end upright, with the hands half a metre short: to bend, one must first lean.
    """
    scene = _floor_scene(figure)
    scene.posture = scene.solve(method, max_iterations=500, restarts=0).posture
    scene.add(Balance(margin=0.02), priority=2)
    return scene.solve(method, max_iterations=500, restarts=0)


def _flexion(posture: Posture, joint: str) -> float:
    return float(posture.angles(joint)["flexion"])


def _said(solution: Solution) -> str:
    worst = max(task.error for task in solution.tasks if task.unit == "m")
    return f"{'met' if solution.met else 'not met'}, at most {millimetres(worst)} off"


# a loop --------------------------------------------------------------------------------------


def loop(folder: Path | None, report: Report) -> Result:
    """Fig. 7.5: a loop of the highest priority is not broken by what pulls at it."""
    figure = chain(12, 0.1)
    start = figure.rest()
    start.q[:] = -np.deg2rad(30.0)
    start.q[0] = -np.deg2rad(-75.0)
    goals = {
        "link_5": (0.62, 0.0, -0.02),
        "link_8": (0.60, 0.0, 0.55),
        "link_10": (-0.25, 0.0, 0.5),
    }
    report("the loop alone", 0.0)
    alone = _looped(figure, start, {})
    report("three tasks pull at it", 0.3)
    pulled = _looped(figure, alone.posture, goals)
    report("all at one priority", 0.6)
    torn = _looped(figure, alone.posture, goals, below=False)
    gaps = [each.tasks[0].error for each in (alone, pulled, torn)]
    pulls = max(task.error for task in pulled.tasks[1:])
    turned = float(np.abs(pulled.posture.q - alone.posture.q).max())
    claims = (
        Claim.words(
            "the loop is closed, with the highest priority",
            "It is given the highest priority",
            f"{millimetres(gaps[0])} open",
            gaps[0] <= _TOLERANCE,
        ),
        Claim.words(
            "other end-effector tasks do not break it",
            "other end-effector tasks … do not break the loop",
            f"{millimetres(gaps[1])} open, though tasks pull from up to {millimetres(pulls)} away",
            gaps[1] <= _TOLERANCE < pulls,
        ),
        Claim.words(
            "they modify the posture with a lower priority",
            "other tasks modify the posture with a lower priority",
            f"joints turn by up to {degrees(turned)}",
            turned > np.deg2rad(5.0),
        ),
        Claim.check(
            "without the priority they would break it",
            f"{millimetres(gaps[2])} open",
            gaps[2] > _TOLERANCE,
        ),
    )
    if folder is None:
        return Result(claims)
    sheet = Sheet(2, size=(3.4, 3.0))
    ends = [np.array(goal)[PLANE] for goal in goals.values()]
    view = framing([alone.posture, pulled.posture], *ends)
    for panel, posture, names, title in (
        (sheet.panels[0], alone.posture, (), "a loop"),
        (sheet.panels[1], pulled.posture, goals, "tasks below it pull"),
    ):
        panel.chain(posture)
        where = figure.place(posture)
        for name in names:
            there, goal = where[name].position[PLANE], np.array(goals[name])[PLANE]
            panel.tie(there, goal)
            panel.point(there)
            panel.goal(goal)
        panel.title(title)
        panel.picture(view)
    return Result(claims, (sheet.save(folder, "2001-fig-7.5"),))


def _looped(
    figure: Figure, start: Posture, goals: Mapping[str, Vec3], *, below: bool = True
) -> Solution:
    scene = Scene(figure, natural=False)
    scene.posture = start
    scene.add(Loop("tip", "base"), priority=1)
    for name, goal in goals.items():
        scene.add(Position(name, goal, axes="xz"), priority=2 if below else 1)
    return scene.solve("priority", max_iterations=1000, restarts=0)
