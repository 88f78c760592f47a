"""The joint of two axes: flexion and twist."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, cast

import numpy as np

from poise.checking import Interval, Vec3, direction, interval
from poise.closed import closed
from poise.errors import PoiseError
from poise.figure.charts import exp, twist_about, twists_about
from poise.figure.kinds.kind import DIRECTION, JointKind, checked_names, entry, put
from poise.figure.kinds.steps import EVERYTHING, Step, Values
from poise.figure.transform import Transform, rotation_matrix
from poise.units import warn_of_limits


@closed
@dataclass(frozen=True)
class Elbow(JointKind):
    """Flexion about one axis, then twist of the outgoing segment about its own.

    The two axes need not be perpendicular (the carrying angle), but not parallel either.
    Thesis 3.4.2.
    """

    kind: ClassVar[str] = "elbow"
    flexion_axis: Vec3 | str = field(default=(0.0, 1.0, 0.0), metadata=DIRECTION)
    twist_axis: Vec3 | str = field(
        default=(0.0, 0.0, 1.0), metadata=entry("direction", "likewise, not parallel to it")
    )
    flexion_limits: Interval = field(
        default=EVERYTHING, metadata=entry("angle_interval", "[lower, upper] in degrees")
    )
    twist_limits: Interval = field(
        default=EVERYTHING, metadata=entry("angle_interval", "[lower, upper] in degrees")
    )
    coordinates: tuple[str, str] = field(  # pyright: ignore[reportIncompatibleMethodOverride]
        default=("flexion", "twist"),
        metadata=entry("names", "the names of both angles", wanted="two names [flexion, twist]"),
    )

    def __post_init__(self) -> None:
        """Check the numbers."""
        for each in ("flexion", "twist"):
            put(self, f"{each}_axis", direction(getattr(self, f"{each}_axis"), f"the {each} axis"))
            limits = interval(getattr(self, f"{each}_limits"), f"the {each} limits")
            put(self, f"{each}_limits", limits)
            warn_of_limits(limits, f"the {each} limits of an elbow")
        if abs(float(np.dot(self.flexion_axis, self.twist_axis))) > 0.9999:
            raise PoiseError("the flexion axis and the twist axis of an elbow must not be parallel")
        put(self, "coordinates", checked_names(self.kind, self.coordinates, 2))

    @property
    def steps(self) -> tuple[Step, ...]:
        """Two hinges."""
        flexion, twist = self.coordinates
        return (
            Step("hinge", (flexion,), cast("Vec3", self.flexion_axis), (self.flexion_limits,)),
            Step("hinge", (twist,), cast("Vec3", self.twist_axis), (self.twist_limits,)),
        )

    def values(self, motion: Transform) -> Values:
        """Both angles: flexion carries the twist axis to where the motion carries it."""
        f, t = np.array(self.flexion_axis), np.array(self.twist_axis)
        carried = motion.rotation @ t
        flat, goal = t - f * (f @ t), carried - f * (f @ carried)
        flexion = float(np.arctan2(f @ np.cross(flat, goal), flat @ goal))
        rest = rotation_matrix(-f * flexion) @ motion.rotation
        return np.array([flexion, twist_about(self.twist_axis, rest)])

    def values_of(self, rotations: Values, positions: Values) -> Values:
        """Both angles of many motions."""
        f, t = np.array(self.flexion_axis), np.array(self.twist_axis)
        carried = rotations @ t
        flat, goal = t - f * (f @ t), carried - np.outer(carried @ f, f)
        flexion = np.arctan2(np.cross(flat, goal) @ f, goal @ flat)
        rest = exp(-flexion[:, None] * f) @ rotations
        return np.column_stack([flexion, twists_about(self.twist_axis, rest)])

    @classmethod
    def about(cls, axis: Vec3 | None, old: JointKind) -> Self:
        """One that flexes about an axis, or the first one of the old kind."""
        axis = axis or old.main_axis
        return cls() if axis is None else cls(flexion_axis=axis)

    @property
    def limit_names(self) -> tuple[str, ...]:
        """Both coordinates."""
        return self.coordinates

    def _limited(self, limits: Mapping[str, Any]) -> Self:
        flexion, twist = self.coordinates
        return replace(
            self,
            flexion_limits=limits.get(flexion, self.flexion_limits),
            twist_limits=limits.get(twist, self.twist_limits),
        )
