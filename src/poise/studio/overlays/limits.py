"""What the selected joint may do, drawn round it, and how near it is to its stop."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from poise.checking import Interval
from poise.figure import Posture, Transform
from poise.figure.kinds import Spherical
from poise.figure.transform import rotation_matrix, rotation_to
from poise.kernel.limits.arrays import swing_directions
from poise.pictures.globe import Globe
from poise.pictures.limits import globe_of
from poise.pictures.region import Region
from poise.studio.figures import tip_of
from poise.studio.overlays.sight import Sight, numbers

Values = NDArray[np.float64]
Ints = NDArray[np.int64]
State = Literal["free", "near", "stop"]

_STOP = 1e-4
"""So near its stop (rad, m) a joint is at it."""
_NEAR = 0.1
"""Within this share of the range a joint is near its stop."""
_RINGS, _AROUND = 22, 72


def limits(sight: Sight) -> dict[str, Any] | None:
    """Lines and patches in the world, and the state; None where nothing is to be drawn.

    `coordinates` has for each coordinate its value, its ends (None where there is none) and its
    state; `share` is how much of the range is used up, 0 in its middle and 1 at a stop.
    """
    name = sight.selection.name
    if sight.selection.kind != "joint" or name is None or name not in sight.group.joints:
        return None
    posture, own = sight.group.joints[name]
    joint = posture.figure.joints[own]
    members = posture.figure.members(posture)
    values = np.array([members[each] for each in joint.coordinates])
    drawn = _Drawn(posture, own, values)
    kind = joint.kind
    if kind.is_fixed or kind.is_free:
        return None
    drawn.steps()
    return drawn.result(name)


def near_end(value: float, low: float, high: float) -> tuple[State, float | None]:
    """How near a value is to the ends of its range, and how much of it is used up."""
    room = min(value - low, high - value)
    if room <= _STOP:
        return "stop", 1.0
    if not (np.isfinite(low) and np.isfinite(high)):
        return ("near" if room < _NEAR else "free"), None
    share = 1.0 - room / (0.5 * (high - low))
    return ("near" if room < _NEAR * (high - low) else "free"), share


class _Drawn:
    """What is drawn of one joint."""

    def __init__(self, posture: Posture, joint: str, values: Values) -> None:
        self._posture, self._joint, self._values = posture, joint, values
        figure = posture.figure
        self._part = figure.joints[joint]
        self._frame = figure.place(posture).joint(joint)
        self._tip = self._part.after.rotation @ tip_of(figure, self._part.child)
        self._reach = float(np.clip(np.linalg.norm(self._tip), 0.06, 0.6))
        self._lines: list[dict[str, Any]] = []
        self._patches: list[dict[str, Any]] = []
        self._states: list[State] = []
        self._shares: list[float] = []

    def result(self, name: str) -> dict[str, Any]:
        """All of it, for the page."""
        state: State = "free"
        for each in ("near", "stop"):
            state = each if each in self._states else state
        box = self._part.kind.box
        return {
            "joint": name,
            "at": numbers(self._frame.position),
            "lines": self._lines,
            "patches": self._patches,
            "state": state,
            "share": max(self._shares, default=None),
            "coordinates": [
                {
                    "name": coordinate.rpartition(".")[2],
                    "value": float(value),
                    "lower": _end(low),
                    "upper": _end(high),
                    "state": near_end(float(value), low, high)[0],
                }
                for coordinate, value, (low, high) in zip(
                    self._part.coordinates, self._values, box, strict=True
                )
            ],
        }

    def _judge(self, value: float, low: float, high: float) -> str:
        """Note how near a stop it is; the role of the line that shows it."""
        state, share = near_end(value, low, high)
        self._states.append(state)
        if share is not None:
            self._shares.append(share)
        return {"free": "current", "near": "amber", "stop": "red"}[state]

    def _line(self, points: Values, role: str) -> None:
        self._lines.append({"points": [numbers(each) for each in points], "role": role})

    def _patch(self, vertices: Values, triangles: Ints) -> None:
        self._patches.append(
            {"vertices": [numbers(each) for each in vertices], "triangles": triangles.tolist()}
        )

    def steps(self) -> None:
        """A globe, a sector or a track for each; later hinges twist the segment about itself."""
        kind = self._part.kind
        for i, (step, span) in enumerate(kind.spans):
            before = self._frame @ kind.reached(self._values, i)
            if kind.spherical is not None and step.is_chart:
                self._globe(kind.spherical, self._values[span])
            if step.is_chart or step.axis is None:
                continue
            axis, value = np.array(step.axis, np.float64), float(self._values[span.start])
            (ends,) = step.intervals
            if step.node == "slider":
                self._track(before, axis, ends, value)
            elif i == 0:
                self._sector(axis, ends, value)
            else:
                turned = before.rotation @ rotation_to(axis)
                forward = 1.0 if float(np.dot(self._tip, axis)) >= 0 else -1.0
                middle = before.position + 0.5 * forward * self._reach * turned[:, 2]
                self._ring(Globe(middle, turned, self._reach), *ends, value)

    # balls and swings ------------------------------------------------------------------------

    def _globe(self, kind: Spherical, values: Values) -> None:
        """The directions that are allowed, as a patch of a sphere; the twist as an arc."""
        globe = globe_of(self._posture, self._joint, self._reach)
        if kind.node == "rotation":
            return
        curves, points, triangles, room, wide = _region(kind, tuple(values[:2].tolist()))
        for curve, closed in curves:
            line = np.concatenate([curve, curve[:1]]) if closed else curve
            self._line(globe.at(line[:: max(1, len(line) // 120)], 1.005), "border")
        if len(triangles):
            self._patch(globe.at(points), triangles)
        role = "current"
        if room is not None:
            role = self._judge(room, 0.0, 2.0 * wide)
        swing = rotation_matrix([values[0], values[1], 0.0])
        self._line(np.stack([globe.center, globe.at(swing[:, 2], 1.04)]), role)
        self._line(np.stack([globe.center, globe.at(np.array([0.0, 0.0, 1.0]), 1.0)]), "reference")
        if kind.twist is not None:
            low, high = (float(each[0]) for each in kind.twist.ends(values[None, :2]))
            self._twist(globe, swing, low, high, float(values[2]))

    def _twist(self, globe: Globe, swing: Values, low: float, high: float, value: float) -> None:
        size, height = 0.22, 1.02
        high_end = min(high, low + 2.0 * np.pi)

        def rim(angles: Values, radius: float) -> Values:
            flat = np.cos(angles)[:, None] * swing[:, 0] + np.sin(angles)[:, None] * swing[:, 1]
            return globe.at(height * swing[:, 2] + radius * flat)

        angles = np.linspace(low, high_end, 33)
        middle = globe.at(swing[:, 2], height)
        arc = rim(angles, size)
        self._line(np.concatenate([middle[None], arc, middle[None]]), "border")
        self._fan(middle, arc)
        role = self._judge(value, low, high)
        self._line(np.stack([middle, rim(np.array([value]), 1.2 * size)[0]]), role)
        self._line(np.stack([middle, rim(np.zeros(1), size)[0]]), "reference")

    # hinges and sliders ------------------------------------------------------------------------

    def _sector(self, axis: Values, limits: Interval, value: float) -> None:
        """The sector through which the segment turns."""
        low, high = limits
        arm = _across(axis, self._tip)
        ends = (max(low, value - np.pi), min(high, value + np.pi))
        turns = np.linspace(*ends, 49)
        rim = np.array([rotation_matrix(axis * t) @ arm for t in turns]) * self._reach
        world = self._frame.apply(rim)
        center = self._frame.position
        self._line(world, "border")
        if np.isfinite([low, high]).all():
            self._line(np.stack([world[0], center, world[-1]]), "border")
        self._fan(center, world)
        role = self._judge(value, low, high)
        now = self._frame.apply(rotation_matrix(axis * value) @ arm * 1.06 * self._reach)
        self._line(np.stack([center, now]), role)
        self._line(np.stack([center, self._frame.apply(arm * self._reach)]), "reference")

    def _ring(self, globe: Globe, low: float, high: float, value: float) -> None:
        """A twist as a sector across the segment."""
        first, last = max(low, value - np.pi), min(high, value + np.pi)
        angles = np.linspace(first, last, 33)
        flat = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(33)])
        arc = globe.at(0.3 * flat)
        self._line(np.concatenate([globe.center[None], arc, globe.center[None]]), "border")
        self._fan(globe.center, arc)
        role = self._judge(value, low, high)
        now = globe.at(0.36 * np.array([np.cos(value), np.sin(value), 0.0]))
        self._line(np.stack([globe.center, now]), role)

    def _track(self, frame: Transform, axis: Values, limits: Interval, value: float) -> None:
        """The way along which a slider goes, in a frame of the world."""
        low, high = limits
        ends = np.array([max(low, value - 1.0), min(high, value + 1.0)])
        self._line(frame.apply(ends[:, None] * axis), "border")
        role = self._judge(value, low, high)
        across = _across(axis, self._tip) * 0.05
        at = value * axis
        self._line(frame.apply(np.stack([at - across, at + across])), role)

    def _fan(self, center: Values, rim: Values) -> None:
        fan = np.arange(1, len(rim))
        triangles = np.stack([np.zeros_like(fan), fan, fan + 1], axis=-1)
        self._patch(np.concatenate([center[None], rim]), triangles)


@lru_cache(maxsize=64)
def _shape(kind: Spherical) -> tuple[Region, list[Any], Values, Ints, float]:
    """A region's boundary and patch on the unit sphere, and how wide it is (rad)."""
    region = Region.of(kind)
    curves = region.boundary()
    if region.is_whole:
        return region, [], np.zeros((0, 3)), np.zeros((0, 3), np.int64), np.pi
    radius = np.linspace(0.0, np.deg2rad(178.0), _RINGS)
    angle = np.linspace(0.0, 2.0 * np.pi, _AROUND, endpoint=False)
    swings = radius[:, None, None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    flat = swings.reshape(-1, 2)
    value = region.violation(flat)
    points, triangles = clipped(flat, value, _ring_triangles())
    inside = -value[value < 0]
    wide = float(inside.max()) if inside.size else 0.1
    return region, curves, swing_directions(points), triangles, wide


def _region(
    kind: Spherical, swing: tuple[float, float]
) -> tuple[list[Any], Values, Ints, float | None, float]:
    """What bounds a joint's swing, how far a swing is inside (rad), and how far that can be."""
    region, curves, points, triangles, wide = _shape(kind)
    if region.is_whole:
        return [], points, triangles, None, wide
    room = -float(region.violation(np.array([swing]))[0])
    return curves, points, triangles, room, wide


def clipped(points: Values, value: Values, triangles: Ints) -> tuple[Values, Ints]:
    """What is left of triangles in the plane where a value at their points is not positive.

    Edges that the value changes its sign on are cut where it is zero, to first order.
    """
    inside = value <= 0
    count = inside[triangles].sum(axis=1)
    kept = triangles[count == 3]
    corners, more = list(points), list[tuple[int, int, int]]()
    cuts: dict[tuple[int, int], int] = {}

    def cut(a: int, b: int) -> int:
        key = (min(a, b), max(a, b))
        if key not in cuts:
            share = value[a] / (value[a] - value[b])
            cuts[key] = len(corners)
            corners.append(points[a] + share * (points[b] - points[a]))
        return cuts[key]

    for a, b, c in triangles[(count == 1) | (count == 2)].tolist():
        # Turned so that what is inside comes first.
        while inside[c] or not inside[a]:
            a, b, c = b, c, a
        if inside[b]:
            first, second = cut(b, c), cut(c, a)
            more += [(a, b, first), (a, first, second)]
        else:
            more.append((a, cut(a, b), cut(c, a)))
    whole = np.concatenate([kept, np.array(more, np.int64).reshape(-1, 3)])
    used, index = np.unique(whole, return_inverse=True)
    return np.array(corners)[used].reshape(-1, 2), index.reshape(-1, 3)


def _ring_triangles() -> Ints:
    here = np.arange(_AROUND)
    there = (here + 1) % _AROUND
    low = (np.arange(_RINGS - 1) * _AROUND)[:, None]
    a, b, c, d = low + here, low + there, low + _AROUND + there, low + _AROUND + here
    upper, lower = np.stack([a, b, c], axis=-1), np.stack([a, c, d], axis=-1)
    return np.concatenate([upper.reshape(-1, 3), lower.reshape(-1, 3)])


def _across(axis: Values, arm: Values) -> Values:
    """The unit vector nearest to an arm across an axis; any one if the arm is along it."""
    flat = arm - axis * float(axis @ arm)
    size = float(np.linalg.norm(flat))
    return flat / size if size > 1e-6 else rotation_to(axis)[:, 0]


def _end(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
