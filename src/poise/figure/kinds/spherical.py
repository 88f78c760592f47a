"""Balls and swings: a segment that swings about a point, with or without twist."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, Self, cast, get_args

import numpy as np

from poise.checking import Interval, Vec3, direction, interval
from poise.closed import closed
from poise.errors import PoiseError
from poise.figure.charts import log, swing_twist, swing_twists
from poise.figure.frames import turn_from
from poise.figure.kinds.kind import JointKind, checked_names, entry, put
from poise.figure.kinds.steps import EVERYTHING, Node, Step, Values
from poise.figure.limits import (
    LARGEST_SWING,
    Angle,
    Limit,
    SphericalEllipse,
    SwingLimit,
    Twist,
    TwistLimit,
)
from poise.figure.transform import (
    Matrix,
    Transform,
    rotation_matrix,
    rotation_to,
    rotation_vector,
)
from poise.units import warn_of_limits

Chart = Literal["swing_twist", "rotation_vector"]

STOP = SphericalEllipse(LARGEST_SWING, LARGEST_SWING)
"""Where a swing stops that nothing else keeps within 150°."""

_AXIS = "the segment's long axis, in the segment's frame"
_ZERO = "puts zero into the middle of the range, degrees"
_REGIONS = "limits of the swing; all hold together"
_BOX = "limits of s{}, [lower, upper] in degrees"
_ANGLE = "greatest angle of the whole rotation, degrees"


class Spherical(JointKind):
    """A ball and socket: the segment's long axis swings about a point.

    It has one step, whose chart's frame has z along the segment and x as near as can be to the
    segment's x. At zero the child is turned by the rotation vector `zero`.
    """

    twists: ClassVar[bool] = True
    """Whether it turns about the segment's axis, too."""
    axis: Vec3 | str
    zero: Vec3
    swing: tuple[SwingLimit, ...]
    angle: Angle | None
    swing_x: Interval
    swing_y: Interval

    @property
    @abstractmethod
    def node(self) -> Node:
        """The kernel's node for the chart."""

    @property
    def twist(self) -> TwistLimit | None:
        """What the twist must not leave."""
        return None

    @property
    def spherical(self) -> Spherical:
        """All of it."""
        return self

    @property
    def zero_turn(self) -> Matrix:
        """By the rotation vector `zero`."""
        return rotation_matrix(self.zero)

    @property
    def frame(self) -> Matrix:
        """The chart's axes in the child segment's: z along the segment, x near its x."""
        return rotation_to(self.axis)

    @property
    def steps(self) -> tuple[Step, ...]:
        """One node in the chart's frame."""
        names, box = self.coordinates, self.box
        return (Step(self.node, names, cast("Vec3", self.axis), box, self.limits),)

    @property
    def box(self) -> tuple[Interval, ...]:
        """Limits of the coordinates; a twist's that depend on the swing are not among them."""
        if not self.twists:
            return (self.swing_x, self.swing_y)
        twist = EVERYTHING
        if isinstance(self.twist, Twist) and self.twist.is_constant:
            twist = self.twist.interval
        return (self.swing_x, self.swing_y, twist)

    @property
    def limits(self) -> tuple[Limit, ...]:
        """All limits that are not boxes, as a constant twist is; the stop at 150° included."""
        twist = self.twist
        if isinstance(twist, Twist) and twist.is_constant:
            twist = None
        stop = () if self.node == "rotation" or self._stays_within_stop() else (STOP,)
        return (*self.swing, *stop, *(limit for limit in (twist, self.angle) if limit is not None))

    @property
    def is_limited(self) -> bool:
        """Whether it has limits of its own, besides the stop at 150°."""
        boxes = (self.swing_x, self.swing_y)
        own = self.swing or self.angle or self.twist
        return bool(own or boxes != (EVERYTHING, EVERYTHING))

    def values(self, motion: Transform) -> Values:
        """Coordinates of a rotation, canonical; what a swing cannot do, the twist, is lost."""
        frame = self.frame
        rotation = frame.T @ rotation_matrix(self.zero).T @ motion.rotation @ frame
        if self.node == "rotation":
            return rotation_vector(rotation)
        return swing_twist(rotation)[: 3 if self.twists else 2]

    def values_of(self, rotations: Values, positions: Values) -> Values:
        """Coordinates of many rotations."""
        frame = rotation_matrix(self.zero) @ self.frame
        turns = frame.T @ rotations @ self.frame
        if self.node == "rotation":
            return log(turns)
        return swing_twists(turns)[:, : 3 if self.twists else 2]

    @classmethod
    def about(cls, axis: Vec3 | None, old: JointKind) -> Self:
        """One along an axis; without one, along the segment as the old one was."""
        if axis is not None:
            return cls(axis=axis)  # type: ignore[call-arg]
        same = old.spherical
        return cls() if same is None else cls(axis=same.axis, zero=same.zero)  # type: ignore[call-arg]

    @property
    def limit_names(self) -> tuple[str, ...]:
        """Its coordinates, "swing": the radii (rx, ry) of an ellipse or None, and "twist".

        A rotation vector's coordinates have no limits of their own.
        """
        own = () if self.node == "rotation" else self.coordinates
        twist = ("twist",) if self.twists else ()
        return tuple(dict.fromkeys((*own, "swing", *twist)))

    def _limited(self, limits: Mapping[str, Any]) -> Self:
        """Limits of swing and twist give a ball their chart; a twist of None is no limit."""
        fields = dict(zip(self.coordinates, ("swing_x", "swing_y", "twist"), strict=False))
        changes: dict[str, Any] = {}
        for name, given in limits.items():
            field = fields.get(name, name)
            if field == "swing":
                changes[field] = () if given is None else (self._ellipse(given),)
            elif field == "twist":
                ends = EVERYTHING if given is None else interval(given, self._called("twist"))
                changes[field] = None if ends == EVERYTHING else Twist(*ends)
            else:
                changes[field] = given
        if self.node == "rotation":
            changes |= {"chart": None, "coordinates": None}  # limits need the other chart
        return replace(cast("Any", self), **changes)

    def _ellipse(self, radii: Any) -> SphericalEllipse:
        try:
            rx, ry = radii
        except (TypeError, ValueError):
            what = "two radii (rad) of an ellipse, or None"
            raise PoiseError(f"{self._called('swing')} must be {what}, not {radii!r}") from None
        return SphericalEllipse(rx, ry)

    def _called(self, limits: str) -> str:
        return f"the limits {limits} of a {self.kind}"

    def _stays_within_stop(self) -> bool:
        """Whether a region, the box's corners or the whole angle keep the swing within 150°."""
        reach = float(np.hypot(np.abs(self.swing_x).max(), np.abs(self.swing_y).max()))
        if self.angle is not None:
            reach = min(reach, self.angle.maximum)  # a swing is never more than the whole angle
        return bool(self.swing) or reach <= LARGEST_SWING

    def _check(self) -> None:
        """Check the numbers that all have."""
        put(self, "axis", direction(self.axis, f"the axis of a {self.kind}"))
        put(self, "zero", turn_from(self.zero, f"the zero of a {self.kind}"))
        for each in ("swing_x", "swing_y"):
            what = self._called(each)
            put(self, each, interval(getattr(self, each), what))
            warn_of_limits(getattr(self, each), what)
        nearest = np.hypot(*(np.clip(0.0, *ends) for ends in (self.swing_x, self.swing_y)))
        if nearest > LARGEST_SWING:
            raise PoiseError(
                f"the limits swing_x and swing_y of a {self.kind} must reach within 150°, where "
                f"every swing stops, but they begin at {np.rad2deg(nearest):.4g}°"
            )
        swing = self.swing if isinstance(self.swing, (tuple, list)) else (self.swing,)
        put(self, "swing", tuple(swing))
        for limit in self.swing:
            _check_limit(limit, SwingLimit, f"a swing limit of a {self.kind}")
        if self.twist is not None:
            _check_limit(self.twist, TwistLimit, f"the twist limit of a {self.kind}")
        if self.angle is not None:
            _check_limit(self.angle, Angle, f"the angle limit of a {self.kind}")


