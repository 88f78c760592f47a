"""Joints of one coordinate, about or along an axis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, cast

import numpy as np

from poise.checking import Interval, Vec3, direction, interval
from poise.closed import closed
from poise.figure.charts import twist_about, twists_about
from poise.figure.kinds.kind import DIRECTION, JointKind, Sort, checked_names, entry, put
from poise.figure.kinds.steps import EVERYTHING, Node, Step, Values
from poise.figure.transform import Transform
from poise.units import warn_of_limits


@dataclass(frozen=True)
class _Axial(JointKind):
    """One coordinate about or along an axis of the joint's frame."""

    _node: ClassVar[Node]
    axis: Vec3 | str
    limits: Interval
    coordinate: str

    def __post_init__(self) -> None:
        """Check the numbers."""
        put(self, "axis", direction(self.axis, f"the axis of a {self.kind}"))
        put(self, "limits", interval(self.limits, f"the limits of a {self.kind}"))
        checked_names(self.kind, (self.coordinate,), 1)

    @property
    def steps(self) -> tuple[Step, ...]:
        """One node about or along the axis."""
        return (Step(self._node, (self.coordinate,), cast("Vec3", self.axis), (self.limits,)),)

    @classmethod
    def about(cls, axis: Vec3 | None, old: JointKind) -> Self:
        """One about or along an axis, or the first one of the old kind."""
        axis = axis or old.main_axis
        return cls() if axis is None else cls(axis=axis)  # type: ignore[call-arg]

    @property
    def limit_names(self) -> tuple[str, ...]:
        """Its coordinate."""
        return (self.coordinate,)

    def _limited(self, limits: Mapping[str, Any]) -> Self:
        return replace(self, limits=limits[self.coordinate])


def _interval_in(unit: str, sort: Sort) -> dict[str, str]:
    """The metadata of an interval in a unit."""
    return entry(sort, f"[lower, upper] in {unit}, .inf for none")


def _name_of(coordinate: str) -> dict[str, str]:
    """The metadata of a coordinate's name."""
    return entry("name", f"the {coordinate}'s name")


@closed
@dataclass(frozen=True)
class Hinge(_Axial):
    """Turning about one axis of the joint's frame.

    As knees and fingers do.
    """

    kind: ClassVar[str] = "hinge"
    _node: ClassVar[Node] = "hinge"
    axis: Vec3 | str = field(default=(0.0, 1.0, 0.0), metadata=DIRECTION)
    limits: Interval = field(default=EVERYTHING, metadata=_interval_in("degrees", "angle_interval"))
    coordinate: str = field(default="angle", metadata=_name_of("angle"))

    def __post_init__(self) -> None:
        """Check the numbers."""
        super().__post_init__()
        warn_of_limits(self.limits, "the limits of a hinge")

    def values(self, motion: Transform) -> Values:
        """The angle in (−π, π] that turns as the motion does about the axis."""
        return np.array([twist_about(self.axis, motion.rotation)])

    def values_of(self, rotations: Values, positions: Values) -> Values:
        """The angles of many motions."""
        return twists_about(self.axis, rotations)[:, None]


@closed
@dataclass(frozen=True)
class Slider(_Axial):
    """Moving along one axis of the joint's frame."""

    kind: ClassVar[str] = "slider"
    _node: ClassVar[Node] = "slider"
    axis: Vec3 | str = field(default=(0.0, 0.0, 1.0), metadata=DIRECTION)
    limits: Interval = field(
        default=EVERYTHING, metadata=_interval_in("metres", "distance_interval")
    )
    coordinate: str = field(default="distance", metadata=_name_of("distance"))

    def values(self, motion: Transform) -> Values:
        """The distance along the axis."""
        return np.array([float(motion.position @ np.array(self.axis))])

    def values_of(self, rotations: Values, positions: Values) -> Values:
        """The distances of many motions."""
        return (positions @ np.array(self.axis))[:, None]
