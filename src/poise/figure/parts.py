"""What a figure is made of: segments, joints and sites; `laws` has what binds coordinates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from poise.checking import (
    AXES,
    FARTHEST,
    Vec3,
    array,
    mapping,
    name,
    number,
    place,
)
from poise.closed import closed
from poise.errors import PoiseError, unknown_name
from poise.figure.frames import turn_from
from poise.figure.kinds import KINDS, Fixed, JointKind
from poise.figure.kinds.steps import NODES
from poise.figure.laws import Coupling, Group, Monomial, Terms
from poise.figure.limit_checks import check_nonempty
from poise.figure.polygons import check_polygon, planar_area
from poise.figure.shapes import SHAPES, Shape, combined
from poise.figure.skin import Visual
from poise.figure.transform import Transform, rotation_matrix

WORLD = "world"
"""The parent's name of a joint that holds a figure to the ground."""

Matrix3 = tuple[Vec3, Vec3, Vec3]

HEAVIEST = 1e12
"""The greatest mass (kg), density (kg/m³) and moment of inertia (kg·m²) that are taken."""

__all__ = [
    "HEAVIEST",
    "WORLD",
    "Coupling",
    "Group",
    "Joint",
    "Matrix3",
    "Monomial",
    "Segment",
    "Site",
    "Terms",
]


@closed
@dataclass(frozen=True)
class Segment:
    """A rigid part, with its mass (kg), centre of mass (m) and inertia about it (kg·m²).

    What is not given is computed from the shapes: the mass from their volume and the
    density (kg/m³), centre and inertia as those of a body of even density. A single shape may
    stand alone. A segment without shapes has the centre of mass in its origin, and no inertia
    unless given. The color ("#3f74ad") is for pictures. The original name is what the file calls it
    from which it was read, where that was given another name here. Visuals are drawn in place of
    the shapes; files of figures have none.
    """

    name: str
    mass: float | None = None
    center: Vec3 | None = None
    inertia: Matrix3 | None = None
    shapes: tuple[Shape, ...] = ()
    density: float | None = None
    color: str | None = None
    original_name: str | None = field(default=None, compare=False)
    visuals: tuple[Visual, ...] = ()

    def __post_init__(self) -> None:
        """Check the numbers."""
        where = f"of segment {name(self.name, 'segment')!r}"
        if self.color is not None and not re.fullmatch("#[0-9a-fA-F]{6}", str(self.color)):
            raise PoiseError(f"the color {where} must be like '#3f74ad', not {self.color!r}")
        shapes = self.shapes if isinstance(self.shapes, (tuple, list)) else (self.shapes,)
        _set(self, "shapes", tuple(shapes))
        for shape in self.shapes:
            if not isinstance(shape, Shape):
                raise PoiseError(f"a shape {where} must be a {_one_of(SHAPES)}, not {shape!r}")
        if self.mass is not None:
            mass = number(self.mass, f"the mass (kg) {where}", least=0, most=HEAVIEST)
            _set(self, "mass", mass)
        if self.density is not None:
            what = f"the density (kg/m³) {where}"
            _set(self, "density", number(self.density, what, above=0, most=HEAVIEST))
            if not self.shapes:
                raise PoiseError(f"the density {where} means nothing without shapes")
            if self.mass is not None:
                raise PoiseError(f"give the mass {where} or its density, not both")
        if self.center is not None:
            _set(self, "center", place(self.center, f"the centre of mass {where}"))
        if self.inertia is not None:
            _set(self, "inertia", _inertia(self.inertia, where))

    def __repr__(self) -> str:
        """The name, the mass and how many shapes it has, which may be long."""
        shapes = f"{len(self.shapes)} shape{'' if len(self.shapes) == 1 else 's'}"
        return f"<Segment {self.name!r}: {self.mass_properties()[0]:.4g} kg, {shapes}>"

    def mass_properties(self) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
        """Mass, centre of mass, inertia about it, in the segment's axes."""
        body = combined([shape.solid() for shape in self.shapes]) if self.shapes else None
        mass = self.mass
        if mass is None:
            mass = body.volume * self.density if body and self.density else 0.0
        center = np.zeros(3)
        inertia = np.zeros((3, 3))
        if body:
            center, inertia = body.center, body.inertia * (mass / body.volume)
        if self.center is not None:
            center = np.array(self.center)
        if self.inertia is not None:
            inertia = np.array(self.inertia)
        return mass, center, inertia