@closed
@dataclass(frozen=True)
class Swing(Spherical):
    """A ball without twist.

    As wrists and ankles. The chart is (sx, sy): the child turns by `exp([sx, sy, 0])` in the
    chart's frame, whose z is the segment's long axis and whose x is as near as can be to the
    segment's x. At zero the child is turned by the rotation vector `zero` against the joint's
    frame.

    Without a limit of its own a swing stops at 150°, well before the singularity at 180°: where
    no region in `swing`, no `angle` and not all corners of the box are within 150°, `limits` holds
    a round `SphericalEllipse` of that size besides.
    """

    kind: ClassVar[str] = "swing"
    twists: ClassVar[bool] = False
    file_keys: ClassVar[tuple[str, ...]] = (
        *("axis", "zero", "swing", "swing_x", "swing_y", "angle", "coordinates"),
    )
    axis: Vec3 | str = field(default=(0.0, 0.0, 1.0), metadata=entry("direction", _AXIS))
    zero: Vec3 = field(default=(0.0, 0.0, 0.0), metadata=entry("rotation", _ZERO))
    swing: tuple[SwingLimit, ...] = field(default=(), metadata=entry("swing_limits", _REGIONS))
    angle: Angle | None = field(default=None, metadata=entry("angle", _ANGLE))
    swing_x: Interval = field(
        default=EVERYTHING, metadata=entry("angle_interval", _BOX.format("x"))
    )
    swing_y: Interval = field(
        default=EVERYTHING, metadata=entry("angle_interval", _BOX.format("y"))
    )
    coordinates: tuple[str, str] = field(  # pyright: ignore[reportIncompatibleMethodOverride]
        default=("swing_x", "swing_y"),
        metadata=entry(
            "names", "the names of both coordinates", wanted="two names [swing_x, swing_y]"
        ),
    )

    def __post_init__(self) -> None:
        """Check the numbers."""
        self._check()
        put(self, "coordinates", checked_names(self.kind, self.coordinates, 2))

    @property
    def node(self) -> Node:
        """Without twist."""
        return "swing"


