"""Draw the pictures under docs/pictures again: all of them, or those named.

Usage: `python docs/draw.py [NAME …]`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from rooms import drawn as rooms_drawn

import poise
from poise import kernel, tasks
from poise.figure.kinds import Ball
from poise.figure.limits import SphericalEllipse, SphericalPolygon, Twist
from poise.figure.transform import rotation_matrix
from poise.kernel.body.tree import SWING
from poise.kernel.limits.arrays import JointLimits, pack_limits, swing_directions
from poise.models import hand, human, pose, pose_names, quadruped
from poise.pictures import diagram_picture, limits_picture, picture
from poise.pictures.figures import solid
from poise.pictures.globe import REFERENCE, SYMBOL, Globe
from poise.pictures.lettering import captioned
from poise.pictures.limits import globe_of, limit_items
from poise.pictures.meshes import path as wire
from poise.pictures.region import Region
from poise.pictures.stage import Camera, Image, Item, Label, Scenery, View, render

Floats = NDArray[np.float64]

FOLDER = Path(__file__).parent / "pictures"
EXAMPLE_FOLDER = Path(__file__).parents[1] / "examples"
LARGEST = 225_000  # bytes

# The chart's x to the right of the picture, y up, and z, where the segment points, to the viewer.
FRONT = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
AXIS_ANGLE, EULER, SINGULAR, ORANGE = "#2563a8", "#0f8a6d", "#d1242f", "#c2410c"
X, Y, Z = np.eye(3)
OBLIQUE = View(np.deg2rad(28.0), np.deg2rad(22.0))


def directions(*degrees: tuple[float, float]) -> Floats:
    """Directions on the globe: degrees to the right and up from the middle, along the sphere."""
    right, up = np.deg2rad(degrees).T
    return swing_directions(np.stack([-up, right], axis=-1))


def polygon(*degrees: tuple[float, float]) -> SphericalPolygon:
    return SphericalPolygon(tuple(map(tuple, directions(*degrees).tolist())))


FIVE = polygon((-62, 8), (-30, -52), (42, -46), (66, 22), (2, 58))
CONCAVE = polygon((-62, 44), (-58, -46), (58, -46), (62, 44), (34, 50), (0, -14), (-34, 50))


# figures -------------------------------------------------------------------------------


def human_front_and_side() -> Image:
    return picture(human(), views=("front", "side"), size=(1100, 900))


def human_sizes() -> Image:
    small, tall = human(stature=1.525, sex="female"), human(stature=1.87, sex="male")
    return picture([small, tall], views="front", size=(1000, 1000), gap=0.3)


def ready_poses() -> Image:
    """All poses of the starter library, six in a row, with their names."""
    person = human(hands=True)
    tiles = [
        captioned(picture(pose(person, name), size=(208, 260)), name) for name in pose_names(person)
    ]
    rows = [np.concatenate(tiles[i : i + 6], axis=1) for i in range(0, len(tiles), 6)]
    return np.concatenate(rows, axis=0)


def human_in_a_posture() -> Image:
    posture = human().rest()
    posture.set_angles("right_elbow", flexion=np.deg2rad(80))
    posture.set_angles("left_hip", flexion=np.deg2rad(40))
    posture.set_angles("left_knee", flexion=np.deg2rad(70))
    return picture(posture, size=(900, 900), center_of_mass=True)


def human_stick() -> Image:
    return picture(human(), views=("front", "side"), size=(1000, 800), stick=True)


def hand_open() -> Image:
    return picture(hand(), views=("front", "three-quarter"), size=(1000, 700))


def quadruped_standing() -> Image:
    return picture(quadruped(), size=(1100, 800))


# scenes and solutions ------------------------------------------------------------------

EXAMPLES: dict[str, tuple[str | View, ...]] = {
    "fly_on_the_beam": ("three-quarter", "front"),
    "reach_a_shelf": ("three-quarter", "side"),
    "sit": ("three-quarter", "side"),
    "lift_a_box": ("three-quarter", "side"),
    "hands_behind_the_back": (View(np.deg2rad(-142.0), np.deg2rad(14.0), np.deg2rad(24.0)), "side"),
    "chain_loop": ("side",),
    "quadruped_step": ("three-quarter", "side"),
    "curl_up": ("three-quarter", "side"),
}
"""The scenes under examples/, each with the views that show best what it is about."""


def example(name: str) -> Image:
    """A scene under examples/, solved."""
    scene = poise.Scene.load(EXAMPLE_FOLDER / f"{name}.yaml")
    views = EXAMPLES[name]
    return picture(scene.solve(), views=views, size=(560 * len(views), 640))


def out_of_reach() -> Image:
    """What is not met, and by how much: a hand, the gaze, and how a hand is turned."""
    scene = standing(human())
    scene.add(tasks.Balance(margin=0.04), priority=2)
    scene.add(tasks.Position("right_hand", (1.15, -0.25, 1.45)), priority=3)
    scene.add(tasks.Aim("eyes", (-0.6, 0.9, 1.9)), priority=4)
    return picture(scene.solve(), views=("three-quarter", "side"), size=(1100, 680))


def not_solved_yet() -> Image:
    """A scene as it begins, with its goals."""
    scene = standing(human(stature=1.62, sex="female"))
    table = poise.box(0.7, 1.3, 0.04, name="table", color="#a8865f")
    scene.place(table, (0.75, 0.0, 0.74))
    scene.place(poise.cylinder(0.04, 0.1, name="mug", color="#b3413a"), (0.62, -0.25, 0.81))
    scene.add(tasks.Position("right_hand", (0.58, -0.25, 0.81)), priority=2)
    scene.add(tasks.Aim("eyes", (0.62, -0.25, 0.81)), priority=3)
    return np.concatenate(
        [picture(each, size=(540, 640)) for each in (scene, scene.solve())], axis=1
    )


def shaking_hands() -> Image:
    scene = poise.Scene({"anna": human(stature=1.65, sex="female"), "ben": human(stature=1.82)})
    scene.stand("ben", (0.95, 0.12, 0.0), np.pi)
    for name in scene.figures:
        scene.add(tasks.Frame(f"{name}/left_foot"), priority=1)
        scene.add(tasks.Frame(f"{name}/right_foot"), priority=1)
    scene.add(tasks.Loop("anna/right_hand", "ben/right_hand"), priority=2)
    scene.add(tasks.Aim("anna/eyes", (0.95, 0.12, 1.7)), priority=3)
    scene.add(tasks.Aim("ben/eyes", (0.0, 0.0, 1.53)), priority=3)
    return picture(scene.solve(), views=("side", "top"), size=(1100, 640))


def limits_in_a_solution() -> Image:
    scene = standing(human())
    scene.add(tasks.Balance(margin=0.04), priority=2)
    scene.add(tasks.Orientation("chest", np.eye(3), free="z"), priority=3)
    scene.add(tasks.Position("right_hand", (0.28, -0.22, 1.38)), priority=4)
    solution = scene.solve()
    return np.concatenate(
        [
            picture(solution, views="side", size=(540, 640), limits="right_elbow"),
            picture(solution, views="side", size=(540, 640), stick=True, limits="right_elbow"),
        ],
        axis=1,
    )


def standing(figure: poise.Figure) -> poise.Scene:
    """A scene of a figure with both feet pinned, near its rest posture."""
    scene = poise.Scene(figure)
    scene.add(tasks.Frame("left_foot"), priority=1)
    scene.add(tasks.Frame("right_foot"), priority=1)
    scene.add(tasks.Rest())
    return scene


# joint limits on a sphere --------------------------------------------------------------


def globe_with_axes() -> tuple[Globe, Scenery]:
    globe = Globe(np.zeros(3), FRONT, 1.0)
    items, labels = globe.axes()
    return globe, Scenery([*globe.sphere(), *globe.graticule(), *items], labels, floor=False)


def limits_on_a_sphere() -> Image:
    """Thesis Figs. 3.9, 3.10 and 3.11."""
    panels: list[Image] = []
    for limit, caption in (
        (SphericalEllipse(np.deg2rad(35), np.deg2rad(65)), "an ellipse"),
        (FIVE, "a polygon of five great arcs"),
    ):
        globe, scenery = globe_with_axes()
        scenery.add(globe.region(Region([limit])))
        panels.append(captioned(render(scenery, OBLIQUE, (400, 420)), caption))
    globe, scenery = globe_with_axes()
    scenery.add(globe.twist((-0.25, 0.35), np.deg2rad(-40), np.deg2rad(75), size=0.5))
    panels.append(captioned(render(scenery, OBLIQUE, (400, 420)), "a range of twist"))
    return np.concatenate(panels, axis=1)


def zero_twist() -> Image:
    """Thesis Table 3.1: where the x axis points when a swing is made without a twist."""
    views = {"front": 0.0, "side": 0.5 * np.pi, "rear": np.pi}
    rows: list[Image] = []
    for name, orientation, singular, color in (
        ("one direct rotation", _direct, [-Z], AXIS_ANGLE),
        ("two Euler angles", _euler, [X, -X], EULER),
    ):
        globe = Globe(np.zeros(3), FRONT, 1.0)
        scenery = Scenery(floor=False)
        scenery.add(globe.sphere(1.0, lit=False))
        scenery.add(globe.graticule())
        for direction in singular:
            scenery.add(globe.cap(direction, np.deg2rad(24), color="#8e99a6", opacity=1.0))
            scenery.add(globe.mark(direction, color=SINGULAR, size=0.045))
        for direction in _rings():
            if all(direction @ s < 0.995 for s in singular):
                scenery.add(globe.reference(orientation(direction), color=color, length=0.2))
        panels = [
            captioned(render(scenery, View(azimuth), (380, 360), margin=0.03), f"{name}: {view}")
            for view, azimuth in views.items()
        ]
        rows.append(np.concatenate(panels, axis=1))
    return np.concatenate(rows, axis=0)


def _rings() -> Floats:
    """Directions about 15 degrees apart, on circles round z."""
    found = [Z]
    for theta in np.deg2rad(np.arange(15, 180, 15)):
        for azimuth in np.linspace(0, 2 * np.pi, 4 * round(6 * np.sin(theta)), endpoint=False):
            level = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
            found.append(np.sin(theta) * level + np.cos(theta) * Z)
    return np.array(found)


def _direct(direction: Floats) -> Floats:
    sx, sy = kernel.body.rotations.direction_swing(*direction.tolist())
    return rotation_matrix([sx, sy, 0.0])


def _euler(direction: Floats) -> Floats:
    """About x, then about the turned y, as a universal joint turns."""
    x, y, z = direction
    return rotation_matrix([np.arctan2(-y, z), 0, 0]) @ rotation_matrix([0, np.arcsin(x), 0])


def induced_twist() -> Image:
    """Thesis Fig. 3.13: two ways to one direction that end with different twists."""
    globe, scenery = globe_with_axes()
    scenery.items[0] = globe.sphere(1.0)[0]
    steps = np.linspace(0.0, 0.5 * np.pi, 5)
    straight = [rotation_matrix(-t * X) for t in steps]
    first = [rotation_matrix(t * Y) for t in steps]
    around = [*first, *(rotation_matrix(t * Z) @ first[-1] for t in steps[1:])]
    for way, color in ((straight, SYMBOL), (around, ORANGE)):
        for orientation in way:
            scenery.add(globe.reference(orientation, color=color, length=0.24))
    scenery.add(globe.arc(Z, Y, color="#a5c1e4"))
    scenery.add(globe.arc(Z, X, color="#f3bd9b"))
    scenery.add(globe.arc(X, Y, color="#f3bd9b"))
    turn = np.linspace(0.0, 0.5 * np.pi, 30)[:, None]
    between = globe.at(1.02 * Y + 0.15 * (np.cos(turn) * X - np.sin(turn) * Z))
    scenery.add([Item(wire(between, 0.008), REFERENCE, casts_shadow=False)])
    sx, sy = kernel.body.rotations.direction_swing(*Y)
    start = kernel.body.rotations.direction_swing(*X)
    angle = np.rad2deg(abs(kernel.body.rotations.induced_twist(*start, sx, sy)))
    x, y, z = globe.at(1.02 * Y + 0.22 * (X - Z))
    scenery.labels.append(Label(f"{angle:.0f}°", (x, y, z)))
    view = View(np.deg2rad(42.0), np.deg2rad(34.0))
    return render(scenery, view, (900, 800))


def concave_limits() -> Image:
    """Thesis Fig. 3.14: from S straight to E the segment would cross what is not allowed."""
    limits = pack_limits([JointLimits(0, SWING, [CONCAVE.pack()])])
    start, end = _swings((-50, 26), (31, 24))
    stop, free = end.copy(), np.full(2, np.inf)
    kernel.limits.joint.advance(start, stop, -free, free, SWING, limits, 0, 1)
    s, e, p = swing_directions(np.stack([start, end, stop]))
    middle = (s + e) / np.linalg.norm(s + e)
    globe, scenery = globe_with_axes()
    scenery.items[0] = globe.sphere(1.0)[0]
    scenery.add(globe.region(Region([CONCAVE])))
    scenery.add(globe.arc(s, e, color="#7b8794", width=0.007))
    scenery.add(globe.arc(middle, p, color=SYMBOL, width=0.009))
    for name, place, color, shift in (
        ("S", s, REFERENCE, (-1.0, 0.0)),
        ("E", e, REFERENCE, (1.0, 0.0)),
        ("M", middle, SINGULAR, (0.6, -0.9)),
        ("P", p, SYMBOL, (-0.9, 0.7)),
    ):
        scenery.add(globe.mark(place, color=color))
        x, y, z = globe.at(place, 1.03)
        scenery.labels.append(Label(name, (x, y, z), color, shift))
    return render(scenery, View(np.deg2rad(8.0), np.deg2rad(14.0)), (900, 800))


def _swings(*degrees: tuple[float, float]) -> Floats:
    right, up = np.deg2rad(degrees).T
    return np.stack([-up, right], axis=-1)


# joint limits on the body --------------------------------------------------------------


def shoulder_ellipse_and_polygon() -> Image:
    """Thesis Fig. 3.12: an ellipse that reaches as far as the polygon, and the polygon."""
    figure = human()
    posture = figure.rest()
    kind = figure.joints["left_shoulder"].kind
    assert isinstance(kind, Ball)
    corners = np.concatenate([limit.boundary() for limit in kind.swing])
    low, high = corners.min(axis=0), corners.max(axis=0)
    (rx, ry), (cx, cy) = 0.5 * (high - low), 0.5 * (high + low)
    around = SphericalEllipse(rx, ry, (cx, cy))
    plain = Ball(kind.axis, kind.zero, (around,), Twist(np.deg2rad(-52.5), np.deg2rad(52.5)))
    globe = globe_of(posture, "left_shoulder", 0.36)
    view = View(np.deg2rad(38.0), np.deg2rad(16.0))
    panels: list[Image] = []
    for limited, caption in (
        (plain, "an ellipse, and one range of twist"),
        (kind, "the polygon of the ready figure"),
    ):
        items = limit_items(globe, limited, 90)
        scenery = Scenery([*solid(figure, posture), *items])
        points = np.concatenate([item.mesh.points for item in items])
        camera = Camera.fitted(points, view, (500, 560), 0.1)
        panels.append(captioned(render(scenery, view, (500, 560), camera=camera), caption))
    return np.concatenate(panels, axis=1)


def limits_on_the_body() -> Image:
    figure = human()
    posture = figure.rest()
    posture.set_angles("right_elbow", flexion=np.deg2rad(60))
    panels = [
        captioned(limits_picture(posture, joint, size=(340, 440)), joint.replace("_", " "))
        for joint in ("left_hip", "right_elbow", "right_knee")
    ]
    return np.concatenate(panels, axis=1)


# forces ----------------------------------------------------------------------------------


def pushing_scene() -> poise.Scene:
    scene = poise.Scene(human())
    for side, y in (("left", 0.2), ("right", -0.2)):
        scene.forces.support(f"{side}_foot", ratio=0.5)
        scene.forces.apply(f"{side}_hand", force=(-40.0, 0.0, 0.0))
        scene.add(tasks.Frame(f"{side}_foot"), priority=1)
        scene.add(tasks.Position(f"{side}_hand", (0.6, y, 1.3)), priority=3)
    scene.add(tasks.Equilibrium(), priority=2)
    scene.add(tasks.Aim("eyes", (3.0, 0.0, 1.5)), priority=3)
    scene.add(tasks.Effort())
    return scene


def pushing() -> Image:
    solution = pushing_scene().solve()
    return picture(solution, views=("three-quarter", "side"), size=(1300, 850), torques=True)


def stability() -> Image:
    scene = pushing_scene()
    diagram = scene.forces.diagram("right_hand", scene.solve().posture)
    return diagram_picture(diagram, size=(700, 700))


# how a solve went ------------------------------------------------------------------------


def lex_trace() -> Image:
    """The worked example of docs/lex.md."""
    scene = poise.Scene(human(), natural=False)
    for foot in ("left_foot", "right_foot"):
        scene.add(tasks.Frame(foot), priority=1)
    scene.add(tasks.Balance(margin=0.02), priority=2)
    scene.add(tasks.Position("right_hand", (0.2, -0.5, 2.2)), priority=3)
    scene.add(tasks.Aim("eyes", (2.0, 0.0, 0.5)), priority=4)
    trace = scene.solve(trace=True, restarts=0).trace
    assert trace is not None
    return trace.plot()


PICTURES: dict[str, Callable[[], Image]] = {
    "human": human_front_and_side,
    "sizes": human_sizes,
    "posture": human_in_a_posture,
    "poses": ready_poses,
    "stick": human_stick,
    "hand": hand_open,
    "quadruped": quadruped_standing,
    **{name.replace("_", "-"): partial(example, name) for name in EXAMPLES},
    "out-of-reach": out_of_reach,
    "not-solved-yet": not_solved_yet,
    "shaking-hands": shaking_hands,
    "elbow": limits_in_a_solution,
    "limits": limits_on_a_sphere,
    "zero-twist": zero_twist,
    "induced-twist": induced_twist,
    "concave": concave_limits,
    "shoulder": shoulder_ellipse_and_polygon,
    "body-limits": limits_on_the_body,
    "pushing": pushing,
    "stability": stability,
    "lex-trace": lex_trace,
    "rooms": rooms_drawn,
}


def write(image: Image, path: Path) -> None:
    """Write a picture, with as many shades as keep it small; at last with 256 colours."""
    for step in (1, 2, 3, 4):
        shades = (image.astype(int) + step // 2) // step * step
        Pillow.fromarray(np.minimum(shades, 255).astype(np.uint8)).save(path, optimize=True)
        if path.stat().st_size <= LARGEST:
            return
    few = Pillow.fromarray(image).quantize(256, Pillow.Quantize.MAXCOVERAGE, kmeans=3)
    few.save(path, optimize=True)


def main(names: list[str]) -> None:
    """Draw pictures by name; without names, all. -h or --help says how it is called."""
    if names and names[0] in ("-h", "--help"):
        print(f"{__doc__}\nThere are: {', '.join(PICTURES)}.")
        return
    FOLDER.mkdir(exist_ok=True)
    for name in names or PICTURES:
        if name not in PICTURES:
            raise poise.PoiseError(f"there is no picture {name!r}; there are {', '.join(PICTURES)}")
        begin = time.perf_counter()
        path = FOLDER / f"{name}.png"
        write(PICTURES[name](), path)
        took = time.perf_counter() - begin
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB, {took:.1f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
