"""Shapes as the kernel's distances take them: a frame at the centre, sizes, packed hulls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.checking import Vec3, direction, place
from poise.closed import closed
from poise.errors import PoiseError
from poise.figure.hulls import edges
from poise.figure.shapes import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    Hull,
    Shape,
    Sphere,
    TaperedCapsule,
)
from poise.figure.transform import IDENTITY, Transform, rotation_matrix, rotation_to
from poise.kernel.contacts import shapes as kernel

if TYPE_CHECKING:
    from poise.figure.figure import Figure

Floats = NDArray[np.float64]


@closed
@dataclass(frozen=True)
class HalfSpace:
    """All that lies below a plane through `point`, on the other side of its `normal`.

    A thing of the world, such as the floor, not of a segment: it has no mass.
    """

    point: Vec3 = (0.0, 0.0, 0.0)
    normal: Vec3 = (0.0, 0.0, 1.0)

    def __post_init__(self) -> None:
        """Check the numbers."""
        object.__setattr__(self, "point", place(self.point, "a point of a half-space"))
        object.__setattr__(self, "normal", direction(self.normal, "the normal of a half-space"))


Body = Shape | HalfSpace
"""What distances are computed of."""


FLOOR = "floor"
"""What the ground is called among bodies."""


class Part(NamedTuple):
    """A shape of a figure, and what carries it."""

    segment: str
    """By name; `FLOOR` for the ground."""
    node: int
    place: Transform
    """Of the segment's frame in that of the node."""
    shape: Body


def parts_of(figure: Figure) -> list[Part]:
    """All solid shapes of a figure, what it holds and what stands about; then the floor."""
    found: list[Part] = []
    for name, segment in figure.segments.items():
        if name not in figure.ghosts:
            node, place = figure.packed.segments[name]
            found += [Part(name, node, place, shape) for shape in segment.shapes]
    return [*found, Part(FLOOR, 0, IDENTITY, HalfSpace())]


class _Packed(NamedTuple):
    """A shape of the kernel: its kind, frame, sizes with the rounding radius, and bound."""

    kind: int
    place: Transform
    size: tuple[float, float, float, float]
    bound: float
    vertices: Floats | None = None
    neighbors: Sequence[Sequence[int]] = ()


def pack_shapes(bodies: Iterable[tuple[int, Transform, Body]]) -> kernel.Shapes:
    """Shapes for the kernel.

    Args:
        bodies: for each the node that carries it, the place in the node's frame of the frame in
            which it is described, and the shape.
    """
    nodes: list[int] = []
    packed: list[_Packed] = []
    for node, where, body in bodies:
        each = _packed(body)
        nodes.append(node)
        packed.append(each._replace(place=where @ each.place))
    vertices: list[Floats] = [np.zeros((0, 3))]
    neighbors: list[Sequence[int]] = []
    first: list[int] = []
    for each in packed:
        first.append(len(neighbors))
        if each.vertices is not None:
            vertices.append(each.vertices)
            neighbors += each.neighbors
    return kernel.Shapes(
        kind=np.array([each.kind for each in packed], np.int64),
        node=np.array(nodes, np.int64),
        rotation=np.array([each.place.rotation.ravel() for each in packed]).reshape(-1, 9),
        position=np.array([each.place.position for each in packed]).reshape(-1, 3),
        size=np.array([each.size for each in packed]).reshape(-1, 4),
        bound=np.array([each.bound for each in packed], np.float64),
        first_vertex=np.array(first, np.int64),
        vertex=np.concatenate(vertices),
        first_neighbor=np.cumsum([0, *map(len, neighbors)]).astype(np.int64),
        neighbor=np.array([v for row in neighbors for v in row], np.int64),
    )


def _packed(body: Body) -> _Packed:
    match body:
        case Sphere():
            where, r = Transform(np.eye(3), np.array(body.center)), body.radius
            return _Packed(kernel.SPHERE, where, (0.0, 0.0, 0.0, r), r)
        case Capsule():
            where, half = _along(body)
            r = body.radius
            return _Packed(kernel.CAPSULE, where, (half, 0.0, 0.0, r), half + r)
        case TaperedCapsule():
            where, half = _along(body)
            low, high = body.start_radius, body.end_radius
            size = (half, low, high, min(low, high))
            return _Packed(kernel.TAPERED, where, size, half + max(low, high))
        case Cylinder():
            where, half = _along(body)
            size = (half, body.radius, 0.0, 0.0)
            return _Packed(kernel.CYLINDER, where, size, float(np.hypot(half, body.radius)))
        case Ellipsoid():
            where = Transform(rotation_matrix(body.rotation), np.array(body.center))
            curvature = min(body.radii) ** 2 / max(body.radii)
            return _Packed(kernel.ELLIPSOID, where, (*body.radii, curvature), max(body.radii))
        case Box():
            where = Transform(rotation_matrix(body.rotation), np.array(body.center))
            a, b, c = (0.5 * each for each in body.size)
            return _Packed(kernel.BOX, where, (a, b, c, 0.0), float(np.linalg.norm((a, b, c))))
        case Hull():
            return _packed_hull(body)
        case HalfSpace():
            where = Transform(rotation_to(body.normal), np.array(body.point))
            return _Packed(kernel.HALF_SPACE, where, (0.0, 0.0, 0.0, 0.0), float("inf"))
    raise PoiseError(f"distances are of shapes and half-spaces, not of {body!r}")


def _along(body: Capsule | TaperedCapsule | Cylinder) -> tuple[Transform, float]:
    """The frame in the middle of a rod, with z along it, and half its length."""
    start, end = np.array(body.start), np.array(body.end)
    length = float(np.linalg.norm(end - start))
    return Transform(rotation_to((end - start) / length), 0.5 * (start + end)), 0.5 * length


def _packed_hull(body: Hull) -> _Packed:
    points = np.array(body.points)
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    vertices, neighbors = edges(points - middle, body.triangles)
    bound = float(np.linalg.norm(vertices, axis=1).max()) + body.radius
    size = (0.0, 0.0, 0.0, body.radius)
    return _Packed(kernel.HULL, Transform(np.eye(3), middle), size, bound, vertices, neighbors)
