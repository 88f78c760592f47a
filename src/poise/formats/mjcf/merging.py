"""Three hinges that meet in a point, as the ball that turns the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.checking import Vec3
from poise.errors import PoiseError
from poise.figure.kinds import EVERYTHING, Ball, Interval
from poise.figure.limits import PlanarPolygon, SwingLimit, Twist
from poise.figure.transform import Matrix, rotation_matrix, rotation_to
from poise.formats.placing import unless_endless

Values = NDArray[np.float64]

_HINGE = 3
_CLOSE = 1e-9


@dataclass(frozen=True)
class Euler:
    """Hinges about three axes at right angles, each carried by those before it."""

    axes: tuple[Vec3, Vec3, Vec3]
    limits: tuple[Interval, Interval, Interval]

    def rotation(self, angles: Values) -> Matrix:
        """The rotation that three angles make."""
        a, b, c = (
            rotation_matrix(np.array(axis) * angle)
            for axis, angle in zip(self.axes, angles, strict=True)
        )
        return a @ b @ c

    def ball(self) -> tuple[Ball, bool]:
        """The ball, and whether it has all the limits.

        The last axis is that of the twist, whose limits stay as they are. Of the first two, limits
        make a rectangle of swings: exact for each alone, near enough for both together.
        """
        *_, axis = self.axes
        first, second, third = self.limits
        complete = True
        swing: tuple[SwingLimit, ...] = ()
        if np.isfinite([*first, *second]).all():
            across = rotation_to(axis).T[:2]
            corners = [(first[i], second[j]) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
            turns = [a * np.array(self.axes[0]) + b * np.array(self.axes[1]) for a, b in corners]
            try:
                swing = (PlanarPolygon(np.array([across @ turn for turn in turns])),)
            except PoiseError:  # it has no area, or goes beyond 150°
                complete = False
        elif not first == second == EVERYTHING:
            complete = False
        twist = Twist(*third) if np.isfinite(third).all() else None
        return Ball(axis, swing=swing, twist=twist), complete


def merged(model: Any, joints: list[int]) -> Euler | None:
    """Three joints of a MuJoCo model, if they can be one ball."""
    if any(int(model.jnt_type[j]) != _HINGE for j in joints):
        return None
    if any(abs(model.qpos0[model.jnt_qposadr[j]]) > 0 for j in joints):
        return None
    places, axes = model.jnt_pos[joints], model.jnt_axis[joints]
    if np.ptp(places, axis=0).max() > _CLOSE or np.abs(axes @ axes.T - np.eye(3)).max() > _CLOSE:
        return None
    limits: list[Interval] = []
    for j in joints:
        ends = unless_endless(*model.jnt_range[j].tolist())
        limits.append(ends if model.jnt_limited[j] else EVERYTHING)
    x, y, z = (tuple(axis) for axis in axes.tolist())
    return Euler((x, y, z), (limits[0], limits[1], limits[2]))
