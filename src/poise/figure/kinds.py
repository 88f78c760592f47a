"""The seven kinds of joint: how the child segment may move against the parent.

A kind knows its coordinates, its limits, its motion and the motion's inverse, and how it
is taken apart into the kernel's nodes. Angles are radians, distances metres.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from poise.checking import Interval, Vec3, direction, interval, name
from poise.closed import closed
from poise.errors import PoiseError
from poise.figure.charts import (
    chart_chain,
    chart_limits,
    charted,
    swing_twist,
    twist_about,
    uncharted,
)
from poise.figure.frames import turn_from
from poise.figure.limits import LARGEST_SWING, Angle, Limit, SwingLimit, Twist, TwistLimit
from poise.figure.transform import (
    IDENTITY,
    Transform,
    rotation_matrix,
    rotation_to,
    rotation_vector,
)
from poise.kernel.body.tree import BALL, ROTATION, SWING
from poise.units import warn_of_limits

Values = NDArray[np.float64]
EVERYTHING: Interval = (-np.inf, np.inf)

Chart = Literal["swing_twist", "rotation_vector"]
Node = Literal["hinge", "slider", "translation", "swing", "ball", "rotation"]
Chain = list[Transform | Node]
"""A joint's motion for the kernel: fixed transforms and nodes in turn, transforms at both ends."""


@closed
@dataclass(frozen=True)
class Fixed:
    """No motion at all: the child is part of the parent."""

    kind: ClassVar[str] = "fixed"
    coordinates: ClassVar[tuple[str, ...]] = ()
    box: ClassVar[tuple[Interval, ...]] = ()

    def motion(self, values: Values) -> Transform:
        """Nothing moves."""
        return IDENTITY

    def values(self, motion: Transform) -> Values:
        """No coordinates."""
        return np.zeros(0)

    def chain(self) -> Chain:
        """One fixed transform."""
        return [IDENTITY]


@dataclass(frozen=True)
class _Axial:
    """One coordinate about or along an axis of the joint's frame."""

    kind: ClassVar[Literal["hinge", "slider"]]
    axis: Vec3 | str
    limits: Interval
    coordinate: str

    def __post_init__(self) -> None:
        """Check the numbers."""
        _set(self, "axis", direction(self.axis, f"the axis of a {self.kind}"))
        _set(self, "limits", interval(self.limits, f"the limits of a {self.kind}"))
        _check_coordinates(self.kind, self.coordinates, 1)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The coordinate's name."""
        return (self.coordinate,)

    @property
    def box(self) -> tuple[Interval, ...]:
        """Limits of the coordinate."""
        return (self.limits,)

    def chain(self) -> Chain:
        """One node about or along z, in a frame whose z is the axis."""
        frame = rotation_to(self.axis)
        return [Transform.turn(frame), self.kind, Transform.turn(frame.T)]


@closed
@dataclass(frozen=True)
class Hinge(_Axial):
    """Turning about one axis of the joint's frame, as knees and fingers do."""

    kind: ClassVar[Literal["hinge", "slider"]] = "hinge"
    axis: Vec3 | str = (0.0, 1.0, 0.0)
    limits: Interval = EVERYTHING
    coordinate: str = "angle"

    def __post_init__(self) -> None:
        """Check the numbers."""
        super().__post_init__()
        warn_of_limits(self.limits, "the limits of a hinge")

    def motion(self, values: Values) -> Transform:
        """The child's frame in the joint's frame."""
        return Transform.turn(rotation_matrix(np.array(self.axis) * values[0]))

    def values(self, motion: Transform) -> Values:
        """The angle in (−π, π] that turns as the motion does about the axis."""
        return np.array([twist_about(self.axis, motion.rotation)])


@closed
@dataclass(frozen=True)
class Slider(_Axial):
    """Moving along one axis of the joint's frame, in metres."""

    kind: ClassVar[Literal["hinge", "slider"]] = "slider"
    axis: Vec3 | str = (0.0, 0.0, 1.0)
    limits: Interval = EVERYTHING
    coordinate: str = "distance"

    def motion(self, values: Values) -> Transform:
        """The child's frame in the joint's frame."""
        return Transform(np.eye(3), np.array(self.axis) * values[0])

    def values(self, motion: Transform) -> Values:
        """The distance along the axis."""
        return np.array([float(motion.position @ np.array(self.axis))])


