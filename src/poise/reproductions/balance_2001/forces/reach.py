"""Figs. 7.9 and 7.10: what can be reached in balance, explored in all directions."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np

from poise import tasks as t
from poise.figure import Posture
from poise.models import human
from poise.reproductions.balance_2001.chains import Values
from poise.reproductions.balance_2001.forces.chains import LENGTH, LINKS, standing_chain
from poise.reproductions.balance_2001.stepping import PLANE
from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.measures import millimetres
from poise.scene import Scene, Solution

_TOLERANCE = 1e-4
_LONG = LINKS * LENGTH


def chain_reach(folder: Path | None, report: Report) -> Result:
    """Fig. 7.9: how far the tip of a chain goes while its centre of mass stays above the base."""
    scene = standing_chain()
    scene.forces.clear()
    scene.add(t.CenterOfMass((0.0, 0.0, 0.0), axes="x"), priority=1)
    tip = scene.add(t.Position("tip", (0.0, 0.0, 1.0), axes="xz"), priority=2)
    solutions: list[Solution] = []
    angles = np.linspace(0.0, np.pi, 25)
    for i, angle in enumerate(angles):
        report("reaching", i / len(angles))
        tip.target = (1.5 * _LONG * np.cos(angle), 0.0, 1.5 * _LONG * np.sin(angle))
        solutions.append(scene.solve(max_iterations=1000, restarts=0))
    off = max(float(each.tasks[0].error) for each in solutions)
    edge = np.array([each.places["tip"].position[PLANE] for each in solutions])
    right, left, top = edge[:, 0].max(), -edge[:, 0].min(), edge[:, 1].max()
    claims = (
        Claim.setup("the chain has so many degrees of freedom", "10", str(LINKS), LINKS == 10),
        Claim.words(
            "the chain is kept in static equilibrium all the while: its centre of mass stays on "
            "the vertical line",
            "its center of mass is constrained to lie on the vertical line by a task of higher "
            "priority",
            f"at most {millimetres(off)} off, in {len(solutions)} directions",
            off < _TOLERANCE,
        ),
        Claim.check(
            "to the side the boundary is that of balance, upwards that of the chain's length",
            f"{right:.2f} m to the side, {top:.2f} m up; the chain is {_LONG:g} m long",
            0.25 * _LONG < right < 0.95 * _LONG and top > 0.975 * _LONG,
        ),
        Claim.check(
            "the space is alike on both sides",
            f"{right:.2f} and {left:.2f} m",
            abs(right - left) < 0.03,
        ),
    )
    if folder is None:
        return Result(claims)
    from poise.reproductions.balance_2001.sheets import INK, SITE, Sheet, framing

    sheet = Sheet(1, size=(6.0, 3.8))
    panel = sheet.panels[0]
    shown = [solutions[i].posture for i in (0, 4, 12, 20)]
    panel.axes.fill(*edge.T, color="#eef3f8", zorder=0)
    panel.axes.axvline(0.0, color=INK, lw=0.8, ls=":", zorder=0)
    for posture in shown:
        panel.chain(posture, faint=posture is not shown[1])
    panel.path(edge, color=SITE)
    panel.title("where the tip can go, with the centre of mass above the base")
    panel.picture(framing(shown, edge), 0.05)
    return Result(claims, (sheet.save(folder, "2001-fig-7.9"),))


def hands_reach(folder: Path | None, report: Report) -> Result:
    """Fig. 7.10: how far both hands together reach in the sagittal plane, in balance."""
    scene = Scene(human(), natural=False)
    for side in ("left", "right"):
        scene.add(t.Frame(f"{side}_foot"), priority=1)
    scene.add(t.Balance(margin=0.0), priority=2)
    scene.add(t.Loop("left_hand", "right_hand"), priority=2, name="together")
    scene.add(t.HalfSpace("right_hand", (0.0, 0.0, 0.0), "z"), priority=2, name="above the floor")
    hand = scene.add(t.Position("right_hand", (0.4, 0.0, 1.2)), priority=3, name="reach")
    ahead = scene.solve(restarts=0).posture
    found: dict[float, Solution] = {}
    # From straight ahead up and down, each direction from the posture before.
    for way in (1.0, -1.0):
        scene.posture = ahead
        for angle in way * np.arange(0.0, 101.0, 10.0):
            report("reaching", len(found) / 21)
            turn = np.deg2rad(angle)
            hand.target = (2.0 * np.cos(turn), 0.0, 1.2 + 2.0 * np.sin(turn))
            found[float(angle)] = scene.solve(max_iterations=500, restarts=0)
            scene.posture = found[float(angle)].posture
    solutions = [found[angle] for angle in sorted(found)]
    kept = [all(r.met for r in each.tasks if r.name != "reach") for each in solutions]
    together = max(r.error for each in solutions for r in each.tasks if r.name == "together")
    edge = np.array([each.places["right_hand"].position for each in solutions])
    claims = (
        Claim.words(
            "the figure keeps balance and its feet all the while",
            "constrained to keep balance, with a high priority task assigned to the center of mass",
            f"in {sum(kept)} of {len(kept)} directions",
            all(kept),
        ),
        Claim.words(
            "the hands stay together",
            "The hands … are also required to stay together, with a high priority loop task",
            f"at most {millimetres(together)} apart",
            together < _TOLERANCE,
        ),
        Claim.check(
            "the boundary is beyond what the arms alone reach",
            f"up to {edge[:, 0].max():.2f} m ahead and {edge[:, 2].max():.2f} m high",
            edge[:, 0].max() > 0.6,
        ),
    )
    if folder is None:
        return Result(claims)
    shown = [found[angle].posture for angle in (-60.0, 0.0, 60.0)]
    return Result(claims, (_draw_hands(folder, shown, edge),))


def _draw_hands(folder: Path, postures: list[Posture], edge: Values) -> Path:
    """The trace of the hands from the side, with figures that reach low, ahead and up."""
    from poise.pictures.figures import solid
    from poise.pictures.marks import Marks
    from poise.pictures.stage import VIEWS, Camera, Scenery, render
    from poise.reproductions.balance_2001.sheets import GOAL
    from poise.reproductions.drawing import side_by_side, write

    marks = Marks.around(np.concatenate([edge, [[-0.5, 0.0, 0.0], [0.5, 0.0, 2.0]]]))
    for start, end in pairwise(edge):
        marks.pointer(start, end, GOAL)
    view, size = VIEWS["side"], (430, 560)
    sceneries = [Scenery([*solid(each.figure, each), *marks.items]) for each in postures]
    points = np.concatenate([each.points() for each in sceneries])
    camera = Camera.fitted(points, view, size, 0.03)
    words = ("low", "ahead", "up")
    panels = [
        (render(each, view, size, camera=camera), f"the hands reach {word}")
        for each, word in zip(sceneries, words, strict=True)
    ]
    return write(side_by_side(panels), folder, "2001-fig-7.10")
