"""What the sections of natural.py share: goals, criteria, and how far a posture is off."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise import Scene, tasks
from poise.figure import Figure, Placements, Posture
from poise.figure.kinds import Free
from poise.figure.transform import Transform, rotation_matrix
from poise.tasks.task import Criterion

Values = NDArray[np.float64]

SIDES = ("left", "right")
CENTRES = (
    *(
        f"{side}_{part}"
        for side in SIDES
        for part in ("hip", "knee", "ankle", "toes", "shoulder", "elbow", "wrist")
    ),
    *("pelvis", "chest", "neck", "head", "head_top"),
)
"""The 19 centres whose distances count."""
SIGHT = 2.0
"""Metres to what the eyes look at."""

Ask = Callable[[Scene, Placements, int], None]
"""Adds the goals of a frame, from its placements and its number."""
Way = Callable[[Figure], Scene]
"""Makes a scene of a figure at rest, with criteria."""


class Frame(NamedTuple):
    """A posture that a person took, brought to the origin and facing +x."""

    clip: str
    posture: Posture


def six(scene: Scene, where: Placements, _: int) -> None:
    """Positions of pelvis, head, hands and feet."""
    for site in ("pelvis", "head", *_both("hand"), *_both("foot")):
        scene.add(tasks.Position(site, where[site].position))


def feet_and_hands(scene: Scene, where: Placements, _: int) -> None:
    """Positions of feet and hands."""
    for site in (*_both("hand"), *_both("foot")):
        scene.add(tasks.Position(site, where[site].position))


def feet_hand_and_gaze(scene: Scene, where: Placements, number: int) -> None:
    """Frames of the feet, the position of one hand, and where the eyes look."""
    for site in _both("foot"):
        scene.add(tasks.Frame(site, where[site]))
    hand = f"{SIDES[number % 2]}_hand"
    scene.add(tasks.Position(hand, where[hand].position))
    eyes = where["eyes"]
    scene.add(tasks.Aim("eyes", eyes.position + SIGHT * eyes.rotation[:, 0]))


GOALS: dict[str, Ask] = {
    "six goals": six,
    "feet and hands": feet_and_hands,
    "feet, hand and gaze": feet_hand_and_gaze,
}


def _both(part: str) -> tuple[str, ...]:
    return tuple(f"{side}_{part}" for side in SIDES)


def _only(criterion: Criterion) -> Way:
    """A scene whose one criterion is this."""

    def made(figure: Figure) -> Scene:
        scene = Scene(figure, natural=False)
        scene.add(criterion, weight=0.1)
        return scene

    return made


WAYS: dict[str, Way] = {
    "none": lambda figure: Scene(figure, natural=False),
    "Rest": _only(tasks.Rest()),
    "Comfort": _only(tasks.Comfort()),
    "default": Scene,
}
"""What is compared: scenes with criteria, without goals yet."""


def brought(posture: Posture) -> Posture:
    """A posture with the middle of its feet over the origin, facing +x; heights stay."""
    return placed_by(posture, brought_by(posture))


def brought_by(posture: Posture) -> Transform:
    """The motion by which a posture has the middle of its feet over the origin, and faces +x."""
    where = posture.figure.place(posture)
    turn = rotation_matrix([0.0, 0.0, -heading(where)])
    middle = np.mean([where[foot].position for foot in _both("foot")], axis=0)
    return Transform(turn, -turn @ [*middle[:2], 0.0])


def placed_by(posture: Posture, way: Transform) -> Posture:
    """A posture moved as a whole."""
    moved = posture.copy()
    moved["root"] = Free().values(way @ posture.figure.place(posture).segment("pelvis"))
    return moved


def heading(where: Placements) -> float:
    """Which way (rad about z) a person faces: the pelvis' x axis, or z if that is upright."""
    turn = where.segment("pelvis").rotation
    ahead = turn[:, 0]
    if np.hypot(*ahead[:2]) < 0.3:
        ahead = -np.sign(ahead[2]) * turn[:, 2]
    return float(np.arctan2(ahead[1], ahead[0]))


def centres(figure: Figure, posture: Posture) -> Values:
    """Where the centres are: (19, 3)."""
    where = figure.place(posture)
    return np.array([where[name].position for name in CENTRES])


def compared(found: Mapping[str, Mapping[str, Mapping[str, list[Any]]]]) -> list[list[str] | None]:
    """Rows of a table of what was measured by goals and way, and its share of what "none" left."""
    rows: list[list[str] | None] = []
    for goals, by_way in found.items():
        plain = float(np.mean(by_way["none"]["off"]))
        for name, each in by_way.items():
            share = float(np.mean(each["off"])) / plain
            rows.append([goals if name == "none" else "", name, *cell(each), f"{share:.2f}"])
        rows.append(None)
    return rows[:-1]


def cell(found: Mapping[str, list[Any]]) -> list[str]:
    """Off, met and time of one way with one set of goals."""
    off = 1e3 * np.array(found["off"])
    return [
        f"{off.mean():.0f} / {np.median(off):.0f}",
        f"{sum(found['met'])} of {len(found['met'])}",
        f"{1e3 * float(np.mean(found['seconds'])):.2f}",
    ]
