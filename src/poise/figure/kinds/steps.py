"""The elementary motions that joints are made of, one node of the kernel each.

A kind says what it does as a list of these, and all else is told from it: its motion, how the
kernel, statics and files of other programs take it apart, and what is drawn of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.checking import Interval, Vec3
from poise.figure.charts import exp, log, swing_twists
from poise.figure.limits import Limit
from poise.figure.transform import Matrix, rotation_to
from poise.kernel.body.tree import BALL, HINGE, ROTATION, SLIDER, SWING, TRANSLATION

Values = NDArray[np.float64]
EVERYTHING: Interval = (-np.inf, np.inf)

Node = Literal["hinge", "slider", "translation", "swing", "ball", "rotation"]
"""The kernel's nodes.

A hinge turns about an axis and a slider moves along one; a translation moves anywhere. A swing and
a ball have the swing-twist chart, (sx, sy) and (sx, sy, τ); a rotation is a rotation vector.
"""
NODES: dict[Node, int] = {
    "hinge": HINGE,
    "slider": SLIDER,
    "translation": TRANSLATION,
    "swing": SWING,
    "ball": BALL,
    "rotation": ROTATION,
}
"""The numbers that the kernel has for them."""
Unit = Literal["m", "rad"]

_UNITS: dict[Node, tuple[Unit, ...]] = {
    "hinge": ("rad",),
    "slider": ("m",),
    "translation": ("m", "m", "m"),
    "swing": ("rad", "rad"),
    "ball": ("rad", "rad", "rad"),
    "rotation": ("rad", "rad", "rad"),
}


@dataclass(frozen=True)
class Step:
    """One elementary motion of a joint; where the one before it ends, it begins."""

    node: Node
    coordinates: tuple[str, ...]
    axis: Vec3 | None = None
    """In the joint's frame at zero: what a hinge turns about or a slider moves along; of a swing, a
    ball or a rotation the z axis of its chart. None where the axes are the joint's own."""
    box: tuple[Interval, ...] = ()
    """An interval for each coordinate; without any there are no limits."""
    limits: tuple[Limit, ...] = ()
    """Those that are no boxes: regions of the swing, twists that depend on it, whole angles."""

    @property
    def intervals(self) -> tuple[Interval, ...]:
        """Limits of the coordinates one by one."""
        return self.box or (EVERYTHING,) * len(self.coordinates)

    @property
    def units(self) -> tuple[Unit, ...]:
        """The unit of each coordinate."""
        return _UNITS[self.node]

    @property
    def counts_turns(self) -> bool:
        """Whether its angle may go on beyond a full turn, as that of a wheel; no chart's does."""
        return self.node == "hinge"

    @property
    def is_chart(self) -> bool:
        """Whether its coordinates are a chart of rotations, two or three that belong together."""
        return self.node in ("swing", "ball", "rotation")

    @property
    def turns_freely(self) -> bool:
        """Whether it turns about any axis.

        Then the shortest way between two of its values is a turn about one axis, and no straight
        line between its coordinates.
        """
        return self.node in ("ball", "rotation")

    @property
    def frame(self) -> Matrix | None:
        """The node's axes in the joint's frame at zero, z along the axis; None as `axis` is."""
        return None if self.axis is None else rotation_to(self.axis)

    def shift(self, values: Values) -> Values | None:
        """How far it moves (…, 3) with coordinates (…, width); None if it turns."""
        if self.node == "translation":
            return np.array(values)
        return values * np.array(self.axis) if self.node == "slider" else None

    def turn(self, values: Values, rotation: Callable[[ArrayLike], Matrix]) -> Matrix:
        """How it turns (…, 3, 3) with coordinates (…, width), in `frame` if it has a chart.

        Args:
            values: coordinates of one posture or of many.
            rotation: makes rotation matrices of rotation vectors.
        """
        if self.node == "hinge":
            return rotation(values * np.array(self.axis))
        if self.node == "rotation":
            return rotation(values)
        none = np.zeros((*values.shape[:-1], 1))
        swing = rotation(np.concatenate([values[..., :2], none], axis=-1))
        if self.node == "swing":
            return swing
        return swing @ rotation(np.concatenate([none, none, values[..., 2:]], axis=-1))

    def between(self, before: Values, after: Values, share: Values) -> Values:
        """Coordinates (k, width) a share (k, 1) of the way from those of one time to another's.

        What turns about any axis goes by the shortest way on the sphere of rotations (slerp), all
        else straight, so that full turns of a hinge count.
        """
        if not self.turns_freely:
            return before + share * (after - before)
        start, end = self.turn(before, exp), self.turn(after, exp)
        turns = start @ exp(share * log(start.transpose(0, 2, 1) @ end))
        return log(turns) if self.node == "rotation" else swing_twists(turns)
