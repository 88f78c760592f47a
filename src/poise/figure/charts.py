"""Rotations as coordinates, of one posture and of many at once.

The swing-twist chart is (sx, sy, τ): the child turns by `exp([sx, sy, 0]) · Rz(τ)` in the chart's
frame, whose z is the segment's long axis. Its one singularity is a swing of π, and every joint
stops well before it. Thesis 3.4.3 and 3.5.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.figure.transform import Matrix, quaternion

Values = NDArray[np.float64]


def swing_twist(rotation: Matrix) -> Values:
    """The (sx, sy, τ) of a rotation, τ in (−π, π] (thesis, Appendix C).

    At a swing of π any twist will do; it is then taken as zero.
    """
    w, x, y, z = quaternion(rotation).tolist()
    half_twist = float(np.arctan2(z, w)) if abs(z) + abs(w) > 1e-15 else 0.0
    cosine, sine = np.cos(half_twist), np.sin(half_twist)
    u, v = x * cosine - y * sine, x * sine + y * cosine
    length = float(np.hypot(x, y))
    scale = 2.0 * float(np.arctan2(length, np.hypot(z, w))) / length if length > 1e-150 else 2.0
    twist = 2.0 * half_twist
    if twist <= -np.pi:
        twist += 2 * np.pi  # a quaternion and its negative: the same rotation
    return np.array([u * scale, v * scale, twist])


def twist_about(axis: ArrayLike, rotation: Matrix) -> float:
    """The angle of the twist about an axis that is nearest to a rotation."""
    q = quaternion(rotation)
    angle = 2.0 * float(np.arctan2(q[1:] @ np.asarray(axis), q[0]))
    return angle if angle > -np.pi else angle + 2 * np.pi


def exp(vectors: ArrayLike) -> Values:
    """Rotations (k, 3, 3) by rotation vectors (k, 3)."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_rotvec(np.array(vectors)).as_matrix()  # it wants to be able to write


def log(rotations: Values) -> Values:
    """Canonical rotation vectors (k, 3) of rotations (k, 3, 3)."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_matrix(rotations).as_rotvec()


def twists_about(axis: ArrayLike, rotations: Values) -> Values:
    """Angles (k,) in (−π, π] of the twists about an axis that are nearest to rotations."""
    from scipy.spatial.transform import Rotation

    q = Rotation.from_matrix(rotations).as_quat()
    return _half_open(2.0 * np.arctan2(q[:, :3] @ np.array(axis), q[:, 3]))


def swing_twists(rotations: Values) -> Values:
    """The (sx, sy, τ) of rotations, (k, 3); see `swing_twist`."""
    from scipy.spatial.transform import Rotation

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