@closed
@dataclass(frozen=True)
class Joint:
    """What joins a child segment to its parent.

    `position` and `rotation` place the joint's frame in the parent segment. `child_position`
    and `child_rotation` place the child's frame in the frame that moves; mostly they are the
    same and these stay zero. Rotations are kept as rotation vectors (rad); a matrix (3, 3) or
    a unit quaternion (w x y z) is taken as well.

    `clinical` names angles as clinicians do: for a ball or a swing, a name for each signed
    axis of the joint's frame, such as `{"flexion": "-y", "abduction": "x", "rotation":
    "-z"}`. Flexion and abduction are then the components of the one direct rotation that
    takes the segment's long axis from the anatomical position to where it is, rotation
    is the twist about the segment after it. Other kinds name their coordinates.

    The original name is as that of a segment.
    """

    name: str
    kind: JointKind
    parent: str
    child: str
    position: Vec3 = (0.0, 0.0, 0.0)
    rotation: Vec3 = (0.0, 0.0, 0.0)
    child_position: Vec3 = (0.0, 0.0, 0.0)
    child_rotation: Vec3 = (0.0, 0.0, 0.0)
    clinical: Mapping[str, str] = field(default_factory=dict[str, str])
    original_name: str | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        """Check the numbers."""
        where = f"joint {name(self.name, 'joint')!r}"
        if not isinstance(self.kind, JointKind):
            raise PoiseError(f"the kind of {where} must be a {_one_of(KINDS)}, not {self.kind!r}")
        for each in ("parent", "child"):
            _check_segment(getattr(self, each), f"the {each} of {where}")
        _set(self, "position", place(self.position, f"the position of {where}"))
        _set(self, "rotation", turn_from(self.rotation, f"the rotation of {where}"))
        _set(self, "child_position", place(self.child_position, f"the child position of {where}"))
        _set(
            self, "child_rotation", turn_from(self.child_rotation, f"the child rotation of {where}")
        )
        for step in self.kind.steps:
            if step.is_chart:
                low, high = np.array(step.intervals).T
                check_nonempty(where, NODES[step.node], low, high, step.limits)
        what = f"clinical angles of {where}"
        _set(self, "clinical", dict(mapping(self.clinical, what, "signed axes by name")))
        if self.clinical and not self.kind.is_spherical:
            raise PoiseError(f"{what}: a {self.kind.kind} names its coordinates instead")
        for angle, axis in self.clinical.items():
            name(angle, f"clinical angle of {where}")
            if not isinstance(axis, str) or axis not in AXES:
                raise unknown_name("axis", axis, AXES, f"the clinical angle {angle!r} of {where}")
        axes = [axis[-1] for axis in self.clinical.values()]
        if len(set(axes)) < len(axes):
            raise PoiseError(f"{what} use one axis twice: {self.clinical}")

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Full names of the coordinates, such as "left_knee.flexion"."""
        return tuple(f"{self.name}.{each}" for each in self.kind.coordinates)

    @property
    def before(self) -> Transform:
        """The joint's frame in the parent segment."""
        return Transform.make(self.position, self.rotation)

    @property
    def after(self) -> Transform:
        """The child's frame in the frame that moves."""
        return Transform.make(self.child_position, self.child_rotation)


