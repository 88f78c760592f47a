"""Figs. 7.7 and 7.8: moments of inertia, drawn as rings of the radius of gyration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize

from poise.figure import Figure, Posture
from poise.models import chain, planar_person
from poise.reproductions.balance_2001.chains import Values
from poise.reproductions.balance_2001.sheets import GOAL, INK, SITE, Sheet, framing
from poise.reproductions.balance_2001.stepping import PLANE
from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.drawing import side_by_side, write
from poise.reproductions.measures import millimetres
from poise.scene import Scene, Solution
from poise.tasks import CenterOfMass, Inertia, Loop

_TOLERANCE = 1e-4


def gyration(posture: Posture) -> float:
    """The radius of gyration √(I/m) about the axis y through the centre of mass (m)."""
    figure = posture.figure
    return float(np.sqrt(figure.inertia(posture, "y") / figure.mass))


# the chain ---------------------------------------------------------------------------------------


def closed_chain(folder: Path | None, report: Report) -> Result:
    """Fig. 7.7: a closed chain of nine links spreads its mass under two constraints."""
    figure = chain(9, 0.1)
    start = figure.rest()
    start.q[:] = -np.deg2rad([120.0, -90.0, 50.0, -80.0, -20.0, 60.0, -70.0, -40.0, 40.0])
    place, wanted = (0.06, 0.0, 0.05), 0.22
    report("a loop, and the centre of mass", 0.0)
    bound = _bound(figure, start, place, "xz", None)
    report("a moment of inertia that is out of reach", 0.3)
    spread = _bound(figure, bound.posture, place, "xz", wanted)
    report("the centre of mass free to rise and sink", 0.6)
    freed = _bound(figure, spread.posture, place, "x", wanted)
    radii = [gyration(each.posture) for each in (bound, spread, freed)]
    broken = max(t.error for each in (spread, freed) for t in each.tasks if t.priority == 1)
    report("the greatest moments of inertia", 0.8)
    most = [_most(figure, each.posture, place, axes) for each, axes in ((spread, 2), (freed, 1))]
    claims = (
        Claim.setup("the chain has 9 degrees of freedom", "9", str(figure.n), figure.n == 9),
        Claim.words(
            "B: a configuration satisfies the loop and the place of the centre of mass",
            "A configuration satisfying both tasks",
            f"at most {millimetres(max(task.error for task in bound.tasks))} off",
            bound.met,
        ),
        Claim.words(
            "C: the rings do not coincide: the desired moment of inertia is unreachable under "
            "the two tasks",
            "Both rings do not coincide because the desired moment of inertia is unreachable",
            f"r = {millimetres(radii[1])}, desired {millimetres(wanted)}; before "
            f"{millimetres(radii[0])}",
            radii[0] < radii[1] < wanted - _TOLERANCE,
        ),
        Claim.words(
            "D: with the centre of mass free vertically the chain finds a higher moment of inertia",
            "a configuration with a higher moment of inertia",
            f"r = {millimetres(radii[2])}, in C {millimetres(radii[1])}",
            radii[2] > radii[1] + _TOLERANCE,
        ),
        Claim.words(
            "D: it is stretched up to its maximum",
            "up to its maximum",
            f"r = {millimetres(radii[2])}, the greatest found otherwise {millimetres(most[1])}; "
            f"in C {millimetres(radii[1])} and {millimetres(most[0])}",
            radii[2] > most[1] - 10 * _TOLERANCE,
        ),
        Claim.words(
            "C, D: neither constraint task is violated",
            "without violating the two constraint tasks",
            f"at most {millimetres(broken)} off",
            broken <= _TOLERANCE,
        ),
    )
    if folder is None:
        return Result(claims)
    sheet = Sheet(4, size=(2.6, 2.7))
    postures = [start, *(each.posture for each in (bound, spread, freed))]
    rings = [None, *radii]
    centers = [figure.center_of_mass(posture)[PLANE] for posture in postures[1:]]
    view = framing(postures, *(c + wanted * np.array([(-1.0, -1.0), (1.0, 1.0)]) for c in centers))
    titles = (
        "A  initial",
        "B  loop, centre of mass",
        "C  and inertia",
        "D  centre free vertically",
    )
    for panel, posture, radius, title in zip(sheet.panels, postures, rings, titles, strict=True):
        center = figure.center_of_mass(posture)[PLANE]
        panel.chain(posture)
        if radius is not None:
            panel.ring(center, wanted, color=GOAL, width=3.0)
            panel.ring(center, radius, color=SITE, width=1.2)
        if title.startswith("D"):
            panel.axes.axvline(place[0], color=INK, lw=0.8, ls=":", zorder=0)
        panel.point(center, color=INK, size=7.0)
        panel.title(title)
        panel.picture(view, 0.04)
    return Result(claims, (sheet.save(folder, "2001-fig-7.7"),))


def _bound(
    figure: Figure, start: Posture, place: ArrayLike, axes: str, radius: float | None
) -> Solution:
    """The tip bound to the base and the centre of mass in its place; below that, inertia."""
    scene = Scene(figure, natural=False)
    scene.posture = start
    scene.add(Loop("tip", "base"), priority=1)
    scene.add(CenterOfMass(place, axes=axes), priority=1)
    if radius is not None:
        scene.add(Inertia("y", radius), priority=2)
    return scene.solve("priority", max_iterations=2000, restarts=0)


def _most(figure: Figure, start: Posture, place: ArrayLike, rows: int) -> float:
    """The greatest radius of gyration of the closed chain, by an independent method (m)."""
    base = figure.place(start)["base"].position[PLANE]

    def held(q: Values) -> Values:
        tip = figure.place(q)["tip"].position[PLANE] - base
        return np.concatenate([tip, (figure.center_of_mass(q) - np.asarray(place))[PLANE[:rows]]])

    return _extreme(figure, start, held, sign=-1.0, spread=0.4)


def _extreme(
    figure: Figure,
    start: Posture,
    held: Callable[[Values], Values],
    *,
    sign: float,
    spread: float,
) -> float:
    """The least (sign 1) or greatest (−1) radius of gyration while something is held at zero.

    From postures about the start, or anywhere within limits where `spread` is infinite.
    """
    limits = list(zip(figure.lower.tolist(), figure.upper.tolist(), strict=True))
    rng = np.random.default_rng(1)
    found: list[float] = []
    for i in range(8):
        q = start.q.copy()
        if i and np.isfinite(spread):
            q += spread * rng.standard_normal(figure.n)
        elif i:
            q = rng.uniform(figure.lower, figure.upper)
        result = minimize(
            lambda q: sign * figure.inertia(q, "y") / figure.mass,
            q,
            jac=lambda q: sign * figure.inertia_gradient(q, "y") / figure.mass,
            bounds=limits,
            constraints={"type": "eq", "fun": held},
            method="SLSQP",
            options={"maxiter": 400},
        )
        if result.success:
            found.append(float(np.sqrt(sign * result.fun)))
    return min(found) if sign > 0 else max(found)


# the person --------------------------------------------------------------------------------------


def curling_up(folder: Path | None, report: Report) -> Result:
    """Fig. 7.8: a person in the plane stretches, then curls up, and keeps balance."""
    figure = planar_person()
    start = figure.rest()
    start["ankle"], start["knee"], start["hip"] = np.deg2rad([10.0, 40.0, 40.0])
    place = (_middle_of_support(figure), 0.0, 0.0)
    targets = (0.75, 0.40, 0.35, 0.30, 0.05)
    report("a sequence of prescribed moments of inertia", 0.0)
    steps = _sequence(figure, start, place, targets)
    report("the last one from other starts too", 0.3)
    curled = _curled(figure, steps[-1].posture, place, targets[-1])
    report("the greatest and the least moment of inertia", 0.5)

    def held(q: Values) -> Values:
        return figure.center_of_mass(q)[:1] - place[0]

    most = _extreme(figure, start, held, sign=-1.0, spread=np.inf)
    least = _extreme(figure, start, held, sign=1.0, spread=np.inf)
    radii = [gyration(each.posture) for each in steps]
    off = max(each.tasks[0].error for each in (*steps, curled))
    middle = max(abs(r - t) for r, t in zip(radii[1:4], targets[1:4], strict=True))
    limits = all(figure.within_limits(each.posture) for each in (*steps, curled))
    claims = (
        Claim.setup(
            "the figure has 12 degrees of freedom and joint limits",
            "12",
            f"{figure.n}, limits " + ("kept" if limits else "broken"),
            figure.n == 12 and limits,
        ),
        Claim.words(
            "the centre of mass stays above the middle of the area of support",
            "kept fixed at the center of the area of support",
            f"at most {millimetres(off)} off",
            off <= _TOLERANCE,
        ),
        Claim.words(
            "B: an exaggeratedly big goal gives the posture of the greatest moment of inertia",
            "the posture with greatest moment of inertia is found",
            f"r = {millimetres(radii[0])}; the greatest found otherwise {millimetres(most)}",
            radii[0] > 0.99 * most,
        ),
        Claim.words(
            "B: which is elongated",
            "the solution is an elongated posture",
            f"fingertips {_height(steps[0].posture):.2f} m high, of a person of 1.75 m",
            _height(steps[0].posture) > 2.0,
        ),
        Claim.words(
            "C, D, E: postures of decreasing inertia follow their prescribed values",
            "a sequence of postures with decreasing inertia",
            "r = "
            + ", ".join(f"{1e3 * r:.0f}" for r in radii[1:4])
            + f" mm, within {millimetres(middle)}",
            middle <= _TOLERANCE,
        ),
        Claim.words(
            "F: in the end the body is completely curled up",
            "until the body is completely curled up",
            f"r = {millimetres(radii[4])}, the least found otherwise {millimetres(least)}",
            radii[4] < 1.01 * least,
        ),
        Claim.check(
            "F: it is completely curled up where `lex` tries other starts too",
            f"r = {millimetres(gyration(curled.posture))}, the least found otherwise "
            f"{millimetres(least)}",
            gyration(curled.posture) < 1.01 * least,
        ),
    )
    if folder is None:
        return Result(claims)
    report("the picture", 0.8)
    shown = [start, *(each.posture for each in (*steps, curled))]
    path = _draw_people(folder, shown, [None, *targets, targets[-1]])
    return Result(claims, (path,))


def _curled(figure: Figure, start: Posture, place: ArrayLike, radius: float) -> Solution:
    """The last posture by our own method, which may try other starts."""
    scene = Scene(figure, natural=False)
    scene.posture = start
    scene.add(CenterOfMass(place, axes="x"), priority=1)
    scene.add(Inertia("y", radius), priority=2)
    return scene.solve("lex", restarts=16)


def _sequence(
    figure: Figure, start: Posture, place: ArrayLike, targets: Sequence[float]
) -> list[Solution]:
    """One solution after the other by the thesis' method, each from the one before."""
    scene = Scene(figure, natural=False)
    scene.posture = start
    scene.add(CenterOfMass(place, axes="x"), priority=1)
    ring = scene.add(Inertia("y", targets[0]), priority=2)
    found: list[Solution] = []
    for target in targets:
        ring.target = target
        found.append(scene.solve("priority", max_iterations=2000, restarts=0))
        scene.posture = found[-1].posture
    return found