@closed
@dataclass(frozen=True)
class Ball(Spherical):
    """Turning freely about a point.

    As shoulders and hips. `chart="swing_twist"`: coordinates (sx, sy, τ), the child turns by
    `exp([sx, sy, 0]) · Rz(τ)` in the chart's frame (see `Swing`). The one singularity is a swing
    of π; as every swing it stops at 150° where its limits allow more. `zero` puts the chart's
    zero into the middle of the joint's range, so a person's rest posture is not zero.

    `chart="rotation_vector"`: coordinates are the rotation vector, canonical within π. For
    balls without limits or with a limit on the total angle; the default when there are none.

    Thesis 3.4.3 and 3.5; Grassia 1998.
    """

    kind: ClassVar[str] = "ball"
    file_keys: ClassVar[tuple[str, ...]] = (
        *("axis", "zero", "swing", "swing_x", "swing_y", "angle", "twist", "chart", "coordinates"),
    )
    axis: Vec3 | str = field(default=(0.0, 0.0, 1.0), metadata=entry("direction", _AXIS))
    zero: Vec3 = field(default=(0.0, 0.0, 0.0), metadata=entry("rotation", _ZERO))
    swing: tuple[SwingLimit, ...] = field(default=(), metadata=entry("swing_limits", _REGIONS))
    twist: TwistLimit | None = field(  # pyright: ignore[reportIncompatibleMethodOverride]
        default=None, metadata=entry("twist_limit", "limits of the twist")
    )
    angle: Angle | None = field(default=None, metadata=entry("angle", _ANGLE))
    swing_x: Interval = field(
        default=EVERYTHING, metadata=entry("angle_interval", _BOX.format("x"))
    )
    swing_y: Interval = field(
        default=EVERYTHING, metadata=entry("angle_interval", _BOX.format("y"))
    )
    chart: Chart | None = field(
        default=None,
        metadata=entry(
            "chart",
            "what the coordinates are; rotation_vector if there are no limits of swing and twist",
        ),
    )
    coordinates: tuple[str, str, str] | None = field(  # pyright: ignore[reportIncompatibleMethodOverride]
        default=None,
        metadata=entry("names", "the names of the three coordinates", wanted="three names"),
    )

    def __post_init__(self) -> None:
        """Check the numbers and settle the chart."""
        self._check()
        limited = bool(self.swing) or self.twist is not None or self.box != (EVERYTHING,) * 3
        if self.chart is None:
            put(self, "chart", "swing_twist" if limited else "rotation_vector")
        if not isinstance(self.chart, str) or self.chart not in get_args(Chart):
            raise PoiseError(
                f"the chart of a ball must be swing_twist or rotation_vector, not {self.chart!r}"
            )
        if self.chart == "rotation_vector" and limited:
            raise PoiseError(
                "limits of swing and twist need the chart swing_twist; "
                "with the rotation vector only `angle` can be limited"
            )
        if self.coordinates is None:
            default = ("rx", "ry", "rz")
            if self.chart == "swing_twist":
                default = ("swing_x", "swing_y", "twist")
            put(self, "coordinates", default)
        put(self, "coordinates", checked_names(self.kind, self.coordinates, 3))

    @property
    def node(self) -> Node:
        """As the chart is."""
        return "ball" if self.chart == "swing_twist" else "rotation"

    @property
    def usual_coordinates(self) -> tuple[str, ...]:
        """Those of the same chart."""
        return Ball(chart=self.chart).coordinates or ()


def spherical_of(step: Step) -> Spherical:
    """A ball or a swing that moves as a step does that is a chart.

    A box round the coordinates of a rotation vector is left out: no ball has one.
    """
    limits = step.limits
    angle = next((each for each in limits if isinstance(each, Angle)), None)
    axis = (0.0, 0.0, 1.0) if step.axis is None else step.axis
    names: Any = step.coordinates
    if step.node == "rotation":
        return Ball(axis, angle=angle, chart="rotation_vector", coordinates=names)
    # Where nothing else keeps it within 150°, a swing has the stop by itself.
    swing = tuple(each for each in limits if isinstance(each, SwingLimit) and each != STOP)
    swing_x, swing_y = step.intervals[:2]
    if step.node == "swing":
        return Swing(
            axis, swing=swing, angle=angle, swing_x=swing_x, swing_y=swing_y, coordinates=names
        )
    twist: TwistLimit | None = next((each for each in limits if isinstance(each, TwistLimit)), None)
    if twist is None and step.intervals[2] != EVERYTHING:
        twist = Twist(*step.intervals[2])
    return Ball(
        axis,
        swing=swing,
        twist=twist,
        angle=angle,
        swing_x=swing_x,
        swing_y=swing_y,
        chart="swing_twist",
        coordinates=names,
    )


def _check_limit(limit: Any, wanted: Any, what: str) -> None:
    if not isinstance(limit, wanted):
        names = " or ".join(each.__name__ for each in get_args(wanted) or (wanted,))
        raise PoiseError(f"{what} must be of the type {names}, not {limit!r}")