@closed
@dataclass(frozen=True)
class Elbow:
    """Flexion about one axis, then twist of the outgoing segment about its own.

    The two axes need not be perpendicular (the carrying angle), but not parallel either.
    Thesis 3.4.2.
    """

    kind: ClassVar[str] = "elbow"
    flexion_axis: Vec3 | str = (0.0, 1.0, 0.0)
    twist_axis: Vec3 | str = (0.0, 0.0, 1.0)
    flexion_limits: Interval = EVERYTHING
    twist_limits: Interval = EVERYTHING
    coordinates: tuple[str, str] = ("flexion", "twist")

    def __post_init__(self) -> None:
        """Check the numbers."""
        for each in ("flexion", "twist"):
            _set(self, f"{each}_axis", direction(getattr(self, f"{each}_axis"), f"the {each} axis"))
            limits = interval(getattr(self, f"{each}_limits"), f"the {each} limits")
            _set(self, f"{each}_limits", limits)
            warn_of_limits(limits, f"the {each} limits of an elbow")
        if abs(float(np.dot(self.flexion_axis, self.twist_axis))) > 0.9999:
            raise PoiseError("the flexion axis and the twist axis of an elbow must not be parallel")
        _set(self, "coordinates", _check_coordinates(self.kind, self.coordinates, 2))

    @property
    def box(self) -> tuple[Interval, ...]:
        """Limits of both angles."""
        return (self.flexion_limits, self.twist_limits)

    def motion(self, values: Values) -> Transform:
        """The child's frame in the joint's frame."""
        flexion = rotation_matrix(np.array(self.flexion_axis) * values[0])
        return Transform.turn(flexion @ rotation_matrix(np.array(self.twist_axis) * values[1]))

    def values(self, motion: Transform) -> Values:
        """Both angles: flexion carries the twist axis to where the motion carries it."""
        f, t = np.array(self.flexion_axis), np.array(self.twist_axis)
        carried = motion.rotation @ t
        flat, goal = t - f * (f @ t), carried - f * (f @ carried)
        flexion = float(np.arctan2(f @ np.cross(flat, goal), flat @ goal))
        rest = rotation_matrix(-f * flexion) @ motion.rotation
        return np.array([flexion, twist_about(self.twist_axis, rest)])

    def chain(self) -> Chain:
        """Two hinges."""
        flexion, twist = rotation_to(self.flexion_axis), rotation_to(self.twist_axis)
        between = Transform.turn(flexion.T @ twist)
        return [Transform.turn(flexion), "hinge", between, "hinge", Transform.turn(twist.T)]


@closed
@dataclass(frozen=True)
class Swing:
    """A ball without twist: wrists and ankles.

    The chart is (sx, sy): the child turns by `exp([sx, sy, 0])` in the chart's frame, whose
    z is the segment's long axis and whose x is as near as can be to the segment's x. At
    zero the child is turned by the rotation vector `zero` against the joint's frame.

    Without a limit of its own a swing stops at 150°, well before the singularity at 180°: where
    no region in `swing`, no `angle` and not all corners of the box are within 150°, `limits` holds
    a round `SphericalEllipse` of that size besides.
    """

    kind: ClassVar[str] = "swing"
    axis: Vec3 | str = (0.0, 0.0, 1.0)
    zero: Vec3 = (0.0, 0.0, 0.0)
    swing: tuple[SwingLimit, ...] = ()
    angle: Angle | None = None
    swing_x: Interval = EVERYTHING
    swing_y: Interval = EVERYTHING
    coordinates: tuple[str, str] = ("swing_x", "swing_y")

    def __post_init__(self) -> None:
        """Check the numbers."""
        _check_ball(self)
        _set(self, "coordinates", _check_coordinates(self.kind, self.coordinates, 2))

    @property
    def box(self) -> tuple[Interval, ...]:
        """Limits of both coordinates."""
        return (self.swing_x, self.swing_y)

    @property
    def twist(self) -> TwistLimit | None:
        """A swing does not twist."""
        return None

    @property
    def node(self) -> int:
        """The kernel's name for the chart."""
        return SWING

    @property
    def limits(self) -> tuple[Limit, ...]:
        """All limits that are not boxes, the stop at 150° included."""
        return chart_limits(self)

    def motion(self, values: Values) -> Transform:
        """The child's frame in the joint's frame."""
        return charted(self, rotation_matrix([values[0], values[1], 0.0]))

    def values(self, motion: Transform) -> Values:
        """The swing of the motion; its twist is lost."""
        return swing_twist(uncharted(self, motion))[:2]

    def chain(self) -> Chain:
        """One swing node in the chart's frame."""
        return chart_chain(self, "swing")


