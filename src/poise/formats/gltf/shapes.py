"""The shapes of segments as triangle meshes for glTF, coarse enough for a page to load quickly.

Lengths are metres, in the frame of the segment that carries the shape; normals are exact, so that
few facets look round.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.checking import Vec3
from poise.figure.shapes import Box, Capsule, Cylinder, Ellipsoid, Shape, Sphere, TaperedCapsule
from poise.figure.transform import rotation_matrix, rotation_to

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Mesh(NamedTuple):
    """Points (k, 3), unit normals (k, 3), and triangles (m, 3) that are numbers of points."""

    points: Floats
    normals: Floats
    triangles: Ints


def mesh_of(shapes: Sequence[Shape], around: int) -> Mesh:
    """The surfaces of some shapes as one mesh; round ones have `around` facets."""
    meshes = [_mesh(shape, around) for shape in shapes]
    first = np.cumsum([0, *(len(mesh.points) for mesh in meshes[:-1])])
    return Mesh(
        np.concatenate([mesh.points for mesh in meshes]),
        np.concatenate([mesh.normals for mesh in meshes]),
        np.concatenate([m.triangles + start for m, start in zip(meshes, first, strict=True)]),
    )


def _mesh(shape: Shape, around: int) -> Mesh:
    match shape:
        case Sphere():
            unit = _ball(around)
            center = np.array(shape.center)
            return Mesh(center + shape.radius * unit.points, unit.normals, unit.triangles)
        case Ellipsoid():
            unit, turn = _ball(around), rotation_matrix(shape.rotation)
            normals = unit.normals / np.array(shape.radii)
            normals /= np.linalg.norm(normals, axis=1, keepdims=True)
            points = np.array(shape.center) + unit.points * np.array(shape.radii) @ turn.T
            return Mesh(points, normals @ turn.T, unit.triangles)
        case Box():
            return _box(shape)
        case Cylinder():
            return _cylinder(shape.start, shape.end, shape.radius, around)
        case Capsule():
            return _capsule(shape.start, shape.end, shape.radius, shape.radius, around)
        case TaperedCapsule():
            radii = shape.start_radius, shape.end_radius
            return _capsule(shape.start, shape.end, *radii, around)


def _ball(around: int) -> Mesh:
    angle = np.linspace(-0.5 * np.pi, 0.5 * np.pi, around // 2 + 1)
    across, up = np.cos(angle), np.sin(angle)
    return _revolved(across, up, across, up, around)


def _capsule(start: Vec3, end: Vec3, first: float, last: float, around: int) -> Mesh:
    """Two caps, and the cone that touches both balls where the caps end."""
    length = float(np.linalg.norm(np.subtract(end, start)))
    lean = float(np.arcsin((first - last) / length))
    steps = around // 4 + 1
    angle = np.concatenate(
        [np.linspace(-0.5 * np.pi, lean, steps), np.linspace(lean, 0.5 * np.pi, steps)]
    )
    radius = np.repeat([first, last], steps)
    height = radius * np.sin(angle) + np.repeat([0.0, length], steps)
    profile = _revolved(radius * np.cos(angle), height, np.cos(angle), np.sin(angle), around)
    return _along(profile, start, end)


def _cylinder(start: Vec3, end: Vec3, radius: float, around: int) -> Mesh:
    """With flat lids: the points of a rim are there twice, for the lid and for the side."""
    length = float(np.linalg.norm(np.subtract(end, start)))
    profile = _revolved(
        np.array([0.0, radius, radius, radius, radius, 0.0]),
        np.array([0.0, 0.0, 0.0, length, length, length]),
        np.array([0.0, 0.0, 1.0, 1.0, 0.0, 0.0]),
        np.array([-1.0, -1.0, 0.0, 0.0, 1.0, 1.0]),
        around,
    )
    return _along(profile, start, end)


def _box(shape: Box) -> Mesh:
    """Six faces that share no points, so that edges stay sharp."""
    faces: list[Floats] = []
    normals: list[Floats] = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            normal = sign * np.eye(3)[axis]
            u, v = np.eye(3)[(axis + 1) % 3], sign * np.eye(3)[(axis + 2) % 3]
            faces += [normal - u - v, normal + u - v, normal + u + v, normal - u + v]
            normals += [normal] * 4
    corner = 4 * np.arange(6)[:, None]
    triangles = np.concatenate([corner + [0, 1, 2], corner + [0, 2, 3]])
    turn = rotation_matrix(shape.rotation)
    points = np.array(shape.center) + 0.5 * np.array(faces) * np.array(shape.size) @ turn.T
    return Mesh(points, np.array(normals) @ turn.T, triangles)


def _along(mesh: Mesh, start: Vec3, end: Vec3) -> Mesh:
    """A mesh about z, from its origin up, put along a line."""
    line = np.subtract(end, start)
    turn = rotation_to(line / np.linalg.norm(line))
    return Mesh(mesh.points @ turn.T + start, mesh.normals @ turn.T, mesh.triangles)


def _revolved(radius: Floats, height: Floats, outward: Floats, upward: Floats, around: int) -> Mesh:
    """A profile, from below upwards, turned about z; `outward` and `upward` are its normals'."""
    angle = np.linspace(0.0, 2.0 * np.pi, around, endpoint=False)
    circle = np.stack([np.cos(angle), np.sin(angle), np.zeros(around)], axis=-1)
    z = np.array([0.0, 0.0, 1.0])
    points = radius[:, None, None] * circle + height[:, None, None] * z
    normals = outward[:, None, None] * circle + upward[:, None, None] * z
    ring = np.arange(around)
    ahead = (ring + 1) % around
    low = np.arange(len(radius) - 1)[:, None] * around
    a, b, c, d = low + ring, low + ahead, low + around + ahead, low + around + ring
    triangles = np.concatenate(
        [np.stack(corners, axis=-1).reshape(-1, 3) for corners in ((a, b, c), (a, c, d))]
    )
    corners = points.reshape(-1, 3)[triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    kept = np.linalg.norm(across, axis=1) > 1e-15  # at the poles facets have no area
    return Mesh(points.reshape(-1, 3), normals.reshape(-1, 3), triangles[kept])
