"""Solid shapes on segments: what is drawn, what collides, and what masses are made from.

All lengths are metres, in the frame of the segment that carries the shape. They are from a
thousandth of a millimetre to a thousand kilometres, so that no volume or inertia vanishes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from poise.checking import SHORTEST, Vec3, length, number, place, vector
from poise.closed import closed
from poise.errors import PoiseError
from poise.figure.frames import turn_from
from poise.figure.hulls import moments
from poise.figure.transform import rotation_matrix, rotation_to, rotation_vector

# Exact for polynomials up to degree 9; squared radii of all our profiles times z² have degree 4.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(5)

FLATTEST = 1e-9
"""Least thickness of a hull as a share of its length: points of less are in a plane."""

Piece = tuple[float, float, float, float, float]
"""A piece of a solid of revolution: from z, to z, and squared radius c0 + c1 z + c2 z²."""


@closed
@dataclass(frozen=True)
class Solid:
    """Volume (m³), centroid (m) and inertia about it per unit density (m⁵), in segment axes."""

    volume: float
    center: NDArray[np.float64]
    inertia: NDArray[np.float64]


@closed
@dataclass(frozen=True)
class Sphere:
    """A ball."""

    kind: ClassVar[str] = "sphere"
    center: Vec3
    radius: float

    def __post_init__(self) -> None:
        """Check the numbers."""
        object.__setattr__(self, "center", place(self.center, "the centre of a sphere"))
        object.__setattr__(self, "radius", length(self.radius, "the radius of a sphere"))

    def solid(self) -> Solid:
        """Volume, centroid and inertia."""
        volume = 4 / 3 * np.pi * self.radius**3
        return Solid(volume, np.array(self.center), np.eye(3) * 0.4 * volume * self.radius**2)


@dataclass(frozen=True)
class _Rod:
    """A line from `start` to `end` and one radius."""

    kind: ClassVar[str]
    start: Vec3
    end: Vec3
    radius: float

    def __post_init__(self) -> None:
        """Check the numbers."""
        _check_ends(self)
        object.__setattr__(self, "radius", length(self.radius, f"the radius of a {self.kind}"))


@closed
@dataclass(frozen=True)
class Capsule(_Rod):
    """All that lies within a radius of the line from `start` to `end`."""

    kind: ClassVar[str] = "capsule"

    def solid(self) -> Solid:
        """Volume, centroid and inertia."""
        r, span = self.radius, _span(self)
        return _revolved(
            self.start,
            self.end,
            [
                (-r, 0.0, r * r, 0.0, -1.0),
                (0.0, span, r * r, 0.0, 0.0),
                (span, span + r, r * r - span * span, 2 * span, -1.0),
            ],
        )


@closed
@dataclass(frozen=True)
class TaperedCapsule:
    """The hull of two balls: one of `start_radius` at `start`, one of `end_radius` at `end`."""

    kind: ClassVar[str] = "tapered capsule"
    start: Vec3
    end: Vec3
    start_radius: float
    end_radius: float

    def __post_init__(self) -> None:
        """Check the numbers."""
        _check_ends(self)
        for each in ("start_radius", "end_radius"):
            what = f"the {each.replace('_', ' ')} of a tapered capsule"
            object.__setattr__(self, each, length(getattr(self, each), what))
        if abs(self.start_radius - self.end_radius) >= _span(self):
            raise PoiseError(
                f"a tapered capsule of length {_span(self):g} m with radii {self.start_radius:g} "
                f"and {self.end_radius:g} m is only a ball: the length must exceed the difference"
            )

    def solid(self) -> Solid:
        """Volume, centroid and inertia: two caps and the cone that touches both balls."""
        r, s, span = self.start_radius, self.end_radius, _span(self)
        slope = (r - s) / span  # sine of the cone's half-angle
        low, high = r * slope, span + s * slope
        # The cone's radius falls linearly between the circles of contact.
        edge = r * np.sqrt(1 - slope * slope)
        fall = slope / np.sqrt(1 - slope * slope)
        c = edge + fall * low
        return _revolved(
            self.start,
            self.end,
            [
                (-r, low, r * r, 0.0, -1.0),
                (low, high, c * c, -2 * c * fall, fall * fall),
                (high, span + s, s * s - span * span, 2 * span, -1.0),
            ],
        )


@closed
@dataclass(frozen=True)
class Cylinder(_Rod):
    """A cylinder with flat ends at `start` and `end`."""

    kind: ClassVar[str] = "cylinder"

    def solid(self) -> Solid:
        """Volume, centroid and inertia."""
        return _revolved(self.start, self.end, [(0.0, _span(self), self.radius**2, 0.0, 0.0)])


@closed
@dataclass(frozen=True)
class Ellipsoid:
    """An ellipsoid with semi-axes `radii`, turned by a rotation vector (radians)."""

    kind: ClassVar[str] = "ellipsoid"
    center: Vec3
    radii: Vec3
    rotation: Vec3 = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        """Check the numbers."""
        _check_block(self, "radii")

    def solid(self) -> Solid:
        """Volume, centroid and inertia."""
        squares = np.square(self.radii)
        volume = 4 / 3 * np.pi * float(np.prod(self.radii))
        return _block(self.center, self.rotation, volume, squares * volume / 5)


@closed
@dataclass(frozen=True)
class Box:
    """A box with edges `size`, turned by a rotation vector (radians)."""

    kind: ClassVar[str] = "box"
    center: Vec3
    size: Vec3
    rotation: Vec3 = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        """Check the numbers."""
        _check_block(self, "size")

    def solid(self) -> Solid:
        """Volume, centroid and inertia."""
        volume = float(np.prod(self.size))
        return _block(self.center, self.rotation, volume, np.square(self.size) * volume / 12)


@closed
@dataclass(frozen=True)
class Hull:
    """The convex hull of `points`, at least four that are not in a plane, rounded by a `radius`."""

    kind: ClassVar[str] = "hull"
    points: tuple[Vec3, ...]
    radius: float = 0.0

    def __post_init__(self) -> None:
        """Check the numbers."""
        given = self.points
        if isinstance(given, str) or not hasattr(given, "__iter__"):
            raise PoiseError(f"the points of a hull must be a list of points, not {given!r}")
        points = tuple(place(each, f"point {i} of a hull") for i, each in enumerate(given))
        object.__setattr__(self, "points", points)
        what = "the radius of a hull"
        radius = number(self.radius, what, least=0.0)
        object.__setattr__(self, "radius", length(radius, what) if radius else 0.0)
        spread = np.array(points) - points[0] if points else np.zeros((0, 3))
        widths = np.linalg.svd(spread, compute_uv=False) if len(points) >= 4 else np.zeros(3)
        if widths[2] <= max(SHORTEST, FLATTEST * widths[0]):
            raise PoiseError(
                f"a hull needs at least four points that are not in a plane, not {len(points)}"
                f"{' in a plane' if len(points) >= 4 else ''}"
            )

    def solid(self) -> Solid:
        """Volume, centroid and inertia."""
        volume, first, second = moments(np.array(self.points), self.radius)
        center = first / volume
        spread = second - volume * np.outer(center, center)
        return Solid(volume, center, np.eye(3) * np.trace(spread) - spread)

    def box(self) -> Box:
        """A box of the same volume and centroid, with axes and proportions of its inertia."""
        solid = self.solid()
        spread = 0.5 * np.trace(solid.inertia) * np.eye(3) - solid.inertia
        squares, axes = np.linalg.eigh(spread)
        if np.linalg.det(axes) < 0:
            axes[:, 0] *= -1
        size = np.sqrt(np.maximum(squares, 1e-12 * squares[2]))
        size *= (solid.volume / float(np.prod(size))) ** (1 / 3)
        turn = vector(rotation_vector(axes), "a rotation")
        return Box(vector(solid.center, "a centre"), vector(size, "a size"), turn)


Shape = Sphere | Capsule | TaperedCapsule | Cylinder | Ellipsoid | Box | Hull
SHAPES: dict[str, type[Shape]] = {
    shape.kind: shape for shape in (Sphere, Capsule, TaperedCapsule, Cylinder, Ellipsoid, Box, Hull)
}
"""The shapes by their names in files."""


def combined(solids: list[Solid]) -> Solid:
    """Several solids of one density as one. Overlaps count twice."""
    volume = sum(solid.volume for solid in solids)
    center = sum((solid.volume * solid.center for solid in solids), np.zeros(3)) / volume
    inertia = np.zeros((3, 3))
    for solid in solids:
        inertia += solid.inertia + solid.volume * shifted(solid.center - center)
    return Solid(volume, center, inertia)


def shifted(offset: NDArray[np.float64]) -> NDArray[np.float64]:
    """Inertia of a unit mass at an offset: |d|² − d dᵀ (Steiner's term)."""
    return np.eye(3) * float(offset @ offset) - np.outer(offset, offset)


def _check_ends(shape: _Rod | TaperedCapsule) -> None:
    for each in ("start", "end"):
        value = place(getattr(shape, each), f"the {each} of a {shape.kind}")
        object.__setattr__(shape, each, value)
    if shape.start == shape.end:
        raise PoiseError(f"a {shape.kind} must have two different ends, not {shape.start} twice")
    if _span(shape) < SHORTEST:
        raise PoiseError(
            f"the ends of a {shape.kind} must be at least {SHORTEST:g} metres apart, "
            f"not {shape.start} and {shape.end}"
        )


def _check_block(shape: Ellipsoid | Box, size: str) -> None:
    owner = "an ellipsoid" if isinstance(shape, Ellipsoid) else "a box"
    object.__setattr__(shape, "center", place(shape.center, f"the centre of {owner}"))
    object.__setattr__(shape, "rotation", turn_from(shape.rotation, f"the rotation of {owner}"))
    extents = vector(getattr(shape, size), f"the {size} of {owner}")
    for extent in extents:
        length(extent, f"the {size} of {owner}")
    object.__setattr__(shape, size, extents)


def _span(shape: _Rod | TaperedCapsule) -> float:
    return float(np.linalg.norm(np.subtract(shape.end, shape.start)))


def _block(center: Vec3, rotation: Vec3, volume: float, second: NDArray[np.float64]) -> Solid:
    """A solid from its second moments ∫x², ∫y², ∫z² along its own axes."""
    axes = rotation_matrix(rotation)
    inertia = np.diag(second.sum() - second)
    return Solid(volume, np.array(center), axes @ inertia @ axes.T)


def _revolved(start: Vec3, end: Vec3, pieces: list[Piece]) -> Solid:
    """A solid of revolution about the line from start to end, by exact quadrature."""
    volume = first = second = quartic = 0.0
    for low, high, c0, c1, c2 in pieces:
        z = 0.5 * (high + low) + 0.5 * (high - low) * _NODES
        weight = 0.5 * (high - low) * np.pi * _WEIGHTS
        square = c0 + c1 * z + c2 * z * z
        volume += float(weight @ square)
        first += float(weight @ (square * z))
        second += float(weight @ (square * z * z))
        quartic += float(weight @ (square * square))
    along = first / volume
    across = 0.25 * quartic + second - volume * along * along
    direction = np.subtract(end, start) / np.linalg.norm(np.subtract(end, start))
    axes = rotation_to(direction)
    inertia = axes @ np.diag([across, across, 0.5 * quartic]) @ axes.T
    return Solid(volume, np.array(start) + along * direction, inertia)