@closed
@dataclass(frozen=True)
class Ball:
    """Turning freely about a point: shoulders and hips.

    `chart="swing_twist"`: coordinates (sx, sy, τ), the child turns by
    `exp([sx, sy, 0]) · Rz(τ)` in the chart's frame (see `Swing`). The one singularity is a swing
    of π; as every swing it stops at 150° where its limits allow more. `zero` puts the chart's
    zero into the middle of the joint's range, so a person's rest posture is not zero.

    `chart="rotation_vector"`: coordinates are the rotation vector, canonical within π. For
    balls without limits or with a limit on the total angle; the default when there are none.

    Thesis 3.4.3 and 3.5; Grassia 1998.
    """

    kind: ClassVar[str] = "ball"
    axis: Vec3 | str = (0.0, 0.0, 1.0)
    zero: Vec3 = (0.0, 0.0, 0.0)
    swing: tuple[SwingLimit, ...] = ()
    twist: TwistLimit | None = None
    angle: Angle | None = None
    swing_x: Interval = EVERYTHING
    swing_y: Interval = EVERYTHING
    chart: Chart | None = None
    coordinates: tuple[str, str, str] | None = None

    def __post_init__(self) -> None:
        """Check the numbers and settle the chart."""
        _check_ball(self)
        limited = bool(self.swing) or self.twist is not None or self.box != (EVERYTHING,) * 3
        if self.chart is None:
            _set(self, "chart", "swing_twist" if limited else "rotation_vector")
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
            _set(self, "coordinates", default)
        _set(self, "coordinates", _check_coordinates(self.kind, self.coordinates, 3))

    @property
    def box(self) -> tuple[Interval, ...]:
        """Limits of the coordinates; a twist's that depend on the swing are not among them."""
        if isinstance(self.twist, Twist) and self.twist.is_constant:
            return (self.swing_x, self.swing_y, self.twist.interval)
        return (self.swing_x, self.swing_y, EVERYTHING)

    @property
    def node(self) -> int:
        """The kernel's name for the chart."""
        return BALL if self.chart == "swing_twist" else ROTATION

    @property
    def limits(self) -> tuple[Limit, ...]:
        """All limits that are not boxes, as a constant twist is; the stop at 150° included."""
        return chart_limits(self)

    def motion(self, values: Values) -> Transform:
        """The child's frame in the joint's frame."""
        if self.chart == "rotation_vector":
            return charted(self, rotation_matrix(values))
        swing = rotation_matrix([values[0], values[1], 0.0])
        return charted(self, swing @ rotation_matrix([0.0, 0.0, values[2]]))

    def values(self, motion: Transform) -> Values:
        """Coordinates of a rotation, canonical."""
        rotation = uncharted(self, motion)
        if self.chart == "rotation_vector":
            return rotation_vector(rotation)
        return swing_twist(rotation)

    def chain(self) -> Chain:
        """One ball or rotation node in the chart's frame."""
        return chart_chain(self, "ball" if self.chart == "swing_twist" else "rotation")


@closed
@dataclass(frozen=True)
class Free:
    """All six freedoms: position in the joint's frame (m), then a rotation vector (rad)."""

    kind: ClassVar[str] = "free"
    coordinates: ClassVar[tuple[str, ...]] = ("x", "y", "z", "rx", "ry", "rz")
    box: ClassVar[tuple[Interval, ...]] = (EVERYTHING,) * 6

    def motion(self, values: Values) -> Transform:
        """The child's frame in the joint's frame."""
        return Transform(rotation_matrix(values[3:]), np.array(values[:3]))

    def values(self, motion: Transform) -> Values:
        """Position and canonical rotation vector."""
        return np.concatenate([motion.position, rotation_vector(motion.rotation)])

    def chain(self) -> Chain:
        """A translation and a rotation."""
        return [IDENTITY, "translation", IDENTITY, "rotation", IDENTITY]


Kind = Fixed | Hinge | Slider | Elbow | Swing | Ball | Free
KINDS: dict[str, type[Kind]] = {
    kind.kind: kind for kind in (Fixed, Hinge, Slider, Elbow, Swing, Ball, Free)
}
"""The kinds by their names in files."""


def _set(kind: Any, attribute: str, value: Any) -> None:
    object.__setattr__(kind, attribute, value)


def _check_ball(kind: Swing | Ball) -> None:
    _set(kind, "axis", direction(kind.axis, f"the axis of a {kind.kind}"))
    _set(kind, "zero", turn_from(kind.zero, f"the zero of a {kind.kind}"))
    for each in ("swing_x", "swing_y"):
        what = f"the limits {each} of a {kind.kind}"
        _set(kind, each, interval(getattr(kind, each), what))
        warn_of_limits(getattr(kind, each), what)
    nearest = np.hypot(*(np.clip(0.0, *ends) for ends in (kind.swing_x, kind.swing_y)))
    if nearest > LARGEST_SWING:
        raise PoiseError(
            f"the limits swing_x and swing_y of a {kind.kind} must reach within 150°, where every "
            f"swing stops, but they begin at {np.rad2deg(nearest):.4g}°"
        )
    swing = kind.swing if isinstance(kind.swing, (tuple, list)) else (kind.swing,)
    _set(kind, "swing", tuple(swing))
    for limit in kind.swing:
        _check_limit(limit, SwingLimit, f"a swing limit of a {kind.kind}")
    if kind.twist is not None:
        _check_limit(kind.twist, TwistLimit, f"the twist limit of a {kind.kind}")
    if kind.angle is not None:
        _check_limit(kind.angle, Angle, f"the angle limit of a {kind.kind}")


def _check_limit(limit: Any, wanted: Any, what: str) -> None:
    if not isinstance(limit, wanted):
        names = " or ".join(each.__name__ for each in get_args(wanted) or (wanted,))
        raise PoiseError(f"{what} must be of the type {names}, not {limit!r}")


def _check_coordinates(kind: str, given: Any, count: int) -> tuple[str, ...]:
    names = tuple(given) if isinstance(given, (tuple, list)) else ()
    for each in names:
        name(each, f"coordinate of the kind {kind}")
    if not len(names) == len(set(names)) == count:
        raise PoiseError(f"the kind {kind} needs {count} different coordinate names, not {given!r}")
    return names
