"""How long segments are, and the figure with one of them stretched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from poise.checking import Vec3, length, vector
from poise.errors import PoiseError
from poise.figure import Figure
from poise.figure.parts import Segment
from poise.figure.shapes import Box, Ellipsoid, Hull, Shape, Sphere
from poise.figure.transform import rotation_matrix
from poise.studio.figures.parts import Parts, checked_segment

Values = NDArray[np.float64]


def with_length(figure: Figure, segment: str, metres: float) -> Figure:
    """Stretch a segment: its shapes, sites and the joints on it move along.

    Its length is that from its origin to the farthest joint on it, or site, or end of a shape;
    what lies across that direction stays as it is, and so does the mass.
    """
    checked_segment(figure, segment)
    metres = length(metres, f"the length of {segment!r}")
    tip = tip_of(figure, segment)
    now = float(np.linalg.norm(tip))
    if now < 1e-6:
        raise PoiseError(f"{segment!r} has no length: nothing on it is away from its origin")
    stretch = _Stretch(tip / now, metres / now)
    parts = Parts.of(figure)
    return replace(
        parts,
        segments=tuple(
            stretch.segment(each) if each.name == segment else each for each in parts.segments
        ),
        joints=tuple(
            replace(each, position=stretch.point(each.position)) if each.parent == segment else each
            for each in parts.joints
        ),
        sites=tuple(
            replace(each, position=stretch.point(each.position))
            if each.segment == segment
            else each
            for each in parts.sites
        ),
    ).built(figure)


def length_of(figure: Figure, segment: str) -> float:
    """The length of a segment (m): from its origin to its tip."""
    return float(np.linalg.norm(tip_of(figure, segment)))


def tip_of(figure: Figure, segment: str) -> Values:
    """The end of a segment, in its frame: the farthest joint on it, or site, or end of a shape."""
    ends = [np.array(each.position) for each in figure.joints.values() if each.parent == segment]
    if not any(np.linalg.norm(end) > 1e-6 for end in ends):
        ends = [
            np.array(each.position) for each in figure.sites.values() if each.segment == segment
        ]
    if not any(np.linalg.norm(end) > 1e-6 for end in ends):
        ends = [end for shape in figure.segments[segment].shapes for end in _ends(shape)]
    return max(ends, key=lambda end: float(np.linalg.norm(end)), default=np.zeros(3))


def _ends(shape: Shape) -> list[Values]:
    if isinstance(shape, (Sphere, Ellipsoid, Box)):
        return [2.0 * np.array(shape.center)]  # as far beyond the centre as it is from the origin
    if isinstance(shape, Hull):
        return [np.array(point) for point in shape.points]
    return [np.array(shape.start), np.array(shape.end)]


@dataclass(frozen=True, eq=False)
class _Stretch:
    """Space drawn out along one direction from the origin."""

    along: Values
    factor: float

    def point(self, point: Sequence[float]) -> Vec3:
        at = np.array(point, np.float64)
        return vector(at + (self.factor - 1.0) * float(at @ self.along) * self.along, "a point")

    def segment(self, segment: Segment) -> Segment:
        center = None if segment.center is None else self.point(segment.center)
        shapes = tuple(self._shape(each) for each in segment.shapes)
        mass, _, _ = segment.mass_properties()
        # An inertia that was given belongs to the old length; that of the shapes is even.
        inertia = None if shapes else segment.inertia
        return replace(
            segment, mass=mass, density=None, center=center, inertia=inertia, shapes=shapes
        )

    def _shape(self, shape: Shape) -> Shape:
        if isinstance(shape, Sphere):
            return replace(shape, center=self.point(shape.center))
        if isinstance(shape, Ellipsoid):
            radii = self._sizes(shape.radii, shape.rotation)
            return replace(shape, center=self.point(shape.center), radii=radii)
        if isinstance(shape, Box):
            size = self._sizes(shape.size, shape.rotation)
            return replace(shape, center=self.point(shape.center), size=size)
        if isinstance(shape, Hull):
            return replace(shape, points=tuple(self.point(each) for each in shape.points))
        return replace(shape, start=self.point(shape.start), end=self.point(shape.end))

    def _sizes(self, sizes: Vec3, rotation: Vec3) -> Vec3:
        """Extents along a shape's own axes, each as much longer as it lies in the direction."""
        axes = rotation_matrix(rotation)
        share = (self.along @ axes) ** 2
        return vector(np.array(sizes) * (1.0 + (self.factor - 1.0) * share), "sizes")
