"""The motion of a joint in many frames at once.

What `Kind.motion` and `Kind.values` do for one posture, for k of them: rotations (k, 3, 3) that
map the frame that moves to the joint's frame, and positions (k, 3) in metres.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from poise.figure import Ball, Elbow, Fixed, Free, Hinge, Slider, Swing
from poise.figure.charts import chart_frame
from poise.figure.kinds import Kind
from poise.figure.transform import rotation_matrix

Values = NDArray[np.float64]


def motions(kind: Kind, values: Values) -> tuple[Values, Values]:
    """Rotations (k, 3, 3) and positions (k, 3) of a joint with coordinates (k, width)."""
    count = len(values)
    turns, positions = np.tile(np.eye(3), (count, 1, 1)), np.zeros((count, 3))
    match kind:
        case Fixed():
            pass
        case Hinge():
            turns = _exp(values * np.array(kind.axis))
        case Slider():
            positions = values * np.array(kind.axis)
        case Elbow():
            flexion = _exp(values[:, :1] * np.array(kind.flexion_axis))
            turns = flexion @ _exp(values[:, 1:] * np.array(kind.twist_axis))
        case Swing():
            turns = _charted(kind, _exp(values @ np.eye(2, 3)))
        case Ball():
            if kind.chart == "rotation_vector":
                turns = _exp(values)
            else:
                turns = _exp(values * [1.0, 1.0, 0.0]) @ _exp(values * [0.0, 0.0, 1.0])
            turns = _charted(kind, turns)
        case Free():
            turns, positions = _exp(values[:, 3:]), values[:, :3].copy()
    return turns, positions


def values_of(kind: Kind, rotations: Values, positions: Values) -> Values:
    """Coordinates (k, width) of a joint that moves so, canonical in every frame.

    What the joint cannot do is left out: a hinge takes the turn about its axis that is nearest.
    """
    match kind:
        case Ball() | Swing():
            frame = rotation_matrix(kind.zero) @ chart_frame(kind)
            turns = frame.T @ rotations @ chart_frame(kind)
            if isinstance(kind, Ball) and kind.chart == "rotation_vector":
                return _log(turns)
            return _swing_twist(turns)[:, : len(kind.coordinates or ())]
        case Free():
            return np.hstack([positions, _log(rotations)])
        case Hinge():
            return _twist(kind.axis, rotations)[:, None]
        case Slider():
            return (positions @ np.array(kind.axis))[:, None]
        case Elbow():
            f, t = np.array(kind.flexion_axis), np.array(kind.twist_axis)
            carried = rotations @ t
            flat, goal = t - f * (f @ t), carried - np.outer(carried @ f, f)
            flexion = np.arctan2(np.cross(flat, goal) @ f, goal @ flat)
            rest = _exp(-flexion[:, None] * f) @ rotations
            return np.column_stack([flexion, _twist(kind.twist_axis, rest)])
        case Fixed():
            return np.zeros((len(rotations), 0))


def between(kind: Ball | Free, before: Values, after: Values, share: Values) -> Values:
    """Coordinates (k, width) between those of two times, shares (k, 1) of the way from the first.

    Turns go by the shortest way on the sphere of rotations (slerp), positions straight.
    """
    (start, here), (end, there) = motions(kind, before), motions(kind, after)
    turns = start @ _exp(share * _log(start.transpose(0, 2, 1) @ end))
    return values_of(kind, turns, here + share * (there - here))


def _exp(vectors: Values) -> Values:
    return Rotation.from_rotvec(np.array(vectors)).as_matrix()  # it wants to be able to write


def _log(rotations: Values) -> Values:
    return Rotation.from_matrix(rotations).as_rotvec()


def _charted(kind: Ball | Swing, turns: Values) -> Values:
    frame = chart_frame(kind)
    return rotation_matrix(kind.zero) @ frame @ turns @ frame.T


def _twist(axis: object, rotations: Values) -> Values:
    """Angles in (−π, π] of the twists about an axis that are nearest to rotations."""
    q = Rotation.from_matrix(rotations).as_quat()
    return _half_open(2.0 * np.arctan2(q[:, :3] @ np.array(axis), q[:, 3]))


def _swing_twist(rotations: Values) -> Values:
    """The (sx, sy, τ) of rotations; see `figure.charts.swing_twist`."""
    x, y, z, w = Rotation.from_matrix(rotations).as_quat(canonical=True).T
    half = np.where(np.abs(z) + np.abs(w) > 1e-15, np.arctan2(z, w), 0.0)
    u, v = x * np.cos(half) - y * np.sin(half), x * np.sin(half) + y * np.cos(half)
    length = np.hypot(x, y)
    small = length < 1e-150
    angle = 2.0 * np.arctan2(length, np.hypot(z, w))
    scale = np.where(small, 2.0, angle / np.where(small, 1.0, length))
    return np.column_stack([u * scale, v * scale, _half_open(2.0 * half)])


def _half_open(angles: Values) -> Values:
    """Angles of at most a turn to either side, brought into (−π, π]."""
    angles = np.where(angles > np.pi, angles - 2 * np.pi, angles)
    return np.where(angles <= -np.pi, angles + 2 * np.pi, angles)
