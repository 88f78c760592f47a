"""Limits of balls and swings as boxes of the hinges that stand for them.

A box cannot be the region itself, so it is the one round it: no posture is lost, some are won.
Its ends lie on the region's boundary, of which 1440 points are looked at; they are right to 1e-5.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.figure.kinds import EVERYTHING, Interval, Spherical
from poise.figure.limits import (
    LARGEST_SWING,
    Angle,
    PlanarPolygon,
    SphericalEllipse,
    SphericalPolygon,
    TwistTable,
)

Values = NDArray[np.float64]

_POINTS = 1440
_REGIONS = (SphericalEllipse, SphericalPolygon, PlanarPolygon)
_STRAIGHT = np.deg2rad(89.0)  # the largest swing for which Euler angles are no trouble
HALF_TURN: Interval = (-np.pi, np.pi)


def swing_box(kind: Spherical) -> tuple[Interval, Interval]:
    """The box of a and b in Rx(a) Ry(b) Rx(a) round all swings that a joint can make."""
    boxes: list[tuple[Interval, Interval]] = []
    for points in _boundaries(kind):
        points = _within(points, LARGEST_SWING)
        angle = np.hypot(*points.T)
        scale = np.sinc(angle / (2 * np.pi)) * 0.5  # sin(θ/2)/θ
        a = np.arctan2(scale * points[:, 0], np.cos(0.5 * angle))
        b = 2.0 * np.arcsin(np.clip(scale * points[:, 1], -1.0, 1.0))
        boxes.append((_span(a), _span(b)))
    return _common([box[0] for box in boxes]), _common([box[1] for box in boxes])


def euler_box(kind: Spherical) -> tuple[Interval, Interval, Interval]:
    """The box of a, b and c in Rx(a) Ry(b) Rz(c) round all turns that a ball can make.

    Where it swings by more than 89° the first and the last angle have no limits: near 90° they
    can be anything.
    """
    if not kind.limits and kind.box == (EVERYTHING,) * 3:
        return EVERYTHING, (-0.5 * np.pi, 0.5 * np.pi), EVERYTHING
    farthest = min(float(np.hypot(*points.T).max()) for points in _boundaries(kind))
    if farthest > _STRAIGHT:
        return HALF_TURN, (-0.5 * np.pi, 0.5 * np.pi), HALF_TURN
    firsts: list[Interval] = []
    seconds: list[Interval] = []
    turns: list[Interval] = []
    for points in _boundaries(kind):
        x, y = _within(points, farthest).T
        angle = np.hypot(x, y)
        sine = np.sinc(angle / np.pi)  # sin(θ)/θ
        half = 0.5 * np.sinc(angle / (2 * np.pi)) ** 2  # (1 − cos(θ))/θ²
        # From the first row and the last column of the swing's rotation matrix.
        firsts.append(_span(np.arctan2(sine * x, np.cos(angle))))
        seconds.append(_span(np.arcsin(np.clip(sine * y, -1.0, 1.0))))
        turns.append(_span(np.arctan2(-half * x * y, 1.0 - half * y * y)))
    low, high = _twists(kind)
    induced = _common(turns)
    third = (low + induced[0], high + induced[1])
    if third[1] - third[0] >= 2 * np.pi:
        third = HALF_TURN
    return _common(firsts), _common(seconds), third


def widest(kind: Spherical) -> float | None:
    """The largest angle that a ball turns by as a whole from its chart's zero; None without limits.

    With swing θ and twist τ, cos(φ/2) = cos(θ/2) cos(τ/2).
    """
    swing = min((float(np.hypot(*points.T).max()) for points in _boundaries(kind)), default=np.pi)
    low, high = _twists(kind)
    twist = min(np.pi, max(abs(low), abs(high)))
    angle = 2.0 * float(np.arccos(np.cos(0.5 * swing) * np.cos(0.5 * twist)))
    if kind.angle is not None:
        angle = min(angle, kind.angle.maximum)
    return angle if angle < np.pi - 1e-9 else None


def _boundaries(kind: Spherical) -> list[Values]:
    """Points (k, 2) along the boundary of each limit of the swing."""
    boundaries: list[Values] = []
    for limit in kind.limits:
        if isinstance(limit, _REGIONS):
            boundaries.append(limit.boundary(_POINTS))
        elif isinstance(limit, Angle):
            # A swing is never more than the whole angle, nor than where it stops.
            radius = min(limit.maximum, LARGEST_SWING)
            boundaries.append(SphericalEllipse(radius, radius).boundary(_POINTS))
    ends = np.clip([kind.swing_x, kind.swing_y], -LARGEST_SWING, LARGEST_SWING)
    if kind.swing_x != EVERYTHING or kind.swing_y != EVERYTHING:
        (left, right), (bottom, top) = ends
        t = np.linspace(0.0, 1.0, _POINTS // 4)
        xs, ys = left + t * (right - left), bottom + t * (top - bottom)
        sides = [(xs, bottom + 0 * t), (xs, top + 0 * t), (left + 0 * t, ys), (right + 0 * t, ys)]
        boundaries.append(np.concatenate([np.stack(side, axis=-1) for side in sides]))
    return boundaries


def _twists(kind: Spherical) -> Interval:
    """The lowest and the highest twist at any swing."""
    if kind.twist is None:
        low, high = -np.pi, np.pi
    elif isinstance(kind.twist, TwistTable):
        zero = kind.twist.zero
        low = zero + float(np.min(kind.twist.lower))
        high = zero + float(np.max(kind.twist.upper))
    else:
        points = np.concatenate([np.zeros((1, 2)), *_boundaries(kind)])
        below, above = kind.twist.ends(points)
        low, high = float(below.min()), float(above.max())
    if kind.angle is not None:
        low, high = max(low, -kind.angle.maximum), min(high, kind.angle.maximum)
    return low, high


def _within(points: Values, most: float) -> Values:
    """Swings with those that go farther than a limit drawn back to it."""
    sizes = np.hypot(*points.T)
    return points * np.minimum(1.0, most / np.maximum(sizes, 1e-12))[:, None]


def _span(values: Values) -> Interval:
    return float(values.min()), float(values.max())


def _common(intervals: list[Interval]) -> Interval:
    """What several intervals share."""
    low, high = max(low for low, _ in intervals), min(high for _, high in intervals)
    middle = 0.5 * (low + high)
    return (low, high) if low <= high else (middle, middle)
