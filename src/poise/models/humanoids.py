"""Skeletons of people from files, whose joints are like those of our person.

`poise.load(path, names="auto", limits="human")` gives known skeletons the joints of the human
figure: hips, knees, shoulders, elbows and so on have the same coordinates. What differs goes by
names: the trunk has one to three balls in place of vertebrae, pronation may be in a joint of its
own, and where there is no neck, the head moves as the neck does.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.figure import Figure

TRUNK = ("spine", "chest", "upper_chest")
"""The joints that share what the trunk does, from below."""
TURNED = np.deg2rad(5.0)
"""By so much (rad) the pelvis' axes may be off ours at rest: what the up direction is then off,
a tenth, is little beside the spread of people who stand."""

_BALL = ("swing_x", "swing_y", "twist")
_LIMBS = {"hip": _BALL, "knee": ("flexion",), "shoulder": _BALL, "elbow": ("flexion",)}
_SIDES = ("left", "right")


def is_humanoid(figure: Figure) -> bool:
    """Whether legs, arms and trunk have our person's coordinates, and the pelvis its axes.

    The pelvis must hang on a free or fixed root, with x forward and z up while the figure rests.
    """
    if "root" not in figure.joints or figure.joints["root"].child != "pelvis":
        return False
    there = set(figure.coordinates)
    for side in _SIDES:
        for part, angles in _LIMBS.items():
            if not there.issuperset(f"{side}_{part}.{angle}" for angle in angles):
                return False
    if not trunk_of(figure.coordinates):
        return False
    turn = figure.place(figure.rest()).segment("pelvis").rotation
    return bool(np.trace(turn) >= 1.0 + 2.0 * np.cos(TURNED))


def trunk_of(coordinates: Sequence[str]) -> list[str]:
    """The joints of a trunk of balls, from below."""
    there = set(coordinates)
    return [joint for joint in TRUNK if there.issuperset(f"{joint}.{angle}" for angle in _BALL)]


def trunk_law(joints: Sequence[str]) -> tuple[list[str], NDArray[np.float64]]:
    """Coordinates (k,) of a trunk of balls, and their shares (k, 3) of what the spine does.

    That is its flexion, lateral flexion and axial rotation, of which all have the same part.
    """
    names = [f"{joint}.{angle}" for joint in joints for angle in _BALL]
    # A bend to the left turns about −x, forward about y, a turn to the left about z.
    one = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    return names, np.tile(one / max(1, len(joints)), (len(joints), 1))


def names_of_person(coordinates: Sequence[str]) -> tuple[str, ...]:
    """What our person calls coordinates; those that it has not keep their names."""
    there, others = set(coordinates), dict[str, str]()
    for side in _SIDES:
        if f"{side}_elbow.pronation" not in there:
            others[f"{side}_lower_forearm.pronation"] = f"{side}_elbow.pronation"
    if "head.twist" in there and not any(name.startswith("neck.") for name in there):
        others |= {f"head.{angle}": f"neck.{angle}" for angle in _BALL}
    return tuple(others.get(name, name) for name in coordinates)
