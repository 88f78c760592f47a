"""Axes and units of motion capture files, which do not say what they are.

A `Convention` takes a file's numbers to ours: metres, z up, x forward, y left. What is not given
is guessed from the skeleton: up is where the head is over the feet, left where the left joints
are, and the unit is the one with which the body is as long as people are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.checking import AXES, number
from poise.errors import PoiseError, unknown_name

Values = NDArray[np.float64]

AUTO = "auto"
"""What an option says that leaves it to the reader to guess."""

UNITS = {
    "m": 1.0,
    "dm": 0.1,
    "cm": 0.01,
    "mm": 0.001,
    "in": 0.0254,
    "ft": 0.3048,
    "cmu": 0.0254 / 0.45,
}
"""Metres in a unit; `cmu` is what the CMU database has, 1/0.45 inch."""

_UPS = ("x", "y", "z")
_STATURE = 1.7
_STATURES = (1.35, 2.1)
"""How tall the people of a file may be, in metres, for a unit to be believed."""

# From ankle to the joint of the head, along the bones, people are this share of their stature.
_ANKLE_TO_HEAD = 0.9

_HEAD = re.compile(r"head(?!.*(end|top|nub|effector))|skullbase", re.IGNORECASE)
_FOOT = re.compile(r"foot|ankle|talocrural", re.IGNORECASE)
_SIDES = (
    ("left", "right"),
    ("Left", "Right"),
    ("LEFT", "RIGHT"),
    ("l_", "r_"),
    ("L_", "R_"),
    ("_l", "_r"),
    ("_L", "_R"),
    (".L", ".R"),
    (" L ", " R "),
)


@dataclass(frozen=True, eq=False)
class Convention:
    """How a file's places become ours: `unit · axes · p`.

    Attributes:
        axes: (3, 3), a rotation from the file's axes to ours.
        unit: metres in the file's unit.
    """

    axes: Values
    unit: float

    def places(self, points: Values) -> Values:
        """Places (…, 3) of the file in our axes and metres."""
        return points @ self.axes.T * self.unit

    def directions(self, vectors: Values) -> Values:
        """Directions and rotation vectors (…, 3) of the file in our axes."""
        return vectors @ self.axes.T


@dataclass(frozen=True, eq=False)
class Skeleton:
    """What guesses are made from, in the file's own axes and unit.

    Attributes:
        names: of the joints, parents before children.
        parents: the place of each joint's parent among them, −1 for a root.
        offsets: (j, 3), from the parent to the joint while nothing is turned.
        shown: (k, j, 3), where the joints are in some frames of a motion; k may be 0.
    """

    names: Sequence[str]
    parents: Sequence[int]
    offsets: Values
    shown: Values

    def still(self) -> Values:
        """Where the joints (j, 3) are while nothing is turned."""
        places = self.offsets.copy()
        for i, parent in enumerate(self.parents):
            if parent >= 0:
                places[i] += places[parent]
        return places


def settle(
    skeleton: Skeleton, up: str, forward: str, unit: str | float, usual: str = "cm"
) -> tuple[Convention, list[str]]:
    """A convention from options and guesses, and a note about each guess.

    Args:
        skeleton: what the file has.
        up: "x", "y" or "z", the file's axis that points up; or "auto".
        forward: the file's axis that points to where the figure looks, as "z" or "-y"; or "auto".
        unit: a key of `UNITS` or the metres in one unit; or "auto".
        usual: the unit of a skeleton that is no person's.
    """
    notes: list[str] = []
    if up == AUTO:
        up = _guessed_up(skeleton)
        notes.append(f"guessed that {up} points up (say so with up={up!r})")
    elif up not in _UPS:
        raise unknown_name("axis that points up", up, [*_UPS, AUTO])
    if forward == AUTO:
        forward = _guessed_forward(skeleton, up)
        notes.append(f"guessed that {forward} points forward (say so with forward={forward!r})")
    elif forward not in AXES:
        raise unknown_name("axis that points forward", forward, [*AXES, AUTO])
    if forward[-1] == up:
        raise PoiseError(f"forward must be across up, not {forward!r} with {up!r} up")
    if unit == AUTO:
        metres, note = _guessed_unit(skeleton, usual)
        notes.append(note)
    else:
        metres = unit_of(unit)
    x, z = np.array(AXES[forward]), np.array(AXES[up])
    return Convention(np.array([x, np.cross(z, x), z]), metres), notes


def unit_of(unit: str | float) -> float:
    """The metres in a unit, given by name or as a number."""
    if isinstance(unit, str):
        if unit not in UNITS:
            raise unknown_name("unit", unit, UNITS)
        return UNITS[unit]
    return number(unit, "the unit (metres)", least=1e-6, most=1e3)


def _indices(names: Sequence[str], pattern: re.Pattern[str]) -> list[int]:
    return [i for i, name in enumerate(names) if pattern.search(name)]


def _guessed_up(skeleton: Skeleton) -> str:
    """The axis, y or z, along which the head is above the feet; y where nothing tells."""
    poses = np.concatenate([skeleton.still()[None], skeleton.shown])
    head, feet = _indices(skeleton.names, _HEAD), _indices(skeleton.names, _FOOT)
    if head and feet:
        rise = poses[:, head].mean(axis=1) - poses[:, feet].mean(axis=1)
        size = np.linalg.norm(rise, axis=1, keepdims=True)
        _, y, z = (rise / np.maximum(size, 1e-12)).mean(axis=0)
        return "z" if z > y and z > 0.2 else "y"
    _, y, z = np.ptp(poses, axis=1).mean(axis=0)
    return "z" if z > 1.5 * y else "y"


def _guessed_forward(skeleton: Skeleton, up: str) -> str:
    """Across up and left, as the joints of both sides have it; else as is usual for that up."""
    usual = {"x": "y", "y": "z", "z": "-y"}[up]
    still, rise = skeleton.still(), np.array(AXES[up])
    pairs = _pairs(skeleton.names)
    if not pairs:
        return usual
    left = sum((still[a] - still[b] for a, b in pairs), np.zeros(3))
    forward = np.cross(left, rise)
    axis = int(np.abs(forward).argmax())
    # A skeleton that lies, or stands askew, does not tell.
    if abs(forward[axis]) < 0.8 * np.linalg.norm(left) or not _stands(skeleton, still, rise):
        return usual
    return ("-" if forward[axis] < 0 else "") + "xyz"[axis]


def _stands(skeleton: Skeleton, still: Values, rise: Values) -> bool:
    head, feet = _indices(skeleton.names, _HEAD), _indices(skeleton.names, _FOOT)
    if not head or not feet:
        return False
    body = still[head].mean(axis=0) - still[feet].mean(axis=0)
    return float(body @ rise) > 0.7 * float(np.linalg.norm(body))


def _pairs(names: Sequence[str]) -> list[tuple[int, int]]:
    """Places of joints of the left and of their partners of the right."""
    place = {name: i for i, name in enumerate(names)}
    pairs: list[tuple[int, int]] = []
    for i, name in enumerate(names):
        partners = [name.replace(left, right, 1) for left, right in _SIDES if left in name]
        partners += [right + name[1:] for left, right in ("lr", "LR") if name.startswith(left)]
        found = [place[each] for each in partners if place.get(each, i) != i]
        if found:
            pairs.append((i, found[0]))
    return pairs


def _guessed_unit(skeleton: Skeleton, usual: str) -> tuple[float, str]:
    """The unit with which the body is as long as people are, and a note."""
    size = np.linalg.norm(skeleton.offsets, axis=1)
    depth = np.zeros(len(size))  # along the bones, from the root
    for i, parent in enumerate(skeleton.parents):
        if parent >= 0:
            depth[i] = depth[parent] + size[i]
    head, feet = _indices(skeleton.names, _HEAD), _indices(skeleton.names, _FOOT)
    body = float(depth[head].min() + depth[feet].mean()) if head and feet else 0.0
    if body <= 0 or not np.isfinite(body):
        unit = "m" if float(depth.max(initial=0.0)) < 5 else usual
        return UNITS[unit], f"guessed that one unit is 1 {unit} (say so with unit={unit!r})"
    stature = body / _ANKLE_TO_HEAD
    low, high = _STATURES
    fitting = [each for each, metres in UNITS.items() if low <= stature * metres <= high]
    if fitting:
        # Nearest to a usual person, and a usual unit rather than CMU's.
        unit = min(fitting, key=lambda each: abs(np.log(stature * UNITS[each] / _STATURE)))
        metres = UNITS[unit]
        what = f"is {metres:.4g} m (say so with unit={unit!r})"
    else:
        metres = min(max(_STATURE / stature, 1e-6), 1e3)
        what = f"is {metres:.4g} m: no common unit fits (say what fits with unit={metres:.4g})"
    return (
        metres,
        f"guessed that one unit {what}; the figure is about {stature * metres:.2f} m tall",
    )
