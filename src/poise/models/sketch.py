"""Drawing a figure where it stands: every point given once, in the world, in one posture.

The ready figures are written so: a segment's frame is aligned with the world in the posture in
which it is drawn, with its origin in the joint that carries it, and all of its shapes and sites
are said in world coordinates. The sketch turns them into the segments' own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poise.checking import AXES, Vec3, vector
from poise.figure import (
    Ball,
    Box,
    Builder,
    Ellipsoid,
    Figure,
    Hinge,
    Hull,
    Sphere,
    SphericalEllipse,
    Swing,
    TaperedCapsule,
    Twist,
)
from poise.figure.kinds import Interval, JointKind
from poise.figure.shapes import Shape
from poise.figure.transform import rotation_vector

SIDES: tuple[tuple[str, float], ...] = (("left", 1.0), ("right", -1.0))
"""The sides of a body, with the sign of their y."""

DOWN: Vec3 = (float(np.pi), 0.0, 0.0)
"""The rotation of a sole's frame: z points out of the body, into the floor, x forward."""


class Sketch:
    """Collects the parts of a figure, given in world coordinates, and builds it.

    All lengths are multiplied by `scale`, and masses by `mass_scale`, its cube if not given, so
    that an animal drawn once comes in every size.
    """

    def __init__(
        self,
        name: str,
        description: str,
        *,
        scale: float = 1.0,
        mass_scale: float | None = None,
    ) -> None:
        """Start with an empty sheet."""
        self.builder = Builder(name, description)
        self.scale = scale
        self.mass_scale = scale**3 if mass_scale is None else mass_scale
        self._origins: dict[str, np.ndarray] = {}
        self._root: tuple[str, str] | None = None
        self._rest: dict[str, dict[str, float]] = {}

    def segment(
        self,
        name: str,
        origin: ArrayLike,
        shapes: Iterable[Shape] = (),
        *,
        mass: float | None = None,
        density: float | None = None,
        color: str | None = None,
    ) -> None:
        """Add a segment whose frame is at `origin`, with a mass (kg) or a density (kg/m³).

        Its centre of mass and inertia are those of its shapes.
        """
        at = np.array(vector(origin, f"the origin of {name!r}"))
        self._origins[name] = at
        local = [_moved(shape, at, self.scale) for shape in shapes]
        weight = None if mass is None else mass * self.mass_scale
        self.builder.segment(name, mass=weight, density=density, shapes=local, color=color)

    def bone(
        self,
        name: str,
        origin: ArrayLike,
        shapes: Iterable[Shape],
        *,
        joint: tuple[str, JointKind, str],
        mass: float | None = None,
        density: float | None = None,
        color: str | None = None,
        clinical: Mapping[str, str] | None = None,
    ) -> None:
        """Add a segment and the joint in its origin that carries it: (name, kind, parent)."""
        self.segment(name, origin, shapes, mass=mass, density=density, color=color)
        title, kind, parent = joint
        position = self.scale * (self._origins[name] - self._origins[parent])
        self.builder.joint(title, kind, parent, name, position, clinical=clinical)
        self._rest[title] = dict.fromkeys(clinical or (), 0.0)

    def root(self, segment: str, kind: str = "free") -> None:
        """Hold a segment to the ground where it is drawn: "free" or "fixed"."""
        at = self.scale * self._origins[segment]
        self.builder.root(segment, kind, at if kind == "fixed" else (0.0, 0.0, 0.0))
        self._root = (segment, kind)

    def site(
        self,
        name: str,
        segment: str,
        position: ArrayLike,
        *,
        rotation: ArrayLike = (0.0, 0.0, 0.0),
        outline: Iterable[tuple[float, float]] = (),
    ) -> None:
        """Name a frame on a segment; the outline is in the site's own x-y plane."""
        at = self.scale * (np.asarray(position, dtype=np.float64) - self._origins[segment])
        edge = [(self.scale * x, self.scale * y) for x, y in outline]
        self.builder.site(name, segment, at, rotation=rotation, outline=edge)

    def group(
        self, name: str, parameters: Mapping[str, Interval], members: Mapping[str, Any]
    ) -> None:
        """Drive joints together; see `Group`. The parameters rest at zero."""
        self.builder.group(name, parameters, members)
        for member in members:
            self._rest.pop(member.split(".")[0], None)
        self._rest[name] = dict.fromkeys(parameters, 0.0)

    def limb(self, name: str, joints: Iterable[str]) -> None:
        """Name a limb; see `Builder.limb`."""
        self.builder.limb(name, joints)

    def rest(self, joint: str, **degrees: float) -> None:
        """Say how a joint rests, in degrees, where that is not how it is drawn."""
        self._rest[joint].update((angle, np.deg2rad(value)) for angle, value in degrees.items())

    def build(self) -> Figure:
        """Put the parts together."""
        place: dict[str, float] = {}
        if self._root and self._root[1] == "free":
            at = self.scale * self._origins[self._root[0]]
            place = dict(zip("xyz", at.tolist(), strict=True))
        self.builder.posture("rest", self._rest, **place)
        return self.builder.build()


# Joints with limits in degrees ------------------------------------------------------------


def interval(low: float, high: float) -> Interval:
    """Two limits in degrees, as radians."""
    return (float(np.deg2rad(low)), float(np.deg2rad(high)))


