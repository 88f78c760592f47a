"""The coordinates of balls and swings: a chart of rotations, and how far it reaches.

The swing-twist chart is (sx, sy, τ): the child turns by `exp([sx, sy, 0]) · Rz(τ)` in the chart's
frame, whose z is the segment's long axis. Its one singularity is a swing of π, and every joint
stops well before it. Thesis 3.4.3 and 3.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.figure.limits import LARGEST_SWING, Limit, SphericalEllipse, Twist
from poise.figure.transform import Matrix, Transform, quaternion, rotation_matrix, rotation_to
from poise.kernel.body.tree import ROTATION

if TYPE_CHECKING:
    from poise.figure.kinds import Ball, Chain, Node, Swing

STOP = SphericalEllipse(LARGEST_SWING, LARGEST_SWING)
"""Where a swing stops that nothing else keeps within 150°."""


def swing_twist(rotation: Matrix) -> NDArray[np.float64]:
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


def chart_frame(kind: Swing | Ball) -> Matrix:
    """The chart's axes in the child segment's: z along the segment, x near its x."""
    return rotation_to(kind.axis)


def charted(kind: Swing | Ball, rotation: Matrix) -> Transform:
    """The motion of a joint that turns by a rotation in the chart's frame."""
    frame = chart_frame(kind)
    return Transform.turn(rotation_matrix(kind.zero) @ frame @ rotation @ frame.T)


def uncharted(kind: Swing | Ball, motion: Transform) -> Matrix:
    """The rotation in the chart's frame that makes a motion."""
    frame = chart_frame(kind)
    return frame.T @ rotation_matrix(kind.zero).T @ motion.rotation @ frame


def chart_chain(kind: Swing | Ball, node: Node) -> Chain:
    """One node of the kernel in the chart's frame."""
    frame = chart_frame(kind)
    before = Transform.turn(rotation_matrix(kind.zero) @ frame)
    return [before, node, Transform.turn(frame.T)]


def chart_limits(kind: Swing | Ball) -> tuple[Limit, ...]:
    """All limits of a joint that are not boxes, and `STOP` where its own do not do.

    A constant twist limit is a box.
    """
    twist = kind.twist
    if isinstance(twist, Twist) and twist.is_constant:
        twist = None
    stop = () if kind.node == ROTATION or _stays_within_stop(kind) else (STOP,)
    return (*kind.swing, *stop, *(limit for limit in (twist, kind.angle) if limit is not None))


def _stays_within_stop(kind: Swing | Ball) -> bool:
    """Whether a region, the corners of the box or the whole angle keep the swing within 150°."""
    reach = float(np.hypot(np.abs(kind.swing_x).max(), np.abs(kind.swing_y).max()))
    if kind.angle is not None:
        reach = min(reach, kind.angle.maximum)  # a swing is never more than the whole angle
    return bool(kind.swing) or reach <= LARGEST_SWING
