"""Whether limits fit together on a joint, and leave it anything at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise import kernel
from poise.errors import PoiseError
from poise.figure.limits import Angle, Limit, SwingLimit, Twist, TwistLimit, TwistTable
from poise.kernel.body.tree import BALL, ROTATION, SWING
from poise.kernel.limits.arrays import JointLimits, pack_limits

if TYPE_CHECKING:
    from poise.kernel.limits.arrays import Limits

Floats = NDArray[np.float64]

_TWIST_SAMPLES = 61  # along each coordinate of the swing


def check_nonempty(
    where: str, chart: int, lower: Floats, upper: Floats, limits: Sequence[Limit]
) -> None:
    """Raise unless some configuration of a joint is within its box and all its limits.

    For every valid swing there must be a valid twist too (thesis 3.6.2): that is tried at many.

    Args:
        where: what to call the joint in a message, such as "joint 'left_hip'".
        chart: SWING, BALL or ROTATION of `kernel.body.tree`.
        lower: lower ends of the box, one for each coordinate, −inf where there is none.
        upper: upper ends likewise.
        limits: any number of swing limits, at most one twist limit and one angle.
    """
    _check_box(where, chart, lower, upper)
    _check_kinds(where, chart, limits)
    if chart == ROTATION:
        return
    lower, upper = np.ascontiguousarray(lower), np.ascontiguousarray(upper)
    swings = [limit for limit in limits if not isinstance(limit, Twist | TwistTable | Angle)]
    angles = [limit for limit in limits if isinstance(limit, Angle)]
    twists = [limit for limit in limits if isinstance(limit, Twist | TwistTable)]
    boxed = bool(np.isfinite([lower[:2], upper[:2]]).any())
    regions = len(swings) + boxed + (len(angles) if chart == SWING else 0)
    packed = pack_limits([JointLimits(0, chart, [limit.pack() for limit in limits])])
    if boxed and np.hypot(*np.clip(0.0, lower[:2], upper[:2])) > np.pi:
        raise PoiseError(f"{where}: its swing limits have nothing in common")
    # A single limit was found good when it was made, and needs no compiled code here.
    if regions > 1:
        _check_swing(where, lower, upper, packed)
    if twists:
        _check_twist(where, lower, upper, swings, twists[0], packed, boxed)
    if angles and chart == BALL and (swings or twists or np.isfinite([lower, upper]).any()):
        x = np.zeros(3)
        if not kernel.limits.joint.clamp_joint(x, lower, upper, chart, packed, 0, len(packed.kind)):
            raise PoiseError(
                f"{where}: no rotation by at most {angles[0].maximum:g} is within the other limits"
            )


def _check_box(where: str, chart: int, lower: Floats, upper: Floats) -> None:
    for i, (low, high) in enumerate(zip(lower, upper, strict=True)):
        if not low <= high:
            raise PoiseError(
                f"{where}: the limits of coordinate {i + 1} are the wrong way round: "
                f"lower {low:g}, upper {high:g}"
            )
    if chart == ROTATION and np.isfinite([lower, upper]).any():
        raise PoiseError(f"{where}: a rotation vector can be limited by an angle, not by a box")


def _check_kinds(where: str, chart: int, limits: Sequence[Limit]) -> None:
    for kinds, what in (((Twist, TwistTable), "twist limit"), ((Angle,), "angle limit")):
        count = sum(isinstance(limit, kinds) for limit in limits)
        if count > 1:
            raise PoiseError(f"{where}: at most one {what} is allowed, not {count}")
    for limit in limits:
        if chart == ROTATION and not isinstance(limit, Angle):
            raise PoiseError(
                f"{where}: a rotation vector can be limited by an angle, not by a {limit.kind}"
            )
        if chart == SWING and isinstance(limit, Twist | TwistTable):
            raise PoiseError(f"{where}: a joint without twist cannot have a {limit.kind}")


def _check_swing(where: str, lower: Floats, upper: Floats, packed: Limits) -> None:
    x, y = np.clip(0.0, lower[:2], upper[:2])
    if not kernel.limits.swings.nearest_swing(
        x, y, lower, upper, np.inf, packed, 0, len(packed.kind)
    )[0]:
        raise PoiseError(f"{where}: its swing limits have nothing in common")


def _check_twist(
    where: str,
    lower: Floats,
    upper: Floats,
    swings: Sequence[SwingLimit],
    twist: TwistLimit,
    packed: Limits,
    boxed: bool,
) -> None:
    """Raise where the twist interval, within the box, is empty at a valid swing."""
    if swings and not boxed and isinstance(twist, Twist):
        # An interval that is linear in the swing is narrowest on the boundary.
        samples = swings[0].boundary(720)
    else:
        ends = np.clip([lower[:2], upper[:2]], -np.pi, np.pi)
        grid = np.meshgrid(*np.linspace(ends[0], ends[1], _TWIST_SAMPLES).T)
        samples = np.stack(grid, axis=-1).reshape(-1, 2)
        samples = np.concatenate([samples, *(limit.boundary(720) for limit in swings)])
        samples = samples[np.hypot(samples[:, 0], samples[:, 1]) <= np.pi]
    low, high = twist.ends(samples)
    low, high = np.maximum(low, lower[2]), np.minimum(high, upper[2])
    for i in np.flatnonzero(low > high):
        x, y = samples[i]
        if len(swings) + boxed > 1 or (swings and isinstance(twist, TwistTable)):
            violation = kernel.limits.swings.swing_violation(
                x, y, lower, upper, packed, 0, len(packed.kind)
            )
            if violation > 1e-9:
                continue
        raise PoiseError(
            f"{where}: its twist limits cross: at the swing ({x:.4g}, {y:.4g}) "
            f"the lower is {low[i]:.4g} and the upper {high[i]:.4g}"
        )