def hinge(axis: str, low: float, high: float, coordinate: str = "flexion") -> Hinge:
    """A hinge with limits in degrees."""
    return Hinge(AXES[axis], interval(low, high), coordinate)


def boxed_ball(
    axis: str, x: Interval, y: Interval, twist: Interval, *, zero: Vec3 = (0.0, 0.0, 0.0)
) -> Ball:
    """A ball with an interval for each coordinate, all in degrees, its zero too."""
    return Ball(
        AXES[axis],
        vector(np.deg2rad(zero), "the zero of a ball"),
        twist=Twist(*interval(*twist)),
        swing_x=interval(*x),
        swing_y=interval(*y),
    )


def round_ball(axis: str, x: Interval, y: Interval, twist: Interval) -> Ball:
    """A ball whose swing stays in the ellipse that touches two intervals, in degrees."""
    return Ball(AXES[axis], swing=(_ellipse(x, y),), twist=Twist(*interval(*twist)))


def boxed_swing(axis: str, x: Interval, y: Interval) -> Swing:
    """A swing with an interval for each coordinate, in degrees."""
    return Swing(AXES[axis], swing_x=interval(*x), swing_y=interval(*y))


def round_swing(axis: str, x: Interval, y: Interval) -> Swing:
    """A swing that stays in the ellipse that touches two intervals, in degrees."""
    return Swing(AXES[axis], swing=(_ellipse(x, y),))


def limb_ranges(
    side: float, flexion: Interval, abduction: Interval, rotation: Interval
) -> tuple[Interval, Interval, Interval]:
    """Ranges of sx, sy and twist from those of a limb that hangs along −z.

    In the chart of that axis sx is abduction (to the left), sy flexion (forward) and the twist
    rotation (inward, of a left limb); on the right, where `side` is −1, the first and the last
    change their signs.
    """
    return _signed(side, abduction), flexion, _signed(side, rotation)


def limb_angles(side: float) -> dict[str, str]:
    """Clinical angles of a limb that hangs along −z; rotation is inward."""
    if side > 0:
        return {"flexion": "-y", "abduction": "x", "rotation": "-z"}
    return {"flexion": "-y", "abduction": "-x", "rotation": "z"}


def _signed(side: float, ends: Interval) -> Interval:
    low, high = ends
    return (low, high) if side > 0 else (-high, -low)


def _ellipse(x: Interval, y: Interval) -> SphericalEllipse:
    (x0, x1), (y0, y1) = interval(*x), interval(*y)
    return SphericalEllipse(0.5 * (x1 - x0), 0.5 * (y1 - y0), (0.5 * (x0 + x1), 0.5 * (y0 + y1)))


# Shapes ---------------------------------------------------------------------------------


def limb(
    start: ArrayLike, end: ArrayLike, start_radius: float, end_radius: float
) -> TaperedCapsule:
    """A tapered capsule from point to point."""
    return TaperedCapsule(vector(start, "start"), vector(end, "end"), start_radius, end_radius)


def leaf(start: ArrayLike, end: ArrayLike, width: float, thickness: float) -> Ellipsoid:
    """A flat ellipsoid from point to point, thin across y, as an ear or a wing at rest.

    The points must not lie beside each other along y.
    """
    a, b = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    long = float(np.linalg.norm(b - a))
    along = (b - a) / long
    up = np.cross(along, (0.0, 1.0, 0.0))
    up /= np.linalg.norm(up)
    turn = rotation_vector(np.stack([along, np.cross(up, along), up], axis=-1))
    radii = (0.5 * long, 0.5 * thickness, 0.5 * width)
    return Ellipsoid(vector(0.5 * (a + b), "center"), radii, vector(turn, "rotation"))


def rectangle(back: float, front: float, half_width: float) -> list[tuple[float, float]]:
    """The outline of a sole, counter-clockwise, from x = `back` to x = `front`."""
    w = half_width
    return [(back, -w), (front, -w), (front, w), (back, w)]


def _moved(shape: Shape, origin: np.ndarray, scale: float) -> Shape:
    """A shape drawn in the world, in a frame at an origin, with all lengths scaled."""

    def local(point: Vec3) -> Vec3:
        x, y, z = (scale * (np.array(point) - origin)).tolist()
        return (x, y, z)

    def longer(lengths: Vec3) -> Vec3:
        x, y, z = (scale * np.array(lengths)).tolist()
        return (x, y, z)

    if isinstance(shape, Sphere):
        return replace(shape, center=local(shape.center), radius=scale * shape.radius)
    if isinstance(shape, Ellipsoid):
        return replace(shape, center=local(shape.center), radii=longer(shape.radii))
    if isinstance(shape, Box):
        return replace(shape, center=local(shape.center), size=longer(shape.size))
    if isinstance(shape, Hull):
        points = tuple(local(point) for point in shape.points)
        return replace(shape, points=points, radius=scale * shape.radius)
    if isinstance(shape, TaperedCapsule):
        return replace(
            shape,
            start=local(shape.start),
            end=local(shape.end),
            start_radius=scale * shape.start_radius,
            end_radius=scale * shape.end_radius,
        )
    return replace(
        shape, start=local(shape.start), end=local(shape.end), radius=scale * shape.radius
    )