def _middle_of_support(figure: Figure) -> float:
    """Half way between the heels and the tips of the toes, at rest."""
    where = figure.place(figure.rest())
    x = [
        where[name].apply((*corner, 0.0))[0]
        for name in ("foot", "toes")
        for corner in figure.sites[name].outline
    ]
    return 0.5 * (min(x) + max(x))


def _height(posture: Posture) -> float:
    return float(posture.figure.place(posture)["fingertip"].position[2])


def _draw_people(
    folder: Path, postures: Sequence[Posture], targets: Sequence[float | None]
) -> Path:
    """Side views at one scale, with a thin ring for what is and a thick one for what is wanted."""
    from poise.pictures.figures import solid
    from poise.pictures.marks import Marks
    from poise.pictures.stage import VIEWS, Camera, Scenery, render

    side, size = VIEWS["side"], (290, 440)
    sceneries: list[Scenery] = []
    for posture, target in zip(postures, targets, strict=True):
        figure = posture.figure
        items = solid(figure, posture)
        marks = Marks.around(np.array([(-0.8, 0.0, 0.0), (0.8, 0.0, 2.3)]))
        center, axis = figure.center_of_mass(posture), np.array([0.0, 1.0, 0.0])
        if target is not None:
            marks.ring(center, axis, target, GOAL, 0.5)
        marks.ring(center, axis, gyration(posture), SITE, 0.2)
        marks.dot(center, INK, 0.8)
        sceneries.append(Scenery([*items, *marks.items]))
    points = np.concatenate([each.points() for each in sceneries])
    camera = Camera.fitted(points, side, size, 0.03)
    panels = [
        (render(scenery, side, size, camera=camera), letter)
        for scenery, letter in zip(sceneries, (*"ABCDEF", "F, lex"), strict=True)
    ]
    return write(side_by_side(panels), folder, "2001-fig-7.8")