@closed
@dataclass(frozen=True)
class Site:
    """A named frame on a segment; an outline (m, counter-clockwise in its x-y plane) supports.

    The rotation is kept as a rotation vector (rad); a matrix (3, 3) or a unit quaternion (w x y z)
    is taken as well. The outline must not cross or touch itself.
    The z axis of a sole or a palm points out of the body, into what it stands on or touches.
    The original name is as that of a segment.
    """

    name: str
    segment: str
    position: Vec3 = (0.0, 0.0, 0.0)
    rotation: Vec3 = (0.0, 0.0, 0.0)
    outline: tuple[tuple[float, float], ...] = ()
    original_name: str | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        """Check the numbers."""
        where = f"of site {name(self.name, 'site')!r}"
        _check_segment(self.segment, f"the segment {where}")
        _set(self, "position", place(self.position, f"the position {where}"))
        _set(self, "rotation", turn_from(self.rotation, f"the rotation {where}"))
        _set(self, "outline", _outline(self.outline, f"the outline {where}"))

    @property
    def place(self) -> Transform:
        """The site's frame in its segment."""
        return Transform(rotation_matrix(self.rotation), np.array(self.position))


_Part = TypeVar("_Part", Segment, Joint, Site, Coupling, Group)


def grounded(child: str, position: Vec3 = (0, 0, 0), rotation: Vec3 = (0, 0, 0)) -> Joint:
    """The joint of a root that stands still."""
    return Joint("root", Fixed(), WORLD, child, position, rotation)


def joined_name(value: str, what: str) -> str:
    """A name, or two with one "/" between, as parts of props and of several figures have."""
    pieces = value.split("/")
    if len(pieces) > 2:
        raise PoiseError(f"the name {value!r} of a {what} may have one '/' only, between two names")
    for each in pieces:
        name(each, what)
    return value


def renamed(part: _Part, name: str, **changes: object) -> _Part:
    """A copy with another name, unchecked: users' names have no "/", that of a copy may."""
    other = copy(part)
    for attribute, value in {"name": name, **changes}.items():
        _set(other, attribute, value)
    return other


def _set(part: Any, attribute: str, value: Any) -> None:
    object.__setattr__(part, attribute, value)


def _check_segment(value: Any, what: str) -> None:
    if not isinstance(value, str):
        raise PoiseError(f"{what} must be the name of a segment, not {value!r}")


def _outline(value: Any, what: str) -> tuple[tuple[float, float], ...]:
    if isinstance(value, (tuple, list)) and not value:
        return ()
    points = array(value, what, (-1, 2), most=FARTHEST, unit="m")
    if len(points) < 3:
        raise PoiseError(f"{what} needs at least 3 points, not {len(points)}")
    check_polygon(points, what)
    if planar_area(points) < 0:
        raise PoiseError(f"{what} must go counter-clockwise: reverse the order of its points")
    return tuple((float(x), float(y)) for x, y in points)


def _one_of(kinds: Mapping[str, type]) -> str:
    *most, last = (each.__name__ for each in kinds.values())
    return f"{', '.join(most)} or {last}"


def _inertia(value: Any, where: str) -> Matrix3:
    tensor = array(value, f"the inertia {where}", (3, 3), most=HEAVIEST, unit="kg·m²")
    if not np.allclose(tensor, tensor.T, rtol=1e-9, atol=1e-12):
        raise PoiseError(f"the inertia {where} must be symmetric")
    principal = np.linalg.eigvalsh(tensor)
    slack = 1e-9 * max(1e-12, float(principal[-1]))
    if principal[0] < -slack or principal[2] > principal[0] + principal[1] + slack:
        moments = ", ".join(f"{m:g}" for m in principal)
        raise PoiseError(
            f"the inertia {where} belongs to no body: its principal moments {moments} kg·m² must "
            "be positive and none greater than the sum of the others"
        )
    a, b, c = tensor.tolist()
    return (tuple(a), tuple(b), tuple(c))
